import { and, eq, isNull, sql } from 'drizzle-orm';
import { has } from '../platform/data/columns';
import { inList, insertSelect } from '../platform/data/db';
import { type Condition, columnsOf, type Named, orm, prepared } from '../platform/data/statements';
import { isSettled } from '../tenants/tables';
import { idempotencyKeys } from './tables';

export type KeyRow = typeof idempotencyKeys.$inferSelect;

/** The columns that identify a key. */
type KeyId = Pick<KeyRow, 'orgId' | 'familyId' | 'key'>;

/** The name of the primary key in a `ConstraintError`. A second request with the same key violates it. */
export const ONE_ROW_A_KEY = 'idempotency_keys.org_id, idempotency_keys.family_id, idempotency_keys.key';

/**
 * Inserts the row of a key if `onlyIf` holds. This uses the key up. Rolls the batch back if the key was used before.
 */
export const insertKey = prepared((row: Named<KeyRow>, onlyIf: Condition) =>
  insertSelect(idempotencyKeys, columnsOf(idempotencyKeys, row), sql`where ${onlyIf}`),
);

/** Inserts the row of a key. This uses the key up. Does nothing if the key was used before. */
export const insertKeyIfNew = prepared((row: Named<KeyRow>) =>
  insertSelect(idempotencyKeys, columnsOf(idempotencyKeys, row), sql`where true`).onConflictDoNothing(),
);

type Family = Pick<KeyRow, 'orgId' | 'familyId'>;

const isKey = ({ orgId, familyId }: Named<Family>, isMeant: Condition) =>
  and(has(idempotencyKeys, { orgId, familyId }), sql`key ${isMeant}`);

/** Selects the row of a key. @param keys MACs of the same key, each made under another root secret */
export const selectKey = prepared((id: Named<Family & { keys: readonly string[] }>) =>
  orm
    .select()
    .from(idempotencyKeys)
    .where(isKey(id, sql`in ${inList(id.keys)}`)),
);

/**
 * Stores the response of a request in the row of its key. Does nothing if a response is stored already, or if an
 * erasure emptied it.
 */
export const keepAnswer = prepared((row: Named<KeyId & Pick<KeyRow, 'requestId' | 'status' | 'answer'>>) =>
  orm
    .update(idempotencyKeys)
    .set({ status: sql`${row.status}`, answer: sql`${row.answer}` })
    .where(
      and(isKey(row, sql`= ${row.key}`), eq(idempotencyKeys.requestId, row.requestId), isNull(idempotencyKeys.answer)),
    ),
);

/**
 * Empties the kept responses about erased entities. A response that arrives after the erasure is not kept.
 * @param ids a subquery of the entities' ids
 */
export function emptyAnswers(orgId: string, ids: Condition) {
  return orm.update(idempotencyKeys).set({ answer: '' }).where(sql`org_id = ${orgId} and about in ${ids}`);
}

/** Deletes keys that were created before a time, the oldest first. Skips keys of organizations that are being moved. */
export function deleteKeysBefore(before: number, limit: number) {
  return orm.delete(idempotencyKeys).where(
    sql`(org_id, family_id, key) in (select org_id, family_id, key from idempotency_keys indexed by idempotency_keys_by_age
      where created_at < ${before} and ${isSettled(sql`org_id`)} order by created_at limit ${limit})`,
  );
}
