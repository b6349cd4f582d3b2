/** Kinds of things in the log, each with what its actions begin with: `order.updated` is about an order. */
export const AUDIT_KINDS = {
  order_request: ['order_request'],
  prescription: ['prescription'],
  order: ['order'],
  payment: ['payment_link'],
  customer: ['customer'],
  product: ['product', 'stock'],
  key: ['api_key'],
  member: ['member'],
  subscription: ['subscription', 'delivery'],
  shop: ['shop', 'shop_host'],
  organization: ['organization', 'retention'],
} as const satisfies Record<string, readonly string[]>;

export type AuditKind = keyof typeof AUDIT_KINDS;

/** What an action is about, undefined for one that this version does not know. */
export function kindOf(action: string): AuditKind | undefined {
  const [entity = ''] = action.split('.');
  // SAFETY: the keys of the object above.
  const kinds = Object.keys(AUDIT_KINDS) as AuditKind[];
  return kinds.find((kind) => AUDIT_KINDS[kind].some((prefix) => prefix === entity));
}
