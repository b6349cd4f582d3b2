import { type Field, type Form, formsOf, linksOf, textOf } from '../../test/support/html.ts';
import { Desk } from '../day/desk.ts';
import type { Demo } from '../demo.ts';
import { told, type Write } from './calls.ts';
import { maskKeyIds } from './mask.ts';

const START = '/manage';
/** The most pages of one kind that are read: of entries (`thing`), and of variants of a list (`variant`). */
const SAMPLES = { thing: 3, variant: 8 };
/** Forms that end the session or a member's access, or that change the organization. */
const LEFT_OUT = /sign-out|\/test\b|language|sessions|members\/[^/]+\/revoke/;

/**
 * Follows links from the start page to all pages, but only to a few pages of each kind.
 * @param see returns a page, and the addresses to which it leads without a link
 * @param samplesOf returns the most pages of a kind
 */
export async function* walk(
  see: (path: string) => Promise<{ html: string; next: string[] }>,
  samplesOf = (kind: string) => SAMPLES[kind.includes('ID') ? 'thing' : 'variant'],
) {
  const found = [START];
  const counts = new Map<string, number>();
  for (const path of found) {
    const { html, next } = await see(path);
    yield { path, html };
    for (const link of [...linksOf(html, /^\/manage/), ...next].map((href) => href.replace(/#.*/, ''))) {
      const { pathname, searchParams } = new URL(link, 'http://localhost');
      const kind = kindOf(pathname) + [...searchParams.keys()].join();
      const count = (counts.get(kind) ?? 0) + 1;
      if (found.includes(link) || count > samplesOf(kind)) continue;
      counts.set(kind, count);
      found.push(link);
    }
  }
}

/** Returns the forms of a page that are posted. A form with several addresses is returned once for each. */
export function postsOn(path: string, html: string): Form[] {
  const forms = formsOf(html).filter(({ method }) => method === 'post');
  return forms.flatMap((form) => [form.action || path, ...form.otherActions].map((action) => ({ ...form, action })));
}

/** Records what a member sees, and what happens when each form is sent. */
export class Visit {
  private readonly forms = new Map<string, { page: string; form: Form }>();
  private readonly names = new Map<string, number>();
  private readonly demo: Demo;
  private readonly role: string;
  private readonly write: Write;
  private desk: Desk | undefined;

  constructor(demo: Demo, role: string, write: Write) {
    this.demo = demo;
    this.role = role;
    this.write = write;
  }

  /** Records the pages to which links lead, a few of each kind. */
  async read(): Promise<void> {
    for await (const { path, html } of walk((path) => this.see('read', path, path))) {
      for (const form of postsOn(path, html)) {
        const kind = kindOf(form.action);
        if (!this.forms.has(kind)) this.forms.set(kind, { page: path, form });
      }
    }
  }

  /** Sends each form without values. */
  async sendEmpty(): Promise<void> {
    for (const [kind, { page, form }] of this.forms) await this.send('empty', kind, page, form, () => false);
  }

  /** Sends each form with the values that its page shows, by its first button. */
  async sendShown(): Promise<void> {
    for (const [kind, { page, form }] of this.forms) {
      const isTaken = (field: Field, all: Field[]) =>
        field.isSent || field === all.find(({ type }) => type === 'button');
      await this.send('sent', kind, page, form, isTaken);
    }
  }

  private async send(
    folder: string,
    kind: string,
    page: string,
    { action }: Form,
    isTaken: (field: Field, all: Field[]) => boolean,
  ): Promise<void> {
    if (LEFT_OUT.test(action)) return;
    const html = await (await this.ask(page)).text();
    const form = postsOn(page, html).find((each) => each.action === action);
    const fields = form?.fields.filter((field, _, all) => field.name === 'form_token' || isTaken(field, all)) ?? [];
    const sent = fields.filter(({ type }) => type !== 'file').map(({ name, value }) => [name, value]);
    const body = new URLSearchParams(sent);
    const { next } = await this.see(folder, kind, action, { method: 'POST', body });
    for (const path of next) await this.see(folder, `${kind}-then`, path);
  }

  private async ask(path: string, init?: RequestInit): Promise<Response> {
    this.desk ??= await Desk.signIn(this.demo, this.role);
    const answer = await this.desk.ask(path, init);
    // The session has ended.
    if (answer.headers.get('Location')?.includes('/sign-in')) this.desk = undefined;
    return answer;
  }

  /** Records an answer. @returns the page, and the addresses to which it leads without a link */
  private async see(folder: string, name: string, path: string, init?: RequestInit) {
    const answer = await this.ask(path, init);
    const body = await answer.text();
    const isPage = answer.headers.get('Content-Type')?.startsWith('text/html') ?? false;
    const base = `pages/${this.role}/${folder}/${this.named(name)}`;
    const head = told(`${init?.method ?? 'GET'} ${path}`, {
      status: answer.status,
      headers: Object.fromEntries([...answer.headers].filter(([header]) => header !== 'set-cookie')),
      body: isPage ? linesOf(body) : body,
    });
    this.write(`${base}.txt`, head);
    if (isPage) this.write(`${base}.html`, body.replace(/\s*</g, '\n<'));
    const location = answer.headers.get('Location');
    const next = location?.replace(this.demo.base_url, '').startsWith(START)
      ? [location.replace(this.demo.base_url, '')]
      : [];
    return { html: isPage ? body : '', next };
  }

  private named(path: string): string {
    const name = kindOf(path)
      .replace(/[^\w]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 120);
    const count = (this.names.get(name) ?? 0) + 1;
    this.names.set(name, count);
    return count === 1 ? name : `${name}.${count}`;
  }
}

/** Returns the texts of a page, one on each line. */
function linesOf(html: string): string {
  const marked = html.replace(/<(script|style|head)\b.*?<\/\1>/gs, '').replace(/<[^>]+>/g, '\n');
  return marked.split('\n').map(textOf).filter(Boolean).join('\n');
}

/** Returns the kind of a page: its path without ids. A long path segment with a digit is an id. */
export function kindOf(path: string): string {
  return maskKeyIds(path, 'ID').replace(/([/=])(?=[^/?&]*\d)[^/?&]{8,}/g, '$1ID');
}
