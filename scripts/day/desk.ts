import { type Field, fieldsOf } from '../../test/support/html.ts';
import { StartError } from '../errors.ts';
import { request } from '../http.ts';

const TOKEN_FIELD = 'form_token';

export interface DemoMember {
  email: string;
  password: string;
  role: string;
}

/** A member who works in the management interface, as a browser without scripts. */
export class Desk {
  private readonly cookies = new Map<string, string>();
  private readonly baseUrl: string;

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl;
  }

  /** The cookies, as a header. */
  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  static async signIn({ base_url, members }: { base_url: string; members: DemoMember[] }, role: string): Promise<Desk> {
    const { email = '', password = '' } = members.find((member) => member.role === role) ?? {};
    const desk = new Desk(base_url);
    await desk.send('/manage/sign-in', '/manage/sign-in', { email, password });
    return desk;
  }

  /** The fields of a page, those of all its forms. */
  async fieldsAt(path: string): Promise<Field[]> {
    const page = await this.ask(path);
    if (page.status !== 200) throw new StartError(`${path} was answered with ${page.status}.`);
    return fieldsOf(await page.text());
  }

  /** Sends what a page shows to an address, as whoever changes these fields would. */
  async send(page: string, action: string, typed: Record<string, string>): Promise<void> {
    const shown = (await this.fieldsAt(page)).filter(({ isSent, type }) => isSent && type !== 'file');
    const fields = shown.map(({ name, value }) => [name, value]);
    await this.post(action, new URLSearchParams({ ...Object.fromEntries(fields), ...typed }));
  }

  /** Sends the form of a page that has nothing but a file. */
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

  /** A request with the member's cookies; redirects are not followed. */
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
