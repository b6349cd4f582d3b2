import { sweepRetention } from '../../src/order-requests/sweep';
import { newId } from '../../src/platform/ids';
import { EVENT_TYPES, EVENTS, type EventType, envelopeSchema } from '../../src/webhooks/event-types';
import { costOf } from '../support/cost';
import { deleteRequest } from '../support/order-flow';
import { callApi, expectProblem, holdProduct, succeeded } from '../support/organization';
import { outsideAnswers } from '../support/outbound';
import { approve, erase, leaveOpenTraces, newPerson, pdfOf, placesOf, reject } from '../support/person';
import { accepted } from '../support/probe';
import { insertRows, quoted } from '../support/rows';
import { markPaid, moveOrder, openSeller, placeOrder, type Seller, STEPS_TO } from '../support/seller';
import { expect, test } from '../support/test';
import { attemptsOf, deliver, deliveriesOf, newReceiverUrl } from '../support/webhooks';
import { envelope, rows, submit, subscribe, systemContext } from '../support/world';

const DAY = 86_400_000;
/** What no other row of the test database holds. */
const mark = () => `Quitte-${newId()}`;

interface Said {
  seller: Seller;
  requestId: string;
  prescriptionId: string;
  orderId: string;
  customerId: string;
  references: string[];
}

/** A request that became an order, with a reference of the platform, of a payment and of a signature. */
async function sayEverything(): Promise<Said> {
  const seller = await openSeller();
  await subscribe(seller.orgId, newReceiverUrl(), [...EVENT_TYPES]);
  const person = newPerson();
  const references = [mark(), mark(), mark()];
  const [external_reference = '', payment_reference, signature_reference] = references;
  const payload = { ...person, prescription_pdf_base64: pdfOf(person), payment_status: 'pending' };
  const { id: requestId } = await accepted(await submit(seller, envelope(payload, { external_reference })));
  const [{ id: prescriptionId } = { id: '' }] = await rows<{ id: string }>(
    'select id from prescriptions where order_request_id = ?',
    requestId,
  );
  const signature = { provider: 'qes.example', signature_reference, signed_at: '2026-11-20T09:30:00Z' };
  succeeded(await callApi(seller, 'POST', `/prescriptions/${prescriptionId}/signature`, { body: signature }));
  const orderId = await approve(seller, requestId, { override_reason: 'x' });
  succeeded(await markPaid(seller, orderId, { payment_reference }));
  const order = succeeded(await callApi(seller, 'GET', `/orders/${orderId}`));
  return { seller, requestId, prescriptionId, orderId, customerId: order.customer.id, references };
}

async function bodiesOf(orgId: string): Promise<string[]> {
  return (await rows<{ body: string }>('select body from events where org_id = ? order by seq', orgId)).map(
    ({ body }) => body,
  );
}

/** The envelope with its references emptied, written as JSON.stringify writes it. */
function emptied(body: string): string {
  const event = JSON.parse(body);
  for (const name of ['external_reference', 'payment_reference', 'signature_reference']) {
    if (name in event.metadata) event.metadata[name] = '';
  }
  return JSON.stringify(event);
}

test('after a customer’s erasure no event holds a reference, and every envelope is otherwise the same byte for byte', async () => {
  const { seller, orderId, customerId, references } = await sayEverything();
  await moveOrder(seller, orderId, ...STEPS_TO.picked_up);
  expect(await placesOf(references)).toContain('events.body');
  const other = await sayEverything();
  const [before, others] = [await bodiesOf(seller.orgId), await bodiesOf(other.seller.orgId)];
  succeeded(await erase(seller, customerId));
  expect(await placesOf(references)).toEqual([]);
  expect(await bodiesOf(seller.orgId)).toEqual(before.map(emptied));
  for (const body of await bodiesOf(seller.orgId)) {
    const event = envelopeSchema.parse(JSON.parse(body));
    expect(EVENTS[event.event_type as EventType].metadata.safeParse(event.metadata).success).toBe(true);
  }
  expect(await bodiesOf(other.seller.orgId)).toEqual(others);
  const feed = succeeded(await callApi(seller, 'GET', '/events?limit=200'));
  for (const reference of references) expect(JSON.stringify(feed)).not.toContain(reference);
});

