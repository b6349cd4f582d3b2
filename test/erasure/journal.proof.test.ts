import { env } from 'cloudflare:workers';
import { setLegalHold } from '../../src/order-requests/erasure/erase';
import { sweepRetention } from '../../src/order-requests/sweep';
import { newId } from '../../src/platform/ids';
import { cronAt } from '../support/invocations';
import { approve, deleteRequest, openApprovable, staffContext } from '../support/order-flow';
import { callApi, expectProblem, succeeded } from '../support/organization';
import { d1Down, databaseDown } from '../support/outbound';
import { erase, everything, leaveTraces, newPerson, placesOf, reject, request, restoreRows } from '../support/person';
import { doctoredDb } from '../support/probe';
import { moveOrder, openSeller, placeOrder, STEPS_TO } from '../support/seller';
import { expect, test } from '../support/test';
import { BASE, call, json, ONE_DATABASE, OPERATOR_TOKEN, rows, systemContext } from '../support/world';

const DAY = 86_400_000;

interface Answer {
  entries: number;
  unreadable: number;
  erased: { customers: number; order_requests: number; orders: number };
  held: { customers: string[]; order_requests: string[]; orders: string[] };
  next_cursor: string | null;
}

/** What the runbook says after a restore: the call, until it has come to the end. */
async function replay(body: Record<string, unknown> = {}): Promise<Answer[]> {
  const answers: Answer[] = [];
  let cursor: string | null = null;
  do {
    const asked = json({ ...body, ...(cursor && { cursor }) }, { Authorization: `Bearer ${OPERATOR_TOKEN}` });
    const response = await call(`${BASE}/api/operator/v1/erasures/replay`, asked);
    if (!response.ok) return answers;
    const answer: Answer = await response.json();
    answers.push(answer);
    cursor = answer.next_cursor;
  } while (cursor);
  return answers;
}

function sumOf(answers: Answer[]) {
  const sum = (kind: keyof Answer['erased']) => answers.reduce((all, { erased }) => all + erased[kind], 0);
  return { customers: sum('customers'), order_requests: sum('order_requests'), orders: sum('orders') };
}

/** Entries of the journal that name one of these ids. */
async function entriesNaming(...ids: string[]): Promise<Record<string, unknown>[]> {
  const { objects } = await env.FILES.list({ prefix: 'journal/' });
  const texts = await Promise.all(objects.map(async ({ key }) => (await env.FILES.get(key))?.text()));
  return texts.filter((text) => ids.some((id) => text?.includes(id))).map((text) => JSON.parse(text ?? ''));
}

test('a restore brings an erased customer back; the journal erases it again, once and for all', async ({ traces }) => {
  const { seller, customerId, said } = traces;
  const before = await everything();
  succeeded(await erase(seller, customerId));
  await restoreRows(before);
  expect(await placesOf(said)).toContain('customers.email');
  const answers = await replay();
  expect(await placesOf(said)).toEqual(['file_deletions.file_key']);
  expect(sumOf(answers)).toEqual({ customers: 1, order_requests: 3, orders: 2 });
  const after = await everything();
  expect(sumOf(await replay())).toEqual({ customers: 0, order_requests: 0, orders: 0 });
  expect(await everything()).toEqual(after);
});

test('an entry holds ids and nothing about the person', async () => {
  const { seller, customerId, approvedId, pendingId, rejectedId, orderId, upserted, said } = await leaveTraces();
  succeeded(await erase(seller, customerId));
  const [entry, ...others] = await entriesNaming(customerId);
  expect(others).toEqual([]);
  expect(entry).toEqual({
    v: 1,
    org_id: seller.orgId,
    kind: 'customer',
    customer_ids: [customerId],
    order_request_ids: expect.arrayContaining([approvedId, pendingId, rejectedId]),
    order_ids: expect.arrayContaining([orderId, upserted.id]),
  });
  for (const text of said) expect(JSON.stringify(entry)).not.toContain(text);
});

test('deleted requests and orders are deleted again after a restore', async ({ seller }) => {
  const [first, second] = [newPerson(), newPerson()];
  const pending = await request(seller, first);
  const rejected = await request(seller, first);
  await reject(seller, rejected, `${first.customer_name} rief an`);
  const order = await placeOrder(seller, second);
  await moveOrder(seller, order.id, 'cancelled');
  const before = await everything();
  for (const id of [pending, rejected]) succeeded(await deleteRequest(seller, id));
  succeeded(await callApi(seller, 'DELETE', `/orders/${order.id}`));
  await restoreRows(before);
  expect(sumOf(await replay())).toEqual({ customers: 0, order_requests: 2, orders: 1 });
  // The customer of the deleted order was not erased, then as now.
  expect(await placesOf([...Object.values(first), second.address_street])).toEqual([]);
  expect(await rows('select status from order_requests where org_id = ?', seller.orgId)).toEqual([
    { status: 'deleted' },
    { status: 'deleted' },
  ]);
  expect(
    await rows('select deleted_at is not null as is_deleted, erased_at from orders where id = ?', order.id),
  ).toEqual([{ is_deleted: 1, erased_at: null }]);
});

test('what retention took out is one entry for all of it, and goes again after a restore to before the rejection', async () => {
  const seller = await openSeller({ request_retention_days: 7 });
  const person = newPerson();
  const ids = [await request(seller, person), await request(seller, person), await request(seller, person)];
  const before = await everything();
  for (const id of ids) await reject(seller, id);
  const now = Date.now() + 8 * DAY;
  await sweepRetention(systemContext({ now: () => now }).ctx);
  expect(await entriesNaming(...ids)).toMatchObject([
    { kind: 'retention', order_request_ids: expect.arrayContaining(ids) },
  ]);
  await restoreRows(before);
  expect(await placesOf(Object.values(person))).not.toEqual([]);
  expect(sumOf(await replay())).toEqual({ customers: 0, order_requests: 3, orders: 0 });
  expect(await placesOf(Object.values(person))).toEqual([]);
});

