import { recordAudit } from '../../audit/record';
import { journaling } from '../../audit/service';
import { mayBeWithdrawn, type Withdrawal, withdrawalEntries } from '../../orders/service';
import { commit } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { deletionEntries } from '../erasure/delete-request';
import { onHold } from '../erasure/erase-statements';
import { AlreadyDecided } from '../errors';
import type { RequestStatus } from '../store-requests';
import { type Asking, readSentRequest, type SentRequest } from './status';

/** What a withdrawal came to. */
export interface Withdrawn {
  id: string;
  status: RequestStatus;
  withdrawal: Withdrawal;
}

/**
 * Withdraws a request for the platform that sent it. One that waits is deleted; an order of which nothing has left is held, and
 * staff decide. Repeated, it changes nothing.
 * @throws AppError `order_request_not_found`, `already_decided`, `legal_hold`
 */
export async function withdrawOrderRequest(ctx: Context, asking: Asking, id: string): Promise<Withdrawn> {
  const read = () => readSentRequest(ctx, asking, { id });
  const first = await read();
  if (first.request.status === 'pending') {
    try {
      return await withdrawPending(ctx, first, read);
    } catch (error) {
      // Decided at the same moment.
      if (!(error instanceof AlreadyDecided)) throw error;
      return holdOrder(ctx, await read(), read);
    }
  }
  return holdOrder(ctx, first, read);
}

/** The first time with what was read, then with what is there by then. */
function trying<T>(
  ctx: Context,
  first: SentRequest,
  read: () => Promise<SentRequest>,
  run: (sent: SentRequest) => Promise<T>,
): Promise<T> {
  let known: SentRequest | null = first;
  return retryOnConflict(ctx, async () => {
    const sent = known ?? (await read());
    known = null;
    return run(sent);
  });
}

function withdrawPending(ctx: Context, first: SentRequest, read: () => Promise<SentRequest>): Promise<Withdrawn> {
  // Around all tries: an entry is taken back when the request is found decided.
  return journaling(ctx, (write) =>
    trying(ctx, first, read, async ({ request }) => {
      const { orgId, id, status } = request;
      if (status === 'deleted' && request.withdrawal === 'accepted') return outcomeOf(request);
      if (status !== 'pending') throw decided(request);
      if (request.legalHold) throw onHold('This request is kept for legal reasons.');
      await write({ orgId, kind: 'order_request', requestIds: [id] });
      const columns = { withdrawal: 'accepted', reasonCode: 'customer_withdrew' } as const;
      await commit(ctx, {
        deletion: deletionEntries(ctx, request, ['pending'], columns),
        audit: recordAudit(ctx, {
          orgId,
          action: 'order_request.deleted',
          entityId: id,
          reasonCode: columns.reasonCode,
        }),
      });
      return { id, status: 'deleted', withdrawal: 'accepted' };
    }),
  );
}

function holdOrder(ctx: Context, first: SentRequest, read: () => Promise<SentRequest>): Promise<Withdrawn> {
  return trying(ctx, first, read, async ({ request, order }) => {
    const { withdrawal } = request;
    if (withdrawal === 'requested' || withdrawal === 'accepted') return outcomeOf(request);
    if (request.status !== 'approved' || !order || !mayBeWithdrawn(order)) throw decided(request);
    await commit(ctx, { hold: withdrawalEntries(ctx, order) });
    return { ...outcomeOf(request), withdrawal: 'requested' };
  });
}

function outcomeOf({ id, status, withdrawal }: SentRequest['request']): Withdrawn {
  return { id, status, withdrawal };
}

/** To a platform, who decided is not told. */
export function decided(request: SentRequest['request']): AlreadyDecided {
  return new AlreadyDecided({ ...request, decidedBy: null });
}
