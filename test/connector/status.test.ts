import { askQuestion } from '../../src/order-requests/review/decisions';
import { newId } from '../../src/platform/ids';
import { deleteRequest, openApprovable, patchOrder, reject } from '../support/order-flow';
import { callApi, createKey, expectProblem, succeeded } from '../support/organization';
import { ask, send, sendApproved, staffOf, statusOf } from '../support/platform';
import { EXHAUSTED, meteredDb, problemOf } from '../support/probe';
import { openSeller } from '../support/seller';
import { describe, expect, test } from '../support/test';
import { call, envelope, ONE_DATABASE, operate, rows, submit } from '../support/world';

describe('the status of an order request', () => {
  test('is told with a question, a decision and the order that it became', async ({ seller }) => {
    const { id, external_reference } = await send(seller);
    const pending = succeeded(await statusOf(seller, id));
    expect(pending).toEqual({
      id,
      status: 'pending',
      needs_info: false,
      needs_info_code: null,
      external_reference,
      source: 'telemed.example',
      created_at: expect.any(String),
      decided_at: null,
      reason_code: null,
      withdrawal: 'none',
      order: null,
    });
    await askQuestion(staffOf(seller), { id, code: 'dosage', text: 'Wie oft am Tag?' });
    expect(succeeded(await statusOf(seller, id))).toEqual({ ...pending, needs_info: true, needs_info_code: 'dosage' });

    const { order_id } = succeeded(await callApi(seller, 'POST', `/order-requests/${id}/approve`, { body: {} }));
    const tracking = { carrier: 'DHL', tracking_number: '00340434161094042557' };
    const tracking_url = 'https://track.example/00340434161094042557';
    succeeded(await patchOrder(seller, order_id, { ...tracking, tracking_url }));
    expect(succeeded(await statusOf(seller, id))).toEqual({
      ...pending,
      status: 'approved',
      decided_at: expect.any(String),
      order: {
        id: order_id,
        status: 'awaiting_packing',
        payment_status: 'cash_on_pickup',
        ...tracking,
        tracking_url,
        updated_at: expect.any(String),
      },
    });
  });

  test('names the number of the order from ready_pickup on, and why it was cancelled', async ({ seller }) => {
    const { id, orderId } = await sendApproved(seller);
    const orderIn = async () => succeeded(await statusOf(seller, id)).order;
    expect(await orderIn()).not.toHaveProperty('number');
    succeeded(await patchOrder(seller, orderId, { status: 'ready_pickup' }));
    expect(await orderIn()).toMatchObject({ number: 1, status: 'ready_pickup' });
    succeeded(await patchOrder(seller, orderId, { status: 'cancelled', reason_code: 'duplicate_order' }));
    expect(succeeded(await statusOf(seller, id))).toMatchObject({
      reason_code: 'duplicate',
      order: { status: 'cancelled' },
    });
    expect(await orderIn()).not.toHaveProperty('number');
  });

  test('of a rejected one says why, in the codes of platforms', async ({ seller }) => {
    const { id } = await send(seller);
    succeeded(await reject(seller, id, { reason_code: 'prescription_already_used' }));
    expect(succeeded(await statusOf(seller, id))).toMatchObject({
      status: 'rejected',
      reason_code: 'prescription_used',
      decided_at: expect.any(String),
    });
  });

  test('of one that staff deleted says so, without its reference', async ({ seller }) => {
    const { id, external_reference } = await send(seller);
    succeeded(await deleteRequest(seller, id));
    expect(succeeded(await statusOf(seller, id))).toMatchObject({
      status: 'deleted',
      external_reference: null,
      withdrawal: 'none',
    });
    const query = { external_reference: String(external_reference) };
    expectProblem(await ask(seller, 'GET', '/external-order', { query }), 404, 'order_request_not_found');
  });

  test('is gone once the person was erased, decided or not', async ({ seller }) => {
    const email = `${newId()}@example.com`;
    const { id, orderId } = await sendApproved(seller, { customer_email: email });
    const waiting = await send(seller, { customer_email: email });
    succeeded(await patchOrder(seller, orderId, { status: 'cancelled', reason_code: 'test' }));
    const { customer } = succeeded(await callApi(seller, 'GET', `/orders/${orderId}`));
    succeeded(await callApi(seller, 'DELETE', `/customers/${customer.id}`));
    for (const gone of [id, waiting.id]) expectProblem(await statusOf(seller, gone), 404, 'order_request_not_found');
  });

  test('is found by reference: the newest, of one source if that is named, white space aside', async ({ seller }) => {
    const external_reference = `RX-${newId()}`;
    const of = (source: string, name: string) => send(seller, { customer_name: name }, { external_reference, source });
    const find = async (query: Record<string, string>) =>
      ask(seller, 'GET', '/external-order', { query: { external_reference, ...query } });
    const first = await of('a.example', 'Eins');
    succeeded(await reject(seller, first.id));
    const second = await of('a.example', 'Zwei');
    expect(succeeded(await find({})).id).toBe(second.id);
    const third = await of('b.example', 'Drei');
    expect(succeeded(await find({})).id).toBe(third.id);
    expect(succeeded(await find({ source: 'a.example' })).id).toBe(second.id);
    expect(succeeded(await find({ external_reference: `  ${external_reference} ` })).id).toBe(third.id);
    expectProblem(await find({ source: 'c.example' }), 404, 'order_request_not_found');
  });

  test('has an ETag: 304 until something changes', async ({ seller }) => {
    const { id } = await send(seller);
    const first = await statusOf(seller, id);
    const tag = String(first.headers.get('ETag'));
    for (const sent of [tag, `W/${tag}`, `"other", ${tag}`]) {
      const again = await statusOf(seller, id, { headers: { 'If-None-Match': sent } });
      expect([again.status, again.body, again.headers.get('ETag')]).toEqual([304, null, tag]);
    }
    succeeded(await reject(seller, id));
    const changed = await statusOf(seller, id, { headers: { 'If-None-Match': tag } });
    expect([changed.status, changed.body.status]).toEqual([200, 'rejected']);
  });
});

