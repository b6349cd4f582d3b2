import { env } from 'cloudflare:workers';
import type { Scope } from '../../src/platform/access';
import { newId } from '../../src/platform/ids';
import { endpoints } from '../../src/public-api/routes';
import { costOf, openBudgeted, warm } from '../support/cost';
import { cronAt } from '../support/invocations';
import { openApprovable, openOrder, orderBody, patchOrder, stockOf, upsert } from '../support/order-flow';
import {
  type Answer,
  callApi,
  createKey,
  expectProblem,
  footprint,
  holdProduct,
  importProduct,
  importProducts,
  type OrganizationApi,
  openOrganizationApi,
  succeeded,
  tokenFor,
} from '../support/organization';
import { captureLogs } from '../support/probe';
import { DURING } from '../support/roots';
import { insertRow } from '../support/rows';
import { test as base, expect } from '../support/test';
import { openOne, request } from '../support/valid-requests';
import { type Target, VALID } from '../support/valid-table';
import { rows } from '../support/world';

const test = base.extend('moved', async ({ api }) => {
  const { p1_id } = await holdProduct(api, { stock: 20 });
  const body = { delta: -1 };
  const move = (headers: Record<string, string>, asking = {}) =>
    callApi(api, 'PATCH', `/inventory/${p1_id}`, { body, headers, ...asking });
  return { p1_id, move };
});

const REPLAYED = 'Idempotent-Replayed';
const COMMANDS = endpoints
  .filter(({ method }) => method !== 'get')
  .map(({ method, path }) => `${method.toUpperCase()} ${path}`);

type Fixture = Awaited<ReturnType<typeof openOne>>;

/** What makes the valid request of a route go through and change something, where the fixture alone does not. */
const READY: Record<string, (fixture: Fixture) => Promise<unknown>> = {
  'POST /products/add-to-inventory': async ({ target }) => Object.assign(target, await importProduct()),
  'POST /order-requests/:id/approve': async ({ api, target }) => {
    target.ids['order-requests'] = (await openApprovable(api)).id;
  },
  'POST /orders/:id/refund': ({ api, target }) => callApi(api, 'POST', `/orders/${target.ids.orders}/mark-paid`),
  'DELETE /orders/:id': (fixture) => cancelOrder(fixture),
  'DELETE /customers/:id': (fixture) => cancelOrder(fixture),
  'POST /webhooks/deliveries/:id/redeliver': ({ api }) => endDeliveries(api, 'succeeded'),
  'POST /webhooks/subscriptions/:id/recover': ({ api }) => endDeliveries(api, 'exhausted'),
};

async function cancelOrder({ api, target }: Fixture): Promise<void> {
  succeeded(await patchOrder(api, target.ids.orders ?? '', { status: 'cancelled', reason_code: 'test' }));
}

async function endDeliveries({ orgId }: OrganizationApi, status: string): Promise<void> {
  await rows(
    `update deliveries set status = '${status}', attempt_count = 3, next_attempt_at = 0 where org_id = ?`,
    orgId,
  );
}

async function openFor(route: string): Promise<Fixture> {
  const fixture = await openOne();
  await READY[route]?.(fixture);
  return fixture;
}

/** Its valid body; without a reference, which would come before the key. */
function bodyOf(route: string, target: Target) {
  const body = VALID[route]?.body?.(target);
  return route === 'POST /order-requests' ? { ...(body as object), external_reference: undefined } : body;
}

const keyed = (key: string = newId()) => ({ 'Idempotency-Key': key });

/** D1 that carries out the batch that uses a key up and then fails, each time or once: nobody gets or keeps the answer. */
function goneAfterCommit(message = 'D1_ERROR: D1 DB is overloaded.', isOnce = false): Partial<Env> {
  let isKeyed = false;
  const DB = {
    prepare: (query: string) => {
      isKeyed ||= query.startsWith('insert into "idempotency_keys"');
      return env.DB.prepare(query);
    },
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await env.DB.batch(statements);
      if (!isKeyed) return results;
      isKeyed = !isOnce;
      throw new Error(message);
    },
  } as unknown as D1Database;
  return { DB };
}

/** Another request with the same key: another body or, where there is none, another path. */
function another(
  api: OrganizationApi,
  route: string,
  target: Target,
  headers: Record<string, string>,
): Promise<Answer> {
  const body = bodyOf(route, target);
  if (body === undefined) {
    const ids = Object.fromEntries(Object.keys(target.ids).map((kind) => [kind, newId()]));
    return request(api, route, { ...target, p1_id: 'P1-0', ids }, { headers });
  }
  const type = { 'Content-Type': 'application/json' };
  return request(api, route, target, { headers: { ...headers, ...type }, body: `${JSON.stringify(body)} ` });
}

