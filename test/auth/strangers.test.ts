import { env } from 'cloudflare:workers';
import { ACCOUNT, CODE, signInHalf, turnOn } from '../management/authenticator';
import { Browser, enter, freshEmail, invite, PASSWORD, signIn } from '../management/browser';
import { openOrganization } from '../support/operator';
import { databaseDown } from '../support/outbound';
import { freshAddress } from '../support/probe';
import { describe, expect, test, vi } from '../support/test';
import { nextCodeOf } from '../support/totp';
import { ONE_DATABASE } from '../support/world';

/** As in production: ten of each key. */
function tenOfEach(): RateLimit {
  const counts = new Map<string, number>();
  const limit = async ({ key }: { key: string }) => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return { success: (counts.get(key) ?? 0) <= 10 };
  };
  return { limit } as unknown as RateLimit;
}

/** A browser at an address, under a limiter. */
function at(address: string, limit: RateLimit): Browser {
  return Object.assign(new Browser({ env: { RATE_SIGN_IN: limit } }), { address });
}

/** Fails to sign in until the address is blocked. */
async function hammer(address: string, limit: RateLimit, email: string): Promise<void> {
  const stranger = at(address, limit);
  const statuses: number[] = [];
  for (let tries = 0; tries < 11; tries += 1) {
    statuses.push((await signIn(stranger, email, 'not the password')).status);
  }
  expect(statuses.at(-1)).toBe(429);
}

describe('strangers', () => {
  test('do not keep anybody out from other addresses, however often they fail by the same e-mail address', async () => {
    const { email } = await enter(await openOrganization(), 'owner');
    const limit = tenOfEach();
    for (let tries = 0; tries < 12; tries += 1) {
      expect(await signIn(at(freshAddress(), limit), email, 'not the password')).toMatchObject({ status: 401 });
    }
    expect(await signIn(at(freshAddress(), limit), email)).toMatchObject({ status: 303 });
  });

  test('at the same address do not stop a device that signed in before, nor its second factor', async () => {
    const { browser, email } = await enter(await openOrganization(), 'owner');
    const { secret } = await turnOn(browser);
    const limit = tenOfEach();
    const address = freshAddress();
    const known = Object.assign(browser, { address, env: { RATE_SIGN_IN: limit } });
    await known.submit('/manage/sign-out', {}, ACCOUNT);
    await hammer(address, limit, email);
    expect(await signIn(at(address, limit), email)).toMatchObject({ status: 429 });
    await signInHalf(known, email);
    expect(await known.submit(CODE, { code: await nextCodeOf(secret) })).toMatchObject({ status: 303 });
  });

  test('gain nothing by a device’s cookie: it is good for who signed in there, and fails often no more than an address', async () => {
    const orgId = await openOrganization();
    const mine = await enter(orgId, 'staff');
    const { email } = await enter(orgId, 'owner');
    const limit = tenOfEach();
    const address = freshAddress();
    const device = Object.assign(mine.browser, { address, env: { RATE_SIGN_IN: limit } });
    await device.submit('/manage/sign-out', {}, ACCOUNT);
    await hammer(address, limit, (await enter(orgId, 'staff')).email);
    expect(await signIn(device, email)).toMatchObject({ status: 429 });
    const statuses: number[] = [];
    for (let tries = 0; tries < 12; tries += 1) {
      statuses.push((await signIn(device, mine.email, 'not the password')).status);
    }
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401));
    expect(statuses.slice(10)).toEqual([429, 429]);
  });

  test('do not use up right passwords: only failures count', async ({ signedOut: { email } }) => {
    const limit = tenOfEach();
    const address = freshAddress();
    for (let tries = 0; tries < 11; tries += 1) {
      expect(await signIn(at(address, limit), email)).toMatchObject({ status: 303 });
    }
  });

  test('have ten tries a minute, also several at a time and after a pause; then not even the right password signs in', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { email } = await enter(await openOrganization(), 'owner');
    const limit = tenOfEach();
    const address = freshAddress();
    const browsers = Array.from({ length: 10 }, () => at(address, limit));
    const together = (passwords: string[]) =>
      Promise.all(passwords.map(async (each, index) => (await signIn(browsers[index] as Browser, email, each)).status));
    const wrong = (count: number) => Array<string>(count).fill('not the password');
    // Not more at a time than are hashed.
    expect(await together(wrong(7))).toEqual(Array(7).fill(401));
    expect((await together(wrong(10))).toSorted()).toEqual([401, 401, 401, ...Array(7).fill(429)]);
    for (const seconds of [0, 12, 24, 11]) {
      vi.setSystemTime(Date.now() + seconds * 1000);
      expect(await together([...wrong(4), PASSWORD, ...wrong(4)])).toEqual(Array(9).fill(429));
    }
  });

  test('who meet a fault of the service have not failed', async () => {
    const { email } = await enter(await openOrganization(), 'owner');
    const limit = tenOfEach();
    const browser = at(freshAddress(), limit);
    const { env: working } = browser;
    browser.env = { ...working, ...ONE_DATABASE, DB: databaseDown() };
    for (let tries = 0; tries < 12; tries += 1) {
      expect((await signIn(browser, email)).status).toBe(502);
    }
    browser.env = working;
    expect(await signIn(browser, email)).toMatchObject({ status: 303 });
  });

  test('cannot try passwords of one membership by way of another that they gave the address', async () => {
    const [a, b] = [await openOrganization(), await openOrganization()];
    const email = freshEmail();
    await enter(a, 'owner', 'Ada', { email });
    const { path } = await invite(b, 'owner', email);
    const password = 'ein geratenes Wort';
    expect(await new Browser().submit(path, { name: 'Ada', password })).toMatchObject({ status: 303 });
    const limit = tenOfEach();
    const address = freshAddress();
    const statuses: number[] = [];
    for (let tries = 0; tries < 12; tries += 1) {
      statuses.push((await signIn(at(address, limit), email, password)).status);
    }
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(303));
    expect(statuses.slice(10)).toEqual([429, 429]);
  });

  test('who sign in sixteen at a time make the service hash for ten; the others are told to come back', async () => {
    const browsers = Array.from({ length: 16 }, () => new Browser());
    const tokens = await Promise.all(browsers.map(async (each) => (await each.get('/manage/sign-in')).token));
    const together = meeting(browsers.length);
    const answers = await Promise.all(
      browsers.map((each, index) => {
        each.env = { DB: heldUntil(together) };
        return each.post('/manage/sign-in', {
          form_token: tokens[index] ?? '',
          email: freshEmail(),
          password: PASSWORD,
        });
      }),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(6);
    for (const { headers } of refused) expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(await signIn(new Browser(), freshEmail())).toMatchObject({ status: 401 });
  });
});

/** Waits until so many have come. */
function meeting(size: number): () => Promise<void> {
  let missing = size;
  const { promise, resolve } = Promise.withResolvers<void>();
  return () => {
    missing -= 1;
    if (missing === 0) resolve();
    return promise;
  };
}

/** D1 that holds back the first answers until every caller has one, so that all begin to hash at the same moment. */
function heldUntil(together: () => Promise<void>): D1Database {
  let isFirst = true;
  return {
    prepare: (query: string) => env.DB.prepare(query),
    async batch(statements: D1PreparedStatement[]) {
      const results = await env.DB.batch(statements);
      if (isFirst) await together();
      isFirst = false;
      return results;
    },
  } as unknown as D1Database;
}
