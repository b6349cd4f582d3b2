import { setLegalHold } from '../../src/order-requests/erasure/erase';
import { readReview } from '../../src/order-requests/inbox/inbox';
import {
  addPrescription,
  addRequestNote,
  answerQuestion,
  askQuestion,
  reopenOrderRequest,
  setAsidePrescription,
  undoSetAside,
} from '../../src/order-requests/review/decisions';
import { discardDraft, saveReview } from '../../src/order-requests/review/draft';
import { addOrderNote } from '../../src/orders/timeline/notes';
import { fromBase64 } from '../../src/platform/crypto/crypto';
import { newId } from '../../src/platform/ids';
import { fetchAgain, viewPrescription } from '../../src/prescriptions/review';
import { redeliver } from '../../src/webhooks/log/log';
import { decide, staffContext } from '../support/order-flow';
import { callApi, createKey, holdProduct, revokeKey, succeeded } from '../support/organization';
import { outsideAnswers } from '../support/outbound';
import { newPerson, pdfOf, request } from '../support/person';
import { makeLink, markPaid, moveOrder, placeOrder, type Seller } from '../support/seller';
import { expect, test } from '../support/test';
import { deliver, deliveriesOf, newReceiverUrl } from '../support/webhooks';
import { operate, rows, subscribe } from '../support/world';

interface AuditRow {
  actor_kind: string;
  actor_id: string | null;
  action: string;
  entity_id: string;
  fields: string | null;
  reason_code: string | null;
}

/** The audit row that an action should write; the other columns are null. */
interface Expected {
  actor_kind: 'api_key' | 'staff' | 'operator';
  actor_id: string | null;
  action: string;
  entity_id: string;
  fields?: string[];
  reason_code?: string;
}

/** Prepares and runs an action. @returns the audit row that it should write */
type Act = (seller: Seller, doing: (act: () => Promise<unknown>) => Promise<void>) => Promise<Expected>;

/** Part of every free text and value of an action; no audit row may contain it. */
const SENTINEL = `quitte${newId().replaceAll('-', '')}`;

function auditsOf(orgId: string): Promise<AuditRow[]> {
  return rows<AuditRow>(
    `select actor_kind, actor_id, action, entity_id, fields, reason_code from audit_log where org_id = ? order by id`,
    orgId,
  );
}

function byKey(seller: Seller, entry: Omit<Expected, 'actor_kind' | 'actor_id'>): Expected {
  return { actor_kind: 'api_key', actor_id: seller.keyId, ...entry };
}

function byOperator(entry: Omit<Expected, 'actor_kind' | 'actor_id'>): Expected {
  return { actor_kind: 'operator', actor_id: 'test', ...entry };
}

const person = { ...newPerson(), customer_name: SENTINEL, address_street: SENTINEL, payment_reference: SENTINEL };
const items = [{ name: SENTINEL, quantity: 1, price: 4.95 }];

function freshHost(): string {
  return `${SENTINEL}-${newId().slice(-12)}.localhost`;
}

function openPending(seller: Seller): Promise<string> {
  return request(seller, { ...person, items });
}

async function openPrescription(seller: Seller): Promise<{ id: string; requestId: string }> {
  const requestId = await request(seller, { ...person, items, prescription_pdf_base64: pdfOf(newPerson()) });
  const [row] = await rows<{ id: string }>('select id from prescriptions where order_request_id = ?', requestId);
  return { id: row?.id ?? '', requestId };
}

function patch(seller: Seller, id: string, body: Record<string, unknown>) {
  return callApi(seller, 'PATCH', `/orders/${id}`, { body }).then(succeeded);
}

