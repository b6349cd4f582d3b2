import { env as bound } from 'cloudflare:workers';
import { addShopHost, removeShopHost } from '../../src/tenants/hosts';
import { turnOn } from '../management/authenticator';
import { join, memberId, PASSWORD, signIn } from '../management/browser';
import { allKeys, filesWith } from '../support/files';
import { patchOrder, staffContext } from '../support/order-flow';
import { callApi, succeeded } from '../support/organization';
import { captureLogs } from '../support/probe';
import { Restoring, saved } from '../support/restore';
import { rowOf, rowsOf } from '../support/rows';
import { makeLink, markPaid, placeOrder, type Seller } from '../support/seller';
import { expect, test } from '../support/test';
import { call, operate, rows } from '../support/world';

const KIM = 'kim@example.com';
const ACCOUNT = '/manage/account';

/** Does things, then restores to before them, as `npm run restore` does. @returns the answers of the replay */
async function undone(act: () => Promise<unknown>) {
  const restore = await saved();
  const restoring = new Restoring(Date.now());
  await act();
  await restoring.before();
  await restore();
  return { restoring, answers: await restoring.after() };
}

/** A mail service that takes everything. */
function mailbox() {
  const sent: { to: string; text: string }[] = [];
  const send = async (email: (typeof sent)[number]) => {
    sent.push(email);
    return { messageId: crypto.randomUUID() };
  };
  return { sent, env: { EMAIL: { send }, EMAIL_FROM: 'nachrichten@shops.example' } as unknown as Partial<Env> };
}

/** An order of Kim's that is ready. */
async function ready(seller: Seller, env: Partial<Env>): Promise<void> {
  const { id } = await placeOrder(seller, { customer_email: KIM, payment_status: 'paid' });
  succeeded(await callApi(seller, 'PATCH', `/orders/${id}`, { body: { status: 'ready_pickup' }, env }));
}

async function journal(): Promise<string> {
  const texts = (await allKeys('journal/')).map(async (key) => (await bound.FILES.get(key))?.text());
  return (await Promise.all(texts)).join('\n');
}

test('whoever opted out of e-mails since gets none after the replay', async ({ seller }) => {
  const { sent, env } = mailbox();
  const { shopId, orgId } = seller;
  await rows(
    'insert into message_settings (shop_id, org_id, is_sending, updated_at) values (?, ?, 1, 1)',
    shopId,
    orgId,
  );
  await ready(seller, env);
  expect(sent.map(({ to }) => to)).toEqual([KIM]);
  const link = /http:\/\/\S+\/messages\/\S+/.exec(sent[0]?.text ?? '')?.[0] ?? '';
  const { restoring } = await undone(async () => {
    expect((await call(link, { method: 'POST', body: new URLSearchParams() })).status).toBe(200);
  });
  await restoring.replay();
  await ready(seller, env);
  expect(sent).toHaveLength(1);
  expect(await rowsOf('email_opt_outs', { org_id: orgId })).toHaveLength(1);
  expect(await journal()).not.toContain(KIM);
});

test('a payment link that ended since stays ended, and one that is made afterwards is open', async ({ seller }) => {
  const [cancelled, paid] = [await placeOrder(seller), await placeOrder(seller)];
  const links = [await makeLink(seller, cancelled.id), await makeLink(seller, paid.id)];
  const { restoring } = await undone(async () => {
    succeeded(await patchOrder(seller, cancelled.id, { status: 'cancelled', reason_code: 'test' }));
    succeeded(await markPaid(seller, paid.id));
  });
  for (const { payment_link_id } of links) {
    expect(await rowOf('payment_links', { id: payment_link_id })).toMatchObject({ status: 'voided' });
  }
  const { payment_link_id } = await makeLink(seller, cancelled.id);
  await restoring.replay();
  expect(await rowOf('payment_links', { id: payment_link_id })).toMatchObject({ status: 'open' });
});

