import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { Desk } from '../../scripts/day/desk';
import { fill } from '../../scripts/fill';
import { kindOf, postsOn, walk } from '../../scripts/record/pages';
import { type Form, fieldOn } from '../support/html';
import { ownService } from './support/own-service';
import { openPharmacyAt, SUBMITS } from './support/pharmacy';
import { post } from './support/service';

/** For each form. */
const RUNS = 10;
const SEED = 2026;
const START_MS = 300_000;
const RUN_MS = 1_200_000;
/** Fewer forms were not found, but missed. */
const FORMS_MIN = { owner: 70, pharmacist: 50 };
/** A member who came into the test organization sees nothing of the one that is meant. */
const LEFT_OUT = /\/test\b/;

/** Of the organization that nobody here belongs to. */
const FOREIGN = 'Fremde-Apotheke-7391';
/** What only the inside of the service says. */
const INSIDE =
  /\b(D1_ERROR|SQLITE_\w+|ZodError|TypeError|RangeError|SyntaxError|ReferenceError)\b|\n\s+at \S+ ?\(?\S*:\d+:\d+/;
/** Markup that must never come back as markup. */
const MARKUP = [
  '"><zqx onload=alert(1)>',
  '<script>zqx()</script>',
  '" onzqx="1',
  '</title></textarea><zqx>',
  '--><zqx>',
];
const INJECTED = /<zqx|<script>zqx|" onzqx="/;
/** What fast-check does not come upon by itself. */
const TEXTS = [
  ...[
    '\ufeff',
    '\u202etxt.exe',
    '👩‍⚕️🇩🇪',
    'İı ß ẞ ﬀ',
    '\u0085\u2028\u2029',
    '٣',
    "' or 1=1 --",
    '_%',
    '../../x',
    '=1+1',
  ],
  ...[
    '//evil.example',
    'javascript:zqx()',
    '1,5',
    '1e309',
    '-1',
    'http://[::1',
    '2026-02-30',
    '-271821-04-20',
    'a@b@c',
  ],
];
const LENGTHS = [60, 101, 201, 2_100, 40_000];

const strange = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.constantFrom(...MARKUP),
  fc.string({ maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(...LENGTHS.map((length) => 'ü'.repeat(length))),
  fc.double().map(String),
  fc.uuid(),
);

const { service } = await ownService();
let foreignRequest: string;

beforeAll(async () => {
  await fill(service.demo);
  const { connector, keys } = await openPharmacyAt(service, { fields: { name: FOREIGN }, keys: [SUBMITS] });
  const envelope = { source: 'telemed.example', payload: { customer_name: FOREIGN, items: [] } };
  const headers = { apikey: keys[0] ?? '', 'Content-Type': 'application/json' };
  foreignRequest = JSON.parse((await post(connector, headers, JSON.stringify(envelope))).body).id;
}, START_MS);

/** A member, who signs in anew when a form has ended the session. */
class Member {
  private readonly role: string;
  private desk: Desk | undefined;

  constructor(role: string) {
    this.role = role;
  }

  /** @returns the answer, which tells nothing that it should not */
  async ask(path: string, init?: RequestInit) {
    this.desk ??= await Desk.signIn(service.demo, this.role);
    const answer = await this.desk.ask(path, init);
    const html = await answer.text();
    const location = answer.headers.get('Location') ?? '';
    if (location.includes('/sign-in')) this.desk = undefined;
    expect(answer.status, html).toBeLessThan(500);
    expect(html).not.toMatch(INSIDE);
    expect(html).not.toMatch(INJECTED);
    expect(html + location).not.toContain(FOREIGN);
    if (location) expect(location).toMatch(/^\/manage(\/|$|\?)/);
    return { status: answer.status, html, next: location ? [location] : [] };
  }

  /** Sends fields with the session's token, and opens the page that it leads to. */
  async post(action: string, fields: [string, string][]): Promise<number> {
    const form_token = fieldOn((await this.ask('/manage/account')).html, 'form_token');
    const body = new URLSearchParams([['form_token', form_token], ...fields]);
    const { status, next } = await this.ask(action, { method: 'POST', body });
    for (const path of next) await this.ask(path);
    return status;
  }
}

/** Each field as the form has it, with a text that it was not made for, twice, or not at all. */
function filled({ fields }: Form): fc.Arbitrary<[string, string][]> {
  const names = Map.groupBy(fields, ({ name }) => name);
  names.delete('form_token');
  const sent = [...names].map(([name, all]) => {
    const value = fc.oneof(fc.constantFrom(...all.map((field) => field.value)), strange);
    return fc.array(value, { maxLength: 2 }).map((values) => values.map((each): [string, string] => [name, each]));
  });
  return fc.tuple(...sent).map((each) => each.flat());
}

// The owner comes last: its forms end the access of others.
test.for(['pharmacist', 'owner'] as const)(
  'no form of the %s, whatever it holds, gets a server error, its own markup or something of another organization',
  { timeout: RUN_MS },
  async (role) => {
    const member = new Member(role);
    const forms = new Map<string, Form>();
    for await (const { path, html } of walk((each) => member.ask(each))) {
      for (const form of postsOn(path, html)) {
        if (!LEFT_OUT.test(form.action) && !forms.has(kindOf(form.action))) forms.set(kindOf(form.action), form);
      }
    }
    expect(forms.size).toBeGreaterThanOrEqual(FORMS_MIN[role]);
    for (const [kind, form] of forms) {
      const isAnswered = fc.asyncProperty(filled(form), async (fields) => {
        await member.post(form.action, fields);
        if (!kind.startsWith('/manage/requests/ID/')) return;
        const elsewhere = form.action.replace(/(?<=\/requests\/)[^/?]+/, foreignRequest);
        // Without its id: a form that had its effect is led to the page that it was sent to, and changes nothing.
        const unsent = fields.filter(([name]) => name !== 'form_id');
        expect(await member.post(elsewhere, unsent)).toBeGreaterThanOrEqual(400);
      });
      await fc.assert(isAnswered, { seed: SEED, numRuns: RUNS, endOnFailure: true });
    }
  },
);
