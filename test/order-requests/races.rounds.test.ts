import { reopenOrderRequest } from '../../src/order-requests/review/decisions';
import type { Context } from '../../src/platform/context';
import { AppError } from '../../src/platform/errors/errors';
import { mapConcurrent } from '../../src/platform/map-concurrent';
import {
  itemOf,
  openOrder,
  openPrescribed,
  openRequest,
  orderBody,
  requestBody,
  staffContext,
  stockOf,
  upsert,
} from '../support/order-flow';
import {
  type Answer,
  callApi,
  holdProduct,
  importProducts,
  type OrganizationApi,
  succeeded,
} from '../support/organization';
import { doctoredDb } from '../support/probe';
import { rounds } from '../support/rounds';
import { expect, test } from '../support/test';
import { rows } from '../support/world';

const ROUNDS = rounds(8, 100);
const ROUNDS_AT_ONCE = 4;

/** One act of a race, with the environment that it runs in. */
interface Act {
  (changed: Partial<Env>): Promise<Answer>;
  /** The round trip in which it writes, if it is not the second one. */
  writesAt?: number;
}

const approving =
  (api: OrganizationApi, id: string): Act =>
  (changed) =>
    callApi(api, 'POST', `/order-requests/${id}/approve`, { body: {}, env: changed });

/** A database for each of two actions: neither writes before both have read; then the given one writes first. */
function meeting(acts: readonly Act[], firstToWrite: number): Partial<Env>[] {
  const hasRead = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const isSent = Promise.withResolvers<void>();
  return hasRead.map(({ resolve }, index) => ({
    DB: doctoredDb(async (trip, send) => {
      if (trip !== (acts[index]?.writesAt ?? 2)) return send();
      resolve();
      await Promise.all(hasRead.map(({ promise }) => promise));
      if (index !== firstToWrite) await isSent.promise;
      const sent = send();
      isSent.resolve();
      return sent;
    }),
  }));
}

/** Both acts at once. In most rounds both read before one of them writes; in every third they just run. */
async function race(round: number, ...acts: [Act, Act]): Promise<[Answer, Answer]> {
  const changed = round % 3 === 2 ? [] : meeting(acts, round % 3);
  // SAFETY: there is one response for each action.
  return (await Promise.all(acts.map((act, index) => act(changed[index] ?? {})))) as [Answer, Answer];
}

function play<T>(round: (round: number) => Promise<T>): Promise<T[]> {
  return mapConcurrent([...Array(ROUNDS).keys()], ROUNDS_AT_ONCE, round);
}

/** What an answer comes to: its status and, for a refusal, its code. */
const said = ({ status, body }: Answer) => (status < 300 ? String(status) : `${status} ${body.code}`);

/** Reopens a request as its page does. @returns what the API would answer */
async function reopen(ctx: Context, id: string): Promise<Answer> {
  const answer = (status: number, code?: string) => ({ status, headers: new Headers(), body: { code } });
  try {
    await reopenOrderRequest(ctx, id);
    return answer(200);
  } catch (error) {
    if (error instanceof AppError) return answer(409, error.code);
    throw error;
  }
}

/** Every round ended in one of these ways, and each way occurred at least once: otherwise there was no race. */
function expectOutcomes(outcomes: string[], possible: string[]): void {
  expect(outcomes).toHaveLength(ROUNDS);
  expect([...new Set(outcomes)].toSorted()).toEqual(possible.toSorted());
}

/** How many events of each type there are about each of these things. */
async function newsAbout(key: 'order_request_id' | 'order_id', id: string): Promise<Record<string, number>> {
  const found = await rows<{ type: string; n: number }>(
    `select type, count(*) as n from events where json_extract(body, '$.metadata.' || ?) = ? group by type order by type`,
    key,
    id,
  );
  return Object.fromEntries(found.map(({ type, n }) => [type, n]));
}

async function statusOf(table: 'orders' | 'order_requests', id: string) {
  const [row] = await rows<{ status: string }>(`select status from ${table} where id = ?`, id);
  return row?.status;
}

