import { type AuditAction, type AuditKind, kindOf } from '../../audit/service';
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

/** The page of a target, by its kind and id. */
const PAGES: { [Kind in AuditKind]?: (id: string) => string } = {
  order: orderPath,
  order_request: requestPath,
  product: productPath,
  member: () => MEMBERS,
  key: () => KEYS,
  shop: shopPath,
  organization: () => ORGANIZATION,
};

/** The page of an action's target; undefined when it has none. */
export function pathOfThing(log: AuditLog, { action, entityId }: LoggedAct): string | undefined {
  if (GONE.includes(action) || log.goneIds.has(entityId)) return undefined;
  const kind = kindOf(action);
  if (kind === 'payment' || kind === 'prescription') return pathOfOwner(log, entityId);
  if (kind === 'subscription') return pathOfSubscription(log, action, entityId);
  return kind && PAGES[kind]?.(entityId);
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
