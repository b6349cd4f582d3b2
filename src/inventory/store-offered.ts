import { and, eq, gt, sql } from 'drizzle-orm';
import { catalogProducts } from '../catalog/tables';
import { orm } from '../platform/data/statements';
import { pznColumn, threeLayers, withPzn } from './store';
import { entriesNamed } from './store-blocks';
import { inventory, listings } from './tables';

interface OfferedPage {
  orgId: string;
  shopId: string;
  /** Empty to begin with the first. */
  after: string;
  limit: number;
}

interface Sought {
  /** Folded for search. */
  q: string | null;
  /** The same, where it is a PZN: its products are found too. */
  qPzn: string | null;
  pzn: string | null;
}

/** A page of a shop's products by p1_id: three rows for each that is shown; a search also reads blocks until the page is full. */
export function selectOffered({ orgId, shopId, after, limit }: OfferedPage, { q, qPzn, pzn }: Sought) {
  // With both neither of them alone knows where the page ends.
  const named = q === null ? null : entriesNamed(shopId, { q, after, limit: pzn === null ? limit : undefined });
  const found = named && (qPzn === null ? named : sql`(select p1_id from ${named} union ${withPzn(qPzn)})`);
  return orm
    .select({ ...threeLayers, ...pznColumn })
    .from(listings)
    .innerJoin(inventory, and(eq(inventory.orgId, orgId), eq(inventory.p1Id, listings.p1Id)))
    .innerJoin(catalogProducts, eq(catalogProducts.p1Id, listings.p1Id))
    .where(
      and(
        eq(listings.shopId, shopId),
        gt(listings.p1Id, after),
        found ? sql`${listings.p1Id} in ${found}` : undefined,
        pzn === null ? undefined : sql`${listings.p1Id} in (${withPzn(pzn)})`,
      ),
    )
    .orderBy(listings.p1Id)
    .limit(limit);
}
