import { expect, test } from 'vitest';
import { outsideAnswers } from '../support/outbound';
import { accepted, captureLogs, meteredDb, type TripCost, watchedFiles } from '../support/probe';
import {
  envelope,
  ONE_DATABASE,
  openPharmacy,
  PDF_BASE64,
  type Pharmacy,
  rows,
  submit,
  subscribe,
} from '../support/world';

/** With one subscription, and the key's use noted. */
const ROWS_WRITTEN_MAX = 12;

interface Cost {
  trips: TripCost[];
  puts: number;
  sends: number;
}

/** With one database bound; what several cost stands in test/directory/budget.test.ts. */
async function openBudgeted(): Promise<Pharmacy> {
  return { ...(await openPharmacy()), env: ONE_DATABASE };
}

/** What one accepted submission costs at each binding. */
async function costOf(pharmacy: Pharmacy, body: unknown): Promise<Cost> {
  const { DB, trips } = meteredDb();
  const { FILES, keys } = watchedFiles();
  const cost: Cost = { trips, puts: 0, sends: 0 };
  const sendBatch = async () => {
    cost.sends += 1;
  };
  const WEBHOOK_DELIVERIES = { sendBatch } as unknown as Queue<unknown>;
  await accepted(await submit(pharmacy, body, { DB, FILES, WEBHOOK_DELIVERIES }));
  return { ...cost, puts: keys.length };
}

async function noteUseNow({ integrationKey }: Pharmacy) {
  await rows('update api_keys set last_used_at = ? where id = ?', Date.now(), integrationKey.split('_')[1]);
}

test('a submission costs two round trips, with one subscription at most 12 rows, and one send where its receiver is not healthy', async () => {
  const pharmacy = await openBudgeted();
  await subscribe(pharmacy.orgId, 'https://hooks.example.com/offizin');
  const { trips, puts, sends } = await costOf(pharmacy, envelope());
  // Host and key; then request, event, key's use, the row that answers, deliveries, and those that are posted at once.
  expect(trips.map(({ statements }) => statements)).toEqual([2, 6]);
  expect(trips[0]?.rowsWritten).toBe(0);
  expect(trips[1]?.rowsWritten).toBeGreaterThan(0);
  expect(trips[1]?.rowsWritten).toBeLessThanOrEqual(ROWS_WRITTEN_MAX);
  expect([puts, sends]).toEqual([0, 1]);
});

test('from accepted to delivered a submission costs three round trips, at most 14 rows and no send', async () => {
  const pharmacy = await openBudgeted();
  await subscribe(pharmacy.orgId, 'https://hooks.example.com/offizin', undefined, { isHealthy: true });
  const posts = outsideAnswers();
  const { trips, sends } = await costOf(pharmacy, envelope());
  expect(posts).toHaveLength(1);
  // After the answer: attempt, delivery, the receiver's health, and what is due next of the same subscription.
  expect(trips.map(({ statements }) => statements)).toEqual([2, 6, 4]);
  expect(trips.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0)).toBeLessThanOrEqual(14);
  expect(sends).toBe(0);
});

test.each<[string, Record<string, unknown>, number[], number]>([
  ['with nothing else', {}, [2, 5], 0],
  ['with a PDF', { prescription_pdf_base64: PDF_BASE64 }, [2, 7], 1],
  ['with a PDF’s address', { prescription_pdf_url: 'https://files.example.com/a.pdf' }, [2, 6], 0],
  ['with a product’s id', { items: [{ p1_id: 'P1-1', quantity: 1, price: 1 }] }, [2, 6], 0],
  ['with 100 items', { items: Array(100).fill({ p1_id: 'P1-1', quantity: 1, price: 1 }) }, [2, 6], 0],
])(
  'a submission %s by a key in use makes no more statements than it must, and sends to nobody',
  async (_, payload, statements, puts) => {
    const pharmacy = await openBudgeted();
    await noteUseNow(pharmacy);
    const cost = await costOf(pharmacy, envelope(payload));
    expect(cost.trips.map((trip) => trip.statements)).toEqual(statements);
    expect([cost.puts, cost.sends]).toEqual([puts, 0]);
  },
);

test('five subscriptions cost one send', async () => {
  const pharmacy = await openBudgeted();
  for (const index of [1, 2, 3, 4, 5]) await subscribe(pharmacy.orgId, `https://hooks-${index}.example.com/`);
  const { trips, sends } = await costOf(pharmacy, envelope());
  expect(trips).toHaveLength(2);
  expect(sends).toBe(1);
});

test('a subscription to other events costs nothing', async () => {
  const pharmacy = await openBudgeted();
  await subscribe(pharmacy.orgId, 'https://hooks.example.com/offizin', ['order_created', 'low_stock']);
  expect((await costOf(pharmacy, envelope())).sends).toBe(0);
});

test('a repetition writes no row and sends no message', async () => {
  const pharmacy = await openBudgeted();
  await subscribe(pharmacy.orgId, 'https://hooks.example.com/offizin');
  const body = envelope();
  await costOf(pharmacy, body);
  const { trips, sends } = await costOf(pharmacy, body);
  expect(trips.map(({ rowsWritten }) => rowsWritten)).toEqual([0, 0]);
  expect(sends).toBe(0);
});

test('what D1 cost is logged with each request', async () => {
  const pharmacy = await openBudgeted();
  const { requests } = captureLogs();
  const { trips } = await costOf(pharmacy, envelope());
  const logged = requests().find(({ route }) => String(route).endsWith('/external-order'));
  expect(logged).toMatchObject({
    status: 200,
    method: 'POST',
    d1_round_trips: 2,
    d1_statements: trips.reduce((sum, { statements }) => sum + statements, 0),
    d1_rows_written: trips.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0),
  });
});

test('what a lookup reads does not grow with the table', async () => {
  const pharmacy = await openBudgeted();
  const { requests } = captureLogs();
  await accepted(await submit(pharmacy, envelope()));
  for (let other = 0; other < 30; other += 1) await accepted(await submit(await openPharmacy(), envelope()));
  await noteUseNow(pharmacy);
  await accepted(await submit(pharmacy, envelope()));
  const read = requests()
    .filter(({ route }) => String(route).endsWith('/external-order'))
    .map((line) => Number(line.d1_rows_read));
  expect(read.at(-1)).toBeLessThanOrEqual((read[0] ?? 0) + 2);
});
