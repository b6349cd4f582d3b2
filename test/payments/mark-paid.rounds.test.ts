import { callApi, eventsOf, eventTypesOf, expectProblem, succeeded } from '../support/organization';
import { rounds } from '../support/rounds';
import { rowsOf } from '../support/rows';
import {
  makeLink,
  markPaid,
  moveOrder,
  openSeller,
  placeOrder,
  readOrder,
  type Seller,
  STEPS_TO,
} from '../support/seller';
import { expect, test } from '../support/test';
import { rows } from '../support/world';

const ROUNDS = rounds(8, 50);

/** What the payment of an order may write. */
async function footprintOf(seller: Seller) {
  const [orders, links, events, audits] = await Promise.all([
    rows('select * from orders where org_id = ?', seller.orgId),
    rows('select * from payment_links where org_id = ?', seller.orgId),
    rows('select id from events where org_id = ?', seller.orgId),
    rows('select id from audit_log where org_id = ?', seller.orgId),
  ]);
  return { orders, links, events, audits };
}

async function linkStatuses(order_id: string): Promise<unknown[]> {
  return (await rowsOf('payment_links', { order_id })).map(({ status }) => status);
}

test('a paid order says when and by which reference; its event names order, reference, amount', async ({ seller }) => {
  const { id } = await placeOrder(seller);
  const before = Date.now();
  const paid = succeeded(await markPaid(seller, id, { payment_reference: 'TX-4711' }));
  expect(paid).toMatchObject({ id, payment_status: 'paid', payment_reference: 'TX-4711' });
  expect(Date.parse(paid.paid_at ?? '')).toBeGreaterThanOrEqual(before);
  expect(await readOrder(seller, id)).toEqual(paid);
  const events = await eventsOf(seller.orgId, 'order_marked_paid');
  expect(events.map(({ body }) => JSON.parse(body).metadata)).toEqual([
    { order_id: id, payment_reference: 'TX-4711', total_amount: 24.9 },
  ]);
});

test.for([
  ['with the same reference', { payment_reference: 'TX-1' }],
  ['without one', {}],
] as const)('a second call %s answers what is there, writes nothing', async ([_, body], { seller, placed: { id } }) => {
  const first = succeeded(await markPaid(seller, id, { payment_reference: 'TX-1' }));
  const before = await footprintOf(seller);
  expect(succeeded(await markPaid(seller, id, body))).toEqual(first);
  expect(await footprintOf(seller)).toEqual(before);
});

test('a second call with another reference is refused and writes nothing', async ({ seller, placed: { id } }) => {
  succeeded(await markPaid(seller, id, { payment_reference: 'TX-1' }));
  const before = await footprintOf(seller);
  expectProblem(await markPaid(seller, id, { payment_reference: 'TX-2' }), 409, 'order_not_payable');
  expect(await footprintOf(seller)).toEqual(before);
});

test('a paid order without a reference takes the one that is sent later', async ({ seller, placed: { id } }) => {
  const { paid_at } = succeeded(await markPaid(seller, id));
  expect(succeeded(await markPaid(seller, id, { payment_reference: 'TX-1' }))).toMatchObject({
    payment_status: 'paid',
    payment_reference: 'TX-1',
    paid_at,
  });
  expect(await readOrder(seller, id)).toMatchObject({ payment_reference: 'TX-1' });
  const types = await eventTypesOf(seller.orgId);
  expect(types.filter((type) => type === 'order_marked_paid')).toHaveLength(1);
  expect(types.filter((type) => type === 'order_updated')).toHaveLength(1);
});

test('an order that was made paid is marked already: no event', async ({ seller }) => {
  const { id } = await placeOrder(seller, { payment_status: 'paid', payment_reference: 'TX-9' });
  expect(succeeded(await markPaid(seller, id))).toMatchObject({ payment_status: 'paid', payment_reference: 'TX-9' });
  expect(await eventTypesOf(seller.orgId)).toEqual(['order_created']);
});

test.for([
  ['keeps the one that the order came with', {}, 'TX-EARLY'],
  ['takes the one that is sent', { payment_reference: 'TX-LATE' }, 'TX-LATE'],
] as const)('the reference: marking paid %s', async ([_, body, expected], { seller }) => {
  const { id } = await placeOrder(seller, { payment_reference: 'TX-EARLY' });
  expect(succeeded(await markPaid(seller, id, body)).payment_reference).toBe(expected);
  const [event] = await eventsOf(seller.orgId, 'order_marked_paid');
  expect(JSON.parse(event?.body ?? '').metadata.payment_reference).toBe(expected);
});

test('an order without any reference is told with an empty one', async ({ seller, placed: { id } }) => {
  expect(succeeded(await markPaid(seller, id)).payment_reference).toBeNull();
  const [event] = await eventsOf(seller.orgId, 'order_marked_paid');
  expect(JSON.parse(event?.body ?? '').metadata.payment_reference).toBe('');
});

