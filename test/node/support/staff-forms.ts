import { request } from '../../../scripts/http';
import { fieldOn } from '../../support/html';

/** The answer to a form, and the page that it led to. */
export interface Shown {
  path: string;
  status: number;
  text: string;
}

/** A browser without scripts that fills in forms of the started service's management interface. */
export class StaffForms {
  private readonly cookies = new Map<string, string>();
  private readonly baseUrl: string;

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl;
  }

  /** Opens the page that the form stands on, sends the form with its token, and follows the answer's redirect. */
  async submit(from: string, action: string, fields: Record<string, string>): Promise<Shown> {
    const token = fieldOn((await this.get(from)).text, 'form_token');
    return this.send(action, { method: 'POST', body: new URLSearchParams({ form_token: token, ...fields }) });
  }

  get(path: string): Promise<Shown> {
    return this.send(path, {});
  }

  private async send(path: string, init: RequestInit): Promise<Shown> {
    const Cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await request(this.baseUrl + path, { ...init, headers: { Cookie }, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0\b/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const text = await answer.text();
    const location = answer.headers.get('Location');
    return location === null ? { path, status: answer.status, text } : this.get(location);
  }
}