describe('an order request is there only for who sent it', () => {
  const CALLS: [method: string, rest: string, body?: object][] = [
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/supplement', { note: 'x' }],
  ];

  test.for(CALLS)('%s %s by anybody else is 404, and changes nothing', async ([method, rest, body], { seller }) => {
    const { id } = await send(seller);
    const family = await createKey(seller.orgId, ['external_orders.submit']);
    const elsewhere = await openSeller();
    const [nord] = await rows<{ host: string }>('select host from shop_hosts where shop_id = ?', seller.otherShopId);
    const path = `/external-order/${id}${rest}`;
    const asking = body && { body };
    const others = [{ ...seller, integrationKey: family.apiKey }, { ...seller, host: String(nord?.host) }, elsewhere];
    for (const other of others) {
      expectProblem(await ask(other, method, path, asking), 404, 'order_request_not_found');
    }
    expectProblem(
      await ask({ ...seller, integrationKey: elsewhere.integrationKey }, method, path, asking),
      400,
      'shop_mismatch',
    );
    expectProblem(await ask({ ...elsewhere, host: 'nobody.localhost' }, method, path, asking), 404, 'not_found');
    expect(succeeded(await statusOf(seller, id))).toMatchObject({ status: 'pending', withdrawal: 'none' });
  });

  test('a request from the organization API is none of a platform', async ({ seller }) => {
    const { id } = await openApprovable(seller);
    expectProblem(await statusOf(seller, id), 404, 'order_request_not_found');
  });

  test('a rotated key goes on', async ({ seller }) => {
    const { id } = await send(seller);
    const keyId = seller.integrationKey.split('_')[1];
    const made = await operate(`/organizations/${seller.orgId}/api-keys/${keyId}/rotate`, {}).catch(() => null);
    if (made) expect(succeeded(await statusOf({ ...seller, integrationKey: String(made.api_key) }, id)).id).toBe(id);
  });
});

describe('a GET of submissions', () => {
  test('without an id and a reference stays 405, which names what is allowed, for anybody', async ({ seller }) => {
    const response = await call(seller.url);
    expect(response.headers.get('Allow')).toBe('GET, POST');
    await problemOf(response, 405, 'method_not_allowed');
    await problemOf(await call('http://nobody.localhost:8787/api/v1/external-order'), 404, 'not_found');
  });

  test.for<Record<string, string>>([
    { external_reference: ' ' },
    { external_reference: 'RX', sort: 'x' },
    { external_reference: 'x'.repeat(201) },
  ])('with %o is 400', async (query, { seller }) => {
    expectProblem(await ask(seller, 'GET', '/external-order', { query }), 400, 'validation_failed');
  });

  test('takes the key from the query, too, and none is 401', async ({ seller }) => {
    const { id } = await send(seller);
    const url = `${seller.url}/${id}`;
    expect((await call(`${url}?apikey=${seller.integrationKey}`)).status).toBe(200);
    await problemOf(await call(url), 401, 'missing_api_key');
  });
});

test('reading has a limit of its own, and is told which', async ({ seller }) => {
  const { id } = await send(seller);
  const reads = { RATE_CONNECTOR_READS: EXHAUSTED };
  const answer = await statusOf(seller, id, { env: reads });
  expectProblem(answer, 429, 'rate_limited');
  expect(answer.headers.get('Retry-After')).toBe('60');
  expect(answer.headers.get('RateLimit-Policy')).toMatch(/^"connectorReads";q=\d+;w=60$/);
  for (const path of ['/shop', '/products'])
    expectProblem(await ask(seller, 'GET', path, { env: reads }), 429, 'rate_limited');
  expect((await submit(seller, envelope(), reads)).status).toBe(200);
  const writes = { RATE_CONNECTOR: EXHAUSTED };
  succeeded(await statusOf(seller, id, { env: writes }));
  expectProblem(await ask(seller, 'DELETE', `/external-order/${id}`, { env: writes }), 429, 'rate_limited');
});

test('of a shop that is not active the status is told all the same', async ({ seller }) => {
  const { id } = await send(seller);
  await rows('update shops set is_active = 0 where id = ?', seller.shopId);
  await problemOf(await submit(seller, envelope()), 400, 'shop_inactive');
  succeeded(await statusOf(seller, id));
});

test('costs two round trips, by id and by reference, changed or not', async ({ seller }) => {
  const { id, external_reference } = await sendApproved(seller);
  const { headers } = await statusOf(seller, id);
  const query = { external_reference: String(external_reference) };
  for (const [path, asking] of [
    [`/external-order/${id}`, {}],
    [`/external-order/${id}`, { headers: { 'If-None-Match': String(headers.get('ETag')) } }],
    ['/external-order', { query }],
  ] as const) {
    const { DB, trips } = meteredDb();
    await ask(seller, 'GET', path, { ...asking, env: { ...ONE_DATABASE, DB } });
    expect(trips.map(({ rowsWritten }) => rowsWritten)).toEqual([0, 0]);
  }
});
