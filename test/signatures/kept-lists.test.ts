import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { readHealth } from '../../src/health/watch';
import { actingAs } from '../../src/platform/context';
import type { Bytes } from '../../src/signatures/bytes';
import { checkPdf } from '../../src/signatures/check';
import { judgedReport } from '../../src/signatures/trust/judge';
import { servicesFor } from '../../src/signatures/trust/keep';
import { keptLists, readKept } from '../../src/signatures/trust/kept';
import { type TrustEnv, updateTrustLists } from '../../src/signatures/trust/update';
import worker from '../../src/signatures/worker';
import { outsideAnswers } from '../support/outbound';
import { beforeAll, beforeEach, expect, test, vi } from '../support/test';
import { BASE, call, OPERATOR_TOKEN, systemContext } from '../support/world';
import { extension, type Holder, issue, nameOf, ocsp, oid, seq } from './authority';
import { bytesOf, BASE as CONTENT, field, update as revision, signed } from './pdfs';
import { fingerprintOf, trustedList, type WantedList } from './trust-lists';

const LIST_OF_LISTS = 'https://ec.europa.eu/tools/lotl/eu-lotl.xml';
const DE = 'https://lists.example.com/de.xml';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

interface Told {
  territory: string;
  sequence: number | null;
  failure: string | null;
}

/** The bindings of the Worker that checks signatures, as far as lists need them. */
const checker = (changed: Partial<TrustEnv> = {}) =>
  ({ FILES: env.FILES, TRUST_CERTIFICATES: '', TRUST_COUNTRIES: '', ...changed }) as TrustEnv & { MAIN: never };

let commission: Holder;
let country: Holder;
let authority: Holder;

beforeAll(async () => {
  [commission, country] = [await issue(null), await issue(null)];
  authority = await issue(null, { name: nameOf(['2.5.4.6', 'DE'], ['2.5.4.3', 'CA']), isAuthority: true });
});
beforeEach(async () => {
  for (const prefix of ['trust-lists/', 'trust-lists-tried/', 'trust-lists-sent/']) {
    const { objects } = await env.FILES.list({ prefix });
    await env.FILES.delete(objects.map(({ key }) => key));
  }
});

const german = (wanted: WantedList = {}, by = country) =>
  trustedList(by, { services: [{ holder: authority }], ...wanted });
const european = (wanted: WantedList = {}, by = commission, self = by) =>
  trustedList(by, {
    territory: 'EU',
    pointers: [
      { territory: 'EU', url: LIST_OF_LISTS, signers: [self] },
      { territory: 'DE', url: DE, signers: [country] },
      { territory: 'FR', url: 'https://lists.example.com/fr.xml', signers: [country] },
    ],
    ...wanted,
  });

const operator = { Authorization: `Bearer ${OPERATOR_TOKEN}` };
const LISTS = `${BASE}/api/operator/v1/trust-lists`;

/** Sends a list as the operator, and lets the Worker that checks signatures take it. @returns why it is not kept */
async function put(territory: string, body: Bytes, query = ''): Promise<string | null> {
  const sent: unknown[] = [];
  const queue = { send: async (message: unknown) => void sent.push(message) } as unknown as Queue;
  const init = { method: 'PUT', headers: operator, body: body as BodyInit };
  const answer = await call(`${LISTS}/${territory}${query}`, init, { SIGNATURE_CHECKS: queue });
  expect([answer.status, await answer.json()]).toEqual([202, { territory }]);
  await worker.queue({ messages: sent.map((message) => ({ body: message, attempts: 1 })) } as never, checker());
  const { data } = await (await call(LISTS, { headers: operator })).json<{ data: Told[] }>();
  return data.find((each) => each.territory === territory)?.failure ?? null;
}
const signedBy = async (holder: Holder) => `?signed_by=${await fingerprintOf(holder)}`;

/** The job at a time, with what the outside answers by address. @returns the addresses that were called */
async function update(
  now: number,
  answers: Record<string, Bytes | string>,
  changed: Partial<TrustEnv> = {},
): Promise<string[]> {
  const calls = outsideAnswers(({ url }) => {
    const answer = answers[url];
    if (typeof answer === 'string') return new Response(null, { status: 302, headers: { Location: answer } });
    return answer ? new Response(answer as BodyInit) : new Response(null, { status: 404 });
  });
  const pinned = { TRUST_CERTIFICATES: await fingerprintOf(commission), TRUST_COUNTRIES: 'DE', ...changed };
  await updateTrustLists(checker(pinned), now);
  vi.restoreAllMocks();
  return calls.map(({ url }) => url);
}

const ringing = async (now: number) => {
  const { checks } = await readHealth(
    actingAs(systemContext({ now: () => now }).ctx, { kind: 'operator', name: 'test' }),
  );
  return checks.trust_lists;
};

