import { createExecutionContext } from 'cloudflare:test';
import worker from '../../src/index';
import { sendEmails, sweepEmails } from '../../src/messages/sending';
import { sweepRetention } from '../../src/order-requests/sweep';
import { enter } from '../management/browser';
import { faultyDatabase } from '../support/faults';
import { setPacked } from '../support/order-flow';
import { callApi, succeeded } from '../support/organization';
import { erase } from '../support/person';
import { captureLogs } from '../support/probe';
import { openSeller, placeOrder, readOrder, type Seller } from '../support/seller';
import { expect, test } from '../support/test';
import { bindings, call, rows, systemContext } from '../support/world';

const FROM = 'nachrichten@shops.example';
const KIM = 'kim@example.com';
const MINUTE = 60_000;

interface Sent {
  to: string;
  from: { email: string; name: string };
  replyTo?: string;
  subject: string;
  text: string;
  headers?: Record<string, string>;
}

/** A mail service that takes everything, or fails with a code. */
function mailbox(fail?: string) {
  const sent: Sent[] = [];
  const attempts: Sent[] = [];
  const binding = {
    async send(email: Sent) {
      attempts.push(email);
      if (fail) throw Object.assign(new Error(`cannot send to ${email.to}`), { code: fail });
      sent.push(email);
      return { messageId: `mail-${attempts.length}-${email.text.length}-${crypto.randomUUID()}` };
    },
  };
  return { sent, attempts, env: { EMAIL: binding, EMAIL_FROM: FROM } as unknown as Partial<Env> };
}

async function openSending(isSending = 1) {
  const seller = await openSeller();
  await rows(
    'insert into message_settings (shop_id, org_id, reply_to, is_sending, updated_at) values (?, ?, ?, ?, 1)',
    seller.shopId,
    seller.orgId,
    'laden@example.com',
    isSending,
  );
  return seller;
}

async function placed(seller: Seller, members: Record<string, unknown> = {}): Promise<string> {
  const items = [{ name: 'Zauberwort-Salbe', qty: 1, price: 5 }];
  return (await placeOrder(seller, { customer_email: KIM, payment_status: 'paid', items, ...members })).id;
}

async function move(seller: Seller, id: string, env: Partial<Env>, ...steps: string[]) {
  for (const status of steps) {
    const reason = status === 'cancelled' && { reason_code: 'test' };
    succeeded(await callApi(seller, 'PATCH', `/orders/${id}`, { body: { status, ...reason }, env }));
  }
}

function emailsOf({ orgId }: Seller) {
  return rows<Record<string, unknown>>(
    'select kind, state, attempts, recipient, facts from emails where org_id = ? order by id',
    orgId,
  );
}

async function sweep(env: Partial<Env>, after = 0) {
  const { ctx, settled } = systemContext({ env, now: () => Date.now() + after });
  await sweepEmails(ctx);
  await settled();
}

const pathIn = (text = '') => /http:\/\/\S+\/messages\/\S+/.exec(text)?.[0] ?? '';

test('nothing is sent or kept without a binding, where the shop has not switched it on, or without an address', async () => {
  const { attempts, env } = mailbox();
  const [on, off] = [await openSending(1), await openSending(0)];
  await move(on, await placed(on), { EMAIL_FROM: FROM }, 'ready_pickup');
  await move(on, await placed(on), { ...env, EMAIL_FROM: '' }, 'ready_pickup');
  await move(on, await placed(on, { customer_email: undefined }), env, 'ready_pickup');
  await move(off, await placed(off), env, 'ready_pickup');
  await sweep(env, 60 * MINUTE);
  expect(attempts).toEqual([]);
  expect([...(await emailsOf(on)), ...(await emailsOf(off))]).toEqual([]);
});

