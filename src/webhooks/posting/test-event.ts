import { recordAudit } from '../../audit/record';
import { isHostTaken } from '../../directory/service';
import { requireRole } from '../../platform/access';
import { commit } from '../../platform/commit';
import { type Context, evenIfMoving } from '../../platform/context';
import { AppError } from '../../platform/errors';
import { hostOf } from '../../platform/http/outbound';
import { newId } from '../../platform/ids';
import { MINUTE_MS } from '../../platform/time';
import { finishAttempt, insertAttempts } from '../deliveries/store-attempts';
import type { ClaimedDelivery } from '../deliveries/store-claim';
import { requireSubscription } from '../errors';
import { EVENTS, type EventType, envelopeText } from '../event-types';
import { LEASE_MS, TESTS_A_MINUTE } from '../limits';
import { refusalOfWebhook } from '../subscriptions/address';
import { getSubscription } from '../subscriptions/manage';
import { prepare } from './attempt';
import { failed, postWebhook } from './post';
import { rowOf } from './record';
import { insertTestDelivery, insertTestEvent, selectTarget } from './store-test';

interface Trial {
  subscriptionId: string;
  eventType: EventType;
}

/**
 * Posts one signed event of a type, made from the catalog's example, to one subscription and waits for the response.
 * Also works while the subscription is paused, because that is when people test. One attempt, no retry; the event is
 * not sent to other subscriptions and is not in the pull feed.
 * @returns the delivery with the response
 * @throws AppError `subscription_not_found`, `too_many_tests`
 */
export async function sendTestEvent(ctx: Context, input: Trial): Promise<{ deliveryId: string }> {
  const { orgId } = requireRole(ctx, ['owner']);
  const claimed = await claimTest(ctx, orgId, input);
  const work = postAndRecord(ctx, claimed);
  // The event is sent even if the person closes the page.
  ctx.defer(work.catch(() => undefined));
  await work;
  return { deliveryId: claimed.id };
}

type ClaimedTest = Omit<ClaimedDelivery, 'isHealthy' | 'subscriptionStatus' | 'leaseUntil'> & { isOwnHost: boolean };

async function claimTest(ctx: Context, orgId: string, { subscriptionId, eventType }: Trial): Promise<ClaimedTest> {
  const [id, eventId, now] = [newId(), newId(), ctx.now()];
  const body = envelopeText(eventType, { id: eventId, orgId, createdAt: now, metadata: EVENTS[eventType].example });
  const limit = { subscriptionId, since: now - MINUTE_MS, max: TESTS_A_MINUTE };
  const delivery = { id, orgId, eventId, subscriptionId, createdAt: now };
  const batch = {
    event: insertTestEvent({ id: eventId, orgId, type: eventType, body, createdAt: now }, limit),
    delivery: insertTestDelivery(delivery, now + LEASE_MS),
    audit: recordAudit(ctx, { orgId, action: 'subscription.tested', entityId: subscriptionId }),
    target: selectTarget(orgId, subscriptionId),
  };
  const refused = async () => {
    await getSubscription(ctx, subscriptionId);
    return new AppError('too_many_tests', 'Wait a minute before you send another test event.');
  };
  const { target } = await commit(ctx, batch, { refused });
  const found = requireSubscription(target[0]);
  const isOwnHost = found.isOwnHost === 1 || (await isOfShop(ctx, found.url));
  return { id, orgId, eventId, trigger: 'test', attempt: 1, eventType, body, ...found, isOwnHost };
}

/** Whether the address is a shop's on any database. What may not be called for its own sake is refused when it is posted to. */
async function isOfShop(ctx: Context, url: string): Promise<boolean> {
  return refusalOfWebhook(ctx, url) === null && isHostTaken(ctx, hostOf(new URL(url)));
}

async function postAndRecord(ctx: Context, claimed: ClaimedTest): Promise<void> {
  const startedAt = ctx.now();
  const prepared = await prepare(ctx, claimed, startedAt);
  const isPostable = 'signed' in prepared && !claimed.isOwnHost;
  const outcome = isPostable ? await postWebhook(prepared.signed) : failed('blocked');
  const endedAt = ctx.now();
  const status = outcome.failureClass === null ? 'succeeded' : 'exhausted';
  const { db } = evenIfMoving(ctx);
  await db.run({
    attempt: insertAttempts({ attempts: [rowOf({ claimed, outcome, startedAt, endedAt }, 'test')] }),
    delivery: finishAttempt({ id: claimed.id, attempt: 1, status, nextAttemptAt: 0, finishedAt: endedAt }),
  });
}
