import { setLegalHold } from '../../src/order-requests/erasure/erase';
import { holdCustomer } from '../../src/orders/erasure';
import { newId } from '../../src/platform/ids';
import { sweepFileDeletions } from '../../src/prescriptions/sweep';
import { filesWith } from '../support/files';
import { staffContext } from '../support/order-flow';
import { callApi, expectProblem, succeeded } from '../support/organization';
import { d1Down, outsideAnswers } from '../support/outbound';
import {
  approve,
  erase,
  everything,
  isInR2,
  leaveTraces,
  newPerson,
  placesOf,
  request,
  type Traces,
  waitingFiles,
} from '../support/person';
import { fetchPrescriptions, fileKeys, pdfAnswer } from '../support/prescriptions';
import { doctoredDb } from '../support/probe';
import { rowOf } from '../support/rows';
import { makeLink, moveOrder, openSeller, placeOrder, readOrder, STEPS_TO } from '../support/seller';
import { expect, test, vi } from '../support/test';
import { rows, systemContext } from '../support/world';

async function sweepFiles(changed: Partial<Env> = {}): Promise<void> {
  await sweepFileDeletions(systemContext({ env: changed }).ctx);
}

function exportOf({ seller, customerId }: Traces) {
  return callApi(seller, 'GET', `/customers/${customerId}`);
}

const prescriptionOf = (order_request_id: string) => rowOf('prescriptions', { order_request_id });

async function namesOfProducts(): Promise<Map<string, string>> {
  const products = await rows<{ p1_id: string; name: string }>('select p1_id, name from catalog_products');
  return new Map(products.map(({ p1_id, name }) => [p1_id, name]));
}

test('before the erasure everything is there, in the tables that are searched', async ({ traces: { said } }) => {
  const places = await placesOf(said);
  expect(places).toEqual(
    expect.arrayContaining([
      'customers.name',
      'customers.email',
      'orders.customer_email',
      'orders.address_street',
      'orders.hold_reason',
      'orders.collected_by',
      'orders.shelf',
      'orders.refund_note',
      'orders.platform_details',
      'order_requests.payload',
      'order_requests.customer_name',
      'order_requests.override_reason',
      'order_requests.reason_note',
      'order_requests.platform_details',
      'request_questions.answer',
      'staff_notes.text',
      'prescriptions.set_aside_reason',
      'prescriptions.file_key',
      'prescriptions.source_url',
    ]),
  );
});

test('an export holds all of it: customer, orders, requests as sent, notes, prescriptions', async ({ traces }) => {
  const { approvedId, pendingId, rejectedId, orderId, upserted, fileKey, said } = traces;
  const body = succeeded(await exportOf(traces));
  const text = JSON.stringify(body).toLowerCase();
  for (const each of said.filter((value) => value !== fileKey)) expect(text, each).toContain(each.toLowerCase());
  const ids = (list: { id: string }[]) => list.map(({ id }) => id).sort();
  expect(ids(body.orders)).toEqual([orderId, upserted.id].sort());
  expect(ids(body.order_requests)).toEqual([approvedId, pendingId, rejectedId].sort());
  const byId = (id: string) => body.order_requests.find((each: { id: string }) => each.id === id);
  expect(byId(approvedId).prescriptions).toMatchObject([{ status: 'stored', origin: 'base64' }]);
  expect(byId(pendingId).prescriptions).toMatchObject([{ status: 'set_aside', origin: 'url' }]);
  // The lines of a request that waits are matched as staff see them.
  expect(byId(pendingId).lines[0].p1_id).toBe(byId(pendingId).items[0].p1_id);
  expect(JSON.stringify(body)).not.toContain(fileKey);
});

test('an export costs one round trip, and one for each part of the orders and the requests', async ({ traces }) => {
  await exportOf(traces);
  let trips = 0;
  const DB = doctoredDb((trip, send) => {
    trips = trip;
    return send();
  });
  succeeded(await callApi(traces.seller, 'GET', `/customers/${traces.customerId}`, { env: { DB } }));
  expect(trips).toBe(3);
});

