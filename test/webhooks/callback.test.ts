import { verify } from '@octokit/webhooks-methods';
import { idOfKey } from '../../src/auth/keys/format';
import { revokeApiKey, rotateApiKey } from '../../src/auth/keys/keys';
import { askQuestion } from '../../src/order-requests/review/decisions';
import { orderUpdated } from '../../src/orders/news';
import { findOrder } from '../../src/orders/read';
import type { OrderRow } from '../../src/orders/store';
import { commit } from '../../src/platform/commit';
import { outboxEvent } from '../../src/webhooks/outbox';
import { recover } from '../../src/webhooks/recovery/recover';
import {
  deleteSubscription,
  pauseSubscription,
  resumeSubscription,
} from '../../src/webhooks/subscriptions/subscriptions';
import { openCallback, openTold, type Told, toldTo } from '../support/callbacks';
import {
  approve,
  atOnce,
  deleteRequest,
  openApprovable,
  patchOrder,
  reject,
  staffContext,
} from '../support/order-flow';
import { callApi, createKey, expectProblem, openOrganizationApi, succeeded } from '../support/organization';
import { outsideAnswers } from '../support/outbound';
import { accepted } from '../support/probe';
import { auditOf, rowOf } from '../support/rows';
import { afterEach, test as base, describe, expect } from '../support/test';
import { deliver, deliveriesOf, deliveryRow, leaveNothing, newReceiverUrl } from '../support/webhooks';
import { envelope, rows, submit, subscribe, systemContext } from '../support/world';

const test = base.extend('told', () => openTold());

afterEach(leaveNothing);

/** The line names no product. */
const OVERRIDDEN = { override_reason: 'Am Telefon geklärt.' };

/** What a platform sends. */
const plain = (reference = 'RX-1') => envelope({}, { external_reference: reference });

async function sent({ seller }: Told, reference?: string): Promise<string> {
  return (await accepted(await submit(seller, plain(reference)))).id;
}

const typesOf = async (told: Told) => (await toldTo(told)).map(({ type }) => type);

function owner({ seller }: Told) {
  return staffContext(seller.orgId, 'owner').ctx;
}

/** Announces a change of an order as whoever changes it does. */
async function announceChange(order: OrderRow, fields: string[]): Promise<void> {
  const { ctx, settled } = systemContext();
  await commit(ctx, { event: orderUpdated(ctx, order, fields) });
  await settled();
}

test('a platform is told of the whole life of what it sent, signed with the secret that was shown once', async ({
  told,
}) => {
  const { seller } = told;
  const id = await sent(told, 'RX-life');
  const { ctx } = staffContext(seller.orgId, 'pharmacist');
  await askQuestion(ctx, { id, code: 'dosage', text: 'Wie viel davon für Erika?' });
  const { order_id } = succeeded(await approve(seller, id, OVERRIDDEN));
  succeeded(await patchOrder(seller, order_id, { status: 'ready_pickup' }));

  const keys = { order_request_id: id, external_reference: 'RX-life' };
  const request = { ...keys, shop_id: seller.shopId, source: 'telemed.example' };
  const life = await toldTo(told);
  expect(life.map(({ type, metadata }) => [type, metadata])).toEqual([
    ['order_request_needs_info', { ...request, code: 'dosage' }],
    ['order_request_approved', { ...request, order_id }],
    ['order_status_updated', { order_id, old_status: 'awaiting_packing', new_status: 'ready_pickup', ...keys }],
  ]);

  const posts = outsideAnswers();
  await deliver(life.map((each) => each.id));
  expect(posts.map(({ headers }) => headers.get('X-Service-Event')).toSorted()).toEqual(
    life.map(({ type }) => type).toSorted(),
  );
  for (const { url, text, headers } of posts) {
    expect(url).toBe(told.url);
    expect(text).not.toContain('Erika');
    expect(await verify(told.signingSecret, text, headers.get('X-Service-Signature') ?? '')).toBe(true);
  }
});

test('a rejection and a deletion are told, and after an erasure without the reference', async ({ told }) => {
  const [first, second] = [await sent(told, 'RX-a'), await sent(told, 'RX-b')];
  succeeded(await reject(told.seller, first, { reason_code: 'out_of_stock' }));
  succeeded(await deleteRequest(told.seller, second));
  expect(await toldTo(told)).toMatchObject([
    { type: 'order_request_rejected', metadata: { order_request_id: first, reason_code: 'out_of_stock' } },
    { type: 'order_request_deleted', metadata: { order_request_id: second, external_reference: '' } },
  ]);
});

