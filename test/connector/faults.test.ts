import { accepted, captureLogs, doctoredDb, NOTHING, problemOf, stored, watchedFiles } from '../support/probe';
import { expect, test } from '../support/test';
import {
  envelope,
  ONE_DATABASE,
  openPharmacy,
  PDF_BASE64,
  type Pharmacy,
  rows,
  silentQueue,
  submit,
  subscribe,
} from '../support/world';

const LOST = 'D1_ERROR: Network connection lost.';
const TRANSIENT = [
  LOST,
  'D1_ERROR: Internal error while starting up D1 DB storage caused object to be reset.',
  'D1_ERROR: D1 DB reset because its code was updated.',
  'D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.',
];
const LASTING = [
  'D1_ERROR: D1 DB is overloaded. Requests queued for too long.',
  'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset?',
];

/** D1 whose batches from `first` to `last` fail without reaching it. */
function lostBetween(first: number, last: number, message = LOST) {
  const seen = { trips: 0 };
  const DB = doctoredDb((trip, send) => {
    seen.trips = trip;
    return trip >= first && trip <= last ? Promise.reject(new Error(message)) : send();
  });
  return { DB, seen };
}

/** With one database bound, a submission is two batches: it looks up host and key, and it writes. */
async function subscribed(): Promise<Pharmacy> {
  const pharmacy = { ...(await openPharmacy()), env: ONE_DATABASE };
  await subscribe(pharmacy.orgId, 'https://hooks.example.com/offizin');
  return pharmacy;
}

const ONE = { requests: 1, prescriptions: 1, events: 1, deliveries: 1 };
const body = () => envelope({ prescription_pdf_base64: PDF_BASE64 }, { external_reference: 'RX-1' });

test.each(TRANSIENT)('a write that D1 loses once (%s) is sent again, unseen by the caller', async (message) => {
  const pharmacy = await subscribed();
  const { DB, seen } = lostBetween(2, 2, message);
  const response = await submit(pharmacy, body(), { DB });
  expect(response.headers.get('Idempotent-Replayed')).toBeNull();
  await accepted(response);
  expect(seen.trips).toBe(3);
  expect(await stored(pharmacy.orgId)).toEqual(ONE);
});

test('a lookup of the key that D1 loses once is sent again', async () => {
  const pharmacy = await subscribed();
  await accepted(await submit(pharmacy, body(), { DB: lostBetween(1, 1).DB }));
  expect(await stored(pharmacy.orgId)).toEqual(ONE);
});

test('a write that D1 loses twice is answered 502, stores nothing, and the same request may be sent again', async () => {
  captureLogs();
  const pharmacy = await subscribed();
  const { DB, seen } = lostBetween(2, 3);
  const response = await submit(pharmacy, body(), { DB });
  await problemOf(response, 502, 'backend_unreachable');
  expect(response.headers.get('Retry-After')).toBe('5');
  expect(seen.trips).toBe(3);
  expect(await stored(pharmacy.orgId)).toEqual(NOTHING);

  const again = await submit(pharmacy, body());
  expect(again.headers.get('Idempotent-Replayed')).toBeNull();
  await accepted(again);
  expect(await stored(pharmacy.orgId)).toEqual(ONE);
});

test.each(LASTING)('an error that will not pass (%s) is not sent again at once', async (message) => {
  captureLogs();
  const pharmacy = await subscribed();
  const { DB, seen } = lostBetween(2, 9, message);
  await problemOf(await submit(pharmacy, body(), { DB }), 502, 'backend_unreachable');
  expect(seen.trips).toBe(2);
});

/** D1 that commits the batch of this round trip and then loses the connection before it answers. */
function lostAfterCommit(...trips: number[]) {
  return doctoredDb(async (trip, send) => {
    const results = await send();
    if (trips.includes(trip)) throw new Error(LOST);
    return results;
  });
}

test('a commit whose answer is lost is found by the second try: one request, one event, one delivery', async () => {
  const pharmacy = await subscribed();
  const response = await submit(pharmacy, body(), { DB: lostAfterCommit(2) });
  expect(response.headers.get('Idempotent-Replayed')).toBeNull();
  const { id } = await accepted(response);
  expect(await stored(pharmacy.orgId)).toEqual(ONE);
  expect(await rows('select id from order_requests where org_id = ?', pharmacy.orgId)).toEqual([{ id }]);
  expect(await rows('select status, attempt_count from deliveries where org_id = ?', pharmacy.orgId)).toEqual([
    { status: 'pending', attempt_count: 0 },
  ]);
});

