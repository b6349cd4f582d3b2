import { and, desc, eq, type InferInsertModel, isNull, sql } from 'drizzle-orm';
import { has, pick } from '../../platform/data/columns';
import { type Condition, orm } from '../../platform/data/statements';
import { organizations } from '../../platform/tables';
import { shopHosts, shopPlace, shops } from '../../tenants/tables';
import { shopIdOf } from '../store';
import { type OrderPaymentStatus, type OrderStatus, orders, paymentLinks } from '../tables';

/** Selects the payee's data for a payment page, and the first host of the order's shop. */
export function selectPayee(orgId: string, orderId: string) {
  return orm
    .select({
      iban: organizations.iban,
      recipient: sql<string>`coalesce(${organizations.paymentRecipient}, ${organizations.name})`.as('recipient'),
      // Table names are written out: Drizzle omits them in a select from one table.
      host: sql<string | null>`(select ${shopHosts}.host from ${shopHosts}
        where ${shopHosts}.shop_id = ${shopIdOf(orgId, orderId)}
        order by ${shopHosts}.created_at, ${shopHosts}.host limit 1)`.as('first_host'),
    })
    .from(organizations)
    .where(eq(organizations.id, orgId));
}

export type PaymentLinkRow = Awaited<ReturnType<typeof selectLatestLink>>[number];

export function insertPaymentLink(row: InferInsertModel<typeof paymentLinks>) {
  return orm.insert(paymentLinks).values(row);
}

/** Selects the latest payment link of an order. */
export function selectLatestLink(orgId: string, orderId: string) {
  return (
    orm
      .select(pick(paymentLinks, ['id', 'amountCents', 'expiresAt', 'status']))
      .from(paymentLinks)
      // `+` keeps SQLite from reading all payment links of the organization.
      .where(and(eq(paymentLinks.orderId, orderId), sql`+${paymentLinks.orgId} = ${orgId}`))
      .orderBy(desc(paymentLinks.id))
      .limit(1)
  );
}

/**
 * Ends the open payment links of an order, or of all orders in a subquery. Nobody can pay with a link that was ended as
 * `voided`.
 */
export function closePaymentLinks(of: string | Condition, status: 'paid' | 'voided') {
  const isOfThem = typeof of === 'string' ? eq(paymentLinks.orderId, of) : sql`${paymentLinks.orderId} in ${of}`;
  return orm
    .update(paymentLinks)
    .set({ status })
    .where(and(isOfThem, eq(paymentLinks.status, 'open')));
}

export function voidPaymentLink({ orgId, id }: { orgId: string; id: string }) {
  return orm
    .update(paymentLinks)
    .set({ status: 'voided' })
    .where(has(paymentLinks, { id, orgId, status: 'open' }));
}

/**
 * Selects a payment link with the data of its page. Selects nothing if the host does not belong to the order's shop.
 */
export function selectPaymentPage(linkId: string, host: string) {
  return (
    orm
      .select({
        orderNumber: sql<number>`${orders.number}`.as('order_number'),
        amountCents: sql<number>`${paymentLinks.amountCents}`.as('amount_cents'),
        linkStatus: sql<(typeof paymentLinks.$inferSelect)['status']>`${paymentLinks.status}`.as('link_status'),
        totalCents: sql<number>`${orders.totalCents}`.as('total_cents'),
        orderStatus: sql<OrderStatus>`${orders.status}`.as('order_status'),
        paymentStatus: sql<OrderPaymentStatus>`${orders.paymentStatus}`.as('payment_status'),
        expiresAt: sql<number>`${paymentLinks.expiresAt}`.as('expires_at'),
        isTest: sql<number>`${organizations.isTest}`.as('organization_is_test'),
        iban: sql<string | null>`${organizations.iban}`.as('iban'),
        recipient: sql<string>`coalesce(${organizations.paymentRecipient}, ${organizations.name})`.as('recipient'),
        ...shopPlace,
      })
      .from(paymentLinks)
      .innerJoin(orders, has(orders, { orgId: paymentLinks.orgId, id: paymentLinks.orderId }))
      .innerJoin(organizations, eq(organizations.id, paymentLinks.orgId))
      .innerJoin(shopHosts, has(shopHosts, { shopId: orders.shopId, host }))
      .innerJoin(shops, eq(shops.id, shopHosts.shopId))
      // Only links of active organizations are found: during an import, links that were voided since the export are
      // still open.
      .where(and(eq(paymentLinks.id, linkId), isNull(orders.deletedAt), eq(organizations.state, 'active')))
  );
}

export type PaymentPageRow = Awaited<ReturnType<typeof selectPaymentPage>>[number];
