import { actorId } from '../../platform/access';
import type { Context } from '../../platform/context';
import { notFound } from '../../platform/errors';
import { AlreadyDecided } from '../errors';
import { type ListedRequest, type RequestRow, selectRequest } from '../store-requests';
import type { DecidedBy, ToldWarning } from './assessment';

/** What a decision made of a request. */
export interface Decision {
  id: string;
  status: 'approved' | 'rejected' | 'pending';
  orderId: string | null;
  /** What a program is told of what it approved, and need not answer. */
  warnings?: readonly ToldWarning[];
}

/** Metadata of the events about a request. */
export function requestMetadata(request: ListedRequest) {
  return {
    order_request_id: request.id,
    external_reference: request.externalReference ?? '',
    shop_id: request.shopId,
    source: request.source,
  };
}

/** Whose rules hold for a decision. */
export function deciderOf({ actor }: Context): DecidedBy {
  return actor.kind === 'staff' ? 'staff' : 'program';
}

/** Who decided: stored in the row, and told to whoever decides second. */
export function decidedBy(ctx: Context): string {
  return actorId(ctx) ?? ctx.actor.kind;
}

/** @throws AppError `already_decided` with who, when and how */
export function assertPending(request: ListedRequest): void {
  if (request.status !== 'pending') throw new AlreadyDecided(request);
}

/** The row of a request, to decide about it. @throws AppError `order_request_not_found` */
export async function requireRequest(ctx: Context, orgId: string, id: string): Promise<RequestRow> {
  const { rows } = await ctx.db.run({ rows: selectRequest({ orgId, id }) });
  if (!rows[0]) throw notFound('order_request_not_found', 'There is no such order request.');
  return rows[0];
}
