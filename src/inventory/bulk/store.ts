import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { isRecorded } from '../../audit/store';
import { PRODUCT_FIELDS } from '../../catalog/fields';
import { catalogProducts, isVisible } from '../../catalog/tables';
import { pick, unset } from '../../platform/data/columns';
import { assertInBatch, inList, insertSelect } from '../../platform/data/db';
import { orm, type Statement } from '../../platform/data/statements';
import { organizations } from '../../platform/tables';
import { shops } from '../../tenants/tables';
import { METADATA_BYTES_MAX, OVERRIDES_BYTES_MAX } from '../limits';
import { as, twoLayers, withPzn } from '../store';
import { catalogUnitOf, countedOf, firstIdAfterCount, stepOf, stockColumns, unitOf } from '../store-stock';
import { inventory, listings, type WrittenOverrides } from '../tables';
import type { NamedProduct } from './items';

/** An item, in the form that the SQL statements read. */
export interface AskedProduct extends NamedProduct {
  /** The counted quantity, and when it was counted (epoch ms; now if missing). */
  onHand?: number;
  countedAt?: number;
  /** True if the listings of the product are read too. */
  asksShops?: boolean;
}

/**
 * Returns a FROM clause with one row for each item. Its columns are `place` (counted from 0), `item`, `p1_id` of the
 * named product (null for none), and `matches`, the number of products with the PZN of the item. The clause is
 * materialized, so that each product is looked up once.
 */
function askedItems(orgId: string, items: readonly AskedProduct[]): SQL {
  const list = items.map(({ countedAt, ...item }) => ({
    ...item,
    ...(countedAt !== undefined && { countedAt, since: firstIdAfterCount(countedAt) }),
  }));
  const named = sql`from (${withPzn(orgId, sql`item.value ->> 'pzn'`)})`;
  return sql`(with asked as materialized (select item.key as place, item.value as item,
      coalesce((select p1_id from ${catalogProducts} where p1_id = item.value ->> 'p1Id' and ${isVisible(orgId)}),
        (select min(p1_id) ${named})) as p1_id,
      (select count(*) ${named}) as matches from json_each(${JSON.stringify(list)}) as item)
    select * from asked) as asked`;
}

/** Condition: the item names a p1_id and a PZN, and they belong to different products. */
const isOther = sql<number>`asked.item ->> 'p1Id' is not null and asked.item ->> 'pzn' is not null
  and asked.item ->> 'pzn' <> coalesce((select pzn from ${catalogProducts} where p1_id = asked.p1_id),
    iif(asked.matches > 0, '', asked.item ->> 'pzn'))`;

const found = {
  place: sql<number>`asked.place`.as('place'),
  p1Id: sql<string | null>`asked.p1_id`.as('p1Id'),
  matches: sql<number>`asked.matches`.as('matches'),
};

/**
 * Reads a row for each item, in order, with the organization's stock of its product. The stock is null if the product
 * is not stocked.
 */
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
      countedIn: unitOf(sql`asked.p1_id`).as('countedIn'),
      soldIn: stepOf(sql`asked.p1_id`).as('soldIn'),
      isOther: isOther.as('isOther'),
      counted: sql<number | null>`iif(asked.item ->> 'countedAt' is null, null,
        ${countedOf(sql`${orgId}`, sql`asked.item`)})`.as('counted'),
      listedIn: sql<string>`${listedIn}`.as('listedIn'),
    })
    .from(askedItems(orgId, items))
    .leftJoin(inventory, and(eq(inventory.orgId, orgId), sql`${inventory.p1Id} = asked.p1_id`))
    .orderBy(sql`asked.place`);
}

/**
 * Reads a row for each item with its product and the organization's own values. The row also has the overrides of the
 * organization's shops as JSON, by shop id.
 */
export function selectProductItems(orgId: string, items: readonly AskedProduct[]) {
  const listed = sql`iif(asked.item ->> 'asksShops', (select json_group_object(listed.shop_id, json(listed.overrides))
    from ${listings} as listed where listed.org_id = ${orgId} and listed.p1_id = asked.p1_id), '{}')`;
  return orm
    .select({
      ...found,
      ...pick(twoLayers, PRODUCT_FIELDS),
      isHeld: sql<number>`${inventory.p1Id} is not null`.as('isHeld'),
      catalogUnit: catalogUnitOf(sql`asked.p1_id`).as('catalogUnit'),
      isCounted: sql<number>`${inventory.stockQuantity} + ${inventory.committedQuantity}
        + ${inventory.reservedQuantity} > 0`.as('isCounted'),
      listed: sql<string>`${listed}`.as('listed'),
    })
    .from(askedItems(orgId, items))
    .leftJoin(inventory, and(eq(inventory.orgId, orgId), sql`${inventory.p1Id} = asked.p1_id`))
    .orderBy(sql`asked.place`);
}

