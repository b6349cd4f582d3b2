import { getOrderRequest } from '../../src/order-requests/inbox/inbox';
import { newId } from '../../src/platform/ids';
import {
  approve,
  deleteRequest,
  eventsAfter,
  getOrder,
  getRequest,
  itemOf,
  openApprovable,
  openConnector,
  openOrder,
  openRequest,
  orderMovements,
  reject,
  reopen,
  requestBody,
  requestRow,
  staffContext,
  stockOf,
} from '../support/order-flow';
import {
  attach,
  callApi,
  expectProblem,
  footprint,
  holdProduct,
  type OrganizationApi,
  openOrganizationApi,
  succeeded,
} from '../support/organization';
import { accepted } from '../support/probe';
import { auditOf } from '../support/rows';
import { describe, expect, test } from '../support/test';
import { operate, PDF_BASE64, rows } from '../support/world';

const codes = (notices: { code: string }[]) => notices.map(({ code }) => code);

describe('approval', () => {
  test('makes an order with everything that was submitted', async ({ api }) => {
    const address = {
      address_street: 'Hauptstraße 1',
      address_city: 'Berlin',
      address_postal_code: '10115',
      address_phone: '+49 30 1234',
    };
    const payment = { payment_status: 'paid', payment_reference: 'TX-1', cash_on_pickup: false };
    const { id, product } = await openApprovable(api, {
      payload: { ...address, ...payment, shipping_option: 'Express', total_amount: 9.9 },
    });
    const { order_id: orderId, ...decision } = succeeded(await approve(api, id));
    expect(decision).toEqual({ id, status: 'approved', warnings: [] });
    const order = await getOrder(api, orderId);
    expect(order).toMatchObject({
      ...{ id: orderId, number: 1, status: 'awaiting_packing', shop_id: api.shopId, order_request_id: id },
      ...{
        payment_status: 'paid',
        payment_reference: 'TX-1',
        shipping_option: 'Express',
        totals: { items_amount: 9.9, fee_amount: 0, discount_amount: 0, total_amount: 9.9 },
      },
      ...{ source: 'telemed.example', external_reference: (await getRequest(api, id)).external_reference },
      flags: { on_hold: false, original_missing: false, express: true, archived: false },
      items: [{ name: product.name, qty: 2, price: product.price, p1_id: product.p1_id, prescription_required: false }],
      customer: { id: expect.any(String), name: 'Erika Mustermann', email: 'erika@example.com' },
      address: { street: 'Hauptstraße 1', city: 'Berlin', postal_code: '10115', phone: '+49 30 1234' },
      paid_at: order.created_at,
    });
  });

  test.for([
    ['cash_on_pickup', 'awaiting_packing'],
    ['paid', 'awaiting_packing'],
    ['pending', 'awaiting_payment'],
  ] as const)('of a request that is %s makes an order that is %s', async ([payment_status, status], { api }) => {
    const { id } = await openApprovable(api, { payload: { payment_status } });
    const { order_id } = succeeded(await approve(api, id));
    expect(await getOrder(api, order_id)).toMatchObject({ status, payment_status });
  });

  test('matches lines by p1_id and by product_id; one without a name is named after its product', async ({ api }) => {
    const [one, two, three] = [await holdProduct(api), await holdProduct(api), await holdProduct(api)];
    const items = [
      { p1_id: one.p1_id, quantity: 1, price: 1 },
      { product_id: two.p1_id, name: 'Zwei', quantity: 2, price: 2 },
      { p1_id: 'P1-unknown', product_id: three.p1_id, quantity: 3, price: 3 },
    ];
    const id = await openRequest(api, { items });
    const { order_id } = succeeded(await approve(api, id));
    expect((await getOrder(api, order_id)).items).toMatchObject([
      { p1_id: one.p1_id, name: one.name, qty: 1, price: 1 },
      { p1_id: two.p1_id, name: 'Zwei', qty: 2, price: 2 },
      { p1_id: three.p1_id, name: three.name, qty: 3, price: 3 },
    ]);
  });

  test('keeps submitted and approved lines both', async ({ api }) => {
    const { id, product } = await openApprovable(api, { quantity: 2 });
    const before = await getRequest(api, id);
    const lines = [{ p1_id: product.p1_id, name: 'Kleinere Packung', quantity: 5, price: 1.5 }];
    const { order_id } = succeeded(await approve(api, id, { lines }));
    const after = await getRequest(api, id);
    expect(after.items).toEqual(before.items);
    expect(after.items).toMatchObject([{ quantity: 2, price: product.price }]);
    expect(after.lines).toEqual((await getOrder(api, order_id)).items);
    expect(after.lines).toMatchObject([{ qty: 5, price: 1.5, name: 'Kleinere Packung', p1_id: product.p1_id }]);
    expect((await getOrder(api, order_id)).totals).toMatchObject({ items_amount: 7.5, total_amount: 7.5 });
    expect(await stockOf(api.orgId, product.p1_id)).toEqual({ stock: 15, ledger: 15 });
  });

  test('takes stock through the ledger, once for each product, and sets off stock events', async () => {
    const api = await openOrganizationApi({ low_stock_threshold: 5 });
    const [low, out] = [await holdProduct(api, { stock: 7 }), await holdProduct(api, { stock: 6 })];
    const id = await openRequest(api, { items: [itemOf(low, 1), itemOf(out, 6), itemOf(low, 2)] });
    const happened = await eventsAfter(api.orgId, async () => succeeded(await approve(api, id)));
    const { order_id } = await getRequest(api, id);
    expect(await orderMovements(api.orgId, low.p1_id)).toEqual([{ delta: -3, reason: 'order', order_id }]);
    expect(await orderMovements(api.orgId, out.p1_id)).toEqual([{ delta: -6, reason: 'order', order_id }]);
    expect(await stockOf(api.orgId, low.p1_id)).toEqual({ stock: 4, ledger: 4 });
    expect(await stockOf(api.orgId, out.p1_id)).toEqual({ stock: 0, ledger: 0 });
    expect(happened.filter(({ type }) => type.endsWith('_stock'))).toEqual(
      expect.arrayContaining([
        { type: 'low_stock', metadata: { p1_id: low.p1_id, unit: 'piece', stock_quantity: 4, threshold: 5 } },
        { type: 'low_stock', metadata: { p1_id: out.p1_id, unit: 'piece', stock_quantity: 0, threshold: 5 } },
        { type: 'out_of_stock', metadata: { p1_id: out.p1_id, unit: 'piece', stock_quantity: 0, threshold: 5 } },
      ]),
    );
    expect(happened.filter(({ type }) => type === 'product_updated')).toHaveLength(2);
    expect(happened).toHaveLength(7);
  });

  test('writes order_request_approved, order_created and one audit row once', async ({
    api,
    approvable: { id, product },
  }) => {
    const { external_reference } = await getRequest(api, id);
    const happened = await eventsAfter(api.orgId, async () => succeeded(await approve(api, id)));
    const { order_id } = await getRequest(api, id);
    const common = {
      external_reference,
      shop_id: api.shopId,
      source: 'telemed.example',
      order_request_id: id,
      order_id,
    };
    const states = { status: 'awaiting_packing', payment_status: 'cash_on_pickup' };
    expect(happened.toSorted((a, b) => (a.type < b.type ? -1 : 1))).toEqual([
      { type: 'order_created', metadata: { ...common, ...states } },
      { type: 'order_request_approved', metadata: common },
      {
        type: 'product_updated',
        metadata: {
          p1_id: product.p1_id,
          changed_fields: ['stock_quantity'],
          ...{
            unit: 'piece',
            stock_quantity: 18,
            on_hand: 20,
            committed_quantity: 2,
            reserved_quantity: 0,
            stock_version: 2,
            shop_ids: [],
          },
        },
      },
    ]);
    expect(await auditOf(id)).toMatchObject([
      { action: 'order_request.approved', actor_kind: 'api_key', actor_id: api.keyId, fields: null },
    ]);
  });

  test.each<[string, (known: { id: string; email: string }) => Record<string, unknown>]>([
    ['its id', ({ id }) => ({ customer_id: id, customer_email: 'other@example.com' })],
    ['its e-mail', ({ email }) => ({ customer_email: email })],
    ['its e-mail in capitals', ({ email }) => ({ customer_email: email.toUpperCase() })],
    ['its e-mail when the id is unknown', ({ email }) => ({ customer_id: 'K-1', customer_email: email })],
  ])('gives the order to the customer that is known by %s', async (_, payloadOf) => {
    const api = await openOrganizationApi();
    const { customer } = await openOrder(api, { customer_email: 'known@example.com' });
    const payload = payloadOf({ id: customer.id, email: 'known@example.com' });
    const { id } = await openApprovable(api, { payload });
    const { order_id } = succeeded(await approve(api, id));
    expect((await getOrder(api, order_id)).customer.id).toBe(customer.id);
    expect(await rows('select id from customers where org_id = ?', api.orgId)).toHaveLength(1);
  });

  test('makes a customer of somebody new, under the folded e-mail', async ({ api }) => {
    const { id } = await openApprovable(api, { payload: { customer_email: 'Erika.MUSTER@Example.com' } });
    const { order_id } = succeeded(await approve(api, id));
    const { customer } = await getOrder(api, order_id);
    expect(customer.email).toBe('Erika.MUSTER@Example.com');
    expect(await rows('select id, name, email from customers where org_id = ?', api.orgId)).toEqual([
      { id: customer.id, name: 'Erika Mustermann', email: 'erika.muster@example.com' },
    ]);
  });

  test('never finds another organization’s customer', async () => {
    const [api, other] = [await openOrganizationApi(), await openOrganizationApi()];
    const { customer } = await openOrder(other, { customer_email: 'known@example.com' });
    const { id } = await openApprovable(api, {
      payload: { customer_id: customer.id, customer_email: 'known@example.com' },
    });
    expect(codes((await getRequest(api, id)).warnings)).toContain('unknown_customer');
    const { order_id } = succeeded(await approve(api, id));
    expect((await getOrder(api, order_id)).customer.id).not.toBe(customer.id);
  });

  test('twice is refused the second time with who decided and when', async ({ api, approvable: { id } }) => {
    const { order_id } = succeeded(await approve(api, id));
    const { decided_at } = await getRequest(api, id);
    const before = await footprint(api.orgId);
    for (const answer of [await approve(api, id), await reject(api, id)]) {
      expectProblem(answer, 409, 'already_decided');
      expect(answer.body).toMatchObject({ decided_by: api.keyId, decided_at, order_id, current_status: 'approved' });
    }
    await expect(reopen(api, id)).rejects.toMatchObject({ code: 'already_decided' });
    expect(await footprint(api.orgId)).toEqual(before);
  });
});

