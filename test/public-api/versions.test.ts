import { openOrder, orderBody, orderRow, patchOrder } from '../support/order-flow';
import { type Answer, callApi, expectProblem, type OrganizationApi, succeeded } from '../support/organization';
import { describe, expect, test } from '../support/test';
import { BASE, call } from '../support/world';

function patchIf(api: OrganizationApi, id: string, ifMatch: string, body: object): Promise<Answer> {
  return callApi(api, 'PATCH', `/orders/${id}`, { body, headers: { 'If-Match': ifMatch } });
}

async function etagOf(api: OrganizationApi, id: string): Promise<string> {
  const { headers } = await callApi(api, 'GET', `/orders/${id}`);
  return headers.get('ETag') ?? '';
}

describe('the version of an order', () => {
  test('is another one with every change, and the answer of a change has the new one', async ({ api, order }) => {
    const first = await etagOf(api, order.id);
    expect(first).toMatch(/^"[^"]+"$/);
    const changed = await patchOrder(api, order.id, { note: 'Bitte klingeln' });
    expect(changed.headers.get('ETag')).not.toBe(first);
    expect(await etagOf(api, order.id)).toBe(changed.headers.get('ETag'));
    const unchanged = await patchOrder(api, order.id, { note: 'Bitte klingeln' });
    expect(unchanged.headers.get('ETag')).toBe(changed.headers.get('ETag'));
    let before = changed.headers.get('ETag');
    const again = orderBody(api, { external_id: order.external_id, items: [{ name: 'x', qty: 1, price: 3 }] });
    for (const [path, body] of [
      ['/orders', again],
      [`/orders/${order.id}/mark-paid`, {}],
      [`/orders/${order.id}/mark-paid`, { payment_reference: 'TX-1' }],
      [`/orders/${order.id}/refund`, { amount: 1, reason_code: 'test' }],
    ] as const) {
      const answer = await callApi(api, 'POST', path, { body });
      succeeded(answer);
      expect([path, answer.headers.get('ETag')]).toEqual([path, await etagOf(api, order.id)]);
      expect(answer.headers.get('ETag')).not.toBe(before);
      before = answer.headers.get('ETag');
    }
  });

  test.for([
    ['as it was read', (etag: string) => etag],
    ['weak, as compression makes it', (etag: string) => `W/${etag}`],
    ['among others', (etag: string) => `"nothing", W/"0" , ${etag}`],
    ['any', () => ' * '],
  ] as const)('%s: the order is changed', async ([_, named], { api, order }) => {
    const answer = await patchIf(api, order.id, named(await etagOf(api, order.id)), { note: 'neu' });
    expect(succeeded(answer)).toMatchObject({ note: 'neu' });
  });

  test.for(['"0"', 'W/"0"', '"1', '1', '', '"', 'nonsense', '"*"', `${'"7",'.repeat(500)}"8"`])(
    'another one, or none at all: nothing is changed (%s)',
    async (ifMatch, { api, order }) => {
      const before = await orderRow(order.id);
      expectProblem(await patchIf(api, order.id, ifMatch, { note: 'neu' }), 412, 'version_mismatch');
      expect(await orderRow(order.id)).toEqual(before);
    },
  );

  test('a change that changes nothing asks for the version, too', async ({ api, order }) => {
    expectProblem(await patchIf(api, order.id, '"0"', { note: null }), 412, 'version_mismatch');
  });

  test('of changes at once that saw the same version, one goes through', async ({ api }) => {
    const { id } = await openOrder(api);
    const etag = await etagOf(api, id);
    const notes = ['a', 'b', 'c', 'd'];
    const answers = await Promise.all(notes.map((note) => patchIf(api, id, etag, { note })));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, 412, 412, 412]);
    const won = answers.findIndex(({ status }) => status === 200);
    expect(await orderRow(id)).toMatchObject({ note: notes[won] });
  });

  test('an order that is not there is not found, whatever version is named', async ({ api }) => {
    expectProblem(await patchIf(api, crypto.randomUUID(), '"1"', { note: 'x' }), 404, 'order_not_found');
  });
});

test('whoever has the current version gets no body again', async ({ api, order }) => {
  const etag = await etagOf(api, order.id);
  const ask = (known: string) =>
    call(`${BASE}/api/v2/public/orgs/${api.orgId}/orders/${order.id}`, {
      headers: { Authorization: `Bearer ${api.token}`, 'If-None-Match': known },
    });
  for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    const answer = await ask(known);
    expect([answer.status, await answer.text(), answer.headers.get('ETag')]).toEqual([304, '', etag]);
  }
  await patchOrder(api, order.id, { note: 'neu' });
  const answer = await ask(etag);
  expect([answer.status, (await answer.json<{ note: string }>()).note]).toEqual([200, 'neu']);
});
