import { newId } from '../../src/platform/ids';
import type { EventType } from '../../src/webhooks/event-types';
import { openRequest, reject } from '../support/order-flow';
import { callApi, createKey, expectProblem, type OrganizationApi, succeeded, tokenFor } from '../support/organization';
import { outsideAnswers } from '../support/outbound';
import { insertRows, quoted } from '../support/rows';
import { expect, test } from '../support/test';
import { announceEvent, newReceiverUrl } from '../support/webhooks';
import { rows, subscribe } from '../support/world';

const TYPES: EventType[] = ['order_deleted', 'order_request_submitted', 'order_request_rejected'];

async function feed(api: OrganizationApi, query: Record<string, string>) {
  const { data, next_cursor } = succeeded(await callApi(api, 'GET', '/events', { query }));
  return { types: data.map(({ event_type }: { event_type: string }) => event_type) as string[], next_cursor, data };
}

function deleted({ orgId }: OrganizationApi) {
  return announceEvent({ type: 'order_deleted', orgId, metadata: { order_id: newId() } });
}

/** Every page until the feed ends. */
async function wholeFeed(api: OrganizationApi, query: Record<string, string>) {
  const types: string[] = [];
  const sizes: number[] = [];
  for (let cursor: string | undefined; ; ) {
    const page: Awaited<ReturnType<typeof feed>> = await feed(api, {
      ...query,
      ...(cursor !== undefined && { cursor }),
    });
    types.push(...page.types);
    if (page.next_cursor === cursor) return { types, sizes };
    sizes.push(page.types.length);
    cursor = page.next_cursor;
  }
}

test('the feed of some types has these alone, in its order, page by page, and the cursor goes on', async ({ api }) => {
  for (let n = 0; n < 3; n += 1) {
    await deleted(api);
    await reject(api, await openRequest(api));
  }
  const of = (event_type: string, limit = '2') => wholeFeed(api, { event_type, limit });
  expect((await of('order_deleted')).types).toEqual(Array(3).fill('order_deleted'));
  expect(await of('order_deleted')).toMatchObject({ sizes: [2, 1] });
  expect((await of('order_request_submitted')).types).toEqual(Array(3).fill('order_request_submitted'));
  const all = (await wholeFeed(api, {})).types;
  const some = ['order_request_rejected', 'order_request_submitted'];
  expect((await of(some.join())).types).toEqual(all.filter((type) => some.includes(type)));
  expect((await of('product_created')).types).toEqual([]);
});

test('a rare type fills its page from behind thousands of others, and reads them once only', async ({ api }) => {
  await deleted(api);
  await insertRows('events', 2_500, {
    seq: '100 + i',
    id: `'${newId().slice(0, 28)}' || printf('%08x', i)`,
    org_id: quoted(api.orgId),
    type: `'low_stock'`,
    body: `'{}'`,
    created_at: String(Date.now()),
  });
  await openRequest(api);
  await deleted(api);
  expect((await feed(api, { event_type: 'order_deleted', limit: '2' })).types).toHaveLength(2);
  const page = await feed(api, { event_type: 'order_request_submitted', limit: '2' });
  expect(page.types).toEqual(['order_request_submitted']);
  const last = (await feed(api, { event_type: 'order_deleted', limit: '1', cursor: page.next_cursor })).data;
  expect(last).toHaveLength(1);
});

test('deliveries of one event and of some types, of one subscription and of all', async ({ api }) => {
  const first = await subscribe(api.orgId, newReceiverUrl(), TYPES);
  await subscribe(api.orgId, newReceiverUrl(), TYPES);
  for (let n = 0; n < 3; n += 1) await reject(api, await openRequest(api));
  await deleted(api);
  const listed = async (query: Record<string, string>) => {
    const { data } = succeeded(await callApi(api, 'GET', '/webhooks/deliveries', { query }));
    return data as { event_id: string; event_type: string; subscription_id: string }[];
  };
  const all = await listed({});
  expect(all).toHaveLength(14);
  for (const event_type of TYPES) {
    expect(await listed({ event_type })).toEqual(all.filter((each) => each.event_type === event_type));
  }
  const some = ['order_deleted', 'order_request_rejected'];
  expect(await listed({ event_type: some.join() })).toEqual(all.filter((each) => some.includes(each.event_type)));
  const event_id = all[0]?.event_id ?? '';
  expect(await listed({ event_id })).toEqual(all.filter((each) => each.event_id === event_id));
  const subscription_id = first.subscriptionId;
  expect(await listed({ event_id, subscription_id })).toEqual(
    all.filter((each) => each.event_id === event_id && each.subscription_id === subscription_id),
  );
  expect(await listed({ event_id, event_type: 'order_updated' })).toEqual([]);
  const refused: Record<string, string>[] = [{ event_type: 'order' }, { event_type: '' }, { event_id: 'x' }];
  for (const query of refused) {
    expectProblem(await callApi(api, 'GET', '/webhooks/deliveries', { query }), 400, 'validation_failed');
  }
});

