import { requireOperator } from '../platform/access';
import { type Context, onEachDatabase } from '../platform/context';
import { findLostFiles, type LostFile } from '../prescriptions/service';
import { type Changed, filesChanged, readChanged } from './changed';
import { isExact, readRecord } from './record';
import { selectOrdersNow, selectOrganizationNow, selectRequestsNow } from './store';

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
  requestsLost: Changed['requests'];
  ordersLost: Changed['orders'];
  /** Orders that are back at an earlier status. */
  ordersSetBack: { id: string; number: number; was: string; is: string }[];
  /** Requests that are back at an earlier status: approve or reject them again. */
  requestsSetBack: { id: string; was: string; is: string }[];
}

/** What is lost or set back, a page of it: several pages may tell of the same organization. */
export async function listLosses(
  ctx: Context,
  id: string,
  cursor?: string,
): Promise<{ losses: Losses[]; isExact: boolean; nextCursor: string | null }> {
  requireOperator(ctx);
  const record = await readRecord(ctx, id);
  const { changed, nextCursor } = await readChanged(ctx, id, cursor);
  const databases = onEachDatabase(ctx);
  const losses: Losses[] = [];
  for (const each of changed) {
    if (each.orders.length + each.requests.length === 0) continue;
    const { db } = databases[each.shard] ?? ctx;
    const now = await db.run({
      organization: selectOrganizationNow(each.orgId),
      orders: selectOrdersNow(
        each.orgId,
        each.orders.map((order) => order.id),
      ),
      requests: selectRequestsNow(
        each.orgId,
        each.requests.map((request) => request.id),
      ),
    });
    const orders = statesOf(each.orders, now.orders);
    const requests = statesOf(each.requests, now.requests);
    losses.push({
      orgId: each.orgId,
      organizationName: now.organization[0]?.name ?? null,
      hasOwner: now.organization[0]?.hasOwner === 1,
      requestsLost: requests.lost,
      ordersLost: orders.lost,
      ordersSetBack: orders.setBack.map(({ id: orderId, number, status, is }) => ({
        id: orderId,
        number,
        was: status,
        is,
      })),
      requestsSetBack: requests.setBack.map(({ id: requestId, status, is }) => ({ id: requestId, was: status, is })),
    });
  }
  return { losses, isExact: isExact(record), nextCursor };
}

function statesOf<T extends { id: string; status: string }>(
  was: readonly T[],
  now: readonly { id: string; status: string }[],
) {
  const is = new Map(now.map(({ id, status }) => [id, status]));
  const lost = was.filter(({ id }) => !is.has(id));
  const setBack = was.flatMap((each) => {
    const status = is.get(each.id);
    return status === undefined || status === each.status ? [] : [{ ...each, is: status }];
  });
  return { lost, setBack };
}
