import { env } from 'cloudflare:workers';
import { forgetKeys } from '../../src/auth/keys/use';
import { readHealth, watch } from '../../src/health/watch';
import { actingAs } from '../../src/platform/context';
import { Browser, enter, signIn } from '../management/browser';
import { filesWith } from '../support/files';
import { callApi } from '../support/organization';
import { captureLogs, doctoredDb, problemOf } from '../support/probe';
import { openSeller } from '../support/seller';
import { beforeEach, expect, test } from '../support/test';
import { call, databaseOf, envelope, everywhere, rowsIn, submit, systemContext } from '../support/world';

// As a new deployment.
beforeEach(async () => {
  await env.FILES.delete(['installation', 'installation-1']);
  await everywhere('delete from installation');
});

/** Deletes all that a database has, but the audit log, which cannot be emptied. */
async function empty(shard: number): Promise<void> {
  const tables = await rowsIn<{ name: string }>(
    shard,
    "select name from sqlite_master where type = 'table' and name not glob '_cf_*' and name not glob 'search_words*' and name not in ('audit_log', 'd1_migrations')",
  );
  const d1 = databaseOf(shard);
  const all = tables.map(({ name }) => `delete from ${name}`);
  await d1.batch(['pragma defer_foreign_keys = on', ...all].map((statement) => d1.prepare(statement)));
}

test('a database that was exchanged by an empty one is named, and its pharmacies are not told that they move', async () => {
  const [lost, other] = [await openSeller({ shard: 1 }), await openSeller({ shard: 0 })];
  const { browser } = await enter(lost.orgId, 'owner', 'Ada', { shard: 1 });
  await watch(systemContext().ctx);
  await empty(1);
  captureLogs();

  const answer = await submit(lost, envelope());
  expect(answer.headers.get('Retry-After')).toBe('300');
  await problemOf(answer, 503, 'organization_unavailable');
  expect(await callApi(lost, 'GET', '/shops')).toMatchObject({
    status: 503,
    body: { code: 'organization_unavailable' },
  });
  const page = await browser.get('/manage/orders');
  expect(page.status).toBe(503);
  expect(page.text).toContain('Die Daten Ihrer Apotheke sind zurzeit nicht erreichbar');
  expect((await submit(other, envelope())).status).toBe(200);

  const operator = actingAs(systemContext().ctx, { kind: 'operator', name: 'test' });
  const { status, checks } = await readHealth(operator);
  expect(status).toBe('failing');
  expect(checks.directory).toMatchObject({ status: 'failing', code: 'database_exchanged', shard: 1 });
});

/** An isolate that has not asked yet, on these databases. */
const newIsolate = (databases: Partial<Env> = {}) => ({ FILES: filesWith({}), ...databases });

test('an empty database in the place of DB is named, and nobody is told that their shop, key or address is unknown', async () => {
  const [lost, other] = [await openSeller({ shard: 0 }), await openSeller({ shard: 0 })];
  const { browser, email } = await enter(lost.orgId, 'owner');
  await watch(systemContext().ctx);
  const nowhere = `${new URL(lost.url).origin}/nowhere`;
  await problemOf(await call(nowhere, {}, newIsolate()), 404, 'not_found');
  await empty(0);
  forgetKeys();
  captureLogs();

  const changed = newIsolate();
  const lostThere = { ...lost, env: changed };
  await problemOf(await submit(lostThere, envelope()), 503, 'organization_unavailable');
  await problemOf(await call(nowhere, {}, changed), 503, 'organization_unavailable');
  expect(await callApi({ ...other, env: changed }, 'GET', '/shops')).toMatchObject({ status: 503 });
  const title = 'Die Daten Ihrer Apotheke sind zurzeit nicht erreichbar';
  browser.env = changed;
  const page = await browser.get('/manage/orders');
  expect([page.status, page.text.includes(title)]).toEqual([503, true]);
  const refused = await signIn(new Browser({ env: changed }), email);
  expect([refused.status, refused.text.includes(title)]).toEqual([503, true]);

  const operator = actingAs(systemContext().ctx, { kind: 'operator', name: 'test' });
  const { checks } = await readHealth(operator);
  expect(checks.directory).toMatchObject({ status: 'failing', code: 'database_exchanged', shard: 0 });
});

test('on a new deployment an unknown shop is unknown', async () => {
  await empty(0);
  const FILES = filesWith({ list: async () => ({ objects: [], truncated: false }) });
  await problemOf(await call('https://rx.example.com/nowhere', {}, { FILES }), 404, 'not_found');
});

test('a database without tables in the place of another one is named, and its pharmacies are told the same', async () => {
  const lost = await openSeller({ shard: 1 });
  await watch(systemContext().ctx);
  const DB_1 = doctoredDb(() => Promise.reject(new Error('D1_ERROR: no such table: installation: SQLITE_ERROR')));
  const changed = newIsolate({ DB_1 });
  await problemOf(await submit({ ...lost, env: changed }, envelope()), 503, 'organization_unavailable');
  const operator = actingAs(systemContext({ env: changed }).ctx, { kind: 'operator', name: 'test' });
  const { checks, databases } = await readHealth(operator);
  expect(checks).toMatchObject({
    databases: { status: 'ok' },
    directory: { status: 'failing', code: 'database_exchanged', shard: 1 },
    schema: { status: 'failing', shard: 1 },
  });
  expect(databases[1]?.answer?.figures).toBeNull();
});
