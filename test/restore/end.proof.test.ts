import { env as bound } from 'cloudflare:workers';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { sendEmails } from '../../src/messages/sending';
import { sweepSearch } from '../../src/order-requests/search/search';
import { newId } from '../../src/platform/ids';
import { sweepFileDeletions, sweepTrash } from '../../src/prescriptions/sweep';
import { endUnusedTests, sweepEnds } from '../../src/restore/organization/end';
import { sweepExports, writeExports } from '../../src/restore/organization/write';
import { allKeys } from '../support/files';
import { DATABASES, openRich } from '../support/moving';
import { ask } from '../support/operator';
import { openPrescribed } from '../support/order-flow';
import { problemOf } from '../support/probe';
import { saved } from '../support/restore';
import { insertRow, rowsOf } from '../support/rows';
import { openSeller, placeOrder } from '../support/seller';
import { expect, test } from '../support/test';
import { BASE, call, envelope, operate, rows, submit, systemContext } from '../support/world';

const DAY = 86_400_000;
const KEY = {
  family_id: 'f',
  name: 'x',
  hash: newId(),
  scopes: '[]',
  created_at: 1,
  created_by: 'x',
  sends_submitted_events: 1,
};

const newKey = async () => ({ public_key: await identityToRecipient(await generateX25519Identity()) });
const end = (orgId: string, body: unknown) => ask(`/organizations/${orgId}/end`, body);

interface Mail {
  to: string;
  text: string;
}

/** The clock of a test with the jobs that belong to an end, and the e-mails that are sent. */
function clock() {
  const sent: Mail[] = [];
  const send = async (message: Mail) => void sent.push(message);
  const env = { EMAIL: { send }, EMAIL_FROM: 'nachrichten@shops.example' } as unknown as Partial<Env>;
  const start = Date.now();
  const at = async (days: number) => {
    const { ctx, settled } = systemContext({ now: () => start + days * DAY, env });
    await writeExports(ctx);
    await endUnusedTests(ctx);
    for (let runs = 0; runs < 4; runs += 1) await sweepEnds(ctx);
    await sweepExports(ctx);
    await sendEmails(ctx);
    await settled();
  };
  /** The paths of the links in the e-mails about the end. */
  const links = () => sent.flatMap(({ text }) => /\/leaving\/\S+/.exec(text) ?? []);
  return { sent, at, links };
}

const isBytes = (value: unknown): value is number[] => Array.isArray(value) && typeof value[0] === 'number';

/** Where a text is found: `table` of any database, or the key of an object. */
async function placesOf(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const db of DATABASES) {
    const { results } = await db
      .prepare(
        `select name from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\' and name not like 'sqlite%'
          and name <> 'search_words'`,
      )
      .all<{ name: string }>();
    for (const { name } of results) {
      const all = await db.prepare(`select * from "${name}"`).all();
      // The index of the search has bytes, in which each word begins with its organization.
      const says = JSON.stringify(all.results, (_, value) => (isBytes(value) ? String.fromCharCode(...value) : value));
      if (says.includes(text)) found.push(name);
    }
  }
  for (const key of await allKeys()) {
    const object = await bound.FILES.get(key);
    const says = `${key} ${JSON.stringify(object?.customMetadata)} ${await object?.text()}`;
    if (says.includes(text)) found.push(key.replace(/^(\w+\/\w+).*/, '$1'));
  }
  return found;
}

test('an end suspends, and 30 days after an owner confirmed nothing of it is left', async () => {
  const { orgId, ...seller } = await openRich();
  await openPrescribed({ ...seller, orgId });
  const other = await openSeller();
  await placeOrder(other);
  const before = await rowsOf('orders', { org_id: other.orgId });
  const files = await rows<{ file_key: string }>(
    'select file_key from prescriptions where org_id = ? and file_key is not null',
    orgId,
  );
  expect(files).not.toEqual([]);
  await sweepSearch(systemContext().ctx);
  // Words of the search begin with the end of the id.
  const inSearch = orgId.slice(-12);
  expect(await placesOf(orgId)).toEqual(expect.arrayContaining(['orders', 'audit_log', 'directory', 'search_entries']));
  expect(await placesOf(inSearch)).toContain('search_words_data');
  const { at, links, sent } = clock();
  const answer = await end(orgId, await newKey());
  expect(answer.status).toBe(202);
  // As an import leaves it behind.
  await bound.FILES.put(`exports/imports/${orgId}`, '{}');
  const { export_id: id } = await answer.json<{ export_id: string }>();
  expect((await submit({ ...seller, orgId }, envelope())).status).toBe(400);
  await at(0);
  const [link = ''] = links();
  const [owner] = await rowsOf('members', { org_id: orgId, role: 'owner' });
  expect(sent.map(({ to }) => to)).toEqual([owner?.email]);
  const page = await (await call(BASE + link)).text();
  expect(page).toContain('Datei mit allen Daten herunterladen');
  const file = await call(`${BASE}${link}/file`);
  expect(file.headers.get('Content-Length')).toBe(String((await file.arrayBuffer()).byteLength));
  for (let times = 0; times < 2; times += 1) {
    expect(await (await call(BASE + link, { method: 'POST' })).text()).toContain('✓ Die Datei lässt sich öffnen');
  }
  expect(await rowsOf('audit_log', { org_id: orgId, action: 'organization.end_confirmed' })).toHaveLength(1);
  await at(29.9);
  expect(await rowsOf('organizations', { id: orgId })).toHaveLength(1);
  await at(30.1);
  const { ctx } = systemContext({ now: () => Date.now() + 32 * DAY });
  await sweepFileDeletions(systemContext().ctx);
  await sweepTrash(ctx);
  // What is left says that it ended, and what was refused or erased before: ids alone.
  expect(new Set(await placesOf(orgId))).toEqual(new Set(['exports/ends', 'journal/2026', ...(await journals())]));
  expect(await placesOf(inSearch)).not.toContain('search_words_data');
  for (const text of [owner?.email, seller.host, id, files[0]?.file_key]) {
    expect((await placesOf(String(text))).filter((place) => !/^(exports\/ends|trash)/.test(place))).toEqual([]);
  }
  expect(await rowsOf('orders', { org_id: other.orgId })).toEqual(before);
  await problemOf(await call(BASE + link), 404, 'not_found');
  await problemOf(await end(orgId, { stop: true }), 409, 'conflict');
});

