import { and, eq, type SQL, sql } from 'drizzle-orm';
import { PRODUCT_FIELDS } from '../../catalog/fields';
import { catalogProducts } from '../../catalog/tables';
import { pick } from '../../platform/data/columns';
import { inList } from '../../platform/data/db';
import { orm } from '../../platform/data/statements';
import { shops } from '../../tenants/tables';
import { as, twoLayers } from '../store';
import { countedOf, firstIdAfterCount, stockColumns } from '../store-stock';
import { inventory, listings } from '../tables';
import type { NamedProduct } from './items';

/** An item, as the statements that read what it is about take it. */
export interface AskedProduct extends NamedProduct {
  /** What was counted, and when (epoch ms), where it was not just now. */
  onHand?: number;
  countedAt?: number;
  /** Its listings are looked at. */
  asksShops?: boolean;
}

/**
 * The items with the products that they name, for a FROM: `place` counted from 0, `item`, `p1_id` (null without one), `matches`.
 * Materialized, so that each product is looked up once.
 */
function askedItems(items: readonly AskedProduct[]): SQL {
  const list = items.map(({ countedAt, ...item }) => ({
    ...item,
    ...(countedAt !== undefined && { countedAt, since: firstIdAfterCount(countedAt) }),
  }));
  const named = sql`from ${catalogProducts} where pzn = item.value ->> 'pzn'`;
  return sql`(with asked as materialized (select item.key as place, item.value as item,
      coalesce((select p1_id from ${catalogProducts} where p1_id = item.value ->> 'p1Id'), (select min(p1_id) ${named})) as p1_id,
      (select count(*) ${named}) as matches from json_each(${JSON.stringify(list)}) as item)
    select * from asked) as asked`;
}

/** The item's PZN is that of another product than its p1_id. */
const isOther = sql<number>`asked.item ->> 'p1Id' is not null and asked.item ->> 'pzn' is not null
  and asked.item ->> 'pzn' <> coalesce((select pzn from ${catalogProducts} where p1_id = asked.p1_id),
    iif(asked.matches > 0, '', asked.item ->> 'pzn'))`;

const found = {
  place: sql<number>`asked.place`.as('place'),
  p1Id: sql<string | null>`asked.p1_id`.as('p1Id'),
  matches: sql<number>`asked.matches`.as('matches'),
};

/** What the organization holds of each item's product: nulls where it does not stock it. In the order of the items. */
export function selectStockedItems(orgId: string, items: readonly AskedProduct[]) {
  const listedIn = sql`iif(asked.item ->> 'asksShops', (select json_group_array(listed.shop_id) from ${listings} as listed
    where listed.org_id = ${orgId} and listed.p1_id = asked.p1_id), '[]')`;
  return orm
    .select({
      ...found,
      ...stockColumns,
      priceCents: as<number | null>(inventory.priceCents, 'priceCents'),
      lowStockThreshold: as<number | null>(inventory.lowStockThreshold, 'lowStockThreshold'),
      isHeld: sql<number>`${inventory.p1Id} is not null`.as('isHeld'),
      isOther: isOther.as('isOther'),
      counted: sql<number | null>`iif(asked.item ->> 'countedAt' is null, null,
        ${countedOf(sql`${orgId}`, sql`asked.item`)})`.as('counted'),
      listedIn: sql<string>`${listedIn}`.as('listedIn'),
    })
    .from(askedItems(items))
    .leftJoin(inventory, and(eq(inventory.orgId, orgId), sql`${inventory.p1Id} = asked.p1_id`))
    .orderBy(sql`asked.place`);
}

/** The same with the organization's own values, and its shops' overrides as JSON by shop. */
export function selectProductItems(orgId: string, items: readonly AskedProduct[]) {
  const listed = sql`iif(asked.item ->> 'asksShops', (select json_group_object(listed.shop_id, json(listed.overrides))
    from ${listings} as listed where listed.org_id = ${orgId} and listed.p1_id = asked.p1_id), '{}')`;
  return orm
    .select({
      ...found,
      ...pick(twoLayers, PRODUCT_FIELDS),
      isHeld: sql<number>`${inventory.p1Id} is not null`.as('isHeld'),
      listed: sql<string>`${listed}`.as('listed'),
    })
    .from(askedItems(items))
    .leftJoin(inventory, and(eq(inventory.orgId, orgId), sql`${inventory.p1Id} = asked.p1_id`))
    .orderBy(sql`asked.place`);
}

/** Which of these shops the organization has. */
export function selectKnownShops(orgId: string, shopIds: readonly string[]) {
  return orm
    .select({ id: shops.id })
    .from(shops)
    .where(sql`${shops.orgId} = ${orgId} and ${shops.id} in ${inList(shopIds)}`);
}

/** Which products of the organization have one of these slugs. */
export function selectSlugs(orgId: string, slugs: readonly string[]) {
  return orm
    .select({ p1Id: inventory.p1Id, slug: inventory.slug })
    .from(inventory)
    .where(
      sql`${inventory.orgId} = ${orgId} and ${inventory.slug} in ${inList(slugs)} and ${inventory.slug} is not null`,
    );
}
