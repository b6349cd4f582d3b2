import { expect, test } from 'vitest';
import { newId } from '../../src/platform/ids';
import { textOf } from '../support/html';
import { insertRow } from '../support/rows';
import { openDelivery, openSubscribed, type Subscribed } from '../support/webhooks';
import { rows, subscribe } from '../support/world';
import { type Browser, enter } from './browser';

const WEBHOOKS = '/manage/settings/webhooks';
const BANNER = 'Webhooks, die nicht ankommen';
const PAGES = ['/manage/requests', '/manage/orders', '/manage/products', '/manage/account', WEBHOOKS];

interface State {
  status: string;
  hold_reason?: string;
  /** The reason of the last pause. */
  reason?: string;
}

async function put({ pharmacy, subscriptionId: id }: Subscribed, { status, hold_reason, reason }: State) {
  await rows(
    'update subscriptions set status = ?, hold_reason = ?, held_since = 1, next_probe_at = 2 where id = ?',
    status,
    hold_reason ?? null,
    id,
  );
  const action = { holding: 'held', paused: 'paused', disabled: 'disabled' }[status] ?? 'resumed';
  const about = { action: `subscription.${action}`, entity_id: id, reason_code: reason ?? hold_reason };
  await insertRow('audit_log', { id: newId(), org_id: pharmacy.orgId, at: Date.now(), ...about });
}

async function bannerOn(browser: Browser, path: string): Promise<boolean> {
  const { text, status } = await browser.get(path);
  expect([path, status]).toEqual([path, 200]);
  return text.includes(BANNER);
}

test('owners see on every page that a subscription is on hold, disabled or paused by its receiver, with a link; nobody else does', async () => {
  const subscribed = await openSubscribed();
  const { pharmacy, subscriptionId, url } = subscribed;
  const owner = await enter(pharmacy.orgId, 'owner');
  expect(await bannerOn(owner.browser, '/manage/requests')).toBe(false);
  const stops: [State, string][] = [
    [{ status: 'holding', hold_reason: 'receiver_failing' }, 'Webhooks warten: '],
    [{ status: 'holding', hold_reason: 'secret_unreadable' }, 'Webhooks warten auf uns'],
    [{ status: 'disabled', hold_reason: 'receiver_failing' }, 'Webhooks abgeschaltet'],
    [{ status: 'paused', reason: 'receiver_gone' }, 'Webhooks angehalten'],
  ];
  for (const [state, words] of stops) {
    await put(subscribed, state);
    const { text } = await owner.browser.get('/manage/orders');
    for (const part of [words, new URL(url).host, `href="${WEBHOOKS}/${subscriptionId}"`]) expect(text).toContain(part);
  }
  for (const path of PAGES) expect([path, await bannerOn(owner.browser, path)]).toEqual([path, true]);
  for (const page of ['', '/edit']) {
    expect(await bannerOn(owner.browser, `${WEBHOOKS}/${subscriptionId}${page}`)).toBe(false);
  }
  const pharmacist = await enter(pharmacy.orgId, 'pharmacist');
  const stranger = await enter((await openSubscribed()).pharmacy.orgId, 'owner');
  for (const { browser } of [pharmacist, stranger]) expect(await bannerOn(browser, '/manage/orders')).toBe(false);
});

test('the banner goes when the owner resumes, and does not come for a subscription that a person paused or deleted', async () => {
  const subscribed = await openSubscribed();
  const { browser } = await enter(subscribed.pharmacy.orgId, 'owner');
  const path = `${WEBHOOKS}/${subscribed.subscriptionId}`;
  await put(subscribed, { status: 'paused', reason: 'receiver_gone' });
  expect(await bannerOn(browser, '/manage/orders')).toBe(true);
  await browser.submit(`${path}/resume`, {}, path);
  expect(await bannerOn(browser, '/manage/orders')).toBe(false);
  await browser.submit(`${path}/pause`, {}, path);
  expect(await bannerOn(browser, '/manage/orders')).toBe(false);
  await put(subscribed, { status: 'disabled', hold_reason: 'receiver_failing' });
  expect(await bannerOn(browser, '/manage/orders')).toBe(true);
  await browser.submit(`${path}/delete`, {});
  expect(await bannerOn(browser, '/manage/orders')).toBe(false);
});

