import {
  getRequest,
  happenedIn,
  itemOf,
  openApprovable,
  openConnector,
  openPrescribed,
  openRequest,
  reject,
  requestBody,
  requestRow,
} from '../support/order-flow';
import {
  callApi,
  expectProblem,
  footprint,
  type OrganizationApi,
  openOrganizationApi,
  succeeded,
} from '../support/organization';
import { accepted } from '../support/probe';
import { describe, expect, test } from '../support/test';
import { PDF_BASE64, rows } from '../support/world';

describe('POST /order-requests', () => {
  test('takes a request in as the connector does, and announces it', async ({ api, held: product }) => {
    const body = requestBody(api, { items: [itemOf(product)], prescription_pdf_base64: PDF_BASE64 });
    const answer = await callApi(api, 'POST', '/order-requests', { body });
    expect(answer.headers.get('Idempotent-Replayed')).toBeNull();
    const { id, ...rest } = succeeded(answer);
    expect(rest).toEqual({
      status: 'pending',
      message: expect.any(String),
      external_reference: body.external_reference,
      warnings: [],
    });
    expect(await happenedIn(api.orgId)).toContainEqual({
      type: 'order_request_submitted',
      metadata: {
        order_request_id: id,
        external_reference: body.external_reference,
        shop_id: api.shopId,
        source: 'telemed.example',
      },
    });
    const [key] = await rows<{ family_id: string }>('select family_id from api_keys where id = ?', api.keyId);
    expect(await requestRow(id)).toMatchObject({ org_id: api.orgId, integration_id: key?.family_id });
    expect((await requestRow(id)).payload).not.toContain(PDF_BASE64);
    expect((await getRequest(api, id)).prescriptions).toMatchObject([{ status: 'stored', origin: 'base64' }]);
  });

  test('names the shop as the source when none is sent', async ({ api }) => {
    const id = await openRequest(api, {}, { source: undefined });
    expect((await getRequest(api, id)).source).toBe(`shop:${api.shopId}`);
  });

  test('repeats the answer for the same submission, says so and writes nothing', async ({ api }) => {
    const body = requestBody(api);
    const first = succeeded(await callApi(api, 'POST', '/order-requests', { body }));
    const before = await footprint(api.orgId);
    const second = await callApi(api, 'POST', '/order-requests', { body });
    expect(succeeded(second)).toEqual(first);
    expect(second.headers.get('Idempotent-Replayed')).toBe('true');
    expect(await footprint(api.orgId)).toEqual(before);
  });

  test('names the fields in which another submission of a live reference differs', async ({ api }) => {
    const body = requestBody(api);
    const { id } = succeeded(await callApi(api, 'POST', '/order-requests', { body }));
    const other = { ...body, payload: { ...body.payload, customer_name: 'Max', total_amount: 1 } };
    const answer = await callApi(api, 'POST', '/order-requests', { body: other });
    expectProblem(answer, 409, 'external_reference_conflict');
    expect(answer.body).toMatchObject({
      existing: { id, status: 'pending' },
      differs: ['customer_name', 'total_amount'],
    });
  });

  test('keeps its references apart from a platform’s of the same name', async ({ api }) => {
    const submitAs = await openConnector(api);
    const { shop_id: _, ...envelope } = requestBody(api);
    const theirs = await accepted(await submitAs(envelope));
    const mine = await openRequest(api, envelope.payload, { external_reference: envelope.external_reference });
    expect(mine).not.toBe(theirs.id);
  });

  test('after a rejection repeats it, and another payload is a new request that supersedes it', async ({ api }) => {
    const submitAs = await openConnector(api);
    const { shop_id: _, ...envelope } = requestBody(api);
    const first = await accepted(await submitAs(envelope));
    succeeded(await reject(api, first.id));
    const before = await footprint(api.orgId);

    const replayed = await submitAs(envelope);
    expect(replayed.headers.get('Idempotent-Replayed')).toBe('true');
    expect(await accepted(replayed)).toMatchObject({ id: first.id, status: 'rejected' });
    expect(await footprint(api.orgId)).toEqual(before);

    const changed = await submitAs({ ...envelope, payload: { ...envelope.payload, address_city: 'Köln' } });
    const second = await accepted(changed);
    expect(changed.headers.get('Idempotent-Replayed')).toBeNull();
    expect(second.id).not.toBe(first.id);
    expect(await getRequest(api, second.id)).toMatchObject({ status: 'pending', supersedes_id: first.id });
  });

  test.for(['erika@', 'erika,max@example.com', '<erika>@example.com'])(
    'keeps %s, to which no mail is sent, as a text beside a name, and says so to platform and staff',
    async (sent, { api }) => {
      const payload = {
        customer_name: 'Erika Mustermann',
        customer_email: sent,
        items: [{ name: 'X', quantity: 1, price: 1 }],
      };
      const { id, warnings } = succeeded(
        await callApi(api, 'POST', '/order-requests', { body: { shop_id: api.shopId, payload } }),
      );
      const told = expect.objectContaining({ code: 'email_unusable', pointer: '/payload/customer_email' });
      expect(warnings).toContainEqual(told);
      const stored = await getRequest(api, id);
      expect(stored).toMatchObject({ customer_email: null, platform_details: { customer_email: sent } });
      expect(stored.warnings).toContainEqual(told);
    },
  );

  test('keeps the numbers of what the contract does not define as they were sent', async ({ api }) => {
    const items = '[{"name":"X","quantity":1,"price":1}]';
    const body = `{"shop_id":"${api.shopId}","payload":{"customer_name":"E","no":9123456789654321987,"items":${items}}}`;
    const headers = { 'Content-Type': 'application/json' };
    const { id } = succeeded(await callApi(api, 'POST', '/order-requests', { body, headers }));
    expect((await getRequest(api, id)).platform_details).toEqual({ no: '9123456789654321987' });
  });

  test('rounds a unit price of three decimals to the cent', async ({ api }) => {
    const items = [8.755, 4.954].map((price) => ({ name: 'Blüten', quantity: 11, price }));
    const payload = { customer_name: 'Erika Mustermann', items };
    const { id } = succeeded(await callApi(api, 'POST', '/order-requests', { body: { shop_id: api.shopId, payload } }));
    const prices = (await getRequest(api, id)).items.map(({ price }: { price: number }) => price);
    expect(prices).toEqual([8.76, 4.95]);
  });

  test.each<[string, Record<string, unknown>, string, string]>([
    ['nobody', { customer_name: ' ', customer_email: null }, 'customer_required', '/payload'],
    ['nothing', { items: [] }, 'items_required', '/payload/items'],
    ['an item without a name', { items: [{ quantity: 1, price: 1 }] }, 'item_identity_required', '/payload/items/0'],
    [
      'an unknown way to ship',
      { shipping_option: 'Brieftaube' },
      'unknown_shipping_option',
      '/payload/shipping_option',
    ],
    [
      'a PDF that is none',
      { prescription_pdf_base64: 'AAAA' },
      'invalid_prescription_pdf',
      '/payload/prescription_pdf_base64',
    ],
    [
      'a link into our own net',
      { prescription_pdf_url: 'https://127.0.0.1/a.pdf' },
      'invalid_prescription_url',
      '/payload/prescription_pdf_url',
    ],
    ['qty', { items: [{ name: 'a', qty: 1, price: 1 }] }, 'validation_failed', '/payload/items/0/qty'],
  ])('refuses %s as the connector does', async (_, payload, code, pointer) => {
    const api = await openOrganizationApi();
    const submitAs = await openConnector(api);
    const { shop_id, ...envelope } = requestBody(api, payload);
    const answer = await callApi(api, 'POST', '/order-requests', { body: { shop_id, ...envelope } });
    expectProblem(answer, 400, code);
    expect(answer.body.errors[0]).toMatchObject({ pointer });
    const theirs = await (await submitAs(envelope)).json<{ code: string; errors: unknown }>();
    expect({ code: theirs.code, errors: theirs.errors }).toEqual({ code, errors: answer.body.errors });
    expect(await rows('select id from order_requests where org_id = ?', api.orgId)).toEqual([]);
  });

  test('refuses another organization’s id in the body, and takes its own', async () => {
    const [api, other] = [await openOrganizationApi(), await openOrganizationApi()];
    const body = { ...requestBody(api), org_id: other.orgId };
    expectProblem(await callApi(api, 'POST', '/order-requests', { body }), 400, 'shop_mismatch');
    succeeded(await callApi(api, 'POST', '/order-requests', { body: { ...body, org_id: api.orgId } }));
  });

  test('is refused for a shop that is closed', async ({ api }) => {
    await rows('update shops set is_active = 0 where id = ?', api.shopId);
    expectProblem(await callApi(api, 'POST', '/order-requests', { body: requestBody(api) }), 400, 'shop_inactive');
  });
});

