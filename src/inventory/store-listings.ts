import { and, eq, type InferInsertModel, sql } from 'drizzle-orm';
import { catalogProducts, isVisible } from '../catalog/tables';
import { has } from '../platform/data/columns';
import { insertSelect, mustChangeOneRow } from '../platform/data/db';
import { type Condition, type Named, orm, prepared, type Value } from '../platform/data/statements';
import { as, shippingPolicy, threeLayers, twoLayers, withPzn } from './store';
import { type EntryFilter, entriesNamed, foldedId, offsetInStart, pageOfEntries, startOfPage } from './store-browse';
import { inventory, listings, type WrittenOverrides } from './tables';

interface InShop {
  orgId: string;
  shopId: string;
}

interface Page {
  limit: number;
  offset: number;
}

/**
 * Reads a page of all products of a shop. Selects the listings of the page before the joins. It therefore reads three
 * rows for each product of the page, and one row for each block of products before the page.
 */
export const selectListed = prepared(({ orgId, shopId, limit, offset }: Named<InShop & Page>) => {
  const paged = sql`(${startOfPage(shopId, offset)}
    select p1_id as k_p1_id, overrides as k_overrides, attached_at as k_attached_at from ${listings}
    where shop_id = ${shopId} and p1_id >= (select first_p1_id from start)
    order by p1_id limit ${limit} offset ${offsetInStart(offset)}) as k`;
  return orm
    .select({
      ...twoLayers,
      overrides: sql<string | null>`k.k_overrides`.as('overrides'),
      attachedAt: sql<number | null>`k.k_attached_at`.as('attachedAt'),
    })
    .from(paged)
    .innerJoin(inventory, has(inventory, { orgId, p1Id: sql`k.k_p1_id` }))
    .innerJoin(catalogProducts, eq(catalogProducts.p1Id, sql`k.k_p1_id`))
    .orderBy(sql`k.k_p1_id`);
});

/**
 * Reads a page of the products that match a filter, each with the number of all matches. If the page is empty, there is
 * one row without a product. Reads the shop's blocks, and 3 rows for each product.
 */
export const selectListedMatching = prepared((of: Named<InShop & EntryFilter & Page>) =>
  orm
    .select({ ...threeLayers, total: sql<number>`k.total`.as('total') })
    .from(sql`${pageOfEntries(of.shopId, of, of)} as k`)
    .leftJoin(listings, has(listings, { shopId: of.shopId, p1Id: sql`k.p1_id` }))
    .leftJoin(inventory, has(inventory, { orgId: of.orgId, p1Id: listings.p1Id }))
    .leftJoin(catalogProducts, eq(catalogProducts.p1Id, listings.p1Id))
    .orderBy(sql`k.p1_id`),
);

/** Lists a product. Rolls the batch back unless the product is in stock. */
export function insertListing(row: InferInsertModel<typeof listings>) {
  const write = insertSelect(
    listings,
    { nameFolded: null, ...row },
    sql`from ${inventory} where ${inventory.orgId} = ${row.orgId} and ${inventory.p1Id} = ${row.p1Id} and ${inventory.stockQuantity} > 0`,
  );
  return mustChangeOneRow(write);
}

interface OverridesChange {
  change: WrittenOverrides;
  isMerge: boolean;
  bytesMax: number;
  metadataBytesMax: number;
  /** Writes only if the stored overrides are still this text. */
  still?: string;
  /** Undefined leaves the folded name unchanged. */
  nameFolded: string | null | undefined;
  updatedAt: number;
}

/**
 * Changes stored overrides. A merge is made when the batch runs, so that no concurrent merge is lost. Rolls the batch
 * back if there is no such listing, if its overrides are not `still`, or if the result is too large.
 */
export function updateOverrides(listing: { shopId: string; p1Id: string }, write: OverridesChange) {
  const sent = sql`json(${JSON.stringify(write.change)})`;
  const after = write.isMerge ? sql`json_patch(${listings.overrides}, ${sent})` : sent;
  const update = orm
    .update(listings)
    .set({ overrides: after, nameFolded: write.nameFolded, updatedAt: write.updatedAt })
    .where(
      and(
        has(listings, { shopId: listing.shopId, p1Id: listing.p1Id }),
        sql`length(cast(${after} as blob)) <= ${write.bytesMax}`,
        sql`coalesce(length(cast(${after} -> '$.metadata' as blob)), 0) <= ${write.metadataBytesMax}`,
        write.still === undefined ? undefined : sql`${listings.overrides} = ${write.still}`,
      ),
    )
    .returning({ overrides: sql<string>`${listings.overrides}` });
  return mustChangeOneRow(update);
}

export function deleteListing(shopId: string, p1Id: string) {
  return mustChangeOneRow(orm.delete(listings).where(has(listings, { shopId, p1Id })));
}

