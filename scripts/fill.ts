import { type Api, ask, operatorApi, organizationApi } from './api.ts';
import { addBrands, brands } from './day/brands.ts';
import { Desk } from './day/desk.ts';
import { DAY_ORDERS, type DayOrder } from './day/orders.ts';
import { KERSTIN, PARCEL, PICKUP, REQUESTS } from './day/requests.ts';
import type { Demo } from './demo.ts';
import { pdfOf } from './pdf.ts';

const LONG_NAME = 'Prof. Dr. Maximiliane-Alexandra von und zu Hohenstein-Oberwiesenthal-Brüggemannová';
const RTL_NAME = 'محمد عبد الرحمن بن عبد العزيز بن سعود بن فيصل الهاشمي القرشي الحسيني العلوي';
/** Products of the demo's assortment, with enough stock for all orders below. */
const ITEM = { name: 'Paracetamol 500 mg Tabletten, 10 St', p1_id: 'P1-10005', quantity: 2, price: 2.95 };
const SENT = {
  ...PARCEL,
  address_street: 'Große Bleichen 12',
  address_postal_code: '20354',
  address_city: 'Hamburg',
  address_phone: '+49 40 123456',
};

/**
 * Item names that differ from the products with these ids. The review page must point this out. One of these products
 * requires a prescription.
 */
const MISMATCHED = [
  { name: 'Ibuprofen 400 mg', p1_id: 'P1-10037', quantity: 2, price: 0.05 },
  { name: 'Amoxicillin 1000 mg', p1_id: 'P1-10057', quantity: 400, price: 5 },
  { p1_id: 'P1-10001', quantity: 1, price: 4.95 },
];

/** Waiting order requests, each with data that is difficult to display. */
const DIFFICULT: Record<string, unknown>[] = [
  {
    customer_name: LONG_NAME,
    ...SENT,
    items: [{ ...ITEM, name: `Paracetamol 500 mg ${'Donaudampfschifffahrts'.repeat(6)}salbe` }],
  },
  { customer_name: 'Sabine Falsch', ...PICKUP, items: MISMATCHED, total_amount: 12.5 },
  { customer_name: RTL_NAME, ...SENT, items: [{ name: 'دواء غير معروف في الصيدلية', quantity: 3, price: 12 }] },
  { customer_name: '<script>alert(1)</script>', ...PICKUP, items: [{ ...ITEM, quantity: 9000 }], total_amount: 1 },
  { customer_email: `${'lange-adresse.'.repeat(4)}name@sehr-lange-beispiel-domain.example`, ...PICKUP, items: [] },
];
/** Requests that become orders, each with the status changes of its order. */
const ORDERS: DayOrder[] = [
  { payload: { customer_name: LONG_NAME, ...PICKUP, items: [ITEM] } },
  { payload: { customer_name: 'Sabine Falsch', ...PICKUP, items: MISMATCHED.slice(0, 1) } },
  {
    payload: { customer_name: 'Jörg Weiß', ...PICKUP, items: [ITEM] },
    steps: [{ status: 'ready_pickup' }, { status: 'picked_up' }],
  },
  {
    payload: { customer_name: 'Ayşe Yılmaz', ...SENT, items: [ITEM] },
    steps: [{ status: 'ready_shipping' }, { status: 'shipped' }],
  },
  { payload: { customer_name: RTL_NAME, ...SENT, items: [ITEM] }, steps: [{ status: 'ready_shipping' }] },
  {
    payload: { customer_name: 'Olga Kästner', ...SENT, payment_status: 'pending', items: [ITEM] },
    steps: [{ on_hold: true, hold_reason: 'Rückruf des Arztes steht aus' }],
  },
  {
    payload: { customer_name: 'Timo Groß', ...PICKUP, items: [ITEM] },
    steps: [{ status: 'cancelled', reason_code: 'customer_withdrew' }],
  },
];
const REJECTED = [
  {
    payload: { customer_name: 'Paul Abgelehnt', ...PICKUP, items: [ITEM] },
    reason: { reason_code: 'prescription_unreadable', note: LONG_NAME },
  },
  { payload: { ...KERSTIN, ...PICKUP, items: [ITEM] }, reason: { reason_code: 'duplicate_order' } },
];

/** The means to fill the demo: the API with its keys, and a pharmacist in the management interface. */
interface Hands {
  demo: Demo;
  call: Api;
  desk: Desk;
}

/** Port 9 (discard): nothing listens there, so every delivery fails. */
const NOBODY = `http://127.0.0.1:9/${'ein-recht-langer-pfad/'.repeat(5)}`;

/**
 * Fills a demo organization with a day's data: waiting and decided requests, open orders, webhooks.
 * @param subscriber the URL to which webhooks about its requests and orders are sent
 */
