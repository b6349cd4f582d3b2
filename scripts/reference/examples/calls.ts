import type { Call, Example, SetUp } from './snippets';

/** Products of the demo's catalog. The organization holds and offers the first two only. */
const HELD = { name: 'Acetylsalicylsäure 500 mg Tabletten, 20 St', p1_id: 'P1-10009', price: 3.45 };
const SUBMITTED = { name: 'Ibuprofen 400 mg Filmtabletten, 20 St', p1_id: 'P1-10001', price: 4.95 };
const ADDED = 'P1-10002';
const REMOVED = 'P1-10004';

/** The shortest content that is recognized as a PDF. */
const PDF_BASE64 = 'JVBERi0xLjQKJSVFT0Y=';

const ERIKA = { customer_name: 'Erika Mustermann', customer_email: 'erika@example.com' };
const ENVELOPE = {
  external_reference: 'RX-2026-0001',
  source: 'telemed.example',
  payload: {
    ...ERIKA,
    address_street: 'Heidestraße 17',
    address_postal_code: '51147',
    address_city: 'Köln',
    shipping_option: 'Abholung',
    payment_status: 'cash_on_pickup',
    total_amount: 9.9,
    items: [{ ...SUBMITTED, quantity: 2 }],
  },
};

const SUBMIT = '$SHOP_URL/api/v1/external-order';
const SENT = `${SUBMIT}/$REQUEST_ID`;
const REQUEST = '$API/order-requests/$REQUEST_ID';
const ORDER = '$API/orders/$ORDER_ID';
const PRESCRIPTION = '$API/prescriptions/$PRESCRIPTION_ID';
const MAX = { customer_name: 'Max Beispiel', customer_email: 'max@example.com' };

/** Returns a preparing call. `variable` gets the text at the path `at` of the response. */
function step(why: string, path: string, [variable, at]: [string, string], sent: Omit<Call, 'path'> = {}): SetUp {
  return { why, path, ...sent, save: { variable, at } };
}

/** A submission without a reference, so that each repetition creates another request. */
function submitted(customer = ERIKA, more: object = {}): SetUp {
  const payload = { ...customer, shipping_option: 'Abholung', items: [{ ...HELD, quantity: 1 }], ...more };
  return step('An order request, as a platform sends it', SUBMIT, ['REQUEST_ID', 'id'], { body: { payload } });
}

const withPrescription = submitted(ERIKA, { prescription_pdf_base64: PDF_BASE64 });
const prescription = step('The prescription that came with it', REQUEST, ['PRESCRIPTION_ID', 'prescriptions[0].id']);
const approved = step('Approved, it is an order', `${REQUEST}/approve`, ['ORDER_ID', 'order_id'], { body: {} });
const booked: SetUp = {
  why: 'Packed from a batch',
  method: 'PATCH',
  path: ORDER,
  body: { batches: [{ line: 0, batch: 'AB12' }] },
};
const changed = (why: string, body: object) => step(why, ORDER, ['STATUS', 'status'], { method: 'PATCH', body });
const packed = changed('Packed, it can be collected', { status: 'ready_pickup' });
const paid = step('Paid', `${ORDER}/mark-paid`, ['STATUS', 'payment_status'], { body: {} });
const cancelled = changed('Cancelled', { status: 'cancelled', reason_code: 'customer_withdrew' });
const customer = step('Whose order it is', ORDER, ['CUSTOMER_ID', 'customer.id']);

const IN_STOCK = 'A product of the inventory; safe to repeat';
function stocked(p1_id: string): SetUp {
  const body = { p1_id, initial_stock: 20 };
  return step(IN_STOCK, '$API/products/add-to-inventory', ['P1_ID', 'p1_id'], { body });
}

const OFFERED = 'Offered by the shop; safe to repeat';
const attached = step(OFFERED, '$API/shops/attach-product', ['P1_ID', 'p1_id'], {
  body: { shop_id: '$SHOP_ID', p1_id: '$P1_ID' },
});

const SUBSCRIBED = 'The subscription, as owners make it in the management interface';
const subscription = step(SUBSCRIBED, '$API/webhooks/subscriptions', ['SUBSCRIPTION_ID', 'data[0].id']);
const LAST = '$API/webhooks/deliveries?subscription_id=$SUBSCRIPTION_ID&status=succeeded&limit=1';
const delivery = step('What was delivered last', LAST, ['DELIVERY_ID', 'data[0].id']);

/**
 * One example for each operation, by its id, in the order in which `npm run examples` records them against a new demo.
 * Each block works alone, in any order, and repeatedly, because it creates what it needs.
 */
