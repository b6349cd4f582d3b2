import { newId } from '../../src/platform/ids';
import { accepted, doctoredDb, meteredDb, problemOf, stored, watchedFiles } from '../support/probe';
import { expect, test } from '../support/test';
import { call, envelope, json, ONE_DATABASE, openPharmacy, PDF_BASE64, type Pharmacy, rows } from '../support/world';

const REPLAYED = 'Idempotent-Replayed';

function send(pharmacy: Pharmacy, body: unknown, key: string, changed: Partial<Env> = {}): Promise<Response> {
  const headers = { apikey: pharmacy.integrationKey, 'Idempotency-Key': key };
  return call(pharmacy.url, json(body, headers), { ...pharmacy.env, ...changed });
}

const plain = (payload: Record<string, unknown> = {}) => envelope(payload, { external_reference: undefined });
const referring = (external_reference: string, payload: Record<string, unknown> = {}) =>
  envelope(payload, { external_reference });

const ONE = { requests: 1, prescriptions: 1, events: 1, deliveries: 0 };

test('a submission without a reference is made once for its key, at once and later', async ({ pharmacy }) => {
  const key = newId();
  const body = plain({ prescription_pdf_base64: PDF_BASE64 });
  const both = await Promise.all([send(pharmacy, body, key), send(pharmacy, body, key)]);
  const later = await send(pharmacy, body, key);
  const answers = await Promise.all([...both, later].map((response) => response.clone()).map(accepted));
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  expect(both.filter((response) => response.headers.get(REPLAYED) === 'true')).toHaveLength(1);
  expect(later.headers.get(REPLAYED)).toBe('true');
  expect(await stored(pharmacy.orgId)).toEqual(ONE);
  await problemOf(await send(pharmacy, plain(), key), 422, 'idempotency_key_reused');
  expect(await stored(pharmacy.orgId)).toEqual(ONE);
});

test('the file of a submission that lost its key is given up', async ({ pharmacy }) => {
  const key = newId();
  const body = plain({ prescription_pdf_base64: PDF_BASE64 });
  await accepted(await send(pharmacy, body, key));
  const { FILES, keys } = watchedFiles();
  await accepted(await send(pharmacy, body, key, { FILES }));
  expect(keys).toHaveLength(1);
  expect(await rows('select file_key from file_deletions where file_key = ?', keys[0])).toHaveLength(1);
});

/** D1 that carries out the commit and then fails, once. */
function lostAfterCommit(message: string): Partial<Env> {
  const DB = doctoredDb(async (trip, sent) => {
    const results = await sent();
    if (trip === 2) throw new Error(message);
    return results;
  });
  return { ...ONE_DATABASE, DB };
}

test('a commit that D1 was sent twice has used up its own key: it went through with its file, and is no replay', async ({
  pharmacy,
}) => {
  const key = newId();
  const body = plain({ prescription_pdf_base64: PDF_BASE64 });
  const first = await send(pharmacy, body, key, lostAfterCommit('D1_ERROR: Network connection lost.'));
  expect(first.headers.has(REPLAYED)).toBe(false);
  const { id } = await accepted(first);
  expect(await stored(pharmacy.orgId)).toEqual(ONE);
  const named = 'select file_key from prescriptions where org_id = ?';
  expect(await rows(`select * from file_deletions where file_key in (${named})`, pharmacy.orgId)).toEqual([]);
  const again = await send(pharmacy, body, key);
  expect([again.headers.get(REPLAYED), (await accepted(again)).id]).toEqual(['true', id]);
});

test('killed between commit and answer, its repetition is told what it made', async ({ pharmacy }) => {
  const key = newId();
  const body = plain({ items: [{ name: 'Ibuprofen 400', quantity: 2, price: 4.95 }] });
  const lost = await send(pharmacy, body, key, lostAfterCommit('D1_ERROR: D1 DB is overloaded.'));
  await problemOf(lost, 502, 'backend_unreachable');
  const again = await send(pharmacy, body, key);
  expect(again.headers.get(REPLAYED)).toBe('true');
  const answer = await accepted(again);
  const [made] = await rows<{ id: string }>('select id from order_requests where org_id = ?', pharmacy.orgId);
  expect(answer).toMatchObject({ id: made?.id, external_reference: null, warnings: [{ code: 'unmatched_item' }] });
  expect(await stored(pharmacy.orgId)).toEqual({ ...ONE, prescriptions: 0 });
});

test('a known reference decides before the key: repeated it is told its status, with other content it is a conflict', async ({
  pharmacy,
}) => {
  const key = newId();
  const { id } = await accepted(await send(pharmacy, referring('RX-1'), key));
  await rows(`update order_requests set status = 'approved' where id = ?`, id);
  const again = await send(pharmacy, referring('RX-1'), key);
  expect(again.headers.get(REPLAYED)).toBe('true');
  expect(await accepted(again)).toMatchObject({ id, status: 'approved' });
  const other = referring('RX-1', { customer_name: 'Max Muster' });
  await problemOf(await send(pharmacy, other, key), 409, 'external_reference_conflict');
  await problemOf(await send(pharmacy, referring('RX-2'), key), 422, 'idempotency_key_reused');
  expect(await rows('select id from order_requests where org_id = ?', pharmacy.orgId)).toEqual([{ id }]);
});

test('a submission with a key is two round trips', async () => {
  const pharmacy = { ...(await openPharmacy()), env: ONE_DATABASE };
  const { DB, trips } = meteredDb();
  await accepted(await send(pharmacy, plain(), newId(), { DB }));
  // Host and key, the commit; after the answer, what it was.
  expect(trips.map(({ statements }) => statements)).toEqual([2, expect.any(Number), 1]);
});

test.for(['', 'ä', 'x'.repeat(256)])('the key %j is refused, and nothing is stored', async (key, { pharmacy }) => {
  await problemOf(await send(pharmacy, plain(), key), 400, 'invalid_idempotency_key');
  expect(await stored(pharmacy.orgId)).toMatchObject({ requests: 0 });
});