test('a page with a filter is full, however few match among how many others', async ({ api }) => {
  const { subscriptionId } = await subscribe(api.orgId, newReceiverUrl(), TYPES);
  await deleted(api);
  const [{ id: event_id = '' } = {}] = await rows<{ id: string }>('select id from events where org_id = ?', api.orgId);
  await insertRows('deliveries', 3_000, {
    id: `'${newId().slice(0, 28)}' || printf('%08x', i)`,
    org_id: quoted(api.orgId),
    event_id: quoted(event_id),
    event_type: `iif(i % 100 = 1, 'order_deleted', 'order_request_rejected')`,
    subscription_id: quoted(subscriptionId),
    status: `case i % 100 when 2 then 'exhausted' when 3 then 'held' when 4 then 'pending' else 'succeeded' end`,
    attempt_count: '1',
    created_at: String(Date.now()),
  });
  for (const status of ['exhausted', 'held', 'pending', 'exhausted,held,pending']) {
    const { data } = succeeded(
      await callApi(api, 'GET', '/webhooks/deliveries', {
        query: { status, limit: '26', subscription_id: subscriptionId },
      }),
    );
    expect(data, status).toHaveLength(26);
    const together = succeeded(await callApi(api, 'GET', '/webhooks/deliveries', { query: { status, limit: '26' } }));
    expect(together.data, status).toEqual(data);
  }
});

test('a test event of any type goes to one subscription, is in no feed, and does not count for health', async ({
  api,
}) => {
  const { subscriptionId } = await subscribe(api.orgId, newReceiverUrl(), ['order_deleted']);
  await subscribe(api.orgId, newReceiverUrl(), ['order_created']);
  const { apiKey } = await createKey(api.orgId, ['webhooks.write']);
  const token = await tokenFor({ orgId: api.orgId, apiKey });
  const send = (body?: unknown) =>
    callApi(api, 'POST', `/webhooks/subscriptions/${subscriptionId}/test`, { token, body });
  const posts = outsideAnswers((_, count) => new Response(null, { status: count === 1 ? 204 : 500 }));
  expect(succeeded(await send({ event_type: 'order_created' }))).toMatchObject({
    subscription_id: subscriptionId,
    event_type: 'order_created',
    trigger: 'test',
    status: 'succeeded',
    attempts: 1,
    last_attempt: { http_status: 204, failure_class: null },
  });
  expect(succeeded(await send())).toMatchObject({ event_type: 'order_deleted', status: 'exhausted' });
  const said = posts.map(({ headers }) =>
    ['Event', 'Test', 'Sequence'].map((name) => headers.get(`X-Service-${name}`)),
  );
  expect(said).toEqual([
    ['order_created', 'true', '0'],
    ['order_deleted', 'true', '0'],
  ]);
  expect((await feed(api, {})).types).toEqual([]);
  const { data } = succeeded(await callApi(api, 'GET', '/webhooks/subscriptions'));
  expect(data[0].health).toMatchObject({ attempts: 0, exhausted_in_row: 0, given_up: 0 });
  for (let more = 0; more < 3; more += 1) succeeded(await send());
  expectProblem(await send(), 429, 'too_many_tests');
  expectProblem(await send({ event_type: 'order' }), 400, 'validation_failed');
});

test('a recovery up to a time sends what failed until then; while one runs, the next says so and adds nothing', async ({
  api,
}) => {
  const { subscriptionId } = await subscribe(api.orgId, newReceiverUrl(), ['order_deleted']);
  const path = `/webhooks/subscriptions/${subscriptionId}/recover`;
  const event = { type: 'order_deleted' as const, orgId: api.orgId, metadata: { order_id: newId() } };
  const [early = ''] = await announceEvent(event, Date.now() - 3_600_000);
  await deleted(api);
  await rows("update deliveries set status = 'exhausted' where org_id = ?", api.orgId);
  const since = new Date(Date.now() - 86_400_000).toISOString();
  const until = new Date(Date.now() - 1_800_000).toISOString();
  await rows('update subscriptions set created_at = 0, recover_after = 1 where id = ?', subscriptionId);
  const running = succeeded(await callApi(api, 'POST', path, { body: { since } }), 202);
  expect(running).toEqual({ enqueued: 0, running: true });
  await rows('update subscriptions set recover_after = null where id = ?', subscriptionId);
  const recovered = succeeded(await callApi(api, 'POST', path, { body: { since, until } }), 202);
  expect(recovered).toEqual({ enqueued: 1, running: false });
  const [again] = await rows<{ event_id: string }>(
    `select event_id from deliveries where org_id = ? and "trigger" = 'redelivery'`,
    api.orgId,
  );
  const [first] = await rows<{ event_id: string }>('select event_id from deliveries where id = ?', early);
  expect(again?.event_id).toBe(first?.event_id);
});
