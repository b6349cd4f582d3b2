import type { OrderRow } from '../../orders/service';
import { requireScope } from '../../platform/access';
import type { Context } from '../../platform/context';
import type { Statement } from '../../platform/data/db';
import { notFound } from '../../platform/errors';
import type { RequestRow } from '../store-requests';
import { type Sender, selectSent, selectSentAs } from './store';

/** A request that a platform sent. */
export interface SentRequest {
  request: RequestRow;
  /** That it became, unless it was deleted. */
  order: OrderRow | null;
}

/** The platform that asks. */
export interface Asking extends Sender {
  /** Records the use of the key in the same batch. */
  keyUse?: Statement;
}

/** Of which request: its id, or the newest with this reference; trimmed, as references are compared. */
export type Sought = { id: string } | { externalReference: string; source: string | null };

/**
 * A request as its platform sees it. Those of other platforms and shops are not there for it, nor those whose person was erased.
 * @throws AppError `order_request_not_found`
 */
export async function readSentRequest(ctx: Context, asking: Asking, sought: Sought): Promise<SentRequest> {
  requireScope(ctx, 'external_orders.submit');
  const { shopId, familyId, keyUse } = asking;
  const of = { shopId, familyId };
  const { requests, orders } = await ctx.db.run({
    keyUse,
    ...('id' in sought ? selectSent({ ...of, ...sought }) : selectSentAs({ ...of, ...sought })),
  });
  return sentOf(requests[0], orders[0]);
}

/** @throws AppError `order_request_not_found` */
export function sentOf(request: RequestRow | undefined, order: OrderRow | undefined): SentRequest {
  if (!request || isErased(request)) {
    throw notFound('order_request_not_found', 'There is no such order request of this integration at this shop.');
  }
  return { request, order: order ?? null };
}

/** Whether the person was erased. Who is deleted with a request alone, somebody decided about. */
function isErased({ erasedAt, status, decidedBy }: RequestRow): boolean {
  return erasedAt !== null && (status !== 'deleted' || decidedBy === null);
}
