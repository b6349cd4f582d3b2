import { sweepEmailEntries } from '../../src/auth/staff/members';
import { accountsOfDevice, attemptFor, deviceWith } from '../../src/auth/staff/sign-in/attempts';
import { rewriteUnderRoots } from '../../src/health/roots';
import { onEachDatabase } from '../../src/platform/context';
import { decrypt } from '../../src/platform/crypto/crypto';
import { newId } from '../../src/platform/ids';
import { HOUR_MS } from '../../src/platform/time';
import { ACCOUNT, CODE, signInHalf, turnOn } from '../management/authenticator';
import { Browser, enter, freshEmail, invite, PASSWORD, signIn } from '../management/browser';
import { formOn } from '../management/page-forms';
import { ask, openOrganization } from '../support/operator';
import { openApprovable, reject } from '../support/order-flow';
import { askToken, openOrganizationApi } from '../support/organization';
import { openPage } from '../support/pay-page';
import { meteredDb, problemOf } from '../support/probe';
import { AFTER, configured, DURING, NEW_ID, OLD_ID } from '../support/roots';
import { makeLink, placeOrder } from '../support/seller';
import { expect, test } from '../support/test';
import { codeOf, nextCodeOf, secondFactorOn } from '../support/totp';
import { newReceiverUrl } from '../support/webhooks';
import {
  BASE,
  call,
  envelope,
  everywhere,
  ONE_DATABASE,
  OPERATOR_TOKEN,
  openPharmacy,
  PDF_BASE64,
  submit,
  subscribe,
  systemContext,
} from '../support/world';

const REQUESTS = '/manage/requests';
const NEXT_PASSWORD = 'ein ganz neues Wort';

/** What `GET /readyz` says is left under the old root. */
async function left(): Promise<Record<string, number | null>> {
  const headers = { Authorization: `Bearer ${OPERATOR_TOKEN}` };
  const report = await (await call(`${BASE}/readyz`, { headers }, DURING)).json<{
    roots: { current: string; old: { id: string; left: Record<string, number | null> }[] };
  }>();
  expect(report.roots).toMatchObject({ current: NEW_ID, old: [{ id: OLD_ID }] });
  return report.roots.old[0]?.left ?? {};
}

/** How many fewer of a kind are left after the work than before. */
async function fewer(kind: string, work: () => Promise<unknown>): Promise<number> {
  const before = (await left())[kind];
  await work();
  return Number(before) - Number((await left())[kind]);
}

/** The job of each database as the cron runs it while there are both roots. */
async function runJob(now?: () => number): Promise<void> {
  for (const at of onEachDatabase(systemContext({ env: DURING, ...(now && { now }) }).ctx)) await rewriteUnderRoots(at);
}

/** A person with a second factor under the old root, whose next code has not been used. */
async function openPerson({ orgId, shard = 0 }: { orgId?: string; shard?: number } = {}) {
  const { browser, email } = await enter(orgId ?? (await openOrganization()), 'staff', 'Kim Öztürk', { shard });
  return { browser, email, ...(await turnOn(browser)) };
}

async function secretsOf(email: string): Promise<string[]> {
  const found = await everywhere<{ secret: string; backup_codes: string }>(
    'select secret, backup_codes from staff_second_factors where member_id in (select id from members where email = ?)',
    email,
  );
  return found.flatMap(({ secret, backup_codes }) => [secret, backup_codes].map((text) => text.split('.')[0] ?? ''));
}

async function signsIn(email: string, code: string, env: Partial<Env>): Promise<number> {
  const browser = new Browser({ env });
  await signInHalf(browser, email);
  return (await browser.submit(CODE, { code })).status;
}

const rootOfKey = async (key: string) =>
  (await everywhere<{ hash: string }>('select hash from api_keys where id = ?', key.split('_')[1]))[0]?.hash.split(
    '.',
  )[0];

test('an integration key goes on; its use moves it to the new root, in no more round trips', async ({ pharmacy }) => {
  const { DB, trips } = meteredDb();
  const used = await fewer('api_keys', async () => {
    expect((await submit(pharmacy, envelope(), { ...DURING, ...ONE_DATABASE, DB })).status).toBe(200);
  });
  expect(used).toBe(1);
  expect(trips).toHaveLength(2);
  expect(await rootOfKey(pharmacy.integrationKey)).toBe(NEW_ID);
  for (const ring of [DURING, AFTER]) expect((await submit(pharmacy, envelope(), ring)).status).toBe(200);
});

