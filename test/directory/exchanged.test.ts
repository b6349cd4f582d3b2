import { readHealth } from '../../src/health/service';
import { watch } from '../../src/health/sweep';
import { actingAs } from '../../src/platform/context';
import { enter } from '../management/browser';
import { callApi } from '../support/organization';
import { captureLogs, problemOf } from '../support/probe';
import { openSeller } from '../support/seller';
import { expect, test } from '../support/test';
import { envelope, rowsIn, submit, systemContext } from '../support/world';

/** All that the database has of them, but the audit log, which cannot be emptied: what refers to others first. */
const TABLES = [
  'staff_sessions',
  'staff_accounts',
  'members',
  'api_keys',
  'shop_hosts',
  'shops',
  'organizations',
  'installation',
];

test('a database that was exchanged by an empty one is named, and its pharmacies are not told that they move', async () => {
  const [lost, other] = [await openSeller({ shard: 1 }), await openSeller({ shard: 0 })];
  const { browser } = await enter(lost.orgId, 'owner', 'Ada', { shard: 1 });
  await watch(systemContext().ctx);
  for (const table of TABLES) await rowsIn(1, `delete from ${table}`);
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
