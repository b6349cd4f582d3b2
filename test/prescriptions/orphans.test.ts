import { env } from 'cloudflare:workers';
import { newId } from '../../src/platform/ids';
import { sweepOrphanFiles } from '../../src/prescriptions/sweep';
import { allKeys, filesWith } from '../support/files';
import { cronAt } from '../support/invocations';
import { databaseDown, outsideAnswers } from '../support/outbound';
import { fetchPrescriptions, pdfAnswer, prescriptionRow } from '../support/prescriptions';
import { insertRow } from '../support/rows';
import { expect, test, vi } from '../support/test';
import { envelope, operate, PDF_BASE64, PDF_TEXT, rows, submit, systemContext } from '../support/world';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function keyOfDay(time: number): string {
  return `prescriptions/${new Date(time).toISOString().slice(0, 10)}/${newId()}`;
}

/** Puts a file that no row names, as a request does whose batch fails afterwards. */
async function putOrphan(key = keyOfDay(Date.now())): Promise<string> {
  await env.FILES.put(key, PDF_TEXT);
  return key;
}

async function sweepAt(now: number, changed: Partial<Env> = {}): Promise<void> {
  const { ctx } = systemContext({ now: () => now, env: changed });
  await sweepOrphanFiles({ ...ctx, log: () => undefined });
}

async function isThere(key: string): Promise<boolean> {
  return (await env.FILES.head(key)) !== null;
}

test('a file that no row names leaves its place once it is over 24 h old, and not before', async () => {
  const now = Date.now();
  const key = await putOrphan(keyOfDay(now - HOUR));
  await sweepAt(now + 23 * HOUR);
  expect(await isThere(key)).toBe(true);
  await sweepAt(now + 25 * HOUR);
  expect(await isThere(key)).toBe(false);
});

test('the file of a submitted prescription stays', async ({ pharmacy }) => {
  await submit(pharmacy, envelope({ prescription_pdf_base64: PDF_BASE64 }));
  const [row] = await rows<{ file_key: string }>('select file_key from prescriptions where org_id = ?', pharmacy.orgId);
  await sweepAt(Date.now() + 2 * DAY);
  expect(await isThere(row?.file_key ?? '')).toBe(true);
});

test('the file of a fetched prescription stays', async ({ linked: { id } }) => {
  outsideAnswers(pdfAnswer);
  await fetchPrescriptions([id]);
  await sweepAt(Date.now() + 2 * DAY);
  expect(await isThere((await prescriptionRow(id)).file_key ?? '')).toBe(true);
});

test('the file of a request whose batch failed is an orphan, and goes', async ({ pharmacy }) => {
  const before = new Set(await allKeys());
  let batches = 0;
  const DB = {
    prepare: (query: string) => env.DB.prepare(query),
    batch(statements: D1PreparedStatement[]) {
      batches += 1;
      return batches === 1 ? env.DB.batch(statements) : Promise.reject(new Error('D1_ERROR: internal error'));
    },
  } as unknown as D1Database;
  const response = await submit(pharmacy, envelope({ prescription_pdf_base64: PDF_BASE64 }), { DB });
  expect(response.status).toBe(502);
  const [orphan, ...others] = (await allKeys()).filter((key) => !before.has(key));
  expect(others).toEqual([]);
  await sweepAt(Date.now() + 2 * DAY);
  expect(await isThere(orphan ?? '')).toBe(false);
});

test('a file outside the prescriptions stays', async () => {
  const key = await putOrphan(`exports/${newId()}`);
  await sweepAt(Date.now() + 2 * DAY);
  expect(await isThere(key)).toBe(true);
});

test('more files than a page holds: every orphan goes, every file with a row stays', async () => {
  const day = Date.now();
  const keys = await Promise.all(Array.from({ length: 30 }, () => putOrphan(keyOfDay(day))));
  const named = keys.filter((_, index) => index % 5 === 0);
  for (const key of named) {
    const file = { file_key: key, sha256: 'hash', size_bytes: 1 };
    await insertRow('prescriptions', { id: newId(), org_id: 'org', origin: 'staff', status: 'stored', ...file });
  }
  // 24 of 30 are more than the sweep takes for leftovers.
  await operate('/switches', { deletions: 'confirmed' }, 'PUT');
  const pages: number[] = [];
  const FILES = filesWith({
    async list(options: R2ListOptions) {
      const page = await env.FILES.list({ ...options, limit: 7 });
      pages.push(page.objects.length);
      return page;
    },
  });
  await sweepAt(day + 2 * DAY, { FILES });
  await operate('/switches', { deletions: 'on' }, 'PUT');
  const left = [];
  for (const key of keys) if (await isThere(key)) left.push(key);
  expect(left.sort()).toEqual(named.sort());
  expect(pages.filter((count) => count > 0).length).toBeGreaterThanOrEqual(5);
});

test('with D1 down nothing is deleted', async () => {
  const key = await putOrphan();
  await expect(sweepAt(Date.now() + 2 * DAY, { DB: databaseDown() })).rejects.toMatchObject({
    code: 'backend_unreachable',
  });
  expect(await isThere(key)).toBe(true);
});

test.each([
  ['2026-11-20T10:17:00Z', true],
  ['2026-11-20T10:16:00Z', false],
  ['2026-11-20T10:18:00Z', false],
])('the Worker looks for orphans once an hour: at %s %s', async (time, isLooking) => {
  const list = vi.fn((_options?: R2ListOptions) => Promise.resolve({ objects: [], truncated: false }));
  await cronAt(time, { FILES: filesWith({ list }) });
  expect(list.mock.calls.some(([options]) => options?.prefix?.startsWith('prescriptions'))).toBe(isLooking);
});

test('a sweep that fails is logged and keeps no other from running', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const FILES = filesWith({ list: () => Promise.reject(new Error('R2 is down')) });
  await cronAt('2026-11-20T10:17:00Z', { FILES, DB: databaseDown() });
  const all = error.mock.calls.map(([line]) => JSON.parse(String(line)));
  // What the checks say is another test's.
  const logged = all.filter(({ event }) => !event.endsWith('_unreachable'));
  const failed = [
    ['job_failed', 'sweep-deliveries'],
    ['job_failed', 'end-old-events'],
    ['job_failed', 'sweep-fetches'],
    ['job_failed', 'sweep-file-deletions'],
    ['job_failed', 'sweep-left-rows'],
    ['job_failed', 'sweep-idempotency-keys'],
    ['job_failed', 'sweep-reservations'],
    ['job_failed', 'sweep-search'],
    ['job_failed', 'sweep-signature-checks'],
    ['job_failed', 'sweep-page-data'],
    ['files_failed', undefined],
    ['files_failed', undefined],
    ['job_failed', 'sweep-journal'],
    ['job_failed', 'sweep-restores'],
    ['files_failed', undefined],
    ['files_failed', undefined],
    ['files_failed', undefined],
    ['job_failed', 'sweep-ends'],
    ['job_failed', 'sweep-exports'],
    ['job_failed', 'write-exports'],
    ['database_failed', undefined],
    ['job_failed', 'sweep-orphan-files'],
  ];
  // The jobs of the database and those for all run at the same time.
  expect(logged.map(({ event, queue }) => [event, queue]).toSorted()).toEqual(failed.toSorted());
});