/** Reads which of the given shops belong to the organization. */
export function selectKnownShops(orgId: string, shopIds: readonly string[]) {
  return orm
    .select({ id: shops.id })
    .from(shops)
    .where(sql`${shops.orgId} = ${orgId} and ${shops.id} in ${inList(shopIds)}`);
}

/** Selects the organization's products with one of these slugs. */
export function selectSlugs(orgId: string, slugs: readonly string[]) {
  return orm
    .select({ p1Id: inventory.p1Id, slug: inventory.slug })
    .from(inventory)
    .where(
      sql`${inventory.orgId} = ${orgId} and ${inventory.slug} in ${inList(slugs)} and ${inventory.slug} is not null`,
    );
}

/**
 * The next statements bind each list as one value, because a statement takes at most 100 values. They use CROSS JOIN,
 * because SQLite never reorders a CROSS JOIN.
 */

/** The rows that a command's decision is based on. */
interface Read {
  /** Each product, whether it was stocked, and the version of its stock if the decision depends on it. */
  products: readonly { p1Id: string; isHeld: boolean; stockVersion?: number }[];
  /** The shops that existed. */
  shopIds: readonly string[];
}

/**
 * Rolls the batch back if one of the rows has changed since it was read. D1 may run a batch twice: the second time,
 * nothing is checked.
 * @param auditId the id of the command's audit row, which the batch writes
 */
export function whileAsRead(orgId: string, auditId: string, { products, shopIds }: Read): Statement {
  const seen = products.map(({ p1Id, isHeld, stockVersion }) => [p1Id, Number(isHeld), stockVersion ?? null]);
  return assertInBatch(sql`${isRecorded(orgId, auditId)}
    or (not exists (select 1 from json_each(${JSON.stringify(seen)}) as seen
        left join ${inventory} on ${inventory.orgId} = ${orgId} and ${inventory.p1Id} = seen.value ->> 0
        where (${inventory.p1Id} is not null) <> seen.value ->> 1
          or ${inventory.stockVersion} <> coalesce(seen.value ->> 2, ${inventory.stockVersion}))
      and (select count(*) from json_each(${JSON.stringify(shopIds)}) as named
        cross join ${shops} on ${shops.id} = named.value and ${shops.orgId} = ${orgId}) = ${shopIds.length})`);
}

interface Added {
  p1Id: string;
  priceCents: number | null;
  lowStockThreshold: number | null;
  /** If missing, the catalog's step applies. */
  unitStep?: number;
  /** The quantity of the product's first movement. */
  stock: number;
}

/** Adds products to the inventory, without stock. */
export function insertStockedEach(orgId: string, added: readonly Added[], now: number): Statement {
  const value = (name: keyof Added) => sql`added.value ->> ${sql.raw(`'${name}'`)}`;
  const threshold = sql`coalesce(${value('lowStockThreshold')},
    (select low_stock_threshold from ${organizations} where id = ${orgId}))`;
  return insertSelect(
    inventory,
    {
      ...unset(inventory),
      orgId,
      p1Id: value('p1Id'),
      stockQuantity: 0,
      // This is the value after the first movement, so that the movement need not change the index.
      isShort: sql`${value('stock')} = 0 or ${value('stock')} < ${threshold}`,
      priceCents: value('priceCents'),
      lowStockThreshold: value('lowStockThreshold'),
      unitStep: value('unitStep'),
      createdAt: now,
      updatedAt: now,
    },
    sql`from json_each(${JSON.stringify(added)}) as added where true`,
  ).onConflictDoNothing();
}

type Columns = ReturnType<typeof getTableColumns<typeof inventory>>;
/** New values of one product by column; missing columns are kept. */
type StockedChange = { p1Id: string } & Partial<Record<keyof Columns, string | number | boolean | null>>;

/**
 * Updates columns of stocked products, in the order of the changes. A product can therefore take the slug that an
 * earlier change frees. The statement is an upsert, because SQLite would read all products of the organization for
 * UPDATE … FROM.
 */
