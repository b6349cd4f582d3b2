import { recordAudit } from '../../audit/record';
import { isHostTaken } from '../../directory/reserve';
import { requireScope } from '../../platform/access';
import { commit } from '../../platform/commit';
import { type Context, evenIfMoving } from '../../platform/context';
import { AppError } from '../../platform/errors/errors';
import { hostOf } from '../../platform/http/outgoing';
import { newId } from '../../platform/ids';
import { MINUTE_MS } from '../../platform/time';
import { type ClaimedDelivery, finishAttempt, insertAttempts } from '../deliveries/store';
import { requireSubscription } from '../errors';
import { EVENTS, type EventType, envelopeText } from '../event-types';
import { LEASE_MS, TESTS_A_MINUTE } from '../limits';
import { refusalOfWebhook, seesCallbacks, selectShown } from '../subscriptions/subscriptions';
import { failed, postWebhook, prepare } from './post';
import { rowOf } from './record';
import { insertTestDelivery, insertTestEvent, selectTarget } from './store';

interface Trial {
  subscriptionId: string;
  /** By default, the first event type of the subscription. */
  eventType?: EventType;
}

/**
 * Posts one signed test event to one subscription, and waits for the response. The event is the example of its type. A
 * paused subscription gets test events, too, because people test while it is paused. There is only one attempt. Other
 * subscriptions and the pull feed do not get the event.
 * @returns the delivery with the response
 * @throws AppError `subscription_not_found`, `too_many_tests`
 */
export async function sendTestEvent(ctx: Context, { subscriptionId, ...input }: Trial) {
  const { orgId } = requireScope(ctx, 'webhooks.write');
  const isKnown = input.eventType !== undefined && seesCallbacks(ctx);
  const shown = isKnown ? undefined : await requireShown(ctx, orgId, subscriptionId);
  // SAFETY: a subscription has at least one event type.
  const eventType = input.eventType ?? (shown?.eventTypes[0] as EventType);
  const claimed = await claimTest(ctx, orgId, { subscriptionId, eventType });
  const work = postAndRecord(ctx, claimed);
  // The event is sent even if the person closes the page.
  ctx.defer(work.catch(() => undefined));
  const { id, eventId, createdAt } = claimed;
  const made = { id, subscriptionId, eventId, eventType, trigger: 'test' as const, createdAt };
  return { ...made, attemptCount: 1, nextAttemptAt: 0, ...(await work) };
}

async function requireShown(ctx: Context, orgId: string, subscriptionId: string) {
  const found = await ctx.db.rows(selectShown(ctx, orgId, subscriptionId));
  return requireSubscription(found[0]);
}

type ClaimedTest = Omit<ClaimedDelivery, 'isHealthy' | 'subscriptionStatus' | 'leaseUntil'> & {
  isOwnHost: boolean;
  createdAt: number;
};

async function claimTest(
  ctx: Context,
  orgId: string,
  { subscriptionId, eventType }: Required<Trial>,
): Promise<ClaimedTest> {
  const [id, eventId, now] = [newId(), newId(), ctx.now()];
  const body = envelopeText(eventType, { id: eventId, orgId, createdAt: now, metadata: EVENTS[eventType].example });
  const limit = { subscriptionId, since: now - MINUTE_MS, max: TESTS_A_MINUTE };
  const delivery = { id, orgId, eventId, eventType, subscriptionId, createdAt: now };
  const batch = {
    event: insertTestEvent({ id: eventId, orgId, type: eventType, body, createdAt: now }, limit),
    delivery: insertTestDelivery(delivery, now + LEASE_MS),
    audit: recordAudit(ctx, { orgId, action: 'subscription.tested', entityId: subscriptionId }),
    target: selectTarget(orgId, subscriptionId),
  };
  const refused = async () => {
    await requireShown(ctx, orgId, subscriptionId);
    return new AppError('too_many_tests', 'Wait a minute before you send another test event.');
  };
  const { target } = await commit(ctx, batch, { refused, about: eventId });
  const found = requireSubscription(target[0]);
  const isOwnHost = found.isOwnHost === 1 || (await isOfShop(ctx, found.url));
  return {
    id,
    orgId,
    eventId,
    trigger: 'test',
    attempt: 1,
    eventType,
    body,
    sequence: 0,
    createdAt: now,
    ...found,
    isOwnHost,
  };
}

/**
 * Whether the host of an address belongs to a shop on any database. False for an address that `prepare` refuses anyway.
 */
async function isOfShop(ctx: Context, url: string): Promise<boolean> {
  return refusalOfWebhook(ctx, url) === null && isHostTaken(ctx, hostOf(new URL(url)));
}

async function postAndRecord(ctx: Context, claimed: ClaimedTest) {
  const startedAt = ctx.now();
  const prepared = await prepare(ctx, claimed, startedAt);
  const isPostable = 'signed' in prepared && !claimed.isOwnHost;
  const outcome = isPostable ? await postWebhook(prepared.signed) : failed('blocked');
  const endedAt = ctx.now();
  const status = outcome.failureClass === null ? ('succeeded' as const) : ('exhausted' as const);
  const { db } = evenIfMoving(ctx);
  await db.run({
    attempt: insertAttempts({ attempts: [rowOf({ claimed, outcome, startedAt, endedAt }, 'test')] }),
    delivery: finishAttempt({ id: claimed.id, attempt: 1, status, nextAttemptAt: 0, finishedAt: endedAt }),
  });
  const { httpStatus, failureClass } = outcome;
  return { status, httpStatus, failureClass, durationMs: endedAt - startedAt };
}
