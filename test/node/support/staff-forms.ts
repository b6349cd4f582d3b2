import { Desk } from '../../../scripts/day/desk.ts';
import { fieldOn } from '../../support/html.ts';

/** The answer to a form, and the page that it led to. */
export interface Shown {
  path: string;
  status: number;
  text: string;
}

/** A browser without scripts that fills in forms of the started service's management interface. */
export class StaffForms {
  private readonly desk: Desk;

  constructor(baseUrl: string) {
    this.desk = new Desk(baseUrl);
  }

  /** Opens the page that the form stands on, sends the form with its token, and follows the answer's redirect. */
  async submit(from: string, action: string, fields: Record<string, string>): Promise<Shown> {
    const form_token = fieldOn((await this.get(from)).text, 'form_token');
    return this.shown(action, { method: 'POST', body: new URLSearchParams({ form_token, ...fields }) });
  }

  get(path: string): Promise<Shown> {
    return this.shown(path);
  }

  private async shown(path: string, init?: RequestInit): Promise<Shown> {
    const answer = await this.desk.ask(path, init);
    const [text, location] = [await answer.text(), answer.headers.get('Location')];
    return location === null ? { path, status: answer.status, text } : this.get(location);
  }
}
