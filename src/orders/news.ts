import type { OutboxEntry } from '../platform/commit';
import type { Context } from '../platform/context';
import { outboxEvent } from '../webhooks/outbox';
import type { OrderRow } from './store';

/** Keys of the request that an order was, in the metadata of what is told of the order. */
function requestKeysOf({ orderRequestId, externalReference }: OrderRow) {
  if (orderRequestId === null) return {};
  return { order_request_id: orderRequestId, external_reference: externalReference ?? '' };
}

/** The event of fields that changed. @param changed their names on the wire */
export function orderUpdated(ctx: Context, order: OrderRow, changed: string[]): OutboxEntry {
  return outboxEvent(ctx, {
    type: 'order_updated',
    orgId: order.orgId,
    about: order,
    metadata: { order_id: order.id, changed_fields: changed, ...requestKeysOf(order) },
  });
}

/** The event of a step, or of flags that changed. */
export function orderStatusUpdated(
  ctx: Context,
  order: OrderRow,
  { status = order.status, flags = [] }: { status?: OrderRow['status']; flags?: string[] },
): OutboxEntry {
  return outboxEvent(ctx, {
    type: 'order_status_updated',
    orgId: order.orgId,
    about: order,
    metadata: {
      order_id: order.id,
      old_status: order.status,
      new_status: status,
      ...(flags.length > 0 && { changed_flags: flags }),
      ...requestKeysOf(order),
    },
  });
}