test('a key that was used within the last minute is written anew all the same; one that never is, is told as left', async () => {
  const [used, unused] = [await openPharmacy(), await openPharmacy()];
  await submit(used, envelope());
  const before = Number((await left()).api_keys);
  await submit(used, envelope(), DURING);
  expect(await left()).toMatchObject({ api_keys: before - 1 });
  expect((await submit(used, envelope(), AFTER)).status).toBe(200);
  expect(await rootOfKey(unused.integrationKey)).toBe(OLD_ID);
  await problemOf(await submit(unused, envelope(), AFTER), 401, 'invalid_api_key');
});

test('an API key is written anew when it gets a token, and a wrong one is as wrong as before', async ({ api }) => {
  const wrong = (await openOrganizationApi()).apiKey;
  const other = { headers: { apikey: wrong }, env: DURING };
  expect(await askToken(api.orgId, other)).toMatchObject({ status: 401 });
  const asking = { headers: { apikey: api.apiKey } };
  expect(await askToken(api.orgId, { ...asking, env: DURING })).toMatchObject({ status: 200 });
  expect(await rootOfKey(api.apiKey)).toBe(NEW_ID);
  expect(await rootOfKey(wrong)).toBe(OLD_ID);
  expect(await askToken(api.orgId, { ...asking, env: AFTER })).toMatchObject({ status: 200 });
});

test('a session and its forms go on; the first page moves it to the new root', async ({ pharmacy: { orgId } }) => {
  const { browser } = await enter(orgId, 'owner');
  const account = await browser.get('/manage/account');
  browser.env = DURING;
  const used = await fewer('sessions', async () => {
    expect(await browser.get(REQUESTS)).toMatchObject({ status: 200 });
  });
  expect(used).toBe(1);
  const form = formOn(account, '/manage/language');
  expect(form.form_token?.split('.')[0]).toBe(OLD_ID);
  expect(await browser.post('/manage/language', { ...form, language: 'en' })).toMatchObject({ status: 303 });
  browser.env = AFTER;
  expect(await browser.get(REQUESTS)).toMatchObject({ status: 200 });
  expect(await browser.post('/manage/language', { ...form, language: 'en' })).toMatchObject({ status: 403 });
});

test('a session under the old root can be ended', async ({ pharmacy: { orgId } }) => {
  const { browser, email } = await enter(orgId, 'owner');
  const cookies = new Map(browser.cookies);
  const form = formOn(await browser.get('/manage/account'), '/manage/sign-out');
  browser.env = DURING;
  expect(await browser.post('/manage/sign-out', form)).toMatchObject({ status: 303 });
  const sessions = 'select id from staff_sessions where member_id in (select id from members where email = ?)';
  expect(await everywhere(sessions, email)).toEqual([]);
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  expect(await browser.get(REQUESTS)).toMatchObject({ status: 303 });
});

test('an invitation and a reset link go on until they are used or end', async ({ pharmacy: { orgId } }) => {
  const { email } = await enter(orgId, 'staff');
  const invited = await invite(orgId, 'staff');
  const waiting = await invite(orgId, 'staff');
  const reset = await (await ask(`/organizations/${orgId}/members/reset`, { email })).json<{ reset_url: string }>();
  const resetPath = new URL(reset.reset_url).pathname;
  const before = await left();

  const accepted = new Browser({ env: DURING });
  const person = { name: 'Ada', password: PASSWORD };
  expect(await accepted.submit(invited.path, person)).toMatchObject({ status: 303 });
  expect(await accepted.get(REQUESTS)).toMatchObject({ status: 200 });
  expect(await new Browser({ env: DURING }).submit(resetPath, { password: NEXT_PASSWORD })).toMatchObject({
    status: 303,
  });

  const used = { invitations: Number(before.invitations) - 1, reset_links: Number(before.reset_links) - 1 };
  expect(await left()).toMatchObject(used);
  const late = new Browser({ env: AFTER });
  expect(await late.get(waiting.path)).toMatchObject({ status: 404 });
  accepted.env = AFTER;
  expect(await accepted.get(REQUESTS)).toMatchObject({ status: 200 });
  expect(await signIn(late, email, NEXT_PASSWORD)).toMatchObject({ status: 303 });
});

