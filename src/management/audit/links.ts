import { type AuditAction, kindOf } from '../../audit/service';
import type { AuditLog, LoggedAct } from '../../reports/service';
import { KEYS, MEMBERS, ORGANIZATION, orderPath, productPath, requestPath, shopPath, WEBHOOKS } from '../http/paths';

/** After these actions the target has no page any more. */
const GONE: readonly AuditAction[] = [
  'order.deleted',
  'order_request.deleted',
  'subscription.deleted',
  'product.removed',
  'shop.deleted',
];

/** The page of an action's target; undefined when it has none. */
export function pathOfThing(log: AuditLog, { action, entityId }: LoggedAct): string | undefined {
  if (GONE.includes(action) || log.goneIds.has(entityId)) return undefined;
  switch (kindOf(action)) {
    case 'order':
      return orderPath(entityId);
    case 'order_request':
      return requestPath(entityId);
    case 'payment':
    case 'prescription':
      return pathOfOwner(log, entityId);
    case 'subscription':
      return pathOfSubscription(log, action, entityId);
    case 'product':
      return productPath(entityId);
    case 'member':
      return MEMBERS;
    case 'key':
      return KEYS;
    case 'shop':
      return shopPath(entityId);
    case 'organization':
      return ORGANIZATION;
    default:
      return undefined;
  }
}

/** The page that shows a payment link or a prescription: its order's, else that of the request it came with. */
function pathOfOwner({ orderIds, requestIds }: AuditLog, id: string): string | undefined {
  const [orderId, requestId] = [orderIds.get(id), requestIds.get(id)];
  if (orderId !== undefined) return orderPath(orderId);
  return requestId === undefined ? undefined : requestPath(requestId);
}

function pathOfSubscription({ subscriptionIds, goneIds }: AuditLog, action: string, id: string): string | undefined {
  if (!action.startsWith('delivery.')) return `${WEBHOOKS}/${id}`;
  const subscriptionId = subscriptionIds.get(id);
  if (subscriptionId === undefined || goneIds.has(subscriptionId)) return undefined;
  return `${WEBHOOKS}/${subscriptionId}/deliveries/${id}`;
}
