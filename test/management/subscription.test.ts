import { verify } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import { actingAs } from '../../src/platform/context';
import { listEvents } from '../../src/webhooks/events/feed';
import { SNIPPETS } from '../../src/webhooks/signing/snippets';
import { sweepDeliveries } from '../../src/webhooks/sweep';
import { fieldOn, textOf, unescaped } from '../support/html';
import { databaseDown, outsideAnswers } from '../support/outbound';
import { auditOf } from '../support/rows';
import { test as base, expect, vi } from '../support/test';
import {
  attemptsOf,
  deliver,
  deliverAt,
  deliveriesOf,
  deliveryRow,
  newReceiverUrl,
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

/** What a receiver does, and what its verdict says; so many as one subscription may be tested with in a minute. */
const VERDICTS: [() => Response | Promise<Response>, string][][] = [
  [
    [() => new Response(null, { status: 302 }), 'Webhooks folgen keiner Weiterleitung'],
    [() => new Response(null, { status: 401 }), 'prüft der Server die Signatur mit einem anderen Schlüssel'],
    [() => new Response(null, { status: 404 }), 'Prüfen Sie den Pfad der Adresse.'],
    [() => Promise.reject(new DOMException('', 'TimeoutError')), 'in 10 Sekunden nicht geantwortet'],
  ],
  [
    [() => Promise.reject(new Error('DNS lookup failed')), 'wurde nicht gefunden (DNS)'],
    [() => Promise.reject(new Error('TLS handshake')), 'hat kein gültiges Zertifikat'],
    [() => Promise.reject(new Error('refused')), 'Es kam keine Verbindung'],
  ],
];

test('the verdict on what failed says what to do', async () => {
  for (const answers of VERDICTS) {
    const opened = await open();
    for (const [answer, words] of answers) {
      outsideAnswers(answer);
      expect((await testNow(opened)).page.text).toContain(words);
      vi.restoreAllMocks();
    }
  }
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
  const [first, second] = [await submitForDelivery(opened), await submitForDelivery(opened)];
  for (const { id } of [first, second]) await deliver([id]);
  const third = await submitForDelivery(opened);
  for (const [query, found] of [
    ['', [third, second, first]],
    ['?status=failed', [second, first]],
    ['?failure=dns', [second]],
    ['?failure=http&period=hour', [first]],
    ['?type=low_stock', []],
    ['?status=nonsense&before=', []],
  ] as const) {
    const { text } = await browser.get(path + query);
    const links = [...text.matchAll(/deliveries\/([\w-]+)"/g)].map(([, id]) => id);
    expect([query, links]).toEqual([query, found.map(({ id }) => id)]);
  }
  const { text } = await browser.get(`${path}?status=failed&type=${TYPE}`);
  expect(text).toContain('<option value="failed" selected');
});

test('what failed since a time is sent once more, which the page follows; not while paused or since no time', async ({
  opened,
}) => {
  const { browser, path, subscriptionId } = opened;
  outsideAnswers();
  for (let count = 0; count < 3; count += 1) await submitForDelivery(opened);
  await rows("update deliveries set status = 'exhausted', attempt_count = 3 where subscription_id = ?", subscriptionId);
  const page = await browser.get(`${path}/redeliver`);
  expect(page.text).toContain('3 Ereignisse sind nicht angekommen.');
  const send = (since: string) => browser.post(`${path}/redeliver`, { form_token: page.token, since });
  for (const wrong of ['', 'x', '2999-01-01T00:00']) expect(await send(wrong)).toMatchObject({ status: 400 });
  await browser.submit(`${path}/pause`, {}, WEBHOOKS);
  expect(await send(fieldOn(page.text, 'since'))).toMatchObject({ status: 409 });
  await browser.submit(`${path}/resume`, {}, WEBHOOKS);
  const { queue, enqueued } = silentQueue();
  browser.env = { WEBHOOK_DELIVERIES: queue as Env['WEBHOOK_DELIVERIES'] };
  expect(await send(fieldOn(page.text, 'since'))).toMatchObject({ status: 303 });
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

test('address and events are edited; an overtaken form changes nothing and keeps its text', async ({ opened }) => {
  const { browser, path, subscriptionId: id } = opened;
  const form = await browser.get(`${path}/edit`);
  const url = newReceiverUrl();
  const fields = { form_token: form.token, seen_at: fieldOn(form.text, 'seen_at'), url, low_stock: 'on' };
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
  expect(await auditOf(id, { action: 'subscription.updated' })).toMatchObject([{ fields: '["url","event_types"]' }]);
});

test('a secret is rotated on a page that asks how long; the new one is shown once, with snippets, and can end the old', async () => {
  const opened = await open();
  const { browser, path } = opened;
  outsideAnswers();
  const before = await testNow(opened);
  const rotate = (overlap: string) => browser.fill(`${path}/secret`, { overlap });
  const made = await browser.shown(rotate('week'));
  const secret = />(whsec_[^<]+)</.exec(made.text)?.[1] ?? '';
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  for (const { title } of SNIPPETS) expect(made.text).toContain(`<summary lang="en">${title}</summary>`);
  expect(made.text).toContain('gelten der neue und der bisherige Signaturschlüssel');
  expect((await browser.get(path)).text).not.toContain(secret);
  const again = await rotate('day');
  expect(again.status).toBe(400);
  expect(again.text).toContain('Der Schlüssel vor dem letzten Erneuern gilt noch.');
  expect((await browser.get(`${path}/deliveries/${before.id}`)).text).toContain('Die Signaturen fehlen hier');
  expect((await testNow(opened)).page.text).toMatch(/webhook-signature: v1,\S+ v1,\S+/);
  expect(await browser.submit(`${path}/secret/end`, {})).toMatchObject({ status: 303 });
  expect(await browser.get(`${path}/secret/end`)).toMatchObject({ status: 404 });
  expect((await testNow(opened)).page.text).not.toMatch(/webhook-signature: v1,\S+ v1/);
});