test('an order that is ready is told once, however often it becomes so, and no item is said', async () => {
  const seller = await openSending();
  const { sent, env } = mailbox();
  const id = await placed(seller);
  const { requests } = captureLogs();
  await move(seller, id, env, 'ready_pickup', 'awaiting_packing', 'ready_pickup');
  await sweep(env, 60 * MINUTE);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ to: KIM, replyTo: 'laden@example.com', from: { email: FROM } });
  expect(sent[0]?.text).toContain('liegt zur Abholung bereit');
  expect(JSON.stringify(sent)).not.toContain('Zauberwort');
  expect(await emailsOf(seller)).toMatchObject([{ kind: 'ready', state: 'sent', recipient: null, facts: null }]);
  expect(JSON.stringify(requests())).not.toContain(KIM);
});

test('what fails is tried three times, then shown as not delivered; nobody’s address is logged', async () => {
  const seller = await openSending();
  const { attempts, env } = mailbox('E_INTERNAL_SERVER_ERROR');
  const id = await placed(seller);
  const logs = captureLogs();
  await move(seller, id, env, 'ready_pickup');
  for (const minutes of [4, 6, 60, 120, 240]) await sweep(env, minutes * MINUTE);
  expect(attempts).toHaveLength(3);
  expect(await emailsOf(seller)).toMatchObject([{ state: 'failed', attempts: 3, recipient: null }]);
  expect(JSON.stringify(logs)).not.toContain(KIM);
  const { browser } = await enter(seller.orgId, 'staff');
  const { text } = await browser.get(`/manage/orders/${id}`);
  expect(text).toContain('Bitte anrufen');
  expect(text).toContain('E-Mail nicht zugestellt: Abholbereit');
});

test('what no repetition helps is tried once; a suppressed address counts as one that came back', async () => {
  const seller = await openSending();
  const refused = mailbox('E_SENDER_NOT_VERIFIED');
  const suppressed = mailbox('E_RECIPIENT_SUPPRESSED');
  await move(seller, await placed(seller), refused.env, 'ready_pickup');
  await move(seller, await placed(seller), suppressed.env, 'ready_pickup');
  for (const { env } of [refused, suppressed]) await sweep(env, 60 * MINUTE);
  expect([refused.attempts.length, suppressed.attempts.length]).toEqual([1, 1]);
  expect((await emailsOf(seller)).map(({ state }) => state)).toEqual(['failed', 'bounced']);
});

test('nothing is sent to an address that mail programs read as two or none; orders refuse it', async () => {
  const seller = await openSending();
  const { attempts, env } = mailbox();
  const bad = 'a,b@example.com';
  for (const [method, path, body] of [
    ['POST', '/orders', { shop_id: seller.shopId, customer_email: bad, items: [{ name: 'Salbe', qty: 1, price: 5 }] }],
    ['PATCH', `/orders/${await placed(seller)}`, { customer_email: bad }],
  ] as const) {
    const refused = await callApi(seller, method, path, { body });
    expect([refused.status, JSON.stringify(refused)]).toEqual([400, expect.stringContaining('/customer_email')]);
  }
  const id = await placed(seller);
  await rows('update orders set customer_email = ? where id = ?', bad, id);
  await move(seller, id, env, 'ready_pickup');
  expect(attempts).toEqual([]);
  expect(await emailsOf(seller)).toMatchObject([{ state: 'failed', recipient: null }]);
});

test('an attempt whose outcome nobody recorded is not made again', async () => {
  const seller = await openSending();
  const { attempts, env } = mailbox();
  await move(seller, await placed(seller), env, 'ready_pickup');
  await rows(`update emails set state = 'sending', due_at = ? where org_id = ?`, Date.now() + MINUTE, seller.orgId);
  await sweep(env);
  expect(await emailsOf(seller)).toMatchObject([{ state: 'sending' }]);
  await sweep(env, 2 * MINUTE);
  expect(await emailsOf(seller)).toMatchObject([{ state: 'failed' }]);
  expect(attempts).toHaveLength(1);
});

