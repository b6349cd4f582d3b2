import { and, eq, gt, lt } from 'drizzle-orm';
import type { Database } from '../../platform/db';
import { staffPageData } from '../tables';

interface Key {
  id: string;
  memberId: string;
  now: number;
}

export function deleteExpiredPageData(db: Database, now: number) {
  return db.orm.delete(staffPageData).where(lt(staffPageData.expiresAt, now));
}

/** Replaces an earlier text of the same id and person. */
export function putPageData(db: Database, row: { id: string; memberId: string; sealed: string; expiresAt: number }) {
  const { memberId: userId, ...rest } = row;
  const { sealed, expiresAt } = row;
  return db.orm
    .insert(staffPageData)
    .values({ ...rest, userId })
    .onConflictDoUpdate({
      target: staffPageData.id,
      set: { sealed, expiresAt },
      setWhere: eq(staffPageData.userId, userId),
    });
}

export function selectPageData(db: Database, key: Key) {
  return db.orm.select({ sealed: staffPageData.sealed }).from(staffPageData).where(isOf(key));
}

/** Deletes and returns the text: of two requests at the same moment only one gets it. */
export function takePageData(db: Database, key: Key) {
  return db.orm.delete(staffPageData).where(isOf(key)).returning({ sealed: staffPageData.sealed });
}

function isOf({ id, memberId, now }: Key) {
  return and(eq(staffPageData.id, id), eq(staffPageData.userId, memberId), gt(staffPageData.expiresAt, now));
}