test('a password is good whatever becomes of the root', async ({ pharmacy: { orgId } }) => {
  const { email } = await enter(orgId, 'staff');
  const invited = await invite(orgId, 'staff', email.replace('person', 'zweite'));
  await new Browser().submit(invited.path, { name: 'Ada', password: PASSWORD });
  for (const env of [DURING, AFTER]) {
    for (const address of [email, invited.email]) {
      expect(await signIn(new Browser({ env }), address)).toMatchObject({ status: 303 });
    }
    expect(await signIn(new Browser({ env }), freshEmail())).toMatchObject({ status: 401 });
  }
});

test('a choice of a pharmacy that has begun goes on', async () => {
  const [one, two] = [await openPharmacy(), await openPharmacy()];
  const { email } = await enter(one.orgId, 'staff');
  await enter(two.orgId, 'staff', 'Kim Öztürk', { email });
  const browser = new Browser();
  const asked = await signIn(browser, email);
  browser.env = DURING;
  const page = await browser.shown(asked);
  const member = /name="member" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  const path = '/manage/sign-in/pharmacy';
  expect(await browser.post(path, { ...formOn(page, path), member })).toMatchObject({ status: 303 });
  expect(await browser.get(REQUESTS)).toMatchObject({ status: 200 });
});

test('a device that has signed in is known, and stays known with its next sign-in', async () => {
  const contexts = [{}, DURING, AFTER].map((env) => systemContext({ env }).ctx);
  const [before, during, after] = contexts as [(typeof contexts)[0], (typeof contexts)[0], (typeof contexts)[0]];
  const [email, address] = [freshEmail(), newId()];
  const cookie = await deviceWith(before, undefined, email);
  const isKnown = async (ctx: typeof before, device: string) => {
    // A stranger at this address has failed too often.
    for (let failed = 0; failed < 20; failed += 1) {
      await attemptFor(ctx, email, { address, device: undefined }).catch(() => undefined);
    }
    return attemptFor(ctx, email, { address, device }).then(
      () => true,
      () => false,
    );
  };
  expect(await accountsOfDevice(during, cookie)).toHaveLength(1);
  expect(await isKnown(during, cookie)).toBe(true);
  const renewed = await deviceWith(during, cookie, email);
  expect(await accountsOfDevice(after, renewed)).toHaveLength(1);
  expect(await accountsOfDevice(after, cookie)).toEqual([]);
});

test('a payment link goes on with the old root, and is told as left until it has ended', async ({ seller }) => {
  const order = await placeOrder(seller);
  const { url } = await makeLink(seller, order.id);
  const before = Number((await left()).payment_links);
  const statusOf = async (address: string, env: Partial<Env>) => (await call(address, {}, env)).status;
  for (const env of [{}, DURING]) expect(await statusOf(url, env)).toBe(200);
  expect(await statusOf(url, AFTER)).toBe(404);

  const again = await makeLink({ ...seller, env: DURING }, order.id);
  expect(await left()).toMatchObject({ payment_links: before - 1 });
  expect((await openPage(url)).text).toContain('Nicht mehr gültig');
  for (const env of [DURING, AFTER]) expect(await statusOf(again.url, env)).toBe(200);
});

test('a repeated submission is known, by a request that is used and by one that a job has written anew', async () => {
  const pharmacy = await openPharmacy();
  const bodies = [
    envelope(),
    envelope({ prescription_pdf_base64: PDF_BASE64 }),
    envelope({ prescription_pdf_url: 'https://rezepte.example.com/1.pdf', total_amount: 9.9, address_city: 'Köln' }),
  ];
  const idOf = async (body: unknown, env: Partial<Env>) => {
    const response = await submit(pharmacy, body, env);
    expect(response.status).toBe(200);
    return { id: (await response.json<{ id: string }>()).id, isReplay: response.headers.get('Idempotent-Replayed') };
  };
  const made = await Promise.all(bodies.map((body) => idOf(body, {})));
  const changed = { ...bodies[0], payload: { ...bodies[0]?.payload, customer_name: 'Anders' } };
  await problemOf(await submit(pharmacy, changed, DURING), 409, 'external_reference_conflict');
  const [used] = made;
  expect(await idOf(bodies[0], DURING)).toEqual({ id: used?.id, isReplay: 'true' });
  const fingerprints = () =>
    everywhere<{ id: string; fingerprint: string }>(
      'select id, fingerprint from order_requests where org_id = ?',
      pharmacy.orgId,
    );
  const under = async (root: string) =>
    (await fingerprints()).filter(({ fingerprint }) => fingerprint.startsWith(`${root}.`)).map(({ id }) => id);
  expect(await under(NEW_ID)).toEqual([used?.id]);

  await runJob();
  expect(await left()).toMatchObject({ order_requests: 0 });
  expect(await under(OLD_ID)).toEqual([]);
  for (const [index, body] of bodies.entries()) {
    expect(await idOf(body, AFTER)).toEqual({ id: made[index]?.id, isReplay: 'true' });
  }
  await problemOf(await submit(pharmacy, changed, AFTER), 409, 'external_reference_conflict');
});