async function ordersOf(requestId: string) {
  const [row] = await rows<{ n: number }>('select count(*) as n from orders where order_request_id = ?', requestId);
  return row?.n;
}

/** Every ledger of the organization sums to its stock, and none is below zero. */
async function expectSoundStock(orgId: string): Promise<void> {
  const unsound = await rows(
    `select p1_id from inventory as i where org_id = ? and (stock_quantity < 0 or stock_quantity <>
      (select coalesce(sum(delta), 0) from stock_movements as m where m.org_id = i.org_id and m.p1_id = i.p1_id))`,
    orgId,
  );
  expect(unsound).toEqual([]);
}

test('of two approvals one makes the order, and the other learns who decided', async ({ api }) => {
  const product = await holdProduct(api, { stock: 1000 });
  const outcomes = await play(async (round) => {
    const id = await openRequest(api, { items: [itemOf(product, 2)] });
    const answers = await race(round, approving(api, id), approving(api, id));
    const loser = answers.find(({ status }) => status === 409);
    expect(loser?.body).toMatchObject({ decided_by: api.keyId, decided_at: expect.any(String) });
    const news = { order_created: 1, order_request_approved: 1, order_request_submitted: 1 };
    expect(await newsAbout('order_request_id', id)).toEqual(news);
    expect(await ordersOf(id)).toBe(1);
    return answers.map(said).join(' / ');
  });
  expectOutcomes(outcomes, ['200 / 409 already_decided', '409 already_decided / 200']);
  expect(await stockOf(api.orgId, product.p1_id)).toEqual({ stock: 1000 - 2 * ROUNDS, ledger: 1000 - 2 * ROUNDS });
});

test('of an approval and a rejection one decides', async ({ api }) => {
  const product = await holdProduct(api, { stock: 1000 });
  const outcomes = await play(async (round) => {
    const id = await openRequest(api, { items: [itemOf(product, 1)] });
    const rejecting: Act = (changed) =>
      callApi(api, 'POST', `/order-requests/${id}/reject`, { body: { reason_code: 'test' }, env: changed });
    const answers = await race(round, approving(api, id), rejecting);
    const isApproved = answers[0].status === 200;
    expect(await statusOf('order_requests', id)).toBe(isApproved ? 'approved' : 'rejected');
    expect(await newsAbout('order_request_id', id)).toEqual({
      order_request_submitted: 1,
      ...(isApproved ? { order_created: 1, order_request_approved: 1 } : { order_request_rejected: 1 }),
    });
    expect(await ordersOf(id)).toBe(isApproved ? 1 : 0);
    return answers.map(said).join(' / ');
  });
  expectOutcomes(outcomes, ['200 / 409 already_decided', '409 already_decided / 200']);
  const approved = outcomes.filter((outcome) => outcome.startsWith('200')).length;
  expect(await stockOf(api.orgId, product.p1_id)).toEqual({ stock: 1000 - approved, ledger: 1000 - approved });
});

test('of an approval and a deletion one stands: a deleted request is not there any more', async ({ api }) => {
  const product = await holdProduct(api, { stock: 1000 });
  const outcomes = await play(async (round) => {
    const id = await openRequest(api, { items: [itemOf(product, 1)] });
    const deleting: Act = (changed) => callApi(api, 'DELETE', `/order-requests/${id}`, { env: changed });
    const answers = await race(round, approving(api, id), deleting);
    const isApproved = answers[0].status === 200;
    const [row] = await rows('select status, customer_email, order_id from order_requests where id = ?', id);
    expect(row).toEqual(
      isApproved
        ? { status: 'approved', customer_email: 'erika@example.com', order_id: answers[0].body.order_id }
        : { status: 'deleted', customer_email: null, order_id: null },
    );
    expect(await newsAbout('order_request_id', id)).toEqual({
      order_request_submitted: 1,
      ...(isApproved ? { order_created: 1, order_request_approved: 1 } : { order_request_deleted: 1 }),
    });
    expect(await ordersOf(id)).toBe(isApproved ? 1 : 0);
    return answers.map(said).join(' / ');
  });
  expectOutcomes(outcomes, ['200 / 409 request_has_order', '404 order_request_not_found / 200']);
  await expectSoundStock(api.orgId);
});

