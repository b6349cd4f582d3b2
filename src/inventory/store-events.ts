import { sql } from 'drizzle-orm';
import { CATALOG_FIELDS, productFields } from '../catalog/fields';
import type { Condition } from '../platform/data/db';
import { encoded, type Named, orm, preparedCondition } from '../platform/data/statements';
import { isSettled, organizations } from '../tenants/tables';
import { takesEachProduct } from '../webhooks/service';
import { inventory, listings, onHand, stockMovements } from './tables';

/** What a command does to one product. */
export interface ChangedProduct {
  p1Id: string;
  /** The movement of its stock, if the batch makes one. */
  movementId?: string;
  /** Wire names of whatever else changes. */
  fields?: readonly string[];
  /** It is told whatever changes. */
  isCreated?: boolean;
  /** Of `fields` those count whose values the organization has from the catalog. */
  isOfCatalog?: boolean;
}

interface Changed {
  orgId: string;
  /** Each product once. */
  changed: readonly ChangedProduct[];
}

/** Whether the organization says nothing of the field of this wire name. What it cannot say is always the catalog's. */
const isInherited = sql`case field.value ${sql.join(
  CATALOG_FIELDS.map(
    (field) => sql`when ${sql.raw(`'${productFields[field].wire}'`)} then ${inventory[field]} is null`,
  ),
  sql` `,
)} else true end`;

/**
 * For the outbox: the metadata of `product_updated` for each of these products that is stocked and that the batch has changed
 * so far, as it is then. Of each it makes one look-up, and one for each of its shops.
 */
export const changedProducts = preparedCondition(({ orgId, changed }: Named<Changed>) => {
  const list = encoded(changed, (all) =>
    JSON.stringify(
      all.map(({ p1Id, movementId = null, fields = [], isCreated = false, isOfCatalog = false }) => {
        return [p1Id, movementId, fields, isCreated, isOfCatalog];
      }),
    ),
  );
  const fields = sql`(select json_group_array(name) from (
    select 'stock_quantity' as name where moved.delta <> 0
    union all select 'on_hand' where moved.on_hand_delta <> 0
    union all select field.value from json_each(changed.value -> 2) as field
      where not changed.value ->> 4 or ${isInherited}))`;
  const shops = sql`(select json_group_array(shop_id) from (select shop_id from ${listings} as listed
    where listed.org_id = ${orgId} and listed.p1_id = inventory.p1_id order by shop_id))`;
  return sql`select metadata from (
    select json_object('p1_id', ${inventory.p1Id}, 'changed_fields', json(${fields}),
      'stock_quantity', ${inventory.stockQuantity}, 'on_hand', ${onHand},
      'committed_quantity', ${inventory.committedQuantity}, 'stock_version', ${inventory.stockVersion},
      'shop_ids', json(${shops})) as metadata, moved.id is not null or changed.value ->> 3 as is_told
    from json_each(${list}) as changed
    cross join ${inventory} on ${inventory.orgId} = ${orgId} and ${inventory.p1Id} = changed.value ->> 0
    left join ${stockMovements} as moved on moved.org_id = ${orgId} and moved.p1_id = changed.value ->> 0
      and moved.id = changed.value ->> 1)
    where is_told or json_array_length(metadata, '$.changed_fields') > 0`;
});

/** As `changedProducts`, of an organization that lives on this database and is not being moved. */
export function changedWhereSettled(of: Changed): Condition {
  return sql`select metadata from (${changedProducts(of)}) where ${isSettled(sql`${of.orgId}`)}`;
}

/** Organizations that hold one of these products, and whether they want an event for each product that changes. */
export function selectHolders(p1Ids: readonly string[]) {
  return orm
    .select({
      orgId: sql<string>`${organizations.id}`.as('holder_id'),
      takesEach: sql<number>`${takesEachProduct(sql`${organizations.id}`)}`.as('takes_each'),
    })
    .from(organizations)
    .where(
      sql`${isSettled(sql`${organizations.id}`)} and exists (select 1 from json_each(${JSON.stringify(p1Ids)}) as wanted
        cross join ${inventory} on ${inventory.orgId} = ${organizations.id} and ${inventory.p1Id} = wanted.value)`,
    );
}
