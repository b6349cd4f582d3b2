import { recordAudit } from '../../audit/record';
import { actorId, requireScope } from '../../platform/access';
import { type BatchEntry, commit } from '../../platform/commit';
import type { Context } from '../../platform/context';
import type { Condition } from '../../platform/data/statements';
import { notFound } from '../../platform/errors/errors';
import { newId } from '../../platform/ids';
import { orderIsThere } from '../store';
import { insertNote } from './store';

/**
 * Adds a note to the timeline of an order.
 * @throws AppError `order_not_found`, also if the order is erased
 */
export async function addOrderNote(ctx: Context, { id, text }: { id: string; text: string }): Promise<void> {
  const { orgId } = requireScope(ctx, 'orders.write');
  const note = noteAbout(ctx, { orgId, id }, text);
  const audit = recordAudit(ctx, { orgId, action: 'order.noted', entityId: id });
  await commit(ctx, { note, audit }, { refused: () => notFound('order_not_found') });
}

/** Returns the entry that writes a note about an order. The batch is undone if the order is erased or deleted. */
export function noteAbout(ctx: Context, { orgId, id }: { orgId: string; id: string }, text: string): BatchEntry {
  return noteEntry(ctx, { orgId, orderRequestId: null, orderId: id, text }, orderIsThere(orgId, id));
}

/** Returns the entry that writes a note about a request or an order. The batch is undone unless `onlyIf` holds. */
export function noteEntry(
  ctx: Context,
  of: { orgId: string; orderRequestId: string | null; orderId: string | null; text: string },
  onlyIf: Condition,
): BatchEntry {
  return insertNote({ id: newId(), ...of, writtenBy: actorId(ctx), writtenAt: ctx.now() }, onlyIf);
}
