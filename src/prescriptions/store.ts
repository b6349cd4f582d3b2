import { and, asc, eq, type InferSelectModel, inArray, lt, lte, sql } from 'drizzle-orm';
import { isHostListed } from '../directory/store';
import { has, isStill, isUnder, pick } from '../platform/data/columns';
import { inList, insertSelect, mustChangeOneRow } from '../platform/data/db';
import {
  type Condition,
  columnsOf,
  jsonOf,
  type Named,
  orm,
  prepared,
  preparedCondition,
  type Value,
} from '../platform/data/statements';
import { emptied } from '../platform/fields';
import { ATTEMPTS_MAX } from '../platform/limits';
import { organizations } from '../platform/tables';
import type { SignatureVerdict } from '../signatures/result';
import { hasNotLeft, isSettled, shopHosts } from '../tenants/tables';
import { prescriptionsFields } from './fields';
import { SIGNATURE_CHECKS_MAX } from './limits';
import { type CoveredLine, fileDeletions, prescriptions } from './tables';

/**
 * How early a queue message may arrive and still find its row due. A message can be early, because a queue's delay has
 * only whole seconds.
 */
const EARLY_MESSAGE_MS = 2_000;

/** Empty values of the columns that are filled after the prescription was filed. */
const UNREVIEWED = {
  orderId: null,
  approvedAt: null,
  approvedBy: null,
  approvedLines: null,
  checkedAs: null,
  issuedOn: null,
  setAsideAt: null,
  setAsideBy: null,
  setAsideReason: null,
  signatureMark: null,
  signatureProvider: null,
  signatureReference: null,
  signedAt: null,
  signatureReport: null,
  verifiedWith: null,
  checkAttempts: 0,
};

/**
 * Returns the INSERT of a prescription.
 * @param requestExists the condition that the batch has written the prescription's request
 */
export const insertPrescription = prepared(
  (row: Named<Omit<PrescriptionRow, keyof typeof UNREVIEWED>>, requestExists: Condition) =>
    insertSelect(prescriptions, { ...columnsOf(prescriptions, row), ...UNREVIEWED }, sql`where ${requestExists}`)
      .onConflictDoNothing()
      .returning({ id: prescriptions.id }),
);

/**
 * Returns the statement that claims prescriptions for one attempt to fetch each. Nobody else can claim them before the
 * lease ends.
 */
export function claimFetches(ids: readonly string[], now: number, leaseUntil: number) {
  return orm
    .update(prescriptions)
    .set({ fetchAttempts: sql`${prescriptions.fetchAttempts} + 1`, nextFetchAt: leaseUntil })
    .where(
      and(
        inArray(prescriptions.id, inList(ids)),
        eq(prescriptions.status, 'fetching'),
        lte(prescriptions.nextFetchAt, now + EARLY_MESSAGE_MS),
        lt(prescriptions.fetchAttempts, ATTEMPTS_MAX),
        isSettled(prescriptions.orgId),
      ),
    )
    .returning({
      id: prescriptions.id,
      orgId: prescriptions.orgId,
      shopId: prescriptions.shopId,
      orderRequestId: prescriptions.orderRequestId,
      attempt: prescriptions.fetchAttempts,
      url: prescriptions.sourceUrl,
      // Table names are written out: Drizzle omits them in a statement about one table.
      host: prescriptions.sourceHost,
      isOwnHost: sql<number>`(exists (select 1 from ${shopHosts} as own where own.host = prescriptions.source_host)
        or ${isHostListed(sql`prescriptions.source_host`)})`.as('is_own_host'),
    });
}

export type ClaimedFetch = Awaited<ReturnType<typeof claimFetches>>[number];

/** Returns the statement that ends an attempt. It changes nothing if the prescription was claimed again. */
export function finishFetch(claim: { id: string; attempt: number }, changes: Partial<PrescriptionRow>) {
  return orm
    .update(prescriptions)
    .set(changes)
    .where(has(prescriptions, { id: claim.id, fetchAttempts: claim.attempt, status: 'fetching' }));
}

/** Selects prescriptions whose fetch is due. Their queue message was lost, or the claimer did not finish. */
export function selectDueFetches(before: number, limit: number) {
  return orm
    .select({ id: prescriptions.id, attempt: prescriptions.fetchAttempts })
    .from(prescriptions)
    .where(
      and(
        sql`status = 'fetching'`,
        lte(prescriptions.nextFetchAt, before),
        lte(prescriptions.createdAt, before),
        isSettled(prescriptions.orgId),
      ),
    )
    .orderBy(prescriptions.nextFetchAt)
    .limit(limit);
}

/**
 * Returns the statement that claims a check of signatures. Nobody else can claim the check before the lease ends, with
 * one exception: a message that was delivered more often than the check was claimed may claim it. Such a message shows
 * that every earlier attempt was aborted.
 */
