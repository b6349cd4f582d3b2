import { deleteOldAudit } from '../audit/store';
import { forgetRevoked } from '../auth/staff/store';
import { wishExpiryNotices } from '../messages/notices';
import { endRestricted, ordersEndedBefore } from '../orders/store';
import { requireSystem } from '../platform/access';
import { type Context, forOrganization } from '../platform/context';
import { describeError } from '../platform/log';
import { addDays, dayOf, endOf, startOf } from '../platform/pharmacy-time';
import { DAY_MS } from '../platform/time';
import { type OrganizationRetention, selectRetention } from '../tenants/store';
import { eraseExpired } from './erasure/erase';
import {
  forgetPayloadsBefore,
  orderOfRequestOnLegalHold,
  requestsToErase,
  selectIds,
  selectRequestsOfOrders,
} from './erasure/store';
import { EXPIRES_DAYS, EXPIRY_NOTICE_DAYS, PAYLOAD_KEPT_DAYS } from './limits';
import { expireOrderRequest } from './review/decisions';
import { insertCursor, markMore, moveCursor, type RequestRow, selectCursor, selectExpired } from './store';

const CURSOR = 'retention';
/** The most rows that one turn erases for one organization. The rest waits for its next turn. */
const ERASED_MAX = 500;
/** The most requests that one turn expires for one organization. Each has its own batch, with its event. */
const EXPIRED_MAX = 20;
const ORGANIZATIONS_MAX = 50;
/**
 * The number of statements after which a run begins no further organization. D1 allows 1,000 per invocation, and other
 * jobs share them.
 */
const STATEMENTS_MAX = 700;

/**
 * Erases personal data that are older than the organization's retention times. Rejected requests have one retention
 * time. Ended orders and their requests have another. A legal hold protects all of them.
 * The same run first expires pending requests and empties old request bodies. It also deletes the remaining data of
 * revoked members, old rows of the audit log, and the records kept of erased orders after their legal retention time.
 *
 * Each run processes some organizations in the sequence of their ids, and continues where the previous run stopped. The
 * cursor is advanced before an organization is processed, so that an organization that fails does not block the next
 * one. It is tried again in the next round.
 * A round ends when all organizations were processed. If one of them has more data than one turn erases, another round
 * begins at once. Otherwise the night's work is done.
 */
export async function sweepRetention(ctx: Context): Promise<void> {
  requireSystem(ctx);
  const night = new Date(ctx.now()).toISOString().slice(0, 10);
  const cursors = await ctx.db.rows(selectCursor(CURSOR));
  if (cursors.length === 0) await ctx.db.run({ made: insertCursor(CURSOR) });
  const cursor = cursors[0] ?? { position: '', hasMore: false, doneNight: null };
  if (cursor.doneNight === night) return;
  const { organizations } = await ctx.db.run({
    organizations: selectRetention(cursor.position, ORGANIZATIONS_MAX),
    ended: endRestricted(ctx.now()),
  });
  const walk = { position: cursor.position, hasMore: cursor.hasMore, turns: 0, count: 0 };
  for (const organization of organizations) {
    if (ctx.db.meter.statements >= STATEMENTS_MAX) break;
    if (!(await moveOn(ctx, walk.position, { position: organization.id }))) break;
    walk.position = organization.id;
    walk.turns += 1;
    const { count, hasMore } = await takeTurn(ctx, organization);
    walk.count += count;
    walk.hasMore ||= hasMore;
  }
  const isRoundOver = walk.turns === organizations.length && organizations.length < ORGANIZATIONS_MAX;
  if (isRoundOver) {
    await moveOn(ctx, walk.position, {
      position: '',
      hasMore: false,
      ...(!walk.hasMore && { doneNight: night }),
    });
  }
  ctx.log('info', 'retention_run', { count: walk.count, total: walk.turns });
}

/** Advances the cursor of the sweep. @returns false if another run advanced it first. This run must then stop */
async function moveOn(ctx: Context, from: string, to: Parameters<typeof moveCursor>[2]): Promise<boolean> {
  const moved = await ctx.db.rows(moveCursor(CURSOR, from, to));
  return moved.length > 0;
}

