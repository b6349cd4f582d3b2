import { and, desc, eq, lt, sql } from 'drizzle-orm';
import { auditByEntity, isNewestOf } from '../audit/service';
import { auditLog } from '../audit/tables';
import type { Condition } from '../platform/data/db';
import { type Named, orm, prepared } from '../platform/data/statements';
import { organizations, shops } from '../tenants/tables';
import { as } from './store';
import { listings, stockMovements } from './tables';

/** How many movements the page of a product shows. */
const MOVEMENTS_MAX = 20;
/**
 * How many audit rows are searched for who made these movements: rows of other actions on the product are among them.
 */
const ACTS_MAX = 200;

/** Every shop of the organization, with its overrides if it offers the product. */
export function selectShopsOffering(orgId: string, p1Id: string) {
  return orm
    .select({
      id: as<string>(shops.id, 's_id'),
      name: as<string>(shops.name, 's_name'),
      isActive: as<number>(shops.isActive, 's_is_active'),
      /** JSON text; null when the shop does not offer the product. */
      overrides: as<string | null>(listings.overrides, 'l_overrides'),
    })
    .from(shops)
    .leftJoin(listings, and(eq(listings.shopId, shops.id), eq(listings.p1Id, p1Id)))
    .where(eq(shops.orgId, orgId))
    .orderBy(shops.name, shops.id);
}

/** The threshold of products that have no threshold of their own. */
export function selectDefaultThreshold(orgId: string) {
  return orm
    .select({ threshold: organizations.lowStockThreshold })
    .from(organizations)
    .where(eq(organizations.id, orgId));
}

/** The latest movements of a product, newest first. */
export function selectMovements(orgId: string, p1Id: string) {
  return orm
    .select({
      id: stockMovements.id,
      delta: stockMovements.delta,
      after: stockMovements.after,
      reason: stockMovements.reason,
      orderId: stockMovements.orderId,
      createdAt: stockMovements.createdAt,
    })
    .from(stockMovements)
    .where(and(eq(stockMovements.orgId, orgId), eq(stockMovements.p1Id, p1Id)))
    .orderBy(desc(stockMovements.id))
    .limit(MOVEMENTS_MAX);
}

interface LedgerPage {
  orgId: string;
  p1Id: string;
  /** Only older movements. */
  before: string;
  limit: number;
}

/** A page of a product's movements, newest first. */
export const selectLedger = prepared(({ orgId, p1Id, before, limit }: Named<LedgerPage>) =>
  orm
    .select({
      id: stockMovements.id,
      createdAt: stockMovements.createdAt,
      delta: stockMovements.delta,
      after: stockMovements.after,
      onHandAfter: stockMovements.onHandAfter,
      reason: stockMovements.reason,
      reference: stockMovements.reference,
      actorId: stockMovements.actorId,
      orderId: stockMovements.orderId,
    })
    .from(stockMovements)
    .where(and(eq(stockMovements.orgId, orgId), eq(stockMovements.p1Id, p1Id), lt(stockMovements.id, before)))
    .orderBy(desc(stockMovements.id))
    .limit(limit),
);

/** The orders of these movements, as a subquery of ids. */
export function ordersOfMovements(orgId: string, p1Id: string): Condition {
  return sql`(select order_id from (select order_id from ${stockMovements}
    where org_id = ${orgId} and p1_id = ${p1Id} order by id desc limit ${MOVEMENTS_MAX}) where order_id is not null)`;
}

/** The latest actions on a product with their actors, because the ledger has no actors. */
export function selectActs(orgId: string, p1Id: string) {
  return orm
    .select({ at: auditLog.at, action: auditLog.action, actorKind: auditLog.actorKind, actorId: auditLog.actorId })
    .from(auditLog)
    .where(isNewestOf(orgId, sql`(${p1Id})`, ACTS_MAX))
    .orderBy(desc(auditLog.id));
}

/** Ids of the people and keys behind these actions, as a subquery. */
export function actorsOf(orgId: string, p1Id: string): Condition {
  return sql`(select actor_id from (select actor_id from ${auditByEntity}
    where org_id = ${orgId} and entity_id = ${p1Id} order by id desc limit ${ACTS_MAX}))`;
}
