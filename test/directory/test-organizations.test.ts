import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { enter } from '../management/browser';
import { faultsOf, faultyDatabase, nameOf } from '../support/faults';
import { moveTo, statesOf } from '../support/moving';
import { ask } from '../support/operator';
import { callApi, importProduct } from '../support/organization';
import { accepted } from '../support/probe';
import { openTestOf, openTestPharmacy } from '../support/test-organization';
import { envelope, everywhere, openPharmacy, rows, submit } from '../support/world';

const PAGE = '/manage/settings/organization';

const testsOf = (orgId: string) =>
  everywhere<{ id: string }>(
    `select id from organizations where counterpart_id = ? and is_test = 1 and state <> 'gone'`,
    orgId,
  );

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

test.for(['live', 'test'] as const)(
  'the %s organization moves alone, and each still leads to the other',
  async (moved) => {
    const pharmacy = await openPharmacy();
    const inTest = await openTestPharmacy(pharmacy.orgId);
    const orgId = moved === 'live' ? pharmacy.orgId : inTest.orgId;
    expect(await moveTo(orgId, 1)).toMatchObject({ state: 'done', shard: 1 });
    expect(await statesOf(orgId)).toEqual(['gone', 'active']);
    expect(await openTestOf(pharmacy.orgId)).toBe(inTest.orgId);
    expect(await testsOf(pharmacy.orgId)).toEqual([{ id: inTest.orgId }]);
    await accepted(await submit(inTest, envelope()));
    const { browser } = await enter(pharmacy.orgId, 'owner', undefined, { shard: moved === 'live' ? 1 : 0 });
    expect(await browser.submit(`${PAGE}/test`, {}, PAGE)).toMatchObject({ status: 303 });
    expect((await browser.get(PAGE)).text).toContain('>TEST<');
    await browser.submit('/manage/leave-test', {}, PAGE);
    expect((await browser.get(PAGE)).text).not.toContain('>TEST<');
  },
);

test('whichever batch fails or loses its answer, the next call finds or makes one, whole', async () => {
  await importProduct();
  const { DB, sizes } = faultyDatabase(null);
  expect((await ask(`/organizations/${(await openPharmacy()).orgId}/test`, {}, { env: { DB } })).status).toBe(201);
  const { wholeBatch } = faultsOf(sizes);
  expect(wholeBatch.length).toBeGreaterThan(3);
  for (const fault of wholeBatch) {
    const { orgId } = await openPharmacy();
    const answer = await ask(`/organizations/${orgId}/test`, {}, { env: { DB: faultyDatabase(fault).DB } });
    expect([nameOf(fault), [200, 201, 502].includes(answer.status)]).toEqual([nameOf(fault), true]);
    const made = await openTestPharmacy(orgId);
    expect([nameOf(fault), await testsOf(orgId)]).toEqual([nameOf(fault), [{ id: made.orgId }]]);
    await accepted(await submit(made, envelope()));
    expect((await callApi(made, 'GET', '/shops')).body.data).toHaveLength(1);
    const [held] = await rows<{ n: number }>('select count(*) as n from listings where org_id = ?', made.orgId);
    expect([nameOf(fault), Number(held?.n) > 0]).toEqual([nameOf(fault), true]);
  }
});
