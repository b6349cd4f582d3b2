import { Hono } from 'hono';
import * as z from 'zod';
import { type HttpEnv, jsonBody, valid } from '../platform/http/http';
import { exportChanged, readExported } from '../restore/export';
import { type Losses, listLosses, listLostFiles } from '../restore/lost';
import { beginRestore, markRestored } from '../restore/markers';
import { REPLAY_STEPS, replayJournal } from '../restore/replay';
import { momentSchema } from '../wire/schemas';

const BODY_BYTES_MAX = 4 * 1024;
const NO_STORE = { 'Cache-Control': 'no-store' };

const beginSchema = z.strictObject({ at: momentSchema });
const pageSchema = z.strictObject({ cursor: z.string().min(1).max(1_000).optional() });
const replaySchema = pageSchema.extend({ step: z.enum(REPLAY_STEPS) });
const rowsSchema = pageSchema.extend({ org_id: z.uuid() });

/** The service's steps in a restore of the databases. `npm run restore` calls them in order. */
export const restoreRoutes = new Hono<HttpEnv>()
  .put('/restores/:id', jsonBody(BODY_BYTES_MAX), valid('json', beginSchema), async (c) => {
    const record = await beginRestore(c.var.ctx, { id: c.req.param('id'), ...c.req.valid('json') });
    const organizations = Object.keys(record.floors).length;
    return c.json({ id: record.id, at: new Date(record.at).toISOString(), organizations });
  })
  .post('/restores/:id/export', jsonBody(BODY_BYTES_MAX), valid('json', pageSchema), async (c) => {
    const { cursor } = c.req.valid('json');
    const { rows, unreadable, nextCursor } = await exportChanged(c.var.ctx, c.req.param('id'), cursor);
    return c.json({ rows, unreadable_databases: unreadable, next_cursor: nextCursor });
  })
  .post('/restores/:id/marker', jsonBody(BODY_BYTES_MAX), valid('json', pageSchema), async (c) => {
    const { cursor } = c.req.valid('json');
    const { organizations, touched, nextCursor } = await markRestored(c.var.ctx, c.req.param('id'), cursor);
    return c.json({ organizations, touched, next_cursor: nextCursor });
  })
  .post('/restores/:id/replay', jsonBody(BODY_BYTES_MAX), valid('json', replaySchema), async (c) => {
    const page = await replayJournal(c.var.ctx, c.req.param('id'), c.req.valid('json'));
    const { step, entries, unreadable, passwordsEnded, secondFactorsLost, erasures, next } = page;
    return c.json({
      ...{ step, entries, unreadable },
      passwords_ended: passwordsEnded.map(personOf),
      second_factors_lost: secondFactorsLost.map(personOf),
      erased: erasures && wireKinds(erasures.erased),
      held: erasures && wireKinds(erasures.onLegalHold),
      next,
    });
  })
  .get('/restores/:id/files', valid('query', pageSchema), async (c) => {
    const { cursor } = c.req.valid('query');
    const { files, isExact, nextCursor } = await listLostFiles(c.var.ctx, c.req.param('id'), cursor);
    const data = files.map(({ orgId, shopId, orderRequestId, orderId, fileKey, storedAt, sizeBytes }) => ({
      org_id: orgId,
      shop_id: shopId,
      order_request_id: orderRequestId,
      order_id: orderId ?? null,
      file: fileKey,
      stored_at: new Date(storedAt).toISOString(),
      size_bytes: sizeBytes,
    }));
    return c.json({ data, exact: isExact, next_cursor: nextCursor }, 200, NO_STORE);
  })
  .get('/restores/:id/losses', valid('query', pageSchema), async (c) => {
    const { losses, isExact, nextCursor } = await listLosses(c.var.ctx, c.req.param('id'), c.req.valid('query').cursor);
    return c.json({ data: losses.map(lossesOf), exact: isExact, next_cursor: nextCursor }, 200, NO_STORE);
  })
  .get('/restores/:id/rows', valid('query', rowsSchema), async (c) => {
    const { org_id: orgId, cursor } = c.req.valid('query');
    const { nextCursor, ...page } = await readExported(c.var.ctx, c.req.param('id'), { orgId, cursor });
    return c.json({ ...page, next_cursor: nextCursor }, 200, NO_STORE);
  });

/** Returns values by kind of row, under the names that the kinds have in JSON: `requests` becomes `order_requests`. */
export function wireKinds<T>({ requests: order_requests, ...rest }: Record<'customers' | 'requests' | 'orders', T>) {
  return { ...rest, order_requests };
}

function personOf({ orgId, memberId }: { orgId: string; memberId: string }) {
  return { org_id: orgId, member_id: memberId };
}

/**
 * Returns losses as JSON, by kind of row. It contains ids, numbers, statuses and names of columns, but no other values.
 */
function lossesOf({ orgId, organizationName, hasOwner, table, rows }: Losses) {
  const of = (kind: string) => (table === kind ? rows : []);
  const lost = (kind: string) => of(kind).flatMap(({ was, is }) => (is ? [] : [was]));
  const setBack = (kind: string) =>
    of(kind).flatMap(({ id, was, is, fields }) => {
      const number = kind === 'orders' && { number: String(was.number) };
      return is ? [{ id, was: was.status, is: is.status, fields, ...number }] : [];
    });
  const isOther = table !== 'orders' && table !== 'order_requests';
  return {
    org_id: orgId,
    organization_name: organizationName,
    has_owner: hasOwner,
    order_requests_lost: lost('order_requests').map(({ id, shopId, status, createdAt }) => {
      return { id, shop_id: shopId, status, created_at: new Date(Number(createdAt)).toISOString() };
    }),
    orders_lost: lost('orders').map(({ id, number, status }) => ({ id, number: String(number), status })),
    order_requests_set_back: setBack('order_requests'),
    orders_set_back: setBack('orders'),
    others_set_back: isOther ? rows.map(({ id, fields }) => ({ table, id, fields })) : [],
  };
}
