import { expect, test } from 'vitest';
import { enter } from '../management/browser';
import { type Cost, costOf } from '../support/cost';
import { orderBody, upsert } from '../support/order-flow';
import { askToken, callApi, openOrganizationApi, succeeded } from '../support/organization';
import { accepted } from '../support/probe';
import { makeLink, openSeller, placeOrder } from '../support/seller';
import { call, envelope, ONE_DATABASE, openPharmacy, PDF_BASE64, SHARDS, submit } from '../support/world';

/** Opens an organization on a database. @returns a call that may be made again and again */
type Prepare = (shard: number, env: Partial<Env>) => Promise<() => Promise<unknown>>;

const CALLS: [string, Prepare][] = [
  [
    'an order request',
    async (shard, env) => {
      const pharmacy = { ...(await openPharmacy(shard)), env };
      return async () => accepted(await submit(pharmacy, envelope()));
    },
  ],
  [
    'an order request with a PDF',
    async (shard, env) => {
      const pharmacy = { ...(await openPharmacy(shard)), env };
      return async () => accepted(await submit(pharmacy, envelope({ prescription_pdf_base64: PDF_BASE64 })));
    },
  ],
  [
    'a payment page',
    async (shard, env) => {
      const seller = await openSeller({ shard });
      const { url } = await makeLink(seller, (await placeOrder(seller)).id);
      return async () => expect((await call(url, {}, env)).status).toBe(200);
    },
  ],
  [
    'a token',
    async (shard, env) => {
      const { orgId, apiKey } = await openOrganizationApi({ shard });
      return async () => succeeded(await askToken(orgId, { headers: { apikey: apiKey }, env }));
    },
  ],
  [
    'a read of the organization API',
    async (shard, env) => {
      const api = { ...(await openOrganizationApi({ shard })), env };
      return async () => succeeded(await callApi(api, 'GET', '/shops'));
    },
  ],
  [
    'a write of the organization API',
    async (shard, env) => {
      const api = { ...(await openOrganizationApi({ shard })), env };
      return async () => succeeded(await upsert(api, orderBody(api)), 201);
    },
  ],
  [
    'a page',
    async (shard, env) => {
      const { orgId } = await openOrganizationApi({ shard });
      const { browser } = await enter(orgId, 'owner', 'Ada Öz', { shard });
      browser.env = env;
      return async () => expect((await browser.get('/manage/orders')).status).toBe(200);
    },
  ],
];

/** What a call costs while the isolate has never heard of the organization, and the time after. */
async function costsOf(prepare: Prepare, shard: number, env: Partial<Env>): Promise<{ cold: Cost; warm: Cost }> {
  const act = await prepare(shard, env);
  return { cold: await costOf(act), warm: await costOf(act) };
}

/** The guard is one statement of each batch that goes to the organization's database, and reads one row. */
const guarded = ({ roundTrips, statements, rowsRead, rowsWritten }: Cost): Cost => ({
  roundTrips,
  statements: statements + roundTrips,
  rowsRead: rowsRead + roundTrips,
  rowsWritten,
});
/** The directory is asked once, for one row and the end of its index. */
const routed = ({ roundTrips, statements, rowsRead, rowsWritten }: Cost): Cost => ({
  roundTrips: roundTrips + 1,
  statements: statements + 1,
  rowsRead: rowsRead + 2,
  rowsWritten,
});

function expectCost({ rowsRead, ...cost }: Cost, { rowsRead: rowsReadMax, ...expected }: Cost): void {
  expect(cost).toEqual(expected);
  expect(rowsRead).toBeLessThanOrEqual(rowsReadMax);
}

test.each(CALLS)(
  'with several databases %s costs a statement and a row read for each round trip, and a round trip more once a minute',
  async (_, prepare) => {
    const one = await costsOf(prepare, 0, ONE_DATABASE);
    for (const shard of SHARDS) {
      const { cold, warm } = await costsOf(prepare, shard, {});
      expectCost(cold, routed(guarded(one.cold)));
      expectCost(warm, guarded(one.warm));
    }
  },
);
