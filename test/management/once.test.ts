import { beforeAll, expect, test, vi } from 'vitest';
import { newId } from '../../src/platform/ids';
import { faultyDatabase } from '../support/faults';
import { fieldOn } from '../support/html';
import { setOwed } from '../support/order-flow';
import { holdProduct, newPzn } from '../support/organization';
import { captureLogs } from '../support/probe';
import { openSeller, placeOrder, type Seller } from '../support/seller';
import { codeOf } from '../support/totp';
import { rows, subscribe } from '../support/world';
import { type Browser, enter, freshEmail, join, PASSWORD } from './browser';
import { follow, formOn, saidOn } from './page-forms';

const KEYS = '/manage/settings/keys';
const WEBHOOKS = '/manage/settings/webhooks';
const MEMBERS = '/manage/settings/members';
const SHOPS = '/manage/settings/shops';

let seller: Seller;
let browser: Browser;
let subscriptionId: string;
let colleagueId: string;
beforeAll(async () => {
  seller = await openSeller();
  ({ browser } = await enter(seller.orgId, 'owner'));
  ({ subscriptionId } = await subscribe(seller.orgId, 'https://a.example.com/'));
  const { email } = await join(seller.orgId, 'staff');
  colleagueId = (await rows<{ id: string }>('select id from members where email = ?', email))[0]?.id ?? '';
});

interface Making {
  what: string;
  /** Where the form stands and where it is sent. */
  page: () => string;
  action: () => string;
  fields?: Record<string, string>;
  /** What the secret looks like on the page that shows it. */
  secret: RegExp;
  /** How many there are of what it makes. */
  count: () => Promise<number>;
}

const one = async (query: string, ...values: unknown[]) =>
  Number((await rows<{ n: number }>(`select count(*) as n from ${query}`, ...values))[0]?.n);
const audited = (action: string) => () => one('audit_log where org_id = ? and action = ?', seller.orgId, action);

const MAKING: Making[] = [
  {
    what: 'an API key',
    page: () => KEYS,
    action: () => KEYS,
    fields: { name: 'Kasse', kind: 'integration' },
    secret: />(ofz_\w+)</,
    count: () => one('api_keys where org_id = ?', seller.orgId),
  },
  {
    what: 'a rotated API key',
    page: () => `${KEYS}/${seller.keyId}/rotate`,
    action: () => `${KEYS}/${seller.keyId}/rotate`,
    fields: { overlap: 'day', expires_at: '' },
    secret: />(ofz_\w+)</,
    count: () => one('api_keys where org_id = ?', seller.orgId),
  },
  {
    what: 'a subscription',
    page: () => WEBHOOKS,
    action: () => WEBHOOKS,
    fields: { url: 'https://b.example.com/hook', order_created: 'on' },
    secret: />(whsec_[^<]+)</,
    count: () => one('subscriptions where org_id = ?', seller.orgId),
  },
  {
    what: 'a rotated signing secret',
    page: () => `${WEBHOOKS}/${subscriptionId}/secret`,
    action: () => `${WEBHOOKS}/${subscriptionId}/secret`,
    fields: { overlap: 'none' },
    secret: />(whsec_[^<]+)</,
    count: audited('subscription.secret_rotated'),
  },
  {
    what: 'an invitation',
    page: () => MEMBERS,
    action: () => MEMBERS,
    fields: { email: freshEmail(), role: 'staff' },
    secret: />([^<>]+\/manage\/invitation\/[^<]+)</,
    count: audited('member.invited'),
  },
  {
    what: 'a link for a new password',
    page: () => `${MEMBERS}/${colleagueId}/reset`,
    action: () => `${MEMBERS}/${colleagueId}/reset`,
    secret: />([^<>]+\/manage\/reset\/[^<]+)</,
    count: audited('member.reset_issued'),
  },
];

async function fill({ page, action, fields }: Making): Promise<Record<string, string>> {
  return { ...formOn(await browser.get(page()), action()), ...fields };
}

test.each(MAKING)(
  '$what: its secret is shown once, by a GET, and kept by nobody; the form sent again makes and shows nothing again',
  async (making) => {
    const { lines } = captureLogs();
    const filled = await fill(making);
    const before = await making.count();
    const answer = await browser.post(making.action(), filled);
    const page = await follow(browser, answer);
    const secret = making.secret.exec(page.text)?.[1] ?? '';
    expect(secret).not.toBe('');
    expect(page.headers.get('Cache-Control')).toBe('no-store, no-transform');
    expect([answer.location, ...answer.cookies, ...lines].join()).not.toContain(secret);
    expect(saidOn(await browser.get(answer.location ?? ''))).toContain('Das wurde schon einmal angezeigt');
    const again = await browser.shown(browser.post(making.action(), filled));
    expect(await making.count()).toBe(before + 1);
    expect(again.status).toBe(200);
    expect(again.text).not.toMatch(making.secret);
    vi.restoreAllMocks();
    expect(await rows('select 1 from staff_page_data where instr(sealed, ?) > 0', secret)).toEqual([]);
  },
);