export function updateStockedEach(orgId: string, changes: readonly StockedChange[], now: number): Statement[] {
  if (changes.length === 0) return [];
  const columns = Object.entries(getTableColumns(inventory)).map(
    ([key, { name }]) => [key, sql.identifier(name)] as const,
  );
  const changed = new Set(changes.flatMap((change) => Object.keys(change)));
  const set = columns.filter(([key]) => key === 'updatedAt' || (key !== 'p1Id' && changed.has(key)));
  const values = columns.map(([key, name]) => {
    const path = sql.raw(`'$.${key}'`);
    const value = sql`iif(json_type(change.value, ${path}) is null, held.${name}, json_extract(change.value, ${path}))`;
    return [key, key === 'updatedAt' ? now : set.some(([each]) => each === key) ? value : sql`held.${name}`];
  });
  const write = insertSelect(
    inventory,
    // SAFETY: `values` has each column.
    Object.fromEntries(values) as Parameters<typeof insertSelect<typeof inventory>>[1],
    sql`from json_each(${JSON.stringify(changes)}) as change cross join ${inventory} as held on held.org_id = ${orgId}
      and held.p1_id = change.value ->> 'p1Id' where true`,
  ).onConflictDoUpdate({
    target: [inventory.orgId, inventory.p1Id],
    set: Object.fromEntries(set.map(([key, name]) => [key, sql`excluded.${name}`])),
  });
  return [write];
}

interface Listed {
  shopId: string;
  p1Id: string;
}

function pairs(listed: readonly Listed[]) {
  return JSON.stringify(listed.map(({ shopId, p1Id }) => [shopId, p1Id]));
}

/** Offers products in shops, without overrides. */
export function insertListingsEach(orgId: string, listed: readonly Listed[], now: number): Statement {
  return insertSelect(
    listings,
    {
      shopId: sql`listed.value ->> 0`,
      p1Id: sql`listed.value ->> 1`,
      orgId,
      overrides: sql`'{}'`,
      nameFolded: null,
      attachedAt: now,
      updatedAt: now,
    },
    sql`from json_each(${pairs(listed)}) as listed where true`,
  ).onConflictDoNothing();
}

export function deleteListingsEach(listed: readonly Listed[]): Statement {
  return orm
    .delete(listings)
    .where(
      sql`(${listings.shopId}, ${listings.p1Id}) in (select value ->> 0, value ->> 1 from json_each(${pairs(listed)}))`,
    );
}

export interface OverridesWrite extends Listed {
  change: WrittenOverrides;
  isMerge: boolean;
  /** Undefined leaves the folded name unchanged. */
  nameFolded: string | null | undefined;
}

/**
 * Like `updateOverrides`, for many listings. The batch is rolled back if a listing is missing or its overrides would be
 * too large.
 */
export function updateOverridesEach(writes: readonly OverridesWrite[], now: number): Statement[] {
  if (writes.length === 0) return [];
  const list = JSON.stringify(writes);
  const change = sql`json(json_extract(write.value, '$.change'))`;
  const from = sql`from json_each(${list}) as write cross join ${listings} as stored
    on stored.shop_id = write.value ->> 'shopId' and stored.p1_id = write.value ->> 'p1Id'`;
  const update = insertSelect(
    listings,
    {
      ...{ shopId: sql`stored.shop_id`, p1Id: sql`stored.p1_id`, orgId: sql`stored.org_id` },
      overrides: sql`iif(write.value ->> 'isMerge', json_patch(stored.overrides, ${change}), ${change})`,
      nameFolded: sql`iif(json_type(write.value, '$.nameFolded') is null, stored.name_folded, write.value ->> 'nameFolded')`,
      attachedAt: sql`stored.attached_at`,
      updatedAt: now,
    },
    sql`${from} where true`,
  ).onConflictDoUpdate({
    target: [listings.shopId, listings.p1Id],
    set: {
      overrides: sql`excluded.overrides`,
      nameFolded: sql`excluded.name_folded`,
      updatedAt: sql`excluded.updated_at`,
    },
  });
  const fit = sql`(select count(*) ${from} where length(cast(stored.overrides as blob)) <= ${OVERRIDES_BYTES_MAX}
    and coalesce(length(cast(stored.overrides -> '$.metadata' as blob)), 0) <= ${METADATA_BYTES_MAX})`;
  return [update, assertInBatch(sql`${fit} = ${writes.length}`)];
}
