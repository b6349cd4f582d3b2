import { afterEach, expect, test, vi } from 'vitest';
import { newId } from '../../src/platform/ids';
import { consumeDeliveries, sweepDeliveries } from '../../src/webhooks/sweep';
import { expectCounted, type Fate, type Fault, faultsOf, faultyDatabase, nameOf, settle } from '../support/faults';
import { openApprovable } from '../support/order-flow';
import { callApi, eventsOf, openOrganizationApi } from '../support/organization';
import { outsideAnswers } from '../support/outbound';
import { rounds } from '../support/rounds';
import {
  announceEvent,
  deliveriesOf,
  leaveNothing,
  newReceiverUrl,
  PRODUCTION_SCHEDULE,
  subscriptionStatus,
} from '../support/webhooks';
import { envelope, openPharmacy, type RungFor, rows, submit, subscribe, systemContext } from '../support/world';

afterEach(leaveNothing);

interface Scenario {
  orgId: string;
  /** What the fault happens to. @returns the messages that were enqueued */
  act: (DB: D1Database) => Promise<RungFor[]>;
  /** Looks at what came of it in the end; by then everything is at rest. */
  check: (fates: Fate[]) => Promise<void> | void;
}

/** Carries a scenario out once without a fault and then once with each fault that its batches may have. */
async function underEachFault(open: () => Promise<Scenario>, every: { wholeBatch: number; statement: number }) {
  const posts = outsideAnswers(({ headers, url }) => {
    const isFailing = url.includes('fails-first') && headers.get('X-Service-Attempt') === '1';
    return new Response(null, { status: isFailing ? 500 : 204 });
  });
  const carryOut = async (fault: Fault | null) => {
    await leaveNothing();
    posts.length = 0;
    const scenario = await open();
    const { DB, sizes } = faultyDatabase(fault);
    const queued = await scenario.act(DB);
    await settle(scenario.orgId, Date.now() + 10_000, queued);
    await scenario.check(await expectCounted(scenario.orgId, posts));
    return sizes;
  };
  const { wholeBatch, statement } = faultsOf(await carryOut(null));
  const tried = [
    ...wholeBatch.filter((_, index) => index % every.wholeBatch === 0),
    ...statement.filter((_, index) => index % every.statement === 0),
  ];
  // Thousands of lines that nobody reads.
  for (const level of ['info', 'warn', 'error'] as const) vi.spyOn(console, level).mockImplementation(() => undefined);
  const failures: string[] = [];
  for (const fault of tried) {
    await carryOut(fault).catch((error: Error) => failures.push(`${nameOf(fault)}: ${error.message}`));
  }
  expect(failures).toEqual([]);
}

function expectDeliveredOnce(fates: readonly Fate[]) {
  for (const { runs, posts } of fates) {
    expect(runs.filter(({ trigger }) => trigger === 'event')).toHaveLength(1);
    expect(runs.filter(({ status }) => status === 'succeeded')).toHaveLength(1);
    expect(posts.length).toBeGreaterThan(0);
  }
}

const SOME = rounds({ wholeBatch: 3, statement: 19 }, { wholeBatch: 1, statement: 1 });
const FEW = rounds({ wholeBatch: 11, statement: 37 }, { wholeBatch: 1, statement: 1 });

test('accept: a submission whose batches fail is either refused or stored and delivered, and may be sent again', () =>
  underEachFault(async () => {
    const pharmacy = await openPharmacy();
    const { orgId } = pharmacy;
    for (let count = 0; count < 2; count += 1) {
      await subscribe(orgId, newReceiverUrl(), undefined, { isHealthy: count === 0 });
    }
    const body = envelope();
    return {
      orgId,
      act: async (DB) => {
        const response = await submit(pharmacy, body, { DB });
        expect([200, 502]).toContain(response.status);
        const again = await submit(pharmacy, body);
        expect(again.status).toBe(200);
        const { id } = await again.json<{ id: string }>();
        if (response.ok) expect(await response.json()).toMatchObject({ id });
        return [];
      },
      check: async (fates) => {
        expect(await rows('select id from order_requests where org_id = ?', orgId)).toHaveLength(1);
        expect(fates).toHaveLength(2);
        expectDeliveredOnce(fates);
      },
    };
  }, SOME));

test('accept: an approval whose batches fail is made once or not at all, and all its events are delivered', () =>
  underEachFault(async () => {
    const api = await openOrganizationApi();
    const { id } = await openApprovable(api);
    const types = ['order_created', 'order_request_approved'] as const;
    await subscribe(api.orgId, newReceiverUrl(), [...types], { isHealthy: true });
    return {
      orgId: api.orgId,
      act: async (DB) => {
        await callApi(api, 'POST', `/order-requests/${id}/approve`, { body: {}, env: { DB } });
        await callApi(api, 'POST', `/order-requests/${id}/approve`, { body: {} });
        return [];
      },
      check: async (fates) => {
        const happened = (await eventsOf(api.orgId)).map(({ type }) => type);
        for (const type of types) expect(happened.filter((each) => each === type)).toHaveLength(1);
        expect(await rows('select id from orders where org_id = ?', api.orgId)).toHaveLength(1);
        expect(fates).toHaveLength(types.length);
        expectDeliveredOnce(fates);
      },
    };
  }, FEW));