test('two sendings of one form at the same moment make one key, and its secret is shown to whoever comes first', async () => {
  const making = MAKING[0] as Making;
  await rows('update api_keys set revoked_at = 1 where org_id = ? and id <> ?', seller.orgId, seller.keyId);
  const filled = await fill(making);
  const before = await making.count();
  const answers = await Promise.all(Array.from({ length: 4 }, () => browser.post(making.action(), filled)));
  expect(await making.count()).toBe(before + 1);
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
  expect(new Set(answers.map(({ location }) => location)).size).toBe(1);
});

test('what one person made is shown to nobody else, and not to the script that looks after the page', async () => {
  const making = MAKING[0] as Making;
  const other = await enter(seller.orgId, 'owner');
  const { location } = await browser.post(making.action(), await fill(making));
  expect((await other.browser.get(location ?? '')).text).not.toMatch(making.secret);
  expect((await browser.get(location ?? '', { 'Sec-Fetch-Dest': 'empty' })).text).not.toMatch(making.secret);
  expect((await browser.get(location ?? '')).text).toMatch(making.secret);
});

test('what nobody came to see ends after two minutes', async () => {
  const making = MAKING[0] as Making;
  const { location } = await browser.post(making.action(), await fill(making));
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now + 121_000);
  expect((await browser.get(location ?? '')).text).not.toMatch(making.secret);
});

test('the audit log refuses a second row of the same form and act, also as INSERT OR REPLACE', async () => {
  const insert = (how: string) =>
    rows(
      `${how} into audit_log (id, org_id, at, actor_kind, action, entity_id, request_id, form_id)
       values (?, ?, 1, 'staff', 'x.y', 'e', 'r', 'one-form')`,
      newId(),
      seller.orgId,
    );
  await insert('insert');
  await expect(insert('insert')).rejects.toThrow(/form_already_sent/);
  await expect(insert('insert or replace')).rejects.toThrow(/form_already_sent/);
});

test('the second factor: its secret and its recovery codes come by a page of their own, once', async () => {
  const person = await enter(seller.orgId, 'staff');
  const answer = await person.browser.submit(
    '/manage/account/second-factor',
    { password: PASSWORD },
    '/manage/account',
  );
  expect(answer.status).toBe(303);
  const page = await person.browser.get(answer.location ?? '');
  const secret = /class="secret">([A-Z2-7 ]+)</.exec(page.text)?.[1]?.replaceAll(' ', '') ?? '';
  expect(secret).not.toBe('');
  const reloaded = await person.browser.get(answer.location ?? '');
  expect(reloaded.status).toBe(200);
  expect(reloaded.text).not.toContain('id="recovery-codes"');
  const fields = { code: await codeOf(secret) };
  expect(await person.browser.submit('/manage/account/second-factor/confirm', fields, '/manage/account')).toMatchObject(
    {
      status: 303,
    },
  );
});

test('a shop is opened once by one form', async () => {
  const filled = { ...formOn(await browser.get(SHOPS), SHOPS), name: 'Süd', host: '' };
  const before = await one('shops where org_id = ?', seller.orgId);
  for (let sending = 0; sending < 2; sending += 1) {
    expect(await browser.post(SHOPS, filled)).toMatchObject({ status: 303 });
  }
  expect(await one('shops where org_id = ?', seller.orgId)).toBe(before + 1);
});

test('stock that is booked by a form sent twice, or while D1 loses an answer, is booked once', async () => {
  // Nobody subscribes to what is booked.
  const own = await openSeller();
  const { browser: desk } = await enter(own.orgId, 'owner');
  const pzn = newPzn();
  const { p1_id } = await holdProduct(own, { stock: 5, pzn });
  const stock = async () =>
    (await rows('select stock_quantity, committed_quantity from inventory where p1_id = ?', p1_id))[0];
  const path = `/manage/products/${p1_id}`;
  for (const [page, action] of [
    ['/manage/products', '/manage/products'],
    [path, `${path}/stock`],
  ] as const) {
    const { text, token } = await desk.get(page);
    const form = { form_token: token, form_id: fieldOn(text, 'form_id'), p1_id, change: '+2' };
    for (const _ of [1, 2]) expect((await desk.post(action, form)).status).toBe(303);
  }
  expect(await stock()).toEqual({ stock_quantity: 9, committed_quantity: 0 });

  const { id } = await placeOrder(own, { items: [{ p1_id, name: 'A', qty: 3, price: 5 }] });
  await setOwed(id, 3, '2999-01-01');
  const scan = async (batch: number) => {
    const form = formOn(await desk.get('/manage/expected?later=1'), '/manage/expected/scan');
    desk.env = faultyDatabase({ batch, how: 'is carried out and its answer lost, a transient error' });
    for (const _ of [1, 2]) {
      expect((await desk.post('/manage/expected/scan', { ...form, code: `-${pzn}` })).status).toBe(303);
    }
    desk.env = {};
  };
  await scan(99);
  expect(await stock()).toEqual({ stock_quantity: 5, committed_quantity: 4 });
  await scan(4);
  expect(await stock()).toEqual({ stock_quantity: 4, committed_quantity: 5 });
});