test('what waits to be sent is dropped once the order has gone on', async () => {
  const seller = await openSending();
  const failing = mailbox('E_RATE_LIMIT_EXCEEDED');
  const working = mailbox();
  const id = await placed(seller);
  await move(seller, id, failing.env, 'ready_pickup', 'cancelled');
  await sweep(working.env, 60 * MINUTE);
  expect(working.attempts).toEqual([]);
  expect(await emailsOf(seller)).toMatchObject([{ state: 'dropped', recipient: null }]);
});

test('what was dropped before it left is sent once there is an occasion again', async () => {
  const seller = await openSending();
  const failing = mailbox('E_RATE_LIMIT_EXCEEDED');
  const working = mailbox();
  const id = await placed(seller);
  await move(seller, id, failing.env, 'ready_pickup', 'awaiting_packing');
  expect(await emailsOf(seller)).toMatchObject([{ state: 'dropped' }]);
  await move(seller, id, working.env, 'ready_pickup');
  await sweep(working.env, 60 * MINUTE);
  expect(working.sent.map(({ to }) => to)).toEqual([KIM]);
  expect(await emailsOf(seller)).toMatchObject([{ state: 'sent', recipient: null, facts: null }]);
});

test('a part that is ready is told with the day by which all of the rest is there', async () => {
  const seller = await openSending();
  const { sent, env } = mailbox();
  const items = ['A', 'B', 'C'].map((name) => ({ name, qty: 1, price: 5 }));
  const id = await placed(seller, { items });
  const owed = (expectedOn: string | null) => ({
    owed: expectedOn ? 1 : 0,
    expectedOn,
    supplied: 0,
    by: null,
    at: null,
  });
  const supply = JSON.stringify([owed(null), owed('2999-03-09'), owed('2999-03-04')]);
  await rows(`update orders set supply = ?, expected_on = '2999-03-04' where id = ?`, supply, id);
  await move(seller, id, env, 'ready_pickup');
  expect(sent[0]?.text).toMatch(/Der Rest kommt am \S+ 09\.03\.2999/);
  const { browser } = await enter(seller.orgId, 'staff');
  expect((await browser.get(`/manage/orders/${id}`)).text).toMatch(/Der Rest kommt am \S+ 09\.03\.2999/);
});

test('what is handed over at the door is not told to be on its way', async () => {
  const seller = await openSending();
  const { attempts, env } = mailbox();
  const address = { address_street: 'Allee 1', address_city: 'Berlin', address_postal_code: '12587' };
  const id = await placed(seller, { shipping_option: 'Lieferdienst', ...address });
  await move(seller, id, env, 'ready_shipping');
  await setPacked(id);
  const { browser } = await enter(seller.orgId, 'staff');
  browser.env = env;
  expect((await browser.fill(`/manage/desk/tour/${id}`, {})).status).toBe(303);
  await sweep(env);
  expect((await readOrder(seller, id)).status).toBe('delivered');
  expect(attempts).toEqual([]);
});

test('an attempt that fails after the order has gone on is not made again', async () => {
  const seller = await openSending();
  const working = mailbox();
  const id = await placed(seller);
  const binding = {
    async send() {
      await move(seller, id, working.env, 'cancelled');
      throw Object.assign(new Error('busy'), { code: 'E_RATE_LIMIT_EXCEEDED' });
    },
  };
  await move(seller, id, { EMAIL: binding, EMAIL_FROM: FROM } as unknown as Partial<Env>, 'ready_pickup');
  await sweep(working.env, 60 * MINUTE);
  expect(working.sent).toEqual([]);
  expect(await emailsOf(seller)).toMatchObject([{ state: 'dropped', recipient: null, facts: null }]);
});

