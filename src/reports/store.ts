import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import { auditLog } from '../audit/tables';
import { apiKeys, members } from '../auth/tables';
import { catalogProducts } from '../catalog/tables';
import { BELONGINGS } from '../directory/move/belongings';
import { countRows } from '../directory/move/store';
import { unitOf } from '../inventory/store-stock';
import { inventory, isShort } from '../inventory/tables';
import { orderRequests } from '../order-requests/tables';
import { IS_UNCOLLECTED, type OrderPaymentStatus, type OrderStatus, orders, paymentLinks } from '../orders/tables';
import { has, pick } from '../platform/data/columns';
import { insertSelect } from '../platform/data/db';
import { type Condition, orm } from '../platform/data/statements';
import { firstIdAt } from '../platform/ids';
import { type OrganizationState, organizations } from '../platform/tables';
import { HOUR_MS, MINUTE_MS } from '../platform/time';
import { prescriptions } from '../prescriptions/tables';
import { isSettled, shopHosts, shops } from '../tenants/tables';
import { deliveries, subscriptions } from '../webhooks/tables';
import { nextPart, partOf, type Range, spansOf } from './parts';
import { dayTotals, deliveryTotals, productTotals } from './tables';

/** A period (epoch ms) of an organization, or of one of its shops. */
export interface Period extends Range {
  orgId: string;
  /** Omitted for all shops. */
  shopId?: string;
}

/** The time in an id differs from the creation time of its row by less than this, as both come from one request. */
const SLACK_MS = MINUTE_MS;

/** Selects totals by part of the day (`partOf`): up to three rows per day and shop. */
export function selectTotals({ orgId, shopId, from, to }: Period) {
  return orm
    .select()
    .from(dayTotals)
    .where(
      and(
        eq(dayTotals.orgId, orgId),
        gte(dayTotals.startsAt, from),
        lt(dayTotals.startsAt, to),
        shopId === undefined ? undefined : eq(dayTotals.shopId, shopId),
      ),
    );
}

export type Totals = Awaited<ReturnType<typeof selectTotals>>[number];

/** Creation times (epoch ms) of the pending requests of a period. Reads only requests that wait in the inbox. */
export function selectPending({ orgId, shopId, from, to }: Period) {
  const { id, status, createdAt } = orderRequests;
  return orm
    .select({ createdAt })
    .from(orderRequests)
    .where(
      and(
        eq(orderRequests.orgId, orgId),
        eq(status, 'pending'),
        gte(id, firstIdAt(from - SLACK_MS)),
        lt(id, firstIdAt(to + SLACK_MS)),
        gte(createdAt, from),
        lt(createdAt, to),
        shopId === undefined ? undefined : eq(orderRequests.shopId, shopId),
      ),
    );
}

/** Selects the orders within `ranges`. The totals do not cover these ranges. */
export function selectOrdersIn(orgId: string, ranges: readonly Range[]) {
  return orm
    .select({
      createdAt: sql<number>`orders.created_at`.as('order_created_at'),
      status: sql<OrderStatus>`orders.status`.as('order_status'),
      paymentStatus: sql<OrderPaymentStatus>`orders.payment_status`.as('order_payment'),
      // Refunds are not revenue.
      cents: sql<number>`orders.total_cents - orders.refunded_cents`.as('kept_cents'),
    })
    .from(sql`${rangesOf(ranges)} cross join ${orders} on orders.org_id = ${orgId} and ${isWithin('orders')}
      and orders.deleted_at is null`);
}

/** Selects the requests within `ranges`, except pending ones. The totals do not cover these ranges. */
export function selectDecidedIn(orgId: string, ranges: readonly Range[]) {
  const decided = orderRequests.status.enumValues.filter((status) => status !== 'pending');
  return orm
    .select({
      status: sql<(typeof decided)[number]>`order_requests.status`.as('decided_status'),
      seconds: sql<number | null>`(order_requests.decided_at - order_requests.created_at) / 1000`.as('seconds'),
    })
    .from(sql`${rangesOf(ranges)} cross join json_each(${JSON.stringify(decided)}) statuses
      cross join ${orderRequests} on order_requests.org_id = ${orgId} and order_requests.status = statuses.value
      and ${isWithin('order_requests')}`);
}