test('the operator imports a list, and one that is refused leaves it', async () => {
  const query = await signedBy(country);
  expect(await put('DE', await german({ sequence: 5 }), query)).toBeNull();
  const altered = (await german({ sequence: 6 })).map((byte, at, all) => (at === all.length - 1 ? 32 : byte));
  const refused: [Bytes, string, string][] = [
    [await german({ sequence: 4 }), query, 'older'],
    [await german({ sequence: 6, nextUpdate: '2026-01-01T00:00:00Z' }), query, 'expired'],
    [await german({ sequence: 6, territory: 'FR' }), query, 'FR'],
    [await german({ sequence: 6 }), '', 'No certificate'],
    [altered, query, ''],
    [new TextEncoder().encode('<!DOCTYPE a><a/>'), query, ''],
  ];
  for (const [body, by, reason] of refused) expect(await put('DE', body, by)).toContain(reason);
  expect(await readKept(env.FILES, 'DE')).toMatchObject({ sequence: 5 });
  expect(await ringing(Date.now())).toMatchObject({ status: 'warning', figure: 1 });
  expect((await env.FILES.list({ prefix: 'trust-lists-sent/' })).objects).toEqual([]);
});

test.each(['DE?signed_by=x', 'deutschland'])('PUT /trust-lists/%s is refused', async (path) => {
  const answer = await call(`${LISTS}/${path}`, { method: 'PUT', headers: operator, body: 'x' });
  expect(answer.status).toBe(path === 'deutschland' ? 404 : 400);
});

test('a list whose message was lost is taken by the clock', async () => {
  const queue = { send: () => Promise.reject(new Error('no queue')) } as unknown as Queue;
  const init = { method: 'PUT', headers: operator, body: (await german()) as BodyInit };
  await call(`${LISTS}/DE${await signedBy(country)}`, init, { SIGNATURE_CHECKS: queue });
  await worker.scheduled(createScheduledController() as never, checker());
  expect(await readKept(env.FILES, 'DE')).toMatchObject({ sequence: 1 });
});

test('once the list of lists is there, it says who signs the others', async () => {
  expect(await put('EU', await european(), await signedBy(commission))).toBeNull();
  expect(await put('DE', await german())).toBeNull();
  expect(await put('FR', await german({ territory: 'FR' }, commission))).toContain('No certificate');
});

test('the job fetches the list of lists, then one country at a time, each once a day', async () => {
  const now = Date.now();
  const answers = {
    [LIST_OF_LISTS]: await european(),
    [DE]: 'https://mirror.example.com/de.xml',
    'https://mirror.example.com/de.xml': await german(),
  };
  expect(await update(now, answers)).toEqual([LIST_OF_LISTS]);
  expect(await update(now, answers)).toEqual([DE, 'https://mirror.example.com/de.xml']);
  expect(await update(now, answers)).toEqual([]);
  expect((await keptLists(env.FILES)).map(({ territory, wanted }) => [territory, wanted])).toEqual([
    ['DE', []],
    ['EU', ['DE']],
  ]);
  expect(await ringing(now)).toMatchObject({ status: 'ok' });
  expect(await update(now + DAY, answers)).toEqual([LIST_OF_LISTS]);
});

test('a country that the list of lists does not name rings', async () => {
  const now = Date.now();
  await update(now, { [LIST_OF_LISTS]: await european() }, { TRUST_COUNTRIES: 'de, XX' });
  expect(await ringing(now)).toMatchObject({ status: 'warning', names: ['EU: TRUST_COUNTRIES names no list: XX'] });
  expect((await keptLists(env.FILES)).flatMap(({ wanted }) => wanted)).toEqual(['DE']);
});

test('nobody is asked without pinned certificates', async () => {
  expect(await update(Date.now(), {}, { TRUST_CERTIFICATES: '' })).toEqual([]);
});

test.each([['http://127.0.0.1/'], ['https://lists.internal/'], [LIST_OF_LISTS]])(
  'a redirect to %s is followed no further than is allowed',
  async (location) => {
    const now = Date.now();
    const called = await update(now, { [LIST_OF_LISTS]: location });
    expect(called).toHaveLength(location === LIST_OF_LISTS ? 4 : 1);
    expect(await ringing(now)).toMatchObject({ status: 'warning', figure: 1, names: ['EU: no_answer'] });
  },
);

