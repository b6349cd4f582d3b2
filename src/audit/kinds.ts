import type { AuditAction, AuditEntity } from './actions';

/** Which kind of thing an action is about, by the part before the dot: `stock.changed` is about a product. */
const KIND_OF_ENTITY = {
  order_request: 'order_request',
  prescription: 'prescription',
  order: 'order',
  payment_link: 'payment',
  customer: 'customer',
  product: 'product',
  stock: 'product',
  inventory: 'organization',
  api_key: 'key',
  member: 'member',
  subscription: 'subscription',
  delivery: 'subscription',
  shop: 'shop',
  shop_host: 'shop',
  organization: 'organization',
  retention: 'organization',
} as const satisfies Record<AuditEntity, string>;

export type AuditKind = (typeof KIND_OF_ENTITY)[AuditEntity];

export const AUDIT_KINDS: readonly AuditKind[] = [...new Set(Object.values(KIND_OF_ENTITY))];

/** What an action is about; undefined for an action that a later version of the service wrote. */
export function kindOf(action: AuditAction): AuditKind | undefined {
  // SAFETY: an action is `entity.verb`.
  return KIND_OF_ENTITY[action.split('.')[0] as AuditEntity];
}

/** The first parts of all actions of a kind. */
export function entitiesOf(kind: AuditKind): string[] {
  return Object.entries(KIND_OF_ENTITY).flatMap(([entity, of]) => (of === kind ? [entity] : []));
}

/** What a log shows together: who looked at what, who signed in, settings; and the work, which is all the rest. */
export const AUDIT_PARTS = ['decisions', 'settings', 'sign_ins', 'views'] as const;
export type AuditPart = (typeof AUDIT_PARTS)[number];