test('an order that waited for the payment is packed next, which is told once', async ({ seller }) => {
  const { id, status } = await placeOrder(seller, { payment_status: 'pending' });
  expect(status).toBe('awaiting_payment');
  expect(succeeded(await markPaid(seller, id))).toMatchObject({ status: 'awaiting_packing', payment_status: 'paid' });
  expect((await readOrder(seller, id)).status).toBe('awaiting_packing');
  succeeded(await markPaid(seller, id));
  const [event, ...more] = await eventsOf(seller.orgId, 'order_status_updated');
  expect(more).toEqual([]);
  expect(JSON.parse(event?.body ?? '').metadata).toMatchObject({
    old_status: 'awaiting_payment',
    new_status: 'awaiting_packing',
  });
});

test('cash at the counter is marked paid too', async ({ seller }) => {
  const { id } = await placeOrder(seller, { payment_status: 'cash_on_pickup' });
  await moveOrder(seller, id, 'ready_pickup', 'picked_up');
  expect(succeeded(await markPaid(seller, id))).toMatchObject({ status: 'picked_up', payment_status: 'paid' });
});

test.for([
  ['cancelled', STEPS_TO.cancelled],
  ['returned', STEPS_TO.returned],
] as const)('an order that is %s cannot be paid any more', async ([_, steps], { seller, placed: { id } }) => {
  await moveOrder(seller, id, ...steps);
  const before = await footprintOf(seller);
  expectProblem(await markPaid(seller, id), 409, 'order_not_payable');
  expect(await footprintOf(seller)).toEqual(before);
});

test('an order that was refunded cannot be paid again', async ({ seller, placed: { id } }) => {
  await rows("update orders set payment_status = 'refunded' where id = ?", id);
  expectProblem(await markPaid(seller, id), 409, 'order_not_payable');
  expect(await readOrder(seller, id)).toMatchObject({ payment_status: 'refunded', paid_at: null });
});

test('open links end as paid, earlier ones stay voided, those of other orders stay open', async ({ seller }) => {
  const [{ id }, other] = [await placeOrder(seller), await placeOrder(seller)];
  await makeLink(seller, id);
  await makeLink(seller, id);
  await makeLink(seller, other.id);
  succeeded(await markPaid(seller, id));
  expect(await linkStatuses(id)).toEqual(['voided', 'paid']);
  expect(await linkStatuses(other.id)).toEqual(['open']);
});

test('a deleted order is not there', async ({ seller, placed: { id } }) => {
  await moveOrder(seller, id, 'cancelled');
  succeeded(await callApi(seller, 'DELETE', `/orders/${id}`));
  expectProblem(await markPaid(seller, id), 404, 'order_not_found');
});

test(`two at once: one is paid, the other reference is refused, in ${ROUNDS} rounds`, async ({ seller }) => {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { id } = await placeOrder(seller);
    const answers = await Promise.all([
      markPaid(seller, id, { payment_reference: 'LEFT' }),
      markPaid(seller, id, { payment_reference: 'RIGHT' }),
    ]);
    const [won, lost] = answers.toSorted((one, other) => one.status - other.status);
    const { payment_reference } = succeeded(won as (typeof answers)[0]);
    expectProblem(lost as (typeof answers)[0], 409, 'order_not_payable');
    expect((await readOrder(seller, id)).payment_reference).toBe(payment_reference);
    const events = await eventsOf(seller.orgId, 'order_marked_paid');
    expect(events).toHaveLength(round);
    expect(JSON.parse(events.at(-1)?.body ?? '').metadata).toMatchObject({
      order_id: id,
      payment_reference,
    });
    const audits = await rows("select id from audit_log where entity_id = ? and action = 'order.marked_paid'", id);
    expect(audits).toHaveLength(1);
  }
});

test('a payment and a cancellation at once: both in some order, or the payment is refused; links never stay open', async () => {
  const seller = await openSeller();
  for (let round = 0; round < rounds(6, 20); round += 1) {
    const { id } = await placeOrder(seller);
    await makeLink(seller, id);
    const cancelling = { status: 'cancelled', reason_code: 'customer_withdrew' };
    const [paid] = await Promise.all([
      markPaid(seller, id),
      callApi(seller, 'PATCH', `/orders/${id}`, { body: cancelling }).then(succeeded),
    ]);
    const order = await readOrder(seller, id);
    expect(order.status).toBe('cancelled');
    expect(order.payment_status).toBe(paid.status === 200 ? 'paid' : 'pending');
    expect(await linkStatuses(id)).toEqual([paid.status === 200 ? 'paid' : 'voided']);
  }
});
