import { and, eq, type InferInsertModel, inArray, lt, lte, sql } from 'drizzle-orm';
import { type Condition, type Database, inList, insertSelect } from '../platform/db';
import { ATTEMPTS_MAX } from '../platform/retry';
import { shopHosts } from '../tenants/tables';
import { prescriptions } from './tables';

/** A queue's delay is whole seconds: a doorbell up to this early still finds its row due. */
const EARLY_DOORBELL_MS = 2_000;

/** @param requestExists holds when the request that the prescription belongs to was written by this batch */
export function insertPrescription(
  db: Database,
  row: InferInsertModel<typeof prescriptions>,
  requestExists: Condition,
) {
  return insertSelect(
    db,
    prescriptions,
    row as Required<typeof row>,
    sql`where ${requestExists}`,
  ).onConflictDoNothing();
}

/** Takes prescriptions that wait to be fetched, for one attempt each; nobody else may before the lease ends. */
export function claimFetches(db: Database, ids: readonly string[], now: number, leaseUntil: number) {
  return db.orm
    .update(prescriptions)
    .set({ fetchAttempts: sql`${prescriptions.fetchAttempts} + 1`, nextFetchAt: leaseUntil })
    .where(
      and(
        inArray(prescriptions.id, inList(ids)),
        eq(prescriptions.status, 'fetching'),
        lte(prescriptions.nextFetchAt, now + EARLY_DOORBELL_MS),
        lt(prescriptions.fetchAttempts, ATTEMPTS_MAX),
      ),
    )
    .returning({
      id: prescriptions.id,
      attempt: prescriptions.fetchAttempts,
      url: prescriptions.sourceUrl,
      isOwnHost:
        sql<number>`exists (select 1 from ${shopHosts} where ${shopHosts.host} = ${prescriptions.sourceHost})`.as(
          'is_own_host',
        ),
    });
}

export type ClaimedFetch = Awaited<ReturnType<typeof claimFetches>>[number];

/** Ends an attempt, if this claim still holds it. */
export function finishFetch(
  db: Database,
  held: { id: string; attempt: number },
  changes: Partial<InferInsertModel<typeof prescriptions>>,
) {
  return db.orm
    .update(prescriptions)
    .set(changes)
    .where(
      and(
        eq(prescriptions.id, held.id),
        eq(prescriptions.fetchAttempts, held.attempt),
        eq(prescriptions.status, 'fetching'),
      ),
    );
}

/** Prescriptions whose doorbell was missed or whose claimer never came back. */
export function selectDueFetches(db: Database, before: number, limit: number) {
  return db.orm
    .select({ id: prescriptions.id, attempt: prescriptions.fetchAttempts })
    .from(prescriptions)
    .where(and(sql`status = 'fetching'`, lte(prescriptions.nextFetchAt, before), lte(prescriptions.createdAt, before)))
    .orderBy(prescriptions.nextFetchAt)
    .limit(limit);
}

/** Which of these R2 keys a row names. */
export function selectReferenced(db: Database, fileKeys: readonly string[]) {
  return db.orm
    .select({ fileKey: prescriptions.fileKey })
    .from(prescriptions)
    .where(and(sql`file_key is not null`, inArray(prescriptions.fileKey, inList(fileKeys))));
}