function expectReplayed(answer: Answer): void {
  expect([answer.status < 300, answer.headers.get(REPLAYED)]).toEqual([true, 'true']);
}

async function countedRows(orgId: string, comes: Record<string, number> = {}) {
  const tables = Object.entries(await footprint(orgId));
  return tables.map(([table, found]) => [table, (found as unknown[]).length + (comes[table] ?? 0)]);
}

test.each(COMMANDS)(
  '%s takes effect once, sent twice at once or killed between commit and answer; a repetition gets the first answer',
  async (route) => {
    const [{ api, target }, killed] = [await openFor(route), await openFor(route)];
    const headers = keyed();
    const send = ({ api, target }: Fixture, env?: Partial<Env>) =>
      request({ ...api, env }, route, target, { headers, body: bodyOf(route, target) });
    const twice = { api, target };
    const answers = await Promise.all([send(twice), send(twice)]);
    expect(answers.map((answer) => answer.headers.get(REPLAYED)).toSorted()).toEqual(['true', null].toSorted());
    const first = answers.find((answer) => !answer.headers.has(REPLAYED));
    const third = await send(twice);
    expectReplayed(third);
    expect({ status: third.status, body: third.body }).toEqual({ status: first?.status, body: first?.body });
    expectProblem(await another(api, route, target, headers), 422, 'idempotency_key_reused');

    const before = await footprint(killed.api.orgId);
    captureLogs();
    expectProblem(await send(killed, goneAfterCommit()), 502, 'backend_unreachable');
    const after = await footprint(killed.api.orgId);
    expect({ ...after, idempotency_keys: [] }).not.toEqual(before);
    expect(after.idempotency_keys).toHaveLength(1);
    const again = await send(killed);
    expectReplayed(again);
    expect(again.status).toBe(first?.status);
    expectProblem(await another(killed.api, route, killed.target, headers), 422, 'idempotency_key_reused');
    expect(await footprint(killed.api.orgId)).toEqual(after);
    // What a recovery that was killed had still to make, the sweep makes: test/webhooks/recover.test.ts.
    const comes: Record<string, number> = route === 'POST /webhooks/subscriptions/:id/recover' ? { deliveries: 1 } : {};
    expect(await countedRows(api.orgId)).toEqual(await countedRows(killed.api.orgId, comes));
  },
);

test('a batch that D1 was sent twice has used up its own key: it went through, and is no replay', async ({
  api,
  moved,
}) => {
  const headers = keyed();
  const lost = goneAfterCommit('D1_ERROR: Network connection lost.', true);
  const first = await moved.move(headers, { env: lost });
  expect(succeeded(first).stock_quantity).toBe(19);
  expect(first.headers.has(REPLAYED)).toBe(false);
  expectReplayed(await moved.move(headers));
  expect(await stockOf(api.orgId, moved.p1_id)).toEqual({ stock: 19, ledger: 19 });
});

test('a key of another integration is another key; that of a rotated API key is the same', async ({ api, moved }) => {
  const headers = keyed('the same');
  succeeded(await moved.move(headers));
  const send = async (scopes: Scope[], familyOf?: string) => {
    const { keyId, apiKey } = await createKey(api.orgId, scopes);
    const family = 'update api_keys set family_id = (select family_id from api_keys where id = ?) where id = ?';
    if (familyOf) await rows(family, familyOf, keyId);
    return moved.move(headers, { token: await tokenFor({ orgId: api.orgId, apiKey }) });
  };
  const other = await send(['inventory.write']);
  expect([succeeded(other).stock_quantity, other.headers.has(REPLAYED)]).toEqual([18, false]);
  expectReplayed(await send(['inventory.write'], api.keyId));
  expect(await stockOf(api.orgId, moved.p1_id)).toMatchObject({ stock: 18 });
});

test.for(['', ' ', 'ä', 'a\tb', 'x'.repeat(256)])(
  'the key %j is refused, and nothing is done',
  async (key, { api, moved }) => {
    expectProblem(await moved.move(keyed(key)), 400, 'invalid_idempotency_key');
    expect(await stockOf(api.orgId, moved.p1_id)).toMatchObject({ stock: 20 });
  },
);

test('255 printable characters are a key', async ({ moved }) => {
  const headers = keyed('~ '.repeat(127).concat('!'));
  succeeded(await moved.move(headers));
  expectReplayed(await moved.move(headers));
});

