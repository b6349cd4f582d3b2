import { newId } from '../../src/platform/ids';
import { readToday } from '../../src/reports/figures';
import { staffContext } from '../support/order-flow';
import { openOrganizationApi } from '../support/organization';
import { idAt, insertRow, madeAt } from '../support/rows';
import { expect, test } from '../support/test';

/** In summer time; 09:20 in the pharmacy. */
const NOW = Date.parse('2026-07-15T07:20:00Z');
const HOUR = 3_600_000;
const YESTERDAY = NOW - 24 * HOUR;

test('today beside yesterday until the same time, by hour: what came, was decided, packed, handed over and taken', async () => {
  const api = await openOrganizationApi();
  const own = { org_id: api.orgId, shop_id: api.shopId };
  const request = (at: number, status: string) =>
    insertRow('order_requests', { ...own, id: idAt(at), status, ...madeAt(at) });
  const act = (at: number, action: string, more: { fields?: string[]; entity?: string; request?: string } = {}) => {
    const { fields = null, entity = newId(), request: request_id = newId() } = more;
    const row = { org_id: api.orgId, id: idAt(at), at, action, entity_id: entity, request_id };
    return insertRow('audit_log', { ...row, fields: fields && JSON.stringify(fields) });
  };
  const order = async (number: number, columns: Record<string, unknown>) => {
    const id = idAt(NOW - HOUR);
    await insertRow('orders', { ...own, id, number, total_cents: 1000 * number, ...madeAt(NOW - HOUR), ...columns });
    return id;
  };
  await request(NOW - 3 * HOUR, 'approved');
  await request(NOW, 'pending');
  await request(YESTERDAY, 'rejected');
  await request(YESTERDAY + HOUR, 'approved');
  await request(YESTERDAY - 24 * HOUR, 'approved');

  await act(NOW - HOUR, 'order_request.approved');
  await act(YESTERDAY + 2 * HOUR, 'order_request.rejected');
  await act(NOW, 'order.updated', { fields: ['status:ready_pickup'] });
  await act(NOW, 'order.updated', { fields: ['customer_name'] });
  await act(NOW, 'order.part_supplied', { fields: ['status:awaiting_packing', 'items'] });
  const [paid, earlier] = [
    await order(5, { status: 'picked_up', payment_status: 'paid' }),
    await order(6, { status: 'picked_up', payment_status: 'paid' }),
  ];
  const step = { entity: paid, request: newId() };
  await act(NOW, 'order.updated', { ...step, fields: ['status:picked_up'] });
  await act(NOW, 'order.marked_paid', step);
  // Paid in advance, so nothing was taken when it left.
  await act(NOW - HOUR, 'order.marked_paid', { entity: earlier });
  await act(NOW, 'order.updated', { entity: earlier, fields: ['status:shipped'] });

  const open = [
    await order(7, { status: 'ready_pickup', payment_status: 'cash_on_pickup' }),
    await order(8, { status: 'shipped', payment_status: 'pending', unpaid_reason: 'on_account' }),
    await order(9, {
      ...{ status: 'ready_pickup', payment_status: 'paid' },
      ...{ payment_action: 'collect', payment_difference_cents: 250 },
    }),
  ];
  await order(10, { status: 'awaiting_packing', payment_status: 'cash_on_pickup' });
  await order(11, { status: 'picked_up', payment_status: 'pending', unpaid_reason: 'paid_otherwise' });

  const { ctx } = staffContext(api.orgId, 'pharmacist', { now: () => NOW });
  const today = await readToday(ctx);
  expect(today).toMatchObject({
    sums: { requests: 2, decided: 1, packed: 1, left: 3, cashCents: 5000 },
    before: { requests: 1, decided: 0, packed: 0, left: 0, cashCents: 0 },
    hasMoreUncollected: false,
  });
  expect(today.hours.map(({ sums, before }) => [sums.requests, before.requests, before.decided])).toEqual(
    Array.from({ length: 24 }, (_, hour) => [
      Number([6, 9].includes(hour)),
      Number([9, 10].includes(hour)),
      Number(hour === 11),
    ]),
  );
  const due = new Map(today.uncollected.map(({ id, cents }) => [id, cents]));
  expect(open.map((id) => due.get(id))).toEqual([7000, 8000, 250]);
  expect(due.size).toBe(3);
});