/** Returns the ranges as an SQL table. Each row also has bounds for ids, so that an index by id can be used. */
function rangesOf(ranges: readonly Range[]) {
  const bounded = ranges.map(({ from, to }) => {
    return { from, to, first: firstIdAt(from - SLACK_MS), end: firstIdAt(to + SLACK_MS) };
  });
  return sql`json_each(${JSON.stringify(bounded)}) ranges`;
}

function isWithin(table: 'orders' | 'order_requests') {
  const [id, createdAt] = [sql.raw(`${table}.id`), sql.raw(`${table}.created_at`)];
  return sql`${id} >= ranges.value ->> 'first' and ${id} < ranges.value ->> 'end'
    and ${createdAt} >= ranges.value ->> 'from' and ${createdAt} < ranges.value ->> 'to'`;
}

/** The time from the start of yesterday until now. */
interface TwoDays extends Range {
  orgId: string;
  /** The time (epoch ms) that is as long after the start of yesterday as now is after the start of today. */
  sameTime: number;
}

/** At most this many rows of the audit log are counted, the newest ones. */
const ACTS_MAX = 20_000;

/**
 * Returns two columns for a time. `startsAt` is the start of its hour. `isUntil` is 1 if the time is not after
 * `sameTime`.
 */
const hourOf = (at: SQL, { sameTime }: TwoDays) => ({
  startsAt: sql<number>`${at} - ${at} % ${HOUR_MS}`.as('starts_at'),
  isUntil: sql<number>`${at} <= ${sameTime}`.as('is_until'),
});

/**
 * Counts decisions and order steps by hour, from the audit log. All rows that one HTTP request wrote about one entity
 * are one act. Cash is therefore counted only if it was paid in the step in which the goods left.
 */
export function selectActsByHour(days: TwoDays) {
  const { orgId, from } = days;
  const newest = sql`(select * from ${auditLog} where org_id = ${orgId} and id >= ${firstIdAt(from - SLACK_MS)}
    order by id desc limit ${ACTS_MAX})`;
  const acts = sql`(select min(at) as at, entity_id, max(action in ('order_request.approved', 'order_request.rejected')) as decided,
      max(action = 'order.updated' and fields glob '*"status:ready_*') as packed, max(action = 'order.marked_paid') as paid,
      max(action = 'order.part_supplied' or action = 'order.updated'
        and (fields glob '*"status:picked_up"*' or fields glob '*"status:shipped"*')) as gone
    from ${newest} where at >= ${from} group by request_id, entity_id)`;
  return orm
    .select({
      ...hourOf(sql`acts.at`, days),
      decided: sql<number>`sum(acts.decided)`.as('decided'),
      packed: sql<number>`sum(acts.packed)`.as('packed'),
      left: sql<number>`sum(acts.gone)`.as('gone'),
      cashCents: sql<number>`coalesce(sum(orders.total_cents), 0)`.as('cash_cents'),
    })
    .from(sql`${acts} as acts left join ${orders} on acts.paid = 1 and acts.gone = 1 and orders.org_id = ${orgId}
      and orders.id = acts.entity_id`)
    .groupBy(sql`1, 2`);
}

/** The number of order requests received in each hour, in any status. */
export function selectRequestsByHour(days: TwoDays) {
  const statuses = JSON.stringify(orderRequests.status.enumValues);
  return orm
    .select({ ...hourOf(sql`order_requests.created_at`, days), requests: sql<number>`count(*)`.as('requests') })
    .from(sql`${rangesOf([days])} cross join json_each(${statuses}) statuses
      cross join ${orderRequests} on order_requests.org_id = ${days.orgId} and order_requests.status = statuses.value
      and ${isWithin('order_requests')}`)
    .groupBy(sql`1, 2`);
}