export function claimCheck(
  id: string,
  { now, leaseUntil, deliveries }: { now: number; leaseUntil: number; deliveries: number },
) {
  return orm
    .update(prescriptions)
    .set({ checkAttempts: sql`${prescriptions.checkAttempts} + 1`, nextCheckAt: leaseUntil })
    .where(
      and(
        has(prescriptions, { id, status: 'stored' }),
        lt(prescriptions.checkAttempts, SIGNATURE_CHECKS_MAX),
        sql`(next_check_at <= ${now + EARLY_MESSAGE_MS} or (next_check_at is not null and check_attempts < ${deliveries}))`,
        isSettled(prescriptions.orgId),
      ),
    )
    .returning({ fileKey: prescriptions.fileKey, attempt: prescriptions.checkAttempts });
}

/**
 * Selects prescriptions whose check of signatures is due. Their queue message was lost, or the claimer did not finish.
 */
export function selectDueChecks(before: number, limit: number) {
  return orm
    .select()
    .from(prescriptions)
    .where(
      and(
        sql`next_check_at is not null`,
        lte(prescriptions.nextCheckAt, before),
        eq(prescriptions.status, 'stored'),
        isSettled(prescriptions.orgId),
      ),
    )
    .orderBy(prescriptions.nextCheckAt)
    .limit(limit);
}

/** Selects the prescription of a claimed check. Returns no row if the check was claimed again, or has ended. */
export function selectClaimedCheck(id: string, attempt: number) {
  return orm
    .select()
    .from(prescriptions)
    .where(and(has(prescriptions, { id, status: 'stored', checkAttempts: attempt }), sql`next_check_at is not null`));
}

/** Selects the prescriptions of an order and of its request. A prescription refers to one of the two. */
export function selectPrescriptionsOf(
  orgId: Value<string>,
  by: { orderId?: string; orderRequestId: Value<string> | Condition },
) {
  return orm
    .select()
    .from(prescriptions)
    .where(
      and(
        eq(prescriptions.orgId, orgId),
        sql`(order_request_id = ${by.orderRequestId} or order_id = ${by.orderId ?? null})`,
      ),
    )
    .orderBy(prescriptions.id);
}

/** Like `selectPrescriptionsOf`, for several orders and requests. @param orderIds a subquery, like `requestIds` */
export function selectPrescriptionsOfOrders(orgId: string, orderIds: Condition, requestIds: Condition) {
  return orm
    .select()
    .from(prescriptions)
    .where(and(eq(prescriptions.orgId, orgId), sql`(order_request_id in ${requestIds} or order_id in ${orderIds})`))
    .orderBy(prescriptions.id);
}

export type PrescriptionRow = InferSelectModel<typeof prescriptions>;

export function selectPrescription(orgId: string, id: string) {
  return orm.select().from(prescriptions).where(has(prescriptions, { orgId, id }));
}

/**
 * Returns the write that changes a prescription. The batch is undone if a column that `same` names has changed since
 * the prescription was read.
 */
export function updatePrescriptionIf(
  read: PrescriptionRow,
  same: readonly (keyof PrescriptionRow)[],
  changes: Partial<PrescriptionRow>,
) {
  const write = orm
    .update(prescriptions)
    .set(changes)
    .where(and(has(prescriptions, { orgId: read.orgId, id: read.id }), isStill(prescriptions, pick(read, same))))
    .returning({ id: prescriptions.id });
  return mustChangeOneRow(write);
}

/**
 * Returns the statement that erases prescriptions. Only the fact that they existed remains. Approved ones also keep the
 * marks that reveal a second redemption.
 */
export function erasePrescriptions(belongs: Condition, now: number) {
  return orm
    .update(prescriptions)
    .set({
      ...emptied(prescriptionsFields),
      fileMark: sql`case when approved_at is null then null else file_mark end`,
      signatureMark: sql`case when approved_at is null then null else signature_mark end`,
      status: 'erased',
      updatedAt: now,
    })
    .where(belongs);
}

/**
 * Returns the statement that empties the marks of erased prescriptions that were approved before `approvedBefore`
 * (epoch ms).
 */
export function forgetMarks(approvedBefore: number, limit: number) {
  const due = sql`(select id from ${prescriptions} where status = 'erased' and file_mark is not null
    and approved_at < ${approvedBefore} limit ${limit})`;
  return orm.update(prescriptions).set({ fileMark: null, signatureMark: null }).where(sql`id in ${due}`);
}

const MARKS = ['fileMark', 'signatureMark'] as const;
export type Mark = (typeof MARKS)[number];

/**
 * Selects one of these marks that some prescription of the organization has. Returns no row if no prescription has any.
 */
