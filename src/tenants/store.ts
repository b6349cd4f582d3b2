import { and, eq, type InferInsertModel, sql } from 'drizzle-orm';
import { type Database, insertSelect } from '../platform/db';
import { organizations, shopHosts, shops } from './tables';

export function insertOrganization(db: Database, row: InferInsertModel<typeof organizations>) {
  return db.orm.insert(organizations).values(row);
}

export function updateOrganizationRow(
  db: Database,
  id: string,
  changes: Partial<InferInsertModel<typeof organizations>>,
) {
  return db.orm.update(organizations).set(changes).where(eq(organizations.id, id));
}

export function insertShop(db: Database, row: InferInsertModel<typeof shops>) {
  return db.orm.insert(shops).values(row);
}

/** Inserts nothing unless the shop belongs to the organization; guard it with `mustChangeOne`. */
export function insertShopHost(db: Database, orgId: string, row: InferInsertModel<typeof shopHosts>) {
  const isTheirs = sql`where exists (select 1 from ${shops} where ${shops.id} = ${row.shopId} and ${shops.orgId} = ${orgId})`;
  return insertSelect(db, shopHosts, row, isTheirs);
}

const shopColumns = {
  id: sql<string>`${shops.id}`.as('shop_id'),
  orgId: sql<string>`${shops.orgId}`.as('shop_org_id'),
  name: sql<string>`${shops.name}`.as('shop_name'),
  isActive: sql<number>`${shops.isActive}`.as('shop_is_active'),
  deliveryServiceName: sql<string>`${shops.deliveryServiceName}`.as('shop_delivery_service_name'),
};

/** The shop behind an active host. Joined in a batch, so every column has a name of its own. */
export function selectShopByHost(db: Database, host: string) {
  return db.orm
    .select(shopColumns)
    .from(shopHosts)
    .innerJoin(shops, eq(shops.id, shopHosts.shopId))
    .where(and(eq(shopHosts.host, host), eq(shopHosts.status, 'active')));
}

export type ShopAtHost = Awaited<ReturnType<typeof selectShopByHost>>[number];

export function selectShopOfOrganization(db: Database, orgId: string, shopId: string) {
  return db.orm
    .select(shopColumns)
    .from(shops)
    .where(and(eq(shops.id, shopId), eq(shops.orgId, orgId)));
}

export function selectRetention(db: Database) {
  return db.orm
    .select({
      id: organizations.id,
      requestRetentionDays: organizations.requestRetentionDays,
      orderRetentionDays: organizations.orderRetentionDays,
    })
    .from(organizations);
}