/** The first segments of the journal's keys. */
async function journals(): Promise<string[]> {
  return (await allKeys('journal/')).map((key) => key.replace(/^(\w+\/\w+).*/, '$1'));
}

test('without a confirmation it takes 90 days, with a reminder each month', async ({ seller }) => {
  const { orgId } = await openRich();
  const { at, links } = clock();
  await end(orgId, await newKey());
  for (const days of [0, 1, 31, 32, 61, 89.9]) await at(days);
  expect(links()).toHaveLength(3);
  expect(await rowsOf('organizations', { id: orgId })).toHaveLength(1);
  await at(90.1);
  expect(await rowsOf('organizations', { id: orgId })).toEqual([]);
  expect(await rowsOf('organizations', { id: seller.orgId })).toHaveLength(1);
});

test('stopped in time, all is there and works', async ({ seller }) => {
  const { orgId } = seller;
  const { at } = clock();
  const order = await placeOrder(seller);
  await end(orgId, await newKey());
  for (let times = 0; times < 2; times += 1) {
    const stopped = await end(orgId, { stop: true });
    expect([stopped.status, await stopped.json()]).toEqual([200, { org_id: orgId, status: 'active' }]);
  }
  await at(91);
  expect(await rowsOf('orders', { id: order.id })).toHaveLength(1);
  expect((await submit(seller, envelope())).status).toBe(200);
});

test('what a restore of the databases brings back is erased again', async ({ seller }) => {
  const { orgId } = seller;
  await placeOrder(seller);
  const { at } = clock();
  await end(orgId, await newKey());
  const restore = await saved();
  await at(90.1);
  expect(await rowsOf('orders', { org_id: orgId })).toEqual([]);
  await restore();
  expect(await rowsOf('orders', { org_id: orgId })).not.toEqual([]);
  await at(91);
  expect(await rowsOf('orders', { org_id: orgId })).toEqual([]);
});

test('its test organization ends with it; one that ends alone leaves the live one as it was', async ({ seller }) => {
  const { orgId } = seller;
  const openTest = async () => (await operate(`/organizations/${orgId}/test`, {})).org_id ?? '';
  const first = await openTest();
  const { at } = clock();
  await end(first, await newKey());
  await at(90.1);
  expect(await rowsOf('organizations', { id: first })).toEqual([]);
  expect(await rowsOf('organizations', { id: orgId })).toEqual([expect.objectContaining({ counterpart_id: null })]);
  const second = await openTest();
  await end(orgId, await newKey());
  await at(181);
  expect(await rowsOf('organizations', { id: second })).toEqual([]);
});

test('refuses a body that neither begins nor stops, and to stop what has not begun', async ({ seller }) => {
  for (const body of [{}, { stop: false }, { public_key: 'age1' }, { ...(await newKey()), stop: true }]) {
    await problemOf(await end(seller.orgId, body), 400, 'validation_failed');
  }
  await problemOf(await end(seller.orgId, { stop: true }), 404, 'not_found');
});

test('a test organization that nobody used for a year ends, and its live one says so', async ({ seller }) => {
  const { orgId } = seller;
  const { org_id: unused = '' } = await operate(`/organizations/${orgId}/test`, {});
  const other = await openSeller();
  const { org_id: used = '' } = await operate(`/organizations/${other.orgId}/test`, {});
  const { at } = clock();
  await at(364);
  expect(await rowsOf('organizations', { id: unused })).toHaveLength(1);
  await insertRow('api_keys', { ...KEY, id: newId(), org_id: used, last_used_at: Date.now() + 100 * DAY });
  await at(366);
  expect(await rowsOf('organizations', { id: unused })).toEqual([]);
  expect(await rowsOf('organizations', { id: used })).toHaveLength(1);
  expect(
    await rowsOf('audit_log', { org_id: orgId, entity_id: unused, action: 'organization.end_begun' }),
  ).toHaveLength(1);
});
