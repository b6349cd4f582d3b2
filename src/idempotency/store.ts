import { and, eq, isNull, sql } from 'drizzle-orm';
import { has } from '../platform/data/columns';
import { inList, insertSelect } from '../platform/data/db';
import { type Condition, columnsOf, type Named, orm, prepared } from '../platform/data/statements';
import { isSettled } from '../tenants/tables';
import { idempotencyKeys } from './tables';

export type KeyRow = typeof idempotencyKeys.$inferSelect;

/** The columns that identify a key. */
type KeyId = Pick<KeyRow, 'orgId' | 'familyId' | 'key'>;

/** How `ConstraintError` names the primary key, which a second request with the same key violates. */
export const ONE_ROW_A_KEY = 'idempotency_keys.org_id, idempotency_keys.family_id, idempotency_keys.key';

/** Uses the key up. Rolls the batch back if it was used before. */
export const insertKey = prepared((row: Named<KeyRow>, onlyIf: Condition) =>
  insertSelect(idempotencyKeys, columnsOf(idempotencyKeys, row), sql`where ${onlyIf}`),
);

/** Uses the key up, unless it was used before. */
export const insertKeyIfNew = prepared((row: Named<KeyRow>) =>
  insertSelect(idempotencyKeys, columnsOf(idempotencyKeys, row), sql`where true`).onConflictDoNothing(),
);

type Family = Pick<KeyRow, 'orgId' | 'familyId'>;

const isKey = ({ orgId, familyId }: Named<Family>, isMeant: Condition) =>
  and(has(idempotencyKeys, { orgId, familyId }), sql`key ${isMeant}`);

/** Selects the row of a key. @param keys MACs of the key, under several roots */
export const selectKey = prepared((id: Named<Family & { keys: readonly string[] }>) =>
  orm
    .select()
    .from(idempotencyKeys)
    .where(isKey(id, sql`in ${inList(id.keys)}`)),
);

/** Keeps the response of a request, unless an erasure emptied it before. */
export const keepAnswer = prepared((row: Named<KeyId & Pick<KeyRow, 'requestId' | 'status' | 'answer'>>) =>
  orm
    .update(idempotencyKeys)
    .set({ status: sql`${row.status}`, answer: sql`${row.answer}` })
    .where(
      and(isKey(row, sql`= ${row.key}`), eq(idempotencyKeys.requestId, row.requestId), isNull(idempotencyKeys.answer)),
    ),
);

/**
 * Empties the kept responses about erased entities. Responses that arrive later are not kept.
 * @param ids a subquery
 */
export function emptyAnswers(orgId: string, ids: Condition) {
  return orm.update(idempotencyKeys).set({ answer: '' }).where(sql`org_id = ${orgId} and about in ${ids}`);
}

/** Deletes the oldest keys from before a time. */
export function deleteKeysBefore(before: number, limit: number) {
  return orm.delete(idempotencyKeys).where(
    sql`(org_id, family_id, key) in (select org_id, family_id, key from idempotency_keys indexed by idempotency_keys_by_age
      where created_at < ${before} and ${isSettled(sql`org_id`)} order by created_at limit ${limit})`,
  );
}
