import { and, eq, gt, lt } from 'drizzle-orm';
import { orm } from '../../../platform/data/statements';
import { staffPageData } from '../../tables';

interface Key {
  id: string;
  memberId: string;
  now: number;
}

export function deleteExpiredPageData(now: number) {
  return orm.delete(staffPageData).where(lt(staffPageData.expiresAt, now));
}

/** Replaces an earlier text of the same id and person. */
export function putPageData(row: typeof staffPageData.$inferInsert) {
  const { memberId, sealed, expiresAt } = row;
  return orm
    .insert(staffPageData)
    .values(row)
    .onConflictDoUpdate({
      target: staffPageData.id,
      set: { sealed, expiresAt },
      setWhere: eq(staffPageData.memberId, memberId),
    });
}

export function selectPageData(key: Key) {
  return orm.select({ sealed: staffPageData.sealed }).from(staffPageData).where(isOf(key));
}

/** Deletes and returns the text: of two requests at the same moment only one gets it. */
export function takePageData(key: Key) {
  return orm.delete(staffPageData).where(isOf(key)).returning({ sealed: staffPageData.sealed });
}

function isOf({ id, memberId, now }: Key) {
  return and(eq(staffPageData.id, id), eq(staffPageData.memberId, memberId), gt(staffPageData.expiresAt, now));
}