export function selectKnownMark(orgId: string, marks: readonly string[]) {
  const having = (mark: Mark) =>
    orm
      .select({ mark: sql<string>`${prescriptions[mark]}`.as('mark') })
      .from(prescriptions)
      .where(and(eq(prescriptions.orgId, orgId), inArray(prescriptions[mark], inList(marks))));
  return having('fileMark').unionAll(having('signatureMark')).limit(1);
}

/** Selects stored files' marks under a root secret, each with the hash from which it was made. */
export function selectMarksUnder(mark: Mark, rootId: string, limit: number) {
  const signed = sql<string | null>`json_extract(${prescriptions.signatureReport},
    '$.signatures[' || json_extract(${prescriptions.signatureReport}, '$.anchor') || '].valueHash')`;
  const { orgId, sha256 } = prescriptions;
  return orm
    .select({
      orgId,
      from: prescriptions[mark],
      hash: (mark === 'fileMark' ? sql<string | null>`${sha256}` : signed).as('hash'),
    })
    .from(prescriptions)
    .where(
      and(
        isUnder(prescriptions[mark], rootId),
        sql`org_id in (select id from ${organizations})`,
        eq(prescriptions.status, 'stored'),
        isSettled(orgId),
      ),
    )
    .limit(limit);
}

/** Returns the statement that replaces a mark in all prescriptions of the organization, including erased ones. */
export function replaceMark(mark: Mark, { orgId, from, to }: { orgId: string; from: string; to: string }) {
  return orm
    .update(prescriptions)
    .set({ [mark]: to })
    .where(and(eq(prescriptions.orgId, orgId), eq(prescriptions[mark], from)));
}

/**
 * Returns a text that changes when one of the prescriptions changes. For each prescription, the text has the id, the
 * file's hash, the status, and the times of approval and setting aside.
 */
export function versionOf(rows: readonly Versioned[]): string {
  return rows.map(stateOf).sort().join(' ');
}

type Versioned = Pick<PrescriptionRow, 'id' | 'sha256' | 'status' | 'approvedAt' | 'setAsideAt'>;

function stateOf({ id, sha256, status, approvedAt, setAsideAt }: Versioned): string {
  return [id, sha256, status, approvedAt, setAsideAt].join(':');
}

/**
 * Condition: a request has exactly these prescriptions, and none of them has changed (`versionOf`). Other slices put it
 * into their writes.
 */
export function prescriptionsAre(orgId: string, orderRequestId: string, rows: readonly Versioned[]): Condition {
  return whichAre({ orgId, orderRequestId, states: rows.map(stateOf) });
}

const whichAre = preparedCondition(
  ({ orgId, orderRequestId, states }: Named<{ orgId: string; orderRequestId: string; states: readonly string[] }>) => {
    const state = sql`each.id || ':' || coalesce(each.sha256, '') || ':' || each.status || ':'
      || coalesce(each.approved_at, '') || ':' || coalesce(each.set_aside_at, '')`;
    const theirs = sql`from ${prescriptions} as each where each.org_id = ${orgId} and each.order_request_id = ${orderRequestId}`;
    return sql`(select count(*) ${theirs} and ${state} in ${inList(states)}) = json_array_length(${jsonOf(states)})
      and not exists (select 1 ${theirs} and ${state} not in ${inList(states)})`;
  },
);

interface Covering {
  orgId: string;
  orderRequestId: string | null;
  orderId: string | null;
  needed: readonly CoveredLine[];
}

/**
 * Condition: the approved prescriptions of a request or an order together cover what is needed, by the same rule as
 * `uncoveredBy`. Other slices put it into their writes.
 */
export const prescriptionsCover = preparedCondition(({ orgId, orderRequestId, orderId, needed }: Named<Covering>) => {
  const covered = sql`select sum(json_extract(line.value, '$.quantity'))
    from ${prescriptions} as given, json_each(given.approved_lines) as line
    where given.org_id = ${orgId} and given.status = 'stored'
      and (given.order_request_id = ${orderRequestId} or given.order_id = ${orderId})
      and json_extract(line.value, '$.p1Id') = json_extract(need.value, '$.p1Id')`;
  return sql`not exists (select 1 from json_each(${jsonOf(needed)}) as need
    where json_extract(need.value, '$.quantity') > coalesce((${covered}), 0))`;
});

/** Returns a subquery of the ids of the products that the approved prescriptions of a request cover. */
export function productsCovered(orderRequestId: Value<string>): Condition {
  return sql`select json_extract(line.value, '$.p1Id') from ${prescriptions} as given, json_each(given.approved_lines) as line
    where given.order_request_id = ${orderRequestId}`;
}

type FileColumn = 'fileKey' | 'sha256' | 'fileMark' | 'sizeBytes' | 'fileFault';

