import { Hono } from 'hono';
import * as z from 'zod';
import { replayErasures } from '../order-requests/service';
import { type HttpEnv, jsonBody, valid } from '../platform/http';

const BODY_BYTES_MAX = 4 * 1024;

const replaySchema = z.strictObject({
  /** Leaves out what was erased on earlier days: the day to which the database was restored. */
  since: z.iso.date().optional(),
  /** `next_cursor` of the answer before. */
  cursor: z
    .string()
    .regex(/^journal\/[\w/.-]{1,100}$/, 'Send the next_cursor of an earlier answer.')
    .optional(),
});

/** What a restore of the database brought back is erased again, page by page. */
export const erasureRoutes = new Hono<HttpEnv>().post(
  '/erasures/replay',
  jsonBody(BODY_BYTES_MAX),
  valid('json', replaySchema),
  async (c) => {
    const { since, cursor } = c.req.valid('json');
    const { entries, unreadable, erased, onLegalHold, nextCursor } = await replayErasures(c.var.ctx, {
      sinceDay: since,
      cursor,
    });
    return c.json({
      entries,
      unreadable,
      erased: { customers: erased.customers, order_requests: erased.requests, orders: erased.orders },
      held: { customers: onLegalHold.customers, order_requests: onLegalHold.requests, orders: onLegalHold.orders },
      next_cursor: nextCursor,
    });
  },
);
