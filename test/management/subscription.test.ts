import { verify } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import { actingAs } from '../../src/platform/context';
import { listEvents } from '../../src/webhooks/events/feed';
import { SNIPPETS } from '../../src/webhooks/signing/snippets';
import { sweepDeliveries } from '../../src/webhooks/sweep';
import { fieldOn, textOf, unescaped } from '../support/html';
import { openOrganization } from '../support/operator';
import { databaseDown, outsideAnswers } from '../support/outbound';
import { captureLogs } from '../support/probe';
import { insertRows, quoted } from '../support/rows';
import { test as base, expect, vi } from '../support/test';
import {
  attemptsOf,
  deliver,
  deliverAt,
  deliveriesOf,
  deliveryRow,
  newReceiverUrl,
  openDelivery,
  openSubscribed,
  type Subscribed,
  submitForDelivery,
} from '../support/webhooks';
import { rows, silentQueue, subscribe, systemContext } from '../support/world';
import { type Browser, enter } from './browser';

const WEBHOOKS = '/manage/settings/webhooks';
const TYPE = 'order_request_submitted';

interface Opened extends Subscribed {
  browser: Browser;
  path: string;
}

async function open(): Promise<Opened> {
  const subscribed = await openSubscribed();
  const { browser } = await enter(subscribed.pharmacy.orgId, 'owner');
  return { ...subscribed, browser, path: `${WEBHOOKS}/${subscribed.subscriptionId}` };
}

const test = base.extend('opened', () => open());

async function testNow({ browser, path }: Opened, type = TYPE) {
  const answer = await browser.submit(`${path}/test`, { event_type: type }, path);
  expect(answer.status).toBe(303);
  const id = answer.location?.split('/').at(-1) ?? '';
  return { id, page: await browser.get(answer.location ?? '') };
}

test('a test event is posted once, signed, to this subscription alone, and one screen shows request, answer, verdict', async () => {
  const opened = await open();
  const { pharmacy, signingSecret, url } = opened;
  await subscribe(pharmacy.orgId, newReceiverUrl(), [TYPE]);
  const posts = outsideAnswers(() => new Response('taken <b>', { status: 202 }));
  const { id, page } = await testNow(opened);
  expect(posts.map((post) => post.url)).toEqual([url]);
  const { headers, text } = posts[0] ?? { headers: new Headers(), text: '' };
  expect(headers.get('X-Service-Test')).toBe('true');
  expect(await verify(signingSecret, text, headers.get('X-Service-Signature') ?? '')).toBe(true);
  expect(new Webhook(signingSecret).verify(text, Object.fromEntries(headers))).toMatchObject({
    event_type: TYPE,
    org_id: pharmacy.orgId,
    metadata: { external_reference: 'RX-2026-0001' },
  });
  for (const [name, value] of headers) {
    if (name !== 'content-type') expect(page.text.toLowerCase()).toContain(`${name}: ${value}`.toLowerCase());
  }
  expect(page.text).toMatch(/Ihr Server hat in \d+ ms mit 202 geantwortet: angenommen\./);
  expect(page.text).toContain('taken &lt;b&gt;');
  expect(page.text).toContain(`POST ${url}`);
  expect(page.text).not.toContain('whsec_');
  expect(page.text).not.toContain(`deliveries/${id}/redeliver`);
  expect(await deliveriesOf(pharmacy.orgId)).toMatchObject([{ id, trigger: 'test', status: 'succeeded' }]);
});

test('a test event works while the subscription is paused, and its 410 pauses no active one', async ({ opened }) => {
  await opened.browser.submit(`${opened.path}/pause`, {}, WEBHOOKS);
  const posts = outsideAnswers(() => new Response(null, { status: 410 }));
  const { page } = await testNow(opened, 'low_stock');
  expect(page.text).toContain('Bei einem echten Ereignis halten wir das Abonnement damit an.');
  await opened.browser.submit(`${opened.path}/resume`, {}, WEBHOOKS);
  await testNow(opened, 'low_stock');
  expect(posts).toHaveLength(2);
  const [row] = await rows('select status from subscriptions where id = ?', opened.subscriptionId);
  expect(row).toEqual({ status: 'active' });
});

