import { expect, test } from 'vitest';
import { happened } from '../support/big';
import { costOf } from '../support/cost';
import {
  callApi,
  createKey,
  expectProblem,
  type OrganizationApi,
  openOrganizationApi,
  succeeded,
  tokenFor,
} from '../support/organization';
import { outsideAnswers } from '../support/outbound';
import { announceEvent, deliver, newReceiverUrl } from '../support/webhooks';
import { rows, subscribe } from '../support/world';

interface Opened {
  api: OrganizationApi;
  id: string;
  secret: string;
}

async function open(): Promise<Opened> {
  const api = await openOrganizationApi();
  const { subscriptionId: id, signingSecret: secret } = await subscribe(api.orgId, newReceiverUrl(), ['low_stock']);
  return { api, id, secret };
}

/** One more delivery of the subscription. */
async function announce({ api }: Opened): Promise<string> {
  const metadata = { p1_id: 'P1', unit: 'piece', stock_quantity: 1, threshold: 5 };
  const [id = ''] = await announceEvent({ type: 'low_stock', orgId: api.orgId, metadata });
  return id;
}

async function listed({ api, id }: Opened, query: Record<string, string> = {}) {
  const answer = await callApi(api, 'GET', '/webhooks/deliveries', { query: { subscription_id: id, ...query } });
  return succeeded(answer) as { data: { id: string; status: string }[]; next_cursor: string | null };
}

test('subscriptions are listed with their status, its reason and their health, and never with a secret', async () => {
  const opened = await open();
  const { api, id, secret } = opened;
  outsideAnswers(() => new Response(null, { status: 503 }));
  await deliver([await announce(opened)]);
  await rows(
    "update subscriptions set status = 'holding', hold_reason = 'receiver_failing', next_probe_at = 0 where id = ?",
    id,
  );
  const answer = succeeded(await callApi(api, 'GET', '/webhooks/subscriptions'));
  expect(answer).toMatchObject({
    data: [
      {
        id,
        event_types: ['low_stock'],
        status: 'holding',
        reason_code: 'receiver_failing',
        next_probe_at: '1970-01-01T00:00:00.000Z',
        health: {
          attempts: 1,
          success_rate: 0,
          last_success_at: null,
          waiting: 1,
          failures: [{ failure_class: 'http', http_status: 503, count: 1 }],
        },
      },
    ],
  });
  expect(JSON.stringify(answer)).not.toContain(secret);
  expect(JSON.stringify(answer)).not.toMatch(/whsec|cipher|secret/);
});

test('deliveries are listed newest first, in pages, by status and since a time; each filter refuses what it does not know', async () => {
  const opened = await open();
  const ids = [await announce(opened), await announce(opened), await announce(opened)].toReversed();
  outsideAnswers();
  await rows("update deliveries set status = 'exhausted', attempt_count = 3 where id = ?", ids[2]);
  const all = await listed(opened);
  expect(all.data.map(({ id }) => id)).toEqual(ids);
  expect(all.next_cursor).toBeNull();
  const first = await listed(opened, { limit: '2' });
  expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  const second = await listed(opened, { limit: '2', cursor: first.next_cursor ?? '' });
  expect([second.data.map(({ id }) => id), second.next_cursor]).toEqual([ids.slice(2), null]);
  expect((await listed(opened, { status: 'exhausted,held' })).data).toMatchObject([
    { id: ids[2], subscription_id: opened.id, event_type: 'low_stock', trigger: 'event', status: 'exhausted' },
  ]);
  expect((await listed(opened, { since: '2100-01-01T00:00:00+01:00' })).data).toEqual([]);
  const refused: Record<string, string>[] = [
    { status: 'failed' },
    { status: '' },
    { since: 'yesterday' },
    { cursor: 'x' },
    { state: 'held' },
  ];
  for (const query of refused) {
    const asked = { query: { subscription_id: opened.id, ...query } };
    expectProblem(await callApi(opened.api, 'GET', '/webhooks/deliveries', asked), 400, 'validation_failed');
  }
});

