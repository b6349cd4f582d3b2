import { sweepEmails } from '../../src/messages/sending';
import { enter } from '../management/browser';
import { expect, test } from '../support/test';
import { openSubscribed, type Subscribed, sweepAt } from '../support/webhooks';
import { rows, systemContext } from '../support/world';

const MINUTE = 60_000;
const ACCOUNT = '/manage/account';
const START = Date.now();

interface Sent {
  to: string;
  subject: string;
  text: string;
  headers?: Record<string, string>;
}

function mailbox() {
  const sent: Sent[] = [];
  const binding = {
    async send(email: Sent) {
      sent.push(email);
      return { messageId: crypto.randomUUID() };
    },
  };
  return { sent, env: { EMAIL: binding, EMAIL_FROM: 'betrieb@offizin.example' } as unknown as Partial<Env> };
}

async function openWatched() {
  const mail = mailbox();
  const subscribed = await openSubscribed();
  const owner = await enter(subscribed.pharmacy.orgId, 'owner');
  owner.browser.env = mail.env;
  return { ...mail, subscribed, owner, host: new URL(subscribed.url).host };
}

/** The same, of an owner who asked to be told. */
async function openAsked() {
  const watched = await openWatched();
  expect((await watched.owner.browser.fill(ACCOUNT, { notices: 'on' }, `${ACCOUNT}/notices`)).status).toBe(303);
  return watched;
}

async function sweep(env: Partial<Env>, minute = 0) {
  const { ctx, settled } = systemContext({ env, now: () => START + minute * MINUTE });
  await sweepEmails(ctx);
  await settled();
}

async function put({ subscriptionId }: Subscribed, status: string) {
  const reason = status === 'active' ? null : 'receiver_failing';
  await rows(
    'update subscriptions set status = ?, hold_reason = ?, held_since = ?, next_probe_at = null where id = ?',
    status,
    reason,
    reason && START,
    subscriptionId,
  );
}

const subjects = (sent: readonly Sent[]) => sent.map(({ subject }) => subject.split(':')[0]);

test('an owner who asked for it is told once that a webhook stops, is switched off, and runs again', async () => {
  const { owner, subscribed, sent, env, host } = await openAsked();
  await sweep(env);
  expect(sent).toEqual([]);
  await put(subscribed, 'holding');
  for (const minute of [1, 2, 300]) await sweep(env, minute);
  expect(subjects(sent)).toEqual(['Webhook steht']);
  expect(sent[0]?.to).toBe(owner.email);
  expect(sent[0]?.headers).toEqual({ 'Auto-Submitted': 'auto-generated' });
  expect(sent[0]?.text).toContain(host);
  expect(sent[0]?.text).toContain(`/manage/settings/webhooks/${subscribed.subscriptionId}`);
  expect(JSON.stringify(sent)).not.toContain(subscribed.url);
  await put(subscribed, 'disabled');
  for (const minute of [301, 302]) await sweep(env, minute);
  await put(subscribed, 'active');
  for (const minute of [303, 304]) await sweep(env, minute);
  expect(subjects(sent)).toEqual(['Webhook steht', 'Webhook abgeschaltet', 'Webhook läuft wieder']);
  const kept = await rows('select recipient, facts, state from emails where org_id = ?', subscribed.pharmacy.orgId);
  expect(kept).toEqual(Array(3).fill({ recipient: null, facts: null, state: 'sent' }));
  await sweep(env, 900);
  expect(sent).toHaveLength(3);
  expect(await rows('select 1 from emails where org_id = ?', subscribed.pharmacy.orgId)).toEqual([]);
  expect(await rows('select 1 from told_subscriptions where org_id = ?', subscribed.pharmacy.orgId)).toEqual([]);
});

test('notices go an hour after the webhook runs again or once it is gone; those about others, or on their way, stay', async () => {
  const watched = [await openAsked(), await openAsked(), await openAsked(), await openAsked()];
  const [runs, gone, stands, busy] = watched.map(({ subscribed }) => subscribed) as [
    Subscribed,
    Subscribed,
    Subscribed,
    Subscribed,
  ];
  const env = watched[0]?.env ?? {};
  for (const { subscribed } of watched) await put(subscribed, 'holding');
  await sweep(env, 1);
  for (const each of [runs, busy]) await put(each, 'active');
  await rows('update subscriptions set deleted_at = 1 where id = ?', gone.subscriptionId);
  await sweep(env, 2);
  const counts = () =>
    Promise.all(
      [runs, gone, stands, busy].map(async ({ pharmacy }) => {
        const [row] = await rows<{ count: number }>(
          'select count(*) as count from emails where org_id = ?',
          pharmacy.orgId,
        );
        return row?.count;
      }),
    );
  expect(await counts()).toEqual([2, 0, 1, 2]);
  await rows(
    `update emails set state = 'sending', due_at = ? where org_id = ? and kind = 'webhook_recovered'`,
    START + 999 * MINUTE,
    busy.pharmacy.orgId,
  );
  await sweep(env, 61);
  expect(await counts()).toEqual([2, 0, 1, 2]);
  await sweep(env, 62);
  expect(await counts()).toEqual([0, 0, 1, 1]);
});