test('the page of a disabled subscription says why and since when, resumes it, and then offers what happened meanwhile', async () => {
  const subscribed = await openSubscribed();
  const { browser } = await enter(subscribed.pharmacy.orgId, 'owner');
  const path = `${WEBHOOKS}/${subscribed.subscriptionId}`;
  await put(subscribed, { status: 'holding', hold_reason: 'receiver_failing' });
  expect((await browser.get(path)).text).toMatch(/Nächster Versuch: 01\.01\., /);
  await put(subscribed, { status: 'disabled', hold_reason: 'receiver_failing' });
  const stopped = await browser.get(path);
  expect(stopped.text).toContain('5 Tage lang nichts angenommen');
  expect(stopped.text).toMatch(/Auf Warten gestellt: Server nimmt nichts an/);
  const resumed = await browser.submit(`${path}/resume`, {}, path);
  expect(resumed).toMatchObject({ status: 303, location: path });
  const running = await browser.get(path);
  const offered = /href="([^"]+redeliver\?since=[^"]+)"/.exec(running.text)?.[1] ?? '';
  expect(await browser.get(offered)).toMatchObject({ status: 200 });
});

test('failures come with what to do about them, by what the receiver answered', async () => {
  const { pharmacy, subscriptionId: id } = await openSubscribed();
  const { browser } = await enter(pharmacy.orgId, 'owner');
  const at = Date.now() - 1_000;
  const org_id = pharmacy.orgId;
  await insertRow('events', { id, org_id, created_at: at });
  for (const [index, http, failure] of [
    [0, 401, 'http'],
    [1, 404, 'http'],
    [2, 429, 'http'],
    [3, null, 'timeout'],
  ] as const) {
    const delivery = `ffffffff-${index}${id.slice(10)}`;
    const ended = { status: 'exhausted', created_at: at, finished_at: at };
    await insertRow('deliveries', { id: delivery, org_id, event_id: id, subscription_id: id, ...ended });
    const how = { started_at: at, http_status: http, failure_class: failure };
    await insertRow('delivery_attempts', { delivery_id: delivery, ...how });
  }
  const { text } = await browser.get(`${WEBHOOKS}/${id}`);
  expect(textOf(text)).toMatch(/Angenommen 0\s% von 4 Versuchen in 24 Std\./);
  expect(text).toMatch(/aria-label="Versuche je Stunde: 0 angenommen, 4 gescheitert"/);
  for (const words of [
    'Ist dort der aktuelle Signaturschlüssel',
    'Prüfen Sie den Pfad der Adresse',
    'Retry-After',
    'antworten Sie mit 200 und arbeiten Sie danach',
  ]) {
    expect(text).toContain(words);
  }
  await subscribe(pharmacy.orgId, 'https://second.example.com/');
  const list = await browser.get(WEBHOOKS);
  expect(list.text).toMatch(/\b0\s% von 4 Versuchen/);
  expect(list.text).toContain('Kein Versuch in 24 Stunden');
});

test('two addresses of one host are one line, which leads to the list, without what their queries hold', async () => {
  const first = await openSubscribed();
  const { orgId } = first.pharmacy;
  const second = await subscribe(orgId, `${new URL(first.url).origin}/other?token=S3NT1NEL`);
  for (const { subscriptionId } of [first, second]) {
    await put({ ...first, subscriptionId }, { status: 'holding', hold_reason: 'receiver_failing' });
  }
  const { browser } = await enter(orgId, 'owner');
  const { text } = await browser.get('/manage/orders');
  const banner = [...text.matchAll(/href="([^"]+)">\s*Webhooks warten: ([^<\s]+)/g)].map(([, ...found]) => found);
  expect(banner).toEqual([[WEBHOOKS, new URL(first.url).host]]);
  expect(text).not.toContain('S3NT1NEL');
});

test('the page of a delivery that waits says why, until when, and goes on with one click', async () => {
  const subscribed = await openDelivery();
  const { subscriptionId, deliveryId } = subscribed;
  await put(subscribed, { status: 'holding', hold_reason: 'receiver_failing' });
  const { browser } = await enter(subscribed.pharmacy.orgId, 'owner');
  const page = `${WEBHOOKS}/${subscriptionId}/deliveries/${deliveryId}`;
  const { text } = await browser.get(page);
  expect(textOf(text)).toContain('Nächster Versuch');
  expect(text).toContain(`action="${WEBHOOKS}/${subscriptionId}/resume"`);
});