const ACTS: Record<string, Act> = {
  'approving a request': async (seller, doing) => {
    const { p1_id } = await holdProduct(seller);
    const id = await request(seller, { ...person, items: [{ p1_id, quantity: 1, price: 1 }] });
    await doing(() => decide(seller, id, 'approve', {}).then(succeeded));
    return byKey(seller, { action: 'order_request.approved', entity_id: id });
  },
  'approving a request over its blockers': async (seller, doing) => {
    const id = await openPending(seller);
    await doing(() => decide(seller, id, 'approve', { override_reason: SENTINEL }).then(succeeded));
    return byKey(seller, { action: 'order_request.approved', entity_id: id, fields: ['override_reason'] });
  },
  'rejecting a request': async (seller, doing) => {
    const id = await openPending(seller);
    await doing(() => decide(seller, id, 'reject', { reason_code: 'underage', note: SENTINEL }).then(succeeded));
    return byKey(seller, { action: 'order_request.rejected', entity_id: id, reason_code: 'underage' });
  },
  'reopening a request': async (seller, doing) => {
    const id = await openPending(seller);
    succeeded(await decide(seller, id, 'reject', { reason_code: 'test' }));
    const { ctx, memberId } = staffContext(seller.orgId);
    await doing(() => reopenOrderRequest(ctx, id));
    return { actor_kind: 'staff', actor_id: memberId, action: 'order_request.reopened', entity_id: id };
  },
  'deleting a request': async (seller, doing) => {
    const id = await openPending(seller);
    await doing(() => callApi(seller, 'DELETE', `/order-requests/${id}`).then(succeeded));
    return byKey(seller, { action: 'order_request.deleted', entity_id: id });
  },
  'asking for more about a request': async (seller, doing) => {
    const id = await openPending(seller);
    const { ctx, memberId } = staffContext(seller.orgId, 'staff');
    await doing(() => askQuestion(ctx, { id, code: 'other', text: SENTINEL }));
    return { actor_kind: 'staff', actor_id: memberId, action: 'order_request.needs_info', entity_id: id };
  },
  'answering a question about a request': async (seller, doing) => {
    const id = await openPending(seller);
    const { ctx, memberId } = staffContext(seller.orgId, 'staff');
    await askQuestion(ctx, { id, code: 'other', text: SENTINEL });
    const [question] = (await readReview(ctx, id)).questions;
    await doing(() => answerQuestion(ctx, { id, questionId: question?.id ?? '', answer: SENTINEL }));
    return { actor_kind: 'staff', actor_id: memberId, action: 'order_request.info_settled', entity_id: id };
  },
  'a note about a request': async (seller, doing) => {
    const id = await openPending(seller);
    const { ctx, memberId } = staffContext(seller.orgId, 'staff');
    await doing(() => addRequestNote(ctx, { id, text: SENTINEL }));
    return { actor_kind: 'staff', actor_id: memberId, action: 'order_request.noted', entity_id: id };
  },
  'preparing a review': async (seller, doing) => {
    const id = await openPending(seller);
    const { ctx, memberId } = staffContext(seller.orgId, 'staff');
    const lines = [{ name: SENTINEL, quantity: 1, priceCents: 1, p1Id: null, productId: null }];
    await doing(() => saveReview(ctx, { id, lines, acknowledged: [], payment: null, version: null }));
    return { actor_kind: 'staff', actor_id: memberId, action: 'order_request.draft_saved', entity_id: id };
  },
  'discarding what was prepared': async (seller, doing) => {
    const id = await openPending(seller);
    const { ctx, memberId } = staffContext(seller.orgId, 'staff');
    const version = await saveReview(ctx, { id, lines: [], acknowledged: [], payment: null, version: null });
    await doing(() => discardDraft(ctx, { id, version }));
    return { actor_kind: 'staff', actor_id: memberId, action: 'order_request.draft_discarded', entity_id: id };
  },
  'a note about an order': async (seller, doing) => {
    const { id } = await placeOrder(seller, person);
    const { ctx, memberId } = staffContext(seller.orgId, 'staff');
    await doing(() => addOrderNote(ctx, { id, text: SENTINEL }));
    return { actor_kind: 'staff', actor_id: memberId, action: 'order.noted', entity_id: id };
  },
  'holding a request': async (seller, doing) => {
    const requestId = await openPending(seller);
    const { ctx, memberId } = staffContext(seller.orgId, 'owner');
    await doing(() => setLegalHold(ctx, { requestId, isOnLegalHold: true }));
    return { actor_kind: 'staff', actor_id: memberId, action: 'order_request.held', entity_id: requestId };
  },
  'releasing a request': async (seller, doing) => {
    const requestId = await openPending(seller);
    const { ctx, memberId } = staffContext(seller.orgId, 'owner');
    await doing(() => setLegalHold(ctx, { requestId, isOnLegalHold: false }));
    return { actor_kind: 'staff', actor_id: memberId, action: 'order_request.released', entity_id: requestId };
  },
  'making an order': async (seller, doing) => {
    let id = '';
    await doing(async () => {
      id = (await placeOrder(seller, person)).id;
    });
    return byKey(seller, { action: 'order.created', entity_id: id });
  },
  'changing an order by upsert': async (seller, doing) => {
    const { id, external_id } = await placeOrder(seller, person);
    const body = {
      shop_id: seller.shopId,
      external_id,
      ...person,
      address_city: SENTINEL,
      items: [{ name: SENTINEL, qty: 1, price: 5 }],
    };
    await doing(() => callApi(seller, 'POST', '/orders', { body }).then(succeeded));
    return byKey(seller, { action: 'order.updated', entity_id: id, fields: ['address_city', 'items'] });
  },
  'changing an order’s fields and flags': async (seller, doing) => {
    const { id } = await placeOrder(seller);
    const body = { on_hold: true, hold_reason: SENTINEL, note: SENTINEL, customer_name: SENTINEL, express: true };
    await doing(() => patch(seller, id, body));
    const fields = ['on_hold', 'express', 'note', 'customer_name'];
    return byKey(seller, { action: 'order.updated', entity_id: id, fields });
  },
  'moving an order on': async (seller, doing) => {
    const { id } = await placeOrder(seller);
    await doing(() => patch(seller, id, { status: 'awaiting_packing' }));
    return byKey(seller, { action: 'order.updated', entity_id: id, fields: ['status:awaiting_packing'] });
  },
  'cancelling an order': async (seller, doing) => {
    const { id } = await placeOrder(seller);
    await doing(() => patch(seller, id, { status: 'cancelled', reason_code: 'suspected_fraud' }));
    const entry = {
      action: 'order.updated',
      entity_id: id,
      fields: ['status:cancelled'],
      reason_code: 'suspected_fraud',
    };
    return byKey(seller, entry);
  },
  'deleting an order': async (seller, doing) => {
    const { id } = await placeOrder(seller);
    await moveOrder(seller, id, 'cancelled');
    await doing(() => callApi(seller, 'DELETE', `/orders/${id}`).then(succeeded));
    return byKey(seller, { action: 'order.deleted', entity_id: id });
  },
  'marking an order paid': async (seller, doing) => {
    const { id } = await placeOrder(seller);
    await doing(() => markPaid(seller, id, { payment_reference: SENTINEL }).then(succeeded));
    return byKey(seller, { action: 'order.marked_paid', entity_id: id, fields: ['status:awaiting_packing'] });
  },
  'making a payment link': async (seller, doing) => {
    const { id } = await placeOrder(seller);
    let linkId = '';
    await doing(async () => {
      linkId = (await makeLink(seller, id)).payment_link_id;
    });
    return byKey(seller, { action: 'payment_link.created', entity_id: linkId });
  },
  'erasing a customer': async (seller, doing) => {
    const { id, customer } = await placeOrder(seller, person);
    await moveOrder(seller, id, 'cancelled');
    await doing(() => callApi(seller, 'DELETE', `/customers/${customer.id}`).then(succeeded));
    return byKey(seller, { action: 'customer.erased', entity_id: customer.id });
  },
  'approving a prescription': async (seller, doing) => {
    const { id } = await openPrescription(seller);
    await doing(() => callApi(seller, 'POST', `/prescriptions/${id}/approve`, { body: {} }).then(succeeded));
    return byKey(seller, { action: 'prescription.approved', entity_id: id });
  },
  'reporting a signature': async (seller, doing) => {
    const { id } = await openPrescription(seller);
    const body = { provider: SENTINEL, signature_reference: SENTINEL, signed_at: '2026-11-20T09:30:00Z' };
    await doing(() => callApi(seller, 'POST', `/prescriptions/${id}/signature`, { body }).then(succeeded));
    return byKey(seller, { action: 'prescription.signature_completed', entity_id: id });
  },
  'setting a prescription aside': async (seller, doing) => {
    const { requestId, id } = await openPrescription(seller);
    const { ctx, memberId } = staffContext(seller.orgId);
    await doing(() => setAsidePrescription(ctx, { id, requestId, reason: SENTINEL }));
    return { actor_kind: 'staff', actor_id: memberId, action: 'prescription.set_aside', entity_id: id };
  },
  'taking a prescription back': async (seller, doing) => {
    const { requestId, id } = await openPrescription(seller);
    const { ctx, memberId } = staffContext(seller.orgId);
    await setAsidePrescription(ctx, { id, requestId, reason: SENTINEL });
    await doing(() => undoSetAside(ctx, { id, requestId }));
    return { actor_kind: 'staff', actor_id: memberId, action: 'prescription.taken_back', entity_id: id };
  },
  'uploading a prescription': async (seller, doing) => {
    const { requestId } = await openPrescription(seller);
    const { ctx, memberId } = staffContext(seller.orgId, 'pharmacist');
    let id = '';
    await doing(async () => {
      ({ id } = await addPrescription(ctx, { id: requestId, bytes: fromBase64(pdfOf(newPerson())) }));
    });
    return { actor_kind: 'staff', actor_id: memberId, action: 'prescription.uploaded', entity_id: id };
  },
  'looking at a prescription': async (seller, doing) => {
    const { id } = await openPrescription(seller);
    const { ctx, memberId } = staffContext(seller.orgId, 'pharmacist');
    await doing(async () => {
      const { body } = await viewPrescription(ctx, id);
      await body.cancel();
    });
    return { actor_kind: 'staff', actor_id: memberId, action: 'prescription.viewed', entity_id: id };
  },
  'fetching a prescription again': async (seller, doing) => {
    const link = `https://files-${newId()}.example.com/${SENTINEL}.pdf`;
    const requestId = await request(seller, { ...person, prescription_pdf_url: link });
    await rows("update prescriptions set status = 'fetch_failed' where order_request_id = ?", requestId);
    const [row] = await rows<{ id: string }>('select id from prescriptions where order_request_id = ?', requestId);
    const { ctx, memberId } = staffContext(seller.orgId, 'pharmacist');
    await doing(() => fetchAgain(ctx, row?.id ?? ''));
    const entity_id = row?.id ?? '';
    return { actor_kind: 'staff', actor_id: memberId, action: 'prescription.fetch_requested', entity_id };
  },
  'changing an organization': async ({ orgId }, doing) => {
    await doing(() => operate(`/organizations/${orgId}`, { name: SENTINEL }, 'PATCH'));
    return byOperator({ action: 'organization.updated', entity_id: orgId, fields: ['name'] });
  },
  'opening a shop': async ({ orgId }, doing) => {
    let id = '';
    await doing(async () => {
      const shop = { name: SENTINEL, hosts: [freshHost()] };
      id = (await operate(`/organizations/${orgId}/shops`, shop)).shop_id ?? '';
    });
    return byOperator({ action: 'shop.created', entity_id: id });
  },
  'adding a host': async ({ orgId, shopId }, doing) => {
    const host = freshHost();
    await doing(() => operate(`/organizations/${orgId}/shops/${shopId}/hosts`, { host }));
    return byOperator({ action: 'shop_host.activated', entity_id: shopId });
  },
  'making a key': async ({ orgId }, doing) => {
    let id = '';
    await doing(async () => {
      id = (await createKey(orgId, ['orders.read'])).keyId;
    });
    return byOperator({ action: 'api_key.created', entity_id: id });
  },
  'revoking a key': async ({ orgId, keyId }, doing) => {
    await doing(() => revokeKey(orgId, keyId));
    return byOperator({ action: 'api_key.revoked', entity_id: keyId });
  },
  'subscribing to events': async ({ orgId }, doing) => {
    let id = '';
    await doing(async () => {
      id = (await subscribe(orgId, `https://${SENTINEL}.example.com/in`)).subscriptionId;
    });
    return byOperator({ action: 'subscription.created', entity_id: id });
  },
  'delivering an event once more': async (seller, doing) => {
    outsideAnswers();
    await subscribe(seller.orgId, newReceiverUrl(), ['order_created']);
    await placeOrder(seller, person);
    const [delivery] = await deliveriesOf(seller.orgId);
    await deliver([delivery?.id ?? '']);
    const { ctx, memberId } = staffContext(seller.orgId, 'owner');
    let id = '';
    await doing(async () => {
      id = (await redeliver(ctx, delivery?.id ?? '')).deliveryId;
    });
    return { actor_kind: 'staff', actor_id: memberId, action: 'delivery.redelivered', entity_id: id };
  },
};

