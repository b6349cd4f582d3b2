import { sql } from 'drizzle-orm';
import { catalogProducts } from '../catalog/tables';
import { inventory } from '../inventory/tables';
import { orders } from '../orders/tables';
import { orm } from '../platform/data/statements';
import { firstIdAt } from '../platform/ids';
import { spansOf } from './parts';
import { type Period, selectLowStock } from './store';
import { productTotals } from './tables';

/** The newest orders of a period in which names of products are looked up. */
const NAMES_SEARCHED = 100;

/**
 * Sold products or, for lines without a product, their names: highest revenue first. A product has the organization's
 * name for it, whatever platforms call it. A refund does not refer to a line, so each line of the order is reduced by the
 * same share.
 * @param period whole parts of days
 */
export function selectProductFigures({ orgId, shopId, ...period }: Period, limit: number) {
  const sold = orm
    .select({
      p1Id: sql<string | null>`nullif(sums.p1_id, '')`.as('line_p1_id'),
      called: sql<string>`sums.name`.as('line_name'),
      quantity: sql<number>`sum(sums.quantity)`.as('line_quantity'),
      totalCents: sql<number>`cast(round(sum(sums.millicents) / 1000.0) as integer)`.as('line_cents'),
    })
    .from(sql`json_each(${JSON.stringify(spansOf(period))}) spans cross join ${productTotals} as sums
      on sums.org_id = ${orgId} and sums.span = spans.value ->> 'span'
      and sums.starts_at >= spans.value ->> 'from' and sums.starts_at < spans.value ->> 'to'
      ${shopId === undefined ? sql`` : sql`and sums.shop_id = ${shopId}`}`)
    .groupBy(sql`sums.p1_id, sums.name`)
    .orderBy(sql`line_cents desc, line_quantity desc, sums.p1_id, sums.name`)
    .limit(limit)
    .as('sold');
  // Table names are written out: Drizzle omits them from a field's SQL in a select of one table.
  const productName = sql`(select coalesce(stocked.name, product.name) from ${catalogProducts} as product
    left join ${inventory} as stocked on stocked.org_id = ${orgId} and stocked.p1_id = product.p1_id
    where product.p1_id = line_p1_id)`;
  return orm
    .select({
      p1Id: sql<string | null>`line_p1_id`.as('sold_p1_id'),
      /** Null for a product that is not in the catalog. */
      name: sql<string | null>`iif(line_p1_id is null, line_name, ${productName})`.as('sold_name'),
      quantity: sql<number>`line_quantity`.as('sold_quantity'),
      totalCents: sql<number>`line_cents`.as('sold_cents'),
    })
    .from(sold)
    .orderBy(sql`line_cents desc, line_quantity desc, line_p1_id, line_name`);
}

/** The first and the last of the names by which products were ordered, in the newest orders of a period. */
export function selectNamesOrdered({ orgId, shopId, from, to }: Period) {
  const line = (field: string) => sql.raw(`line.value ->> '${field}'`);
  const newest = sql`(select items from ${orders} where org_id = ${orgId} and id >= ${firstIdAt(from)}
    and id < ${firstIdAt(to)} and deleted_at is null and status not in ('cancelled', 'returned')
    ${shopId === undefined ? sql`` : sql`and shop_id = ${shopId}`} order by id desc limit ${NAMES_SEARCHED})`;
  return orm
    .select({
      p1Id: sql<string>`${line('p1Id')}`.as('line_p1_id'),
      first: sql<string>`min(${line('name')})`.as('line_first_name'),
      last: sql<string>`max(${line('name')})`.as('line_last_name'),
    })
    .from(sql`${newest} newest, json_each(newest.items) line`)
    .where(sql`${line('p1Id')} is not null`)
    .groupBy(sql`1`);
}

/** As `selectLowStock`, with the organization's names. */
export function selectNamedLowStock(orgId: string, limit: number) {
  const name = sql<string>`coalesce(inventory.name, (select name from ${catalogProducts} where catalog_products.p1_id = inventory.p1_id))`;
  return selectLowStock(orgId, limit, { name: name.as('product_name') });
}
