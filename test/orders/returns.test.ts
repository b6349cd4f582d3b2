import { changeOrder } from '../../src/orders/change';
import { returnOrder } from '../../src/orders/return';
import type { Context } from '../../src/platform/context';
import { AppError } from '../../src/platform/errors/errors';
import { atOnce, happenedIn, openOrder, orderRow, setStatus } from '../support/order-flow';
import { holdProduct } from '../support/organization';
import { auditOf, rowOf } from '../support/rows';
import { staffContext } from '../support/staff-context';
import { test as base, expect } from '../support/test';

/** An order that was fetched: two packs over the counter, one that needs a prescription, one line without a product. */
const test = base
  .extend('counter', ({ api }) => holdProduct(api, { stock: 10 }))
  .extend('onPrescription', ({ api }) => holdProduct(api, { stock: 10, prescription_required: true }))
  .extend('id', async ({ api, counter, onPrescription }) => {
    const items = [
      { p1_id: counter.p1_id, qty: 2, price: 1 },
      { p1_id: onPrescription.p1_id, qty: 1, price: 1 },
      { name: 'Blutdruckmessgerät', qty: 1, price: 1 },
    ];
    const { id } = await openOrder(api, { items });
    await setStatus(id, 'picked_up');
    return id;
  })
  .extend('ctx', ({ api }) => staffContext(api.orgId));

const stockOf = async (org_id: string, p1_id: string) => (await rowOf('inventory', { org_id, p1_id })).stock_quantity;

/** @param quantities of each line; a text of a number: back into stock */
function takeBack(ctx: Context, id: string, seen: number, ...quantities: (number | string)[]) {
  const lines = quantities.map((each) => ({ quantity: Number(each), isRestocked: typeof each === 'string' }));
  return returnOrder(ctx, id, { lines, seen });
}

async function codeOf(run: Promise<unknown>): Promise<string | undefined> {
  const thrown = await run.then(
    () => undefined,
    (error: unknown) => error,
  );
  return thrown instanceof AppError ? thrown.code : undefined;
}

test('a part comes back: stock changes only where it was ticked, and the order stays what it is', async ({
  api,
  ctx,
  id,
  counter,
}) => {
  const [stock, news] = [await stockOf(api.orgId, counter.p1_id), (await happenedIn(api.orgId)).length];
  await takeBack(ctx, id, 0, 1, 0, 1);
  expect(await stockOf(api.orgId, counter.p1_id)).toBe(stock);
  await takeBack(ctx, id, 2, '1', 0, 0);
  expect(await stockOf(api.orgId, counter.p1_id)).toBe(stock + 1);
  expect(await rowOf('stock_movements', { order_id: id, reason: 'return' })).toMatchObject({ delta: 1 });
  const row = await orderRow(id);
  expect(row).toMatchObject({ status: 'picked_up' });
  expect(JSON.parse(row.returned)).toEqual([
    { quantity: 2, restocked: 1 },
    { quantity: 0, restocked: 0 },
    { quantity: 1, restocked: 0 },
  ]);
  expect(await auditOf(id, { action: 'order.returned' })).toHaveLength(2);
  const [restocked, ...others] = (await happenedIn(api.orgId)).slice(news);
  expect([restocked?.metadata, others]).toMatchObject([{ changed_fields: ['stock_quantity', 'on_hand'] }, []]);
});

test('once all is back the order is returned, and subscribers hear of it', async ({ api, ctx, id }) => {
  await takeBack(ctx, id, 0, 2, 1, 0);
  await takeBack(ctx, id, 3, 0, 0, 1);
  expect(await orderRow(id)).toMatchObject({ status: 'returned' });
  const moved = (await happenedIn(api.orgId)).filter(({ type }) => type === 'order_status_updated');
  expect(moved.at(-1)?.metadata).toMatchObject({ order_id: id, old_status: 'picked_up', new_status: 'returned' });
  expect(await codeOf(takeBack(ctx, id, 4, 1, 0, 0))).toBe('invalid_transition');
});

test('what needs a prescription, or is no product, never goes back into stock', async ({
  api,
  ctx,
  id,
  onPrescription,
}) => {
  const [stock, before] = [await stockOf(api.orgId, onPrescription.p1_id), await orderRow(id)];
  expect(await codeOf(takeBack(ctx, id, 0, 0, '1', 0))).toBe('validation_failed');
  expect(await codeOf(takeBack(ctx, id, 0, '2', '1', 0))).toBe('validation_failed');
  expect(await codeOf(takeBack(ctx, id, 0, 0, 0, '1'))).toBe('validation_failed');
  expect(await orderRow(id)).toEqual(before);
  expect(await stockOf(api.orgId, onPrescription.p1_id)).toBe(stock);
});

test('more than went out, nothing at all and half a pack are refused', async ({ ctx, id }) => {
  const before = await orderRow(id);
  for (const quantities of [
    [3, 0, 0],
    [0, 0, 0],
    [-1, 1, 0],
    [0.5, 0, 0],
    [1, 0],
  ]) {
    expect(await codeOf(takeBack(ctx, id, 0, ...quantities)), String(quantities)).toMatch(
      /validation_failed|changed_meanwhile/,
    );
  }
  await takeBack(ctx, id, 0, 2, 0, 0);
  expect(await codeOf(takeBack(ctx, id, 2, 1, 0, 0))).toBe('validation_failed');
  expect(before.returned).toBeNull();
});

test('a form that is sent twice, also at the same moment, counts once', async ({ api, ctx, id, counter }) => {
  const stock = await stockOf(api.orgId, counter.p1_id);
  const codes = await atOnce(
    () => codeOf(takeBack(ctx, id, 0, '1', 0, 0)),
    () => codeOf(takeBack(ctx, id, 0, '1', 0, 0)),
  );
  expect(codes.sort()).toEqual(['changed_meanwhile', undefined]);
  expect(await stockOf(api.orgId, counter.p1_id)).toBe(stock + 1);
});

test('what never left comes back whole, or is not returned', async ({ ctx, id }) => {
  await setStatus(id, 'ready_pickup');
  expect(await codeOf(takeBack(ctx, id, 0, 1, 0, 0))).toBe('validation_failed');
  await takeBack(ctx, id, 0, 2, 1, 1);
  expect(await orderRow(id)).toMatchObject({ status: 'returned' });
});

test('what is being packed is not returned', async ({ ctx, id }) => {
  await setStatus(id, 'awaiting_packing');
  expect(await codeOf(takeBack(ctx, id, 0, 2, 1, 1))).toBe('invalid_transition');
  await expect(changeOrder(ctx, id, { status: 'awaiting_packing' })).resolves.toBeDefined();
});
