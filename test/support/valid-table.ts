import { envelope } from './envelope';

/** What requests name. */
export interface Target {
  shop_id: string;
  p1_id: string;
  /** What `:id` names, by the step of the path before it. */
  ids: Record<string, string>;
}

export interface Valid {
  /** What of a target stands in the request. */
  names?: ('shop_id' | 'p1_id' | 'id')[];
  body?: (target: Target) => unknown;
  /** The shop stands in the query. */
  asks?: true;
  /** What else stands in the query. */
  query?: (target: Target) => Record<string, string>;
  /** When not 200. */
  status?: number;
  /** What stands in the way of an item fails the item and not the call. */
  isBulk?: true;
}

const offer = ({ shop_id, p1_id }: Target) => ({ shop_id, p1_id });
/** An upsert of an order. */
export const orderOf = ({ shop_id, p1_id }: Target, external_id: string) => ({
  shop_id,
  external_id,
  customer_name: 'Erika Mustermann',
  customer_email: 'erika@example.com',
  customer_id: `K-${external_id}`,
  items: [{ p1_id, qty: 1, price: 4.95 }],
});

/** A valid request for every route of the organization API. */
export const VALID: Record<string, Valid> = {
  'GET /shops': {},
  'GET /products': { names: ['shop_id'], asks: true },
  'GET /products/:p1Id': { names: ['shop_id', 'p1_id'], asks: true },
  'POST /products/add-to-inventory': { body: ({ p1_id }) => ({ p1_id, initial_stock: 5, price: 2 }) },
  'POST /products': { body: () => ({ name: 'Hausmischung', price: 4.95 }), status: 201 },
  'PUT /products/:p1Id': { names: ['p1_id'], body: () => ({ price: 2.5 }) },
  'POST /shops/attach-product': {
    names: ['shop_id', 'p1_id'],
    body: (target) => ({ ...offer(target), overrides: { price: 1 } }),
  },
  'POST /shops/detach-product': { names: ['shop_id', 'p1_id'], body: offer },
  'POST /shops/product-overrides': {
    names: ['shop_id', 'p1_id'],
    body: (target) => ({ ...offer(target), overrides: { price: 1 } }),
  },
  'GET /inventory': {},
  'PATCH /inventory': { names: ['p1_id'], body: ({ p1_id }) => ({ items: [{ p1_id, delta: -1 }] }), isBulk: true },
  'GET /inventory/:p1Id': { names: ['p1_id'] },
  'GET /inventory/:p1Id/log': { names: ['p1_id'] },
  'PATCH /products': { names: ['p1_id'], body: ({ p1_id }) => ({ items: [{ p1_id, price: 2 }] }), isBulk: true },
  'GET /catalog/products': {},
  'PATCH /inventory/:p1Id': { names: ['p1_id'], body: () => ({ delta: -1, low_stock_threshold: 2 }) },
  'DELETE /inventory/:p1Id': { names: ['p1_id'] },
  'GET /events': {},
  'GET /order-requests': {},
  'POST /order-requests': { names: ['shop_id'], body: ({ shop_id }) => ({ shop_id, ...envelope() }) },
  'GET /order-requests/:id': { names: ['id'] },
  'GET /order-requests/:id/prescriptions': { names: ['id'] },
  'GET /prescriptions/:id': { names: ['id'] },
  'GET /prescriptions/:id/file': { names: ['id'] },
  'POST /order-requests/:id/approve': { names: ['id'], body: () => ({}), status: 409 },
  'POST /order-requests/:id/reject': { names: ['id'], body: () => ({ reason_code: 'test' }) },
  'DELETE /order-requests/:id': { names: ['id'] },
  'GET /orders': {},
  'POST /orders': { names: ['shop_id'], body: (target) => orderOf(target, 'O-2'), status: 201 },
  'GET /orders/:id': { names: ['id'] },
  'GET /batches': { query: () => ({ batch: 'AB12' }) },
  'GET /orders/:id/dispensing-record': { names: ['id'] },
  'PATCH /orders/:id': { names: ['id'], body: () => ({ express: true }) },
  'POST /orders/:id/mark-paid': { names: ['id'], body: () => ({}) },
  'POST /orders/:id/refund': { names: ['id'], body: () => ({ reason_code: 'test' }), status: 409 },
  'POST /orders/:id/payment-links': { names: ['id'], body: () => ({}), status: 201 },
  'DELETE /orders/:id': { names: ['id'], status: 409 },
  'POST /prescriptions/:id/approve': { names: ['id'], body: () => ({}) },
  'POST /prescriptions/:id/signature': {
    names: ['id'],
    body: () => ({ provider: 'qes.example', signature_reference: 'SIG-1', signed_at: '2026-11-20T09:30:00Z' }),
  },
  'GET /customers': { query: () => ({ email: 'erika@example.com' }) },
  'GET /customers/:id': { names: ['id'] },
  // The fixture's customer has an order under way.
  'DELETE /customers/:id': { names: ['id'], status: 409 },
  'GET /reports/summary': {},
  'GET /webhooks/subscriptions': {},
  'GET /webhooks/deliveries': { names: ['id'], query: ({ ids }) => ({ subscription_id: ids.subscriptions ?? '' }) },
  // The fixture's delivery waits.
  'POST /webhooks/deliveries/:id/redeliver': { names: ['id'], status: 409 },
  'POST /webhooks/subscriptions/:id/recover': {
    names: ['id'],
    body: () => ({ since: '2026-11-20T09:30:00Z' }),
    status: 202,
  },
  'POST /webhooks/subscriptions/:id/test': { names: ['id'], body: () => ({ event_type: 'order_created' }) },
};

/** The path of a route, with what it names. */
export function pathOf(path: string, { p1_id, ids }: Target): string {
  return path.replace(':p1Id', p1_id).replace(':id', ids[kindIn(path)] ?? '');
}

/** The step of a path before its `:id`. */
export function kindIn(path: string): string {
  return path.replace('/webhooks', '').split('/')[1] ?? '';
}
