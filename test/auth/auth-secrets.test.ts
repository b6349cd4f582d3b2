import { env } from 'cloudflare:workers';
import { rewriteSecondFactors } from '../../src/auth/staff/account';
import { onEachDatabase } from '../../src/platform/context';
import { ACCOUNT, CODE, signInHalf, turnOn } from '../management/authenticator';
import { Browser, enter, PASSWORD } from '../management/browser';
import { openOrganization } from '../support/operator';
import { expect, test } from '../support/test';
import { codeOf, nextCodeOf, secondFactorOn } from '../support/totp';
import { BASE, call, everywhere, OPERATOR_TOKEN, openPharmacy, systemContext } from '../support/world';

const NEW = 'a2:bmV3LXNlY3JldC1uZXctc2VjcmV0LW5ldy1zZWNyZXQ=';
/** The bindings while both secrets are in the ring, and once the old one is gone. */
const DURING: Partial<Env> = { AUTH_SECRETS: `${NEW},${env.AUTH_SECRETS}` };
const AFTER: Partial<Env> = { AUTH_SECRETS: NEW };

/** A person with a second factor under the old secret, whose next code has not been used. */
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

/** What `GET /readyz` says of the ring: the first secret, and how many second factors are left under each old one. */
async function told(ring: Partial<Env>) {
  const answer = await call(`${BASE}/readyz`, { headers: { Authorization: `Bearer ${OPERATOR_TOKEN}` } }, ring);
  const { current, old } = (await answer.json<Report>()).auth_secrets;
  return { current, old: old.map(({ id, left }) => [id, left.second_factors]) };
}

interface Report {
  auth_secrets: { current: string; old: { id: string; left: { second_factors: number } }[] };
}

async function runJob(ring: Partial<Env>): Promise<void> {
  for (const at of onEachDatabase(systemContext({ env: ring }).ctx)) await rewriteSecondFactors(at);
}

test('a second factor goes on, and is under the new secret once a code or a recovery code was used', async () => {
  for (const first of ['code', 'recovery code']) {
    const { email, secret, recoveryCodes } = await openPerson();
    const [code, [one = '', two = '']] = [await nextCodeOf(secret), recoveryCodes];
    expect(await secretsOf(email)).toEqual(['a1', 'a1']);
    expect(await signsIn(email, first === 'code' ? code : one, DURING)).toBe(303);
    expect(await secretsOf(email)).toEqual(['a2', 'a2']);
    expect(await signsIn(email, first === 'code' ? two : code, AFTER)).toBe(303);
    // What was used once is used up, whatever secret it is under.
    expect(await signsIn(email, first === 'code' ? code : one, AFTER)).toBe(401);
  }
});

test('what nobody uses is written anew by the job, on each database; /readyz tells what is left', async () => {
  const { orgId } = await openPharmacy(1);
  await runJob(DURING);
  const people = [await openPerson(), await openPerson({ orgId, shard: 1 })];
  expect(await told(DURING)).toEqual({ current: 'a2', old: [['a1', 2]] });
  await runJob(DURING);
  expect(await told(DURING)).toEqual({ current: 'a2', old: [['a1', 0]] });
  expect(await told(AFTER)).toEqual({ current: 'a2', old: [] });
  for (const { email, secret, recoveryCodes } of people) {
    expect(await signsIn(email, recoveryCodes[0] ?? '', AFTER)).toBe(303);
    expect(await signsIn(email, await nextCodeOf(secret), AFTER)).toBe(303);
  }
});

test('sessions and sign-ins that wait for a code go on', async () => {
  const { browser, email, secret } = await openPerson();
  const half = new Browser();
  await signInHalf(half, email);
  await runJob(DURING);
  for (const ring of [DURING, AFTER]) {
    browser.env = ring;
    expect(await browser.get(ACCOUNT)).toMatchObject({ status: 200 });
  }
  half.env = AFTER;
  expect(await half.submit(CODE, { code: await nextCodeOf(secret) })).toMatchObject({ status: 303 });
});

test('a second factor that is being set up goes on', async ({ staff: { browser } }) => {
  const setup = await browser.shown(browser.submit(`${ACCOUNT}/second-factor`, { password: PASSWORD }, ACCOUNT));
  const { secret } = secondFactorOn(setup.text);
  await runJob(DURING);
  browser.env = AFTER;
  const confirmed = { form_token: setup.token, code: await codeOf(secret) };
  expect(await browser.post(`${ACCOUNT}/second-factor/confirm`, confirmed)).toMatchObject({ location: ACCOUNT });
});

test('without the secret nobody is called wrong: nothing is counted, and with it the code is still good', async () => {
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

test('with one secret the job asks no database', async () => {
  for (const at of onEachDatabase(systemContext().ctx)) {
    await rewriteSecondFactors(at);
    expect(at.db.meter.roundTrips).toBe(0);
  }
});
