import { Webhook } from 'standardwebhooks';
import { afterEach, expect, test, vi } from 'vitest';
import { sweepDeliveries } from '../../src/webhooks/sweep';
import { enter } from '../management/browser';
import { faultyDatabase } from '../support/faults';
import { fieldOn } from '../support/html';
import { outsideAnswers } from '../support/outbound';
import { captureLogs, doctoredDb } from '../support/probe';
import { AFTER, BEFORE, DURING, WRONG } from '../support/roots';
import { auditOf, rowOf } from '../support/rows';
import {
  attemptsOf,
  deliver,
  deliverAt,
  deliveriesOf,
  deliveryRow,
  leaveNothing,
  openSubscribed,
  PRODUCTION_SCHEDULE,
  type Subscribed,
  submitForDelivery,
  sweepAt,
} from '../support/webhooks';
import { rows, systemContext } from '../support/world';

afterEach(leaveNothing);

const WEBHOOKS = '/manage/settings/webhooks';
const HOUR = 3_600_000;

/** Every minute's sweep and what it enqueues, at a moment. @returns the ids, in order */
async function sweepAndDeliverAll(now: number, changed: Partial<Env> = {}): Promise<string[]> {
  const ids = (await sweepAt(now, changed)).map(({ id }) => id);
  // As the queue hands them over, with the batch that D1 may see twice.
  for (let at = 0; at < ids.length; at += 10) await deliverAt(now, ids.slice(at, at + 10), changed);
  return ids;
}

async function openWith(count: number) {
  const opened = await openSubscribed();
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) ids.push((await submitForDelivery(opened)).id);
  return { ...opened, ids };
}

function eventIds(posts: { text: string }[]): string[] {
  return posts.map(({ text }) => JSON.parse(text).id);
}

async function eventsInOrder({ pharmacy }: Subscribed): Promise<string[]> {
  return (await deliveriesOf(pharmacy.orgId)).map((run) => run.event_id);
}

const actsOf = (subscriptionId: string) => auditOf(subscriptionId, { actor_kind: 'system' });

async function breakSecret({ subscriptionId: id }: Subscribed): Promise<string> {
  const { secret_ciphertext } = await rowOf('subscriptions', { id });
  await rows("update subscriptions set secret_ciphertext = 'r1.AAAA' where id = ?", id);
  return secret_ciphertext;
}

async function noCanary(): Promise<void> {
  const [table] = await rows("select 1 from sqlite_master where name = 'secret_canaries'");
  if (table) await rows('delete from secret_canaries');
}

test.each([
  ['before there is a canary', false],
  ['once there is a canary', true],
])('wrong ROOT_SECRETS cost nothing (%s): once they are right all arrives, oldest first', async (_, hasCanary) => {
  await noCanary();
  const opened = await openWith(4);
  const posts = outsideAnswers();
  let now = Date.now() + 10_000;
  if (hasCanary) await sweepDeliveries(systemContext({ now: () => 0 }).ctx);
  for (let round = 0; round < 6; round += 1) {
    await deliver(opened.ids, { now: () => now, env: { ...PRODUCTION_SCHEDULE, ...WRONG } });
    await sweepAndDeliverAll(now, WRONG);
    now += HOUR;
  }
  opened.ids.push((await submitForDelivery(opened)).id);
  expect(posts).toEqual([]);
  for (const run of await deliveriesOf(opened.pharmacy.orgId)) expect(run).toMatchObject({ attempt_count: 0 });
  await sweepAndDeliverAll(now);
  await sweepAndDeliverAll(now + HOUR);
  expect(eventIds(posts)).toEqual(await eventsInOrder(opened));
  expect(posts.map(({ headers }) => headers.get('X-Service-Attempt'))).toEqual(['1', '1', '1', '1', '1']);
  expect(await deliveriesOf(opened.pharmacy.orgId)).toMatchObject(
    opened.ids.map((id) => ({ id, status: 'succeeded', attempt_count: 1 })),
  );
});

