import type { BatchEntry } from '../platform/commit';
import type { Context } from '../platform/context';
import { newId } from '../platform/ids';
import type { TestOrganization } from '../tenants/service';
import { insertListingsEach, insertStockedEach } from './bulk/store-writes';
import { ledgerWriter } from './ledger';
import { createdEvents } from './product-events';
import { selectFirstHeld, selectFirstInCatalog } from './store-assortment';
import { insertMovements } from './store-stock';

const PRODUCTS_MAX = 50;
const STOCK = 100;

/**
 * What a new test organization holds and offers: products that the live one has, at its prices, and others of the catalog up to
 * `PRODUCTS_MAX` together, each with a stock of `STOCK`.
 * @returns entries for the batch that makes the organization, behind those that make it and its shop
 */
export async function testAssortment(
  ctx: Context,
  { orgId, shopId }: TestOrganization,
  liveId: string,
): Promise<BatchEntry[]> {
  const { held, others } = await ctx.db.run({
    held: selectFirstHeld(liveId, PRODUCTS_MAX),
    others: selectFirstInCatalog(PRODUCTS_MAX),
  });
  const isHeld = new Set(held.map(({ p1Id }) => p1Id));
  const further = others.filter(({ p1Id }) => !isHeld.has(p1Id)).map(({ p1Id }) => ({ p1Id, priceCents: null }));
  const products = [...held, ...further].slice(0, PRODUCTS_MAX);
  if (products.length === 0) return [];
  const [p1Ids, now] = [products.map(({ p1Id }) => p1Id), ctx.now()];
  const added = products.map((product) => ({ ...product, lowStockThreshold: null, stock: STOCK }));
  const first = p1Ids.map((p1Id) => ({ id: newId(), p1Id, change: { to: STOCK }, reason: 'initial' as const }));
  return [
    insertStockedEach(orgId, added, now),
    insertListingsEach(
      orgId,
      p1Ids.map((p1Id) => ({ shopId, p1Id })),
      now,
    ),
    insertMovements(ledgerWriter(ctx, orgId), first),
    ...createdEvents(ctx, orgId, p1Ids),
  ];
}