export async function fill(demo: Demo, subscriber = NOBODY): Promise<void> {
  const { base_url: baseUrl, org_id: orgId } = demo;
  const operate = operatorApi(baseUrl, demo.operator_token);
  await operate('POST', `/organizations/${orgId}/subscriptions`, {
    url: subscriber,
    event_types: ['order_request_submitted', 'order_created'],
  });
  const call = await organizationApi(baseUrl, orgId, demo.api_key);
  const shopIds = demo.shops.map(({ shop_id }) => shop_id);
  await addBrands(operate, call, shopIds);
  const hands: Hands = { demo, call, desk: await Desk.signIn(demo, 'pharmacist') };

  for (const order of [...ORDERS, ...DAY_ORDERS]) await place(hands, order);
  for (const { payload, reason } of REJECTED) {
    await call('POST', `/order-requests/${await submit(demo, payload)}/reject`, reason);
  }
  for (const { payload, pdfs = [], question } of REQUESTS) {
    const [first, ...others] = pdfs;
    const id = await submit(demo, payload, first);
    for (const pages of others) await file(hands.desk, id, pages);
    if (question) {
      const page = `/manage/requests/${id}`;
      await hands.desk.send(page, `${page}/needs-info`, { info_code: question.code, info_note: question.text });
    }
  }
  for (const payload of DIFFICULT) await submit(demo, payload, [['Rezept']]);
}

/** Submits a request, approves it, and takes its order through the steps that `order` describes. */
async function place({ demo, call, desk }: Hands, order: DayOrder): Promise<void> {
  const { payload, pdf, isOriginalMissing, before = [], scanned = 0, later, isRestByHand, shelf, steps = [] } = order;
  const id = await submit(demo, payload, pdf);
  const orderId = isOriginalMissing ? await approveAtDesk(desk, call, id) : await approve(call, id);
  const page = `/manage/orders/${orderId}`;
  for (const step of before) await call('PATCH', `/orders/${orderId}`, step);
  for (const pzn of packsOf(payload.items).slice(0, scanned)) await desk.send(page, `${page}/scan`, { code: pzn });
  if (later) {
    const expected_on = dayIn(later.inDays);
    const typed = { later: String(later.quantity), expected_on, act: 'split' };
    await desk.send(`${page}/later?line=0`, `${page}/later`, typed);
  }
  if (isRestByHand) {
    const lines = (await desk.fieldsAt(page)).filter(({ name }) => name === 'hand');
    for (const { value } of lines) await desk.send(page, `${page}/packs`, { hand: value });
  }
  if (shelf) await desk.send(page, `${page}/shelf`, shelf);
  for (const step of steps) await call('PATCH', `/orders/${orderId}`, step);
}

const DAY_MS = 86_400_000;
const berlin = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' });

/** Returns the day that is `days` after today, such as `2026-11-27`. */
function dayIn(days: number): string {
  return berlin.format(Date.now() + days * DAY_MS);
}

/** The PZN of each pack of these items. */
function packsOf(items: unknown): string[] {
  const packs = items as { p1_id: string; quantity: number }[];
  return packs.flatMap(({ p1_id, quantity }) => {
    const pzn = brands().find((product) => product.p1_id === p1_id)?.pzn ?? '';
    return Array.from({ length: quantity }, () => pzn);
  });
}

async function approve(call: Api, id: string): Promise<string> {
  const { prescriptions } = await call('GET', `/order-requests/${id}`);
  for (const { id: prescription } of prescriptions) await call('POST', `/prescriptions/${prescription}/approve`, {});
  return (await call('POST', `/order-requests/${id}/approve`, {})).order_id;
}

/** Ticks the prescriptions of a request, notes that the original is to follow, and approves the request. */
async function approveAtDesk(desk: Desk, call: Api, id: string): Promise<string> {
  const page = `/manage/requests/${id}`;
  const fields = await desk.fieldsAt(page);
  const ticks = fields.filter(({ name }) => name.startsWith('checked-')).map(({ name, value }) => [name, value]);
  const kinds = fields.filter(({ name }) => name.startsWith('as-')).map(({ name }) => [name, 'original_follows']);
  await desk.send(page, `${page}/approve`, Object.fromEntries([...ticks, ...kinds]));
  return (await call('GET', `/order-requests/${id}`)).order_id;
}

/** Files a prescription that did not come with the request. */
function file(desk: Desk, id: string, pages: string[][]): Promise<void> {
  const page = `/manage/requests/${id}`;
  return desk.upload(page, `${page}/prescription`, 'prescription_file', pdfOf(pages));
}

let sent = 1001;

async function submit({ shops: [shop], integration_key: apikey }: Demo, payload: object, pdf?: string[][]) {
  const body = {
    external_reference: `TM-${sent++}-${crypto.randomUUID().slice(0, 8)}`,
    source: 'telemed.example',
    payload: { ...payload, ...(pdf && { prescription_pdf_base64: pdfOf(pdf).toString('base64') }) },
  };
  const answer = await ask('POST', `${shop?.url}/api/v1/external-order`, { apikey }, body);
  return String(answer.id);
}
