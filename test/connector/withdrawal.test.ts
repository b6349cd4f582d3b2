import { readJournal } from '../../src/audit/journal';
import { returnOrder } from '../../src/orders/return';
import { ORDER_STATUSES } from '../../src/orders/tables';
import { faultyDatabase } from '../support/faults';
import {
  approve,
  atOnce,
  eventsAfter,
  getOrder,
  getRequest,
  orderRow,
  patchOrder,
  reject,
  requestRow,
  setPacked,
  setStatus,
  stockOf,
} from '../support/order-flow';
import { expectProblem, footprint, succeeded } from '../support/organization';
import { send, sendApproved, staffOf, statusOf, withdraw } from '../support/platform';
import { captureLogs, meteredDb } from '../support/probe';
import { auditOf } from '../support/rows';
import type { Seller } from '../support/seller';
import { describe, expect, test } from '../support/test';
import { ONE_DATABASE, rows } from '../support/world';

const WITHDRAWN_ORDER = { status: 'approved', withdrawal: 'requested' };

/** Ids of the requests that the journal says are erased. */
async function journaled(seller: Seller): Promise<string[]> {
  const { entries } = await readJournal(staffOf(seller), {}, 1000);
  return entries.flatMap((entry) => (entry?.orgId === seller.orgId ? entry.requestIds : []));
}

describe('a withdrawal of a pending request', () => {
  test('deletes it, says so, and is the same when it is repeated', async ({ seller }) => {
    const { id } = await send(seller);
    const happened = await eventsAfter(seller.orgId, async () => {
      expect(await withdraw(seller, id)).toMatchObject({
        status: 200,
        body: { id, status: 'deleted', withdrawal: 'accepted' },
      });
    });
    expect(happened).toEqual([
      {
        type: 'order_request_deleted',
        metadata: { order_request_id: id, external_reference: '', shop_id: seller.shopId, source: 'telemed.example' },
      },
    ]);
    expect(await requestRow(id)).toMatchObject({ customer_name: null, payload: null, items: '[]' });
    expect(await auditOf(id)).toMatchObject([
      { action: 'order_request.deleted', actor_kind: 'api_key', reason_code: 'customer_withdrew' },
    ]);
    expect(await journaled(seller)).toEqual([id]);
    const before = await footprint(seller.orgId);
    expect(await withdraw(seller, id)).toMatchObject({ status: 200, body: { status: 'deleted' } });
    expect(await footprint(seller.orgId)).toEqual(before);
    expect(succeeded(await statusOf(seller, id))).toMatchObject({
      status: 'deleted',
      withdrawal: 'accepted',
      reason_code: 'customer_withdrew',
    });
  });

  test('is refused while it is kept for legal reasons', async ({ seller }) => {
    const { id } = await send(seller);
    await rows('update order_requests set legal_hold = 1 where id = ?', id);
    expectProblem(await withdraw(seller, id), 409, 'legal_hold');
    expect(await requestRow(id)).toMatchObject({ status: 'pending', withdrawal: 'none' });
  });

  test('twice at once deletes once, and both are told', async ({ seller }) => {
    const { id } = await send(seller);
    const happened = await eventsAfter(seller.orgId, async () => {
      const answers = await atOnce(...Array.from({ length: 4 }, () => () => withdraw(seller, id)));
      for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { status: 'deleted' } });
    });
    expect(happened).toHaveLength(1);
  });
});

