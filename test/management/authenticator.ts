import { expect } from 'vitest';
import { codeOf, secondFactorOn } from '../support/totp';
import { type Browser, PASSWORD, type Page, signIn } from './browser';

export const ACCOUNT = '/manage/account';
export const CODE = '/manage/sign-in/code';

export async function turnOn(
  browser: Browser,
  password = PASSWORD,
): Promise<{ secret: string; recoveryCodes: string[]; setup: Page }> {
  const setup = await browser.shown(browser.submit(`${ACCOUNT}/second-factor`, { password }, ACCOUNT));
  expect(setup.status).toBe(200);
  const { secret, recoveryCodes } = secondFactorOn(setup.text);
  const confirmed = await browser.post(`${ACCOUNT}/second-factor/confirm`, {
    form_token: setup.token,
    code: await codeOf(secret),
  });
  expect(confirmed).toMatchObject({ status: 303, location: ACCOUNT });
  return { secret, recoveryCodes, setup };
}

/** A sign-in that waits for its code. */
export async function signInHalf(browser: Browser, email: string, password = PASSWORD): Promise<Page> {
  const half = await signIn(browser, email, password);
  expect(half).toMatchObject({ status: 303, location: CODE });
  return browser.get(CODE);
}
