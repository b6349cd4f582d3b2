import {
  and,
  eq,
  getTableColumns,
  type InferInsertModel,
  type InferSelectModel,
  inArray,
  ne,
  type SQL,
  sql,
} from 'drizzle-orm';
import { ofOpenQuestion } from '../orders/timeline/store';
import { has } from '../platform/data/columns';
import { mustChangeOneRow, updateOneRow } from '../platform/data/db';
import {
  type Condition,
  jsonOf,
  type Named,
  orm,
  prepared,
  preparedCondition,
  type Value,
} from '../platform/data/statements';
import { narrowColumns } from '../platform/data/wide-rows';
import { type ErasedKey, emptied } from '../platform/fields';
import { firstIdAt } from '../platform/ids';
import { DAY_MS } from '../platform/time';
import { productsCovered } from '../prescriptions/store';
import { orderRequestsFields } from './fields';
import { DUPLICATES_AMONG_MAX, EXPIRES_DAYS, EXPIRY_NOTICE_DAYS } from './limits';
import { orderRequests, type ReviewDraft, sweepCursors } from './tables';

export type RequestRow = InferSelectModel<typeof orderRequests>;
export type RequestStatus = RequestRow['status'];

export const selectRequest = prepared(({ orgId, id }: Named<{ orgId: string; id: string }>) =>
  orm
    .select()
    .from(orderRequests)
    .where(and(has(orderRequests, { id, orgId }), ne(orderRequests.status, 'deleted'))),
);

/** Selects the items of a request, as submitted. @param id a subquery of the request's id */
export function selectAskedFor(orgId: string, id: Condition) {
  return orm
    .select({ items: orderRequests.items })
    .from(orderRequests)
    .where(and(eq(orderRequests.orgId, orgId), sql`${orderRequests.id} = ${id}`));
}

/** Columns whose values may be large. The body as submitted may be large too, but is not among them. */
export const WIDE = [
  orderRequests.items,
  orderRequests.platformDetails,
  orderRequests.approvedItems,
  orderRequests.acknowledged,
  orderRequests.draft,
  orderRequests.supplements,
];

/** A request without the body as submitted. Only the export of a person's data includes that body. */
export type ListedRequest = Omit<RequestRow, 'payload'>;

const { payload: _, ...WITHOUT_BODY } = getTableColumns(orderRequests);
const { payload: __, ...LISTED } = narrowColumns(orderRequests, WIDE);

/** Selects the requests of a page, without their wide columns. @param page a subquery of ids */
export function selectRequests(page: Condition, order: SQL) {
  return orm.select(LISTED).from(orderRequests).where(sql`${orderRequests.id} in ${page}`).orderBy(order);
}

/** Selects requests with their wide columns, unsorted. @param ids a subquery */
export function selectWideRequests(ids: Condition) {
  return orm.select(WITHOUT_BODY).from(orderRequests).where(sql`${orderRequests.id} in ${ids}`);
}

/**
 * Returns a subquery of the ids of the products that the items of requests name.
 * @param requests a subquery of request ids
 */
export function productsNamedBy(requests: Condition): Condition {
  const named = sql`select json_extract(item.value, key.value) from order_requests as named, json_each(named.items) as item,
    json_each('["$.p1Id","$.productId"]') as key where named.id in ${requests}`;
  return sql`(${named})`;
}

/**
 * Returns a subquery of the ids of the products that the request, its draft and its prescriptions name, and of
 * `others`.
 */
export const productsOfRequest = preparedCondition(
  ({ id, others }: Named<{ id: string; others: readonly string[] }>) =>
    sql`(select * from ${productsNamedBy(sql`(${id})`)} union all ${productsCovered(id)}
      union all select json_extract(line.value, '$.p1Id') from order_requests as drafted, json_each(drafted.draft, '$.lines') as line
        where drafted.id = ${id}
      union all select value from json_each(${jsonOf(others)}))`,
);

/** Returns a subquery of the ids of some requests' shops. @param requests a subquery of request ids */
export function shopsOf(requests: Condition): Condition {
  return sql`(select shop_id from order_requests as placed where placed.id in ${requests})`;
}

