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
import { ATTEMPTS_MAX } from '../platform/queue/retry';
import { organizations } from '../platform/tables';
import type { SignatureVerdict } from '../signatures/result';
import { hasNotLeft, isSettled, shopHosts } from '../tenants/tables';
import { prescriptionsFields } from './fields';
import { type CoveredLine, fileDeletions, prescriptions } from './tables';

/**
 * How early a queue message may arrive and still find its row due. It may be early because a queue's delay has only
 * whole seconds.
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
 * The INSERT of a prescription.
 * @param requestExists the condition that the batch wrote the prescription's request
 */
export const insertPrescription = prepared(
  (row: Named<Omit<PrescriptionRow, keyof typeof UNREVIEWED>>, requestExists: Condition) =>
    insertSelect(prescriptions, { ...columnsOf(prescriptions, row), ...UNREVIEWED }, sql`where ${requestExists}`)
      .onConflictDoNothing()
      .returning({ id: prescriptions.id }),
);

/**
 * The statement that claims prescriptions to fetch, for one attempt each. Nobody else can claim them before the lease
 * ends.
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

/** The statement that ends an attempt, unless a later claim has been made. */
export function finishFetch(claim: { id: string; attempt: number }, changes: Partial<PrescriptionRow>) {
  return orm
    .update(prescriptions)
    .set(changes)
    .where(has(prescriptions, { id: claim.id, fetchAttempts: claim.attempt, status: 'fetching' }));
}

/** Prescriptions whose queue message was lost or whose claimer did not finish. */
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

/** The most attempts to check the signatures of a file. If no attempt finishes, the file cannot be checked. */
export const CHECKS_MAX = 2;

/**
 * The statement that claims a check of signatures. Nobody else can claim the check before the lease ends, with one
 * exception: a message that was delivered more often than the check was claimed. Such a message shows that every
 * earlier attempt was aborted.
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
        lt(prescriptions.checkAttempts, CHECKS_MAX),
        sql`(next_check_at <= ${now + EARLY_MESSAGE_MS} or (next_check_at is not null and check_attempts < ${deliveries}))`,
        isSettled(prescriptions.orgId),
      ),
    )
    .returning({ fileKey: prescriptions.fileKey, attempt: prescriptions.checkAttempts });
}

/** Checks whose queue message was lost or whose claimer did not finish. */
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

/** The prescription of a claimed check, unless its check was claimed again or ended since. */
export function selectClaimedCheck(id: string, attempt: number) {
  return orm
    .select()
    .from(prescriptions)
    .where(and(has(prescriptions, { id, status: 'stored', checkAttempts: attempt }), sql`next_check_at is not null`));
}

/** The prescriptions of an order and its request; a row may refer to either. */
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

/** As `selectPrescriptionsOf`, for several orders and requests. @param orderIds a subquery, like `requestIds` */
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
 * The statement that changes a prescription. The batch is undone if a column that `same` names has changed since the
 * prescription was read.
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
 * The statement that empties the rows of prescriptions. Only the fact that they existed remains, but approved ones keep
 * the marks that reveal a second redemption.
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

/** The statement that empties the marks of erased prescriptions that were approved before this time. */
export function forgetMarks(approvedBefore: number, limit: number) {
  const due = sql`(select id from ${prescriptions} where status = 'erased' and file_mark is not null
    and approved_at < ${approvedBefore} limit ${limit})`;
  return orm.update(prescriptions).set({ fileMark: null, signatureMark: null }).where(sql`id in ${due}`);
}

const MARKS = ['fileMark', 'signatureMark'] as const;
export type Mark = (typeof MARKS)[number];

/** One row with one of these marks that a prescription of the organization has; no row if none of them does. */
export function selectKnownMark(orgId: string, marks: readonly string[]) {
  const having = (mark: Mark) =>
    orm
      .select({ mark: sql<string>`${prescriptions[mark]}`.as('mark') })
      .from(prescriptions)
      .where(and(eq(prescriptions.orgId, orgId), inArray(prescriptions[mark], inList(marks))));
  return having('fileMark').unionAll(having('signatureMark')).limit(1);
}