/** Orders that are ready or handed over but not paid in full, newest first. @param since epoch ms */
export function selectUncollected(orgId: string, since: number, limit: number) {
  return orm
    .select({
      ...pick(orders, ['id', 'number', 'customerName', 'customerEmail', 'erasedAt']),
      ...pick(orders, ['status', 'shippingOption', 'unpaidReason', 'updatedAt']),
      cents: sql<number>`iif(payment_status = 'paid', payment_difference_cents, total_cents)`.as('due_cents'),
    })
    .from(orders)
    .where(
      sql`org_id = ${orgId} and ${IS_UNCOLLECTED} and id >= ${firstIdAt(since)} and deleted_at is null
        and due_cents > 0 and coalesce(unpaid_reason, '') <> 'paid_otherwise'`,
    )
    .orderBy(desc(orders.id))
    .limit(limit);
}

/** Products below their threshold, the lowest stock first. @param more further columns */
export function selectLowStock<More extends Record<string, SQL.Aliased>>(orgId: string, limit: number, more: More) {
  const threshold = sql`coalesce(inventory.low_stock_threshold, (select low_stock_threshold from ${organizations} where organizations.id = ${orgId}))`;
  return orm
    .select({
      p1Id: inventory.p1Id,
      unit: unitOf(inventory.p1Id).as('unit'),
      stockQuantity: inventory.stockQuantity,
      threshold: sql<number>`${threshold}`.as('threshold'),
      ...more,
    })
    .from(inventory)
    .where(sql`${isShort(orgId)} and inventory.stock_quantity < ${threshold}`)
    .orderBy(inventory.stockQuantity, inventory.p1Id)
    .limit(limit);
}

/** Names of products are looked up in at most this many orders of a period, the newest ones. */
const NAMES_SEARCHED = 100;

/**
 * Sold products, highest revenue first. Lines with a product are summed by product and unit, the others by name. A
 * product is named as in the inventory, not as the platform sent it. A refund belongs to no line, so it
 * reduces each line of the order by the same share.
 * @param period starts and ends at the start of a part of a day (`parts.ts`)
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
      /** The unit of a product's quantity; null for packs. */
      unit: sql<'g' | 'ml' | null>`iif(line_p1_id is null, null, nullif(line_name, ''))`.as('sold_unit'),
      quantity: sql<number>`line_quantity`.as('sold_quantity'),
      totalCents: sql<number>`line_cents`.as('sold_cents'),
    })
    .from(sold)
    .orderBy(sql`line_cents desc, line_quantity desc, line_p1_id, line_name`);
}

/**
 * Selects two names under which each product was ordered, from the newest orders of a period: the first and the last
 * one in the alphabet.
 */
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
      isByUnit: sql<number>`max(${line('unit')}) is not null`.as('line_by_unit'),
    })
    .from(sql`${newest} newest, json_each(newest.items) line`)
    .where(sql`${line('p1Id')} is not null`)
    .groupBy(sql`1`);
}

/** As `selectLowStock`, with the name of each product: the organization's own, or that of the catalog. */
export function selectNamedLowStock(orgId: string, limit: number) {
  const name = sql<string>`coalesce(inventory.name, (select name from ${catalogProducts} where catalog_products.p1_id = inventory.p1_id))`;
  return selectLowStock(orgId, limit, { name: name.as('product_name') });
}

/** Which setup steps an organization has completed. Each takes one index look-up. */
export function selectOnboarding(of: { orgId: string; memberId: string; now: number }) {
  const { orgId } = of;
  // A shop that can be reached comes first.
  const first = (column: 'id' | 'name' | 'host') => sql<
    string | null
  >`(select ${sql.raw(column === 'host' ? 'own.host' : `shop.${column}`)}
    from ${shops} as shop left join ${shopHosts} as own on own.shop_id = shop.id where shop.org_id = ${orgId} and shop.is_active = 1
    order by own.host is null, shop.id, own.created_at limit 1)`;
  const exists = (what: Condition) => sql<number>`exists (${what})`;
  return orm
    .select({
      shopId: first('id').as('first_shop_id'),
      shopName: first('name').as('first_shop_name'),
      host: first('host').as('first_shop_host'),
      hasKey: exists(sql`select 1 from ${apiKeys} as present, json_each(present.scopes) as scope
        where present.org_id = ${orgId} and scope.value = 'external_orders.submit' and present.revoked_at is null
          and (present.expires_at is null or present.expires_at > ${of.now})`).as('has_key'),
      hasRequest: exists(sql`select 1 from ${orderRequests} as sent where sent.org_id = ${orgId}`).as('has_request'),
      hasProducts: exists(sql`select 1 from ${inventory} as own where own.org_id = ${orgId}`).as('has_products'),
      hasTeam:
        exists(sql`select 1 from ${members} as other indexed by members_one_invitation where other.org_id = ${orgId} and other.id <> ${of.memberId}
        and other.revoked_at is null`).as('has_team'),
    })
    .from(organizations)
    .where(eq(organizations.id, orgId));
}