test('a claim whose answer D1 loses is carried out by the batch that is sent again', async () => {
  const seller = await openSending();
  const failing = mailbox('E_RATE_LIMIT_EXCEEDED');
  const { sent, env } = mailbox();
  await move(seller, await placed(seller), failing.env, 'ready_pickup');
  const at = () => Date.now() + 60 * MINUTE;
  const lost = { batch: 1, how: 'is carried out and its answer lost, a transient error' } as const;
  const { ctx, settled } = systemContext({ env: { ...env, DB: faultyDatabase(lost).DB }, now: at });
  await sendEmails(ctx);
  await settled();
  expect(sent.map(({ to }) => to)).toContain(KIM);
  expect(await emailsOf(seller)).toMatchObject([{ state: 'sent', attempts: 2 }]);
});

test('whoever opts out by the link of an e-mail gets no other one; looking at the page changes nothing', async () => {
  const seller = await openSending();
  const { sent, env } = mailbox();
  await move(seller, await placed(seller), env, 'ready_pickup');
  const link = pathIn(sent[0]?.text);
  expect(link).not.toContain('kim');
  const page = await call(link);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('Keine E-Mails zu Ihren Bestellungen mehr?');
  expect(await rows('select 1 from email_opt_outs where org_id = ?', seller.orgId)).toEqual([]);
  const failing = mailbox('E_RATE_LIMIT_EXCEEDED');
  await move(seller, await placed(seller), failing.env, 'ready_pickup');
  // As a mail program does it (RFC 8058 §3.1): no cookies, no redirects.
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  expect(sent[0]?.headers).toEqual({
    'Auto-Submitted': 'auto-generated',
    'List-Unsubscribe': `<${link}>`,
    'List-Unsubscribe-Post': String(body),
  });
  for (const _ of [1, 2]) {
    const answer = await call(link, { method: 'POST', body, redirect: 'manual' });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('keine E-Mails zu Ihren Bestellungen mehr');
  }
  expect(await (await call(link)).text()).toContain('keine E-Mails zu Ihren Bestellungen mehr');
  const later = await placed(seller);
  await move(seller, later, env, 'ready_pickup');
  await sweep(env, 60 * MINUTE);
  expect(sent).toHaveLength(1);
  expect((await emailsOf(seller)).map(({ state }) => state)).toEqual(['sent', 'dropped']);
  const { browser } = await enter(seller.orgId, 'staff');
  expect((await browser.get(`/manage/orders/${later}`)).text).toContain('Will keine automatischen E-Mails');
});

test('what was sent about an order goes with its retention, deleted or not; until then the link of it opts out', async () => {
  const seller = await openSending();
  const { sent, env } = mailbox();
  const failing = mailbox('E_INTERNAL_SERVER_ERROR');
  const [deleted, ended, recent] = [await placed(seller), await placed(seller), await placed(seller)];
  await move(seller, deleted, env, 'ready_pickup', 'cancelled');
  await move(seller, ended, failing.env, 'ready_pickup', 'cancelled');
  await move(seller, recent, env, 'ready_pickup', 'cancelled');
  const about = async () =>
    (await rows<{ about: string }>('select about from emails where org_id = ?', seller.orgId)).map((row) => row.about);
  expect((await about()).toSorted()).toEqual([deleted, ended, recent].toSorted());
  const link = pathIn(sent[0]?.text);
  succeeded(await callApi(seller, 'DELETE', `/orders/${deleted}`));
  expect((await call(link, { method: 'POST', redirect: 'manual' })).status).toBe(200);
  await rows('update orders set updated_at = 1 where id in (?, ?)', deleted, ended);
  await sweepRetention(systemContext().ctx);
  expect(await about()).toEqual([recent]);
  expect((await call(link)).status).toBe(404);
});

