import { approve, getOrder, itemOf, openRequest, patchOrder, requestBody, upsert } from '../support/order-flow';
import { callApi, expectProblem, holdProduct, succeeded } from '../support/organization';
import { openPage, scan } from '../support/pay-page';
import { makeLink, markPaid, placeOrder } from '../support/seller';
import { expect, test } from '../support/test';
import { operate } from '../support/world';

async function approved(seller: Parameters<typeof holdProduct>[0], payload: Record<string, unknown> = {}) {
  const product = await holdProduct(seller, { stock: 50, price: 10.89 });
  // 54.45 of items, sent for 59.35.
  const items = [{ ...itemOf(product, 5), price: 10.89 }];
  const id = await openRequest(seller, {
    ...{ items, total_amount: 59.35, shipping_option: 'Versand', payment_status: 'pending' },
    ...{ address_street: 'Weg 1', address_city: 'Berlin' },
    ...payload,
  });
  const { order_id, warnings } = succeeded(await approve(seller, id));
  return { id: order_id as string, warnings };
}

const TOTALS = { items_amount: 54.45, fee_amount: 4.9, discount_amount: 0, total_amount: 59.35 };

test('what was sent is what is ordered, asked for by link and GiroCode, and given back', async ({ seller }) => {
  await operate(`/organizations/${seller.orgId}/shops/${seller.shopId}`, { fees: { Versand: 4.9 } }, 'PATCH');
  const { id, warnings } = await approved(seller);
  expect([warnings, (await getOrder(seller, id)).totals]).toEqual([[], TOTALS]);
  const { url, amount } = await makeLink(seller, id);
  const page = await openPage(url);
  expect([amount, page.text.includes('59,35'), scan(page.html)?.includes('EUR59.35')]).toEqual([59.35, true, true]);
  succeeded(await markPaid(seller, id));
  const refunded = await callApi(seller, 'POST', `/orders/${id}/refund`, { body: { reason_code: 'test' } });
  expect(succeeded(refunded)).toMatchObject({ refunded_amount: 59.35, payment_status: 'refunded' });
});

test('a fee and a discount may be said by name', async ({ seller }) => {
  const { id } = await approved(seller, { total_amount: null, fee_amount: 4.9, discount_amount: 10 });
  expect((await getOrder(seller, id)).totals).toEqual({ ...TOTALS, discount_amount: 10, total_amount: 49.35 });
});

test('a sent discount takes at most what there is to pay, give or take its rounding', async ({ seller }) => {
  const product = await holdProduct(seller, { stock: 5, price: 3.33 });
  const items = [{ ...itemOf(product, 3), price: 3.333 }];
  // 3 × 3.333 is 10.00 for the platform and 9.99 here.
  const { id } = await approved(seller, { items, total_amount: 0, discount_amount: 10 });
  expect((await getOrder(seller, id)).totals.total_amount).toBe(0);
  const body = requestBody(seller, { items, fee_amount: 1, discount_amount: 11.04 });
  const refused = await callApi(seller, 'POST', '/order-requests', { body });
  expectProblem(refused, 400, 'validation_failed');
  expect(refused.body.errors).toMatchObject([{ pointer: '/payload/discount_amount', code: 'too_big' }]);
});

test('a program is told of a total that does not fit, and its order has that total', async ({ seller }) => {
  const { id, warnings } = await approved(seller, { total_amount: 44.45 });
  expect(warnings).toMatchObject([{ code: 'fee_differs', sent_total: 44.45, computed_total: 54.45 }]);
  expect((await getOrder(seller, id)).totals).toMatchObject({ discount_amount: 10, total_amount: 44.45 });
});

test('an upsert without fee and discount has none when new, and keeps them when it exists', async ({ seller }) => {
  const body = {
    ...{ shop_id: seller.shopId, external_id: 'A', customer_name: 'Erika', payment_status: 'pending' },
    items: [{ name: 'Beratung', qty: 2, price: 10 }],
  };
  const totalsOf = async (members: object) => succeeded(await upsert(seller, { ...body, ...members })).totals;
  const made = succeeded(await upsert(seller, body), 201);
  expect(made.totals).toEqual({ items_amount: 20, fee_amount: 0, discount_amount: 0, total_amount: 20 });
  expect(await totalsOf({ fee_amount: 4.9 })).toMatchObject({ fee_amount: 4.9, total_amount: 24.9 });
  expect(await totalsOf({ discount_amount: 5 })).toMatchObject({ fee_amount: 4.9, total_amount: 19.9 });
  expect(await totalsOf({ items: [{ name: 'Beratung', qty: 1, price: 10 }] })).toEqual({
    ...{ items_amount: 10, fee_amount: 4.9, discount_amount: 5, total_amount: 9.9 },
  });
  const above = await upsert(seller, { ...body, discount_amount: 24.91 });
  expectProblem(above, 400, 'validation_failed');
});

test('lines that come to less than the discount leave nothing to pay', async ({ seller }) => {
  const { id, external_id } = await placeOrder(seller, { discount_amount: 20 });
  const items = [{ name: 'Blutdruckmessgerät', qty: 1, price: 15 }];
  const body = { shop_id: seller.shopId, external_id, customer_name: 'Erika Mustermann', items };
  succeeded(await upsert(seller, body));
  expect((await getOrder(seller, id)).totals).toMatchObject({ discount_amount: 15, total_amount: 0 });
});

test('a fee that is changed on a paid order books nothing and shows what is open', async ({ seller }) => {
  const { id } = await placeOrder(seller, { payment_status: 'paid' });
  const patched = succeeded(await patchOrder(seller, id, { fee_amount: 4.9 }));
  expect(patched).toMatchObject({
    totals: { fee_amount: 4.9, total_amount: 29.8 },
    payment_difference: 4.9,
    payment_action: 'collect',
    refunded_amount: 0,
  });
  const less = succeeded(await patchOrder(seller, id, { fee_amount: 0, discount_amount: 1 }));
  expect(less).toMatchObject({ payment_difference: -1, payment_action: 'refund' });
  expectProblem(await patchOrder(seller, id, { discount_amount: 24.91 }), 400, 'validation_failed');
});

test('a link to pay ends with another fee', async ({ seller }) => {
  const { id } = await placeOrder(seller);
  const { url } = await makeLink(seller, id);
  succeeded(await patchOrder(seller, id, { fee_amount: 4.9 }));
  expect(scan((await openPage(url)).html)).toBeNull();
  expect((await makeLink(seller, id)).amount).toBe(29.8);
});

test('an order that is completed keeps its fee', async ({ seller }) => {
  const { id } = await placeOrder(seller);
  succeeded(await patchOrder(seller, id, { status: 'cancelled', reason_code: 'test' }));
  expectProblem(await patchOrder(seller, id, { fee_amount: 4.9 }), 409, 'order_locked');
});
