import { Hono } from 'hono';
import { viewPrescription } from '../../prescriptions/service';
import type { ManageEnv } from '../http/env';

/** A prescription's own address. The use case says who may look, notes it, and sets every header. */
export const prescriptionRoutes = new Hono<ManageEnv>().get('/:id/pdf', async (c) => {
  const { body, headers } = await viewPrescription(c.var.ctx, c.req.param('id'));
  return new Response(body, { headers });
});
