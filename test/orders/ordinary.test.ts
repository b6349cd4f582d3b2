import { enter } from '../management/browser';
import {
  approve,
  getOrder,
  getRequest,
  itemOf,
  openRequest,
  patchOrder,
  setPacked,
  setStatus,
} from '../support/order-flow';
import { attachNewProduct, callApi, holdProduct, succeeded } from '../support/organization';
import { expect, test } from '../support/test';
import { operate } from '../support/world';

const ADDRESS = { address_street: 'Weg 1', address_postal_code: '10115', address_city: 'Berlin' };

test('one order keeps its fee: slip, tour, counter, hand-over, file, report and refund say 59.35', async ({
  seller,
}) => {
  await operate(`/organizations/${seller.orgId}/shops/${seller.shopId}`, { fees: { Lieferdienst: 4.9 } }, 'PATCH');
  const product = await attachNewProduct(seller, { stock: 50, price: 10.89 });
  const items = [{ ...itemOf(product, 5), price: 10.89 }];
  const sent = {
    items,
    total_amount: 59.35,
    shipping_option: 'Lieferdienst',
    payment_status: 'cash_on_pickup',
    ...ADDRESS,
  };
  const { order_id: id, warnings } = succeeded(await approve(seller, await openRequest(seller, sent)));
  expect(warnings).toEqual([]);
  const { browser } = await enter(seller.orgId, 'owner');
  const path = `/manage/orders/${id}`;
  const shows = async (page: string) => expect((await browser.get(page)).text, page).toMatch(/59,35/);

  await shows(path);
  await shows(`${path}/slip`);
  await shows('/manage/desk/orders.csv');
  await setStatus(id, 'ready_shipping', 'Lieferdienst');
  await setPacked(id);
  await shows('/manage/desk/tour');
  // Nobody was at home: it is collected instead.
  succeeded(await patchOrder(seller, id, { status: 'awaiting_packing' }));
  succeeded(await patchOrder(seller, id, { shipping_option: 'Abholung' }));
  await setPacked(id);
  succeeded(await patchOrder(seller, id, { status: 'ready_pickup' }));
  await shows(`${path}/hand-over`);
  succeeded(await patchOrder(seller, id, { status: 'picked_up', cash_received: true }));
  expect(await getOrder(seller, id)).toMatchObject({
    payment_status: 'paid',
    totals: { items_amount: 54.45, fee_amount: 4.9, discount_amount: 0, total_amount: 59.35 },
  });
  const report = succeeded(await callApi(seller, 'GET', '/reports/summary'));
  expect(JSON.stringify(report)).toContain('59.35');
  const refund = await callApi(seller, 'POST', `/orders/${id}/refund`, { body: { reason_code: 'test' } });
  expect(succeeded(refund)).toMatchObject({ refunded_amount: 59.35, payment_status: 'refunded' });
});

test('the courier takes 59.35 at the door, and the day counts it as cash', async ({ seller }) => {
  await operate(`/organizations/${seller.orgId}/shops/${seller.shopId}`, { fees: { Lieferdienst: 4.9 } }, 'PATCH');
  const product = await attachNewProduct(seller, { stock: 50, price: 10.89 });
  const sent = {
    items: [{ ...itemOf(product, 5), price: 10.89 }],
    ...{ total_amount: 59.35, shipping_option: 'Lieferdienst', payment_status: 'cash_on_pickup', ...ADDRESS },
  };
  const { order_id: id } = succeeded(await approve(seller, await openRequest(seller, sent)));
  await setPacked(id);
  succeeded(await patchOrder(seller, id, { status: 'ready_shipping' }));
  const { browser } = await enter(seller.orgId, 'owner');
  const door = `/manage/desk/tour/${id}`;
  const page = await browser.get(door);
  expect(page.text).toMatch(/59,35\s€/);
  const seen = /name="seen" value="(\d+)"/.exec(page.text)?.[1] ?? '';
  const posted = await browser.submit(door, { seen, cash_received: 'yes', collected_by: '' }, door);
  expect(posted.status).toBe(303);
  expect(await getOrder(seller, id)).toMatchObject({
    ...{ status: 'delivered', payment_status: 'paid', payment_difference: null },
    totals: { items_amount: 54.45, fee_amount: 4.9, total_amount: 59.35 },
  });
  expect((await browser.get('/manage/reports')).text).toMatch(/59,35\s€/);
});