test('a person who is erased takes the open requests along, and their platform is told of each', async ({ told }) => {
  const { seller } = told;
  const other = await openCallback(seller.orgId, (await createKey(seller.orgId, ['external_orders.submit'])).apiKey);
  const pending = await sent(told, 'RX-pending');
  const body = {
    shop_id: seller.shopId,
    external_id: 'X-1',
    customer_email: 'erika@example.com',
    customer_name: 'Erika',
  };
  const { customer, id } = succeeded(
    await callApi(seller, 'POST', '/orders', { body: { ...body, items: [{ name: 'Beratung', qty: 1, price: 5 }] } }),
    201,
  );
  succeeded(await patchOrder(seller, id, { status: 'cancelled', reason_code: 'test' }));
  succeeded(await callApi(seller, 'DELETE', `/customers/${customer.id}`));
  expect(await toldTo(told)).toMatchObject([
    { type: 'order_request_deleted', metadata: { order_request_id: pending, external_reference: '' } },
  ]);
  expect(await toldTo(other)).toEqual([]);
});

test('of changes of an order only tracking and withdrawal are told', async ({ told }) => {
  const { seller } = told;
  const { order_id } = succeeded(await approve(seller, await sent(told), OVERRIDDEN));
  succeeded(await patchOrder(seller, order_id, { note: 'Klingel' }));
  const order = await findOrder(owner(told), seller.orgId, order_id);
  if (!order) throw new Error('there is no order');
  await announceChange(order, ['note']);
  await announceChange(order, ['note', 'tracking_number']);
  await announceChange(order, ['withdrawal']);
  const updates = (await toldTo(told)).filter(({ type }) => type === 'order_updated');
  expect(updates.map(({ metadata }) => metadata.changed_fields)).toEqual([['note', 'tracking_number'], ['withdrawal']]);
});

describe('whose it is', () => {
  test('what another integration, the organization API or another organization sent is not told', async ({ told }) => {
    const { seller } = told;
    const stranger = await openTold();
    const other = await createKey(seller.orgId, ['external_orders.submit']);
    const otherCallback = await openCallback(seller.orgId, other.apiKey);
    const { id: own } = await openApprovable(seller);
    succeeded(await approve(seller, own));
    const theirs = await accepted(await submit({ ...seller, integrationKey: other.apiKey }, plain('RX-1')));
    succeeded(await reject(seller, theirs.id, { reason_code: 'test' }));
    expect(await toldTo(told)).toEqual([]);
    expect(await toldTo(stranger)).toEqual([]);
    expect(await toldTo(otherCallback)).toMatchObject([{ metadata: { order_request_id: theirs.id } }]);
  });

  test('a key that replaces the one it was set with belongs to it', async ({ told }) => {
    const { seller } = told;
    const keyId = idOfKey(seller.integrationKey) ?? '';
    const { apiKey } = await rotateApiKey(owner(told), { keyId, overlapMs: 0, expiresAt: null });
    const { id } = await accepted(await submit({ ...seller, integrationKey: apiKey }, plain()));
    succeeded(await reject(seller, id, { reason_code: 'test' }));
    expect(await toldTo(told)).toMatchObject([{ type: 'order_request_rejected' }]);
  });

  test('an integration has one callback, by whatever number of requests at once', async () => {
    const seller = (await openTold()).seller;
    const { apiKey } = await createKey(seller.orgId, ['external_orders.submit']);
    const open = () =>
      openCallback(seller.orgId, apiKey).then(
        () => 'made',
        (error) => error.code as string,
      );
    expect((await atOnce(open, open, open)).toSorted()).toEqual([
      'made',
      'subscription_changed',
      'subscription_changed',
    ]);
  });

  test('a key that submits nothing, one of another organization and one that was revoked have none', async ({
    told,
  }) => {
    const { orgId, apiKey } = told.seller;
    await expect(openCallback(orgId, apiKey)).rejects.toMatchObject({ code: 'api_key_not_found' });
    const stranger = await openTold();
    await expect(openCallback(orgId, stranger.seller.integrationKey)).rejects.toMatchObject({
      code: 'api_key_not_found',
    });
    const revoked = await createKey(orgId, ['external_orders.submit']);
    await revokeApiKey(owner(told), { orgId, keyId: revoked.keyId });
    await expect(openCallback(orgId, revoked.apiKey)).rejects.toMatchObject({ code: 'api_key_not_found' });
  });
});

