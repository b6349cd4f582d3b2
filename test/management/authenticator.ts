import { expect } from 'vitest';
import { type Browser, PASSWORD, type Page, signIn } from './browser';

export const ACCOUNT = '/manage/account';
export const CODE = '/manage/sign-in/code';

const PERIOD_MS = 30_000;

/** A code as an app computes it (RFC 6238), from the key that the page shows. */
export async function codeOf(secret: string, at = Date.now()): Promise<string> {
  const bits = [...secret.replace(/[\s=]/g, '')]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const bytes = Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-1' }, false, ['sign']);
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(Math.floor(at / PERIOD_MS)));
  const mac = new DataView(await crypto.subtle.sign('HMAC', key, counter.buffer));
  const offset = mac.getUint8(19) & 15;
  return String((mac.getUint32(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

export async function turnOn(
  browser: Browser,
  password = PASSWORD,
): Promise<{ secret: string; recoveryCodes: string[]; setup: Page }> {
  const setup = await browser.shown(browser.submit(`${ACCOUNT}/second-factor`, { password }, ACCOUNT));
  expect(setup.status).toBe(200);
  const secret = /<code class="secret">([^<]+)</.exec(setup.text)?.[1] ?? '';
  const recoveryCodes = [...setup.text.matchAll(/<li><code>([^<]+)</g)].map(([, code = '']) => code);
  const confirmed = await browser.post(`${ACCOUNT}/second-factor/confirm`, {
    form_token: setup.token,
    code: await codeOf(secret),
  });
  expect(confirmed).toMatchObject({ status: 303, location: ACCOUNT });
  return { secret, recoveryCodes, setup };
}

/** The code that the app shows next: the one that turned the second factor on is used up. */
export function nextCodeOf(secret: string): Promise<string> {
  return codeOf(secret, Date.now() + PERIOD_MS);
}

/** A sign-in that waits for its code. */
export async function signInHalf(browser: Browser, email: string, password = PASSWORD): Promise<Page> {
  const half = await signIn(browser, email, password);
  expect(half).toMatchObject({ status: 303, location: CODE });
  return browser.get(CODE);
}