test('a call that is refused leaves its key unused', async ({ api, order }) => {
  const headers = keyed();
  const refund = () => callApi(api, 'POST', `/orders/${order.id}/refund`, { body: { reason_code: 'test' }, headers });
  expectProblem(await refund(), 409, 'not_paid');
  succeeded(await callApi(api, 'POST', `/orders/${order.id}/mark-paid`));
  const refunded = await refund();
  expect([succeeded(refunded).payment_status, refunded.headers.has(REPLAYED)]).toEqual(['refunded', false]);
  expectReplayed(await refund());
});

test('a call that had nothing to change is remembered, too: a late repetition undoes nothing', async ({
  api,
  order,
}) => {
  const headers = keyed();
  const express = (value: boolean, rest = {}) =>
    callApi(api, 'PATCH', `/orders/${order.id}`, { body: { express: value }, ...rest });
  succeeded(await express(true));
  const unchanged = await express(true, { headers });
  expect([unchanged.status, unchanged.headers.has(REPLAYED)]).toEqual([200, false]);
  succeeded(await express(false));
  const again = await express(true, { headers });
  expectReplayed(again);
  expect(again.body).toEqual(unchanged.body);
  expect(succeeded(await callApi(api, 'GET', `/orders/${order.id}`)).flags.express).toBe(false);
  expectProblem(await express(false, { headers }), 422, 'idempotency_key_reused');
});

test('an answer is kept encrypted: a payment link comes back from there, and from its row once that cannot be read', async () => {
  const { api, target } = await openOne();
  const headers = keyed();
  const path = `/orders/${target.ids.orders}/payment-links`;
  const { url: earlier } = succeeded(await callApi(api, 'POST', path), 201);
  const { url } = succeeded(await callApi(api, 'POST', path, { headers }), 201);
  expect(url).not.toBe(earlier);
  const [row] = await rows<{ answer: string }>('select answer from idempotency_keys where org_id = ?', api.orgId);
  expect(row?.answer).toMatch(/^\w+\.[A-Za-z0-9+/=]{100,}$/);
  const again = await callApi(api, 'POST', path, { headers });
  expectReplayed(again);
  expect(again.body.url).toBe(url);
  captureLogs();
  await rows(`update idempotency_keys set answer = 'k0.' || substr(answer, 4) where org_id = ?`, api.orgId);
  const stands = await callApi(api, 'POST', path, { headers });
  expectReplayed(stands);
  expect(stands.body).toEqual(again.body);
});

test('the long answer of a bulk command is kept in a fraction of its length, and comes back as it was', async ({
  api,
}) => {
  const products = await importProducts(...Array.from({ length: 100 }, () => ({})));
  const items = products.map(({ p1_id }) => ({ p1_id, add: true, stock_quantity: 5 }));
  const headers = keyed();
  const send = () => callApi(api, 'PATCH', '/inventory', { body: { items }, headers });
  const first = await send();
  expect(succeeded(first).summary.created).toBe(100);
  const [row] = await rows<{ answer: string }>('select answer from idempotency_keys where org_id = ?', api.orgId);
  expect(String(row?.answer).length).toBeLessThan(JSON.stringify(first.body).length / 2);
  const again = await send();
  expectReplayed(again);
  expect(again.body).toEqual(first.body);
});

const PERSON = { customer_name: 'Erika Quittenbaum', customer_email: 'quitte@example.com' };

async function erasable(api: OrganizationApi) {
  const body = orderBody(api, PERSON);
  const headers = keyed();
  const sold = succeeded(await callApi(api, 'POST', '/orders', { body, headers }), 201);
  succeeded(await patchOrder(api, sold.id, { status: 'cancelled', reason_code: 'test' }));
  const [customer] = await rows<{ id: string }>('select id from customers where org_id = ?', api.orgId);
  const again = () => callApi(api, 'POST', '/orders', { body, headers });
  return { body, sold, again, customerId: customer?.id ?? '' };
}

test.for(['customers', 'orders'] as const)('DELETE /%s/{id} empties the answers about it', async (what, { api }) => {
  const { sold, again, customerId } = await erasable(api);
  expect(JSON.stringify((await again()).body)).toContain('Quittenbaum');
  succeeded(await callApi(api, 'DELETE', `/${what}/${what === 'orders' ? sold.id : customerId}`));
  expect(await rows('select answer from idempotency_keys where about = ?', sold.id)).toEqual([{ answer: '' }]);
  const repeated = await again();
  expect(JSON.stringify(repeated.body)).not.toContain('Quittenbaum');
  if (what === 'orders') expectProblem(repeated, 404, 'order_not_found');
  else expectReplayed(repeated);
});

