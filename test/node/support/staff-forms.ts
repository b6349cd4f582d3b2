import { Browser } from '../../../scripts/fuzz/person.ts';
import { type Answer, Line } from '../../../scripts/fuzz/request.ts';
import { fieldOn } from '../../support/html.ts';

/** The answer to a form, and the page that it led to. */
export interface Shown {
  path: string;
  status: number;
  text: string;
}

/** A browser without scripts that fills in forms of the started service's management interface. */
export class StaffForms {
  private readonly browser: Browser;

  constructor(baseUrl: string) {
    this.browser = new Browser(new Line(Number(new URL(baseUrl).port)));
  }

  /** Opens the page that the form stands on, sends the form with its token, and follows the answer's redirect. */
  async submit(from: string, action: string, fields: Record<string, string>): Promise<Shown> {
    const form_token = fieldOn((await this.get(from)).text, 'form_token');
    return this.shown(action, await this.browser.post(action, { form_token, ...fields }));
  }

  async get(path: string): Promise<Shown> {
    return this.shown(path, await this.browser.get(path));
  }

  private shown(path: string, { status, headers, body }: Answer): Shown | Promise<Shown> {
    return headers.location === undefined ? { path, status, text: body } : this.get(headers.location);
  }
}