/** Deliveries of one organization that wait for the queue. */
async function openWaiting(urls: string[], events: number) {
  const { orgId } = await openPharmacy();
  const subscriptions: string[] = [];
  for (const url of urls) subscriptions.push((await subscribe(orgId, url, ['order_deleted'])).subscriptionId);
  for (let count = 0; count < events; count += 1) {
    await announceEvent({ type: 'order_deleted', orgId, metadata: { order_id: newId() } });
  }
  return { orgId, subscriptions, ids: (await deliveriesOf(orgId)).map(({ id }) => id) };
}

async function consume(ids: readonly string[], DB: D1Database): Promise<RungFor[]> {
  const { ctx, deliveriesEnqueued } = systemContext({ env: { ...PRODUCTION_SCHEDULE, DB } });
  // The caller acknowledges all messages, whatever happens.
  await consumeDeliveries(ctx, ids).catch(() => undefined);
  return deliveriesEnqueued;
}

test('claim and record: whatever batch fails, each delivery arrives, counted, within three posts', () =>
  underEachFault(async () => {
    // Four events: two are over what the queue may have under way, so that a record claims the next.
    const { orgId, ids } = await openWaiting([newReceiverUrl(), newReceiverUrl().replace('hooks', 'fails-first')], 4);
    return {
      orgId,
      act: (DB) => consume(ids, DB),
      check: (fates) => {
        expect(fates).toHaveLength(8);
        expectDeliveredOnce(fates);
      },
    };
  }, FEW));

async function holdAll(subscriptionId: string, reason: string, heldSince: number, isHealthy = 0) {
  await rows("update deliveries set status = 'held' where subscription_id = ?", subscriptionId);
  await rows(
    `update subscriptions set status = 'holding', hold_reason = ?, held_since = ?, next_probe_at = ?, is_healthy = ?,
       exhausted_in_row = 5 where id = ?`,
    reason,
    heldSince,
    reason === 'receiver_failing' ? heldSince : null,
    isHealthy,
    subscriptionId,
  );
}

test('record of a probe: whatever batch fails, the receiver that accepts again gets all that waited', () =>
  underEachFault(async () => {
    const { orgId, subscriptions, ids } = await openWaiting([newReceiverUrl()], 3);
    const [id = ''] = subscriptions;
    await holdAll(id, 'receiver_failing', Date.now());
    await rows("update deliveries set status = 'pending' where id = ?", ids[0]);
    return {
      orgId,
      act: (DB) => consume(ids, DB),
      check: async (fates) => {
        expect(await subscriptionStatus(id)).toBe('active');
        expect(fates).toHaveLength(3);
        expectDeliveredOnce(fates);
      },
    };
  }, FEW));

const DAYS = 86_400_000;

test('sweep: whatever batch fails, the next runs do what is left, and nothing twice', () =>
  underEachFault(async () => {
    const { orgId, subscriptions } = await openWaiting([1, 2, 3, 4, 5].map(newReceiverUrl), 2);
    const [lost = '', interrupted = '', unready = '', failing = '', gone = ''] = subscriptions;
    const ofEach = (await deliveriesOf(orgId)).filter(({ subscription_id }) => subscription_id === interrupted);
    for (const [index, { id }] of ofEach.entries()) {
      const query = "update deliveries set status = 'delivering', attempt_count = ?, lease_until = 1 where id = ?";
      await rows(query, index === 0 ? 1 : 3, id);
    }
    await holdAll(unready, 'secret_unreadable', Date.now());
    await holdAll(failing, 'receiver_failing', Date.now());
    await holdAll(gone, 'receiver_failing', Date.now() - 6 * DAYS);
    // As after a run that ended while its subscription was disabled and is to be delivered again.
    await rows("update deliveries set status = 'exhausted' where subscription_id = ?", lost);
    await rows(
      `update subscriptions set recover_failed_after = '0', recover_after = 0, recover_since = 0, recover_until = ?1,
      recover_started_at = ?1 where id = ?2`,
      Date.now() + 1,
      lost,
    );
    return {
      orgId,
      act: async (DB) => {
        const { ctx, deliveriesEnqueued, settled } = systemContext({
          now: () => Date.now() + 10_000,
          env: { ...PRODUCTION_SCHEDULE, DB },
        });
        await sweepDeliveries(ctx).catch(() => undefined);
        await settled();
        return deliveriesEnqueued;
      },
      check: async (fates) => {
        expect(await Promise.all(subscriptions.map(subscriptionStatus))).toEqual([
          'active',
          'active',
          'active',
          'active',
          'disabled',
        ]);
        expect(fates).toHaveLength(10);
        const of = (id: string) => fates.filter(({ subscriptionId }) => subscriptionId === id);
        for (const { runs, posts } of of(gone)) {
          expect(runs.map(({ status }) => status)).toEqual(['held']);
          expect(posts).toEqual([]);
        }
        expectDeliveredOnce(fates.filter(({ subscriptionId }) => subscriptionId !== gone));
        const triggers = (id: string) =>
          of(id)
            .flatMap(({ runs }) => runs.map(({ trigger }) => trigger))
            .sort();
        expect(triggers(lost)).toEqual(['event', 'event', 'redelivery', 'redelivery']);
        expect(triggers(interrupted)).toEqual(['event', 'event', 'recovery']);
      },
    };
  }, FEW));
