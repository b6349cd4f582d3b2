import { asc, inArray, sql } from 'drizzle-orm';
import { type Condition, inList, insertSelect } from '../platform/data/db';
import { jsonOf, type Named, orm, prepared } from '../platform/data/statements';
import { hasNotLeft } from '../tenants/tables';
import { fileDeletions, prescriptions } from './tables';

/** Puts the files of a request or an order on the deletion list. */
export function giveUpFiles(belongs: Condition, now: number) {
  const row = { fileKey: sql`${prescriptions.fileKey}`, createdAt: now };
  return insertSelect(
    fileDeletions,
    row,
    sql`from ${prescriptions} where ${prescriptions.fileKey} is not null and ${belongs}`,
  ).onConflictDoNothing();
}

/** Puts those of these files that no row refers to on the deletion list. */
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

/** Which of these R2 keys a row refers to; what an organization left behind that has moved away is no such row. */
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
