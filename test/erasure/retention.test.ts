import { env } from 'cloudflare:workers';
import { setLegalHold } from '../../src/order-requests/erasure/erase';
import { sweepRetention } from '../../src/order-requests/sweep';
import { ORDER_STATUSES } from '../../src/orders/tables';
import { newId } from '../../src/platform/ids';
import { filesWith, retentionNight } from '../support/files';
import { cronAt } from '../support/invocations';
import { orderRow, staffContext } from '../support/order-flow';
import {
  approve,
  everything,
  filesOf,
  newPerson,
  type Person,
  pdfOf,
  placesOf,
  reject,
  request,
  waitingFiles,
} from '../support/person';
import { captureLogs, doctoredDb } from '../support/probe';
import { insertRows, quoted } from '../support/rows';
import { moveOrder, openSeller, placeOrder, type Seller, STEPS_TO } from '../support/seller';
import { expect, test, vi } from '../support/test';
import { rows, systemContext } from '../support/world';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** What an organization keeps unless it says otherwise. */
const REQUEST_DAYS = 90;
const ORDER_DAYS = 5 * 366 + 31;
const ENDED = ['delivered', 'picked_up', 'returned', 'cancelled'];

async function sweepAfter(days: number, offsetMs = 0, changed: Partial<Env> = {}): Promise<void> {
  const now = Date.now() + days * DAY + offsetMs;
  await retentionNight(now, changed);
}

function hold(seller: Seller, requestId: string, isOnLegalHold = true): Promise<void> {
  return setLegalHold(staffContext(seller.orgId, 'owner').ctx, { requestId, isOnLegalHold });
}

/** A request with a PDF that was rejected with a note. */
async function openRejected(seller: Seller, person = newPerson()) {
  const id = await request(seller, { ...person, prescription_pdf_base64: pdfOf(person) });
  await reject(seller, id, `${person.customer_name} rief an`);
  const [fileKey = ''] = await filesOf([id]);
  return { id, person, fileKey };
}

/** An approved request with a PDF whose order is over. */
async function openEnded(seller: Seller, person = newPerson()) {
  const requestId = await request(seller, { ...person, prescription_pdf_base64: pdfOf(person) });
  const [fileKey = ''] = await filesOf([requestId]);
  const orderId = await approve(seller, requestId, { override_reason: `${person.customer_name} rief an` });
  await moveOrder(seller, orderId, 'ready_pickup', 'picked_up');
  return { requestId, orderId, person, fileKey };
}

/** The next run of retention begins with this organization. */
async function beginRetentionBefore(orgId: string): Promise<void> {
  await rows(
    `insert or replace into sweep_cursors (name, position, has_more, done_night)
     values ('retention', (select coalesce(max(id), '') from organizations where id < ?), 0, null)`,
    orgId,
  );
}

async function isKnown(person: Person): Promise<boolean> {
  return (await placesOf(Object.values(person))).length > 0;
}

test('a rejected request is emptied after the request days, its PDF given up; a minute before, it is not', async () => {
  const seller = await openSeller();
  const { id, person, fileKey } = await openRejected(seller);
  await sweepAfter(REQUEST_DAYS, -MINUTE);
  expect(await isKnown(person)).toBe(true);
  expect(await waitingFiles()).not.toContain(fileKey);
  await sweepAfter(REQUEST_DAYS, MINUTE);
  expect(await isKnown(person)).toBe(false);
  expect(await waitingFiles()).toContain(fileKey);
  const [row] = await rows('select * from order_requests where id = ?', id);
  expect(row).toMatchObject({
    status: 'rejected',
    reason_code: 'clinical_concern',
    fingerprint: null,
    external_reference: null,
    payload: null,
    items: '[]',
  });
});

test('a request that waits or was approved is not the request days’ business', async ({ seller }) => {
  const [waiting, approved] = [newPerson(), newPerson()];
  await request(seller, { ...waiting });
  await approve(seller, await request(seller, { ...approved }), { override_reason: 'x' });
  await sweepAfter(REQUEST_DAYS + 1);
  expect(await isKnown(waiting)).toBe(true);
  expect(await isKnown(approved)).toBe(true);
});

test('a rejected request under legal hold stays, and goes once it is released', async ({ seller }) => {
  const { id, person, fileKey } = await openRejected(seller);
  await hold(seller, id);
  await sweepAfter(REQUEST_DAYS + 1);
  expect(await isKnown(person)).toBe(true);
  expect(await waitingFiles()).not.toContain(fileKey);
  await hold(seller, id, false);
  await sweepAfter(REQUEST_DAYS + 1);
  expect(await isKnown(person)).toBe(false);
});

