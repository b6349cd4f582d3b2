import { env } from 'cloudflare:workers';
import { newId } from '../../src/platform/ids';
import { viewPrescription } from '../../src/prescriptions/review';
import { allKeys, filesWith, placesInTrash } from '../support/files';
import { cronAt } from '../support/invocations';
import { staffContext } from '../support/order-flow';
import { putOrphans } from '../support/prescriptions';
import { captureLogs, doctoredDb } from '../support/probe';
import { beforeEach, describe, expect, test, vi } from '../support/test';
import {
  envelope,
  openPharmacy,
  operate,
  PDF_BASE64,
  PDF_TEXT,
  type Pharmacy,
  rows,
  rowsIn,
  submit,
} from '../support/world';

const HOUR = 3_600_000;
/** Minutes at which files are looked for, and the trash is emptied. What is due each minute runs at both. */
const MINUTES = [17, 47];

let start: number;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  start = Date.now();
  for (const table of ['prescriptions', 'file_deletions']) await rows(`delete from ${table}`);
  const keys = await allKeys();
  if (keys.length > 0) await env.FILES.delete(keys);
  for (const shard of [0, 1]) await rowsIn(shard, 'delete from installation');
});

/** The cron at a time that is now. */
async function sweepAt(time: number, changed: Partial<Env> = {}): Promise<void> {
  vi.setSystemTime(time);
  await cronAt(time, changed);
}

/** Every sweep of one hour, `hours` after the start. */
async function everySweep(hours: number, changed: Partial<Env> = {}): Promise<void> {
  const hour = Math.floor((start + hours * HOUR) / HOUR) * HOUR;
  for (const minute of MINUTES) await sweepAt(hour + minute * 60_000, changed);
}

async function submitPdfs(pharmacy: Pharmacy, count: number): Promise<string[]> {
  for (let sent = 0; sent < count; sent += 1) {
    const response = await submit(pharmacy, envelope({ prescription_pdf_base64: PDF_BASE64 }));
    expect(response.status).toBe(200);
  }
  const found = await rows<{ file_key: string }>('select file_key from prescriptions where org_id = ?', pharmacy.orgId);
  return found.map(({ file_key }) => file_key);
}

