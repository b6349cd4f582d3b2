import type { SetUp } from './shell.ts';

/** What examples are about, and the calls that have to come before them. */

/** Products of the demo's catalog. The organization holds and offers the first two only. */
export const HELD = { name: 'Acetylsalicylsäure 500 mg Tabletten, 20 St', p1_id: 'P1-10009', price: 3.45 };
export const SUBMITTED = { name: 'Ibuprofen 400 mg Filmtabletten, 20 St', p1_id: 'P1-10001', price: 4.95 };
export const ADDED = 'P1-10002';
export const REMOVED = 'P1-10004';

/** The shortest content that is recognized as a PDF. */
export const PDF_BASE64 = 'JVBERi0xLjQKJSVFT0Y=';

export const ERIKA = { customer_name: 'Erika Mustermann', customer_email: 'erika@example.com' };
export const ENVELOPE = {
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

export const SUBMIT = '$SHOP_URL/api/v1/external-order';
export const SENT = `${SUBMIT}/$REQUEST_ID`;
export const REQUEST = '$API/order-requests/$REQUEST_ID';
export const ORDER = '$API/orders/$ORDER_ID';
export const MAX = { customer_name: 'Max Beispiel', customer_email: 'max@example.com' };

/** Without a reference, so that repeating the commands creates another request. */
export function submitted(customer = ERIKA, more: object = {}): SetUp {
  return {
    why: 'An order request, as a platform sends it',
    path: SUBMIT,
    body: { payload: { ...customer, shipping_option: 'Abholung', items: [{ ...HELD, quantity: 1 }], ...more } },
    save: { variable: 'REQUEST_ID', at: 'id' },
  };
}

export const withPrescription = submitted(ERIKA, { prescription_pdf_base64: PDF_BASE64 });
export const prescription: SetUp = {
  why: 'The prescription that came with it',
  path: REQUEST,
  save: { variable: 'PRESCRIPTION_ID', at: 'prescriptions[0].id' },
};
export const approved: SetUp = {
  why: 'Approved, it is an order',
  path: `${REQUEST}/approve`,
  body: {},
  save: { variable: 'ORDER_ID', at: 'order_id' },
};
export const packed: SetUp = {
  why: 'Packed, it can be collected',
  method: 'PATCH',
  path: ORDER,
  body: { status: 'ready_pickup' },
  save: { variable: 'STATUS', at: 'status' },
};
export const paid: SetUp = {
  why: 'Paid',
  path: `${ORDER}/mark-paid`,
  body: {},
  save: { variable: 'STATUS', at: 'payment_status' },
};
export const rejected: SetUp = {
  why: 'Rejected',
  path: `${REQUEST}/reject`,
  body: { reason_code: 'prescription_unreadable' },
  save: { variable: 'STATUS', at: 'status' },
};
export const cancelled: SetUp = {
  why: 'Cancelled',
  method: 'PATCH',
  path: ORDER,
  body: { status: 'cancelled', reason_code: 'customer_withdrew' },
  save: { variable: 'STATUS', at: 'status' },
};
export const customer: SetUp = {
  why: 'Whose order it is',
  path: ORDER,
  save: { variable: 'CUSTOMER_ID', at: 'customer.id' },
};

export function stocked(p1_id: string): SetUp {
  return {
    why: 'A product of the inventory; safe to repeat',
    path: '$API/products/add-to-inventory',
    body: { p1_id, initial_stock: 20 },
    save: { variable: 'P1_ID', at: 'p1_id' },
  };
}

export const attached: SetUp = {
  why: 'Offered by the shop; safe to repeat',
  path: '$API/shops/attach-product',
  body: { shop_id: '$SHOP_ID', p1_id: '$P1_ID' },
  save: { variable: 'P1_ID', at: 'p1_id' },
};

export const subscription: SetUp = {
  why: 'The subscription, as owners make it in the management interface',
  path: '$API/webhooks/subscriptions',
  save: { variable: 'SUBSCRIPTION_ID', at: 'data[0].id' },
};
export const delivery: SetUp = {
  why: 'What was delivered last',
  path: '$API/webhooks/deliveries?subscription_id=$SUBSCRIPTION_ID&status=succeeded&limit=1',
  save: { variable: 'DELIVERY_ID', at: 'data[0].id' },
};
