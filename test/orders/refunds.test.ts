import { enter } from '../management/browser';
import { faultyDatabase } from '../support/faults';
import { atOnce, happenedIn, orderRow, upsert } from '../support/order-flow';
import { callApi, expectProblem, succeeded } from '../support/organization';
import { auditOf } from '../support/rows';
import { markPaid, placeOrder, readOrder, type Seller } from '../support/seller';
import { expect, test } from '../support/test';
import { rows } from '../support/world';

function refund(seller: Seller, id: string, body: Record<string, unknown> = {}) {
  return callApi(seller, 'POST', `/orders/${id}/refund`, { body: { reason_code: 'customer_withdrew', ...body } });
}

async function paidOrder(seller: Seller, members: Record<string, unknown> = {}): Promise<string> {
  const { id } = await placeOrder(seller, members);
  succeeded(await markPaid(seller, id));
  return id;
}

test('a paid order is refunded in full: its status, one event and one audit row tell it', async ({ seller }) => {
  const id = await paidOrder(seller);
  const before = (await happenedIn(seller.orgId)).length;
  const order = succeeded(await refund(seller, id, { note: 'Falsche Größe' }));
  expect(order).toMatchObject({ payment_status: 'refunded', refunded_amount: 24.9 });
  expect(await readOrder(seller, id)).toEqual(order);
  expect((await happenedIn(seller.orgId)).slice(before)).toEqual([
    { type: 'order_updated', metadata: { order_id: id, changed_fields: ['refunded_amount', 'payment_status'] } },
  ]);
  expect((await auditOf(id)).at(-1)).toMatchObject({
    action: 'order.refunded',
    fields: '["refunded_amount","payment_status"]',
    reason_code: 'customer_withdrew',
  });
});

test('parts are refunded until nothing is left; what is more is refused and changes nothing', async ({ seller }) => {
  const id = await paidOrder(seller);
  expect(succeeded(await refund(seller, id, { amount: 4.9 }))).toMatchObject({
    payment_status: 'paid',
    refunded_amount: 4.9,
  });
  expectProblem(await refund(seller, id, { amount: 20.01 }), 409, 'refund_exceeds_paid');
  expect(await orderRow(id)).toMatchObject({ refunded_cents: 490, payment_status: 'paid' });
  expect(succeeded(await refund(seller, id, { amount: 20 }))).toMatchObject({
    payment_status: 'refunded',
    refunded_amount: 24.9,
  });
  for (const body of [{}, { amount: 0.01 }]) {
    expectProblem(await refund(seller, id, body), 409, 'refund_exceeds_paid');
  }
});

test('an order that was not paid cannot be refunded', async ({ seller }) => {
  for (const payment_status of ['pending', 'cash_on_pickup']) {
    const { id } = await placeOrder(seller, { payment_status });
    expectProblem(await refund(seller, id), 409, 'not_paid');
    expect(await orderRow(id)).toMatchObject({ payment_status, refunded_cents: 0 });
  }
});

test('a refund whose answer D1 loses is recorded once', async ({ seller }) => {
  for (const batch of [1, 2]) {
    const id = await paidOrder(seller);
    const { DB } = faultyDatabase({ batch, how: 'is carried out and its answer lost, a transient error' });
    const body = { reason_code: 'customer_withdrew', amount: 4.9 };
    const answer = await callApi(seller, 'POST', `/orders/${id}/refund`, { body, env: { DB } });
    expect(succeeded(answer)).toMatchObject({ refunded_amount: 4.9 });
    expect(await orderRow(id)).toMatchObject({ refunded_cents: 490 });
    expect((await auditOf(id)).filter(({ action }) => action === 'order.refunded')).toHaveLength(1);
  }
});

test('refunds at the same moment never give back more than was paid', async ({ seller }) => {
  const id = await paidOrder(seller);
  const answers = await atOnce(...Array.from({ length: 4 }, () => () => refund(seller, id, { amount: 10 })));
  const codes = answers.map(({ status }) => status);
  expect(codes.filter((status) => status === 200)).toHaveLength(2);
  expect(await orderRow(id)).toMatchObject({ refunded_cents: 2000, payment_status: 'paid' });
  const whole = await atOnce(...Array.from({ length: 4 }, () => () => refund(seller, id)));
  expect(whole.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await orderRow(id)).toMatchObject({ refunded_cents: 2490, payment_status: 'refunded' });
});