describe('lists', () => {
  const list = async (api: OrganizationApi, query: Record<string, string | number> = {}) => {
    const { data, next_cursor } = succeeded(await callApi(api, 'GET', '/order-requests', { query }));
    return { ids: data.map(({ id }: { id: string }) => id), next_cursor, data };
  };

  test('are paged by cursor, and what comes in meanwhile shifts nothing', async ({ api }) => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift(await openRequest(api));
    const first = await list(api, { limit: 2 });
    expect(first.ids).toEqual(ids.slice(0, 2));
    await openRequest(api);
    const second = await list(api, { limit: 2, cursor: first.next_cursor });
    expect(second.ids).toEqual(ids.slice(2, 4));
    const third = await list(api, { limit: 2, cursor: second.next_cursor });
    expect(third).toMatchObject({ ids: ids.slice(4), next_cursor: null });
  });

  test('show of each request its own lines, prescriptions and blockers', async ({ api }) => {
    const { id, prescriptionId } = await openPrescribed(api);
    const plain = await openApprovable(api);
    const { data } = await list(api);
    expect(data).toMatchObject([
      { id: plain.id, blockers: [], prescriptions: [], lines: [{ p1_id: plain.product.p1_id }] },
      {
        id,
        blockers: [{ code: 'prescription_not_reviewed' }],
        prescriptions: [{ id: prescriptionId, status: 'stored' }],
      },
    ]);
  });
});
