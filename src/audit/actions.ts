/**
 * Every action that the log records, as `entity.verb`. The compiler requires that each action has a kind and, in each
 * language, a label.
 */
export type AuditAction =
  | 'order_request.approved'
  | 'order_request.rejected'
  | 'order_request.reopened'
  | 'order_request.needs_info'
  | 'order_request.info_settled'
  | 'order_request.noted'
  | 'order_request.supplemented'
  | 'order_request.paid'
  | 'order_request.draft_saved'
  | 'order_request.draft_discarded'
  | 'order_request.deleted'
  | 'order_request.held'
  | 'order_request.released'
  | 'prescription.viewed'
  | 'prescription.approved'
  | 'prescription.uploaded'
  | 'prescription.set_aside'
  | 'prescription.taken_back'
  | 'prescription.fetch_requested'
  | 'prescription.signature_completed'
  | 'prescription.token_deleted'
  | 'order.created'
  | 'order.updated'
  | 'order.noted'
  | 'order.packed'
  | 'order.unpacked'
  | 'order.returned'
  | 'order.split'
  | 'order.expected_later'
  | 'order.arrived'
  | 'order.part_supplied'
  | 'order.rest_cancelled'
  | 'order.substituted'
  | 'order.marked_paid'
  | 'order.refunded'
  | 'order.deleted'
  | 'payment_link.created'
  | 'customer.erased'
  | 'customer.held'
  | 'customer.released'
  | 'product.added'
  | 'product.created'
  | 'product.joined'
  | 'product.updated'
  | 'product.removed'
  | 'product.attached'
  | 'product.detached'
  | 'product.overridden'
  | 'stock.changed'
  | 'inventory.changed'
  | 'api_key.created'
  | 'api_key.rotated'
  | 'api_key.revoked'
  | 'api_key.submitted_events_on'
  | 'api_key.submitted_events_off'
  | 'api_key.stock_set'
  | 'member.invited'
  | 'member.accepted'
  | 'member.revoked'
  | 'member.role_changed'
  | 'member.signed_in'
  | 'member.signed_out_everywhere'
  | 'member.password_changed'
  | 'member.second_factor_enabled'
  | 'member.second_factor_disabled'
  | 'member.second_factor_locked'
  | 'member.reset_issued'
  | 'member.reset_used'
  | 'subscription.created'
  | 'subscription.paused'
  | 'subscription.resumed'
  | 'subscription.deleted'
  | 'subscription.updated'
  | 'subscription.secret_rotated'
  | 'subscription.secret_overlap_ended'
  | 'subscription.tested'
  | 'subscription.held'
  | 'subscription.released'
  | 'subscription.disabled'
  | 'subscription.deliveries_expired'
  | 'subscription.redelivered'
  | 'delivery.redelivered'
  | 'shop.created'
  | 'shop.updated'
  | 'shop.activated'
  | 'shop.deactivated'
  | 'shop.deleted'
  | 'shop_host.added'
  | 'shop_host.activated'
  | 'shop_host.moved'
  | 'shop_host.removed'
  | 'shop_host.returned'
  | 'organization.created'
  | 'organization.end_begun'
  | 'organization.end_confirmed'
  | 'organization.end_stopped'
  | 'organization.export_begun'
  | 'organization.imported'
  | 'organization.updated'
  | 'organization.rows_read'
  | 'organization.test_opened'
  | 'retention.erased'
  | 'retention.replayed';

/** The part of an action before the dot. */
type AuditEntity = AuditAction extends `${infer Entity}.${string}` ? Entity : never;

/**
 * Maps the part of an action before the dot to the kind of thing that the action is about. For example, `stock.changed`
 * is about a product.
 */
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

/**
 * Returns the kind of thing that an action is about; undefined for an action that a later version of the service wrote.
 */
export function kindOf(action: AuditAction): AuditKind | undefined {
  // SAFETY: an action is `entity.verb`.
  return KIND_OF_ENTITY[action.split('.')[0] as AuditEntity];
}

/**
 * Returns the entities whose actions are about this kind of thing. An entity is the part of an action before the dot.
 */
export function entitiesOf(kind: AuditKind): string[] {
  return Object.entries(KIND_OF_ENTITY).flatMap(([entity, of]) => (of === kind ? [entity] : []));
}

/** The parts of the log that can be shown separately: settings, sign-ins, views, and `decisions` for all other acts. */
export const AUDIT_PARTS = ['decisions', 'settings', 'sign_ins', 'views'] as const;
export type AuditPart = (typeof AUDIT_PARTS)[number];
