import { type AuditAction, kindOf } from '../../audit/service';
import type { AuditLog, LoggedAct } from '../../reports/service';
import { orderPath } from '../orders/parts';
import { productPath } from '../products/paths';
import { REQUESTS } from '../requests/inbox-page';
import { WEBHOOKS } from '../webhooks/parts';

const SETTINGS = '/manage/settings';
/** What these leave behind has no page any more. */
const GONE: readonly AuditAction[] = [
  'order.deleted',
  'order_request.deleted',
  'subscription.deleted',
  'product.removed',
  'shop.deleted',
];

/** The page of the thing that an act was about, undefined when it has none. */
export function pathOfThing(log: AuditLog, { action, entityId }: LoggedAct): string | undefined {
  if (GONE.includes(action) || log.goneIds.has(entityId)) return undefined;
  switch (kindOf(action)) {
    case 'order':
      return orderPath(entityId);
    case 'order_request':
      return `${REQUESTS}/${entityId}`;
    case 'payment':
    case 'prescription':
      return pathOfOwner(log, entityId);
    case 'subscription':
      return pathOfSubscription(log, action, entityId);
    case 'product':
      return productPath(entityId);
    case 'member':
      return `${SETTINGS}/members`;
    case 'key':
      return `${SETTINGS}/keys`;
    case 'shop':
      return `${SETTINGS}/shops/${entityId}`;
    case 'organization':
      return `${SETTINGS}/organization`;
    default:
      return undefined;
  }
}

/** Where a payment link or a prescription is seen: its order, else the request that it came with. */
function pathOfOwner({ orderIds, requestIds }: AuditLog, id: string): string | undefined {
  const [orderId, requestId] = [orderIds.get(id), requestIds.get(id)];
  if (orderId !== undefined) return orderPath(orderId);
  return requestId === undefined ? undefined : `${REQUESTS}/${requestId}`;
}

function pathOfSubscription({ subscriptionIds, goneIds }: AuditLog, action: string, id: string): string | undefined {
  if (!action.startsWith('delivery.')) return `${WEBHOOKS}/${id}`;
  const subscriptionId = subscriptionIds.get(id);
  if (subscriptionId === undefined || goneIds.has(subscriptionId)) return undefined;
  return `${WEBHOOKS}/${subscriptionId}/deliveries/${id}`;
}