export function insertUploaded({
  now,
  ...columns
}: Pick<PrescriptionRow, 'id' | 'orgId' | 'shopId' | 'orderRequestId' | 'orderId' | FileColumn> & { now: number }) {
  return orm
    .insert(prescriptions)
    .values({
      ...columns,
      origin: 'staff',
      status: 'stored',
      fetchAttempts: 0,
      nextFetchAt: 0,
      nextCheckAt: now,
      createdAt: now,
      updatedAt: now,
    })
    .returning({ id: prescriptions.id });
}

/** Selects the prescriptions of many requests. `requestIds` is a subquery. */
export function selectPrescriptionsOfRequests(orgId: Value<string>, requestIds: Condition) {
  return orm
    .select()
    .from(prescriptions)
    .where(and(eq(prescriptions.orgId, orgId), sql`order_request_id in ${requestIds}`));
}

/** Selects those columns of many requests' prescriptions that lists show. `requestIds` is a subquery. */
export function selectPrescriptionStates(orgId: Value<string>, requestIds: Condition) {
  return orm
    .select({
      ...pick(prescriptions, [
        'id',
        'orderRequestId',
        'status',
        'approvedAt',
        'approvedLines',
        'checkedAs',
        'verifiedWith',
        'issuedOn',
        'setAsideAt',
        'fetchFailure',
      ]),
      signatureReport: sql<SignatureVerdict | null>`json_remove(${prescriptions.signatureReport}, '$.signatures')`
        .mapWith((json: string) => JSON.parse(json) as SignatureVerdict | null)
        .as('verdict'),
    })
    .from(prescriptions)
    .where(and(eq(prescriptions.orgId, orgId), sql`order_request_id in ${requestIds}`));
}

export type PrescriptionState = Awaited<ReturnType<typeof selectPrescriptionStates>>[number];

export function belongsTo({ requestIds, orderIds }: { requestIds: Condition; orderIds: Condition }): Condition {
  return sql`(order_request_id in ${requestIds} or order_id in ${orderIds})`;
}

/** Returns a subquery of the ids of the prescriptions of requests and orders. `of` has a subquery for each. */
export function prescriptionIdsIn(of: { requestIds: Condition; orderIds: Condition }): Condition {
  return sql`(select id from ${prescriptions} where ${belongsTo(of)})`;
}

/**
 * Returns the statement that puts the files of prescriptions on the deletion list. @param belongs the condition that
 * selects the prescriptions
 */
export function giveUpFiles(belongs: Condition, now: number) {
  const row = { fileKey: sql`${prescriptions.fileKey}`, createdAt: now };
  return insertSelect(
    fileDeletions,
    row,
    sql`from ${prescriptions} where ${prescriptions.fileKey} is not null and ${belongs}`,
  ).onConflictDoNothing();
}

/** Returns the statement that puts files on the deletion list, except files that a row refers to. */
export const giveUpUnlessNamed = prepared(({ fileKeys, now }: Named<{ fileKeys: readonly string[]; now: number }>) =>
  insertSelect(
    fileDeletions,
    { fileKey: sql`stored.value`, createdAt: now },
    sql`from json_each(${jsonOf(fileKeys)}) as stored
      where not exists (select 1 from ${prescriptions} where file_key = stored.value)`,
  ).onConflictDoNothing(),
);

/** Selects the files that have been on the deletion list longest, except files that a row refers to. */
export function selectFileDeletions(limit: number) {
  return orm
    .select()
    .from(fileDeletions)
    .where(sql`not exists (select 1 from ${prescriptions} as named where named.file_key = file_deletions.file_key)`)
    .orderBy(asc(fileDeletions.createdAt))
    .limit(limit);
}

export function deleteFileDeletions(fileKeys: readonly string[]) {
  return orm.delete(fileDeletions).where(inArray(fileDeletions.fileKey, inList(fileKeys)));
}

/**
 * Selects those of these R2 keys that a row refers to. Rows that an organization left behind when it moved away do not
 * count.
 */
export function selectReferenced(fileKeys: readonly string[]) {
  return orm
    .select({ fileKey: prescriptions.fileKey })
    .from(prescriptions)
    .where(
      sql`file_key is not null and ${inArray(prescriptions.fileKey, inList(fileKeys))} and ${hasNotLeft(sql`org_id`)}`,
    );
}

/** Selects those of these R2 keys that a row refers to or that are on the deletion list. */
export function selectExplained(fileKeys: readonly string[]) {
  const listed = orm
    .select({ fileKey: fileDeletions.fileKey })
    .from(fileDeletions)
    .where(inArray(fileDeletions.fileKey, inList(fileKeys)));
  return selectReferenced(fileKeys).unionAll(listed);
}
