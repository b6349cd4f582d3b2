import { type Field, fieldsOf } from '../../test/support/html.ts';
import { StartError } from '../errors.ts';
import { request } from '../http.ts';

const TOKEN_FIELD = 'form_token';

export interface DemoMember {
  email: string;
  password: string;
  role: string;
}

/** A member who uses the management interface as a browser without scripts does. */
export class Desk {
  private readonly cookies = new Map<string, string>();
  private readonly baseUrl: string;

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl;
  }

  /** The cookies as the value of a `Cookie` header. */
  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  static async signIn({ base_url, members }: { base_url: string; members: DemoMember[] }, role: string): Promise<Desk> {
    const { email = '', password = '' } = members.find((member) => member.role === role) ?? {};
    const desk = new Desk(base_url);
    await desk.send('/manage/sign-in', '/manage/sign-in', { email, password });
    return desk;
  }

  /** Returns the fields of all forms of a page. */
  async fieldsAt(path: string): Promise<Field[]> {
    const page = await this.ask(path);
    if (page.status !== 200) throw new StartError(`${path} was answered with ${page.status}.`);
    return fieldsOf(await page.text());
  }

  /**
   * Posts the fields of a page to the address `action`, with the values in `typed` instead of those that the page
   * shows.
   */
  async send(page: string, action: string, typed: Record<string, string>): Promise<void> {
    const shown = (await this.fieldsAt(page)).filter(({ isSent, type }) => isSent && type !== 'file');
    const fields = shown.map(({ name, value }) => [name, value]);
    await this.post(action, new URLSearchParams({ ...Object.fromEntries(fields), ...typed }));
  }

  /** Posts a file to `action`, with the form token of the page. */
  async upload(page: string, action: string, name: string, bytes: Buffer): Promise<void> {
    const token = (await this.fieldsAt(page)).find((field) => field.name === TOKEN_FIELD)?.value ?? '';
    const form = new FormData();
    form.set(TOKEN_FIELD, token);
    form.set(name, new Blob([new Uint8Array(bytes)], { type: 'application/pdf' }), 'rezept.pdf');
    await this.post(action, form);
  }

  private async post(action: string, body: BodyInit): Promise<void> {
    const answer = await this.ask(action, { method: 'POST', body });
    await answer.body?.cancel();
    if (answer.status !== 303) throw new StartError(`${action} was answered with ${answer.status}.`);
  }

  /** Makes a request with the member's cookies. Does not follow redirects. */
  async ask(path: string, init: RequestInit = {}): Promise<Response> {
    const answer = await request(this.baseUrl + path, {
      ...init,
      redirect: 'manual',
      headers: { Accept: 'text/html', Cookie: this.cookie },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0\b/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }
}
