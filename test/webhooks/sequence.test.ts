import { commit } from '../../src/platform/commit';
import { newId } from '../../src/platform/ids';
import { outboxEvent } from '../../src/webhooks/outbox';
import { sendTestEvent } from '../../src/webhooks/posting/test-event';
import { staffContext } from '../support/order-flow';
import { callApi, openOrganizationApi, succeeded } from '../support/organization';
import { type Call, outsideAnswers } from '../support/outbound';
import { test as base, expect } from '../support/test';
import { deliver, deliveriesOf, newReceiverUrl } from '../support/webhooks';
import { rows, subscribe, systemContext } from '../support/world';

const test = base.extend('open', async () => {
  const api = await openOrganizationApi();
  return { api, ...(await subscribe(api.orgId, newReceiverUrl(), ['order_deleted', 'product_updated'])) };
});

const sequenceOf = ({ headers }: Call) => headers.get('X-Service-Sequence');
const eventIdOf = ({ headers }: Call) => headers.get('webhook-id');

async function announce(orgId: string, count: number): Promise<void> {
  const { ctx, settled } = systemContext();
  const event = () => outboxEvent(ctx, { type: 'order_deleted', orgId, metadata: { order_id: newId() } });
  for (let made = 0; made < count; made += 2) await commit(ctx, { first: event(), second: event() });
  await settled();
}

test('the header rises in the order of the feed, however the posts are mixed', async ({ open: { api } }) => {
  await announce(api.orgId, 6);
  const ids = (await deliveriesOf(api.orgId)).map(({ id }) => id);
  const posts = outsideAnswers();
  for (const id of ids.toReversed()) await deliver([id]);
  expect(posts).toHaveLength(6);
  for (const post of posts) expect(sequenceOf(post)).toMatch(/^[1-9]\d*$/);
  const inOrder = posts.toSorted((a, b) => Number(sequenceOf(a)) - Number(sequenceOf(b)));
  const { data } = succeeded(await callApi(api, 'GET', '/events'));
  expect(inOrder.map(eventIdOf)).toEqual(data.map(({ id }: { id: string }) => id));
  expect(new Set(posts.map(sequenceOf)).size).toBe(6);
});

test('an entry of a chunk carries the number of its chunk, and is not in the feed', async ({ open: { api } }) => {
  await announce(api.orgId, 2);
  const deliveries = await deliveriesOf(api.orgId);
  const [chunk, entry] = await rows<{ id: string; seq: number }>(
    'select id, seq from events where org_id = ? order by seq',
    api.orgId,
  );
  await rows('update events set chunk_seq = ? where id = ?', chunk?.seq, entry?.id);
  const posts = outsideAnswers();
  await deliver(deliveries.map(({ id }) => id));
  expect(posts.map(sequenceOf)).toEqual([String(chunk?.seq), String(chunk?.seq)]);
  const { data } = succeeded(await callApi(api, 'GET', '/events'));
  expect(data.map(({ id }: { id: string }) => id)).toEqual([chunk?.id]);
});

test('a test event says 0', async ({ open: { api, subscriptionId } }) => {
  const posts = outsideAnswers();
  await sendTestEvent(staffContext(api.orgId, 'owner').ctx, { subscriptionId, eventType: 'order_created' });
  expect(posts.map(sequenceOf)).toEqual(['0']);
});
