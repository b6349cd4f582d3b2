import { getTableColumns, sql } from 'drizzle-orm';
import { isRecorded } from '../../audit/service';
import { unset } from '../../platform/data/columns';
import { assertInBatch, insertSelect, type Statement } from '../../platform/data/db';
import { orm } from '../../platform/data/statements';
import { organizations, shops } from '../../tenants/tables';
import { METADATA_BYTES_MAX, OVERRIDES_BYTES_MAX } from '../limits';
import type { WrittenOverrides } from '../tables';
import { inventory, listings } from '../tables';

/** Lists are one bound value each: D1 takes 100 in a statement. SQLite never reorders a CROSS JOIN. */

/** What a command has read and decided by. */
export interface Read {
  /** Each product, whether it was stocked, and the version of its stock where that matters. */
  products: readonly { p1Id: string; isHeld: boolean; stockVersion?: number }[];
  /** Shops that there are. */
  shopIds: readonly string[];
}

/**
 * The batch is undone unless everything is as it was read, or the batch ran already: D1 may send it twice.
 * @param auditId the command's row of the audit log, which the batch writes
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

export interface Added {
  p1Id: string;
  priceCents: number | null;
  lowStockThreshold: number | null;
  /** The stock of which its first movement will be. */
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
      // As it is after the first movement, which writes no row of the index then.
      isShort: sql`${value('stock')} = 0 or ${value('stock')} < ${threshold}`,
      priceCents: value('priceCents'),
      lowStockThreshold: value('lowStockThreshold'),
      createdAt: now,
      updatedAt: now,
    },
    sql`from json_each(${JSON.stringify(added)}) as added where true`,
  ).onConflictDoNothing();
}

type Columns = ReturnType<typeof getTableColumns<typeof inventory>>;
/** New values of one product by column; what is missing stays. */
export type StockedChange = { p1Id: string } & Partial<Record<keyof Columns, string | number | boolean | null>>;

/**
 * Changes columns of stocked products, whichever each change names, in the order of the changes: one may take the slug that one
 * before it gives up. Written as an upsert of the rows as they are: of an UPDATE … FROM the planner reads all products of the
 * organization.
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
    // SAFETY: a value for each column.
    Object.fromEntries(values) as Parameters<typeof insertSelect<typeof inventory>>[1],
    sql`from json_each(${JSON.stringify(changes)}) as change cross join ${inventory} as held on held.org_id = ${orgId}
      and held.p1_id = change.value ->> 'p1Id' where true`,
  ).onConflictDoUpdate({
    target: [inventory.orgId, inventory.p1Id],
    set: Object.fromEntries(set.map(([key, name]) => [key, sql`excluded.${name}`])),
  });
  return [write];
}

export interface Listed {
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
  /** Undefined: stays. */
  nameFolded: string | null | undefined;
}

/** As `updateOverrides`, of many listings. The batch is undone where one is gone, or would hold too much. */
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
