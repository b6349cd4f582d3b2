import type { env } from 'cloudflare:workers';
import { EVENT_TYPES } from '../../src/webhooks/event-types';
import { linksOf } from '../support/html';
import { openOrganization } from '../support/operator';
import { outsideAnswers } from '../support/outbound';
import { captureLogs } from '../support/probe';
import { insertRows, quoted, rowOf } from '../support/rows';
import { expect, test, vi } from '../support/test';
import { deliver, deliveryRow, newReceiverUrl, openDelivery, submitForDelivery } from '../support/webhooks';
import { rows, silentQueue, subscribe } from '../support/world';
import { enter } from './browser';

const WEBHOOKS = '/manage/settings/webhooks';

const statusOf = (id: string) => rowOf('subscriptions', { id });

test('a subscription is made with chosen events; its secret is shown once', async ({ orgId, owner: { browser } }) => {
  const { lines } = captureLogs();
  const url = newReceiverUrl();
  const page = await browser.shown(browser.submit(WEBHOOKS, { url, order_created: 'on', low_stock: 'on' }));
  const secret = />(whsec_[^<]+)</.exec(page.text)?.[1] ?? 'none';
  expect(lines.join()).not.toContain(secret);
  vi.restoreAllMocks();
  expect(page.status).toBe(200);
  expect(page.text).toContain('UTF-8-Bytes der ganzen Zeichenkette');
  const list = await browser.get(WEBHOOKS);
  expect(list.text).not.toContain('>whsec_');
  expect(list.text).not.toContain(secret);
  expect(list.text).toContain(url);
  expect(list.text).toContain('1 von 5 Abonnements');
  const [row] = await rows<{ event_types: string }>('select event_types from subscriptions where org_id = ?', orgId);
  expect(row?.event_types).toBe('["order_created","low_stock"]');
});

test('one checkbox, without a script, stands for all events; the form of what has all of them has it ticked', async () => {
  const orgId = await openOrganization();
  const { browser } = await enter(orgId, 'owner');
  await browser.submit(WEBHOOKS, { url: newReceiverUrl(), all_events: 'on' });
  const subscription = () =>
    rows<{ id: string; event_types: string }>('select id, event_types from subscriptions where org_id = ?', orgId);
  const [made] = await subscription();
  expect(JSON.parse(made?.event_types ?? '[]')).toEqual(EVENT_TYPES);
  const path = `${WEBHOOKS}/${made?.id}/edit`;
  const { text } = await browser.get(path);
  expect(text).toContain('name="all_events" value="on" checked');
  const [, seen_at = ''] = /name="seen_at" value="(\d+)"/.exec(text) ?? [];
  await browser.submit(path, { url: newReceiverUrl(), low_stock: 'on', seen_at }, path);
  const [edited] = await subscription();
  expect(edited?.event_types).toBe('["low_stock"]');
  expect((await browser.get(path)).text).not.toContain('name="all_events" value="on" checked');
});

test('a private address is refused beside the field and what was typed stays; so is one without events', async ({
  orgId,
  owner: { browser },
}) => {
  const page = await browser.submit(WEBHOOKS, { url: 'https://db.internal/in', order_created: 'on' });
  expect(page.status).toBe(400);
  const message = 'Diese Adresse ist aus dem Internet nicht erreichbar.';
  expect(page.text.split(message).length).toBeGreaterThanOrEqual(3);
  expect(page.text).toContain('value="https://db.internal/in"');
  expect(page.text).toContain('name="order_created" value="on" checked');
  // All that is wrong is said at once.
  const { text } = await browser.submit(WEBHOOKS, { url: 'http://x.example', sources: 'x'.repeat(101) });
  for (const field of ['url', 'event_types', 'sources']) expect(text).toContain(`id="${field}-fault"`);
  expect(await rows('select 1 from subscriptions where org_id = ?', orgId)).toEqual([]);
});

test('five are the most; a deleted one frees its place and cancels what waits', async () => {
  const { pharmacy, subscriptionId, deliveryId } = await openDelivery();
  const { browser } = await enter(pharmacy.orgId, 'owner');
  const { token } = await browser.get(WEBHOOKS);
  for (let count = 1; count < 5; count += 1) await subscribe(pharmacy.orgId, newReceiverUrl());
  const fields = { form_token: token, url: newReceiverUrl(), order_created: 'on' };
  const full = await browser.post(WEBHOOKS, fields);
  expect(full.status).toBe(400);
  expect(full.text).toContain('Höchstens 5 Abonnements. Löschen Sie zuerst eines.');
  expect((await browser.get(`${WEBHOOKS}/${subscriptionId}/delete`)).text).toContain('löschen?');
  await browser.submit(`${WEBHOOKS}/${subscriptionId}/delete`, {});
  expect(await deliveryRow(deliveryId)).toMatchObject({ status: 'cancelled' });
  expect(await browser.get(`${WEBHOOKS}/${subscriptionId}`)).toMatchObject({ status: 404 });
  expect(await browser.post(WEBHOOKS, fields)).toMatchObject({ status: 303 });
});

