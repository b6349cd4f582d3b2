import { beforeEach, expect, test } from 'vitest';
import { sweepRetention } from '../../src/order-requests/sweep';
import { newId } from '../../src/platform/ids';
import { idAt, insertRows, madeAt, quoted } from '../support/rows';
import { openSeller, type Seller } from '../support/seller';
import { rows, systemContext } from '../support/world';

const DAY = 86_400_000;
const NOW = Date.now() + 6 * 366 * DAY;
const OLD = NOW - 6 * 365 * DAY;
const SIZES = [20, 400] as const;

beforeEach(async () => {
  await rows('delete from sweep_cursors').catch(() => undefined);
});

/** So many requests of one kind. */
async function fillRequests(seller: Seller, count: number, status: string, decidedAt: number, erasedAt: number | null) {
  const own = { org_id: quoted(seller.orgId), shop_id: quoted(seller.shopId), customer_name: `'Erika'` };
  const ended = { status: quoted(status), decided_at: decidedAt, erased_at: erasedAt, ...madeAt(decidedAt) };
  await insertRows('order_requests', count, { id: `'${idAt(decidedAt)}' || i`, ...own, ...ended });
}

/** So many orders of one kind, each with a customer of its own. */
async function fillOrders(seller: Seller, count: number, status: string, updatedAt: number, erasedAt: number | null) {
  const id = `'${newId()}' || i`;
  const own = { org_id: quoted(seller.orgId), ...madeAt(updatedAt), erased_at: erasedAt };
  await insertRows('customers', count, { id, ...own });
  const sold = { shop_id: quoted(seller.shopId), customer_id: id, customer_name: `'Erika'`, status: quoted(status) };
  await insertRows('orders', count, { id: `'o-' || ${id}`, ...own, ...sold });
}

/** Rows that a night reads: two requests and two orders are over, `others` of every other kind are not, or were ended before. */
async function rowsReadBeside(others: number): Promise<number> {
  for (const table of ['orders', 'customers', 'order_requests', 'shop_hosts', 'shops', 'api_keys']) {
    await rows(`delete from ${table}`).catch(() => undefined);
  }
  await rows('delete from organizations');
  const [seller, stranger] = [await openSeller(), await openSeller()];
  for (const [status, decidedAt, erasedAt] of [
    ['pending', NOW - DAY, null],
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
  expect(many).toBeLessThan(170);
});