test('a test that fails is not retried, not redelivered and not in the pull feed', async ({ opened }) => {
  const { pharmacy, browser, path } = opened;
  const posts = outsideAnswers(() => new Response('no', { status: 500 }));
  const { id, page } = await testNow(opened);
  expect(page.text).toContain('Auf Ihrem Server ist ein Fehler aufgetreten.');
  const later = Date.now() + 3_600_000;
  const { ctx, deliveriesEnqueued } = systemContext({ now: () => later });
  await sweepDeliveries(ctx);
  await deliver([id], { now: () => later });
  expect(deliveriesEnqueued.filter((message) => message.id === id)).toEqual([]);
  expect(posts).toHaveLength(1);
  expect(await deliveryRow(id)).toMatchObject({ status: 'exhausted', attempt_count: 1 });
  expect(await browser.submit(`${path}/deliveries/${id}/redeliver`, {}, path)).toMatchObject({ status: 409 });
  const { events } = await listEvents(
    actingAs(systemContext().ctx, { kind: 'staff', memberId: 'm', orgId: pharmacy.orgId, role: 'owner' }),
    { after: 0, limit: 10 },
  );
  expect(events).toEqual([]);
  expect(await rows('select is_test from events where org_id = ?', pharmacy.orgId)).toEqual([{ is_test: 1 }]);
});

test('a test whose record was lost is closed by the sweep: no retry, recovery run or message', async ({ opened }) => {
  outsideAnswers();
  const { token } = await opened.browser.get(opened.path);
  // Session, claim, then the record is lost.
  const DB = databaseDown(2);
  opened.browser.env = { DB };
  const answer = await opened.browser.post(`${opened.path}/test`, { form_token: token, event_type: TYPE });
  expect(answer.status).toBe(502);
  opened.browser.env = {};
  const [run] = await deliveriesOf(opened.pharmacy.orgId);
  expect(run).toMatchObject({ trigger: 'test', status: 'delivering', attempt_count: 1 });
  const { ctx, deliveriesEnqueued } = systemContext({ now: () => Date.now() + 3_600_000 });
  await sweepDeliveries(ctx);
  expect(await deliveriesOf(opened.pharmacy.orgId)).toMatchObject([{ id: run?.id, status: 'exhausted' }]);
  expect(await attemptsOf(run?.id ?? '')).toMatchObject([{ trigger: 'test', failure_class: 'interrupted' }]);
  expect(deliveriesEnqueued.filter((message) => message.id === run?.id)).toEqual([]);
  const page = await opened.browser.get(`${opened.path}/deliveries/${run?.id}`);
  expect(page.text).toContain('Der Versuch wurde unterbrochen');
});

test('six tests within a minute make five posts; the sixth is refused in place', async ({ opened, posts }) => {
  const { token } = await opened.browser.get(opened.path);
  const fields = { form_token: token, event_type: 'low_stock' };
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => opened.browser.post(`${opened.path}/test`, fields)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 303, 303, 303, 303, 400]);
  expect(posts).toHaveLength(5);
  const refused = answers.find(({ status }) => status === 400);
  expect(refused?.text).toContain('Höchstens 5 Testereignisse in einer Minute.');
  expect(refused?.text).toContain('value="low_stock" selected');
});

test.each([
  [() => new Response(null, { status: 302 }), 'Webhooks folgen keiner Weiterleitung'],
  [() => new Response(null, { status: 401 }), 'prüft der Server die Signatur mit einem anderen Schlüssel'],
  [() => new Response(null, { status: 404 }), 'Prüfen Sie den Pfad der Adresse.'],
  [() => Promise.reject(new DOMException('', 'TimeoutError')), 'in 10 Sekunden nicht geantwortet'],
  [() => Promise.reject(new Error('DNS lookup failed')), 'wurde nicht gefunden (DNS)'],
  [() => Promise.reject(new Error('TLS handshake')), 'hat kein gültiges Zertifikat'],
  [() => Promise.reject(new Error('refused')), 'Es kam keine Verbindung'],
] as [() => Response | Promise<Response>, string][])('the verdict on %s says what to do', async (answer, words) => {
  const opened = await open();
  outsideAnswers(answer);
  expect((await testNow(opened)).page.text).toContain(words);
});

test('a test to an address that may no longer be called sends nothing and says so', async ({ opened }) => {
  await rows("update subscriptions set url = 'https://10.0.0.1/in' where id = ?", opened.subscriptionId);
  const posts = outsideAnswers();
  const { page } = await testNow(opened);
  expect(posts).toEqual([]);
  expect(page.text).toContain('Es wurde nichts gesendet.');
});