export const EXAMPLES: Record<string, Example> = {
  // Must be first so that its figures are those of this order only.
  getReportSummary: { setUp: [submitted(), approved], path: '$API/reports/summary', settleMs: 3_000 },

  submitOrderRequest: { path: SUBMIT, body: ENVELOPE },
  findOrderRequest: {
    setUp: [
      step('An order request with a reference; safe to repeat', SUBMIT, ['REQUEST_ID', 'id'], { body: ENVELOPE }),
    ],
    path: `${SUBMIT}?external_reference=${ENVELOPE.external_reference}`,
  },
  getOrderRequestStatus: { setUp: [submitted(), approved, packed], path: SENT },
  supplementOrderRequest: {
    setUp: [submitted()],
    path: `${SENT}/supplement`,
    body: { note: 'Das Rezept ist jetzt lesbar.', prescription_pdf_base64: PDF_BASE64, replaces: true },
  },
  withdrawOrderRequest: { setUp: [submitted()], method: 'DELETE', path: SENT },
  getOwnShop: { path: '$SHOP_URL/api/v1/shop' },
  listOfferedProducts: { path: '$SHOP_URL/api/v1/products?q=Ibu&limit=2' },
  createAccessToken: { path: '$API/auth/token', body: { scope: 'products.read orders.read' } },

  listShops: { path: '$API/shops' },
  listProducts: { path: '$API/products?shop_id=$SHOP_ID&limit=2' },
  getProduct: { path: `$API/products/${SUBMITTED.p1_id}?shop_id=$SHOP_ID` },
  addProductToInventory: {
    path: '$API/products/add-to-inventory',
    body: { p1_id: ADDED, initial_stock: 20, price: 7.95 },
  },
  createProduct: {
    path: '$API/products',
    body: {
      name: 'Gorilla Glue 24/1',
      price: 8.75,
      unit: 'g',
      thc_percent: 24,
      prescription_required: true,
      initial_stock: 100,
    },
  },
  updateProduct: {
    setUp: [stocked(ADDED)],
    method: 'PUT',
    path: '$API/products/$P1_ID',
    body: { price: 9.49, description: 'Für Erwachsene und Kinder ab 20 kg.' },
  },
  attachProduct: {
    setUp: [stocked(ADDED)],
    path: '$API/shops/attach-product',
    body: { shop_id: '$SHOP_ID', p1_id: '$P1_ID', overrides: { price: 8.49 } },
  },
  setProductOverrides: {
    setUp: [stocked(ADDED), attached],
    path: '$API/shops/product-overrides',
    body: { shop_id: '$SHOP_ID', p1_id: '$P1_ID', overrides: { price: 200 }, mode: 'merge' },
  },
  detachProduct: {
    setUp: [stocked(ADDED), attached],
    path: '$API/shops/detach-product',
    body: { shop_id: '$SHOP_ID', p1_id: '$P1_ID' },
  },

  listCatalog: { path: '$API/catalog/products?q=ibu&limit=2' },
  changeProducts: {
    setUp: [stocked(ADDED)],
    method: 'PATCH',
    path: '$API/products',
    body: {
      items: [
        { p1_id: '$P1_ID', price: 9.49 },
        { p1_id: HELD.p1_id, description: 'Für Erwachsene.' },
      ],
    },
  },

  changeInventory: {
    setUp: [stocked(ADDED)],
    method: 'PATCH',
    path: '$API/inventory',
    body: {
      items: [
        { p1_id: '$P1_ID', on_hand: 24, reason: 'count', reference: 'Inventur 2026' },
        { p1_id: HELD.p1_id, delta: 12, reason: 'delivery', price: 3.25, attach_to: ['$SHOP_ID'] },
        { p1_id: 'P1-99999', delta: 1 },
      ],
    },
  },
  getInventoryItem: { setUp: [stocked(ADDED)], path: '$API/inventory/$P1_ID' },
  listStockMovements: { setUp: [stocked(ADDED)], path: '$API/inventory/$P1_ID/log?limit=2' },
  listInventory: { path: '$API/inventory?limit=2' },
  changeStock: {
    setUp: [stocked(ADDED)],
    method: 'PATCH',
    path: '$API/inventory/$P1_ID',
    body: { delta: 12, reason: 'delivery' },
  },
  removeFromInventory: { setUp: [stocked(REMOVED)], method: 'DELETE', path: '$API/inventory/$P1_ID' },

  listOrderRequests: { setUp: [submitted()], path: '$API/order-requests?status=pending&limit=1' },
  getOrderRequest: { setUp: [withPrescription], path: REQUEST },
  createOrderRequest: {
    path: '$API/order-requests',
    body: { shop_id: '$SHOP_ID', ...ENVELOPE, external_reference: 'RX-2026-0002' },
  },
  approveOrderRequest: { setUp: [submitted()], path: `${REQUEST}/approve`, body: {} },
  rejectOrderRequest: {
    setUp: [submitted()],
    path: `${REQUEST}/reject`,
    body: { reason_code: 'other', note: 'The customer asked for another shop.' },
  },
  deleteOrderRequest: { setUp: [submitted()], method: 'DELETE', path: REQUEST },

  listOrders: { setUp: [submitted(), approved], path: '$API/orders?status=awaiting_packing&limit=1' },
  getOrder: { setUp: [submitted(), approved], path: ORDER },
  findBatch: { setUp: [submitted(), approved, booked], path: '$API/batches?batch=AB12' },
  getDispensingRecord: { setUp: [submitted(), approved], path: `${ORDER}/dispensing-record` },
  upsertOrder: {
    path: '$API/orders',
    body: {
      shop_id: '$SHOP_ID',
      external_id: 'SHOP-1001',
      ...ERIKA,
      shipping_option: 'Abholung',
      items: [{ name: HELD.name, p1_id: HELD.p1_id, qty: 1, price: HELD.price }],
    },
  },
  changeOrder: { setUp: [submitted(), approved], method: 'PATCH', path: ORDER, body: { status: 'ready_pickup' } },
  markOrderPaid: {
    setUp: [submitted(), approved],
    path: `${ORDER}/mark-paid`,
    body: { payment_reference: 'TX-4711' },
  },
  refundOrder: {
    setUp: [submitted(), approved, paid],
    path: `${ORDER}/refund`,
    body: { amount: 1.45, reason_code: 'out_of_stock' },
  },
  createPaymentLink: { setUp: [submitted(), approved], path: `${ORDER}/payment-links`, body: {} },
  deleteOrder: { setUp: [submitted(), approved, cancelled], method: 'DELETE', path: ORDER },

  getPrescription: { setUp: [withPrescription, prescription], path: PRESCRIPTION },
  getPrescriptionFile: { setUp: [withPrescription, prescription], path: `${PRESCRIPTION}/file` },
  listPrescriptions: { setUp: [withPrescription], path: `${REQUEST}/prescriptions` },
  approvePrescription: { setUp: [withPrescription, prescription], path: `${PRESCRIPTION}/approve`, body: {} },
  completeSignature: {
    setUp: [withPrescription, prescription],
    path: `${PRESCRIPTION}/signature`,
    body: { provider: 'qes.example', signature_reference: 'SIG-2026-77', signed_at: '2026-11-20T09:30:00Z' },
  },

  findCustomers: { setUp: [submitted(MAX), approved], path: `$API/customers?email=${MAX.customer_email}` },
  exportCustomer: { setUp: [submitted(MAX), approved, customer], path: '$API/customers/$CUSTOMER_ID' },
  // The order is cancelled first, because a person's data is needed while they have an open order.
  eraseCustomer: {
    setUp: [
      submitted({ customer_name: 'Maria Muster', customer_email: 'maria@example.com' }),
      approved,
      customer,
      cancelled,
    ],
    method: 'DELETE',
    path: '$API/customers/$CUSTOMER_ID',
  },

  listEvents: { path: '$API/events?limit=2' },

  listSubscriptions: { path: '$API/webhooks/subscriptions', settleMs: 3_000 },
  listDeliveries: { setUp: [submitted(), approved, subscription], path: LAST },
  redeliver: {
    setUp: [submitted(), approved, subscription, delivery],
    method: 'POST',
    path: '$API/webhooks/deliveries/$DELIVERY_ID/redeliver',
  },
  recover: {
    setUp: [subscription],
    path: '$API/webhooks/subscriptions/$SUBSCRIPTION_ID/recover',
    body: { since: '2026-11-20T09:30:00Z' },
  },
  testSubscription: {
    setUp: [subscription],
    path: '$API/webhooks/subscriptions/$SUBSCRIPTION_ID/test',
    body: { event_type: 'order_created' },
  },
};

/** A pharmacy system's calls from the request to the hand-over, in one block. */
export const WALKTHROUGH: Example = {
  setUp: [
    { ...withPrescription, why: '1. A platform submits an order request with a prescription: it is pending' },
    {
      ...prescription,
      why: '2. Staff look at it: what was asked for, what is in the way (blockers), the prescription',
    },
    step('3. A pharmacist approves the prescription', `${PRESCRIPTION}/approve`, ['STATUS', 'status'], { body: {} }),
    {
      ...approved,
      why: '4. Staff approve the request: it becomes an order, and the stock is taken. A prescription is redeemed once; that this is the sample is the reason for going over it',
      body: { override_reason: 'Sample prescription' },
    },
    changed('5. Packed: the customer can come', { status: 'ready_pickup' }),
  ],
  why: '6. Handed over, and paid in cash at the counter',
  method: 'PATCH',
  path: ORDER,
  body: { status: 'picked_up', cash_received: true },
};
