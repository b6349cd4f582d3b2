import { type AuditEntry, recordAudit } from '../../audit/record';
import type { BatchEntry } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { type GuardedWrite, ifChanged, type Statement } from '../../platform/data/db';
import { newIdPrefix } from '../../platform/ids';
import { dueDeliveries } from '../deliveries/after-commit';
import { hastenDeliveries, holdDeliveries, noteUnsettled, releaseDeliveries } from '../deliveries/store-held';
import { insertGivenUp } from '../deliveries/store-missed';

interface Subscribed {
  id: string;
  orgId: string;
}

type Change = Pick<AuditEntry, 'action' | 'reasonCode'>;

/** A change of status that stops posts, and what follows from it in the same batch: the log has it, and what is due waits. */
export function stopping(ctx: Context, of: Subscribed, subscription: GuardedWrite, change: Change): BatchEntry[] {
  return [subscription, auditOf(ctx, of, change), holdDeliveries(of.id), noteUnsettled(of.id)];
}

/** As `stopping`, where the change may find nothing to do: the log then has nothing. */
export function stoppingIfChanged(ctx: Context, of: Subscribed, subscription: Statement, change: Change): Statement[] {
  const audited = ifChanged(subscription, (onlyIf) => auditOf(ctx, of, { ...change, onlyIf }));
  return [...audited, holdDeliveries(of.id), noteUnsettled(of.id)];
}

/** A change of status from which on there are posts again: what waited is in `released`, the oldest first. */
export function goingOn(ctx: Context, of: Subscribed, subscription: GuardedWrite, change: Change) {
  const [released, unsettled] = [releaseDeliveries(of.id), noteUnsettled(of.id)];
  return { subscription, released, unsettled, audit: auditOf(ctx, of, change) };
}

/**
 * As `goingOn`, where failures may have stopped it: what was given up in them is due too, before what waited.
 * @param trigger `recovery` by itself; `redelivery` when a person asks for it, which also ends a wait that the receiver had
 *   asked for
 */
export function goingOnAnew(
  ctx: Context,
  of: Subscribed,
  subscription: GuardedWrite,
  trigger: 'recovery' | 'redelivery',
) {
  const now = ctx.now();
  const action = trigger === 'recovery' ? 'subscription.released' : 'subscription.resumed';
  const others = goingOn(ctx, of, subscription, { action });
  return {
    givenUp: dueDeliveries(insertGivenUp(of.id, trigger, { idPrefix: newIdPrefix(), now })),
    // Both read what the change ends: since when it fails, and until when it asked to wait.
    hastened: trigger === 'redelivery' ? hastenDeliveries(of.id, now) : undefined,
    ...others,
    released: dueDeliveries(others.released),
  };
}

function auditOf(ctx: Context, { id, orgId }: Subscribed, change: Change & Pick<AuditEntry, 'onlyIf'>): Statement {
  return recordAudit(ctx, { orgId, entityId: id, fields: ['status'], ...change });
}
