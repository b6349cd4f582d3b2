import { and, asc, eq, isNotNull, lte, sql } from 'drizzle-orm';
import { catalogProducts, isVisible } from '../../catalog/tables';
import { type Condition, type Named, orm, prepared } from '../../platform/data/statements';
import { EXPECTED_LISTED_MAX } from '../limits';
import { orders } from '../tables';

/** The most orders that are searched for the one that waits for a scanned pack. */
const WAITING_MAX = 500;

/** Selects orders with packs that are expected on or before a day, the earliest day first. */
export const selectExpected = prepared(({ orgId, day }: Named<{ orgId: string; day: string }>) =>
  orm
    .select()
    .from(orders)
    .where(and(eq(orders.orgId, orgId), isNotNull(orders.expectedOn), lte(orders.expectedOn, day)))
    .orderBy(asc(orders.expectedOn), asc(orders.id))
    .limit(EXPECTED_LISTED_MAX),
);

/** Returns a subquery of the ids of the products that the orders of `selectExpected` wait for. */
export function expectedProducts(orgId: string, day: string): Condition {
  const waiting = sql`(select items, supply from ${orders} indexed by orders_expected where org_id = ${orgId}
    and expected_on is not null and expected_on <= ${day} order by expected_on, id limit ${EXPECTED_LISTED_MAX})`;
  return sql`(select ${OWED} from ${waiting} as waiting, json_each(waiting.items) as line where ${IS_OWED})`;
}

const OWED = sql`line.value ->> 'p1Id'`;
const IS_OWED = sql`(waiting.supply ->> ('$[' || line.key || '].owed')) > 0`;

/** Selects the PZN of each product. @param p1Ids a subquery of ids */
export function selectPzns(p1Ids: Condition) {
  return orm
    .select({ p1Id: catalogProducts.p1Id, pzn: catalogProducts.pzn })
    .from(catalogProducts)
    .where(sql`${catalogProducts.p1Id} in ${p1Ids}`);
}

/**
 * Returns a subquery of the ids of all products with a PZN that the organization sees: those of the catalog and its
 * own. A PZN is the number of a pack.
 */
export function productsWithPzn(orgId: string, pzn: string): Condition {
  return sql`(select p1_id from ${catalogProducts} where pzn = ${pzn} and ${isVisible(orgId)})`;
}

/**
 * Selects the oldest order that waits for a product with this PZN. Searches the `WAITING_MAX` orders whose packs are
 * expected earliest.
 */
export function selectWaitingFor(orgId: string, pzn: string) {
  const waiting = sql`(select id, items, supply from ${orders} indexed by orders_expected where org_id = ${orgId}
    and expected_on is not null order by expected_on, id limit ${WAITING_MAX})`;
  const oldest = sql`(select waiting.id from ${waiting} as waiting, json_each(waiting.items) as line
    where ${OWED} in ${productsWithPzn(orgId, pzn)} and ${IS_OWED} order by waiting.id limit 1)`;
  return orm
    .select()
    .from(orders)
    .where(and(eq(orders.orgId, orgId), sql`${orders.id} = ${oldest}`));
}
