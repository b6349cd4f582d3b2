import { commit } from '../../src/platform/commit';
import { newId } from '../../src/platform/ids';
import { outboxEvent } from '../../src/webhooks/outbox';
import { expectCounted, faultyDatabase } from '../support/faults';
import { openApprovable } from '../support/order-flow';
import { callApi, openOrganizationApi } from '../support/organization';
import { outsideAnswers } from '../support/outbound';
import { doctoredDb } from '../support/probe';
import { expect, test } from '../support/test';
import { deliveriesOf, newReceiverUrl } from '../support/webhooks';
import { envelope, silentQueue, submit, subscribe, systemContext } from '../support/world';

// D1 may carry a batch out and lose its answer; db.ts then sends it once more.
const ANSWER_LOST = 'is carried out and its answer lost, a transient error';

test('a submission whose commit was sent twice posts first attempts once, without a queue', async ({ pharmacy }) => {
  for (let count = 0; count < 2; count += 1) {
    await subscribe(pharmacy.orgId, newReceiverUrl(), undefined, { isHealthy: true });
  }
  const posts = outsideAnswers();
  const { DB, sizes } = faultyDatabase({ batch: 3, how: ANSWER_LOST });
  const { queue, enqueued } = silentQueue();
  expect((await submit(pharmacy, envelope(), { DB, WEBHOOK_DELIVERIES: queue })).status).toBe(200);
  // The directory, host and key, the commit twice, and the record.
  expect(sizes).toHaveLength(5);
  expect(posts).toHaveLength(2);
  expect(enqueued).toEqual([]);
  for (const { runs } of await expectCounted(pharmacy.orgId, posts)) {
    expect(runs).toMatchObject([{ status: 'succeeded', attempt_count: 1 }]);
  }
});

test.each(['approve', 'reject'])(
  '%s: when the batch that was sent again fails at its guard, what the first one committed is posted at once',
  async (act) => {
    const api = await openOrganizationApi();
    const { id } = await openApprovable(api);
    const types = ['order_created', 'order_request_approved', 'order_request_rejected'] as const;
    await subscribe(api.orgId, newReceiverUrl(), [...types], { isHealthy: true });
    const posts = outsideAnswers();
    const body = act === 'approve' ? {} : { reason_code: 'test' };
    const path = `/order-requests/${id}/${act}`;
    // The facts are read in one trip, the decision is written in the next.
    const { DB } = faultyDatabase({ batch: 2, how: ANSWER_LOST });
    await callApi(api, 'POST', path, { body, env: { DB } });
    const fates = await expectCounted(api.orgId, posts);
    expect(fates).toHaveLength(act === 'approve' ? 2 : 1);
    for (const { runs } of fates) expect(runs).toMatchObject([{ status: 'succeeded', attempt_count: 1 }]);
    expect((await callApi(api, 'GET', `/order-requests/${id}`)).body.status).toMatch(new RegExp(`^${act}`));
  },
);

test('a subscription made between the two gets no event that another has already', async ({ pharmacy: { orgId } }) => {
  const mine = await subscribe(orgId, newReceiverUrl(), ['order_deleted'], { isHealthy: true });
  const posts = outsideAnswers();
  const DB = doctoredDb(async (trip, send) => {
    const results = await send();
    if (trip === 1) {
      await subscribe(orgId, newReceiverUrl(), ['order_deleted'], { isHealthy: true });
      throw new Error('D1_ERROR: Network connection lost.');
    }
    return results;
  });
  const { ctx, settled } = systemContext({ env: { DB } });
  const event = () => outboxEvent(ctx, { type: 'order_deleted', orgId, metadata: { order_id: newId() } });
  await commit(ctx, { events: [event(), event(), event()] });
  await settled();
  const runs = await deliveriesOf(orgId);
  expect(runs.map(({ subscription_id }) => subscription_id)).toEqual(Array(3).fill(mine.subscriptionId));
  expect(new Set(runs.map(({ event_id }) => event_id)).size).toBe(3);
  expect(posts).toHaveLength(3);
});