test('pausing holds what is due; resuming, after a 410 too, lets it arrive; either says so where it changed nothing', async ({
  delivery: opened,
}) => {
  const { pharmacy, subscriptionId: id, deliveryId } = opened;
  const { browser } = await enter(pharmacy.orgId, 'owner');
  const press = async (act: 'pause' | 'resume') =>
    (await browser.shown(browser.submit(`${WEBHOOKS}/${id}/${act}`, {}, WEBHOOKS))).text;
  expect(await press('pause')).toContain('Das Abonnement ist angehalten.');
  expect(await press('pause')).toContain('Das Abonnement war schon angehalten.');
  expect([await statusOf(id), await deliveryRow(deliveryId)]).toMatchObject([{ status: 'paused' }, { status: 'held' }]);
  const later = await submitForDelivery(opened);
  expect(later.status).toBe('held');
  const { queue, enqueued } = silentQueue();
  browser.env = { WEBHOOK_DELIVERIES: queue as typeof env.WEBHOOK_DELIVERIES };
  await browser.submit(`${WEBHOOKS}/${id}/resume`, {}, WEBHOOKS);
  expect(enqueued.map((message) => message.id)).toEqual([deliveryId, later.id]);
  const posts = outsideAnswers((_, count) => new Response(null, { status: count === 1 ? 200 : 410 }));
  await deliver([deliveryId]);
  await deliver([later.id]);
  expect(posts).toHaveLength(2);
  expect(await deliveryRow(deliveryId)).toMatchObject({ status: 'succeeded' });
  expect(await statusOf(id)).toMatchObject({ status: 'paused' });
  await browser.submit(`${WEBHOOKS}/${id}/resume`, {}, WEBHOOKS);
  expect(await press('resume')).toContain('Das Abonnement lief schon wieder.');
  expect(await statusOf(id)).toMatchObject({ status: 'active' });
  const acts = await rows("select action from audit_log where entity_id = ? and actor_kind = 'staff' order by at", id);
  expect(acts.map(({ action }) => action)).toEqual([
    'subscription.paused',
    'subscription.resumed',
    'subscription.resumed',
  ]);
});

test('redelivery is a new run of the same event and body; none while the subscription is paused', async () => {
  const { pharmacy, subscriptionId: id, deliveryId, eventId } = await openDelivery();
  const { browser } = await enter(pharmacy.orgId, 'owner');
  const posts = outsideAnswers(() => new Response('<script>alert(1)</script>', { status: 200 }));
  await deliver([deliveryId]);
  const path = `${WEBHOOKS}/${id}/deliveries/${deliveryId}`;
  const page = await browser.get(path);
  expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(page.text).not.toContain('<script>alert');
  expect(page.text).toContain('HTTP 200');
  const answer = await browser.submit(`${path}/redeliver`, {}, path);
  expect(answer.status).toBe(303);
  const again = answer.location?.split('/').at(-1) ?? '';
  expect(again).not.toBe(deliveryId);
  await deliver([again]);
  expect(await deliveryRow(again)).toMatchObject({ event_id: eventId, trigger: 'redelivery', status: 'succeeded' });
  expect(posts[1]?.text).toBe(posts[0]?.text);
  await browser.submit(`${WEBHOOKS}/${id}/pause`, {}, WEBHOOKS);
  expect((await browser.get(path)).text).toContain('sobald das Abonnement aktiv ist');
  expect(await browser.submit(`${path}/redeliver`, {}, path)).toMatchObject({ status: 409 });
  expect(await rows('select 1 from deliveries where subscription_id = ?', id)).toHaveLength(2);
});

test('the log shows runs newest first, 50 a page, by state', async () => {
  const { pharmacy, subscriptionId: id, deliveryId, eventId } = await openDelivery();
  const { browser } = await enter(pharmacy.orgId, 'owner');
  outsideAnswers(() => new Response('no', { status: 500 }));
  await deliver([deliveryId]);
  const own = { org_id: quoted(pharmacy.orgId), event_id: quoted(eventId), subscription_id: quoted(id) };
  const held = { trigger: `'redelivery'`, status: `'held'`, attempt_count: '0' };
  await insertRows('deliveries', 51, { id: `printf('ffffffff-%04d-${id}', i)`, ...own, ...held });
  const linksOn = async (path: string) =>
    [...(await browser.get(path)).text.matchAll(/deliveries\/([\w-]+)"/g)].map(([, link]) => link);
  const first = await linksOn(`${WEBHOOKS}/${id}`);
  expect([first.length, first[0]]).toEqual([50, `ffffffff-0050-${id}`]);
  const [next = ''] = linksOf((await browser.get(`${WEBHOOKS}/${id}`)).text, /before=/);
  expect(await linksOn(next)).toEqual([`ffffffff-0000-${id}`, deliveryId]);
  expect(await linksOn(`${WEBHOOKS}/${id}?status=failed`)).toEqual([deliveryId]);
  expect(await linksOn(`${WEBHOOKS}/${id}?status=held`)).toHaveLength(50);
});
