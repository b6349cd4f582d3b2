import { Hono } from 'hono';
import * as z from 'zod';
import { replayErasures } from '../order-requests/service';
import { type HttpEnv, jsonBody, valid } from '../platform/http/http';

const BODY_BYTES_MAX = 4 * 1024;

const replaySchema = z.strictObject({
  /** Leaves out erasures of earlier days: the day of the backup to which the database was restored. */
  since: z.iso.date().optional(),
  /** `next_cursor` of the previous response. */
  cursor: z
    .string()
    .regex(/^journal\/[\w/.-]{1,100}$/, 'Send the next_cursor of an earlier answer.')
    .optional(),
});

/** Repeats, page by page, the erasures that a restore of the database has undone. */
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
