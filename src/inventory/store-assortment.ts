import { asc, eq } from 'drizzle-orm';
import { catalogProducts } from '../catalog/tables';
import { orm } from '../platform/data/statements';
import { inventory } from './tables';

/** The first products that an organization holds, with its own prices. */
export function selectFirstHeld(orgId: string, limit: number) {
  return orm
    .select({ p1Id: inventory.p1Id, priceCents: inventory.priceCents })
    .from(inventory)
    .where(eq(inventory.orgId, orgId))
    .orderBy(asc(inventory.p1Id))
    .limit(limit);
}

/** The first products of the catalog. */
export function selectFirstInCatalog(limit: number) {
  return orm
    .select({ p1Id: catalogProducts.p1Id })
    .from(catalogProducts)
    .orderBy(asc(catalogProducts.p1Id))
    .limit(limit);
}