test('of two requests for the last item one gets it, and stock is never below 0', async ({ api }) => {
  const products = await importProducts(...Array(ROUNDS).fill({}));
  const outcomes = await play(async (round) => {
    const p1_id = products[round]?.p1_id ?? '';
    succeeded(await callApi(api, 'POST', '/products/add-to-inventory', { body: { p1_id, initial_stock: 1 } }), 201);
    const items = [{ p1_id, quantity: 1, price: 1 }];
    const ids = [await openRequest(api, { items }), await openRequest(api, { items })] as const;
    const answers = await race(round, approving(api, ids[0]), approving(api, ids[1]));
    const statuses = await Promise.all(ids.map((id) => statusOf('order_requests', id)));
    expect(statuses.toSorted()).toEqual(['approved', 'pending']);
    expect(await stockOf(api.orgId, p1_id)).toEqual({ stock: 0, ledger: 0 });
    const orders = await Promise.all(ids.map(ordersOf));
    expect(orders.toSorted()).toEqual([0, 1]);
    // The one that came second by far sees what is missing; one that came at the same moment learns it from the database.
    return answers.map((answer) => said(answer).replace('not_approvable', 'insufficient_stock')).join(' / ');
  });
  expectOutcomes(outcomes, ['200 / 409 insufficient_stock', '409 insufficient_stock / 200']);
  const [counted] = await rows<{ sold: number; out: number }>(
    `select sum(type = 'order_created') as sold, sum(type = 'out_of_stock') as out from events where org_id = ?`,
    api.orgId,
  );
  expect(counted).toEqual({ sold: ROUNDS, out: ROUNDS });
  await expectSoundStock(api.orgId);
});

test('a cancellation and a payment in parallel never both succeed: a canceled order is not paid', async ({ api }) => {
  const product = await holdProduct(api, { stock: 1000 });
  const outcomes = await play(async (round) => {
    const items = [{ p1_id: product.p1_id, qty: 1, price: 1 }];
    const { id } = await openOrder(api, { items, payment_status: 'pending' });
    const cancelling: Act = (changed) =>
      callApi(api, 'PATCH', `/orders/${id}`, { body: { status: 'cancelled', reason_code: 'test' }, env: changed });
    const paying: Act = (changed) => callApi(api, 'POST', `/orders/${id}/mark-paid`, { body: {}, env: changed });
    const answers = await race(round, cancelling, paying);
    const isPaid = answers[1].status === 200;
    expect(await rows('select status, payment_status, holds_stock, version from orders where id = ?', id)).toEqual([
      {
        status: 'cancelled',
        payment_status: isPaid ? 'paid' : 'pending',
        holds_stock: 0,
        version: isPaid ? 3 : 2,
      },
    ]);
    expect(await newsAbout('order_id', id)).toEqual({
      order_created: 1,
      // The payment is a step, too: the order waited for it.
      order_status_updated: isPaid ? 2 : 1,
      ...(isPaid && { order_marked_paid: 1 }),
    });
    return answers.map(said).join(' / ');
  });
  expectOutcomes(outcomes, ['200 / 200', '200 / 409 order_not_payable']);
  expect(await stockOf(api.orgId, product.p1_id)).toEqual({ stock: 1000, ledger: 1000 });
});

