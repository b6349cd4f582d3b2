import { env } from 'cloudflare:workers';
import { beforeEach, expect, test, vi } from 'vitest';
import { newId } from '../../src/platform/ids';
import { allKeys, placesInTrash } from '../support/files';
import { cronAt } from '../support/invocations';
import { databaseDown } from '../support/outbound';
import { putOrphans } from '../support/prescriptions';
import { captureLogs } from '../support/probe';
import { envelope, ONE_DATABASE, openPharmacy, PDF_BASE64, rowsIn, SHARDS, submit } from '../support/world';

/** One bucket holds the files of all databases. */

const HOUR = 3_600_000;
const START = Date.now();
const [OF_ORPHANS, OF_TRASH] = [17 * 60_000, 47 * 60_000];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: START });
  for (const shard of SHARDS) {
    for (const table of ['prescriptions', 'file_deletions', 'installation'])
      await rowsIn(shard, `delete from ${table}`);
  }
  const keys = await allKeys();
  if (keys.length > 0) await env.FILES.delete(keys);
});

/** The cron's run that looks for orphans, or the one that empties the trash. */
async function sweep(hours: number, minute: number, changed: Partial<Env> = {}): Promise<void> {
  const time = (Math.floor(START / HOUR) + hours) * HOUR + minute;
  vi.setSystemTime(time);
  await cronAt(time, changed);
}

/** The file of a prescription that was submitted to a pharmacy on a database. */
async function submittedTo(shard: number): Promise<string> {
  const pharmacy = await openPharmacy(shard);
  expect((await submit(pharmacy, envelope({ prescription_pdf_base64: PDF_BASE64 }))).status).toBe(200);
  const query = 'select file_key from prescriptions where org_id = ?';
  return (await rowsIn<{ file_key: string }>(shard, query, pharmacy.orgId))[0]?.file_key ?? '';
}

const giveName = (shard: number, key: string) =>
  rowsIn(
    shard,
    `insert into prescriptions (id, org_id, origin, status, file_key, sha256, size_bytes, fetch_attempts, next_fetch_at,
       created_at, updated_at) values (?, 'org', 'staff', 'stored', ?, 'hash', 1, 0, 0, 0, 0)`,
    newId(),
    key,
  );

const giveUp = (shard: number, key: string) =>
  rowsIn(shard, 'insert into file_deletions (file_key, created_at) values (?, 0)', key);

function errorsOf(lines: readonly string[]) {
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ level, event }) => level === 'error' && event !== 'alert_began');
}

test('a file that any database names stays; an orphan is one that none names', async () => {
  const kept = [await submittedTo(0), await submittedTo(1)];
  const [orphan = ''] = await putOrphans(1, START);
  await sweep(30, OF_ORPHANS);
  expect(await allKeys('prescriptions/')).toEqual(kept.sort());
  expect(await placesInTrash(orphan)).toHaveLength(1);
});

test.each([
  ['no ids yet, one is bound twice', false, () => ({ DB_1: env.DB })],
  ['no ids yet, the other one is bound twice', false, () => ({ DB: env.DB_1 })],
  ['their ids, one is bound twice', true, () => ({ DB_1: env.DB })],
  ['their ids, the other one is bound twice', true, () => ({ DB: env.DB_1 })],
  ['their ids, they are exchanged', true, () => ({ DB: env.DB_1, DB_1: env.DB })],
])('where databases have %s: no file is moved, and the log says why', async (_, haveIds, bound) => {
  if (haveIds) await sweep(0, OF_ORPHANS);
  const orphans = await putOrphans(2, START);
  const { lines } = captureLogs();
  await sweep(30, OF_ORPHANS, bound());
  expect(await allKeys('prescriptions/')).toEqual(orphans.sort());
  expect(errorsOf(lines)).toContainEqual(expect.objectContaining({ event: 'deletions_stopped' }));
});