test('what is on its way while its person is erased leaves no row', async () => {
  const seller = await openSending();
  const id = await placed(seller);
  const [{ customer_id } = { customer_id: '' }] = await rows<{ customer_id: string }>(
    'select customer_id from orders where id = ?',
    id,
  );
  const binding = {
    async send() {
      await move(seller, id, {}, 'cancelled');
      succeeded(await erase(seller, customer_id));
      return { messageId: 'late' };
    },
  };
  await move(seller, id, { EMAIL: binding, EMAIL_FROM: FROM } as unknown as Partial<Env>, 'ready_pickup');
  await sweep(mailbox().env, 60 * MINUTE);
  expect(await emailsOf(seller)).toEqual([]);
});

test('a link opts out nobody when it is changed, or asked for on another shop’s host', async () => {
  const [seller, other] = [await openSending(), await openSending()];
  const { sent, env } = mailbox();
  for (const each of [seller, other]) await move(each, await placed(each), env, 'ready_pickup');
  const [own, foreign] = sent.map(({ text }) => new URL(pathIn(text)));
  const swapped = `${foreign?.origin}${own?.pathname}`;
  const changed = `${own?.href.slice(0, -2)}${own?.href.endsWith('AA') ? 'BB' : 'AA'}`;
  for (const link of [swapped, changed, `${own?.origin}/messages/x`]) {
    expect((await call(link, { method: 'POST' })).status).toBe(404);
  }
  const out = await rows('select 1 from email_opt_outs where org_id in (?, ?)', seller.orgId, other.orgId);
  expect(out).toEqual([]);
});

test('a bounce is shown on the order and in its history, also when it is told twice or with events of others', async () => {
  const seller = await openSending();
  const { env } = mailbox();
  const id = await placed(seller);
  await move(seller, id, env, 'ready_pickup');
  const [{ provider_id } = { provider_id: '' }] = await rows<{ provider_id: string }>(
    'select provider_id from emails where org_id = ?',
    seller.orgId,
  );
  const bounced = {
    type: 'cf.email.sending.message.bounced',
    source: { type: 'email.sending', zoneId: 'z', domain: 'shops.example' },
    payload: { eventId: 'e', messageId: provider_id, recipient: KIM, terminal: true, bounce: { type: 'hard' } },
    metadata: { accountId: 'a', eventSubscriptionId: 's', eventSchemaVersion: 1, eventTimestamp: '2026-11-27' },
  };
  const others = [{ ...bounced, type: 'cf.email.sending.message.delivered' }, { payload: 1 }, 'x', null];
  const changed = bindings({ ...env, EMAIL_EVENTS_QUEUE: 'email-events' } as Partial<Env>);
  for (const bodies of [others, [bounced, ...others], [bounced]]) {
    const batch = { queue: 'email-events', messages: bodies.map((body) => ({ body })), ackAll() {} };
    const before = await emailsOf(seller);
    await worker.queue(batch as never, changed as never, createExecutionContext());
    if (bodies === others) expect(await emailsOf(seller)).toEqual(before);
  }
  expect(await emailsOf(seller)).toMatchObject([{ state: 'bounced' }]);
  const { browser } = await enter(seller.orgId, 'staff');
  const { text } = await browser.get(`/manage/orders/${id}`);
  expect(text).toContain('Bitte anrufen');
  expect(text).toContain('E-Mail kam zurück: Abholbereit');
});

test('owners switch it on for a shop, where the service can send at all', async () => {
  const seller = await openSeller();
  const { env } = mailbox();
  const { browser } = await enter(seller.orgId, 'owner');
  const path = `/manage/settings/shops/${seller.shopId}`;
  expect((await browser.get(path)).text).not.toContain('isSending');
  browser.env = env;
  expect((await browser.get(path)).text).toContain('isSending');
  const save = (replyTo: string) => browser.fill(path, { replyTo, isSending: 'on' });
  expect((await save('kein')).status).toBe(400);
  expect((await save('laden@example.com')).status).toBe(303);
  const saved = await rows('select is_sending, reply_to from message_settings where shop_id = ?', seller.shopId);
  expect(saved).toEqual([{ is_sending: 1, reply_to: 'laden@example.com' }]);
});