test('an order that is open again after the restore does not keep its customer', async ({ seller }) => {
  const person = newPerson();
  const order = await placeOrder(seller, person);
  const before = await everything();
  await moveOrder(seller, order.id, ...STEPS_TO.cancelled);
  succeeded(await erase(seller, order.customer.id));
  await restoreRows(before);
  await replay();
  expect(await placesOf(Object.values(person))).toEqual([]);
});

test('a legal hold of the restored database is obeyed, and named', async () => {
  const { seller, customerId, pendingId, said } = await leaveTraces();
  const owner = staffContext(seller.orgId, 'owner').ctx;
  await setLegalHold(owner, { requestId: pendingId, isOnLegalHold: true });
  const before = await everything();
  await setLegalHold(owner, { requestId: pendingId, isOnLegalHold: false });
  succeeded(await erase(seller, customerId));
  await restoreRows(before);
  const places = await placesOf(said);
  const answers = await replay();
  expect(answers.flatMap(({ held }) => held.customers)).toEqual([customerId]);
  expect(answers.flatMap(({ held }) => held.order_requests)).toContain(pendingId);
  expect(await placesOf(said)).toEqual(places);
  await setLegalHold(owner, { requestId: pendingId, isOnLegalHold: false });
  await replay();
  expect(await placesOf(said)).toEqual(['file_deletions.file_key']);
});

test('an erasure that was refused leaves no entry', async ({ traces: { seller, customerId, pendingId } }) => {
  const owner = staffContext(seller.orgId, 'owner').ctx;
  const DB = doctoredDb(async (trip, send) => {
    if (trip === 2) await setLegalHold(owner, { requestId: pendingId, isOnLegalHold: true });
    return send();
  });
  expectProblem(await erase(seller, customerId, { DB }), 409, 'legal_hold');
  expect(await entriesNaming(customerId)).toEqual([]);
});

test('an erasure that may have been committed keeps its entry', async ({ traces: { seller, customerId } }) => {
  const DB = doctoredDb(async (trip, send) => {
    const results = await send();
    if (trip === 2) throw d1Down();
    return results;
  });
  expectProblem(await erase(seller, customerId, { DB }), 502, 'backend_unreachable');
  expect(await entriesNaming(customerId)).toHaveLength(1);
});

test('a request whose deletion failed, and which became an order, is not erased by a restore', async ({ seller }) => {
  const person = newPerson();
  const { id } = await openApprovable(seller, { payload: person });
  const env = { ...ONE_DATABASE, DB: databaseDown(1) };
  expectProblem(await callApi(seller, 'DELETE', `/order-requests/${id}`, { env }), 502, 'backend_unreachable');
  expect(await entriesNaming(id)).toHaveLength(1);
  succeeded(await approve(seller, id));
  const before = await placesOf(Object.values(person));
  expect(sumOf(await replay())).toEqual({ customers: 0, order_requests: 0, orders: 0 });
  expect(await placesOf(Object.values(person))).toEqual(before);
});

test('without R2 nothing is erased', async ({ traces: { seller, customerId, said } }) => {
  const places = await placesOf(said);
  const FILES = { put: () => Promise.reject(new Error('R2 is down')) } as unknown as R2Bucket;
  expectProblem(await erase(seller, customerId, { FILES }), 502, 'backend_unreachable');
  expect(await placesOf(said)).toEqual(places);
});

test('the journal is read page by page, and from a day on', async () => {
  const { objects } = await env.FILES.list({ prefix: 'journal/' });
  await env.FILES.delete(objects.map(({ key }) => key));
  const text = (id: string) =>
    JSON.stringify({ v: 1, org_id: 'x', kind: 'order', customer_ids: [], order_request_ids: [], order_ids: [id] });
  for (let count = 0; count < 60; count += 1) await env.FILES.put(`journal/2026-01-01/${newId()}`, text(newId()));
  await env.FILES.put(`journal/2026-01-03/${newId()}`, text(newId()));
  await env.FILES.put(`journal/2026-01-03/${newId()}`, 'not JSON');
  const sums = (answers: Answer[]) => ({
    calls: answers.length,
    entries: answers.reduce((sum, { entries }) => sum + entries, 0),
    unreadable: answers.reduce((sum, { unreadable }) => sum + unreadable, 0),
  });
  expect(sums(await replay())).toEqual({ calls: 3, entries: 62, unreadable: 1 });
  expect(sums(await replay({ since: '2026-01-02' }))).toEqual({ calls: 1, entries: 2, unreadable: 1 });
});

test('entries go after 400 days, by the hourly cron', async () => {
  const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY).toISOString().slice(0, 10);
  const [old, kept] = [`journal/${dayOf(401)}/${newId()}`, `journal/${dayOf(399)}/${newId()}`];
  for (const key of [old, kept]) await env.FILES.put(key, '{}');
  await cronAt('2026-11-20T14:17:00Z');
  expect([await env.FILES.head(old), (await env.FILES.head(kept))?.key]).toEqual([null, kept]);
});

test('nobody but the operator replays', async ({ traces: { seller } }) => {
  for (const token of [seller.token, 'x']) {
    const response = await call(
      `${BASE}/api/operator/v1/erasures/replay`,
      json({}, { Authorization: `Bearer ${token}` }),
    );
    expect(response.status).toBe(401);
  }
});
