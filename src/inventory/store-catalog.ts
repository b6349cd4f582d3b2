import { and, eq, gt, sql } from 'drizzle-orm';
import { catalogProducts } from '../catalog/tables';
import { orm } from '../platform/data/statements';
import { as, pznColumn, withPzn } from './store';
import { CATALOG_LIST, entriesNamed, foldedId } from './store-blocks';
import { inventory } from './tables';

/** Which products of the catalog are meant. */
export interface CatalogFilter {
  /** Folded for search: a part of the name or id. */
  q?: string;
  /** Eight digits. */
  pzn?: string;
  category?: string;
}

/** A place in the catalog: the product, and when the catalog's row of it was last changed (epoch ms). */
export interface CatalogPlace {
  updatedAt: number;
  p1Id: string;
}

const columns = {
  p1Id: as<string>(catalogProducts.p1Id, 'p1Id'),
  ...pznColumn,
  name: as<string>(catalogProducts.name, 'name'),
  slug: as<string>(catalogProducts.slug, 'slug'),
  category: as<string>(catalogProducts.category, 'category'),
  priceCents: as<number>(catalogProducts.priceCents, 'priceCents'),
  prescriptionRequired: as<number>(catalogProducts.prescriptionRequired, 'prescriptionRequired'),
  updatedAt: as<number>(catalogProducts.updatedAt, 'updatedAt'),
  isHeld: sql<number>`${inventory.p1Id} is not null`.as('isHeld'),
};

function selectCatalog(orgId: string) {
  return orm
    .select(columns)
    .from(catalogProducts)
    .leftJoin(inventory, and(eq(inventory.p1Id, catalogProducts.p1Id), eq(inventory.orgId, orgId)));
}

/** Products of the catalog ordered by p1_id. It reads blocks until the page is full. @param after empty for the first page */
export function selectCatalogMatching(orgId: string, filter: CatalogFilter, after: string, limit: number) {
  const { q, pzn, category } = filter;
  const isBlocks = pzn === undefined && (q !== undefined || category !== undefined);
  const found = isBlocks
    ? sql`${catalogProducts.p1Id} in ${entriesNamed(CATALOG_LIST, { q: q ?? null, category, after, limit })}`
    : and(
        pzn === undefined ? undefined : sql`${catalogProducts.p1Id} in (${withPzn(pzn)})`,
        q === undefined
          ? undefined
          : sql`(instr(${catalogProducts.nameFolded}, ${q}) > 0 or instr(${foldedId(catalogProducts.p1Id)}, ${q}) > 0)`,
        category === undefined ? undefined : eq(catalogProducts.category, category),
      );
  return selectCatalog(orgId)
    .where(and(gt(catalogProducts.p1Id, after), found))
    .orderBy(catalogProducts.p1Id)
    .limit(limit);
}

/** Products of the catalog in the order of their last changes. */
export function selectCatalogByChange(orgId: string, after: CatalogPlace, limit: number) {
  return selectCatalog(orgId)
    .where(sql`(${catalogProducts.updatedAt}, ${catalogProducts.p1Id}) > (${after.updatedAt}, ${after.p1Id})`)
    .orderBy(catalogProducts.updatedAt, catalogProducts.p1Id)
    .limit(limit);
}