test.for(Object.entries(ACTS))('%s leaves one row: who, what, of what, which fields', async ([_, act], { seller }) => {
  let before = 0;
  let after: AuditRow[] = [];
  const expected = await act(seller, async (doing) => {
    before = (await auditsOf(seller.orgId)).length;
    await doing();
    after = await auditsOf(seller.orgId);
  });
  expect(after.slice(before)).toEqual([
    {
      ...expected,
      fields: expected.fields === undefined ? null : JSON.stringify(expected.fields),
      reason_code: expected.reason_code ?? null,
    },
  ]);
  // Its row holds no value and no free text.
  const values = [SENTINEL, person.customer_email, 'ofz_', 'whsec_', seller.apiKey];
  for (const value of values) expect(JSON.stringify(after).toLowerCase()).not.toContain(value.toLowerCase());
});

test('an order request through the API leaves none: its row is the record', async ({ seller }) => {
  const before = await auditsOf(seller.orgId);
  const body = { shop_id: seller.shopId, payload: { ...person, items } };
  succeeded(await callApi(seller, 'POST', '/order-requests', { body }));
  expect(await auditsOf(seller.orgId)).toEqual(before);
});

test('what changes nothing leaves none', async ({ seller }) => {
  const order = await placeOrder(seller, { ...person, payment_status: 'paid' });
  const prescription = await openPrescription(seller);
  const approving = () => callApi(seller, 'POST', `/prescriptions/${prescription.id}/approve`, { body: {} });
  succeeded(await approving());
  const before = await auditsOf(seller.orgId);
  const { items: _, ...rest } = { ...person, items };
  const same = {
    shop_id: seller.shopId,
    external_id: order.external_id,
    ...rest,
    payment_status: 'paid',
    items: [{ name: 'Blutdruckmessgerät', qty: 1, price: 24.9 }],
  };
  succeeded(await callApi(seller, 'POST', '/orders', { body: same }));
  await patch(seller, order.id, { status: order.status, express: false, customer_name: SENTINEL });
  succeeded(await markPaid(seller, order.id));
  succeeded(await approving());
  expect(await auditsOf(seller.orgId)).toEqual(before);
});

test('what is refused leaves none', async ({ seller }) => {
  const [order, id] = [await placeOrder(seller), await openPending(seller)];
  const before = await auditsOf(seller.orgId);
  const refusals = [
    await decide(seller, id, 'approve', {}),
    await callApi(seller, 'PATCH', `/orders/${order.id}`, { body: { status: 'delivered' } }),
    await callApi(seller, 'DELETE', `/orders/${order.id}`),
    await callApi(seller, 'DELETE', `/customers/${newId()}`),
  ];
  expect(refusals.map(({ status }) => status)).toEqual([409, 409, 409, 404]);
  expect(await auditsOf(seller.orgId)).toEqual(before);
});

test('every row names the request that made it', async ({ seller }) => {
  const answer = await callApi(seller, 'POST', '/orders', {
    body: { shop_id: seller.shopId, external_id: newId(), ...person, items: [{ name: 'x', qty: 1, price: 1 }] },
  });
  const [row] = await rows('select request_id from audit_log where entity_id = ?', succeeded(answer, 201).id);
  expect(row).toEqual({ request_id: answer.headers.get('X-Request-Id') });
});
