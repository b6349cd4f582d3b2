import { expect, test } from 'vitest';
import { withDatabase } from '../../src/platform/context';
import { newId } from '../../src/platform/ids';
import { consumeFetches } from '../../src/prescriptions/sweep';
import { costOf } from '../support/cost';
import { databaseDown, outsideAnswers } from '../support/outbound';
import { newLink, type PrescriptionRow, pdfAnswer } from '../support/prescriptions';
import { accepted, captureLogs, problemOf } from '../support/probe';
import {
  envelope,
  openPharmacy,
  operate,
  type Pharmacy,
  rowsIn,
  SHARDS,
  silentQueue,
  submit,
  systemContext,
} from '../support/world';

/** The database of the shop, and that of the organization that is sent a link to it. */
const PAIRS = SHARDS.flatMap((shop) => SHARDS.map((sent) => [shop, sent] as const));

/** Gives a shop a further host. */
async function addHost({ orgId, shopId }: Pharmacy, host: string): Promise<void> {
  await operate(`/organizations/${orgId}/shops/${shopId}/hosts`, { host });
}

function submitLink(pharmacy: Pharmacy, url: string, changed: Partial<Env> = {}) {
  const quiet = { PRESCRIPTION_FETCHES: silentQueue().queue };
  return submit(pharmacy, envelope({ prescription_pdf_url: url }), { ...quiet, ...changed });
}

async function prescriptionOf(shard: number, { orgId }: Pharmacy): Promise<PrescriptionRow> {
  const [row] = await rowsIn<PrescriptionRow>(shard, 'select * from prescriptions where org_id = ?', orgId);
  if (!row) throw new Error('no such prescription');
  return row;
}

/** One attempt to fetch the prescription. */
async function fetchFor(shard: number, pharmacy: Pharmacy, changed: Partial<Env> = {}): Promise<PrescriptionRow> {
  const { ctx } = systemContext({ env: changed });
  const { id } = await prescriptionOf(shard, pharmacy);
  await consumeFetches(withDatabase(ctx, ctx.databases.at(shard)), [id]);
  return prescriptionOf(shard, pharmacy);
}

test.each(PAIRS)(
  'a link to the host of a shop on database %i is refused for an organization on database %i, and nothing is kept',
  async (shopShard, shard) => {
    const host = `rx-${newId()}.pharmacy.example.com`;
    await addHost(await openPharmacy(shopShard), host);
    const pharmacy = await openPharmacy(shard);
    const answer = await submitLink(pharmacy, `https://${host}/a.pdf`);
    await problemOf(answer, 400, 'invalid_prescription_url');
    expect(await rowsIn(shard, 'select id from order_requests where org_id = ?', pharmacy.orgId)).toEqual([]);
  },
);

test.each(PAIRS)(
  'a link whose host became that of a shop on database %i is not called for an organization on database %i',
  async (shopShard, shard) => {
    const pharmacy = await openPharmacy(shard);
    const url = newLink();
    await accepted(await submitLink(pharmacy, url));
    await addHost(await openPharmacy(shopShard), new URL(url).hostname);
    const calls = outsideAnswers(pdfAnswer);
    expect(await fetchFor(shard, pharmacy)).toMatchObject({ status: 'fetch_failed', fetch_failure: 'blocked' });
    expect(calls).toEqual([]);
  },
);

test('while the directory cannot be asked, a link is accepted, and fetched once it can', async () => {
  const pharmacy = await openPharmacy(1);
  await accepted(await submitLink(pharmacy, newLink()));
  captureLogs();
  const calls = outsideAnswers(pdfAnswer);
  const down = { DB: databaseDown() };
  const other = await openPharmacy(1);
  await accepted(await submit(other, envelope()));
  await accepted(await submitLink(other, newLink(), down));
  expect(await fetchFor(1, pharmacy, down)).toMatchObject({ status: 'fetching', fetch_attempts: 1 });
  expect(calls).toEqual([]);
  await rowsIn(1, 'update prescriptions set next_fetch_at = 0 where org_id = ?', pharmacy.orgId);
  expect(await fetchFor(1, pharmacy)).toMatchObject({ status: 'stored', fetch_attempts: 2 });
});

test('a link costs a round trip more where the directory is on another database, and none where it is on the same', async () => {
  const costs: number[] = [];
  for (const shard of SHARDS) {
    const pharmacy = await openPharmacy(shard);
    await accepted(await submit(pharmacy, envelope()));
    costs.push((await costOf(async () => accepted(await submitLink(pharmacy, newLink())))).roundTrips);
  }
  expect(costs).toEqual([2, 3]);
});