/** Processes one organization. A failure is logged and does not stop the others. */
async function takeTurn(ctx: Context, organization: OrganizationRetention) {
  const { id, requestRetentionDays, orderRetentionDays } = organization;
  const rejectedBefore = ctx.now() - requestRetentionDays * DAY_MS;
  try {
    const own = forOrganization(ctx, id);
    await own.db.run({ members: forgetRevoked(id, ctx.now()), audit: deleteOldAudit(id, ctx.now(), ERASED_MAX) });
    const isMoreToExpire = await expireOld(own, id);
    const isMoreToForget = await forgetPayloads(own, id);
    const { count, hasMore } = await eraseOld(own, id, rejectedBefore, ctx.now() - orderRetentionDays * DAY_MS);
    const done = { count, hasMore: hasMore || isMoreToForget || isMoreToExpire };
    if (done.hasMore) await ctx.db.run({ more: markMore(CURSOR) });
    return done;
  } catch (error) {
    ctx.log('error', 'retention_failed', { org_id: id, ...describeError(error) });
    return { count: 0, hasMore: false };
  }
}

/**
 * Rejects the pending requests that have expired, at most `EXPIRED_MAX`, and sends an event about each. Warns the
 * owners about requests that expire in `EXPIRY_NOTICE_DAYS` days.
 * @returns whether more may have expired
 */
async function expireOld(ctx: Context, orgId: string): Promise<boolean> {
  const day = addDays(dayOf(ctx.now()), EXPIRY_NOTICE_DAYS);
  const warned = { from: startOf(day) - 1, to: endOf(day) };
  const { expired, expiring } = await ctx.db.run(selectExpired(orgId, ctx.now(), warned, EXPIRED_MAX));
  await wishExpiryNotices(ctx, { orgId, day, count: expiring[0]?.count ?? 0 });
  for (const { id } of expired) await expireOrderRequest(ctx, orgId, id);
  return expired.length === EXPIRED_MAX;
}

/**
 * Empties the submitted bodies of requests that were decided more than `PAYLOAD_KEPT_DAYS` days ago. The fields that
 * staff read stay.
 * @returns whether more bodies may be left
 */
async function forgetPayloads(ctx: Context, orgId: string): Promise<boolean> {
  const before = ctx.now() - PAYLOAD_KEPT_DAYS * DAY_MS;
  const forgotten = await ctx.db.rows(forgetPayloadsBefore(orgId, before, ERASED_MAX));
  return forgotten.length === ERASED_MAX;
}

async function eraseOld(ctx: Context, orgId: string, rejectedBefore: number, endedBefore: number) {
  const { rejected, ended } = await ctx.db.run({
    rejected: selectIds(requestsToErase(orgId, rejectedBefore, ERASED_MAX)),
    // An order whose request has a legal hold is not changed.
    ended: selectRequestsOfOrders(
      orgId,
      ordersEndedBefore(orgId, endedBefore, ERASED_MAX, orderOfRequestOnLegalHold()),
    ),
  });
  const requestIds = [...rejected.map(({ id }) => id), ...ended.flatMap(({ requestId }) => requestId ?? [])];
  const orderIds = ended.map(({ orderId }) => orderId);
  await eraseExpired(ctx, { orgId, requestIds, orderIds, endedBefore: Math.max(rejectedBefore, endedBefore) });
  return {
    count: rejected.length + ended.length,
    hasMore: rejected.length === ERASED_MAX || ended.length === ERASED_MAX,
  };
}

/**
 * When a pending request expires, in epoch ms. Null if it is not pending, is paid, or has an open question: then it
 * does not expire. The SQL of `selectExpired` (store.ts) must agree.
 */
export function expiresAt(of: Pick<RequestRow, 'status' | 'needsInfo' | 'paymentStatus' | 'createdAt' | 'updatedAt'>) {
  if (of.status !== 'pending' || of.needsInfo || of.paymentStatus === 'paid') return null;
  return Math.max(of.createdAt + EXPIRES_DAYS * DAY_MS, of.updatedAt + EXPIRY_NOTICE_DAYS * DAY_MS);
}

/**
 * Whether a pending request would have expired if it were not paid. Staff must then approve the request or refund the
 * money.
 */
export function asksForRefund(of: Pick<RequestRow, 'status' | 'paymentStatus' | 'createdAt'>, now: number): boolean {
  return of.status === 'pending' && of.paymentStatus === 'paid' && of.createdAt + EXPIRES_DAYS * DAY_MS <= now;
}