/** SQL for the time before which an organization's deliveries are in its totals; 0 if it has no totals. */
export function summedUntil(orgId: Condition): Condition {
  return sql`coalesce((select latest.summed_until from ${deliveryTotals} as latest where latest.org_id = ${orgId}
    order by latest.starts_at desc limit 1), 0)`;
}

/** Like `firstIdAt`, but for a time that is given as SQL. The id of a delivery contains the delivery's time. */
export function firstIdOf(at: Condition): Condition {
  const hex = sql`printf('%012x', ${at})`;
  return sql`substr(${hex}, 1, 8) || '-' || substr(${hex}, 9)`;
}

/**
 * SQL for the time from which a period's deliveries are counted one by one: the end of the totals. If the totals go
 * beyond the period, it is the start of the part of a day in which the period ends.
 */
function unsummedFrom(orgId: string, { from, to }: Range): Condition {
  const until = summedUntil(sql`${orgId}`);
  return sql`(select max(${nextPart(from)}, iif(until <= ${to}, until, ${partOf(to)})) from (select ${until} as until))`;
}

/** Outcomes of deliveries of a period, from the totals: up to three rows per day. */
export function selectDeliveryTotals(orgId: string, period: Range) {
  const { delivered, exhausted } = deliveryTotals;
  return orm
    .select({ delivered, exhausted })
    .from(deliveryTotals)
    .where(
      sql`org_id = ${orgId} and starts_at >= ${nextPart(period.from)} and starts_at < ${unsummedFrom(orgId, period)}`,
    );
}

/**
 * Counts the outcomes of a period's deliveries that the totals do not cover: before the period's first whole part of a
 * day, and in its last hours. Reads few ranges, because an organization has only a few subscriptions, deleted ones
 * included.
 */
export function selectDeliveries(orgId: string, period: Range) {
  const { from, to } = period;
  const ranges = sql`(select ${from} as since, ${Math.min(nextPart(from), to)} as until
    union all select ${unsummedFrom(orgId, period)}, ${to})`;
  return orm
    .select({
      delivered: sql<number>`coalesce(sum(deliveries.status = 'succeeded'), 0)`.as('delivered'),
      exhausted: sql<number>`coalesce(sum(deliveries.status = 'exhausted'), 0)`.as('exhausted'),
    })
    .from(sql`${ranges} as span cross join ${subscriptions} on subscriptions.org_id = ${orgId}
      cross join ${deliveries} on deliveries.subscription_id = subscriptions.id
        and deliveries.id >= ${firstIdOf(sql`span.since`)} and deliveries.id < ${firstIdOf(sql`span.until`)}`);
}

/**
 * Organizations with deliveries that are not in the totals. The one with the oldest such delivery comes first. Reads a
 * few rows of each organization.
 * @param before counts only deliveries that were created before this time; epoch ms
 */
export function selectUnsummed(before: number, limit: number) {
  const first = sql`select delivery.id from ${deliveries} as delivery
    where delivery.subscription_id = subscription.id and delivery.id >= ${firstIdOf(sql`summed.until`)}
    order by delivery.id limit 1`;
  const unsummed = sql`(with summed as materialized (
      select organizations.id, ${summedUntil(sql`organizations.id`)} as until from ${organizations} where ${isSettled(sql`organizations.id`)}
    ), unsummed as materialized (
      select summed.id, summed.until, (select min((${first})) from ${subscriptions} as subscription where subscription.org_id = summed.id) as first_id
      from summed
    ) select * from unsummed where first_id < ${firstIdAt(before)})`;
  return orm
    .select({
      orgId: sql<string>`id`.as('unsummed_org'),
      summedUntil: sql<number>`until`.as('unsummed_after'),
      firstId: sql<string>`first_id`.as('unsummed_first'),
    })
    .from(sql`${unsummed} as found`)
    .orderBy(sql`first_id`)
    .limit(limit);
}