test('sweeps at the same moment tell each owner once', async () => {
  const { subscribed, sent, env } = await openAsked();
  await put(subscribed, 'holding');
  await Promise.all([sweep(env, 1), sweep(env, 1), sweep(env, 1), sweep(env, 2)]);
  await put(subscribed, 'active');
  await Promise.all([sweep(env, 3), sweep(env, 3), sweep(env, 4)]);
  expect(subjects(sent)).toEqual(['Webhook steht', 'Webhook läuft wieder']);
});

test('a webhook that stops and recovers again and again is told at most once of each an hour', async () => {
  const { subscribed, sent, env } = await openAsked();
  for (let minute = 0; minute < 60; minute += 4) {
    await put(subscribed, 'holding');
    await sweep(env, minute);
    await put(subscribed, 'active');
    await sweep(env, minute + 2);
  }
  expect(subjects(sent)).toEqual(['Webhook steht', 'Webhook läuft wieder']);
  // It stands when the hour is over.
  await put(subscribed, 'holding');
  await sweep(env, 61);
  await sweep(env, 63);
  expect(subjects(sent).slice(2)).toEqual(['Webhook steht']);
});

test('what recovers by itself is told as well', async () => {
  const { subscribed, sent, env } = await openAsked();
  await put(subscribed, 'holding');
  await sweep(env, 1);
  await rows('update subscriptions set is_healthy = 1 where id = ?', subscribed.subscriptionId);
  await sweepAt(START + MINUTE);
  await sweep(env, 2);
  expect(subjects(sent)).toEqual(['Webhook steht', 'Webhook läuft wieder']);
});

test('nobody else is told: not who has not asked, asked no more or left, nor a test pharmacy, nor without a binding', async () => {
  const silent = await openWatched();
  const [noMore, left, demoted, ofTest, unbound] = [
    await openAsked(),
    await openAsked(),
    await openAsked(),
    await openAsked(),
    await openAsked(),
  ];
  await noMore.owner.browser.post(`${ACCOUNT}/notices`, {
    form_token: (await noMore.owner.browser.get(ACCOUNT)).token,
  });
  await rows('update members set revoked_at = 1 where org_id = ?', left.subscribed.pharmacy.orgId);
  await rows(`update members set role = 'staff' where org_id = ?`, demoted.subscribed.pharmacy.orgId);
  await rows(
    'update organizations set is_test = 1, counterpart_id = id where id = ?',
    ofTest.subscribed.pharmacy.orgId,
  );
  for (const each of [silent, noMore, left, demoted, ofTest, unbound]) {
    await put(each.subscribed, 'holding');
    await sweep(each === unbound ? { EMAIL_FROM: 'betrieb@offizin.example' } : each.env, 1);
    const found = await rows('select kind from emails where org_id = ?', each.subscribed.pharmacy.orgId);
    expect([each.sent, found]).toEqual([[], []]);
    await put(each.subscribed, 'active');
  }
});

test('pharmacies that are suspended keep nobody else from being told', async () => {
  const watched = await openAsked();
  const { pharmacy } = watched.subscribed;
  const { subscribed: of } = await openAsked();
  await put(of, 'holding');
  const columns = (await rows<{ name: string }>(`select name from pragma_table_info('subscriptions')`)).map(
    ({ name }) => name,
  );
  const copied = columns.filter((name) => name !== 'id').join(', ');
  // Their ids come first.
  await rows(
    `insert into subscriptions (id, ${copied}) select '0000' || value || substr(id, 8), ${copied}
      from subscriptions, (select value from json_each(?)) where id = ?`,
    JSON.stringify(Array.from({ length: 45 }, (_, at) => 100 + at)),
    of.subscriptionId,
  );
  await rows('update organizations set suspended_at = 1 where id = ?', of.pharmacy.orgId);
  await put(watched.subscribed, 'holding');
  await sweep(watched.env, 1);
  expect(subjects(watched.sent)).toEqual(['Webhook steht']);
  await rows(
    'update subscriptions set status = ?, hold_reason = null, held_since = null where org_id in (?, ?)',
    'active',
    of.pharmacy.orgId,
    pharmacy.orgId,
  );
});

test('the choice is shown to owners alone, where the service can send, and is off at first', async () => {
  const { owner, env, subscribed } = await openWatched();
  const { text } = await owner.browser.get(ACCOUNT);
  expect(text).toMatch(/<input type="checkbox" name="notices" value="on"\/?>/);
  owner.browser.env = {};
  expect((await owner.browser.get(ACCOUNT)).text).not.toContain('name="notices"');
  const { browser } = await enter(subscribed.pharmacy.orgId, 'pharmacist');
  browser.env = env;
  const page = await browser.get(ACCOUNT);
  expect(page.text).not.toContain('name="notices"');
  expect((await browser.post(`${ACCOUNT}/notices`, { form_token: page.token, notices: 'on' })).status).toBe(403);
});
