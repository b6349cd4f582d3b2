import { captureLogs, doctoredDb, freshAddress } from '../support/probe';
import { expect, test } from '../support/test';
import { call, envelope, openPharmacy, rowsIn, submit } from '../support/world';

/** The log line of one request. */
async function lineOf(ask: () => Promise<Response>): Promise<Record<string, unknown>> {
  const { requests } = captureLogs();
  await ask();
  return requests().at(-1) ?? {};
}

test('the line of a request says whose it was and with which key, and with which code it was refused', async ({
  pharmacy,
}) => {
  const [key] = await rowsIn<{ id: string }>(0, 'select id from api_keys where org_id = ?', pharmacy.orgId);
  const of = { org_id: pharmacy.orgId, key_id: key?.id };
  expect(await lineOf(() => submit(pharmacy, envelope()))).toMatchObject({ status: 200, ...of });
  const refused = await lineOf(() => submit(pharmacy, { external_reference: '', source: 'x' }));
  expect(refused).toMatchObject({ status: 400, code: 'validation_failed', ...of });
  const headers = { apikey: 'ofz_wrong', 'CF-Connecting-IP': freshAddress() };
  const unknown = await lineOf(() => call(pharmacy.url, { method: 'POST', headers }));
  expect(unknown).toMatchObject({ status: 401, code: 'invalid_api_key' });
  expect(unknown).not.toHaveProperty('org_id');
});

test.for([
  ['D1_ERROR: database is locked: SQLITE_BUSY', 'locked', 502],
  ['D1_ERROR: D1 DB is overloaded. Requests queued for too long.', 'overloaded', 502],
  ['D1_ERROR: Exceeded maximum DB size: SQLITE_FULL', 'full', 502],
  ['D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.', 'reset', 502],
  ['D1_ERROR: internal error; reference = 0', 'unreachable', 502],
  ['D1_ERROR: no such table: orders: SQLITE_ERROR', 'refused', 500],
] as const)(
  'of a failure of D1 (%s) the line says the class, and no word of its message',
  async ([message, d1_failure, status]) => {
    const pharmacy = await openPharmacy();
    const DB = doctoredDb(() => Promise.reject(new Error(message)));
    const line = await lineOf(() => submit(pharmacy, envelope(), { DB }));
    const code = status === 500 ? 'internal_error' : 'backend_unreachable';
    expect(line).toMatchObject({ status, code, d1_failure });
    expect(JSON.stringify(line)).not.toMatch(/reference|queued|maximum/);
  },
);

test('what an invariant refuses is no failure of D1', async ({ pharmacy }) => {
  const body = envelope();
  await submit(pharmacy, body);
  const line = await lineOf(() => submit(pharmacy, { ...body, payload: { ...body.payload, customer_name: 'Emil' } }));
  expect(line).toMatchObject({ status: 409, code: 'external_reference_conflict' });
  expect(line).not.toHaveProperty('d1_failure');
});
