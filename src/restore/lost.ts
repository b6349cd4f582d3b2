import { members } from '../auth/tables';
import { requireOperator } from '../platform/access';
import { type Context, onEachDatabase } from '../platform/context';
import { findLostFiles, type LostFile } from '../prescriptions/trash';
import { type CopiedPage, filesCopied, listCopied } from './export';
import { isExact, readRecord } from './record';
import { COMPARED, fieldsThatDiffer, type Part, type Row, selectOrganizationNow } from './store';

/**
 * Returns a page of the PDFs whose rows were lost. The pharmacy learns from the list whom to call. The list is exact if
 * the changed rows were copied before the restore. Otherwise it also includes files that never had a row, and files
 * that were to be deleted.
 * @throws AppError `not_found`, `backend_unreachable`
 */
export async function listLostFiles(
  ctx: Context,
  id: string,
  cursor?: string,
): Promise<{ files: LostFile[]; isExact: boolean; nextCursor: string | null }> {
  requireOperator(ctx);
  const record = await readRecord(ctx, id);
  const known = isExact(record) ? await filesCopied(ctx, id) : null;
  const isMeant = (fileKey: string) => known === null || known.has(fileKey);
  return { ...(await findLostFiles(ctx, { since: record.at, cursor, isMeant })), isExact: known !== null };
}

/** The rows of one table of an organization that a restore has lost or set back. */
export interface Losses {
  orgId: string;
  organizationName: string | null;
  /** False if no owner is left after the restore. Only the operator can then invite people. */
  hasOwner: boolean;
  table: string;
  /**
   * Each row before the restore (`was`) and after it (`is`), with the names of the columns that differ (`fields`). For
   * a lost row, `is` and `fields` are null.
   */
  rows: { id: string; was: Row; is: Row | null; fields: string[] | null }[];
}

/** The most pages of rows that one call compares. Each page costs a read of R2 and a batch of D1. */
const PAGES = 50;

/** Returns a page of the rows that a restore has lost or set back. Several pages may name the same organization. */
export async function listLosses(
  ctx: Context,
  id: string,
  cursor?: string,
): Promise<{ losses: Losses[]; isExact: boolean; nextCursor: string | null }> {
  requireOperator(ctx);
  const record = await readRecord(ctx, id);
  const { pages, nextCursor } = await listCopied(ctx, id, { cursor, limit: PAGES });
  const losses: Losses[] = [];
  for (const page of pages) {
    const part = COMPARED.get(page.table);
    const found = part && (await lossesOf(ctx, page, part));
    if (found) losses.push(found);
  }
  return { losses, isExact: isExact(record), nextCursor };
}

async function lossesOf(ctx: Context, { shard, orgId, read }: CopiedPage, part: Part): Promise<Losses | null> {
  const { db } = onEachDatabase(ctx)[shard] ?? ctx;
  const copied = await read();
  const { organization, rows } = await db.run({
    organization: selectOrganizationNow(orgId),
    rows: part.selectNow(orgId, copied.map(part.idOf)),
  });
  const now = new Map(rows.map((row) => [part.idOf(row), row]));
  const differing = copied.flatMap((was) => {
    const id = part.idOf(was);
    const is = now.get(id) ?? null;
    const fields = is && fieldsThatDiffer(part, was, is);
    return fields?.length === 0 ? [] : [{ id, was, is, fields }];
  });
  const hasOwner = organization[0]?.hasOwner === 1;
  // A missing owner is reported with the table of members. Otherwise, a table is listed only if its rows differ.
  if (differing.length === 0 && (hasOwner || part.table !== members)) return null;
  return { orgId, organizationName: organization[0]?.name ?? null, hasOwner, table: part.name, rows: differing };
}