test('an order that is over goes after the order days with request, prescription and customer', async ({ seller }) => {
  const { requestId, orderId, person, fileKey } = await openEnded(seller);
  const before = await orderRow(orderId);
  await sweepAfter(ORDER_DAYS, -MINUTE);
  expect(await orderRow(orderId)).toEqual(before);
  expect(await isKnown(person)).toBe(true);
  await sweepAfter(ORDER_DAYS, MINUTE);
  expect(await isKnown(person)).toBe(false);
  expect(await waitingFiles()).toContain(fileKey);
  const { status, total_cents } = before;
  // The platform's own words for a product that it did not name by id are gone.
  const items = JSON.stringify(JSON.parse(before.items).map((line: object) => ({ ...line, name: '' })));
  expect(await orderRow(orderId)).toMatchObject({ status, total_cents, items, erased_at: expect.any(Number) });
  expect(await rows('select status from order_requests where id = ?', requestId)).toEqual([{ status: 'approved' }]);
  expect(await rows('select status from prescriptions where order_request_id = ?', requestId)).toEqual([
    { status: 'erased' },
  ]);
});

test.each(ORDER_STATUSES.map((status) => [status, ENDED.includes(status)] as const))(
  'an order that is %s since ten years is emptied: %s',
  async (status, isErased) => {
    const seller = await openSeller();
    const person = newPerson();
    const { id } = await placeOrder(seller, { ...person });
    await rows('update orders set status = ? where id = ?', status, id);
    await sweepAfter(3_653);
    expect(await isKnown(person)).toBe(!isErased);
    expect((await orderRow(id)).erased_at !== null).toBe(isErased);
  },
);

test('an order that is over stays whole while its request is held', async ({ seller }) => {
  const { requestId, orderId, person } = await openEnded(seller);
  await hold(seller, requestId);
  const before = await orderRow(orderId);
  await sweepAfter(ORDER_DAYS + 1);
  expect(await orderRow(orderId)).toEqual(before);
  expect(await rows('select status from prescriptions where order_request_id = ?', requestId)).toEqual([
    { status: 'stored' },
  ]);
  await hold(seller, requestId, false);
  await sweepAfter(ORDER_DAYS + 1);
  expect(await isKnown(person)).toBe(false);
});

test('an order that is over stays whole while its customer is held', async ({ seller }) => {
  const person = newPerson();
  const order = await placeOrder(seller, { ...person });
  await moveOrder(seller, order.id, ...STEPS_TO.cancelled);
  await rows('update customers set legal_hold = 1 where id = ?', order.customer.id);
  await sweepAfter(ORDER_DAYS + 1);
  expect((await orderRow(order.id)).erased_at).toBeNull();
  expect(await isKnown(person)).toBe(true);
});

test('a customer with another order that still names them stays', async ({ seller }) => {
  const person = newPerson();
  const [over, open] = [await placeOrder(seller, { ...person }), await placeOrder(seller, { ...person })];
  await moveOrder(seller, over.id, ...STEPS_TO.cancelled);
  await sweepAfter(ORDER_DAYS + 1);
  expect((await orderRow(over.id)).erased_at).not.toBeNull();
  expect((await orderRow(open.id)).erased_at).toBeNull();
  expect(await rows('select name from customers where id = ?', open.customer.id)).toEqual([
    { name: person.customer_name },
  ]);
});

test('an order that is over and deleted goes like any other', async ({ seller }) => {
  const person = newPerson();
  const { id } = await placeOrder(seller, { ...person });
  await moveOrder(seller, id, ...STEPS_TO.cancelled);
  await rows('update orders set deleted_at = updated_at where id = ?', id);
  await sweepAfter(ORDER_DAYS + 1);
  expect(await isKnown(person)).toBe(false);
});

test('each organization has its own days', async () => {
  const [brief, patient] = [
    await openSeller({ request_retention_days: 10, order_retention_days: 20 }),
    await openSeller({ request_retention_days: 20, order_retention_days: 40 }),
  ];
  const people = [
    (await openRejected(brief)).person,
    (await openEnded(brief)).person,
    (await openRejected(patient)).person,
    (await openEnded(patient)).person,
  ];
  const known = async () => Promise.all(people.map(isKnown));
  for (const [days, expected] of [
    [9, [true, true, true, true]],
    [11, [false, true, true, true]],
    [21, [false, false, false, true]],
    [41, [false, false, false, false]],
  ] as const) {
    await sweepAfter(days);
    expect(await known(), `after ${days} days`).toEqual(expected);
  }
});

