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

const cursor = z.string().min(1).max(1_000).optional();
const beginSchema = z.strictObject({ at: momentSchema });
const pageSchema = z.strictObject({ cursor });
const replaySchema = z.strictObject({ step: z.enum(REPLAY_STEPS), cursor });
const rowsSchema = z.strictObject({ org_id: z.uuid(), cursor });

/** The service's steps in a restore of the databases. `npm run restore` calls them in order. */
export const restoreRoutes = new Hono<HttpEnv>()
  .put('/restores/:id', jsonBody(BODY_BYTES_MAX), valid('json', beginSchema), async (c) => {
    const record = await beginRestore(c.var.ctx, { id: c.req.param('id'), ...c.req.valid('json') });
    const organizations = Object.keys(record.floors).length;
    return c.json({ id: record.id, at: new Date(record.at).toISOString(), organizations });
  })
  .post(
    '/restores/:id/export',

    jsonBody(BODY_BYTES_MAX),
    valid('json', pageSchema),
    async (c) => {
      const { rows, unreadable, nextCursor } = await exportChanged(
        c.var.ctx,
        c.req.param('id'),
        c.req.valid('json').cursor,
      );
      return c.json({ rows, unreadable_databases: unreadable, next_cursor: nextCursor });
    },
  )
  .post(
    '/restores/:id/marker',

    jsonBody(BODY_BYTES_MAX),
    valid('json', pageSchema),
    async (c) => {
      const { organizations, touched, nextCursor } = await markRestored(
        c.var.ctx,
        c.req.param('id'),
        c.req.valid('json').cursor,
      );
      return c.json({ organizations, touched, next_cursor: nextCursor });
    },
  )
  .post(
    '/restores/:id/replay',

    jsonBody(BODY_BYTES_MAX),
    valid('json', replaySchema),
    async (c) => {
      const page = await replayJournal(c.var.ctx, c.req.param('id'), c.req.valid('json'));
      const { step, entries, unreadable, passwordsEnded, secondFactorsLost, erasures, next } = page;
      const idsOf = <T>({ customers, requests, orders }: Record<'customers' | 'requests' | 'orders', T>) => ({
        customers,
        order_requests: requests,
        orders,
      });
      return c.json({
        step,
        entries,
        unreadable,
        passwords_ended: passwordsEnded.map(personOf),
        second_factors_lost: secondFactorsLost.map(personOf),
        erased: erasures && idsOf(erasures.erased),
        held: erasures && idsOf(erasures.onLegalHold),
        next,
      });
    },
  )
  .get('/restores/:id/files', valid('query', pageSchema), async (c) => {
    const { files, isExact, nextCursor } = await listLostFiles(
      c.var.ctx,
      c.req.param('id'),
      c.req.valid('query').cursor,
    );
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
    const { org_id: orgId, cursor: from } = c.req.valid('query');
    const page = await readExported(c.var.ctx, c.req.param('id'), { orgId, cursor: from });
    return c.json({ table: page.table, rows: page.rows, next_cursor: page.nextCursor }, 200, NO_STORE);
  });

function personOf({ orgId, memberId }: { orgId: string; memberId: string }) {
  return { org_id: orgId, member_id: memberId };
}

function lossesOf({ requestsLost, ordersLost, ordersSetBack, requestsSetBack, othersSetBack, ...of }: Losses) {
  return {
    org_id: of.orgId,
    organization_name: of.organizationName,
    has_owner: of.hasOwner,
    order_requests_lost: requestsLost.map(({ id, shopId, status, createdAt }) => ({
      id,
      shop_id: shopId,
      status,
      created_at: new Date(createdAt).toISOString(),
    })),
    orders_lost: ordersLost.map(({ id, number, status }) => ({ id, number: String(number), status })),
    order_requests_set_back: requestsSetBack,
    orders_set_back: ordersSetBack.map(({ number, ...order }) => ({ ...order, number: String(number) })),
    others_set_back: othersSetBack,
  };
}
