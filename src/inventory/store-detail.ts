import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { Condition } from '../platform/data/db';
import { type Named, orm, prepared } from '../platform/data/statements';
import { organizations, shops } from '../tenants/tables';
import { as } from './store';
import { listings, stockMovements } from './tables';

/** How many movements the page of a product shows. */
const MOVEMENTS_MAX = 20;

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
export function selectMovements(orgId: string, p1Id: string, limit = MOVEMENTS_MAX) {
  return orm
    .select({
      id: stockMovements.id,
      delta: stockMovements.delta,
      after: stockMovements.after,
      onHandDelta: stockMovements.onHandDelta,
      onHandAfter: stockMovements.onHandAfter,
      reason: stockMovements.reason,
      reference: stockMovements.reference,
      orderId: stockMovements.orderId,
      actorKind: stockMovements.actorKind,
      actorId: stockMovements.actorId,
      createdAt: stockMovements.createdAt,
    })
    .from(stockMovements)
    .where(and(eq(stockMovements.orgId, orgId), eq(stockMovements.p1Id, p1Id)))
    .orderBy(desc(stockMovements.id))
    .limit(limit);
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
export function ordersOfMovements(orgId: string, p1Id: string, limit = MOVEMENTS_MAX): Condition {
  return sql`(select order_id from (select order_id from ${stockMovements}
    where org_id = ${orgId} and p1_id = ${p1Id} order by id desc limit ${limit}) where order_id is not null)`;
}

/** Ids of the people and keys behind these movements, as a subquery. */
export function actorsOf(orgId: string, p1Id: string, limit = MOVEMENTS_MAX): Condition {
  return sql`(select actor_id from (select actor_id from ${stockMovements}
    where org_id = ${orgId} and p1_id = ${p1Id} order by id desc limit ${limit}) where actor_id is not null)`;
}