test('pivots lead from the pinned certificate to the one that signs today', async () => {
  const [second, third] = [await issue(null), await issue(null)];
  const pivot = (number: number) => `https://ec.europa.eu/tools/lotl/eu-lotl-pivot-${number}.xml`;
  const uris = [pivot(300), pivot(200), 'https://evil.example.com/eu-lotl-pivot-1.xml'];
  const ended = { nextUpdate: '2026-01-01T00:00:00Z' };
  const answers = {
    [LIST_OF_LISTS]: await european({ uris, sequence: 301 }, third),
    [pivot(200)]: await european({ ...ended, sequence: 200 }, commission, second),
    [pivot(300)]: await european({ ...ended, sequence: 300 }, second, third),
  };
  expect(await update(Date.now(), answers)).toEqual([LIST_OF_LISTS, pivot(200), pivot(300)]);
  expect(await readKept(env.FILES, 'EU')).toMatchObject({ sequence: 301 });

  const forged = await european({ ...ended, sequence: 300 }, third, third);
  await update(Date.now() + DAY, {
    ...answers,
    [LIST_OF_LISTS]: await european({ uris, sequence: 302 }, await issue(null)),
    [pivot(300)]: forged,
  });
  expect(await readKept(env.FILES, 'EU')).toMatchObject({ sequence: 301 });
});

test('a list that no longer verifies keeps the last good one and rings, and is tried again after an hour', async () => {
  const now = Date.now();
  const answers = { [LIST_OF_LISTS]: await european(), [DE]: await german({ sequence: 5 }) };
  await update(now, answers);
  await update(now, answers);
  const broken = { [DE]: await german({ sequence: 6 }, commission), [LIST_OF_LISTS]: answers[LIST_OF_LISTS] ?? '' };
  await update(now + DAY, broken);
  await update(now + DAY, broken);
  expect(await readKept(env.FILES, 'DE')).toMatchObject({ sequence: 5 });
  const told = { status: 'warning', figure: 1, names: [expect.stringMatching(/^DE: No certificate/)] };
  expect(await ringing(now + DAY)).toMatchObject(told);
  expect(await update(now + DAY + HOUR - 1, broken)).toEqual([]);
  expect(await update(now + DAY + HOUR, { ...broken, [DE]: await german({ sequence: 6 }) })).toEqual([DE]);
  expect(await ringing(now + DAY + HOUR)).toMatchObject({ status: 'ok' });
});

test('an expired list rings, and 14 days later nothing chains to it', async () => {
  const end = Date.now() + 30 * DAY;
  await put('EU', await european({}), await signedBy(commission));
  const later = await german({ nextUpdate: new Date(end).toISOString() });
  expect(await put('DE', later)).toBeNull();
  const name = { issuer: [{ oid: '2.5.4.6', value: 'de' }], subject: [] };
  expect(await ringing(end - DAY)).toMatchObject({ status: 'ok' });
  expect(await ringing(end + DAY)).toMatchObject({ status: 'warning', names: ['DE: expired'] });
  expect((await servicesFor(env.FILES, [name], end + 13 * DAY)).services).toHaveLength(1);
  expect(await servicesFor(env.FILES, [name], end + 15 * DAY)).toEqual({ services: [], isIncomplete: true });
  const elsewhere = { issuer: [{ oid: '2.5.4.6', value: 'AT' }], subject: [] };
  expect((await servicesFor(env.FILES, [elsewhere], end)).services).toEqual([]);
});

test('a stored file is judged by the lists that are kept, and is open while an answer or a list is missing', async () => {
  const statements = extension('1.3.6.1.5.5.7.1.3', seq(seq(oid('0.4.0.1862.1.1')), seq(oid('0.4.0.1862.1.4'))));
  const holder = await issue(authority, { extensions: [statements] });
  const [now, later] = [Date.now(), Date.now() + DAY].map((time) => `${new Date(time).toISOString().slice(0, 19)}Z`);
  const answer = await ocsp(authority, holder, { thisUpdate: now, nextUpdate: later });
  const judged = async (ocsps: Bytes[], storedAt = Date.now()) => {
    const text = await signed(revision('', CONTENT), holder, { objects: field(), cms: { ocsps } });
    return judgedReport(await checkPdf(bytesOf(text)), { files: env.FILES, storedAt, mayAsk: false });
  };
  const none = await judged([answer]);
  expect([none.subIndication, none.isUndecided]).toEqual(['NO_CERTIFICATE_CHAIN_FOUND', undefined]);
  await put('EU', await european(), await signedBy(commission));
  expect(await judged([answer])).toMatchObject({ subIndication: 'NO_CERTIFICATE_CHAIN_FOUND', isUndecided: true });
  await put('DE', await german());
  expect(await judged([])).toMatchObject({ subIndication: 'TRY_LATER', isUndecided: true });
  expect((await judged([], Date.now() - 31 * DAY)).isUndecided).toBeUndefined();
  const passed = await judged([answer]);
  expect(passed).toMatchObject({ status: 'passed', signatures: [{ qualification: 'qualified', revocation: 'good' }] });
  expect(passed.isUndecided).toBeUndefined();
});