test('an order request of a shop whose delivery service has a name may ask for it', async ({ api }) => {
  const { shop_id: shopId = '' } = await operate(`/organizations/${api.orgId}/shops`, {
    name: 'Süd',
    hosts: [`rx-${newId()}.localhost`],
    delivery_service_name: 'Radkurier',
  });
  const product = await holdProduct(api);
  const payload = { items: [itemOf(product)], shipping_option: 'Radkurier', payment_status: 'paid' };
  const id = await openRequest(api, payload, { shop_id: shopId });
  const { order_id } = succeeded(await approve(api, id));
  expect(await getOrder(api, order_id)).toMatchObject({ shipping_option: 'Radkurier', shop_id: shopId });
});
describe('blockers', () => {
  interface Blocked {
    payload: Record<string, unknown>;
    lines?: unknown[];
    /** Changes the stored request's prescriptions. */
    prescription?: string;
  }
  type Prepare = (api: OrganizationApi) => Promise<Blocked>;
  const link = () => ({ prescription_pdf_url: `https://files-${newId()}.example.com/rx.pdf` });
  const prescribed = async (api: OrganizationApi) => ({
    items: [itemOf(await holdProduct(api, { prescription_required: true }))],
  });
  const free = async (api: OrganizationApi) => ({ items: [itemOf(await holdProduct(api))] });

  const BLOCKERS: [string, string, boolean, Prepare][] = [
    [
      'a line that names a product which only the catalogue has',
      'unmatched_line',
      true,
      async (api) => {
        const other = await openOrganizationApi();
        const { p1_id } = await holdProduct(other);
        expect(api.orgId).not.toBe(other.orgId);
        return { payload: { items: [{ p1_id, quantity: 1, price: 1 }] } };
      },
    ],
    [
      'short stock',
      'insufficient_stock',
      false,
      async (api) => ({ payload: { items: [itemOf(await holdProduct(api, { stock: 2 }), 3)] } }),
    ],
    [
      'an erased prescription',
      'prescription_missing',
      false,
      async (api) => ({
        payload: { ...(await prescribed(api)), prescription_pdf_base64: PDF_BASE64 },
        prescription: "status = 'erased', file_key = null, sha256 = null, approved_at = 1",
      }),
    ],
    [
      'a prescription that could not be fetched, which no line requires',
      'prescription_fetch_failed',
      true,
      async (api) => ({ payload: { ...(await free(api)), ...link() }, prescription: "status = 'fetch_failed'" }),
    ],
  ];

  test.for(BLOCKERS)('%s is %s', async ([_, code, overridable, prepare], { api }) => {
    const { payload, prescription } = await prepare(api);
    const id = await openRequest(api, payload);
    if (prescription) await rows(`update prescriptions set ${prescription} where order_request_id = ?`, id);
    const { blockers, lines } = await getRequest(api, id);
    expect(blockers).toMatchObject([{ code, overridable }]);
    const before = await footprint(api.orgId);

    const refused = await approve(api, id);
    expectProblem(refused, 409, 'not_approvable');
    expect(refused.body.blockers).toEqual(blockers);
    expect(await footprint(api.orgId)).toEqual(before);

    const override_reason = 'Mit der Praxis geklärt';
    const overridden = await approve(api, id, { override_reason });
    if (!overridable) {
      expectProblem(overridden, 409, 'not_approvable');
      expect(await footprint(api.orgId)).toEqual(before);
      return;
    }
    const { order_id } = succeeded(overridden);
    expect(await requestRow(id)).toMatchObject({ override_reason, status: 'approved' });
    expect(await auditOf(id)).toMatchObject([{ action: 'order_request.approved', fields: '["override_reason"]' }]);
    expect((await getOrder(api, order_id)).items).toEqual(lines);
  });

  test('a reason that goes over nothing is not kept', async ({ api, approvable: { id } }) => {
    succeeded(await approve(api, id, { override_reason: 'Vorsichtshalber' }));
    expect((await requestRow(id)).override_reason).toBeNull();
    expect(await auditOf(id)).toMatchObject([{ fields: null }]);
  });

  test('all of them are named at once, and a reason leaves those that it cannot go over', async ({ api }) => {
    const product = await holdProduct(api, { stock: 1, prescription_required: true });
    const id = await openRequest(api, { items: [{ name: 'Unbekannt', quantity: 1, price: 1 }, itemOf(product, 2)] });
    const refused = await approve(api, id);
    expect(codes(refused.body.blockers)).toEqual(['unmatched_line', 'insufficient_stock', 'prescription_missing']);
    expect(refused.body.blockers[0].pointer).toBe('/lines/0');
    const overridden = await approve(api, id, { override_reason: 'Doch' });
    expect(codes(overridden.body.blockers)).toEqual(['insufficient_stock', 'prescription_missing']);
  });

  test('whether a prescription is required is for the shop to say', async ({ api, held: product }) => {
    await attach(api, product.p1_id, { prescription_required: true });
    const id = await openRequest(api, { items: [itemOf(product)] });
    expect((await approve(api, id)).body.blockers).toMatchObject([{ code: 'prescription_missing' }]);
    const elsewhere = await openRequest(api, { items: [itemOf(product)] }, { shop_id: api.otherShopId });
    succeeded(await approve(api, elsewhere));
  });

  test('a decided request has neither blockers nor warnings any more', async ({ api, requestId: id }) => {
    succeeded(await reject(api, id));
    expect(await getRequest(api, id)).toMatchObject({ status: 'rejected', blockers: [], warnings: [] });
  });

  test.for([
    ['no lines at all', { lines: [] }],
    ['a line without a name', { lines: [{ quantity: 1, price: 1 }] }],
    ['a quantity of 0', { lines: [{ name: 'a', quantity: 0, price: 1 }] }],
    ['thirds of a cent', { lines: [{ name: 'a', quantity: 1, price: 0.333 }] }],
    ['a blank reason', { override_reason: ' ' }],
    ['an unknown field', { force: true }],
  ] as const)('%s is a fault of the call', async ([_, body], { api, approvable: { id } }) => {
    const answer = await approve(api, id, body);
    expect(answer.status).toBe(400);
    expect((await getRequest(api, id)).status).toBe('pending');
  });
});