test('after the erasure nothing of the person is left in any table, nor the PDF in R2', async ({ traces }) => {
  expect(succeeded(await erase(traces.seller, traces.customerId))).toEqual({
    id: traces.customerId,
    deleted: true,
    kept: [],
  });
  // The file's key names nobody; it stays until the file is gone.
  expect(await placesOf(traces.said)).toEqual(['file_deletions.file_key']);
  expect(await isInR2(traces.fileKey)).toBe(true);
  await sweepFiles();
  expect(await placesOf(traces.said)).toEqual([]);
  expect(await isInR2(traces.fileKey)).toBe(false);
});

test('what was sold, when and for how much stays, named as the catalog names it', async () => {
  const { seller, customerId, orderId, upserted } = await leaveTraces();
  const before = [await readOrder(seller, orderId), await readOrder(seller, upserted.id)];
  succeeded(await erase(seller, customerId));
  for (const order of before) {
    const { status, payment_status, totals, created_at, shop_id, source, order_request_id } = order;
    const names = await namesOfProducts();
    const items = (order.items as { p1_id: string | null }[]).map((item) => ({
      ...item,
      name: names.get(item.p1_id ?? '') ?? '',
    }));
    expect(await readOrder(seller, order.id)).toMatchObject({
      ...{ status, payment_status, items, totals, created_at, shop_id, source, order_request_id },
      customer: { id: customerId, name: null, email: null, birth_date: null },
      address: { street: null, city: null, postal_code: null, phone: null },
      external_id: null,
      payment_reference: null,
      note: null,
      hold_reason: null,
    });
  }
});

test('requests keep their decisions; one that waited is deleted', async () => {
  const { seller, customerId, approvedId, pendingId, rejectedId, orderId } = await leaveTraces();
  succeeded(await erase(seller, customerId));
  const found = await rows(
    'select id, status, order_id, reason_code, erased_at is not null as is_erased from order_requests where org_id = ?',
    seller.orgId,
  );
  expect(found).toHaveLength(3);
  expect(found).toEqual(
    expect.arrayContaining([
      { id: approvedId, status: 'approved', order_id: orderId, reason_code: null, is_erased: 1 },
      { id: pendingId, status: 'deleted', order_id: null, reason_code: null, is_erased: 1 },
      { id: rejectedId, status: 'rejected', order_id: null, reason_code: 'clinical_concern', is_erased: 1 },
    ]),
  );
});

test('an open payment link ends', async ({ traces: { seller, customerId, person } }) => {
  const unpaid = await placeOrder(seller, person);
  await makeLink(seller, unpaid.id);
  await moveOrder(seller, unpaid.id, ...STEPS_TO.picked_up);
  succeeded(await erase(seller, customerId));
  expect(await rows('select status from payment_links where order_id = ?', unpaid.id)).toEqual([{ status: 'voided' }]);
});

test('others of the same organization keep all they had', async ({ traces }) => {
  const { seller } = traces;
  const other = newPerson();
  const otherOrder = await placeOrder(seller, other);
  await request(seller, other);
  const before = succeeded(await callApi(seller, 'GET', `/customers/${otherOrder.customer.id}`));
  succeeded(await erase(seller, traces.customerId));
  expect(succeeded(await callApi(seller, 'GET', `/customers/${otherOrder.customer.id}`))).toEqual(before);
});

test('an e-mail is one person in every case, letters beyond ASCII too', async () => {
  const mark = newId();
  const seller = await openSeller();
  const order = await placeOrder(seller, { customer_email: `ömer.${mark}@example.com` });
  await moveOrder(seller, order.id, ...STEPS_TO.cancelled);
  const pending = await request(seller, { customer_email: `ÖMER.${mark}@EXAMPLE.com` });
  const other = await request(seller, { customer_email: `ÄMER.${mark}@EXAMPLE.com` });
  const exported = succeeded(await callApi(seller, 'GET', `/customers/${order.customer.id}`));
  expect(exported.order_requests.map(({ id }: { id: string }) => id)).toEqual([pending]);
  succeeded(await erase(seller, order.customer.id));
  expect(await placesOf([`ömer.${mark}`])).toEqual([]);
  expect(await rows('select status from order_requests where id = ?', other)).toEqual([{ status: 'pending' }]);
});