/** The marks of stored files that were made under a root secret, each with the hash from which it is made. */
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

/** The statement that replaces a mark in all prescriptions of the organization, including erased ones. */
export function replaceMark(mark: Mark, { orgId, from, to }: { orgId: string; from: string; to: string }) {
  return orm
    .update(prescriptions)
    .set({ [mark]: to })
    .where(and(eq(prescriptions.orgId, orgId), eq(prescriptions[mark], from)));
}

/**
 * A text that is equal for prescriptions in the same version. It has the id, file hash, status, and approval and
 * set-aside times of each.
 */
export function versionOf(rows: readonly Versioned[]): string {
  return rows.map(stateOf).sort().join(' ');
}

type Versioned = Pick<PrescriptionRow, 'id' | 'sha256' | 'status' | 'approvedAt' | 'setAsideAt'>;

function stateOf({ id, sha256, status, approvedAt, setAsideAt }: Versioned): string {
  return [id, sha256, status, approvedAt, setAsideAt].join(':');
}

/**
 * Condition: a request has exactly these prescriptions, in the same version (`versionOf`). It is for writes of other
 * slices.
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
 * Condition: the approved prescriptions of a request or an order together cover what is needed. It has the rule of
 * `uncoveredBy`, for writes of other slices.
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

/** A subquery of the ids of the products that approved prescriptions of a request cover. */
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

/** The prescriptions of many requests; `requestIds` is a subquery. */
export function selectPrescriptionsOfRequests(orgId: Value<string>, requestIds: Condition) {
  return orm
    .select()
    .from(prescriptions)
    .where(and(eq(prescriptions.orgId, orgId), sql`order_request_id in ${requestIds}`));
}

/** The columns that a list shows of the prescriptions of many requests; `requestIds` is a subquery. */
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

/** A subquery of the ids of prescriptions: those of the requests and orders that two other subqueries select. */
export function prescriptionIdsIn(of: { requestIds: Condition; orderIds: Condition }): Condition {
  return sql`(select id from ${prescriptions} where ${belongsTo(of)})`;
}

/** The statement that puts the files of the matching prescriptions on the deletion list. */
export function giveUpFiles(belongs: Condition, now: number) {
  const row = { fileKey: sql`${prescriptions.fileKey}`, createdAt: now };
  return insertSelect(
    fileDeletions,
    row,
    sql`from ${prescriptions} where ${prescriptions.fileKey} is not null and ${belongs}`,
  ).onConflictDoNothing();
}

/** The statement that puts files on the deletion list unless a row refers to them. */
export const giveUpUnlessNamed = prepared(({ fileKeys, now }: Named<{ fileKeys: readonly string[]; now: number }>) =>
  insertSelect(
    fileDeletions,
    { fileKey: sql`stored.value`, createdAt: now },
    sql`from json_each(${jsonOf(fileKeys)}) as stored
      where not exists (select 1 from ${prescriptions} where file_key = stored.value)`,
  ).onConflictDoNothing(),
);

/** The files that have been on the deletion list longest, except those that a row refers to. */
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

/** Which of these R2 keys a row refers to. Rows left behind by an organization that has moved away do not count. */
export function selectReferenced(fileKeys: readonly string[]) {
  return orm
    .select({ fileKey: prescriptions.fileKey })
    .from(prescriptions)
    .where(
      sql`file_key is not null and ${inArray(prescriptions.fileKey, inList(fileKeys))} and ${hasNotLeft(sql`org_id`)}`,
    );
}

/** Which of these R2 keys a row refers to or the deletion list contains. */
export function selectExplained(fileKeys: readonly string[]) {
  const listed = orm
    .select({ fileKey: fileDeletions.fileKey })
    .from(fileDeletions)
    .where(inArray(fileDeletions.fileKey, inList(fileKeys)));
  return selectReferenced(fileKeys).unionAll(listed);
}
