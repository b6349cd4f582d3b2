import { members } from '../auth/tables';
import { orderRequests } from '../order-requests/tables';
import { orders } from '../orders/tables';
import { requireOperator } from '../platform/access';
import { type Context, onEachDatabase } from '../platform/context';
import { findLostFiles, type LostFile } from '../prescriptions/trash';
import { type CopiedPage, filesChanged, listCopied } from './export';
import { isExact, readRecord } from './record';
import { COMPARED, fieldsThatDiffer, type Part, type Row, selectOrganizationNow } from './store';

/**
 * A page of the PDFs whose rows were lost, to find out whom to call. Exact if changed rows were copied before the
 * restore; otherwise also includes files that never had a row or were given up.
 * @throws AppError `not_found`, `backend_unreachable`
 */
export async function listLostFiles(
  ctx: Context,
  id: string,
  cursor?: string,
): Promise<{ files: LostFile[]; isExact: boolean; nextCursor: string | null }> {
  requireOperator(ctx);
  const record = await readRecord(ctx, id);
  const known = isExact(record) ? await filesChanged(ctx, id) : null;
  const isMeant = (fileKey: string) => known === null || known.has(fileKey);
  return { ...(await findLostFiles(ctx, { since: record.at, cursor, isMeant })), isExact: known !== null };
}

/** The losses of an organization, for its pharmacies. */
export interface Losses {
  orgId: string;
  organizationName: string | null;
  /** False if the restore left no owner who can invite people, so the operator has to. */
  hasOwner: boolean;
  requestsLost: { id: string; shopId: string; status: string; createdAt: number }[];
  ordersLost: { id: string; number: number; status: string }[];
  /** Orders that were set back: statuses before and after the restore, and the names of all columns that differ. */
  ordersSetBack: { id: string; number: number; was: string; is: string; fields: string[] }[];
  /** As `ordersSetBack`, for requests. One with an earlier status has to be approved or rejected again. */
  requestsSetBack: { id: string; was: string; is: string; fields: string[] }[];
  /** Lost or set back rows of other tables, by key; `fields` is null if the row is lost. */
  othersSetBack: { table: string; id: string; fields: string[] | null }[];
}

/** Pages of rows that one call compares; each costs a read of R2 and a batch of D1. */
const PAGES = 50;

/**
 * A page of rows that are lost or set back. Several pages may name the same organization. Column values are not
 * included.
 */
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
    const is = now.get(part.idOf(was));
    const fields = is ? fieldsThatDiffer(part, was, is) : null;
    return fields?.length === 0 ? [] : [{ was, is, fields }];
  });
  const hasOwner = organization[0]?.hasOwner === 1;
  // Each organization has rows of members, which report a missing owner. Other parts are listed only if rows differ.
  if (differing.length === 0 && (hasOwner || part.table !== members)) return null;
  return {
    orgId,
    organizationName: organization[0]?.name ?? null,
    hasOwner,
    ...NOTHING_LOST,
    ...told(part, differing),
  };
}

const NOTHING_LOST = { requestsLost: [], ordersLost: [], ordersSetBack: [], requestsSetBack: [], othersSetBack: [] };

interface Differing {
  was: Row;
  is: Row | undefined;
  fields: string[] | null;
}

function told({ table, name, idOf }: Part, differing: readonly Differing[]): Partial<Losses> {
  // SAFETY: these are the columns of the tables that the parts name.
  const gone = differing.filter(({ fields }) => fields === null).map(({ was }) => was);
  const back = differing.flatMap(({ was, is, fields }) => (is && fields ? [{ was, is, fields }] : []));
  const statuses = (was: Row, is: Row) => ({ was: was.status as string, is: is.status as string });
  if (table === orders) {
    return {
      ordersLost: (gone as Losses['ordersLost']).map(({ id, number, status }) => ({ id, number, status })),
      ordersSetBack: back.map(({ was, is, fields }) => ({
        id: idOf(was),
        number: was.number as number,
        ...statuses(was, is),
        fields,
      })),
    };
  }
  if (table === orderRequests) {
    return {
      requestsLost: (gone as Losses['requestsLost']).map(({ id, shopId, status, createdAt }) => ({
        ...{ id, shopId, status, createdAt },
      })),
      requestsSetBack: back.map(({ was, is, fields }) => ({ id: idOf(was), ...statuses(was, is), fields })),
    };
  }
  return { othersSetBack: differing.map(({ was, fields }) => ({ table: name, id: idOf(was), fields })) };
}
