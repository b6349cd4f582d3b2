import { recordAudit } from '../../audit/record';
import type { Context } from '../../platform/context';
import { assertInBatch, type Condition, ifChanged, type Statement } from '../../platform/data/db';
import { cancelDeliveries, noteUnsettled } from '../deliveries/store-held';
import { endCallbackIf, hasNoOtherCallback } from './store';

interface Ending {
  orgId: string;
  /** A subquery of `apiKeys.familyId`. */
  integrationId: Condition;
  /** Its callback as it was read (`selectCallbackOf`). */
  seen: string | undefined;
}

/**
 * Ends the callback of an integration, for the batch that takes its last key: what waits for it is not sent any more. The batch
 * is undone where the integration has got another callback since that was read.
 */
export function endingCallback(ctx: Context, { orgId, integrationId, seen }: Ending, onlyIf: Condition): Statement[] {
  const same = assertInBatch(hasNoOtherCallback(orgId, integrationId, seen));
  if (seen === undefined) return [same];
  const now = ctx.now();
  const ended = ifChanged(endCallbackIf({ orgId, id: seen, now }, onlyIf), (isEnded) =>
    recordAudit(ctx, {
      orgId,
      action: 'subscription.deleted',
      entityId: seen,
      reasonCode: 'key_revoked',
      onlyIf: isEnded,
    }),
  );
  return [same, ...ended, cancelDeliveries(seen, now), noteUnsettled(seen)];
}