/** Offers the product `toP1Id` in the shops that offer the product `p1Id`, with the same overrides. */
export function copyListings(orgId: string, p1Id: string, toP1Id: string, now: number) {
  return insertSelect(
    listings,
    {
      ...{ shopId: sql`shop_id`, p1Id: toP1Id, orgId, overrides: sql`overrides`, nameFolded: sql`name_folded` },
      ...{ attachedAt: sql`attached_at`, updatedAt: now },
    },
    sql`from ${listings} where org_id = ${orgId} and p1_id = ${p1Id}`,
  ).onConflictDoNothing();
}

export function deleteListingsOf(orgId: string, p1Id: string) {
  return orm.delete(listings).where(has(listings, { orgId, p1Id })).returning({ shopId: listings.shopId });
}

/**
 * Reads products as a shop sees them, even if the shop does not offer them. There is one row for each product and each
 * of the shops that lists it. A product that none of them lists has one row. Each row has the fields that an order
 * needs, in their three layers. `stockQuantity` is null if the organization does not hold the product.
 * @param shopId may be a subquery of several shops; null for none
 * @param p1Ids a subquery of ids
 */
export function selectOrderable(orgId: Value<string>, shopId: string | Condition | null, p1Ids: Condition) {
  const { p1Id, pzn, catalogName, catalogCategory, catalogPriceCents, catalogPrescriptionRequired } = threeLayers;
  const { name, category, priceCents, prescriptionRequired, stockQuantity, overrides } = threeLayers;
  const { available, availableForPickup, availableForShipping } = threeLayers;
  const { catalogUnit, catalogUnitStep, catalogThcPercent, catalogCbdPercent } = threeLayers;
  const { unit, unitStep, thcPercent, cbdPercent } = threeLayers;
  return orm
    .select({
      ...{ p1Id, pzn, catalogName, catalogCategory, catalogPriceCents, catalogPrescriptionRequired },
      ...{ name, category, priceCents, prescriptionRequired, stockQuantity, overrides },
      ...{ catalogUnit, catalogUnitStep, catalogThcPercent, catalogCbdPercent },
      ...{ unit, unitStep, thcPercent, cbdPercent },
      ...{ available, availableForPickup, availableForShipping, policy: shippingPolicy(orgId) },
      shopId: as<string | null>(listings.shopId, 'shopId'),
    })
    .from(catalogProducts)
    .leftJoin(inventory, has(inventory, { orgId, p1Id: catalogProducts.p1Id }))
    .leftJoin(listings, and(eq(listings.p1Id, inventory.p1Id), inShop(shopId)))
    .where(and(sql`${catalogProducts.p1Id} in ${p1Ids}`, isVisible(orgId)));
}

function inShop(shopId: string | Condition | null): Condition {
  // With the condition `0`, SQLite would read every listing.
  if (shopId === null) return eq(listings.shopId, '');
  return typeof shopId === 'string' ? eq(listings.shopId, shopId) : sql`${listings.shopId} in ${shopId}`;
}

/**
 * The most products that one search reads. There are two searches in the shop's list and two in the organization's
 * list: one for names that begin with the text, one for names and ids that contain it. The best matches are chosen from
 * all that was read.
 */
const CHOSEN_FROM_MAX = 100;

/** Reads stocked products as a shop sees them. Their folded name or id contains the text, or they have the PZN. */
export function selectHolding(
  orgId: string,
  shopId: string | Condition,
  { q, pzn }: { q: string; pzn: string | null },
  limit: number,
) {
  const name = sql`coalesce(${listings.nameFolded}, ${inventory.nameFolded}, ${catalogProducts.nameFolded})`;
  // Products that the shop does not list have the organization's name.
  const found = [shopId, orgId].flatMap((listId) =>
    [true, false].map(
      (isBeginning) => sql`select * from ${entriesNamed(listId, { q, isBeginning, limit: CHOSEN_FROM_MAX })}`,
    ),
  );
  // The PZN is one term of the UNION: a compound SELECT may have five terms at most.
  if (pzn !== null) found.push(sql`select * from (${withPzn(orgId, pzn)})`);
  return orm
    .select({ ...threeLayers, policy: shippingPolicy(orgId) })
    .from(inventory)
    .innerJoin(catalogProducts, eq(catalogProducts.p1Id, inventory.p1Id))
    .leftJoin(listings, and(eq(listings.p1Id, inventory.p1Id), sql`${listings.shopId} = ${shopId}`))
    .where(
      and(
        eq(inventory.orgId, orgId),
        sql`${inventory.p1Id} in (${sql.join(found, sql` union `)})`,
        sql`(instr(${name}, ${q}) > 0 or instr(${foldedId(inventory.p1Id)}, ${q}) > 0
          or ${catalogProducts.pzn} = ${pzn})`,
      ),
    )
    .orderBy(sql`instr(${name}, ${q}) <> 1`, sql`${inventory.stockQuantity} = 0`, name, inventory.p1Id)
    .limit(limit);
}