test('of several attempts the latest is shown in full, or the one that is asked for; curl sends the same again', async ({
  opened,
}) => {
  const { browser, path, url } = opened;
  const posts = outsideAnswers((_, count) =>
    count === 1 ? new Response('it’s down', { status: 500 }) : new Response('taken'),
  );
  const { id } = await submitForDelivery(opened);
  await deliver([id]);
  await deliverAt(Date.now() + 3_600_000, [id]);
  const page = `${path}/deliveries/${id}`;
  const [latest, first, unknown] = await Promise.all(
    ['', '?attempt=1', '?attempt=9'].map(async (query) => (await browser.get(page + query)).text),
  );
  for (const [text, number, verdict] of [
    [latest, 2, 'mit 200 geantwortet: angenommen'],
    [first, 1, 'mit 500 geantwortet: nicht angenommen'],
    [unknown, 2, 'mit 200 geantwortet: angenommen'],
  ] as const) {
    expect(text).toContain(verdict);
    expect(textOf(text ?? '')).toContain(`X-Service-Attempt: ${number} `);
    expect(text).toContain(`href="${page}?attempt=${3 - number}"`);
    expect(text).not.toContain(`href="${page}?attempt=${number}"`);
    // Both answers are in the table.
    for (const answer of ['it’s down', 'taken']) expect(text).toContain(answer);
  }
  const curl = unescaped(/<code id="curl" hidden="">([^<]+)/.exec(first ?? '')?.[1] ?? '');
  expect(curl).toContain(`curl '${url}' `);
  expect(curl).toContain(`-d '${posts[0]?.text.replaceAll("'", "'\\''")}'`);
});

