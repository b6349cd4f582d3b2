import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { members } from '../auth/tables';
import type { Database } from '../platform/db';
import { shops } from '../tenants/tables';
import { orders, paymentLinks } from './tables';

export function selectShopNames(db: Database, orgId: string) {
  return db.orm
    .select({ id: shops.id, name: shops.name })
    .from(shops)
    .where(eq(shops.orgId, orgId))
    .orderBy(shops.name, shops.id);
}

export function selectLinkIds(db: Database, orgId: string, orderId: string) {
  return db.orm
    .select({ id: paymentLinks.id })
    .from(paymentLinks)
    .where(and(eq(paymentLinks.orderId, orderId), eq(paymentLinks.orgId, orgId)));
}

/** Everybody who works or has worked here: the audit log names people by id. */
export function selectNames(db: Database, orgId: string) {
  return db.orm
    .select({ id: members.id, name: sql<string>`${members.name}`.as('member_name') })
    .from(members)
    .where(and(eq(members.orgId, orgId), isNotNull(members.name)));
}

export function selectShopNameOf(db: Database, orderId: string) {
  return db.orm
    .select({ name: shops.name })
    .from(shops)
    .where(sql`${shops.id} = (select shop_id from ${orders} where id = ${orderId})`);
}