describe('warnings for staff', () => {
  test('say who is unknown, what is short, and what came twice', async ({ api }) => {
    const product = await holdProduct(api, { stock: 1 });
    const items = [itemOf(product, 2)];
    const id = await openRequest(api, { items });
    expect(codes((await getRequest(api, id)).warnings)).toEqual(['insufficient_stock', 'unknown_customer']);
    const again = await openRequest(api, { items: [itemOf(product, 1)] });
    expect(codes((await getRequest(api, again)).warnings)).toEqual(['unknown_customer', 'possible_duplicate']);
    expect(codes((await getRequest(api, id)).warnings)).toContain('possible_duplicate');
  });

  test('a customer who ordered before is not unknown', async ({ api }) => {
    await openOrder(api, { customer_email: 'erika@example.com' });
    const { id } = await openApprovable(api, { payload: { customer_email: 'ERIKA@example.com' } });
    expect((await getRequest(api, id)).warnings).toEqual([]);
  });

  test.each<[string, Record<string, unknown>, boolean]>([
    ['the same e-mail in capitals', { customer_email: 'ERIKA@EXAMPLE.COM', customer_name: null }, true],
    ['the same name at the same postal code', { customer_email: null, address_postal_code: '10115' }, true],
    ['the same name elsewhere', { customer_email: null, address_postal_code: '20095' }, false],
    ['the same name without a postal code', { customer_email: null }, false],
    ['somebody else', { customer_email: 'max@example.com', customer_name: 'Max' }, false],
  ])('%s makes a possible duplicate: %o, %s', async (_, payload, expected) => {
    const api = await openOrganizationApi();
    await openRequest(api, { address_postal_code: '10115' });
    const id = await openRequest(api, payload);
    expect(codes((await getRequest(api, id)).warnings).includes('possible_duplicate')).toBe(expected);
  });

  test.each<[string, (api: OrganizationApi, earlier: string) => Promise<unknown>]>([
    ['was rejected', (api, earlier) => reject(api, earlier)],
    ['was deleted', (api, earlier) => deleteRequest(api, earlier)],
  ])('a request that %s makes no duplicate of the next', async (_, end) => {
    const api = await openOrganizationApi();
    await end(api, await openRequest(api));
    const id = await openRequest(api);
    expect(codes((await getRequest(api, id)).warnings)).not.toContain('possible_duplicate');
  });

  test.each([
    ['a minute before 14 days are over', -1, true],
    ['a minute later', 1, false],
  ])('a request of the same person is a possible duplicate for 14 days: %s, %j', async (_, minutes, expected) => {
    const api = await openOrganizationApi();
    await openRequest(api);
    const sentAt = Date.now();
    const id = await openRequest(api);
    const now = sentAt + 14 * 86_400_000 + minutes * 60_000;
    const { ctx } = staffContext(api.orgId, 'pharmacist', { now: () => now });
    expect(codes((await getOrderRequest(ctx, id)).warnings).includes('possible_duplicate')).toBe(expected);
  });

  test('another organization’s request is no duplicate', async () => {
    const [api, other] = [await openOrganizationApi(), await openOrganizationApi()];
    await openRequest(other);
    const id = await openRequest(api);
    expect(codes((await getRequest(api, id)).warnings)).not.toContain('possible_duplicate');
  });

  test('never reach the platform, neither at first nor in a repetition', async ({ api }) => {
    const product = await holdProduct(api, { stock: 1 });
    const submitAs = await openConnector(api);
    const body = requestBody(api, { items: [itemOf(product, 2)] });
    const { shop_id: _, ...envelope } = body;
    await openRequest(api, { items: [itemOf(product, 2)] });
    for (const answer of [await submitAs(envelope), await submitAs(envelope)]) {
      expect((await accepted(answer)).warnings).toEqual([]);
    }
    const made = succeeded(await callApi(api, 'POST', '/order-requests', { body }));
    expect(made.warnings).toEqual([]);
  });

  test('the platform’s warnings are seen by staff too, each where it stands', async ({ api }) => {
    const payload = { total_amount: 1, shipping_option: 'Versand', payment_status: 'cash_on_pickup' };
    const body = requestBody(api, payload);
    const { id, warnings } = succeeded(await callApi(api, 'POST', '/order-requests', { body }));
    expect(codes(warnings)).toEqual(['fee_differs', 'payment_method_conflict', 'unmatched_item']);
    expect((await getRequest(api, id)).warnings).toEqual([
      ...warnings,
      expect.objectContaining({ code: 'unknown_customer' }),
    ]);
  });
});
