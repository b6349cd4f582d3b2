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
 * The PDFs whose rows are gone, a page of them: whom to call. Exactly these where what has changed was copied before the
 * restore; else also files that never had a row, or that were given up.
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

/** What an organization has lost: to be told to its pharmacies. */
export interface Losses {
  orgId: string;
  organizationName: string | null;
  /** False where the restore left nobody who may invite: the operator has to. */
  hasOwner: boolean;
  requestsLost: { id: string; shopId: string; status: string; createdAt: number }[];
  ordersLost: { id: string; number: number; status: string }[];
  /** Orders of which something is back as it was: their statuses, and the names of all columns that differ. */
  ordersSetBack: { id: string; number: number; was: string; is: string; fields: string[] }[];
  /** The same of requests. One at an earlier status has to be approved or rejected again. */
  requestsSetBack: { id: string; was: string; is: string; fields: string[] }[];
  /** The same of other tables, by their keys; without fields where the row is gone. */
  othersSetBack: { table: string; id: string; fields: string[] | null }[];
}

/** Pages of rows that one call compares, one after another: each is a read of R2 and a batch of D1. */
const PAGES = 50;

/** What is lost or set back, a page of it: several pages may tell of the same organization. No value is told. */
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
  // Of each organization there are rows of members; the others are told where there is something to tell.
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