describe('a withdrawal of an order', () => {
  test('holds it and asks staff, once', async ({ seller }) => {
    const { id, orderId } = await sendApproved(seller);
    const happened = await eventsAfter(seller.orgId, async () => {
      expect(await withdraw(seller, id)).toMatchObject({ status: 202, body: { id, ...WITHDRAWN_ORDER } });
    });
    const { external_reference } = await getRequest(seller, id);
    const sent = { order_request_id: id, external_reference };
    expect(happened).toEqual([
      {
        type: 'order_status_updated',
        metadata: {
          order_id: orderId,
          old_status: 'awaiting_packing',
          new_status: 'awaiting_packing',
          changed_flags: ['on_hold'],
          ...sent,
        },
      },
      { type: 'order_updated', metadata: { order_id: orderId, changed_fields: ['withdrawal'], ...sent } },
    ]);
    expect(await getOrder(seller, orderId)).toMatchObject({
      withdrawal: 'requested',
      hold_reason: 'withdrawal',
      flags: { on_hold: true },
    });
    expect(await getRequest(seller, id)).toMatchObject({ withdrawal: 'requested' });
    const before = await footprint(seller.orgId);
    expect(await withdraw(seller, id)).toMatchObject({ status: 202, body: { id, ...WITHDRAWN_ORDER } });
    expect(await footprint(seller.orgId)).toEqual(before);
    succeeded(await patchOrder(seller, orderId, { status: 'ready_pickup' }));
    expectProblem(await patchOrder(seller, orderId, { status: 'picked_up' }), 409, 'on_hold');
  });

  test('is accepted by cancelling: stock comes back, the hold goes, and a repetition is told', async ({ seller }) => {
    const { id, orderId, product } = await sendApproved(seller);
    expect(await stockOf(seller.orgId, product.p1_id)).toMatchObject({ stock: 18 });
    await withdraw(seller, id);
    const happened = await eventsAfter(seller.orgId, async () => {
      succeeded(await patchOrder(seller, orderId, { status: 'cancelled', reason_code: 'customer_withdrew' }));
    });
    const told = happened.filter(({ type }) => type.startsWith('order_'));
    expect(told).toMatchObject([
      { type: 'order_status_updated', metadata: { new_status: 'cancelled', changed_flags: ['on_hold'] } },
      { type: 'order_updated', metadata: { changed_fields: ['withdrawal'] } },
    ]);
    expect(await stockOf(seller.orgId, product.p1_id)).toMatchObject({ stock: 20 });
    expect(await getOrder(seller, orderId)).toMatchObject({ withdrawal: 'accepted', flags: { on_hold: false } });
    expect(await withdraw(seller, id)).toMatchObject({
      status: 200,
      body: { id, status: 'approved', withdrawal: 'accepted' },
    });
    expect(succeeded(await statusOf(seller, id))).toMatchObject({
      withdrawal: 'accepted',
      reason_code: 'customer_withdrew',
      order: { status: 'cancelled' },
    });
  });

  test('is refused with its hold alone, and then for good', async ({ seller }) => {
    const { id, orderId } = await sendApproved(seller);
    await withdraw(seller, id);
    const happened = await eventsAfter(seller.orgId, async () => {
      succeeded(await patchOrder(seller, orderId, { withdrawal: 'refused' }));
    });
    expect(happened.map(({ type }) => type)).toEqual(['order_status_updated', 'order_updated']);
    expect(await getOrder(seller, orderId)).toMatchObject({
      withdrawal: 'refused',
      hold_reason: null,
      flags: { on_hold: false },
    });
    expect(await requestRow(id)).toMatchObject({ withdrawal: 'refused' });
    expectProblem(await withdraw(seller, id), 409, 'already_decided');
    succeeded(await patchOrder(seller, orderId, { withdrawal: 'refused' }));
    succeeded(await patchOrder(seller, orderId, { status: 'ready_pickup' }));
    succeeded(await patchOrder(seller, orderId, { status: 'picked_up' }));
  });

  test('leaves a hold of staff alone, before and after', async ({ seller }) => {
    const { id, orderId } = await sendApproved(seller);
    succeeded(await patchOrder(seller, orderId, { on_hold: true, hold_reason: 'Rückruf' }));
    const happened = await eventsAfter(seller.orgId, () => withdraw(seller, id));
    expect(happened.map(({ type }) => type)).toEqual(['order_updated']);
    succeeded(await patchOrder(seller, orderId, { withdrawal: 'refused' }));
    expect(await getOrder(seller, orderId)).toMatchObject({ hold_reason: 'Rückruf', flags: { on_hold: true } });
  });

  test('is decided before its hold is lifted, which the database holds', async ({ seller }) => {
    const { id, orderId } = await sendApproved(seller);
    expectProblem(await patchOrder(seller, orderId, { withdrawal: 'refused' }), 409, 'withdrawal_decided');
    await withdraw(seller, id);
    expectProblem(await patchOrder(seller, orderId, { on_hold: false }), 409, 'withdrawal_undecided');
    await expect(rows('update orders set on_hold = 0 where id = ?', orderId)).rejects.toThrow(/orders_withdrawal/);
    succeeded(await patchOrder(seller, orderId, { on_hold: false, withdrawal: 'refused' }));
  });

  test('is accepted by a return of what nobody fetched', async ({ seller }) => {
    const { id, orderId } = await sendApproved(seller);
    succeeded(await patchOrder(seller, orderId, { status: 'ready_pickup' }));
    await withdraw(seller, id);
    await setPacked(orderId);
    await returnOrder(staffOf(seller), orderId, { lines: [{ quantity: 2, isRestocked: false }], seen: 0 });
    expect(await orderRow(orderId)).toMatchObject({ status: 'returned', withdrawal: 'accepted', on_hold: 0 });
  });

  const OPEN = ['awaiting_prescription', 'awaiting_payment', 'awaiting_packing', 'ready_pickup', 'ready_shipping'];

  test.for(ORDER_STATUSES)('that is %s is asked for only while nothing has left', async (status, { seller }) => {
    const { id, orderId } = await sendApproved(seller);
    await setStatus(orderId, status);
    const answer = await withdraw(seller, id);
    if (OPEN.includes(status)) expect(answer).toMatchObject({ status: 202, body: WITHDRAWN_ORDER });
    else {
      expectProblem(answer, 409, 'already_decided');
      expect(answer.body).toMatchObject({ current_status: 'approved', decided_by: null, order_id: orderId });
    }
  });

  test('twice at once asks once', async ({ seller }) => {
    const { id } = await sendApproved(seller);
    const happened = await eventsAfter(seller.orgId, async () => {
      const answers = await atOnce(...Array.from({ length: 4 }, () => () => withdraw(seller, id)));
      for (const answer of answers) expect(answer).toMatchObject({ status: 202, body: WITHDRAWN_ORDER });
    });
    expect(happened).toHaveLength(2);
  });
});