/** Returns a subquery that reads one column of a request. It is for queries that run before the request is read. */
export function fieldOf(
  requestId: Value<string>,
  column: 'shop_id' | 'integration_id' | 'customer_id' | 'lower(customer_email)',
): Condition {
  return sql`(select ${sql.raw(column)} from ${orderRequests} where id = ${requestId})`;
}

export interface Searched {
  orgId: string;
  id: string;
  /** Only requests with a greater id are searched. */
  since: string;
}

/**
 * Selects another pending or approved request that may be of the same person. It has the same e-mail address, or the
 * same name and postal code.
 */
export const selectPossibleDuplicate = prepared(({ orgId, id, since }: Named<Searched>) => {
  const recent = sql`(select id from order_requests where org_id = ${orgId} and status in ('pending', 'approved')
    and id > ${since} and id <> ${id} order by id desc limit ${DUPLICATES_AMONG_MAX})`;
  return orm
    .select({ id: orderRequests.id })
    .from(orderRequests)
    .where(
      and(
        sql`${orderRequests.id} in ${recent}`,
        sql`exists (select 1 from order_requests as this where this.id = ${id} and (
            lower(this.customer_email) = lower(order_requests.customer_email)
            or (this.customer_name_folded = order_requests.customer_name_folded
              and this.address_postal_code = order_requests.address_postal_code)))`,
      ),
    )
    .limit(1);
});

type Changes = {
  [K in keyof InferInsertModel<typeof orderRequests>]?: InferInsertModel<typeof orderRequests>[K] | Condition;
};

/**
 * Returns the new values of a request's columns that repeat its newest open question. The values are computed when the
 * batch runs, so put the update after the batch's writes to questions.
 */
export function openQuestionOf(id: string): Changes {
  return {
    needsInfo: sql`${ofOpenQuestion('id', id)} is not null`,
    needsInfoCode: ofOpenQuestion('code', id),
    needsInfoNote: ofOpenQuestion('text', id),
  };
}

/** Changes a request if it is pending. Otherwise changes nothing. */
export function updateWaiting(orgId: string, id: string, changes: Changes) {
  return orm
    .update(orderRequests)
    .set(changes)
    .where(has(orderRequests, { id, orgId, status: 'pending' }));
}

/** Changes a request. The batch is undone unless the request has a status in `from`. */
export function updateRequestIf(orgId: string, id: string, from: readonly RequestStatus[], changes: Changes) {
  return updateOneRow(
    orderRequests,
    changes,
    and(has(orderRequests, { id, orgId }), inArray(orderRequests.status, [...from])),
  );
}

/**
 * Writes or empties the draft of a request. The batch is undone unless the request is pending and still has the draft
 * that was read.
 */
export function writeDraft(
  of: { orgId: string; id: string; version: string | null; now: number },
  draft: ReviewDraft | null,
) {
  return updateOneRow(
    orderRequests,
    { draft, updatedAt: of.now },
    and(
      has(orderRequests, { id: of.id, orgId: of.orgId, status: 'pending' }),
      sql`${orderRequests.draft} ->> '$.version' is ${of.version}`,
    ),
  );
}

type Approved =
  | 'orgId'
  | 'id'
  | 'orderId'
  | 'approvedItems'
  | 'acknowledged'
  | 'overrideReason'
  | 'decidedBy'
  | 'decidedAt';
type Approval = Pick<RequestRow, Approved>;

/** Approves a request. The batch is undone unless the request is still pending. */
export function approveRequest(approval: Approval) {
  return mustChangeOneRow(updateApproved(approval));
}

const updateApproved = prepared((of: Named<Approval>) =>
  orm
    .update(orderRequests)
    .set({
      status: 'approved',
      orderId: sql`${of.orderId}`,
      approvedItems: jsonOf(of.approvedItems),
      acknowledged: jsonOf(of.acknowledged),
      draft: null,
      overrideReason: sql`${of.overrideReason}`,
      needsInfo: false,
      needsInfoCode: null,
      needsInfoNote: null,
      decidedBy: sql`${of.decidedBy}`,
      decidedAt: sql`${of.decidedAt}`,
      updatedAt: sql`${of.decidedAt}`,
    })
    .where(has(orderRequests, { id: of.id, orgId: of.orgId, status: 'pending' })),
);