test('what was paid too little is not refunded with the rest, until it is paid', async ({ seller }) => {
  const id = await paidOrder(seller);
  await rows(`update orders set payment_action = 'collect', payment_difference_cents = 490 where id = ?`, id);
  expectProblem(await refund(seller, id, { amount: 20.01 }), 409, 'refund_exceeds_paid');
  expect(succeeded(await refund(seller, id))).toMatchObject({ payment_status: 'refunded', refunded_amount: 20 });
});

test('an order that was refunded whole is paid again once its total rises, so that the rest is collected and given back', async ({
  seller,
}) => {
  const id = await paidOrder(seller);
  succeeded(await refund(seller, id));
  const raised = succeeded(await callApi(seller, 'PATCH', `/orders/${id}`, { body: { fee_amount: 4.9 } }));
  expect(raised).toMatchObject({ payment_status: 'paid', payment_difference: 4.9, payment_action: 'collect' });
  expect((await happenedIn(seller.orgId)).at(-1)?.metadata.changed_fields).toContain('payment_status');
  expectProblem(await refund(seller, id), 409, 'refund_exceeds_paid');
  const { browser } = await enter(seller.orgId, 'owner');
  await browser.submit(
    `/manage/orders/${id}/paid`,
    { of: 'difference', payment_reference: '' },
    `/manage/orders/${id}`,
  );
  expect(succeeded(await refund(seller, id))).toMatchObject({ payment_status: 'refunded', refunded_amount: 29.8 });
});

test('the database itself keeps a refund within the total', async ({ seller }) => {
  const id = await paidOrder(seller);
  for (const cents of [-1, 2491]) {
    await expect(rows('update orders set refunded_cents = ? where id = ?', cents, id)).rejects.toThrow(/CHECK/);
  }
});

test('content that costs less than what was refunded is refused', async ({ seller, placed: { id, external_id } }) => {
  succeeded(await markPaid(seller, id));
  succeeded(await refund(seller, id, { amount: 20 }));
  const cheaper = { name: 'Blutdruckmessgerät', qty: 1, price: 19.99 };
  const body = { shop_id: seller.shopId, external_id, customer_name: 'Erika Mustermann', items: [cheaper] };
  expectProblem(await upsert(seller, body), 409, 'refund_exceeds_paid');
  expect(await orderRow(id)).toMatchObject({ total_cents: 2490, refunded_cents: 2000 });
});

test('lines that a program changes once an order is paid leave what was paid: the difference is due, or given back', async ({
  seller,
  placed: { id, external_id },
}) => {
  succeeded(await markPaid(seller, id));
  succeeded(await refund(seller, id, { amount: 4.9 }));
  const put = async (price: number) => {
    const items = [{ name: 'Blutdruckmessgerät', qty: 1, price }];
    return succeeded(
      await upsert(seller, { shop_id: seller.shopId, external_id, customer_name: 'Erika Mustermann', items }),
    );
  };
  expect(await put(19.99)).toMatchObject({ payment_action: 'refund', payment_difference: -4.91 });
  expect((await happenedIn(seller.orgId)).at(-1)).toMatchObject({
    metadata: { changed_fields: ['items', 'payment_difference', 'payment_action'] },
  });
  expect(await put(30)).toMatchObject({ payment_action: 'collect', payment_difference: 5.1 });
  expect(await put(24.9)).toMatchObject({ payment_action: null, payment_difference: null, refunded_amount: 4.9 });
});

test.for([
  [{ amount: 0 }, '/amount'],
  [{ amount: -1 }, '/amount'],
  [{ amount: 1.001 }, '/amount'],
  [{ reason_code: 'because' }, '/reason_code'],
  [{ note: 'x'.repeat(1001) }, '/note'],
  [{ sum: 1 }, '/sum'],
] as const)('a refund with %j is refused', async ([body, pointer], { seller }) => {
  const id = await paidOrder(seller);
  const answer = await refund(seller, id, body);
  expect(answer.status).toBe(400);
  expect(answer.body.errors).toMatchObject([{ pointer }]);
  expect(await orderRow(id)).toMatchObject({ refunded_cents: 0 });
});

test('what was refunded is no turnover', async ({ seller }) => {
  const [whole, part] = [await paidOrder(seller), await paidOrder(seller)];
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const turnover = async () =>
    succeeded(await callApi(seller, 'GET', '/reports/summary', { query: { from: day(-1), to: day(1) } })).turnover;
  expect(await turnover()).toBe(49.8);
  succeeded(await refund(seller, whole));
  succeeded(await refund(seller, part, { amount: 4.9 }));
  expect(await turnover()).toBe(20);
});
