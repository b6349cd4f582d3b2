import { recordAudit } from '../audit/record';
import { eraseIdleCustomersOf, eraseOrdersIn, ordersEndedBefore } from '../orders/service';
import { requireSystem } from '../platform/access';
import type { Context } from '../platform/context';
import { inList } from '../platform/db';
import { erasePrescriptionsIn } from '../prescriptions/service';
import { organizationsWithRetention } from '../tenants/service';
import { eraseRequests, requestsToErase, selectIds, selectRequestsOfOrders } from './store-erasure';

const DAY_MS = 86_400_000;
/** What one night's run takes out for one organization; the rest waits for the next run. */
const ERASED_MAX = 500;

/**
 * The nightly job: takes people out of what is older than their pharmacy keeps it. Rejected requests go after the
 * organization's request days, ended orders with their requests after its order days; a legal hold keeps both.
 */
export async function sweepRetention(ctx: Context): Promise<void> {
  requireSystem(ctx);
  const { organizations } = await ctx.db.run({ organizations: organizationsWithRetention(ctx) });
  for (const { id, requestRetentionDays, orderRetentionDays } of organizations) {
    await eraseOld(ctx, id, ctx.now() - requestRetentionDays * DAY_MS, ctx.now() - orderRetentionDays * DAY_MS);
  }
}

async function eraseOld(ctx: Context, orgId: string, rejectedBefore: number, endedBefore: number): Promise<void> {
  const orders = ordersEndedBefore(orgId, endedBefore, ERASED_MAX);
  const found = await ctx.db.run({
    rejected: selectIds(ctx.db, requestsToErase(orgId, rejectedBefore, ERASED_MAX)),
    ended: selectRequestsOfOrders(ctx.db, orders),
  });
  // An order whose request is held stays whole.
  const ended = found.ended.filter(({ isHeld }) => isHeld !== 1);
  const requestIds = inList([
    ...found.rejected.map(({ id }) => id),
    ...ended.flatMap(({ requestId }) => requestId ?? []),
  ]);
  const orderIds = inList(ended.map(({ orderId }) => orderId));
  if (found.rejected.length + ended.length > 0) {
    await ctx.db.run({
      prescriptions: erasePrescriptionsIn(ctx, { requestIds, orderIds }),
      requests: eraseRequests(ctx.db, requestIds, ctx.now()),
      orders: eraseOrdersIn(ctx, orderIds),
      audit: recordAudit(ctx, { orgId, action: 'retention.erased', entityId: orgId }),
    });
  }
  await ctx.db.run({ customers: eraseIdleCustomersOf(ctx, orgId, endedBefore, ERASED_MAX) });
  ctx.log('info', 'retention', { org_id: orgId, count: found.rejected.length + ended.length });
}