test('an erasure also empties the answer of a command that had nothing to change', async ({ api }) => {
  const { body, customerId } = await erasable(api);
  const headers = keyed();
  const repeat = () => callApi(api, 'POST', '/orders', { body, headers });
  const unchanged = await repeat();
  expect(unchanged.headers.has(REPLAYED)).toBe(false);
  expect(JSON.stringify(unchanged.body)).toContain('Quittenbaum');
  succeeded(await callApi(api, 'DELETE', `/customers/${customerId}`));
  const repeated = await repeat();
  expectReplayed(repeated);
  expect(JSON.stringify(repeated.body)).not.toContain('Quittenbaum');
});

test('an answer that is to be kept when its person has been erased is not kept', async ({ api }) => {
  const order = await openOrder(api, PERSON);
  succeeded(await patchOrder(api, order.id, { status: 'cancelled', reason_code: 'test' }));
  const [customer] = await rows<{ id: string }>('select id from customers where org_id = ?', api.orgId);
  let isErased = false;
  const DB = {
    prepare: (query: string) => {
      isErased ||= query.startsWith('update "idempotency_keys"');
      return env.DB.prepare(query);
    },
    batch: async (statements: D1PreparedStatement[]) => {
      if (isErased) succeeded(await callApi(api, 'DELETE', `/customers/${customer?.id}`));
      isErased = false;
      return env.DB.batch(statements);
    },
  } as unknown as D1Database;
  succeeded(
    await callApi(api, 'PATCH', `/orders/${order.id}`, { body: { archived: true }, headers: keyed(), env: { DB } }),
  );
  expect(await rows('select answer from idempotency_keys where about = ?', order.id)).toEqual([{ answer: '' }]);
});

test('a key costs one statement in the batch of its command, and its repetition one read', async () => {
  const api = await openBudgeted();
  const { p1_id } = await holdProduct(api, { stock: 20 });
  await warm(api);
  const move = (headers?: Record<string, string>) =>
    costOf(() => callApi(api, 'PATCH', `/inventory/${p1_id}`, { body: { delta: -1 }, headers }));
  const without = await move();
  expect(await move()).toEqual(without);
  const headers = keyed();
  const first = await move(headers);
  expect(first).toMatchObject({ roundTrips: without.roundTrips, statements: without.statements + 1 });
  // The key with its two indexes.
  expect(first.rowsWritten).toBe(without.rowsWritten + 3);
  const again = await move(headers);
  expect(again).toMatchObject({ rowsWritten: 0, roundTrips: without.roundTrips + 1 });
});

test('keys are forgotten after a day, but those of an organization that is being moved', async () => {
  const [api, moving] = [await openOrganizationApi(), await openOrganizationApi()];
  const now = Date.now();
  const used = (org_id: string, key: string, ageHours: number) =>
    insertRow('idempotency_keys', {
      ...{ org_id, key, family_id: 'erp', fingerprint: 'f', request_id: 'r' },
      created_at: now - ageHours * 3_600_000,
    });
  await used(api.orgId, 'old', 24.1);
  await used(api.orgId, 'new', 23.9);
  await used(moving.orgId, 'old', 24.1);
  await rows(`update organizations set state = 'moving' where id = ?`, moving.orgId);
  await cronAt(now);
  const left = 'select key from idempotency_keys where org_id = ?';
  expect(await rows(left, api.orgId)).toEqual([{ key: 'new' }]);
  expect(await rows(left, moving.orgId)).toEqual([{ key: 'old' }]);
});

test('the token endpoint and reads take no notice of the header', async ({ api, order }) => {
  const headers = keyed('x'.repeat(256));
  succeeded(await callApi(api, 'GET', `/orders/${order.id}`, { headers }));
  expect((await upsert(api, {})).status).toBe(400);
});

test('a key is stored as a MAC, and known again while the roots are rotated', async ({
  api,
  moved: { p1_id, move },
}) => {
  const key = 'RX-2026-S3NT1NEL';
  const headers = { 'Idempotency-Key': key };
  const first = succeeded(await move(headers));
  expect(JSON.stringify(await rows('select * from idempotency_keys where org_id = ?', api.orgId))).not.toContain(
    'S3NT1NEL',
  );
  const again = await move(headers, { env: DURING });
  expect(succeeded(again)).toEqual(first);
  expect(again.headers.get(REPLAYED)).toBe('true');
  expect(await stockOf(api.orgId, p1_id)).toMatchObject({ stock: 19 });
});