export type Unsummed = Awaited<ReturnType<typeof selectUnsummed>>[number];

/** One hour. The deliveries of this hour are to be added to the organization's totals. */
export interface Step extends Range {
  orgId: string;
  /** The `summedUntil` of the totals when the step was planned. If it has changed since, nothing is added. */
  summedUntil: number;
}

/** Adds each step's deliveries to the total of its part of the day. If D1 runs the batch twice, they are added once. */
export function addToTotals(steps: readonly Step[]) {
  const bounded = steps.map(({ orgId, summedUntil: after, from, to }) => {
    return { orgId, after, to, startsAt: partOf(from), first: firstIdAt(from), end: firstIdAt(to) };
  });
  const of = (name: keyof (typeof bounded)[number]) => sql`step.value ->> ${sql.raw(`'${name}'`)}`;
  return insertSelect(
    deliveryTotals,
    {
      orgId: of('orgId'),
      startsAt: of('startsAt'),
      summedUntil: of('to'),
      delivered: sql`coalesce(sum(deliveries.status = 'succeeded'), 0)`,
      exhausted: sql`coalesce(sum(deliveries.status = 'exhausted'), 0)`,
    },
    sql`from json_each(${JSON.stringify(bounded)}) as step
      left join ${subscriptions} on subscriptions.org_id = ${of('orgId')}
      left join ${deliveries} on deliveries.subscription_id = subscriptions.id
        and deliveries.id >= ${of('first')} and deliveries.id < ${of('end')}
      where ${summedUntil(of('orgId'))} = ${of('after')} and ${isSettled(of('orgId'))}
      group by step.key`,
  ).onConflictDoUpdate({
    target: [deliveryTotals.orgId, deliveryTotals.startsAt],
    set: {
      summedUntil: sql`excluded.summed_until`,
      delivered: sql`delivery_totals.delivered + excluded.delivered`,
      exhausted: sql`delivery_totals.exhausted + excluded.exhausted`,
    },
  });
}

const memberName = sql<string>`coalesce(${members.name}, nullif(${members.email}, ''))`;