test('a request that names the customer by id goes too', async ({ traces: { seller, customerId } }) => {
  const alias = newPerson();
  await request(seller, { ...alias, customer_id: customerId });
  succeeded(await erase(seller, customerId));
  expect(await placesOf(Object.values(alias))).toEqual([]);
});

test('a prescription that waits to be fetched is not fetched any more', async () => {
  const { seller, customerId, pendingId } = await leaveTraces();
  const { id } = await prescriptionOf(pendingId);
  succeeded(await erase(seller, customerId));
  const calls = outsideAnswers(pdfAnswer);
  await fetchPrescriptions([id]);
  expect(calls).toEqual([]);
  expect(await prescriptionOf(pendingId)).toMatchObject({ status: 'erased', source_url: null, file_key: null });
});

test('one that is being fetched at that moment leaves a file that no row names, and gives it up', async () => {
  const { seller, customerId, pendingId } = await leaveTraces();
  const before = new Set(await fileKeys());
  outsideAnswers(async () => {
    succeeded(await erase(seller, customerId));
    return pdfAnswer();
  });
  await fetchPrescriptions([(await prescriptionOf(pendingId)).id]);
  expect(await prescriptionOf(pendingId)).toMatchObject({ status: 'erased', source_url: null, file_key: null });
  const [orphan = '', ...others] = (await fileKeys()).filter((key) => !before.has(key));
  expect(others).toEqual([]);
  expect(await waitingFiles()).toContain(orphan);
  await sweepFiles();
  expect(await isInR2(orphan)).toBe(false);
});

test('an erased customer is not there any more: no export, no second erasure', async ({ traces }) => {
  succeeded(await erase(traces.seller, traces.customerId));
  const before = await everything();
  expectProblem(await exportOf(traces), 404, 'customer_not_found');
  expectProblem(await erase(traces.seller, traces.customerId), 404, 'customer_not_found');
  expect(await everything()).toEqual(before);
});

