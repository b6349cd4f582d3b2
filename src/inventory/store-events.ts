import { sql } from 'drizzle-orm';
import { encoded, type Named, preparedCondition } from '../platform/data/statements';
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
}

interface Changed {
  orgId: string;
  /** Each product once. */
  changed: readonly ChangedProduct[];
}

/**
 * For the outbox: the metadata of `product_updated` for each of these products that is stocked and that the batch has changed
 * so far, as it is then. Of each it makes one look-up, and one for each of its shops.
 */
export const changedProducts = preparedCondition(({ orgId, changed }: Named<Changed>) => {
  const list = encoded(changed, (all) =>
    JSON.stringify(all.map(({ p1Id, movementId, fields = [], isCreated }) => [p1Id, movementId ?? null, fields, isCreated])),
  );
  const fields = sql`(select json_group_array(name) from (
    select 'stock_quantity' as name where moved.delta <> 0
    union all select 'on_hand' where moved.on_hand_delta <> 0
    union all select field.value from json_each(changed.value -> 2) as field))`;
  const shops = sql`(select json_group_array(shop_id) from (select shop_id from ${listings} as listed
    where listed.org_id = ${orgId} and listed.p1_id = inventory.p1_id order by shop_id))`;
  return sql`select json_object('p1_id', ${inventory.p1Id}, 'changed_fields', json(${fields}),
      'stock_quantity', ${inventory.stockQuantity}, 'on_hand', ${onHand},
      'committed_quantity', ${inventory.committedQuantity}, 'stock_version', ${inventory.stockVersion},
      'shop_ids', json(${shops})) as metadata
    from json_each(${list}) as changed
    cross join ${inventory} on ${inventory.orgId} = ${orgId} and ${inventory.p1Id} = changed.value ->> 0
    left join ${stockMovements} as moved on moved.org_id = ${orgId} and moved.p1_id = changed.value ->> 0
      and moved.id = changed.value ->> 1
    where moved.id is not null or json_array_length(changed.value, '$[2]') > 0 or changed.value ->> 3`;
});
