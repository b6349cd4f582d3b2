import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { apiKeys, members } from '../auth/tables';
import { catalogProducts } from '../catalog/tables';
import { inventory } from '../inventory/tables';
import { orderRequests } from '../order-requests/tables';
import { orders, paymentLinks } from '../orders/tables';
import type { Condition } from '../platform/data/db';
import { orm } from '../platform/data/statements';
import { prescriptions } from '../prescriptions/tables';
import { shops } from '../tenants/tables';
import { deliveries, subscriptions } from '../webhooks/tables';

const memberName = sql<string>`coalesce(${members.name}, ${members.email})`;

/** The current members. The names of revoked members come from `selectPeople`. */
export function selectTeam(orgId: string) {
  return orm
    .select({ id: members.id, name: memberName.as('member_name') })
    .from(members)
    .where(and(eq(members.orgId, orgId), isNull(members.revokedAt)))
    .orderBy(sql`member_name collate nocase`, members.id);
}

export function selectTheirKeys(orgId: string, limit: number) {
  return orm
    .select({ id: apiKeys.id, name: apiKeys.name })
    .from(apiKeys)
    .where(eq(apiKeys.orgId, orgId))
    .orderBy(desc(apiKeys.createdAt))
    .limit(limit);
}

/** Members by id, including revoked ones. @param ids a subquery, as below */
export function selectPeople(orgId: string, ids: Condition) {
  return orm
    .select({ id: members.id, name: memberName.as('member_name') })
    .from(members)
    .where(and(eq(members.orgId, orgId), sql`${members.id} in ${ids}`));
}

export function selectKeyNames(orgId: string, ids: Condition) {
  return orm
    .select({ id: apiKeys.id, name: apiKeys.name })
    .from(apiKeys)
    .where(and(eq(apiKeys.orgId, orgId), sql`${apiKeys.id} in ${ids}`));
}

export function selectTheirShops(orgId: string) {
  return orm
    .select({ id: shops.id, name: shops.name })
    .from(shops)
    .where(eq(shops.orgId, orgId))
    .orderBy(sql`${shops.name} collate nocase`, shops.id);
}

export function selectProductNames(orgId: string, ids: Condition) {
  const own = sql`(select name from ${inventory} where org_id = ${orgId} and p1_id = catalog_products.p1_id)`;
  return orm
    .select({ id: catalogProducts.p1Id, name: sql<string>`coalesce(${own}, catalog_products.name)`.as('product_name') })
    .from(catalogProducts)
    .where(sql`catalog_products.p1_id in ${ids}`);
}

/** The numbers that people call orders by. */
export function selectOrderNumbers(orgId: string, ids: Condition) {
  return orm
    .select({ id: orders.id, name: sql<string>`cast(${orders.number} as text)`.as('order_number') })
    .from(orders)
    .where(and(eq(orders.orgId, orgId), sql`${orders.id} in ${ids}`));
}

/** What platforms call order requests by. */
export function selectReferences(orgId: string, ids: Condition) {
  return orm
    .select({ id: sql<string>`sent.id`.as('sent_id'), name: sql<string | null>`sent.external_reference`.as('sent_as') })
    .from(
      sql`${ids} as asked cross join ${orderRequests} as sent on +sent.org_id = ${orgId} and sent.id = asked.value`,
    );
}

function numberOf(orgId: string, orderId: SQL) {
  return sql<string | null>`(select cast(number as text) from ${orders}
    where orders.org_id = ${orgId} and orders.id = ${orderId})`;
}

/** So many of one reference: it can be used again after a rejection. */
const CALLED_MAX = 20;
const NUMBER = /^\d{1,15}$/;

/**
 * The ids of the orders with a number or a reference, of the requests with that reference or behind those orders, and of their
 * prescriptions, as a subquery.
 */
export function subjectsCalled(orgId: string, text: string): Condition {
  const number = NUMBER.test(text) ? Number(text) : null;
  return sql`(with found as (
      select id, order_request_id as request_id from ${orders} where org_id = ${orgId} and number = ${number}
      union all select id, request_id from (select id, order_request_id as request_id from ${orders}
        indexed by orders_by_reference where org_id = ${orgId} and external_reference = ${text} order by id desc limit ${CALLED_MAX})
      union all select null, request_id from (select sent.id as request_id from ${shops} cross join ${orderRequests} as sent
        on sent.shop_id = shops.id and sent.external_reference = ${text} where shops.org_id = ${orgId} limit ${CALLED_MAX}))
    select id from found where id is not null union select request_id from found where request_id is not null
    union select prescriptions.id from found cross join ${prescriptions} on prescriptions.order_request_id = found.request_id
    union select prescriptions.id from found cross join ${prescriptions} on prescriptions.order_id = found.id)`;
}

export function selectOrdersOfLinks(orgId: string, ids: Condition) {
  return orm
    .select({
      id: paymentLinks.id,
      orderId: paymentLinks.orderId,
      name: numberOf(orgId, sql.raw('payment_links.order_id')),
    })
    .from(paymentLinks)
    .where(and(eq(paymentLinks.orgId, orgId), sql`${paymentLinks.id} in ${ids}`));
}

export function selectOwnersOfPrescriptions(orgId: string, ids: Condition) {
  return orm
    .select({
      id: prescriptions.id,
      orderId: prescriptions.orderId,
      requestId: prescriptions.orderRequestId,
      name: sql<
        string | null
      >`coalesce(${numberOf(orgId, sql.raw('prescriptions.order_id'))}, (select external_reference
        from ${orderRequests} as sent where +sent.org_id = ${orgId} and sent.id = prescriptions.order_request_id))`.as(
        'owner_name',
      ),
    })
    .from(prescriptions)
    .where(and(eq(prescriptions.orgId, orgId), sql`${prescriptions.id} in ${ids}`));
}

export function selectSubscriptionHosts(orgId: string, ids: Condition) {
  return orm
    .select({ id: subscriptions.id, host: subscriptions.host, deletedAt: subscriptions.deletedAt })
    .from(subscriptions)
    .where(and(eq(subscriptions.orgId, orgId), sql`${subscriptions.id} in ${ids}`));
}

export function selectSubscriptionsOfDeliveries(orgId: string, ids: Condition) {
  return orm
    .select({ id: deliveries.id, subscriptionId: deliveries.subscriptionId })
    .from(deliveries)
    .where(and(eq(deliveries.orgId, orgId), sql`${deliveries.id} in ${ids}`));
}