test('of a reopening and a new submission with the same reference one is live', async ({ api }) => {
  const outcomes = await play(async (round) => {
    const external_reference = `RX-${round}`;
    const first = await openRequest(api, {}, { external_reference });
    succeeded(await callApi(api, 'POST', `/order-requests/${first}/reject`, { body: { reason_code: 'test' } }));
    const body = requestBody(api, { address_city: 'Köln' }, { external_reference });
    const reopening: Act = (changed) => reopen(staffContext(api.orgId, 'pharmacist', { env: changed }).ctx, first);
    const submitting: Act = (changed) => callApi(api, 'POST', '/order-requests', { body, env: changed });
    const answers = await race(round, reopening, submitting);
    const live = await rows<{ id: string }>(
      `select id from order_requests where org_id = ? and external_reference = ? and status = 'pending'`,
      api.orgId,
      external_reference,
    );
    const isReopened = answers[0].status === 200;
    expect(live).toEqual([{ id: isReopened ? first : answers[1].body.id }]);
    expect(await newsAbout('order_request_id', first)).toEqual({
      order_request_rejected: 1,
      order_request_submitted: 1,
    });
    return answers.map(said).join(' / ');
  });
  expectOutcomes(outcomes, ['200 / 409 external_reference_conflict', '409 superseded / 200']);
  const [counted] = await rows<{ n: number }>(
    `select count(*) as n from events where org_id = ? and type = 'order_request_submitted'`,
    api.orgId,
  );
  expect(counted?.n).toBe(ROUNDS + outcomes.filter((outcome) => outcome.endsWith('/ 200')).length);
});

test('of an upsert with other lines and a cancellation none loses stock', async ({ api }) => {
  const product = await holdProduct(api, { stock: 1000 });
  const lines = (qty: number) => [{ p1_id: product.p1_id, qty, price: 1 }];
  const outcomes = await play(async (round) => {
    const body = orderBody(api, { items: lines(3) });
    const { id } = succeeded(await upsert(api, body), 201);
    const cancelling: Act = (changed) =>
      callApi(api, 'PATCH', `/orders/${id}`, { body: { status: 'cancelled', reason_code: 'test' }, env: changed });
    const changing: Act = (changed) =>
      callApi(api, 'POST', '/orders', { body: { ...body, items: lines(5) }, env: changed });
    return (await race(round, cancelling, changing)).map(said).join(' / ');
  });
  expectOutcomes(outcomes, ['200 / 200', '200 / 409 order_locked']);
  expect(await stockOf(api.orgId, product.p1_id)).toEqual({ stock: 1000, ledger: 1000 });
});

/** The prescription is approved anew, for one piece. */
const coveringOne = (api: OrganizationApi, prescriptionId: string, p1_id: string): Act =>
  Object.assign(
    (changed: Partial<Env>) =>
      callApi(api, 'POST', `/prescriptions/${prescriptionId}/approve`, {
        body: { lines: [{ p1_id, quantity: 1 }] },
        env: changed,
      }),
    // In between it reads what its event is about.
    { writesAt: 3 },
  );

test('of an approval and a prescription approved anew for less, the former counts what is covered', async ({ api }) => {
  const outcomes = await play(async (round) => {
    const { id, product, prescriptionId } = await openPrescribed(api);
    succeeded(await callApi(api, 'POST', `/prescriptions/${prescriptionId}/approve`, { body: {} }));
    const answers = await race(round, approving(api, id), coveringOne(api, prescriptionId, product.p1_id));
    expect(await ordersOf(id)).toBe(answers[0].status === 200 ? 1 : 0);
    return answers.map(said).join(' / ');
  });
  expectOutcomes(outcomes, ['200 / 200', '409 not_approvable / 200']);
});

test('of a hand-over and a prescription approved anew for less, the former counts what is covered', async ({ api }) => {
  const outcomes = await play(async (round) => {
    const { id, product, prescriptionId } = await openPrescribed(api);
    succeeded(await callApi(api, 'POST', `/prescriptions/${prescriptionId}/approve`, { body: {} }));
    const { order_id } = succeeded(await callApi(api, 'POST', `/order-requests/${id}/approve`, { body: {} }));
    succeeded(await callApi(api, 'PATCH', `/orders/${order_id}`, { body: { status: 'ready_pickup' } }));
    const handingOver: Act = (changed) =>
      callApi(api, 'PATCH', `/orders/${order_id}`, { body: { status: 'picked_up' }, env: changed });
    const answers = await race(round, handingOver, coveringOne(api, prescriptionId, product.p1_id));
    expect(await statusOf('orders', order_id)).toBe(answers[0].status === 200 ? 'picked_up' : 'ready_pickup');
    return answers.map(said).join(' / ');
  });
  expectOutcomes(outcomes, ['200 / 200', '409 prescription_not_covering / 200']);
});