test('umlauts, quotes and escapes in what stays of an event keep their bytes', async ({ seller }) => {
  const source = 'tele"med\\ \u2028 ä 😀';
  const { id } = await accepted(await submit(seller, envelope({}, { source })));
  const before = await bodiesOf(seller.orgId);
  succeeded(await deleteRequest(seller, id));
  expect((await bodiesOf(seller.orgId))[0]).toBe(emptied(before[0] ?? ''));
});

test('a deleted request leaves its reference in no event, the one about its deletion included', async ({ seller }) => {
  const external_reference = mark();
  const { id } = await accepted(await submit(seller, envelope({}, { external_reference })));
  await reject(seller, id);
  succeeded(await deleteRequest(seller, id));
  expect(await placesOf([external_reference])).toEqual([]);
});

test('a deleted order leaves its references in no event, and its request keeps its own', async () => {
  const { seller, orderId, requestId, references } = await sayEverything();
  await moveOrder(seller, orderId, 'cancelled');
  succeeded(await callApi(seller, 'DELETE', `/orders/${orderId}`));
  const [, paid = ''] = references;
  expect(await placesOf([paid])).toEqual([]);
  const about = (await bodiesOf(seller.orgId)).map((body) => JSON.parse(body).metadata);
  expect(about.filter(({ order_id }) => order_id === orderId).map((each) => each.external_reference ?? '')).toEqual(
    expect.not.arrayContaining([expect.stringMatching(/./)]),
  );
  expect(about.find((each) => each.order_request_id === requestId && !each.order_id)).toMatchObject({
    external_reference: references[0],
  });
});

test('retention of a few days empties the events of what it takes out', async () => {
  const seller = await openSeller({ request_retention_days: 10 });
  const [old, young] = [mark(), mark()];
  const { id } = await accepted(await submit(seller, envelope({}, { external_reference: old })));
  await reject(seller, id);
  await accepted(await submit(seller, envelope({}, { external_reference: young })));
  const now = Date.now() + 11 * DAY;
  await sweepRetention(systemContext({ now: () => now }).ctx);
  expect(await placesOf([old])).toEqual([]);
  expect(await placesOf([young])).toContain('events.body');
});

test('a run that is still open delivers what the event holds then, under its own signature', async () => {
  const { seller, orderId, customerId, references } = await sayEverything();
  await moveOrder(seller, orderId, ...STEPS_TO.picked_up);
  const due = (await deliveriesOf(seller.orgId)).map(({ id }) => id);
  succeeded(await erase(seller, customerId));
  const calls = outsideAnswers();
  for (let at = 0; at < due.length; at += 10) await deliver(due.slice(at, at + 10));
  expect(calls).toHaveLength(due.length);
  const stored = await bodiesOf(seller.orgId);
  for (const { text } of calls) {
    expect(stored).toContain(text);
    for (const reference of references) expect(text).not.toContain(reference);
  }
});

test('what a receiver echoed of an erased event is emptied with it', async ({ seller }) => {
  await subscribe(seller.orgId, newReceiverUrl());
  const external_reference = mark();
  const { id } = await accepted(await submit(seller, envelope({}, { external_reference })));
  await accepted(await submit(seller, envelope()));
  outsideAnswers(({ text }) => new Response(`got ${text}`));
  const [first, second] = await deliveriesOf(seller.orgId);
  await deliver([first?.id ?? '', second?.id ?? '']);
  expect(await placesOf([external_reference])).toContain('delivery_attempts.answer_excerpt');
  succeeded(await deleteRequest(seller, id));
  expect(await placesOf([external_reference])).toEqual([]);
  expect(await attemptsOf(second?.id ?? '')).toMatchObject([{ answer_excerpt: expect.stringContaining('got') }]);
});