test('the canary: while the keys are wrong nothing is claimed, and an error line with a code says so', async () => {
  await noCanary();
  const { ids, subscriptionId } = await openWith(2);
  await sweepDeliveries(systemContext({ now: () => 0 }).ctx);
  const { lines } = captureLogs();
  await sweepAndDeliverAll(Date.now() + 10_000, WRONG);
  await deliver(ids, { env: WRONG });
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ level: 'error', event: 'secrets_canary_failed', code: 'root_secrets_wrong' }),
  );
  expect(lines.join()).not.toContain(WRONG.ROOT_SECRETS?.slice(3));
  for (const id of ids) expect(await deliveryRow(id)).toMatchObject({ status: 'pending', attempt_count: 0 });
  expect(await rows('select status from subscriptions where id = ?', subscriptionId)).toEqual([{ status: 'active' }]);
});

test('roots are rotated in two steps: add the new one, then remove the old one; an isolate with the old one keeps working', async () => {
  await noCanary();
  await sweepDeliveries(systemContext({ now: () => 0 }).ctx);
  const { lines } = captureLogs();
  const failed = () => lines.filter((line) => line.includes('secrets_canary_failed')).length;
  const sweepWith = (changed: Partial<Env>) => sweepDeliveries(systemContext({ now: () => 0, env: changed }).ctx);
  // The old root taken away before the new one was ever seen beside it.
  await sweepWith(AFTER);
  expect(failed()).toBe(1);
  await sweepWith(DURING);
  await sweepWith(AFTER);
  await sweepWith(BEFORE);
  expect(failed()).toBe(1);
});

test('a first canary is not written from keys that open nothing', async () => {
  await noCanary();
  const opened = await openWith(1);
  const { lines } = captureLogs();
  await sweepDeliveries(systemContext({ now: () => 0, env: WRONG }).ctx);
  expect(lines.some((line) => line.includes('secrets_canary_failed'))).toBe(true);
  vi.restoreAllMocks();
  const posts = outsideAnswers();
  await sweepAndDeliverAll(Date.now() + 10_000);
  expect(posts.map(({ url }) => url)).toEqual([opened.url]);
});

test('one unreadable secret holds its own subscription with the reason, for all to see; a readable one releases it', async () => {
  const broken = await openWith(2);
  const sound = await openWith(1);
  const ciphertext = await breakSecret(broken);
  const posts = outsideAnswers();
  const { lines } = captureLogs();
  await deliver([...broken.ids, ...sound.ids], { env: PRODUCTION_SCHEDULE });
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ level: 'error', event: 'subscription_held', code: 'secret_unreadable' }),
  );
  expect(posts.map(({ url }) => url)).toEqual([sound.url]);
  const later = await submitForDelivery(broken);
  for (const id of [...broken.ids, later.id]) {
    expect(await deliveryRow(id)).toMatchObject({ status: 'held', attempt_count: 0, lease_until: 0 });
    expect(await attemptsOf(id)).toEqual([]);
  }
  const held = { action: 'subscription.held', actor_kind: 'system', reason_code: 'secret_unreadable' };
  expect(await actsOf(broken.subscriptionId)).toMatchObject([held]);

  const { browser } = await enter(broken.pharmacy.orgId, 'owner');
  expect((await browser.get(WEBHOOKS)).text).toContain('Signaturschlüssel nicht lesbar');
  const shown = (await browser.get(`${WEBHOOKS}/${broken.subscriptionId}`)).text;
  expect(shown).toContain('Wir können den Signaturschlüssel zurzeit nicht lesen.');
  expect((await browser.get('/manage/settings/audit?tab=all')).text).toContain('Signaturschlüssel war nicht lesbar');

  // Still unreadable: the sweep leaves it as it is.
  await sweepAndDeliverAll(Date.now() + HOUR);
  expect(await deliveryRow(later.id)).toMatchObject({ status: 'held' });
  await rows('update subscriptions set secret_ciphertext = ? where id = ?', ciphertext, broken.subscriptionId);
  await sweepAndDeliverAll(Date.now() + HOUR);
  expect(eventIds(posts.slice(1))).toEqual(await eventsInOrder(broken));
  expect(await actsOf(broken.subscriptionId)).toMatchObject([
    held,
    { ...held, action: 'subscription.released', reason_code: null },
  ]);
  expect((await browser.get(WEBHOOKS)).text).not.toContain('Signaturschlüssel nicht lesbar');
});