test.each(SHARDS)('while database %i cannot be asked nothing is moved or deleted; the log names it', async (down) => {
  await sweep(0, OF_ORPHANS);
  const [orphan = ''] = await putOrphans(1, START);
  const changed = down === 0 ? { DB: databaseDown() } : { DB_1: databaseDown() };
  const { lines } = captureLogs();
  await sweep(30, OF_ORPHANS, changed);
  expect(await env.FILES.head(orphan)).not.toBeNull();
  await sweep(30, OF_ORPHANS);
  const [place = ''] = await placesInTrash(orphan);
  await sweep(30 + 36 * 24, OF_TRASH, changed);
  expect(await env.FILES.head(place)).not.toBeNull();
  for (const queue of ['sweep-orphan-files', 'sweep-trash'])
    expect(errorsOf(lines)).toContainEqual(expect.objectContaining({ event: 'job_failed', queue }));
  const failed = errorsOf(lines).filter(({ event }) => event === 'database_failed');
  expect(failed.map(({ shard }) => shard)).toEqual([down, down]);
  await sweep(30 + 36 * 24, OF_TRASH);
  expect(await env.FILES.head(place)).toBeNull();
});

test('what the databases have lost is counted together: more than 20 in all are no leftovers', async () => {
  const files = await putOrphans(22, START);
  for (const [index, key] of files.entries()) await giveName(index % 2, key);
  const { lines } = captureLogs();
  await sweep(30, OF_ORPHANS);
  expect(errorsOf(lines)).toEqual([]);
  for (const shard of SHARDS) await rowsIn(shard, 'delete from prescriptions');
  await sweep(30, OF_ORPHANS);
  expect(errorsOf(lines)).toMatchObject([
    { event: 'deletions_stopped', code: 'too_many_orphans', count: 22, total: 22 },
  ]);
  expect(await allKeys('prescriptions/')).toEqual(files.sort());
});

test('a file that the second database names again comes back from the trash, however long it lay there', async () => {
  const [file = ''] = await putOrphans(1, START);
  await sweep(30, OF_ORPHANS);
  expect(await placesInTrash(file)).toHaveLength(1);
  await giveName(1, file);
  await sweep(30 + 36 * 24, OF_TRASH);
  expect(await placesInTrash(file)).toEqual([]);
  expect(await env.FILES.head(file)).not.toBeNull();
});

test.each(SHARDS)('while database %i is down, the files that the other gave up go', async (down) => {
  const files = await putOrphans(2, START);
  for (const shard of SHARDS) await giveUp(shard, files[shard] ?? '');
  captureLogs();
  await sweep(1, 0, down === 0 ? { DB: databaseDown() } : { DB_1: databaseDown() });
  expect(await allKeys('prescriptions/')).toEqual([files[down]]);
  await sweep(1, 0);
  expect(await allKeys('prescriptions/')).toEqual([]);
});

test('each database has an id of its own in the bucket; where one differs, its files stay and nothing is an orphan', async () => {
  await sweep(0, OF_ORPHANS);
  const ids = await Promise.all(SHARDS.map((shard) => rowsIn<{ id: string }>(shard, 'select id from installation')));
  const inBucket = await Promise.all(
    ['installation', 'installation-1'].map(async (key) => (await env.FILES.get(key))?.text()),
  );
  expect(inBucket).toEqual(ids.map(([row]) => row?.id));
  await rowsIn(1, 'update installation set id = ?', newId());
  const [orphan, ...givenUp] = await putOrphans(3, START);
  for (const shard of SHARDS) await giveUp(shard, givenUp[shard] ?? '');
  const { lines } = captureLogs();
  await sweep(30, OF_ORPHANS);
  expect((await allKeys('prescriptions/')).sort()).toEqual([orphan, givenUp[1]].sort());
  for (const error of errorsOf(lines))
    expect(error).toMatchObject({ event: 'deletions_stopped', code: 'installation_differs', shard: 1 });
  expect(errorsOf(lines)).toHaveLength(2);
});

test('while a database is not bound that the bucket knows, its files are no orphans', async () => {
  const kept = await submittedTo(1);
  await sweep(0, OF_ORPHANS);
  const [orphan = ''] = await putOrphans(1, START);
  const { lines } = captureLogs();
  await sweep(30, OF_ORPHANS, ONE_DATABASE);
  await sweep(30, OF_TRASH, ONE_DATABASE);
  expect((await allKeys('prescriptions/')).sort()).toEqual([kept, orphan].sort());
  expect(errorsOf(lines).map(({ code }) => code)).toEqual(['database_not_bound', 'database_not_bound']);
});
