// Records what a service with a day's data does, as text files: two recordings of the same behavior are equal (`diff -r`).
//
//   npm run record -- <folder>     removes the folder first
//
// Ids, secrets, times and durations are replaced (record/mask.ts).
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { EVENT_TYPES } from '../src/webhooks/event-types.ts';
import { Catcher } from '../test/node/support/catcher.ts';
import type { Service } from '../test/node/support/service.ts';
import { linksOf } from '../test/support/html.ts';
import { openDatabases } from './database.ts';
import { fill } from './fill.ts';
import { call } from './http.ts';
import { withOwnService } from './own-service.ts';
import { recordExamples, recordReads, recordRefusals, told } from './record/calls.ts';
import { mask } from './record/mask.ts';
import { Visit } from './record/pages.ts';

/** Deliveries count as ended after this time without a new one. */
const QUIET_MS = 1_000;
const ROLES = ['staff', 'pharmacist', 'owner'];
/** Tables that are left out, because their rows depend on when jobs ran. */
const BY_THE_CLOCK = ['d1_migrations', 'sweep_cursors', 'search_cursors', 'guards'];

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('npm run record -- <folder>');
rmSync(resolve(folder), { recursive: true, force: true });

function write(path: string, text: string): void {
  const file = join(resolve(folder ?? ''), path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, mask(text));
}

await withOwnService(async (service) => {
  const { demo } = service;
  const catcher = await new Catcher().open();
  const step = async (name: string, work: () => Promise<unknown> | unknown) => {
    const startedAt = Date.now();
    await work();
    console.log(`${name}: ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  };
  const settled = () => deliveriesEnded(service);
  mask(JSON.stringify(demo));
  const url = catcher.url('/');
  await service.operate(`/organizations/${demo.org_id}/subscriptions`, { url, event_types: EVENT_TYPES });
  await step('the day', () => fill(demo, catcher.url('/requests')));
  await step('deliveries', settled);
  await step('document', () => recordDocument(demo.base_url));
  const visits = ROLES.map((role) => new Visit(demo, role, write));
  for (const visit of visits) await step('pages', () => visit.read());
  // By now, a job has made the entries of the search.
  await step('rows of the day', () => recordRows(service, 'rows/day'));
  await step('reads', () => recordReads(demo, write));
  await step('examples', () => recordExamples(demo, write, settled));
  await step('refusals', () => recordRefusals(demo, write));
  for (const visit of visits) await step('empty forms', () => visit.sendEmpty());
  for (const visit of visits) await step('forms', () => visit.sendShown());
  await step('deliveries', settled);
  await step('rows', () => recordRows(service, 'rows/end'));
  recordWebhooks(catcher);
  catcher.close();
});

/** Records the documents, and every page of the reference. */
async function recordDocument(baseUrl: string): Promise<void> {
  const found = ['/docs', '/llms.txt', '/api/v2/public/openapi.json', '/api/v2/public/webhooks.json'];
  for (const path of found) {
    const { headers, status, body } = await call('GET', baseUrl + path, {});
    const isPage = headers['content-type']?.startsWith('text/html');
    const name = path
      .replace(/^\/api\/v2\/public/, '')
      .replaceAll('/', '-')
      .slice(1);
    write(`document/${name}.txt`, told(path, { status, headers, body: isPage ? body.replace(/\s*</g, '\n<') : body }));
    const links = isPage ? linksOf(body, /^\/docs/).map((href) => href.replace(/[?#].*/, '')) : [];
    for (const link of links) if (!found.includes(link)) found.push(link);
  }
}

/** Resolves once there has been no unfinished delivery for a while. */
async function deliveriesEnded({ dir }: Service): Promise<void> {
  const [database] = openDatabases(dir);
  const waiting = database?.prepare('select count(*) as n from deliveries where finished_at is null');
  for (let quiet = 0; quiet < QUIET_MS; await delay(QUIET_MS / 10)) {
    quiet = waiting?.get()?.n === 0 ? quiet + QUIET_MS / 10 : 0;
  }
  database?.close();
}

/** Records the schema, and the rows of each table with their number. */
function recordRows({ dir }: Service, to: string): void {
  const [database] = openDatabases(dir);
  if (!database) throw new Error('There is no database.');
  const all = database.prepare('select type, name, tbl_name, sql from sqlite_master order by type, name').all();
  write('schema.sql', all.map(({ type, name, sql }) => `-- ${type} ${name}\n${sql ?? ''}\n`).join('\n'));
  const tables = all.filter(({ type }) => type === 'table').map(({ name }) => String(name));
  const virtual = all.filter(({ sql }) => /^create virtual/i.test(String(sql))).map(({ name }) => String(name));
  const isLeftOut = (name: string) =>
    /^(sqlite|_cf)_/.test(name) || BY_THE_CLOCK.includes(name) || virtual.some((each) => name.startsWith(each));
  for (const name of tables.filter((each) => !isLeftOut(each))) {
    const rows = rowsOf(database, name);
    write(`${to}/${name}.txt`, `${rows.length} rows\n${rows.join('\n')}\n`);
  }
  database.close();
}

/** Returns the rows of a table as texts, each masked by itself, so that their order changes nothing. */
function rowsOf(database: DatabaseSync, table: string): string[] {
  const rows = database.prepare(`select * from "${table}"`).all();
  return rows
    .map((row) => mask(JSON.stringify(row, (_, value) => (value instanceof Uint8Array ? '<bytes>' : value))))
    .sort();
}

/** Records the webhooks that a subscriber to all events received. */
function recordWebhooks({ posts }: Catcher): void {
  const texts = posts.map(({ headers, body }) => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    return mask([...lines.sort(), '', body, ''].join('\n'));
  });
  write('webhooks/all.txt', texts.sort().join('\n'));
}
