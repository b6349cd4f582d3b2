import { recordAudit } from '../../audit/record';
import { type BatchEntry, tryCommit } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { ifChanged, type Statement } from '../../platform/db';
import { newId } from '../../platform/ids';
import { DAY_MS } from '../../platform/time';
import { dueDeliveries } from '../deliveries/after-commit';
import { hastenDeliveries, holdDeliveries, releaseDeliveries } from '../deliveries/store-held';
import { insertGivenUp } from '../deliveries/store-streak';
import { DISABLED_AFTER_DAYS, GIVEN_UP_MAX } from '../limits';
import {
  disableFailing,
  type Failing,
  holdFailing,
  markExhausted,
  markFailed,
  pauseGone,
  probe,
  releaseRecovered,
} from './store-failing';

interface Failed {
  subscriptionId: string;
  orgId: string;
  /** Null when there was no response. */
  httpStatus: number | null;
  /** No attempt of this delivery follows. */
  isLast: boolean;
  /** Epoch ms. */
  endedAt: number;
}

/**
 * A failed attempt, and what it means for its subscription. After several deliveries in a row that ended without success it is
 * put on hold: new ones wait as `held`. 410 Gone pauses it (Standard Webhooks: the receiver wants no more posts).
 * @param finished what ends the attempt
 */
export function judgeFailed(
  ctx: Context,
  finished: Statement,
  { subscriptionId: id, orgId, httpStatus, isLast, endedAt }: Failed,
): Statement[] {
  if (!isLast) return ifChanged(finished, (onlyIf) => markFailed({ id }, onlyIf));
  const audit = { orgId, entityId: id, fields: ['status'] };
  const stopped =
    httpStatus === 410
      ? ifChanged(pauseGone(id, endedAt), (onlyIf) =>
          recordAudit(ctx, { ...audit, onlyIf, action: 'subscription.paused', reasonCode: 'receiver_gone' }),
        )
      : ifChanged(holdFailing(id, endedAt), (onlyIf) =>
          recordAudit(ctx, { ...audit, onlyIf, action: 'subscription.held', reasonCode: 'receiver_failing' }),
        );
  return [
    ...ifChanged(finished, (onlyIf) => markExhausted({ id, endedAt }, onlyIf)),
    ...stopped,
    ...holdDeliveries(id),
  ];
}

/**
 * What sets a subscription going, in the order that it needs: first what was given up in the failures that stopped it is due
 * again, then it is set going, then what was held is due, the oldest first. A person (`redelivery`) also ends a wait that the
 * receiver had asked for.
 */
export function setGoing<Going extends BatchEntry>(
  ctx: Context,
  { id, as, going }: { id: string; as: 'recovery' | 'redelivery'; going: Going },
) {
  const now = ctx.now();
  const ids = Array.from({ length: GIVEN_UP_MAX }, newId);
  const { released, unsettled } = releaseDeliveries(id);
  return {
    givenUp: dueDeliveries(insertGivenUp(id, as, { ids, now })),
    hastened: as === 'redelivery' ? hastenDeliveries(id, now) : undefined,
    subscription: going,
    released: dueDeliveries(released),
    unsettled,
  };
}

/** Posts again to a receiver on hold that has accepted an attempt. */
export async function goOnWithRecovered(ctx: Context, { id, orgId }: Pick<Failing, 'id' | 'orgId'>): Promise<void> {
  await tryCommit(ctx, {
    ...setGoing(ctx, { id, as: 'recovery', going: releaseRecovered(id, ctx.now()) }),
    audit: recordAudit(ctx, { orgId, action: 'subscription.released', entityId: id, fields: ['status'] }),
  });
}

/** Goes on with a receiver that accepts again, and gives up on one that failed for days: what waited is kept. */
export async function settleFailing(ctx: Context, failing: Failing): Promise<void> {
  const now = ctx.now();
  if (failing.isHealthy) await goOnWithRecovered(ctx, failing);
  else if ((failing.heldSince ?? now) <= now - DISABLED_AFTER_DAYS * DAY_MS) await disable(ctx, failing, now);
}

/** Tries each failing receiver with the oldest delivery that waits for it. @returns these deliveries */
export async function probeFailing(ctx: Context, failing: readonly Failing[]): Promise<{ id: string }[]> {
  if (failing.length === 0) return [];
  const now = ctx.now();
  const { probes } = await ctx.db.run({
    probes: failing.flatMap(({ id }) => probe(id, now)),
  });
  return (probes as { id: string }[][]).flatMap((rows, index) => (index % 2 === 0 ? [] : rows));
}

async function disable(ctx: Context, { id, orgId }: Failing, now: number): Promise<void> {
  await tryCommit(ctx, {
    subscription: disableFailing({ id, orgId, now }),
    // The delivery that was to try it once more, if it has not yet.
    held: holdDeliveries(id),
    audit: recordAudit(ctx, {
      orgId,
      action: 'subscription.disabled',
      entityId: id,
      fields: ['status'],
      reasonCode: 'receiver_failing',
    }),
  });
}