test('rotating the secret releases what an unreadable one held, signed with the new one alone, overlap or not', async () => {
  const broken = await openWith(1);
  await breakSecret(broken);
  const posts = outsideAnswers();
  await deliver(broken.ids, { env: PRODUCTION_SCHEDULE });
  const { browser } = await enter(broken.pharmacy.orgId, 'owner');
  const path = `${WEBHOOKS}/${broken.subscriptionId}/secret`;
  const form = await browser.get(path);
  const seen_at = fieldOn(form.text, 'seen_at');
  const form_id = fieldOn(form.text, 'form_id');
  const sent = { form_token: form.token, form_id, seen_at, overlap: 'day' };
  const made = await browser.shown(browser.post(path, sent));
  const secret = />(whsec_[^<]+)</.exec(made.text)?.[1] ?? '';
  await sweepAndDeliverAll(Date.now() + 10_000);
  expect(posts).toHaveLength(1);
  new Webhook(secret).verify(posts[0]?.text ?? '', Object.fromEntries(posts[0]?.headers ?? []));
});

test('an address that became that of this service costs no attempt; once it is not, all arrives', async () => {
  const opened = await openWith(2);
  const ours = { BASE_URL: `https://${new URL(opened.url).hostname}`, OUTBOUND_ALLOW_LOOPBACK: '' };
  const posts = outsideAnswers();
  let now = Date.now() + 10_000;
  for (let round = 0; round < 4; round += 1) {
    await deliver(opened.ids, { now: () => now, env: { ...PRODUCTION_SCHEDULE, ...ours } });
    await sweepAndDeliverAll(now, ours);
    now += HOUR;
  }
  expect(posts).toEqual([]);
  await sweepAndDeliverAll(now);
  expect(eventIds(posts)).toEqual(await eventsInOrder(opened));
});

test('a batch that D1 carries out and loses the answer of gives each claim back once', async () => {
  const broken = await openWith(2);
  await breakSecret(broken);
  outsideAnswers();
  const { DB, sizes } = faultyDatabase({ batch: 2, how: 'is carried out and its answer lost, a transient error' });
  await deliver(broken.ids, { env: { ...PRODUCTION_SCHEDULE, DB } });
  expect(sizes).toHaveLength(3);
  for (const id of broken.ids) expect(await deliveryRow(id)).toMatchObject({ status: 'held', attempt_count: 0 });
  expect(await actsOf(broken.subscriptionId)).toHaveLength(1);
});

test('a secret that was rotated while its claim was under way holds nothing', async () => {
  const broken = await openWith(1);
  const ciphertext = await breakSecret(broken);
  const posts = outsideAnswers();
  const DB = doctoredDb(async (trip, send) => {
    if (trip === 2) {
      await rows('update subscriptions set secret_ciphertext = ? where id = ?', ciphertext, broken.subscriptionId);
    }
    return send();
  });
  await deliver(broken.ids, { env: { ...PRODUCTION_SCHEDULE, DB } });
  expect(await deliveryRow(broken.ids[0] ?? '')).toMatchObject({ status: 'pending', attempt_count: 0 });
  await sweepAndDeliverAll(Date.now() + HOUR);
  expect(posts).toHaveLength(1);
});