describe('beside subscriptions', () => {
  test('it is none of the five, and the API neither shows nor serves it', async ({ told }) => {
    const { seller, subscriptionId: id } = told;
    for (let count = 0; count < 5; count += 1) await subscribe(seller.orgId, newReceiverUrl());
    await reject(seller, await sent(told));
    const [{ id: deliveryId = '' } = {}] = await toldTo(told);
    const { data } = succeeded(await callApi(seller, 'GET', '/webhooks/subscriptions'));
    expect(data).toHaveLength(5);
    expect(JSON.stringify(data)).not.toContain(id);
    const deliveries = succeeded(await callApi(seller, 'GET', '/webhooks/deliveries'));
    expect(deliveries.data).toHaveLength(5);
    expect(JSON.stringify(deliveries)).not.toContain(id);
    const since = { since: new Date(0).toISOString() };
    const refused = [
      await callApi(seller, 'GET', '/webhooks/deliveries', { query: { subscription_id: id } }),
      await callApi(seller, 'POST', `/webhooks/subscriptions/${id}/recover`, { body: since }),
      await callApi(seller, 'POST', `/webhooks/subscriptions/${id}/test`, { body: { event_type: 'order_created' } }),
    ];
    for (const answer of refused) expectProblem(answer, 404, 'subscription_not_found');
    await rows("update deliveries set status = 'exhausted' where id = ?", deliveryId);
    const again = await callApi(seller, 'POST', `/webhooks/deliveries/${deliveryId}/redeliver`);
    expectProblem(again, 404, 'delivery_not_found');
  });

  test('20 integrations have one at most', async ({ told }) => {
    const { orgId } = told.seller;
    await rows(
      `insert into subscriptions (id, org_id, url, host, event_types, integration_id, status, secret_ciphertext, created_at, updated_at)
       select 'full-' || value || ?1, ?1, url, host, event_types, 'family-' || value || ?1, status, 'x', 0, 0
       from subscriptions, generate_series(1, 19) where org_id = ?1`.replace(
        'generate_series(1, 19)',
        `(select key as value from json_each('[${Array.from({ length: 19 }, () => 0)}]'))`,
      ),
      orgId,
    );
    const { apiKey } = await createKey(orgId, ['external_orders.submit']);
    await expect(openCallback(orgId, apiKey)).rejects.toMatchObject({ code: 'callback_limit_reached' });
    await subscribe(orgId, newReceiverUrl());
  });

  test('a question of staff reaches a subscription only if it was chosen', async ({ told }) => {
    const { seller } = told;
    const chosen = await subscribe(seller.orgId, newReceiverUrl(), ['order_request_needs_info']);
    const others = await subscribe(seller.orgId, newReceiverUrl(), [
      'order_request_submitted',
      'order_request_approved',
    ]);
    const id = await sent(told);
    const { ctx } = staffContext(seller.orgId, 'pharmacist');
    await askQuestion(ctx, { id, code: 'address', text: 'Wohin?' });
    expect((await toldTo(chosen)).map(({ type }) => type)).toEqual(['order_request_needs_info']);
    expect((await toldTo(others)).map(({ type }) => type)).toEqual(['order_request_submitted']);
  });
});