/** The current members. The names of revoked members come from `selectPeople`. */
export function selectTeam(orgId: string) {
  return orm
    .select({ id: members.id, name: memberName.as('member_name') })
    .from(members)
    .where(has(members, { orgId, revokedAt: null }))
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

/** Members by id, including revoked ones. @param ids SQL for the list of ids, here and in the functions below */
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

/** An order is named by its number and person, a request by its person or else by the platform's reference. */
const NUMBER_TEXT = sql<string>`cast(number as text)`.as('number_text');
const ORDER = sql<string>`orders.number || coalesce(', ' || orders.customer_name, '')`;
const SENT = sql<string | null>`coalesce(sent.customer_name, sent.external_reference)`;

/** Names of orders, by order id. */
export function selectOrderNumbers(orgId: string, ids: Condition) {
  return orm
    .select({ ...pick(orders, ['id', 'shippingOption']), name: NUMBER_TEXT, called: ORDER.as('called') })
    .from(orders)
    .where(and(eq(orders.orgId, orgId), sql`${orders.id} in ${ids}`));
}

/** Names of order requests, by request id. */
export function selectReferences(orgId: string, ids: Condition) {
  return orm
    .select({ id: sql<string>`sent.id`.as('sent_id'), name: SENT.as('sent_as') })
    .from(
      sql`${ids} as asked cross join ${orderRequests} as sent on +sent.org_id = ${orgId} and sent.id = asked.value`,
    );
}

function numberOf(orgId: string, orderId: SQL) {
  return sql<string | null>`(select ${ORDER} from ${orders}
    where orders.org_id = ${orgId} and orders.id = ${orderId})`;
}

/** The most orders or requests that are found by one reference. A platform can reuse a reference after a rejection. */
const CALLED_MAX = 20;
const NUMBER = /^\d{1,15}$/;

/**
 * SQL for the ids of everything that a number or reference names: orders with it, requests with it, the requests from
 * which those orders were created, and the prescriptions of all these.
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
      name: sql<string | null>`coalesce(${numberOf(orgId, sql.raw('prescriptions.order_id'))}, (select ${SENT}
        from ${orderRequests} as sent where +sent.org_id = ${orgId} and sent.id = prescriptions.order_request_id))`.as(
        'owner_name',
      ),
    })
    .from(prescriptions)
    .where(and(eq(prescriptions.orgId, orgId), sql`${prescriptions.id} in ${ids}`));
}

export function selectSubscriptionHosts(orgId: string, ids: Condition) {
  return orm
    .select(pick(subscriptions, ['id', 'host', 'deletedAt']))
    .from(subscriptions)
    .where(and(eq(subscriptions.orgId, orgId), sql`${subscriptions.id} in ${ids}`));
}

export function selectSubscriptionsOfDeliveries(orgId: string, ids: Condition) {
  return orm
    .select({ id: deliveries.id, subscriptionId: deliveries.subscriptionId })
    .from(deliveries)
    .where(and(eq(deliveries.orgId, orgId), sql`${deliveries.id} in ${ids}`));
}

/** An organization as the operator's list shows it. Selects no row if the organization is not in this database. */
export function selectTenant(orgId: string, rowsMax: number) {
  return orm.all<{
    name: string;
    state: OrganizationState;
    suspended: number;
    rows: number;
    last: number | null;
  }>(sql`select o.name, o.state, o.suspended_at is not null as suspended, ${countRows(BELONGINGS, orgId, rowsMax)} as rows,
      (select created_at from ${orders} where org_id = o.id order by id desc limit 1) as last
    from ${organizations} as o where o.id = ${orgId}`);
}

export interface Usage {
  orgId: string;
  requests: number;
  orders: number;
  deliveries: number;
}

/**
 * The usage of each organization in a month, for one page of organizations sorted by id. Adds up the totals, the
 * pending requests, and the deliveries that are not in the totals yet.
 * @param month starts and ends where a part of a day does
 */
export function selectUsage({ from, to }: Range, after: string, limit: number) {
  const inMonth = sql`org_id = o.id and starts_at >= ${from} and starts_at < ${to}`;
  const ids = sql`id >= ${firstIdAt(from)} and id < ${firstIdAt(to)}`;
  return orm.all<Usage>(sql`select o.id as orgId,
      coalesce((select sum(approved + rejected + deleted) from ${dayTotals} where ${inMonth}), 0)
        + (select count(*) from ${orderRequests} where org_id = o.id and status = 'pending' and ${ids}) as requests,
      coalesce((select sum(of_status.value ->> 0) from ${dayTotals}, json_each(${dayTotals}.orders) as of_status where ${inMonth}), 0) as orders,
      coalesce((select sum(delivered + exhausted) from ${deliveryTotals} where ${inMonth}), 0)
        + (select count(*) from ${subscriptions} as to_whom cross join ${deliveries} as run on run.subscription_id = to_whom.id
            and run.id >= ${firstIdOf(sql`max(${from}, ${summedUntil(sql`o.id`)})`)} and run.id < ${firstIdAt(to)}
            and run.status in ('succeeded', 'exhausted') where to_whom.org_id = o.id) as deliveries
    from ${organizations} as o where o.id > ${after} and o.state <> 'gone' order by o.id limit ${limit}`);
}

/** Sums the bytes of PDFs by organization. Reads one page of PDFs: ids above `after`, made before the range ends. */
export function selectFileBytes({ to }: Range, after: string, limit: number) {
  const page = sql`(select id, org_id, size_bytes from ${prescriptions} where id > ${after} and id < ${firstIdAt(to)}
    order by id limit ${limit})`;
  return orm.all<{ orgId: string; bytes: number; files: number; last: string }>(sql`select org_id as orgId,
      coalesce(sum(size_bytes), 0) as bytes, count(*) as files, max(id) as last from ${page} group by org_id`);
}