test('the log is filtered by status, event, failure and period, and says so in its address', async ({ opened }) => {
  const { browser, path } = opened;
  outsideAnswers((_, count) => (count === 1 ? new Response(null, { status: 500 }) : Promise.reject(new Error('dns'))));
  const first = await submitForDelivery(opened);
  await deliver([first.id]);
  const second = await submitForDelivery(opened);
  await deliver([second.id]);
  const third = await submitForDelivery(opened);
  const links = async (query: string) => {
    const { text } = await browser.get(path + query);
    return [...text.matchAll(/deliveries\/([\w-]+)"/g)].map(([, id]) => id);
  };
  expect(await links('')).toEqual([third.id, second.id, first.id]);
  expect(await links('?status=failed')).toEqual([second.id, first.id]);
  expect(await links('?failure=dns')).toEqual([second.id]);
  expect(await links('?failure=http&period=hour')).toEqual([first.id]);
  expect(await links('?type=low_stock')).toEqual([]);
  expect(await links('?status=waiting')).toEqual([third.id, second.id, first.id]);
  expect(await links('?status=nonsense&before=')).toEqual([]);
  const { text } = await browser.get(`${path}?status=failed&type=${TYPE}`);
  expect(text).toContain('<option value="failed" selected');
});

test('what failed since a time is sent once more, each event once, whoever asks meanwhile', async ({ opened }) => {
  const { browser, path, subscriptionId } = opened;
  outsideAnswers(() => new Response(null, { status: 500 }));
  const failed: string[] = [];
  for (let count = 0; count < 4; count += 1) failed.push((await submitForDelivery(opened)).id);
  await rows("update deliveries set status = 'exhausted', attempt_count = 3 where subscription_id = ?", subscriptionId);
  const [again] = failed;
  vi.restoreAllMocks();
  outsideAnswers();
  const redelivered = await browser.submit(`${path}/deliveries/${again}/redeliver`, {}, path);
  await deliver([redelivered.location?.split('/').at(-1) ?? '']);
  await testNow(opened);
  const page = await browser.get(`${path}/redeliver`);
  expect(page.text).toContain('3 Ereignisse sind nicht angekommen.');
  const since = fieldOn(page.text, 'since');
  const { queue, enqueued } = silentQueue();
  browser.env = { WEBHOOK_DELIVERIES: queue as Env['WEBHOOK_DELIVERIES'] };
  const fields = { form_token: page.token, since };
  const answers = await Promise.all([1, 2, 3].map(() => browser.post(`${path}/redeliver`, fields)));
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
  const runs = await rows<{ id: string; event_id: string }>(
    "select id, event_id from deliveries where subscription_id = ? and status = 'pending' order by id",
    subscriptionId,
  );
  expect(runs).toHaveLength(3);
  expect(new Set(runs.map(({ event_id }) => event_id)).size).toBe(3);
  // As many messages as may be under way at once; each attempt that ends goes on with the next.
  expect(enqueued.map(({ id }) => id)).toEqual(runs.slice(0, 2).map(({ id }) => id));
  const waiting = await browser.get(path);
  expect(waiting.text).toContain('0 von 3 zugestellt');
  expect(waiting.text).toContain('id="bulk-progress" data-refresh-seconds="5"');
  await deliver(enqueued.map(({ id }) => id));
  await sweepDeliveries(systemContext().ctx);
  const done = await browser.get(path);
  expect(done.text).toContain('3 von 3 zugestellt');
  expect(done.text).not.toContain('data-refresh-seconds');
  expect((await browser.get(`${path}/redeliver`)).text).toContain('Seitdem ist alles angekommen');
});

test('a bulk redelivery takes all, page by page, and is refused while paused or since no time', async ({ opened }) => {
  const { pharmacy, browser, path, subscriptionId } = opened;
  await insertRows('events', 501, {
    ...{ id: `'ffffffff-${crypto.randomUUID().slice(0, 8)}-' || i`, org_id: quoted(pharmacy.orgId), seq: '1001 + i' },
    ...{ type: `'order_request_submitted'`, created_at: Date.now() },
  });
  await rows('update subscriptions set skipped_after = 1000, skipped_until = 1501 where id = ?', subscriptionId);
  const page = await browser.get(`${path}/redeliver`);
  expect(page.text).toContain('501 Ereignisse sind nicht angekommen.');
  expect(page.text).toContain('501 Ereignisse erneut zustellen');
  const since = fieldOn(page.text, 'since');
  for (const wrong of ['', 'x', '2999-01-01T00:00']) {
    expect(await browser.post(`${path}/redeliver`, { form_token: page.token, since: wrong })).toMatchObject({
      status: 400,
    });
  }
  await browser.submit(`${path}/pause`, {}, WEBHOOKS);
  expect(await browser.post(`${path}/redeliver`, { form_token: page.token, since })).toMatchObject({ status: 409 });
  await browser.submit(`${path}/resume`, {}, WEBHOOKS);
  const { requests } = captureLogs();
  await browser.post(`${path}/redeliver`, { form_token: page.token, since });
  expect(requests().at(-1)?.d1_round_trips).toBe(4);
  vi.restoreAllMocks();
  const underWay = await browser.get(path);
  expect(underWay.text).toContain('Weitere werden noch gesucht.');
  expect(underWay.text).toContain('id="bulk-progress" data-refresh-seconds="5"');
  expect((await browser.get(`${path}/redeliver`)).text).toContain('1 Ereignis ist nicht angekommen.');
  await sweepDeliveries(systemContext().ctx);
  expect((await browser.get(`${path}/redeliver`)).text).toContain('Seitdem ist alles angekommen oder noch unterwegs.');
  expect((await browser.get(path)).text).not.toContain('Weitere werden');
  const waiting = await rows(
    "select 1 from deliveries where subscription_id = ? and status = 'pending'",
    subscriptionId,
  );
  expect(waiting).toHaveLength(501);
});

test('address and events are edited; an overtaken form changes nothing and keeps its text', async ({ opened }) => {
  const { browser, path, subscriptionId: id, pharmacy } = opened;
  const form = await browser.get(`${path}/edit`);
  const seenAt = fieldOn(form.text, 'seen_at');
  const url = newReceiverUrl();
  const fields = { form_token: form.token, seen_at: seenAt, url, low_stock: 'on' };
  expect(await browser.post(`${path}/edit`, { ...fields, url: 'https://10.0.0.1/' })).toMatchObject({ status: 400 });
  expect(await browser.post(`${path}/edit`, { ...fields, url: `https://${pharmacy.host}.` })).toMatchObject({
    status: 400,
  });
  const { text } = await browser.post(`${path}/edit`, { ...fields, url: 'x', low_stock: '', sources: 's'.repeat(101) });
  for (const field of ['url', 'event_types', 'sources']) expect(text).toContain(`id="${field}-fault"`);
  expect([fieldOn(text, 'url'), fieldOn(text, 'sources')]).toEqual(['x', 's'.repeat(101)]);
  expect(await browser.post(`${path}/edit`, fields)).toMatchObject({ status: 303, location: path });
  const late = await browser.post(`${path}/edit`, { ...fields, url: newReceiverUrl(), order_created: 'on' });
  expect(late.status).toBe(400);
  expect(late.text).toContain('Jemand hat das Abonnement inzwischen geändert.');
  expect(late.text).toContain('name="order_created" value="on" checked');
  const [row] = await rows('select url, host, event_types from subscriptions where id = ?', id);
  expect(row).toEqual({ url, host: new URL(url).host, event_types: '["low_stock"]' });
  const acts = await rows(
    'select fields from audit_log where entity_id = ? and action = ?',
    id,
    'subscription.updated',
  );
  expect(acts).toEqual([{ fields: '["url","event_types"]' }]);
});

test('a secret is rotated on a page that asks how long; the new one is shown once, with snippets, and can end the old', async () => {
  const opened = await open();
  const { browser, path } = opened;
  outsideAnswers();
  const before = await testNow(opened);
  const made = await browser.shown(browser.submit(`${path}/secret`, await fieldsOf(opened, 'week')));
  expect(made.status).toBe(200);
  const secret = /value="(whsec_[^"]+)"/.exec(made.text)?.[1] ?? '';
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  for (const { title } of SNIPPETS) expect(made.text).toContain(`<summary lang="en">${title}</summary>`);
  expect(made.text).toContain('gelten der neue und der bisherige Signaturschlüssel');
  expect((await browser.get(path)).text).not.toContain(secret);
  const again = await browser.submit(`${path}/secret`, await fieldsOf(opened, 'day'));
  expect(again.status).toBe(400);
  expect(again.text).toContain('Der Schlüssel vor dem letzten Erneuern gilt noch.');
  expect((await browser.get(`${path}/deliveries/${before.id}`)).text).toContain('Die Signaturen fehlen hier');
  const during = await testNow(opened);
  expect(during.page.text).toMatch(/webhook-signature: v1,\S+ v1,\S+/);
  expect(await browser.submit(`${path}/secret/end`, {})).toMatchObject({ status: 303 });
  expect(await browser.get(`${path}/secret/end`)).toMatchObject({ status: 404 });
  expect((await testNow(opened)).page.text).not.toMatch(/webhook-signature: v1,\S+ v1/);
  const acts = await rows<{ action: string }>(
    "select action from audit_log where entity_id = ? and action like '%secret%' order by id",
    opened.subscriptionId,
  );
  expect(acts.map(({ action }) => action)).toEqual([
    'subscription.secret_rotated',
    'subscription.secret_overlap_ended',
  ]);
});