/**
 * Condition: the request is pending and has expired at `time` (epoch ms). A paid request does not expire. Neither does
 * a request with an open question. `expiresAt` (sweep.ts) must follow the same rules.
 */
function expiredBy(orgId: string, time: Value<number>): Condition {
  return sql`org_id = ${orgId} and status = 'pending' and needs_info = 0 and payment_status <> 'paid'
    and max(created_at + ${EXPIRES_DAYS * DAY_MS}, updated_at + ${EXPIRY_NOTICE_DAYS * DAY_MS}) <= ${time}`;
}

/**
 * Selects pending requests that have expired, oldest first. Also counts the requests that will expire within the period
 * `warned`.
 * @param warned epoch ms
 */
export function selectExpired(orgId: string, now: number, warned: { from: number; to: number }, limit: number) {
  const madeBefore = (time: number) => sql`id < ${firstIdAt(time - (EXPIRES_DAYS - 1) * DAY_MS)}`;
  return {
    expired: orm
      .select({ id: orderRequests.id })
      .from(orderRequests)
      .where(sql`${expiredBy(orgId, now)} and ${madeBefore(now)}`)
      .orderBy(orderRequests.id)
      .limit(limit),
    expiring: orm
      .select({ count: sql<number>`count(*)`.as('expiring') })
      .from(orderRequests)
      .where(
        sql`${expiredBy(orgId, warned.to)} and not (${expiredBy(orgId, warned.from)}) and ${madeBefore(warned.to)}`,
      ),
  };
}

/** Rejects an expired request. The batch is undone if the request is not expired when the batch runs. */
export function expireRequest(orgId: string, id: string, now: number, changes: Changes) {
  return updateOneRow(orderRequests, changes, sql`${orderRequests.id} = ${id} and ${expiredBy(orgId, now)}`);
}

/** Condition for other statements of the batch: the request is still pending. */
export function requestWaits(orgId: string, id: string): Condition {
  return sql`exists (select 1 from ${orderRequests} where id = ${id} and org_id = ${orgId} and status = 'pending')`;
}

/** Condition for writes about a request: it exists and is neither deleted nor erased. */
export function requestIsThere(orgId: string, id: string): Condition {
  return sql`exists (select 1 from ${orderRequests} where id = ${id} and org_id = ${orgId} and status <> 'deleted' and erased_at is null)`;
}

/**
 * The empty values that replace a request's personal data. Deletion, erasure and retention write them. The row stays.
 */
export const ERASED = { ...emptied(orderRequestsFields), items: [] } satisfies Record<
  ErasedKey<typeof orderRequestsFields>,
  unknown
>;

export function selectCursor(name: string) {
  return orm.select().from(sweepCursors).where(eq(sweepCursors.name, name));
}

/**
 * Inserts a cursor at the start of a round. Deletes the other cursors of its kind.
 * @param kind the prefix of the names of these cursors
 */
export function insertOnlyCursor(kind: string, name: string) {
  const others = sql`${sweepCursors.name} >= ${kind} and ${sweepCursors.name} < ${`${kind}~`} and ${sweepCursors.name} <> ${name}`;
  return [orm.delete(sweepCursors).where(others), insertCursor(name)];
}

export function insertCursor(name: string) {
  return orm.insert(sweepCursors).values({ name, position: '', hasMore: false, doneNight: null }).onConflictDoNothing();
}

/**
 * Advances a cursor if its position is unchanged since it was read.
 * @returns no row if another run has advanced the cursor
 */
export function moveCursor(
  name: string,
  from: string,
  to: { position: string; hasMore?: boolean; doneNight?: string | null },
) {
  return orm
    .update(sweepCursors)
    .set(to)
    .where(has(sweepCursors, { name, position: from }))
    .returning({ name: sweepCursors.name });
}

/** Records that an organization has more data to erase than its turn in this round could erase. */
export function markMore(name: string) {
  return orm.update(sweepCursors).set({ hasMore: true }).where(eq(sweepCursors.name, name));
}