test('two erasures at once: one is done, the other finds nobody, one audit row', async () => {
  const { seller, customerId } = await leaveTraces();
  const answers = await Promise.all([erase(seller, customerId), erase(seller, customerId)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  expect(
    await rows("select id from audit_log where action = 'customer.erased' and entity_id = ?", customerId),
  ).toHaveLength(1);
});

test('a request of the same person at another organization stays', async () => {
  const { seller, person, customerId } = await leaveTraces();
  const stranger = await openSeller();
  const theirs = await request(stranger, person);
  succeeded(await erase(seller, customerId));
  expect(await rows('select customer_name, status from order_requests where id = ?', theirs)).toEqual([
    { customer_name: person.customer_name, status: 'pending' },
  ]);
});

test.each(['approvedId', 'pendingId', 'rejectedId'] as const)(
  'a legal hold on a request (%s) keeps the whole customer; released, the customer goes',
  async (which) => {
    const traces = await leaveTraces();
    const { seller, customerId } = traces;
    const owner = staffContext(seller.orgId, 'owner').ctx;
    await setLegalHold(owner, { requestId: traces[which], isOnLegalHold: true });
    const before = await everything();
    expectProblem(await erase(seller, customerId), 409, 'legal_hold');
    expect(await everything()).toEqual(before);
    await setLegalHold(owner, { requestId: traces[which], isOnLegalHold: false });
    succeeded(await erase(seller, customerId));
  },
);

test('a customer under the owner’s legal hold stays; released, the customer goes', async () => {
  const { seller, customerId } = await leaveTraces();
  const owner = staffContext(seller.orgId, 'owner').ctx;
  await holdCustomer(owner, { customerId, isOnLegalHold: true });
  const before = await everything();
  expectProblem(await erase(seller, customerId), 409, 'legal_hold');
  expect(await everything()).toEqual(before);
  await holdCustomer(owner, { customerId, isOnLegalHold: false });
  succeeded(await erase(seller, customerId));
});

test('a cancelled order under a legal hold of its customer is not deleted, until it is released', async ({
  traces: { seller, customerId },
}) => {
  const owner = staffContext(seller.orgId, 'owner').ctx;
  const [order] = await rows<{ id: string }>(
    `update orders set status = 'cancelled', supply = null, expected_on = null where customer_id = ? returning id`,
    customerId,
  );
  const remove = () => callApi(seller, 'DELETE', `/orders/${order?.id}`);
  await holdCustomer(owner, { customerId, isOnLegalHold: true });
  const before = await everything();
  expectProblem(await remove(), 409, 'legal_hold');
  expect(await everything()).toEqual(before);
  await holdCustomer(owner, { customerId, isOnLegalHold: false });
  succeeded(await remove());
});

test('only an owner holds a customer, and one of the own organization', async ({ traces: { seller, customerId } }) => {
  const hold = { customerId, isOnLegalHold: true };
  const stranger = await openSeller();
  await expect(holdCustomer(staffContext(seller.orgId, 'pharmacist').ctx, hold)).rejects.toMatchObject({
    kind: 'forbidden',
  });
  await expect(holdCustomer(staffContext(stranger.orgId, 'owner').ctx, hold)).rejects.toMatchObject({
    code: 'customer_not_found',
  });
  expect(await rows('select legal_hold from customers where id = ?', customerId)).toEqual([{ legal_hold: 0 }]);
});

test('nobody is written into an order again after its erasure', async ({ traces: { seller, customerId } }) => {
  const [order] = await rows<{ id: string }>('select id from orders where customer_id = ?', customerId);
  succeeded(await erase(seller, customerId));
  const patch = { customer_name: 'Somebody Again' };
  expectProblem(await callApi(seller, 'PATCH', `/orders/${order?.id}`, { body: patch }), 409, 'order_locked');
  expect(await rows('select customer_name from orders where id = ?', order?.id)).toEqual([{ customer_name: null }]);
});

test('a deleted order names nobody any more', async ({ seller }) => {
  const order = await placeOrder(seller, { customer_name: 'Ludmilla Löschmich', address_street: 'Löschweg 1' });
  await moveOrder(seller, order.id, 'cancelled');
  succeeded(await callApi(seller, 'DELETE', `/orders/${order.id}`));
  const [row] = await rows('select * from orders where id = ?', order.id);
  expect(JSON.stringify(row)).not.toMatch(/Ludmilla|Löschweg/);
  expect(row).toMatchObject({ status: 'cancelled', customer_name: null, external_id: null });
});

test('a legal hold that comes between the look and the erasure still keeps everything', async () => {
  const { seller, customerId, pendingId, said } = await leaveTraces();
  const places = await placesOf(said);
  const DB = doctoredDb(async (trip, send) => {
    if (trip === 2)
      await setLegalHold(staffContext(seller.orgId, 'owner').ctx, { requestId: pendingId, isOnLegalHold: true });
    return send();
  });
  expectProblem(await erase(seller, customerId, { DB }), 409, 'legal_hold');
  expect(await placesOf(said)).toEqual(places);
  expect(await waitingFiles()).not.toContain(said.at(-1));
});

test('a request that is approved between the look and the erasure keeps the person until its order is over', async () => {
  const { seller, customerId, person, said } = await leaveTraces();
  const late = await request(seller, person);
  const DB = doctoredDb(async (trip, send) => {
    if (trip === 2) await approve(seller, late, { override_reason: 'x' });
    return send();
  });
  const places = await placesOf(said);
  const refused = await erase(seller, customerId, { DB });
  expectProblem(refused, 409, 'open_orders');
  const [row] = await rows<{ order_id: string }>(
    "select order_id from order_requests where status = 'approved' and id = ?",
    late,
  );
  expect(refused.body.order_ids).toEqual([row?.order_id]);
  expect(await placesOf(said)).toEqual(places);
  await moveOrder(seller, row?.order_id ?? '', ...STEPS_TO.cancelled);
  succeeded(await erase(seller, customerId));
  await sweepFiles();
  expect(await placesOf(said)).toEqual([]);
});

test('a legal hold is the owner’s, and on the organization’s own requests', async () => {
  const { seller, pendingId } = await leaveTraces();
  const stranger = await openSeller();
  const hold = { requestId: pendingId, isOnLegalHold: true };
  for (const role of ['pharmacist', 'staff'] as const) {
    await expect(setLegalHold(staffContext(seller.orgId, role).ctx, hold)).rejects.toMatchObject({ kind: 'forbidden' });
  }
  await expect(setLegalHold(staffContext(stranger.orgId, 'owner').ctx, hold)).rejects.toMatchObject({
    code: 'order_request_not_found',
  });
  expect(await rows('select legal_hold from order_requests where id = ?', pendingId)).toEqual([{ legal_hold: 0 }]);
  expect(await rows("select id from audit_log where entity_id = ? and action like '%held'", pendingId)).toEqual([]);
});

test('whoever orders again with that e-mail is a new customer', async ({ traces: { seller, person, customerId } }) => {
  succeeded(await erase(seller, customerId));
  const again = await placeOrder(seller, person);
  expect(again.customer.id).not.toBe(customerId);
  const exported = succeeded(await callApi(seller, 'GET', `/customers/${again.customer.id}`));
  expect(exported.customer.name).toBe(person.customer_name);
  expect(exported.orders.map(({ id }: { id: string }) => id)).toEqual([again.id]);
  expect(await rows('select name, email from customers where id = ?', customerId)).toEqual([
    { name: null, email: null },
  ]);
});

test('the caller’s id of an erased order makes a new order, and leaves the erased one empty', async () => {
  const { seller, person, customerId, upserted } = await leaveTraces();
  succeeded(await erase(seller, customerId));
  const again = await placeOrder(seller, { ...person, external_id: upserted.external_id });
  expect(again.id).not.toBe(upserted.id);
  expect(again.customer.id).not.toBe(customerId);
  const { customer } = await readOrder(seller, upserted.id);
  expect(customer).toEqual({ id: customerId, name: null, email: null, birth_date: null });
});

test('R2 fails during the sweep: the list keeps the key, and the next sweep deletes the file', async () => {
  const { seller, customerId, fileKey } = await leaveTraces();
  succeeded(await erase(seller, customerId));
  const FILES = filesWith({ delete: () => Promise.reject(new Error('R2 is down')) });
  await expect(sweepFiles({ FILES })).rejects.toThrow();
  expect(await waitingFiles()).toContain(fileKey);
  expect(await isInR2(fileKey)).toBe(true);
  await sweepFiles();
  expect(await waitingFiles()).toEqual([]);
  expect(await isInR2(fileKey)).toBe(false);
});

test('the process dies between R2 and the list: the next sweep finds no file and clears the list', async () => {
  const { seller, customerId, fileKey } = await leaveTraces();
  succeeded(await erase(seller, customerId));
  // The list, the installation's id, and the list again.
  const DB = doctoredDb((trip, send) => (trip === 3 ? Promise.reject(d1Down()) : send()));
  await expect(sweepFiles({ DB })).rejects.toMatchObject({ code: 'backend_unreachable' });
  expect(await isInR2(fileKey)).toBe(false);
  expect(await waitingFiles()).toContain(fileKey);
  await sweepFiles();
  expect(await waitingFiles()).toEqual([]);
});

test('D1 fails at the erasure: nothing is changed; the next try erases', async ({ traces: { seller, customerId } }) => {
  const before = await everything();
  const DB = doctoredDb((trip, send) => (trip === 2 ? Promise.reject(d1Down()) : send()));
  expectProblem(await erase(seller, customerId, { DB }), 502, 'backend_unreachable');
  expect(await everything()).toEqual(before);
  succeeded(await erase(seller, customerId));
});

test('a sweep with nothing to delete costs one round trip and leaves R2 alone', async () => {
  await sweepFiles();
  const remove = vi.fn();
  const { ctx } = systemContext({ env: { FILES: { delete: remove } as unknown as R2Bucket } });
  await sweepFileDeletions(ctx);
  expect(remove).not.toHaveBeenCalled();
  expect(ctx.db.meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
});
