import { beforeEach, expect, test } from 'vitest';
import { sweepRetention } from '../../src/order-requests/sweep';
import { newId } from '../../src/platform/ids';
import { openSeller, type Seller } from '../support/seller';
import { rows, systemContext } from '../support/world';

const DAY = 86_400_000;
const NOW = Date.now() + 6 * 366 * DAY;
const OLD = NOW - 6 * 365 * DAY;
const SIZES = [20, 400] as const;

beforeEach(async () => {
  await rows('delete from sweep_cursors').catch(() => undefined);
});

const NUMBERS = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)';

/** So many requests of one kind. */
async function fillRequests(seller: Seller, count: number, status: string, decidedAt: number, erasedAt: number | null) {
  await rows(
    `insert into order_requests (id, org_id, shop_id, integration_id, source, status, customer_name, payment_status, items,
       decided_at, erased_at, created_at, updated_at)
     ${NUMBERS} select ?1 || i, ?3, ?4, 'x', 'x', ?5, 'Erika', 'pending', '[]', ?6, ?7, ?6, ?6 from n`,
    newId(),
    count,
    seller.orgId,
    seller.shopId,
    status,
    decidedAt,
    erasedAt,
  );
}

/** So many orders of one kind, each with a customer of its own. */
async function fillOrders(seller: Seller, count: number, status: string, updatedAt: number, erasedAt: number | null) {
  const mark = newId();
  await rows(
    `insert into customers (id, org_id, name, legal_hold, created_at, updated_at, erased_at)
     ${NUMBERS} select ?1 || i, ?3, 'Erika', 0, ?4, ?4, ?5 from n`,
    mark,
    count,
    seller.orgId,
    updatedAt,
    erasedAt,
  );
  await rows(
    `insert into orders (number, id, org_id, shop_id, source, customer_id, status, payment_status, on_hold, express, archived,
       customer_name, total_cents, items, holds_stock, version, created_at, updated_at, erased_at)
     ${NUMBERS} select (select coalesce(max(number), 0) from orders where org_id = ?3) + i, 'o-' || ?1 || i, ?3, ?4, 'x', ?1 || i, ?5, 'paid', 0, 0, 0, 'Erika', 0, '[]', 0, 1, ?6, ?6, ?7 from n`,
    mark,
    count,
    seller.orgId,
    seller.shopId,
    status,
    updatedAt,
    erasedAt,
  );
}

/** Rows that a night reads: two requests and two orders are over, `others` of every other kind are not, or were ended before. */
async function rowsReadBeside(others: number): Promise<number> {
  for (const table of ['orders', 'customers', 'order_requests', 'shop_hosts', 'shops', 'api_keys']) {
    await rows(`delete from ${table}`).catch(() => undefined);
  }
  await rows('delete from organizations');
  const [seller, stranger] = [await openSeller(), await openSeller()];
  for (const [status, decidedAt, erasedAt] of [
    ['pending', OLD, null],
    ['approved', OLD, null],
    ['rejected', NOW - DAY, null],
    ['rejected', OLD, OLD + DAY],
    ['deleted', OLD, OLD + DAY],
  ] as const) {
    await fillRequests(seller, others, status, decidedAt, erasedAt);
  }
  for (const [owner, status, updatedAt, erasedAt] of [
    [seller, 'ready_pickup', OLD, null],
    [seller, 'picked_up', NOW - DAY, null],
    [seller, 'picked_up', OLD, OLD + DAY],
    [stranger, 'ready_pickup', OLD, null],
  ] as const) {
    await fillOrders(owner, others, status, updatedAt, erasedAt);
  }
  await fillRequests(seller, 2, 'rejected', OLD, null);
  await fillOrders(seller, 2, 'picked_up', OLD, null);
  await rows('delete from sweep_cursors').catch(() => undefined);
  const { ctx } = systemContext({ now: () => NOW });
  await sweepRetention({ ...ctx, log: () => undefined });
  const erased = await rows(
    'select id from orders where erased_at = ? union select id from order_requests where erased_at = ?',
    NOW,
    NOW,
  );
  expect(erased).toHaveLength(4);
  return ctx.db.meter.rowsRead;
}

test('retention reads what it ends: what is not over, and what was ended before, costs no row', async () => {
  const [few, many] = [await rowsReadBeside(SIZES[0]), await rowsReadBeside(SIZES[1])];
  expect(many).toBe(few);
  expect(many).toBeLessThan(150);
});