test('a rejected request stays rejected for a retry that comes while both roots are there', async ({ seller }) => {
  const { id } = await openApprovable(seller);
  await reject(seller, id);
  const [row] = await everywhere<{ payload: string }>('select payload from order_requests where id = ?', id);
  const path = `${BASE}/api/v2/public/orgs/${seller.orgId}/order-requests`;
  const headers = { Authorization: `Bearer ${seller.token}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ ...JSON.parse(row?.payload ?? '{}'), shop_id: seller.shopId });
  const retried = await call(path, { method: 'POST', headers, body }, DURING);
  expect(await retried.json()).toMatchObject({ id, status: 'rejected' });
});

test('nobody is kept out on another database: its entry is found, is not swept, and is written anew', async () => {
  const { orgId } = await openPharmacy(1);
  const { email } = await enter(orgId, 'staff', 'Kim Öztürk', { shard: 1 });
  expect(await signIn(new Browser({ env: DURING }), email)).toMatchObject({ status: 303 });
  const later = () => Date.now() + 2 * HOUR_MS;
  for (const at of onEachDatabase(systemContext({ env: DURING, now: later }).ctx)) await sweepEmailEntries(at);
  expect(await signIn(new Browser({ env: DURING }), email)).toMatchObject({ status: 303 });
  await runJob();
  expect(await left()).toMatchObject({ email_entries: 0 });
  expect(await signIn(new Browser({ env: AFTER }), email)).toMatchObject({ status: 303 });
});

test('an entry that was written anew meanwhile replaces the old one; one that stands for nobody goes with the sweep', async () => {
  const { orgId } = await openPharmacy(1);
  const [gone, again] = [await invite(orgId, 'staff'), await invite(orgId, 'staff')];
  await everywhere('update members set revoked_at = 1, invitation_hash = null where email = ?', gone.email);
  await ask(`/organizations/${orgId}/members`, { email: again.email, role: 'staff' }, { env: DURING });
  const entries = async () =>
    (await everywhere<{ key: string }>("select key from directory where kind = 'email' and org_id = ?", orgId)).map(
      ({ key }) => key.split('.')[0],
    );
  expect(await entries()).toHaveLength(3);
  await runJob();
  expect((await entries()).sort()).toEqual([OLD_ID, NEW_ID]);
  const later = () => Date.now() + 2 * HOUR_MS;
  for (const at of onEachDatabase(systemContext({ env: DURING, now: later }).ctx)) await sweepEmailEntries(at);
  expect(await entries()).toEqual([NEW_ID]);
});

test('with one root the job asks no database', async () => {
  for (const at of onEachDatabase(systemContext().ctx)) {
    await rewriteUnderRoots(at);
    expect(at.db.meter.roundTrips).toBe(0);
  }
});

test('a signing secret is written anew by the job, also the one before; what cannot be decrypted keeps nothing else from it', async ({
  pharmacy: { orgId },
}) => {
  const open = async () => (await subscribe(orgId, newReceiverUrl())).subscriptionId;
  const [one, other, broken] = [await open(), await open(), await open()];
  const ciphertexts = (id: string) =>
    everywhere<{ now: string; before: string | null }>(
      'select secret_ciphertext as now, previous_secret_ciphertext as before from subscriptions where id = ?',
      id,
    );
  const copy =
    'update subscriptions set previous_secret_ciphertext = secret_ciphertext, previous_secret_until = 9e15 where id = ?';
  await everywhere(copy, other);
  await everywhere("update subscriptions set secret_ciphertext = 'r1.AAAA' where id = ?", broken);
  const before = Number((await left()).signing_secrets);
  await runJob();
  expect(await left()).toMatchObject({ signing_secrets: before - 2 });
  for (const [id, count] of [
    [one, 1],
    [other, 2],
  ] as const) {
    const texts = (await ciphertexts(id)).flatMap(({ now, before: earlier }) =>
      [now, earlier].filter((text) => text !== null),
    );
    expect(texts).toHaveLength(count);
    for (const text of texts) {
      expect(await decrypt(configured(AFTER).config.roots, 'signing secret', text ?? '', id)).toMatch(/^whsec_/);
    }
  }
  expect(await ciphertexts(broken)).toEqual([{ now: 'r1.AAAA', before: null }]);
});

test('a fingerprint that cannot be made again is told until it is gone', async ({ pharmacy }) => {
  const response = await submit(pharmacy, envelope());
  const { id } = await response.json<{ id: string }>();
  await everywhere('update order_requests set customer_name = ? where id = ?', 'Anders', id);
  const later = Date.now() + 48 * HOUR_MS;
  const run = () => runJob(() => later);
  await run();
  expect(await left()).toMatchObject({ order_requests: null });
  await everywhere('update order_requests set fingerprint = null where id = ?', id);
  await run();
  expect(await left()).toMatchObject({ order_requests: 0 });
});

test('a second factor goes on, and is under the new root once a code or a recovery code was used', async () => {
  for (const first of ['code', 'recovery code']) {
    const { email, secret, recoveryCodes } = await openPerson();
    const [code, [one = '', two = '']] = [await nextCodeOf(secret), recoveryCodes];
    expect(await secretsOf(email)).toEqual([OLD_ID, OLD_ID]);
    expect(await signsIn(email, first === 'code' ? code : one, DURING)).toBe(303);
    expect(await secretsOf(email)).toEqual([NEW_ID, NEW_ID]);
    expect(await signsIn(email, first === 'code' ? two : code, AFTER)).toBe(303);
    // What was used once is used up, whatever root it is under.
    expect(await signsIn(email, first === 'code' ? code : one, AFTER)).toBe(401);
  }
});

test('what nobody uses is written anew by the job, on each database; /readyz tells what is left', async () => {
  const { orgId } = await openPharmacy(1);
  await runJob();
  const people = [await openPerson(), await openPerson({ orgId, shard: 1 })];
  expect(await left()).toMatchObject({ second_factors: 2 });
  await runJob();
  expect(await left()).toMatchObject({ second_factors: 0 });
  for (const { email, secret, recoveryCodes } of people) {
    expect(await signsIn(email, recoveryCodes[0] ?? '', AFTER)).toBe(303);
    expect(await signsIn(email, await nextCodeOf(secret), AFTER)).toBe(303);
  }
});

test('a sign-in that waits for its code goes on', async () => {
  const { email, secret } = await openPerson();
  const half = new Browser();
  await signInHalf(half, email);
  await runJob();
  half.env = DURING;
  expect(await half.submit(CODE, { code: await nextCodeOf(secret) })).toMatchObject({ status: 303 });
});

test('a second factor that is being set up goes on', async ({ staff: { browser } }) => {
  const setup = await browser.shown(browser.submit(`${ACCOUNT}/second-factor`, { password: PASSWORD }, ACCOUNT));
  const { secret } = secondFactorOn(setup.text);
  await runJob();
  browser.env = DURING;
  const confirmed = { form_token: setup.token, code: await codeOf(secret) };
  expect(await browser.post(`${ACCOUNT}/second-factor/confirm`, confirmed)).toMatchObject({ location: ACCOUNT });
});

test('without the root nobody is called wrong: nothing is counted, and with it the code is still good', async () => {
  const { email, secret } = await openPerson();
  const code = await nextCodeOf(secret);
  const browser = new Browser({ env: AFTER });
  await signInHalf(browser, email);
  const { token } = await browser.get(CODE);
  for (let tries = 0; tries < 6; tries += 1) {
    expect(await browser.post(CODE, { form_token: token, code })).toMatchObject({ status: 500 });
  }
  browser.env = DURING;
  expect(await browser.post(CODE, { form_token: token, code })).toMatchObject({ status: 303 });
});