test('a rejected request is decided already', async ({ seller }) => {
  const { id } = await send(seller);
  succeeded(await reject(seller, id));
  expectProblem(await withdraw(seller, id), 409, 'already_decided');
});

test('beside an approval, either the request is deleted or its order is held, never both or neither', async ({
  seller,
}) => {
  const ends = new Set<string>();
  for (let round = 0; round < 8; round += 1) {
    const { id } = await send(seller);
    const acts = [() => withdraw(seller, id), () => approve(seller, id)];
    const answers = await atOnce(...(round % 2 === 0 ? acts : acts.toReversed()));
    const [withdrawn, approved] = round % 2 === 0 ? answers : answers.toReversed();
    const row = await requestRow(id);
    ends.add(String(row.status));
    if (row.status === 'approved') {
      expect(approved).toMatchObject({ status: 200 });
      expect(withdrawn).toMatchObject({ status: 202, body: WITHDRAWN_ORDER });
      expect(await orderRow(String(row.order_id))).toMatchObject({ on_hold: 1, withdrawal: 'requested' });
      // A restore must not erase an order.
      expect(await journaled(seller)).not.toContain(id);
    } else {
      expect(row).toMatchObject({ status: 'deleted', withdrawal: 'accepted', order_id: null });
      expect(withdrawn).toMatchObject({ status: 200 });
      expect(approved?.status).toBe(404);
    }
  }
  expect(ends.size).toBeGreaterThan(0);
});

describe('a withdrawal whose answer is lost', () => {
  const LOST = 'is carried out and its answer lost, an error that is not sent again';
  const RESENT = 'is carried out and its answer lost, a transient error';

  test.for([
    ['a pending request', send, { status: 200, body: { status: 'deleted', withdrawal: 'accepted' } }],
    ['an order', sendApproved, { status: 202, body: WITHDRAWN_ORDER }],
  ] as const)('of %s is the same when it is repeated', async ([_, open, outcome], { seller }) => {
    captureLogs();
    for (const how of [LOST, RESENT] as const) {
      const { id } = await open(seller);
      const { DB } = faultyDatabase({ batch: 3, how });
      const happened = await eventsAfter(seller.orgId, async () => {
        const first = await withdraw(seller, id, { env: { ...ONE_DATABASE, DB } });
        if (how === LOST) expectProblem(first, 502, 'backend_unreachable');
        else expect(first).toMatchObject(outcome);
        expect(await withdraw(seller, id)).toMatchObject(outcome);
      });
      expect(happened).toHaveLength(open === send ? 1 : 2);
    }
  });
});

test.for([
  ['a pending request', send, 3],
  ['an order', sendApproved, 3],
] as const)(
  'a withdrawal of %s costs three round trips, a repetition two that write nothing',
  async ([_, open, most], { seller }) => {
    const { id } = await open(seller);
    const first = meteredDb();
    await withdraw(seller, id, { env: { ...ONE_DATABASE, DB: first.DB } });
    expect(first.trips.length).toBeLessThanOrEqual(most);
    const again = meteredDb();
    await withdraw(seller, id, { env: { ...ONE_DATABASE, DB: again.DB } });
    expect(again.trips.map(({ rowsWritten }) => rowsWritten)).toEqual([0, 0]);
  },
);
