import { eraseIdleCustomersOf, ordersEndedBefore } from '../orders/service';
import { requireSystem } from '../platform/access';
import type { Context } from '../platform/context';
import { describeError } from '../platform/log';
import { organizationsWithRetention } from '../tenants/service';
import { eraseExpired } from './erase';
import { heldRequests, requestsToErase, selectIds, selectRequestsOfOrders } from './store-erasure';

const DAY_MS = 86_400_000;
/** What one night's run takes out for one organization; the rest waits for the next run. */
const ERASED_MAX = 500;

/**
 * The nightly job: takes people out of what is older than their pharmacy keeps it. Rejected requests go after the
 * organization's request days, ended orders with their requests after its order days; a legal hold keeps both. One
 * organization's failure keeps no other waiting.
 */
export async function sweepRetention(ctx: Context): Promise<void> {
  requireSystem(ctx);
  const { organizations } = await ctx.db.run({ organizations: organizationsWithRetention(ctx) });
  for (const { id, requestRetentionDays, orderRetentionDays } of organizations) {
    try {
      await eraseOld(ctx, id, ctx.now() - requestRetentionDays * DAY_MS, ctx.now() - orderRetentionDays * DAY_MS);
    } catch (error) {
      ctx.log('error', 'retention_failed', { org_id: id, ...describeError(error) });
    }
  }
}

async function eraseOld(ctx: Context, orgId: string, rejectedBefore: number, endedBefore: number): Promise<void> {
  const { rejected, ended } = await ctx.db.run({
    rejected: selectIds(ctx.db, requestsToErase(orgId, rejectedBefore, ERASED_MAX)),
    // An order whose request is held stays whole.
    ended: selectRequestsOfOrders(ctx.db, ordersEndedBefore(orgId, endedBefore, ERASED_MAX, heldRequests(orgId))),
  });
  const requestIds = [...rejected.map(({ id }) => id), ...ended.flatMap(({ requestId }) => requestId ?? [])];
  const orderIds = ended.map(({ orderId }) => orderId);
  await eraseExpired(ctx, { orgId, requestIds, orderIds, endedBefore: Math.max(rejectedBefore, endedBefore) });
  await ctx.db.run({ customers: eraseIdleCustomersOf(ctx, orgId, endedBefore, ERASED_MAX) });
}