test('a second factor that was switched off since is off, and of one that was switched on the owner is told', async ({
  orgId,
}) => {
  const [off, on] = [await join(orgId, 'staff'), await join(orgId, 'staff')];
  const [offId, onId] = [await memberId(off.email), await memberId(on.email)];
  await signIn(off.browser, off.email);
  await signIn(on.browser, on.email);
  await turnOn(off.browser);
  let secret = '';
  const { restoring, answers } = await undone(async () => {
    await off.browser.submit(`${ACCOUNT}/second-factor/disable`, { password: PASSWORD }, ACCOUNT);
    ({ secret } = await turnOn(on.browser));
  });
  expect(answers.flatMap(({ second_factors_lost }) => second_factors_lost)).toEqual([
    { org_id: orgId, member_id: onId },
  ]);
  expect(await rowOf('members', { id: offId })).toMatchObject({ two_factor_enabled: 0 });
  expect(await rowsOf('staff_second_factors', { member_id: offId })).toEqual([]);
  expect(await journal()).not.toContain(secret);

  // Set up again since: another replay leaves both.
  for (const { browser, email } of [off, on]) {
    await signIn(browser, email);
    await turnOn(browser);
  }
  const again = await restoring.replay();
  expect(again.flatMap(({ second_factors_lost }) => second_factors_lost)).toEqual([]);
  for (const id of [offId, onId]) expect(await rowOf('members', { id })).toMatchObject({ two_factor_enabled: 1 });
});

test('a second factor that went with a reset link since does not come back', async ({ orgId }) => {
  const { browser, email } = await join(orgId, 'staff');
  const id = await memberId(email);
  await signIn(browser, email);
  await turnOn(browser);
  const { answers } = await undone(async () => {
    const link = await operate(`/organizations/${orgId}/members/reset`, { email, second_factor: true });
    const { pathname } = new URL(link.reset_url ?? '');
    expect((await browser.submit(pathname, { password: 'Noch ein anderes Kennwort 8' })).status).toBe(303);
  });
  expect(await rowOf('members', { id })).toMatchObject({ two_factor_enabled: 0 });
  expect(await rowsOf('staff_second_factors', { member_id: id })).toEqual([]);
  expect(answers.flatMap(({ passwords_ended }) => passwords_ended)).toEqual([{ org_id: orgId, member_id: id }]);
});

test('hosts that were removed or withdrawn since are, and those that were added again since stay', async ({
  seller,
}) => {
  const { ctx } = staffContext(seller.orgId, 'owner');
  const { shopId, orgId } = seller;
  const [removed = ''] = seller.otherHosts;
  const pending = `p-${crypto.randomUUID()}.localhost`;
  await addShopHost(ctx, { orgId, shopId, host: pending });
  const { restoring } = await undone(async () => {
    await removeShopHost(ctx, { shopId, host: removed, status: 'active' });
    await removeShopHost(ctx, { shopId, host: pending, status: 'pending' });
  });
  expect(await rowsOf('shop_hosts', { host: removed })).toEqual([]);
  expect(await rowsOf('directory', { key: removed })).toEqual([]);
  expect(await rowsOf('pending_hosts', { host: pending })).toEqual([]);

  await addShopHost(ctx, { orgId, shopId, host: pending });
  await restoring.replay();
  expect(await rowsOf('pending_hosts', { host: pending })).toHaveLength(1);
});

test('the last host of an active shop stays, as it does when somebody removes it', async ({ seller }) => {
  const { ctx } = staffContext(seller.orgId, 'owner');
  const { shopId, orgId } = seller;
  const hosts = () => rowsOf<{ host: string }>('shop_hosts', { shop_id: shopId });
  const [other = ''] = seller.otherHosts;
  await removeShopHost(ctx, { shopId, host: other, status: 'active' });
  const before = await hosts();
  const [last] = before;
  await undone(async () => {
    await rows('insert into shop_hosts (host, org_id, shop_id, created_at) values (?, ?, ?, 1)', other, orgId, shopId);
    await removeShopHost(ctx, { shopId, host: last?.host ?? '', status: 'active' });
  });
  expect((await hosts()).map(({ host }) => host)).toEqual(before.map(({ host }) => host));
});

test('without R2 what a person refused is carried out, and the log says what the journal lacks', async ({ seller }) => {
  const order = await placeOrder(seller);
  const { payment_link_id } = await makeLink(seller, order.id);
  const FILES = filesWith({ put: () => Promise.reject(new Error('R2 is down')) });
  const { lines } = captureLogs();
  const body = { status: 'cancelled', reason_code: 'test' };
  succeeded(await callApi(seller, 'PATCH', `/orders/${order.id}`, { body, env: { FILES } }));
  expect(await rowOf('payment_links', { id: payment_link_id })).toMatchObject({ status: 'voided' });
  expect(lines.filter((line) => line.includes('journal_lacks_note'))).toMatchObject([
    expect.stringContaining('"code":"payment_link"'),
  ]);
});