/** As platforms name them, the pharmacy's name, grams, and grams in a tin. */
const FLOWERS: readonly [asked: string, name: string, grams: number, step: number][] = [
  ['24/1 IUVO KC OJ Zainbow', 'OJ Zainbow', 11, 1],
  ['Gorilla Glue', 'Gorilla Glue 22/1', 20, 1],
  ['Pedanios 22/1 Ghost Train Haze', 'Ghost Train Haze', 3, 1],
  ['Wedding Cake', 'Wedding Cake', 7, 1],
  ['Gelato 33 22/1', 'Gelato 33', 5, 1],
  ['Girl Scout Cookies', 'Girl Scout Cookies', 10, 5],
  ['Pink Kush', 'Pink Kush', 15, 5],
  ['Lemon Haze', 'Lemon Haze', 20, 5],
];

test.for(FLOWERS)(
  '%s, supplied as %s, %i g in steps of %i: no tick, packed by weight, stock in grams',
  async ([name, product, grams, unit_step], { api }) => {
    const held = await holdProduct(api, { name: product, unit: 'g', unit_step, price: 8.75, stock: 60 });
    const items = [{ ...itemOf(held, grams), name, price: 8.75 }];
    const id = await openRequest(api, { items, total_amount: grams * 8.75, payment_status: 'paid' });
    const { browser } = await enter(api.orgId, 'owner');
    const review = await browser.get(`/manage/requests/${id}`);
    expect(review.text).not.toContain('name="acknowledged"');
    expect(review.text).toMatch(new RegExp(`${grams} g<[^]*à 8,75\\s€/g`));
    const { order_id } = succeeded(await approve(api, id));
    expect((await getOrder(api, order_id)).items).toMatchObject([{ quantity: grams, unit: 'g', price: 8.75 }]);
    expect(succeeded(await callApi(api, 'GET', `/inventory/${held.p1_id}`))).toMatchObject({
      ...{ unit: 'g', stock_quantity: 60 - grams, committed_quantity: grams },
    });
    const { text } = await browser.get(`/manage/orders/${order_id}`);
    // What is in tins is scanned.
    expect(text.includes('name="weighed-')).toBe(unit_step === 1);
    expect(text).toContain(`0/${grams} g`);
  },
);

const WAYS = ['Abholung', 'Versand', 'Express', 'Lieferdienst'] as const;
const PAYMENTS = [
  { payment_status: 'paid', payment_reference: 'TX-1', cash_on_pickup: false },
  { payment_status: 'pending', cash_on_pickup: false },
  { payment_status: 'cash_on_pickup' },
  { payment_status: 'paid', payment_reference: 'TX-2', cash_on_pickup: false, total_amount: 24.8 },
  { payment_status: 'pending', cash_on_pickup: false, total_amount: 19.9 },
];
const ORDINARY = WAYS.flatMap((shipping_option) =>
  // Cash is for the counter and the courier.
  PAYMENTS.map((payment) =>
    payment.payment_status === 'cash_on_pickup' && (shipping_option === 'Versand' || shipping_option === 'Express')
      ? { shipping_option, ...PAYMENTS[0] }
      : { shipping_option, ...payment },
  ),
);

test(`${ORDINARY.length} ordinary orders ask for no tick, and nothing stands in their way`, async ({ api }) => {
  expect(ORDINARY).toHaveLength(20);
  const [one, two] = [
    await attachNewProduct(api, { stock: 100, price: 4.95 }),
    await attachNewProduct(api, { stock: 100, price: 10 }),
  ];
  const { browser } = await enter(api.orgId, 'owner');
  for (const [place, payload] of ORDINARY.entries()) {
    const items = [
      { ...itemOf(one, 2), price: 4.95 },
      { ...itemOf(two, 1), price: 10 },
    ];
    const person = { customer_name: `Erika ${place}`, customer_email: `erika-${place}@example.com` };
    const id = await openRequest(api, { items, ...ADDRESS, ...payload, ...person });
    const { blockers, warnings } = await getRequest(api, id);
    const said = warnings.map(({ code }: { code: string }) => code);
    expect([blockers, said.filter((code: string) => code !== 'unknown_customer')], JSON.stringify(payload)).toEqual([
      [],
      [],
    ]);
    expect((await browser.get(`/manage/requests/${id}`)).text).not.toContain('name="acknowledged"');
    succeeded(await approve(api, id));
  }
});
