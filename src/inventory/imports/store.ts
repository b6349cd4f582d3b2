import { and, desc, eq, gt, gte, isNull, sql } from 'drizzle-orm';
import { isRecorded } from '../../audit/store';
import { catalogProducts, isVisible } from '../../catalog/tables';
import { has, pick } from '../../platform/data/columns';
import { assertInBatch, inList, insertSelect } from '../../platform/data/db';
import { type Condition, orm, type Statement } from '../../platform/data/statements';
import { inventoryImports as imports, inventory, inventoryImportParts as parts } from '../tables';

export interface NewImport {
  id: string;
  orgId: string;
  header: readonly string[];
  ignored: readonly string[];
  createdAt: number;
  expiresAt: number;
}

/** Begins an import, unless it has begun already. Nobody sees it before `completeImport`. */
export function beginImport({ header, ignored, ...row }: NewImport) {
  return orm
    .insert(imports)
    .values({ ...row, lineCount: 0, header: JSON.stringify(header), ignored: JSON.stringify(ignored) })
    .onConflictDoNothing();
}

export function insertPart(part: { importId: string; place: number; lines: string; preview: string }, orgId: string) {
  const mine = sql`from ${imports} where ${imports.id} = ${part.importId} and ${imports.orgId} = ${orgId}`;
  return insertSelect(parts, { ...part, outcome: null }, mine).onConflictDoNothing();
}

interface Complete {
  id: string;
  orgId: string;
  lineCount: number;
  partCount: number;
}

/** Makes an import visible. The batch fails unless all its parts are stored. */
export function completeImport({ id, orgId, lineCount, partCount }: Complete): Statement[] {
  return [
    orm.update(imports).set({ lineCount }).where(has(imports, { id, orgId })),
    assertInBatch(sql`(select count(*) from ${parts} where ${parts.importId} = ${id}) = ${partCount}`),
  ];
}

/** Deletes all but the newest imports of an organization. */
export function deleteOlder(orgId: string, keptMax: number): Statement[] {
  return deleteImports(sql`select id from ${imports} where org_id = ${orgId}
    order by created_at desc limit -1 offset ${keptMax}`);
}

/** Deletes at most `most` expired imports, beginning with the one that expired first. */
export function deleteExpired(now: number, most: number): Statement[] {
  return deleteImports(sql`select id from ${imports} where expires_at < ${now} order by expires_at limit ${most}`);
}

function deleteImports(ids: Condition): Statement[] {
  return [
    orm.delete(parts).where(sql`${parts.importId} in (${ids})`),
    orm.delete(imports).where(sql`${imports.id} in (${ids})`),
  ];
}

export interface Key {
  orgId: string;
  id: string;
  now: number;
}

function isOf({ orgId, id, now }: Key) {
  return and(has(imports, { id, orgId }), isShown(now));
}

function isShown(now: number) {
  return and(gt(imports.lineCount, 0), gt(imports.expiresAt, now));
}

export function selectImport(key: Key) {
  return orm.select().from(imports).where(isOf(key));
}

/** Reads the outcome and the preview of each part, in order. The outcome is null until the part is processed. */
export function selectOutcomes(key: Key) {
  return orm
    .select(pick(parts, ['place', 'preview', 'outcome']))
    .from(parts)
    .where(sql`${parts.importId} in (select id from ${imports} where ${isOf(key)})`)
    .orderBy(parts.place);
}

/** Reads the organization's names of these products. */
export function selectNames(orgId: string, p1Ids: readonly string[]) {
  return orm
    .select({
      p1Id: catalogProducts.p1Id,
      name: sql<string>`coalesce(${inventory.name}, ${catalogProducts.name})`.as('shown_name'),
    })
    .from(catalogProducts)
    .leftJoin(inventory, and(eq(inventory.orgId, orgId), eq(inventory.p1Id, catalogProducts.p1Id)))
    .where(and(sql`${catalogProducts.p1Id} in ${inList(p1Ids)}`, isVisible(orgId)));
}

/** Reads the lines and the outcome of at most `limit` parts, in order, beginning with the part `place`. */
export function selectLines(key: Key, place: number, limit: number) {
  return orm
    .select({ lines: parts.lines, outcome: parts.outcome })
    .from(parts)
    .where(and(sql`${parts.importId} in (select id from ${imports} where ${isOf(key)})`, gte(parts.place, place)))
    .orderBy(parts.place)
    .limit(limit);
}

/** Selects the first part that is not processed. */
export function selectNextPart(key: Key) {
  return orm
    .select({ place: parts.place, lines: parts.lines })
    .from(parts)
    .where(and(sql`${parts.importId} in (select id from ${imports} where ${isOf(key)})`, isNull(parts.outcome)))
    .orderBy(parts.place)
    .limit(1);
}

export function selectPartState(key: Key, place: number) {
  return orm
    .select({ isDone: sql<number>`${parts.outcome} is not null`.as('is_done') })
    .from(parts)
    .where(and(sql`${parts.importId} in (select id from ${imports} where ${isOf(key)})`, eq(parts.place, place)));
}

/** Selects the newest imports of an organization, with the number of their processed parts. */
export function selectNewestImports(orgId: string, now: number, limit: number) {
  const of = sql`from ${parts} where ${parts.importId} = ${imports.id}`;
  return orm
    .select({
      ...pick(imports, ['id', 'lineCount', 'createdAt']),
      partCount: sql<number>`(select count(*) ${of})`.as('part_count'),
      doneCount: sql<number>`(select count(${parts.outcome}) ${of})`.as('done_count'),
    })
    .from(imports)
    .where(and(eq(imports.orgId, orgId), isShown(now)))
    .orderBy(desc(imports.createdAt))
    .limit(limit);
}

interface Outcome {
  orgId: string;
  auditId: string;
  importId: string;
  place: number;
  outcome: string;
}

/**
 * Records the outcome of a part. Put this into the batch that processes the part. The batch fails if another run has
 * recorded an outcome. It does not fail if D1 runs the same batch twice.
 */
export function writeOutcome({ orgId, auditId, importId, place, outcome }: Outcome): Statement[] {
  const isOpen = has(parts, { importId, place, outcome: null });
  return [
    assertInBatch(sql`${isRecorded(orgId, auditId)} or exists (select 1 from ${parts} where ${isOpen})`),
    orm.update(parts).set({ outcome }).where(isOpen),
  ];
}
