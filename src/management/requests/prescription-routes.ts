import { Hono } from 'hono';
import { viewPrescription } from '../../prescriptions/service';
import type { ManageEnv } from '../http/env';

/** Serves a prescription's file. The use case checks who may see it, records the access and sets every header. */
export const prescriptionRoutes = new Hono<ManageEnv>().get('/:id/pdf', async (c) => {
  const { body, headers } = await viewPrescription(c.var.ctx, c.req.param('id'));
  return new Response(body, { headers });
});
