import { fieldOn } from '../../test/support/html.ts';
import type { Answer, Line, Sent } from './request.ts';
import { MARKUP } from './strange.ts';

export type Role = 'owner' | 'pharmacist' | 'staff';

export const PASSWORD = 'drei Löwen am Markt';
const SIGN_IN = '/manage/sign-in';
const FORM_HEADERS = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** A browser of the management interface: it keeps cookies and does not follow redirects. */
export class Browser {
  readonly cookies = new Map<string, string>();
  private readonly line: Line;
  private token = '';
  /** The cookie that the token is bound to. */
  private bound = '';

  constructor(line: Line) {
    this.line = line;
  }

  get isSignedIn(): boolean {
    return this.session !== '';
  }

  /** Came into the test organization, where nothing is that the run knows. */
  get isInTest(): boolean {
    return [...this.cookies.keys()].some((name) => name.endsWith('.live_session_token'));
  }

  get(path: string): Promise<Answer> {
    return this.send({ method: 'GET', host: 'localhost', path, headers: {}, body: Buffer.alloc(0) });
  }

  post(path: string, fields: Record<string, string>): Promise<Answer> {
    const body = Buffer.from(new URLSearchParams(fields).toString());
    return this.send({ method: 'POST', host: 'localhost', path, headers: FORM_HEADERS, body });
  }

  /** Sends a request with the browser's cookies, and keeps those of the answer. */
  async send(sent: Sent): Promise<Answer> {
    const headers = { ...sent.headers };
    if (this.cookies.size > 0) headers.Cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await this.line.send({ ...sent, headers });
    for (const line of answer.headers['set-cookie'] ?? []) this.keep(line);
    return answer;
  }

  /** The token of every form of this session. */
  async formToken(): Promise<string> {
    const binding = this.session || (this.cookies.get('offizin.visitor') ?? '');
    if (this.token === '' || this.bound !== binding || binding === '') {
      const { body } = await this.get(this.isSignedIn ? '/manage/account' : SIGN_IN);
      this.token = fieldOn(body, 'form_token');
      this.bound = this.session || (this.cookies.get('offizin.visitor') ?? '');
    }
    return this.token;
  }

  private get session(): string {
    return [...this.cookies].find(([name]) => name.endsWith('.session_token'))?.[1] ?? '';
  }

  private keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/max-age=0\b/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** A member of an organization, who signs in anew when a request has ended the session. */
export class Person {
  browser: Browser;
  readonly role: Role;
  private readonly line: Line;
  private readonly invite: () => Promise<string>;

  /** @param invite gives the path of a new invitation */
  constructor(line: Line, role: Role, invite: () => Promise<string>) {
    this.line = line;
    this.role = role;
    this.invite = invite;
    this.browser = new Browser(line);
  }

  /** The browser, signed in: by accepting an invitation, which is what signs in for sure. */
  async enter(): Promise<Browser> {
    if (this.browser.isSignedIn && !this.browser.isInTest) return this.browser;
    this.browser = new Browser(this.line);
    const path = await this.invite();
    const form_token = fieldOn((await this.browser.get(path)).body, 'form_token');
    const { status, body } = await this.browser.post(path, {
      form_token,
      name: `Kim ${MARKUP[0]}`,
      password: PASSWORD,
    });
    if (status !== 303) throw new Error(`The invitation was answered with ${status} ${body}`);
    return this.browser;
  }

  /** The service does not know the session any more. */
  leave(): void {
    this.browser = new Browser(this.line);
  }
}
