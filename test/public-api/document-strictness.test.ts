import type { Schema } from '@cfworker/json-schema';
import { misfits, openApi, operationsOf } from '../support/contract';
import { openOrder, openPrescribed, setStatus } from '../support/order-flow';
import { type Answer, callApi, holdProduct, type OrganizationApi, openOrganizationApi } from '../support/organization';
import { expect, test } from '../support/test';

/** A client that checks what it sends against the document is not surprised: both refuse the same, and take the same. */

interface Call {
  /** Of the operation in the document. */
  id: string;
  /** The path to call. */
  path: string;
  method: string;
}

/** What the document says of an operation's body, or of one parameter of its query. */
async function schemaOf(id: string, parameter?: string): Promise<Schema> {
  const found = operationsOf(await openApi()).find(([, { operationId }]) => operationId === id)?.[1];
  const parameters = (found?.parameters ?? []) as { name: string; schema?: Schema }[];
  const schema = parameter
    ? parameters.find(({ name }) => name === parameter)?.schema
    : found?.requestBody?.content['application/json']?.schema;
  if (!schema) throw new Error(`no schema of ${id} ${parameter ?? ''}`);
  return schema;
}

/** Whether the document takes a value, and whether the service does. */
async function verdicts(schema: Schema, value: unknown, answer: Answer) {
  expect([404, 405]).not.toContain(answer.status);
  if (answer.status === 400) expect(answer.body.code).toBe('validation_failed');
  return [(await misfits(JSON.stringify(schema), schema, value)).length === 0, answer.status !== 400];
}

async function expectSame(api: OrganizationApi, { id, method, path }: Call, body: object, isTaken: boolean) {
  const answer = await callApi(api, method, path, { body });
  expect(await verdicts(await schemaOf(id), body, answer), JSON.stringify(body)).toEqual([isTaken, isTaken]);
}

test('a refund of nothing', async ({ api }) => {
  const order = await openOrder(api, { payment_status: 'paid' });
  const call = { id: 'refundOrder', method: 'POST', path: `/orders/${order.id}/refund` };
  await expectSame(api, call, { amount: 0, reason_code: 'test' }, false);
  await expectSame(api, call, { amount: -1, reason_code: 'test' }, false);
  await expectSame(api, call, { amount: 0.01, reason_code: 'test' }, true);
  await expectSame(api, call, { reason_code: 'test' }, true);
});

test.each<[Record<string, unknown>, boolean]>([
  [{ cash_received: true }, false],
  [{ cash_received: false, status: 'ready_pickup' }, false],
  [{ cash_received: false, status: 'picked_up' }, true],
  [{ status: 'picked_up' }, true],
  [{ flags: {} }, false],
  [{ flags: { on_hold: 'yes' } }, false],
  [{ flags: { hold: true } }, false],
  [{ flags: { express: true } }, true],
  [{ flags: { on_hold: false, express: true, archived: false } }, true],
  [{ flags: { express: true }, express: true, archived: true }, true],
  [{ flags: { express: true }, express: false }, false],
  [{ flags: { on_hold: false }, on_hold: true }, false],
  [{ flags: { archived: true, express: false }, archived: false }, false],
])('a change of an order: %j is taken: %j', async (body, isTaken) => {
  const api = await openOrganizationApi();
  const { id } = await openOrder(api);
  await setStatus(id, 'ready_pickup');
  await expectSame(api, { id: 'changeOrder', method: 'PATCH', path: `/orders/${id}` }, body, isTaken);
});

test.each<[unknown, boolean]>([
  [undefined, true],
  [[], false],
  [[{ p1_id: 'P1-1', quantity: 1 }], true],
  [[{ p1_id: ' ', quantity: 1 }], false],
  [[{ p1_id: 'P1-1', quantity: 0 }], false],
  [[{ p1_id: 'P1-1', quantity: 1, price: 1 }], false],
])('what a prescription covers: %j is taken: %j', async (lines, isTaken) => {
  const api = await openOrganizationApi();
  const { prescriptionId } = await openPrescribed(api);
  const call = { id: 'approvePrescription', method: 'POST', path: `/prescriptions/${prescriptionId}/approve` };
  await expectSame(api, call, JSON.parse(JSON.stringify({ lines })), isTaken);
});

/** Lists by age and by change, by age alone, by keys of the catalog, and the feed. */
const LISTS = [
  ['listOrders', '/orders'],
  ['listOrderRequests', '/order-requests'],
  ['listDeliveries', '/webhooks/deliveries'],
  ['listInventory', '/inventory'],
  ['listEvents', '/events'],
] as const;

/** What each kind of cursor begins with, and how long its place is. */
const KINDS = [
  ['aWQ6', 48],
  ['Y2hn', 12],
  ['ZXZ0', 12],
  ['a2V5', 534],
] as const;

test.for(LISTS)('a cursor of %s: the document says which', async ([id, path], { api }) => {
  const schema = await schemaOf(id, 'cursor');
  const texts = ['', ' ', 'x', '12', '0', 'null', 'not-a-cursor', '019aa0b0-1f00-7aaa-8c01-0c9be1b2a301', 'after-0050'];
  const ofKinds = KINDS.flatMap(([kind, length]) => [
    kind,
    ...['A', '_', '-', '9'].map((digit) => kind.padEnd(4 + length, digit)),
    ...[length - 1, length + 1].map((other) => kind.padEnd(4 + other, 'A')),
    `${kind.padEnd(3 + length, 'A')}=`,
    `${kind.padEnd(3 + length, 'A')}+`,
    kind.toLowerCase().padEnd(4 + length, 'A'),
    `${kind}Q`,
    `${kind}QQ`,
  ]);
  const taken: string[] = [];
  for (const cursor of [...texts, ...ofKinds]) {
    const [byDocument, byService] = await verdicts(
      schema,
      cursor,
      await callApi(api, 'GET', path, { query: { cursor } }),
    );
    expect([cursor, byDocument]).toEqual([cursor, byService]);
    if (byService) taken.push(cursor);
  }
  expect(taken.length).toBeGreaterThan(0);
});

test('the cursor of a page is one of those, whatever characters the key has', async ({ api }) => {
  for (const p1_id of ['P1-ä%26 &?/', '薬-😀', 'Z'.repeat(100)]) await holdProduct(api, { p1_id: `${p1_id}` });
  const schema = await schemaOf('listInventory', 'cursor');
  const seen: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Answer = await callApi(api, 'GET', '/inventory', { query: { limit: '1', ...(cursor && { cursor }) } });
    seen.push(...page.body.data.map(({ p1_id }: { p1_id: string }) => p1_id));
    cursor = page.body.next_cursor as string | null;
    if (cursor !== null) expect(await misfits('cursor', schema, cursor)).toEqual([]);
  }
  expect(seen).toHaveLength(3);
  expect(new Set(seen).size).toBe(3);
});