test('a commit whose answers are both lost is answered 502, and the repetition finds it', async () => {
  captureLogs();
  const pharmacy = await subscribed();
  await problemOf(await submit(pharmacy, body(), { DB: lostAfterCommit(2, 3) }), 502, 'backend_unreachable');
  expect(await stored(pharmacy.orgId)).toEqual(ONE);
  const again = await submit(pharmacy, body());
  expect(again.headers.get('Idempotent-Replayed')).toBe('true');
  await accepted(again);
  expect(await stored(pharmacy.orgId)).toEqual(ONE);
});

test('a request without a reference is not doubled when its commit’s answer is lost', async () => {
  const pharmacy = await subscribed();
  await accepted(await submit(pharmacy, envelope({}, { external_reference: null }), { DB: lostAfterCommit(2) }));
  expect(await stored(pharmacy.orgId)).toEqual({ ...ONE, prescriptions: 0 });
});

test('a PDF that R2 does not take is answered 502 before anything is written', async () => {
  captureLogs();
  const pharmacy = await subscribed();
  const { DB, seen } = lostBetween(0, 0);
  const FILES = { put: () => Promise.reject(new Error('put: we encountered an internal error (10001)')) };
  const response = await submit(pharmacy, body(), { DB, FILES: FILES as unknown as R2Bucket });
  await problemOf(response, 502, 'backend_unreachable');
  expect(response.headers.get('Retry-After')).toBe('5');
  expect(seen.trips).toBe(1);
  expect(await stored(pharmacy.orgId)).toEqual(NOTHING);
  await accepted(await submit(pharmacy, body()));
});

test('no failure deletes a file, and each try puts its own', async () => {
  captureLogs();
  const pharmacy = await subscribed();
  const { FILES, keys } = watchedFiles();
  await submit(pharmacy, body(), { FILES, DB: lostBetween(2, 3).DB });
  await accepted(await submit(pharmacy, body(), { FILES }));
  expect(new Set(keys).size).toBe(2);
  expect(await rows('select file_key from prescriptions where org_id = ?', pharmacy.orgId)).toEqual([
    { file_key: keys[1] },
  ]);
});

test('a queue that fails after the commit changes nothing for the caller: the delivery waits for the sweep', async () => {
  const { lines } = captureLogs();
  const pharmacy = await subscribed();
  const failing = {
    sendBatch: () => Promise.reject(new Error('Queue send failed: Erika')),
  } as unknown as Queue<unknown>;
  await accepted(await submit(pharmacy, body(), { WEBHOOK_DELIVERIES: failing }));
  expect(await rows('select status from deliveries where org_id = ?', pharmacy.orgId)).toEqual([{ status: 'pending' }]);
  expect(lines.some((line) => line.includes('enqueue_failed'))).toBe(true);
  expect(lines.join()).not.toContain('Erika');
});

test('a prescription’s address whose message is lost waits for the sweep', async ({ pharmacy }) => {
  captureLogs();
  const failing = { sendBatch: () => Promise.reject(new Error('overloaded')) } as unknown as Queue<unknown>;
  const sent = envelope({ prescription_pdf_url: 'https://files.example.com/a.pdf' });
  await accepted(await submit(pharmacy, sent, { PRESCRIPTION_FETCHES: failing }));
  expect(
    await rows('select status, next_fetch_at, fetch_attempts from prescriptions where org_id = ?', pharmacy.orgId),
  ).toEqual([{ status: 'fetching', next_fetch_at: 0, fetch_attempts: 0 }]);
});

test('messages are sent for exactly the rows that were written', async () => {
  const pharmacy = await subscribed();
  const { queue, enqueued } = silentQueue();
  const fetches = silentQueue();
  const sent = envelope({ prescription_pdf_url: 'https://files.example.com/a.pdf' });
  await accepted(await submit(pharmacy, sent, { WEBHOOK_DELIVERIES: queue, PRESCRIPTION_FETCHES: fetches.queue }));
  const ids = async (table: string) => rows(`select id from ${table} where org_id = ?`, pharmacy.orgId);
  expect(enqueued.map(({ id }) => ({ id }))).toEqual(await ids('deliveries'));
  expect(fetches.enqueued.map(({ id }) => ({ id }))).toEqual(await ids('prescriptions'));
});
