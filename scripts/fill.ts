import { ask, operatorApi, organizationApi } from './api.ts';
import type { Demo } from './demo.ts';
import { onePagePdf } from './pdf.ts';

const LONG_NAME = 'Prof. Dr. Maximiliane-Alexandra von und zu Hohenstein-Oberwiesenthal-Brüggemannová';
const RTL_NAME = 'محمد عبد الرحمن بن عبد العزيز بن سعود بن فيصل الهاشمي القرشي الحسيني العلوي';
/** Products of the demo's assortment, with enough stock for all orders below. */
const ITEM = { name: 'Paracetamol 500 mg Tabletten, 10 St', p1_id: 'P1-10005', quantity: 2, price: 2.95 };
const PICKUP = { shipping_option: 'Abholung', payment_status: 'cash_on_pickup' };
const PARCEL = {
  shipping_option: 'Versand',
  payment_status: 'paid',
  address_street: 'Große Bleichen 12',
  address_postal_code: '20354',
  address_city: 'Hamburg',
  address_phone: '+49 40 123456',
};

/** Names that differ from the products with these ids, which the page has to point out. One requires a prescription. */
const MISMATCHED = [
  { name: 'Ibuprofen 400 mg', p1_id: 'P1-10037', quantity: 2, price: 0.05 },
  { name: 'Amoxicillin 1000 mg', p1_id: 'P1-10057', quantity: 400, price: 5 },
  { p1_id: 'P1-10001', quantity: 1, price: 4.95 },
];

/** Waiting order requests, each with data that is difficult to display. */
const WAITING: Record<string, unknown>[] = [
  { customer_name: 'Erika Mustermann', customer_email: 'erika@example.com', ...PICKUP, items: [ITEM] },
  {
    customer_name: LONG_NAME,
    ...PARCEL,
    items: [{ ...ITEM, name: `Paracetamol 500 mg ${'Donaudampfschifffahrts'.repeat(6)}salbe` }],
  },
  { customer_name: 'Sabine Falsch', ...PICKUP, items: MISMATCHED, total_amount: 12.5 },
  { customer_name: RTL_NAME, ...PARCEL, items: [{ name: 'دواء غير معروف في الصيدلية', quantity: 3, price: 12 }] },
  { customer_name: '<script>alert(1)</script>', ...PICKUP, items: [{ ...ITEM, quantity: 9000 }], total_amount: 1 },
  { customer_email: `${'lange-adresse.'.repeat(4)}name@sehr-lange-beispiel-domain.example`, ...PICKUP, items: [] },
];
/** Requests that become orders, each with its order's status changes. */
const ORDERS: { customer: string; payload: object; steps: object[] }[] = [
  { customer: LONG_NAME, payload: PICKUP, steps: [] },
  { customer: 'Sabine Falsch', payload: { ...PICKUP, items: MISMATCHED.slice(0, 1) }, steps: [] },
  { customer: 'Jörg Weiß', payload: PICKUP, steps: [{ status: 'ready_pickup' }, { status: 'picked_up' }] },
  { customer: 'Ayşe Yılmaz', payload: PARCEL, steps: [{ status: 'ready_shipping' }, { status: 'shipped' }] },
  { customer: RTL_NAME, payload: PARCEL, steps: [{ status: 'ready_shipping' }] },
  {
    customer: 'Olga Kästner',
    payload: { ...PARCEL, payment_status: 'pending' },
    steps: [{ on_hold: true, hold_reason: 'Rückruf des Arztes steht aus' }],
  },
  { customer: 'Timo Groß', payload: PICKUP, steps: [{ status: 'cancelled', reason_code: 'customer_withdrew' }] },
];
const REJECTED = { customer_name: 'Paul Abgelehnt', ...PICKUP, items: [ITEM] };

/** Fills a demo organization with a day's data: waiting and decided requests, open orders, failing webhooks. */
export async function fill(demo: Demo): Promise<void> {
  const { base_url: baseUrl, org_id: orgId } = demo;
  await operatorApi(baseUrl, demo.operator_token)('POST', `/organizations/${orgId}/subscriptions`, {
    // Port 9 (discard): nothing listens there, so every delivery fails.
    url: `http://127.0.0.1:9/${'ein-recht-langer-pfad/'.repeat(5)}`,
    event_types: ['order_request_submitted', 'order_created'],
  });
  const call = await organizationApi(baseUrl, orgId, demo.api_key);

  for (const { customer, payload, steps } of ORDERS) {
    const id = await submit(demo, { customer_name: customer, items: [ITEM], ...payload });
    const { order_id } = await call('POST', `/order-requests/${id}/approve`, {});
    for (const step of steps) await call('PATCH', `/orders/${order_id}`, step);
  }
  const rejected = await submit(demo, REJECTED);
  await call('POST', `/order-requests/${rejected}/reject`, { reason_code: 'prescription_unreadable', note: LONG_NAME });
  for (const payload of WAITING) {
    await submit(demo, { ...payload, prescription_pdf_base64: onePagePdf('Rezept').toString('base64') });
  }
  await submit(demo, { ...WAITING[0], prescription_pdf_url: 'https://rezepte.telemed-beispiel.de/rezept.pdf' });
}

async function submit({ shops: [shop], integration_key: apikey }: Demo, payload: object): Promise<string> {
  const body = { external_reference: crypto.randomUUID(), source: 'telemed.example', payload };
  return (await ask('POST', `${shop?.url}/api/v1/external-order`, { apikey }, body)).id;
}