test('the platform’s free text for an item goes, and the catalog’s name stands there instead', async ({ seller }) => {
  const { p1_id, name } = await holdProduct(seller, { stock: 10 });
  const said = mark();
  const items = [
    { p1_id, name: `Für ${said}`, qty: 2, price: 4.95 },
    { name: `Rezeptur für ${said}`, qty: 1, price: 10 },
  ];
  const order = await placeOrder(seller, { ...newPerson(), items });
  await moveOrder(seller, order.id, ...STEPS_TO.cancelled);
  succeeded(await erase(seller, order.customer.id));
  expect(await placesOf([said])).toEqual([]);
  const after = succeeded(await callApi(seller, 'GET', `/orders/${order.id}`));
  expect(after.items).toMatchObject([
    { p1_id, name, qty: 2, price: 4.95, prescription_required: false },
    { p1_id: null, name: '', qty: 1, price: 10, prescription_required: false },
  ]);
});

test('each waiting request of an erased person sends order_request_deleted, nothing else does', async ({ seller }) => {
  await subscribe(seller.orgId, newReceiverUrl(), ['order_request_deleted']);
  const person = newPerson();
  const order = await placeOrder(seller, person);
  await moveOrder(seller, order.id, ...STEPS_TO.cancelled);
  const send = async () => (await accepted(await submit(seller, envelope(person)))).id;
  const [first, second, rejected] = [await send(), await send(), await send()];
  await reject(seller, rejected);
  succeeded(await erase(seller, order.customer.id));
  const events = await rows<{ id: string; body: string }>(
    "select id, body from events where org_id = ? and type = 'order_request_deleted' order by seq",
    seller.orgId,
  );
  const metadata = (id: string) => ({
    order_request_id: id,
    external_reference: '',
    shop_id: seller.shopId,
    source: 'telemed.example',
  });
  const said = events.map(({ body }) => envelopeSchema.parse(JSON.parse(body)).metadata);
  expect(said).toHaveLength(2);
  expect(said).toEqual(expect.arrayContaining([metadata(first), metadata(second)]));
  expect((await deliveriesOf(seller.orgId)).map(({ event_id }) => event_id).sort()).toEqual(
    events.map(({ id }) => id).sort(),
  );
});

test('a customer with an order under way is not erased: 409 names the orders; once they are over, it goes', async () => {
  const traces = await leaveOpenTraces();
  const { seller, customerId, orderId, upserted, said } = traces;
  const places = await placesOf(said);
  const refused = await erase(seller, customerId);
  expectProblem(refused, 409, 'open_orders');
  expect(refused.body.order_ids.sort()).toEqual([orderId, upserted.id].sort());
  expect(await placesOf(said)).toEqual(places);
  await moveOrder(seller, upserted.id, 'cancelled');
  const again = await erase(seller, customerId);
  expectProblem(again, 409, 'open_orders');
  expect(again.body.order_ids).toEqual([orderId]);
  await moveOrder(seller, orderId, 'ready_pickup', 'picked_up');
  succeeded(await erase(seller, customerId));
});

test('deleting what came today reads none of the events of the weeks before', async () => {
  const cost = async (events: number) => {
    const seller = await openSeller();
    const day = new Date(Date.now() - 10 * DAY).getTime().toString(16).padStart(12, '0');
    await insertRows('events', events, {
      id: `'${day.slice(0, 8)}-${day.slice(8)}-7000-8000-' || printf('%012d', i) || hex(randomblob(4))`,
      ...{ org_id: quoted(seller.orgId), type: `'order_request_submitted'` },
      body: `'{"metadata":{"order_request_id":"x","external_reference":"y"}}'`,
    });
    const { id } = await accepted(await submit(seller, envelope()));
    return costOf(async () => succeeded(await deleteRequest(seller, id)));
  };
  const [few, many] = [await cost(10), await cost(2_000)];
  expect(many.rowsRead).toBeLessThan(few.rowsRead + 50);
  expect(many).toMatchObject({ roundTrips: few.roundTrips, rowsWritten: few.rowsWritten });
});
