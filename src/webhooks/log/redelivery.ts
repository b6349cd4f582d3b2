import { recordAudit } from '../../audit/record';
import { requireScope } from '../../platform/access';
import { commit } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { newId } from '../../platform/ids';
import { dueDeliveries } from '../deliveries/after-commit';
import { noDelivery, notRedeliverable } from '../errors';
import { seesCallbacks } from '../subscriptions/manage';
import { selectDelivery } from './store-log';
import { insertRedelivery } from './store-redelivery';

/**
 * Sends the event of an ended delivery again, as a new delivery. A test event is created anew instead.
 * @throws AppError `delivery_not_found`, `not_redeliverable` while the event is on its way or its subscription is not
 *   active
 */
export async function redeliver(ctx: Context, deliveryId: string): Promise<{ deliveryId: string }> {
  const { orgId } = requireScope(ctx, 'webhooks.write');
  const id = newId();
  const withCallbacks = seesCallbacks(ctx);
  const batch = {
    delivery: dueDeliveries(insertRedelivery({ orgId, deliveryId, withCallbacks }, id, ctx.now())),
    audit: recordAudit(ctx, { orgId, action: 'delivery.redelivered', entityId: id }),
  };
  const refused = async () => {
    const delivery = await ctx.db.rows(selectDelivery(orgId, deliveryId, withCallbacks));
    return delivery.length === 0 ? noDelivery() : notRedeliverable();
  };
  await commit(ctx, batch, { refused });
  return { deliveryId: id };
}