async function fieldsOf({ browser, path }: Opened, overlap: string) {
  const { text } = await browser.get(`${path}/secret`);
  return { seen_at: fieldOn(text, 'seen_at'), overlap };
}

test('nobody reaches another organization’s subscription, nor without the owner’s role, nor without the form’s token', async () => {
  const { pharmacy, subscriptionId, deliveryId } = await openDelivery();
  const path = `${WEBHOOKS}/${subscriptionId}`;
  const pages = ['/edit', '/secret', '/secret/end', '/redeliver', `/deliveries/${deliveryId}`];
  const fields = {
    event_type: TYPE,
    overlap: 'none',
    seen_at: '0',
    since: '2026-01-01T00:00',
    url: newReceiverUrl(),
    low_stock: 'on',
  };
  const acts = ['/edit', '/secret', '/secret/end', '/redeliver', '/test'];
  const posts = outsideAnswers();
  const stranger = await enter(await openOrganization(), 'owner');
  const staff = await enter(pharmacy.orgId, 'staff');
  const pharmacist = await enter(pharmacy.orgId, 'pharmacist');
  for (const [{ browser }, status] of [
    [stranger, 404],
    [staff, 403],
    [pharmacist, 403],
  ] as const) {
    const { token } = await browser.get('/manage/account');
    for (const page of pages) expect(await browser.get(path + page), page).toMatchObject({ status });
    for (const act of acts) {
      const answer = await browser.post(path + act, { form_token: token, ...fields });
      expect(answer, act).toMatchObject({ status });
    }
  }
  const owner = await enter(pharmacy.orgId, 'owner');
  for (const act of acts) expect(await owner.browser.post(path + act, fields)).toMatchObject({ status: 403 });
  expect(posts).toEqual([]);
  expect(await rows('select 1 from audit_log where entity_id = ?', subscriptionId)).toHaveLength(1);
});

test('the pages cost two round trips, a test four (one asks whose the address is), and speak both languages', async () => {
  const opened = await open();
  const { browser, path } = opened;
  outsideAnswers();
  const { id } = await testNow(opened);
  vi.restoreAllMocks();
  const { requests } = captureLogs();
  for (const page of ['', '/redeliver', '/edit', '/secret', `/deliveries/${id}`]) {
    const english = await browser.get(path + page, { 'Accept-Language': 'en' });
    expect(english.status).toBe(200);
    expect(requests().at(-1)?.d1_round_trips, page).toBe(2);
    expect(english.text, page).not.toMatch(/Zustell|Ereignis|Schlüssel|Server hat/);
  }
  const { token } = await browser.get(path);
  outsideAnswers();
  await browser.post(`${path}/test`, { form_token: token, event_type: TYPE });
  expect(requests().at(-1)?.d1_round_trips).toBe(4);
});