test('without a subscription the deliveries of all are listed together, in pages, and none of another organization', async () => {
  const opened = await open();
  const { api } = opened;
  await subscribe(api.orgId, newReceiverUrl(), ['low_stock']);
  await announce(await open());
  for (let count = 0; count < 3; count += 1) await announce(opened);
  const found: string[] = [];
  let cursor: string | null | undefined;
  for (let pages = 0; cursor !== null && pages < 4; pages += 1) {
    const query: Record<string, string> = { limit: '2', ...(cursor !== undefined && { cursor }) };
    const answer = succeeded(await callApi(api, 'GET', '/webhooks/deliveries', { query }));
    found.push(...answer.data.map(({ id }: { id: string }) => id));
    cursor = answer.next_cursor;
  }
  const stored = await rows<{ id: string }>('select id from deliveries where org_id = ? order by id desc', api.orgId);
  expect(found).toHaveLength(6);
  expect(found).toEqual(stored.map(({ id }) => id));
});

test('with webhooks.write alone an ended delivery is sent again, and what was not delivered since a time is recovered', async () => {
  const opened = await open();
  const { api, id } = opened;
  const [failed, waiting] = [await announce(opened), await announce(opened)];
  await rows("update deliveries set status = 'exhausted', attempt_count = 3 where id = ?", failed);
  const { apiKey } = await createKey(api.orgId, ['webhooks.write']);
  const token = await tokenFor({ orgId: api.orgId, apiKey });
  const recover = (since: string) =>
    callApi(api, 'POST', `/webhooks/subscriptions/${id}/recover`, { token, body: { since } });
  const redeliver = (delivery: string) => callApi(api, 'POST', `/webhooks/deliveries/${delivery}/redeliver`, { token });
  expect(succeeded(await recover('2100-01-01T00:00:00Z'), 202)).toEqual({ enqueued: 0, running: false });
  expect(succeeded(await recover(new Date(Date.now() - 60_000).toISOString()), 202)).toEqual({
    enqueued: 1,
    running: false,
  });
  expect(succeeded(await redeliver(failed), 202)).toEqual({ enqueued: 1 });
  expectProblem(await redeliver(waiting), 409, 'not_redeliverable');
  const made = await rows('select 1 from deliveries where subscription_id = ? and "trigger" = \'redelivery\'', id);
  expect(made).toHaveLength(2);
  await rows("update subscriptions set status = 'paused' where id = ?", id);
  expectProblem(await recover('2026-01-01T00:00:00Z'), 409, 'not_redeliverable');
});

test('a page of given up or waiting deliveries is full, however many others are between them, and costs no more', async () => {
  const opened = await open();
  const { api, id } = opened;
  const now = Date.now();
  for (const [hours, status] of [
    [30, 'exhausted'],
    [20, 'held'],
    [10, 'exhausted'],
  ] as const) {
    await happened(api.orgId, 5, {
      from: now - hours * 3_600_000,
      to: now - (hours - 1) * 3_600_000,
      subscriptionId: id,
      status,
    });
    const to = now - (hours - 9) * 3_600_000;
    await happened(api.orgId, 3_000, { from: now - (hours - 1) * 3_600_000, to, subscriptionId: id });
  }
  for (const [status, expected] of [
    ['exhausted', [4, 4, 2]],
    ['exhausted,held', [4, 4, 4, 3]],
  ] as const) {
    for (const target of [{ subscription_id: id }, {}] as Record<string, string>[]) {
      const pages: number[] = [];
      let cursor: string | null = '';
      for (let count = 0; cursor !== null && count < 6; count += 1) {
        const query: Record<string, string> = { ...target, status, limit: '4', ...(cursor && { cursor }) };
        const page = async () => succeeded(await callApi(api, 'GET', '/webhooks/deliveries', { query }));
        const { data, next_cursor } = await page();
        pages.push(data.length);
        expect((await costOf(page)).rowsRead).toBeLessThanOrEqual(200);
        cursor = next_cursor;
      }
      expect([status, pages]).toEqual([status, expected]);
    }
  }
}, 60_000);
