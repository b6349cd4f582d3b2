import { expect } from 'vitest';
import type { Role } from '../../src/platform/access';
import { newId } from '../../src/platform/ids';
import { fieldOn, filledIn } from '../support/html';
import { freshAddress } from '../support/probe';
import { rowOf } from '../support/rows';
import { BASE, call, openPharmacy, operate, type Pharmacy } from '../support/world';
import { PASSWORD, seedMember } from './member';

export { PASSWORD };

/** Posts that only read, so repeating them changes nothing. Every other post is answered by a redirect or refused. */
const ASKS_ONLY = /^\/manage\/(requests\/[\w-]+\/check|orders\/[\w-]+\/products|settings\/organization)$/;

/** A page as a browser shows it. */
export interface Page {
  status: number;
  headers: Headers;
  text: string;
  /** The token of the page's forms. */
  token: string;
  /** Where the answer sends the browser, if it does. */
  location: string | null;
  cookies: string[];
}

/** A minimal browser: it keeps cookies and does not follow redirects by itself. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly address = freshAddress();
  env: Partial<Env>;
  private readonly base: string;

  constructor({ base = BASE, env = {} }: { base?: string; env?: Partial<Env> } = {}) {
    this.base = base;
    this.env = env;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Page> {
    return this.send(path, { headers });
  }

  /** Sends a form with the token of the page that it stands on. */
  async submit(path: string, fields: Record<string, string>, from?: string): Promise<Page> {
    const { token } = await this.get(from ?? path);
    return this.post(path, { form_token: token, ...fields });
  }

  /** Types into the form of a page that is posted to an address, and sends all of it. */
  async fill(path: string, typed: Record<string, string>, action = path): Promise<Page> {
    const { text } = await this.get(path);
    return this.post(action, { ...filledIn(text, action), ...typed });
  }

  post(path: string, fields: Record<string, string> | [name: string, value: string][]): Promise<Page> {
    return this.send(path, { method: 'POST', body: new URLSearchParams(fields) });
  }

  /** The page that an answer leads to: where a redirect goes, else the answer itself. */
  async shown(answer: Page | Promise<Page>): Promise<Page> {
    const page = await answer;
    return page.status === 303 ? this.get(page.location ?? '') : page;
  }

  async send(path: string, init: RequestInit): Promise<Page> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = new Headers(init.headers);
    headers.set('CF-Connecting-IP', this.address);
    if (cookie) headers.set('Cookie', cookie);
    const response = await call(new URL(path, this.base).href, { ...init, headers, redirect: 'manual' }, this.env);
    if (init.method === 'POST' && response.status === 200) expect(path).toMatch(ASKS_ONLY);
    const cookies = response.headers.getSetCookie();
    for (const line of cookies) this.keep(line);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      token: fieldOn(text, 'form_token'),
      location: response.headers.get('Location'),
      cookies,
    };
  }

  /** The session's cookie, as `name=value`. */
  get session(): string | undefined {
    return [...this.cookies].find(([name]) => name.endsWith('.session_token'))?.join('=');
  }

  private keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/max-age=0\b/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

export async function invite(
  orgId: string,
  role: Role,
  email = freshEmail(),
): Promise<{ email: string; path: string }> {
  const { invitation_url = '' } = await operate(`/organizations/${orgId}/members`, { email, role });
  return { email, path: new URL(invitation_url).pathname };
}

export function freshEmail(): string {
  return `person-${newId()}@example.com`;
}

/** The id of whoever works or is invited with an address. */
export async function memberId(email: string): Promise<string> {
  return (await rowOf('members', { email, revoked_at: null })).id;
}

/** A member who has accepted, in a browser that is not signed in. */
export async function join(
  orgId: string,
  role: Role,
  name = 'Kim Öztürk',
): Promise<{ browser: Browser; email: string }> {
  const { email } = await enter(orgId, role, name);
  return { browser: new Browser(), email };
}

export function signIn(browser: Browser, email: string, password = PASSWORD, next = ''): Promise<Page> {
  return browser.submit('/manage/sign-in', { email, password, next });
}

/** A member who has just accepted an invitation, which signs in; of an organization on the database `shard`. */
export async function enter(
  orgId: string,
  role: Role,
  name = 'Kim Öztürk',
  { email = freshEmail(), shard = 0 }: { email?: string; shard?: number } = {},
): Promise<{ browser: Browser; email: string }> {
  const browser = new Browser();
  const cookies = await seedMember({ orgId, role, name, email, shard });
  for (const [cookie, value] of cookies) browser.cookies.set(cookie, value);
  return { browser, email };
}

/** A pharmacy, its owner's browser and the page of its shop. */
export async function openOwned(): Promise<Pharmacy & { browser: Browser; path: string }> {
  const pharmacy = await openPharmacy();
  const { browser } = await enter(pharmacy.orgId, 'owner');
  return { ...pharmacy, browser, path: `/manage/settings/shops/${pharmacy.shopId}` };
}

/** Somebody takes up an invitation with a password. @returns the browser that is signed in by it */
export async function accept(orgId: string, email: string, password: string, role: Role = 'staff'): Promise<Browser> {
  const { path } = await invite(orgId, role, email);
  const browser = new Browser();
  expect(await browser.submit(path, { name: 'Ada Öz', password })).toMatchObject({ status: 303 });
  return browser;
}
