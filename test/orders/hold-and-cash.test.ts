import { atOnce, happenedIn, orderRow, patchOrder, setStatus } from '../support/order-flow';
import { expectProblem, succeeded } from '../support/organization';
import { auditOf } from '../support/rows';
import { moveOrder, openSeller, placeOrder, readOrder, type Seller } from '../support/seller';
import { test as base, describe, expect } from '../support/test';

const test = base.extend('id', ({ seller }) => readyOrder(seller));

async function readyOrder(seller: Seller, members: Record<string, unknown> = {}): Promise<string> {
  const { id } = await placeOrder(seller, { payment_status: 'cash_on_pickup', ...members });
  await moveOrder(seller, id, members.shipping_option === 'Versand' ? 'ready_shipping' : 'ready_pickup');
  return id;
}

describe('a hold', () => {
  test.for([
    ['picked_up', {}],
    ['shipped', { shipping_option: 'Versand' }],
  ] as const)('refuses %s until it is lifted, also by the same change', async ([status, members], { seller }) => {
    const id = await readyOrder(seller, members);
    succeeded(await patchOrder(seller, id, { on_hold: true, hold_reason: 'Rückruf' }));
    const before = await orderRow(id);
    for (const body of [{ status }, { status, on_hold: true }, { status, note: 'x' }]) {
      expectProblem(await patchOrder(seller, id, body), 409, 'on_hold');
    }
    expect(await orderRow(id)).toEqual(before);
    succeeded(await patchOrder(seller, id, { status, on_hold: false }));
    expect(await readOrder(seller, id)).toMatchObject({ status, flags: { on_hold: false } });
  });

  test('that is set by the same change as the hand-over refuses it', async ({ seller, id }) => {
    expectProblem(await patchOrder(seller, id, { status: 'picked_up', on_hold: true }), 409, 'on_hold');
    expect(await orderRow(id)).toMatchObject({ status: 'ready_pickup', on_hold: 0 });
  });

  test('does not prevent packing, cancellation or return', async ({ seller }) => {
    const { id } = await placeOrder(seller, { payment_status: 'cash_on_pickup' });
    succeeded(await patchOrder(seller, id, { on_hold: true }));
    await moveOrder(seller, id, 'ready_pickup', 'awaiting_packing', 'cancelled');
    expect(await orderRow(id)).toMatchObject({ status: 'cancelled', on_hold: 1 });
  });

  test('set at the same moment as the hand-over: never is a held order handed over', async ({ seller }) => {
    for (let round = 0; round < 5; round += 1) {
      const id = await readyOrder(seller);
      const [handedOver, held] = await atOnce(
        () => patchOrder(seller, id, { status: 'picked_up' }),
        () => patchOrder(seller, id, { on_hold: true }),
      );
      expect(held?.status).toBe(200);
      const news = (await happenedIn(seller.orgId)).filter(({ metadata }) => metadata.order_id === id);
      const changes = news.filter(({ type }) => type === 'order_status_updated').map(({ metadata }) => metadata);
      const holdAt = changes.findIndex(({ changed_flags }) => changed_flags !== undefined);
      const handOverAt = changes.findIndex(({ new_status }) => new_status === 'picked_up');
      if (handedOver?.status === 200) expect(handOverAt === -1 || handOverAt < holdAt || holdAt === -1).toBe(true);
      else expectProblem(handedOver as NonNullable<typeof handedOver>, 409, 'on_hold');
    }
  });
});

describe('cash at the hand-over', () => {
  test('marks the order paid in the batch of the hand-over, once', async ({ seller, id }) => {
    const body = { status: 'picked_up', cash_received: true };
    const order = succeeded(await patchOrder(seller, id, body));
    expect(order).toMatchObject({ status: 'picked_up', payment_status: 'paid' });
    expect(Date.parse(order.paid_at)).toBeGreaterThan(0);
    const first = (await happenedIn(seller.orgId)).filter(({ metadata }) => metadata.order_id === id);
    expect(first.map(({ type }) => type).sort()).toEqual([
      'order_created',
      'order_marked_paid',
      'order_status_updated',
      'order_status_updated',
    ]);
    const acts = (await auditOf(id)).slice(-2) as unknown as { action: string; request_id: string }[];
    expect(acts.map(({ action }) => action).sort()).toEqual(['order.marked_paid', 'order.updated']);
    expect(new Set(acts.map(({ request_id }) => request_id)).size).toBe(1);
    succeeded(await patchOrder(seller, id, body));
    expect((await happenedIn(seller.orgId)).filter(({ metadata }) => metadata.order_id === id)).toEqual(first);
  });

  test.each([[{}], [{ cash_received: false }]])('with %j changes nothing about the money', async (members) => {
    const seller = await openSeller();
    const id = await readyOrder(seller);
    const order = succeeded(await patchOrder(seller, id, { status: 'picked_up', ...members }));
    expect(order).toMatchObject({ status: 'picked_up', payment_status: 'cash_on_pickup', paid_at: null });
  });

  test('can be noted once the order is picked up, and belongs to no other step', async ({ seller, id }) => {
    const elsewhere = await patchOrder(seller, id, { cash_received: true });
    expectProblem(elsewhere, 400, 'validation_failed');
    expect(elsewhere.body.errors).toMatchObject([{ pointer: '/cash_received' }]);
    expectProblem(
      await patchOrder(seller, id, { status: 'awaiting_packing', cash_received: true }),
      400,
      'validation_failed',
    );
    await moveOrder(seller, id, 'picked_up');
    expect(succeeded(await patchOrder(seller, id, { status: 'picked_up', cash_received: true }))).toMatchObject({
      payment_status: 'paid',
    });
  });

  test('does not pay an order whose hand-over is refused', async ({ seller, id }) => {
    await setStatus(id, 'awaiting_packing');
    expectProblem(
      await patchOrder(seller, id, { status: 'picked_up', cash_received: true }),
      409,
      'invalid_transition',
    );
    expect(await orderRow(id)).toMatchObject({ payment_status: 'cash_on_pickup', paid_at: null });
  });
});