describe('the end', () => {
  test('with the last key of the integration it ends, what waits is cancelled, and nothing follows', async ({
    told,
  }) => {
    const { seller, subscriptionId } = told;
    const keyId = idOfKey(seller.integrationKey) ?? '';
    const [first, second] = [await sent(told, 'RX-1'), await sent(told, 'RX-2')];
    const next = await rotateApiKey(owner(told), { keyId, overlapMs: 3_600_000, expiresAt: null });
    succeeded(await reject(seller, first, { reason_code: 'test' }));
    await revokeApiKey(owner(told), { orgId: seller.orgId, keyId });
    expect(await toldTo(told)).toMatchObject([{ status: 'pending' }]);
    await revokeApiKey(owner(told), { orgId: seller.orgId, keyId: next.keyId });
    expect(await toldTo(told)).toMatchObject([{ status: 'cancelled' }]);
    succeeded(await reject(seller, second, { reason_code: 'test' }));
    expect(await typesOf(told)).toHaveLength(1);
    expect(await auditOf(subscriptionId, { action: 'subscription.deleted' })).toMatchObject([
      { reason_code: 'key_revoked' },
    ]);
    await revokeApiKey(owner(told), { orgId: seller.orgId, keyId });
    expect(await auditOf(subscriptionId, { action: 'subscription.deleted' })).toHaveLength(1);
  });

  test('a callback that is set while the last key is revoked never stays without one', async () => {
    const { seller } = await openTold();
    for (let round = 0; round < 4; round += 1) {
      const { apiKey, keyId } = await createKey(seller.orgId, ['external_orders.submit']);
      const { ctx } = staffContext(seller.orgId, 'owner');
      await Promise.allSettled([openCallback(seller.orgId, apiKey), revokeApiKey(ctx, { orgId: seller.orgId, keyId })]);
      const { family_id } = await rowOf<{ family_id: string }>('api_keys', { id: keyId });
      const live = await rows(
        'select id from subscriptions where integration_id = ? and deleted_at is null',
        family_id,
      );
      expect(live).toEqual([]);
    }
  });

  test('deleted by its owner, it can be set anew', async ({ told }) => {
    const { seller, subscriptionId } = told;
    await deleteSubscription(owner(told), subscriptionId);
    const again = await openCallback(seller.orgId, seller.integrationKey);
    succeeded(await reject(seller, await sent(told), { reason_code: 'test' }));
    expect(await toldTo(told)).toEqual([]);
    expect(await toldTo(again)).toHaveLength(1);
  });
});

describe('as for a subscription', () => {
  async function rejectOne(told: Told, reference: string): Promise<string> {
    succeeded(await reject(told.seller, await sent(told, reference), { reason_code: 'test' }));
    return (await toldTo(told)).at(-1)?.id ?? '';
  }

  test('what a pause kept waiting comes afterwards, and what a disabled time skipped is recovered, nothing else', async ({
    told,
  }) => {
    const { seller, subscriptionId } = told;
    await pauseSubscription(owner(told), subscriptionId);
    const held = await rejectOne(told, 'RX-paused');
    expect(await deliveryRow(held)).toMatchObject({ status: 'held' });
    await resumeSubscription(owner(told), subscriptionId);
    expect(await deliveryRow(held)).toMatchObject({ status: 'pending' });

    const [{ seq = 0 } = {}] = await rows<{ seq: number }>(
      'select max(seq) as seq from events where org_id = ?',
      seller.orgId,
    );
    await rows("update subscriptions set status = 'disabled', skipped_after = ? where id = ?", seq, subscriptionId);
    succeeded(await reject(seller, await sent(told, 'RX-missed'), { reason_code: 'test' }));
    const { id: own } = await openApprovable(seller);
    succeeded(await approve(seller, own));
    await resumeSubscription(owner(told), subscriptionId);
    const asked = { subscriptionId, since: Date.now() - 60_000 };
    expect(await recover(owner(told), asked)).toEqual({ count: 1, isRunning: false });
    expect((await toldTo(told)).map(({ metadata }) => metadata.external_reference)).toEqual(['RX-paused', 'RX-missed']);
  });
});

test('organizations on one database are told of their own requests alone, also with one family id', async ({
  told,
}) => {
  const other = await openOrganizationApi();
  const { integration_id } = await rowOf<{ integration_id: string }>('subscriptions', { id: told.subscriptionId });
  const { ctx, settled } = systemContext();
  const about = { shopId: other.shopId, source: 's', integrationId: integration_id };
  const metadata = { order_request_id: 'r', external_reference: '', shop_id: other.shopId, source: 's' };
  await commit(ctx, {
    event: outboxEvent(ctx, { type: 'order_request_deleted', orgId: other.orgId, about, metadata }),
  });
  await settled();
  expect(await toldTo(told)).toEqual([]);
  expect(await deliveriesOf(other.orgId)).toEqual([]);
});