test('what was taken out leaves one audit row of the system, without a word of the person', async ({ seller }) => {
  await openRejected(seller);
  await openRejected(seller);
  await sweepAfter(REQUEST_DAYS + 1);
  const audits = await rows(
    "select actor_kind, actor_id, action, entity_id, fields from audit_log where org_id = ? and actor_kind = 'system'",
    seller.orgId,
  );
  expect(audits).toEqual([
    { actor_kind: 'system', actor_id: null, action: 'retention.erased', entity_id: seller.orgId, fields: null },
  ]);
});

test('a second run the same night changes nothing', async ({ seller }) => {
  await openRejected(seller);
  await openEnded(seller);
  await sweepAfter(ORDER_DAYS + 1);
  const before = await everything();
  await sweepAfter(ORDER_DAYS + 1);
  expect(await everything()).toEqual(before);
});

test('what is too much for one turn goes in the next round, the same night', async ({ seller }) => {
  await insertRows('order_requests', 501, {
    ...{ id: `'${newId()}' || i`, org_id: quoted(seller.orgId), shop_id: quoted(seller.shopId), status: `'rejected'` },
    ...{ customer_name: `'Erika'`, decided_at: 0 },
  });
  const left = () => rows("select id from order_requests where org_id = ? and customer_name = 'Erika'", seller.orgId);
  await beginRetentionBefore(seller.orgId);
  await sweepRetention(systemContext().ctx);
  expect(await left()).toHaveLength(1);
  for (let run = 0; run < 5; run += 1) await sweepRetention(systemContext().ctx);
  expect(await left()).toHaveLength(0);
});

test('one organization’s failure is logged and keeps no other waiting', async () => {
  const [failing, other] = [await openSeller(), await openSeller()];
  const [stuck, free] = [await openRejected(failing), await openRejected(other)];
  await env.DB.prepare(
    `create trigger stuck before update on order_requests when old.id = '${stuck.id}'
     begin select raise(abort, 'stuck'); end`,
  ).run();
  const { lines } = captureLogs();
  await sweepAfter(REQUEST_DAYS + 1);
  await rows('drop trigger stuck');
  expect(await isKnown(stuck.person)).toBe(true);
  expect(await waitingFiles()).not.toContain(stuck.fileKey);
  expect(await isKnown(free.person)).toBe(false);
  const failures = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'retention_failed');
  expect(failures).toMatchObject([{ level: 'error', org_id: failing.orgId }]);
});

test('a legal hold that comes between the look and the erasure keeps what it holds', async ({ seller }) => {
  const { id, person, fileKey } = await openRejected(seller);
  captureLogs();
  let isOnLegalHold = false;
  const DB = doctoredDb(async (_, send) => {
    const results = await send();
    if (!isOnLegalHold && JSON.stringify(results).includes(id)) {
      isOnLegalHold = true;
      await hold(seller, id);
    }
    return results;
  });
  await sweepAfter(REQUEST_DAYS + 1, 0, { DB });
  expect(isOnLegalHold).toBe(true);
  expect(await isKnown(person)).toBe(true);
  expect(await waitingFiles()).not.toContain(fileKey);
});

test.each([
  ['2026-11-20T02:17:00Z', true, true],
  ['2026-11-20T02:16:00Z', false, true],
  ['2026-11-20T01:00:00Z', false, true],
  ['2026-11-20T04:59:59Z', false, true],
  ['2026-11-20T05:00:00Z', false, false],
  ['2026-11-20T00:59:00Z', false, false],
  ['2026-11-20T14:17:00Z', true, false],
])('at %s the Worker looks for orphan files: %s, and takes people out: %s', async (time, looks, takesOut) => {
  const seller = await openSeller();
  const { id, person } = await openRejected(seller);
  await rows('update order_requests set decided_at = ? where id = ?', Date.now() - (REQUEST_DAYS + 1) * DAY, id);
  await beginRetentionBefore(seller.orgId);
  const list = vi.fn((_options?: R2ListOptions) => Promise.resolve({ objects: [], truncated: false }));
  await cronAt(time, { FILES: filesWith({ list }) });
  expect(list.mock.calls.some(([options]) => options?.prefix?.startsWith('prescriptions'))).toBe(looks);
  expect(await isKnown(person)).toBe(!takesOut);
});