/** Takes the rows of prescriptions away, as a restore of the database does. @returns what brings them back */
async function rollBack(pharmacy: Pharmacy): Promise<() => Promise<void>> {
  const lost = await rows('select * from prescriptions where org_id = ?', pharmacy.orgId);
  await rows('delete from prescriptions where org_id = ?', pharmacy.orgId);
  return async () => {
    for (const row of lost) {
      const columns = Object.keys(row);
      await rows(
        `insert into prescriptions (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
        ...Object.values(row),
      );
    }
  };
}

async function isAnywhere(fileKey: string): Promise<boolean> {
  return (await env.FILES.head(fileKey)) !== null || (await placesInTrash(fileKey)).length > 0;
}

async function lost(fileKeys: readonly string[]): Promise<string[]> {
  const gone: string[] = [];
  for (const key of fileKeys) if (!(await isAnywhere(key))) gone.push(key);
  return gone;
}

async function viewAll(pharmacy: Pharmacy): Promise<string[]> {
  const found = await rows<{ id: string }>('select id from prescriptions where org_id = ?', pharmacy.orgId);
  const { ctx } = staffContext(pharmacy.orgId);
  const views = found.map(async ({ id }) => new Response((await viewPrescription(ctx, id)).body).text());
  return Promise.all(views);
}

function errorsOf(lines: readonly string[]) {
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ level, event }) => level === 'error' && event !== 'alert_began');
}

test('rolls the rows back and runs every sweep: no file is gone, all can be viewed again', async ({ pharmacy }) => {
  const files = await submitPdfs(pharmacy, 5);
  const bringBack = await rollBack(pharmacy);
  for (let hours = 1; hours < 35 * 24; hours += 167) await everySweep(hours);
  expect(await lost(files)).toEqual([]);
  await bringBack();
  expect(await viewAll(pharmacy)).toEqual(Array(5).fill(PDF_TEXT));
});

test('what a row names again leaves the trash for its place, with its type and checksum', async ({ pharmacy }) => {
  const [fileKey = ''] = await submitPdfs(pharmacy, 1);
  const bringBack = await rollBack(pharmacy);
  await everySweep(30);
  expect(await env.FILES.head(fileKey)).toBeNull();
  expect(await placesInTrash(fileKey)).toHaveLength(1);
  await bringBack();
  await everySweep(60);
  expect(await placesInTrash(fileKey)).toEqual([]);
  const file = await env.FILES.get(fileKey);
  expect(await file?.text()).toBe(PDF_TEXT);
  expect(file?.httpMetadata?.contentType).toBe('application/pdf');
  const [row] = await rows<{ sha256: string }>('select sha256 from prescriptions where file_key = ?', fileKey);
  expect(file?.checksums.toJSON().sha256).toBe(row?.sha256);
});

test('an orphan leaves the trash after 35 days and not before', async () => {
  const [orphan = ''] = await putOrphans(1, start);
  await everySweep(30);
  const [place = ''] = await placesInTrash(orphan);
  expect(place).toMatch(/^trash\/\d{4}-\d\d-\d\d\/prescriptions\//);
  await everySweep(30 + 35 * 24 - 1);
  expect(await lost([orphan])).toEqual([]);
  await everySweep(30 + 35 * 24 + 2);
  expect(await lost([orphan])).toEqual([orphan]);
});

test('a file that was given up leaves the trash after 24 h and not before', async () => {
  const [file = ''] = await putOrphans(1, start);
  await rows('insert into file_deletions (file_key, created_at) values (?, 0)', file);
  await everySweep(1);
  expect(await env.FILES.head(file)).toBeNull();
  await everySweep(23);
  expect(await lost([file])).toEqual([]);
  await everySweep(27);
  expect(await lost([file])).toEqual([file]);
});

test('a file that is given up while it lies in the trash as an orphan goes as soon as any other', async () => {
  const [file = ''] = await putOrphans(1, start);
  await everySweep(30);
  await rows('insert into file_deletions (file_key, created_at) values (?, 0)', file);
  await everySweep(60);
  expect(await placesInTrash(file)).toHaveLength(1);
  await everySweep(90);
  expect(await lost([file])).toEqual([file]);
});

test('a file that a row names stays, even on the list of deletions', async ({ pharmacy }) => {
  const [fileKey = ''] = await submitPdfs(pharmacy, 1);
  await rows('insert into file_deletions (file_key, created_at) values (?, 0)', fileKey);
  for (const hours of [1, 30, 60]) await everySweep(hours);
  expect(await env.FILES.head(fileKey)).not.toBeNull();
  expect(await viewAll(pharmacy)).toEqual([PDF_TEXT]);
});

describe('a submission that ends in another row', () => {
  test.each<[string, Record<string, unknown>, number]>([
    ['a repetition', {}, 200],
    ['a conflict', { customer_name: 'Max' }, 409],
  ])('(%s) leaves no file that nobody can explain', async (_, changed, status) => {
    const pharmacy = await openPharmacy();
    const body = envelope({ prescription_pdf_base64: PDF_BASE64 });
    expect((await submit(pharmacy, body)).status).toBe(200);
    const [kept] = await allKeys('prescriptions/');
    const again = { ...body, payload: { ...body.payload, ...changed } };
    for (let sent = 0; sent < 3; sent += 1) expect((await submit(pharmacy, again)).status).toBe(status);
    const own = (await allKeys('prescriptions/')).filter((key) => key !== kept);
    expect(own).toHaveLength(3);
    const listed = await rows<{ file_key: string }>('select file_key from file_deletions order by file_key');
    expect(listed.map(({ file_key }) => file_key)).toEqual(own.sort());
    await everySweep(1);
    expect(await allKeys('prescriptions/')).toEqual([kept]);
  });
});

describe('stops and says so', () => {
  test('when a run finds more than 20 files that nobody explains', async () => {
    const few = await putOrphans(20, start);
    const { lines } = captureLogs();
    await everySweep(30);
    expect(errorsOf(lines)).toEqual([]);
    expect(await allKeys('prescriptions/')).toEqual([]);
    const many = await putOrphans(21, start);
    await everySweep(30);
    expect((await allKeys('prescriptions/')).sort()).toEqual(many.sort());
    expect(errorsOf(lines)).toMatchObject([
      { event: 'deletions_stopped', code: 'too_many_orphans', count: 21, total: 21 },
    ]);
    expect(await lost([...few, ...many])).toEqual([]);
    await operate('/switches', { deletions: 'confirmed' }, 'PUT');
    await everySweep(30);
    await operate('/switches', { deletions: 'on' }, 'PUT');
    expect(await allKeys('prescriptions/')).toEqual([]);
    expect(await lost(many)).toEqual([]);
  });

  test('but files that were given up explain themselves', async () => {
    await everySweep(0);
    const files = await putOrphans(25, start);
    const mark = 'insert into file_deletions (file_key, created_at) select value, 0 from json_each(?)';
    await rows(mark, JSON.stringify(files));
    const { lines } = captureLogs();
    // The list is not worked off, since R2 takes no copies at that moment.
    const FILES = filesWith({ put: () => Promise.reject(new Error('R2 is down')) });
    await everySweep(30, { FILES });
    expect(await allKeys('trash/')).toEqual([]);
    expect(errorsOf(lines).filter(({ event }) => event === 'deletions_stopped')).toEqual([]);
    await everySweep(31);
    expect(await allKeys('prescriptions/')).toEqual([]);
  });

  test.each<[string, string, () => Promise<unknown>]>([
    ['another id', 'installation_differs', () => env.FILES.put('installation', newId())],
    ['no id', 'installation_not_in_bucket', () => env.FILES.delete('installation')],
  ])('when the bucket has %s', async (_, code, change) => {
    await everySweep(0);
    await change();
    const [orphan = '', givenUp = ''] = await putOrphans(2, start);
    await rows('insert into file_deletions (file_key, created_at) values (?, 0)', givenUp);
    const { lines } = captureLogs();
    for (const hours of [30, 31, 60]) await everySweep(hours);
    expect(await env.FILES.head(orphan)).not.toBeNull();
    expect(await env.FILES.head(givenUp)).not.toBeNull();
    expect(errorsOf(lines).length).toBeGreaterThan(0);
    expect(new Set(errorsOf(lines).map((line) => line.code))).toEqual(new Set([code]));
  });

  test('when the database has no id, or was restored from before it had one, and the bucket has', async () => {
    await everySweep(0);
    await rows('delete from installation');
    const [orphan = ''] = await putOrphans(1, start);
    const { lines } = captureLogs();
    await everySweep(30);
    expect(await env.FILES.head(orphan)).not.toBeNull();
    expect(await rows('select id from installation')).toEqual([]);
    expect(new Set(errorsOf(lines).map(({ code }) => code))).toEqual(new Set(['installation_not_in_database']));
  });

  test('when the database cannot be asked about every file', async () => {
    await everySweep(0);
    const [orphan = ''] = await putOrphans(1, start);
    const { lines } = captureLogs();
    let isListed = false;
    const list = (options: R2ListOptions) => {
      isListed = true;
      return env.FILES.list(options);
    };
    const DB = doctoredDb((_, send) => (isListed ? Promise.reject(new Error('D1_ERROR: internal error')) : send()));
    await everySweep(30, { DB, FILES: filesWith({ list }) });
    expect(await env.FILES.head(orphan)).not.toBeNull();
    expect(errorsOf(lines)).toContainEqual(
      expect.objectContaining({ event: 'job_failed', queue: 'sweep-orphan-files' }),
    );
  });
});

test('the first run makes the id, in both places; one that dies in between is finished by the next', async () => {
  const FILES = filesWith({
    put: (key: string) => (key === 'installation' ? Promise.reject(new Error('R2 is down')) : Promise.resolve(null)),
  });
  captureLogs();
  await everySweep(0, { FILES });
  expect(await rows('select confirmed_at from installation')).toEqual([{ confirmed_at: null }]);
  await everySweep(1);
  const [row] = await rows<{ id: string; confirmed_at: number }>('select * from installation');
  expect(row?.confirmed_at).toBeGreaterThan(0);
  expect(await (await env.FILES.get('installation'))?.text()).toBe(row?.id);
});

test('a run that dies between copy and deletion is repeated without loss', async ({ pharmacy }) => {
  const [fileKey = ''] = await submitPdfs(pharmacy, 1);
  const bringBack = await rollBack(pharmacy);
  await everySweep(0);
  const FILES = filesWith({ delete: () => Promise.reject(new Error('the isolate ended')) });
  captureLogs();
  await everySweep(30, { FILES });
  expect(await env.FILES.head(fileKey)).not.toBeNull();
  expect(await placesInTrash(fileKey)).toHaveLength(1);
  await everySweep(31);
  expect(await env.FILES.head(fileKey)).toBeNull();
  await bringBack();
  // The same on the way back.
  await everySweep(32, { FILES });
  expect(await env.FILES.head(fileKey)).not.toBeNull();
  await everySweep(33);
  expect(await placesInTrash(fileKey)).toEqual([]);
  expect(await viewAll(pharmacy)).toEqual([PDF_TEXT]);
});

test('while deletions are paused nothing is moved, deleted or erased', async () => {
  const [orphan = '', givenUp = ''] = await putOrphans(2, start);
  await rows('insert into file_deletions (file_key, created_at) values (?, 0)', givenUp);
  const pharmacy = await openPharmacy();
  await submit(pharmacy, envelope());
  await rows("update order_requests set status = 'rejected', decided_at = 0 where org_id = ?", pharmacy.orgId);
  captureLogs();
  const before = (await allKeys('prescriptions/')).sort();
  for (const hours of [25, 49]) await everySweep(hours, { DELETIONS: 'paused' as Env['DELETIONS'] });
  expect((await allKeys('prescriptions/')).sort()).toEqual(before);
  expect(before).toEqual([orphan, givenUp].sort());
  expect(await rows('select customer_name from order_requests where org_id = ?', pharmacy.orgId)).toEqual([
    { customer_name: 'Erika Mustermann' },
  ]);
});

test('one run moves 200 files at most', async () => {
  const files = await putOrphans(205, start);
  await rows(
    'insert into file_deletions (file_key, created_at) select value, 0 from json_each(?)',
    JSON.stringify(files),
  );
  await sweepAt(start + HOUR);
  expect(await allKeys('trash/')).toHaveLength(200);
  await sweepAt(start + HOUR);
  expect(await allKeys('prescriptions/')).toEqual([]);
});
