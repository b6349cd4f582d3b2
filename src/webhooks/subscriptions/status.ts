import { type AuditEntry, recordAudit } from '../../audit/record';
import type { BatchEntry } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { newId } from '../../platform/ids';
import { dueDeliveries } from '../deliveries/after-commit';
import { holdDeliveries, noteUnsettled, releaseDeliveries } from '../deliveries/store-held';
import { insertGivenUp } from '../deliveries/store-streak';
import { GIVEN_UP_MAX } from '../limits';

interface Subscribed {
  id: string;
  orgId: string;
}

/**
 * A change of status that stops posts, and what follows from it in the same batch: the log has it, and what is due waits.
 * @param audit with `onlyIf: changedOne` where the change may find nothing to do
 */
export function stopping<W extends BatchEntry>(
  ctx: Context,
  { id, orgId }: Subscribed,
  subscription: W,
  audit: Pick<AuditEntry, 'action' | 'reasonCode' | 'onlyIf'>,
) {
  return {
    subscription,
    audit: recordAudit(ctx, { orgId, entityId: id, fields: ['status'], ...audit }),
    held: holdDeliveries(id),
    unsettled: noteUnsettled(id),
  };
}

/** A change of status from which on there are posts again: what waited is in `waiting`, the oldest first. */
export function goingOn<W extends BatchEntry>(
  ctx: Context,
  { id, orgId }: Subscribed,
  subscription: W,
  action: 'subscription.resumed' | 'subscription.released',
) {
  return {
    subscription,
    waiting: releaseDeliveries(id),
    unsettled: noteUnsettled(id),
    audit: recordAudit(ctx, { orgId, action, entityId: id, fields: ['status'] }),
  };
}

/**
 * As `goingOn`, where failures had stopped it: what was given up in them is due too, before what waited.
 * @param trigger `recovery` by itself, `redelivery` when a person asks for it
 */
export function goingOnAnew<W extends BatchEntry>(
  ctx: Context,
  of: Subscribed,
  subscription: W,
  trigger: 'recovery' | 'redelivery',
) {
  const ids = Array.from({ length: GIVEN_UP_MAX }, newId);
  const action = trigger === 'recovery' ? 'subscription.released' : 'subscription.resumed';
  const { waiting, ...others } = goingOn(ctx, of, subscription, action);
  const givenUp = dueDeliveries(insertGivenUp(of.id, trigger, { ids, now: ctx.now() }));
  return { givenUp, ...others, waiting: dueDeliveries(waiting) };
}
