import { type Api, ask, openOrganization, operatorApi } from '../../scripts/api.ts';
import { Desk } from '../../scripts/day/desk.ts';
import type { Served } from './serve.ts';

/** What is ordered. */
export const ORDERED = { name: 'Ibuprofen 400 mg', p1_id: 'P1-10001', quantity: 2, price: 4.95 };

/** The body of an order request, as JSON. @param pdf a prescription, in base64 */
export function orderRequest(reference: string, pdf?: string): string {
  return JSON.stringify({
    external_reference: reference,
    source: 'telemed.example',
    payload: {
      customer_name: 'Erika Mustermann',
      customer_email: 'erika@example.com',
      items: [ORDERED],
      ...(pdf && { prescription_pdf_base64: pdf }),
    },
  });
}

/** How much the pharmacies hold. */
export interface Size {
  /** Order requests of each. */
  requests: number;
  /** Products of the catalog; each pharmacy holds all of them and its shop offers them. */
  products: number;
}

/** A shop that takes order requests. */
export interface Orderable {
  orgId: string;
  shopId: string;
  host: string;
  integrationKey: string;
}

/** An organization with one shop and no subscriber. */
export interface Pharmacy extends Orderable {
  apiKey: string;
  /** For the organization API, for an hour. */
  token: string;
  /** Of a pharmacist who is signed in. */
  cookie: string;
  /** Entity tag of the page of order requests as it was last answered; empty before. */
  inboxTag: string;
}

const DAY_MS = 86_400_000;
/** Of each product: more than all requests of a run reserve. */
const STOCK = 1_000_000;
/** The requests are spread over so many days. */
const DAYS = 60;

/** Who is asked. What takes order requests is not read from: a page must not change while it is measured. */
export interface Pharmacies {
  asked: Pharmacy;
  ordering: Pharmacy;
  /** Keeps stock for each request. */
  reserving: Orderable;
}

/** Makes the pharmacies, two of them of this size: their accounts through the API, what they hold by SQL. */
export async function openPharmacies(served: Served, operatorToken: string, size: Size): Promise<Pharmacies> {
  await fillCatalog(served, size.products);
  const operate = operatorApi(served.baseUrl, operatorToken);
  const filled = async (name: string) => {
    const pharmacy = await open(served, operate, name);
    await fillShop(served, pharmacy);
    await fillInbox(served, pharmacy, size.requests);
    return pharmacy;
  };
  return {
    asked: await filled('asked'),
    ordering: await filled('ordering'),
    reserving: await openReserving(served, operate),
  };
}

/** Its shop keeps stock for each request; it has no requests yet. */
async function openReserving(served: Served, operate: Api): Promise<Orderable> {
  const host = 'reserving.localhost';
  const { within, ...opened } = await openOrganization(operate, { name: 'reserving', shard: 0 }, host);
  const key = { name: 'reserving', scopes: ['external_orders.submit'], reserves: true };
  const { api_key: integrationKey } = await within('/api-keys', key);
  const shop = `/organizations/${opened.orgId}/shops/${opened.shopId}`;
  await operate('PATCH', shop, { reserve_minutes: { pending: 30, paid: 4_320 } });
  await fillShop(served, opened);
  return { ...opened, host, integrationKey };
}

async function open(served: Served, operate: Api, name: string): Promise<Pharmacy> {
  const host = `${name}.localhost`;
  const { within, keyFor, ...opened } = await openOrganization(operate, { name, shard: 0 }, host);
  const apiKey = await keyFor(['products.read']);
  const tokenUrl = `${served.baseUrl}/api/v2/public/orgs/${opened.orgId}/auth/token`;
  const { access_token: token } = await ask('POST', tokenUrl, { apikey: apiKey });
  const person = { email: `apotheke@${name}.example`, role: 'pharmacist' };
  const { invitation_url } = await within('/members', person);
  const cookie = await accept(served.baseUrl, new URL(invitation_url).pathname);
  return { ...opened, host, apiKey, token, cookie, inboxTag: '' };
}

/** Accepts an invitation. @returns the cookies of the session */
async function accept(baseUrl: string, invitation: string): Promise<string> {
  const desk = new Desk(baseUrl);
  await desk.send(invitation, invitation, { name: 'Kim', password: 'drei Löwen am Markt' });
  // The page after a form tells what was done and clears the cookie that says so. Not the inbox: its counts are kept, and the
  // requests that SQL adds make no event that ends that.
  await (await desk.ask('/manage/orders')).body?.cancel();
  return desk.cookie;
}

/** The first product is the one that is ordered. */
async function fillCatalog(served: Served, count: number): Promise<void> {
  await served.ask(
    `insert into catalog_products (p1_id, name, name_folded, slug, category, price_cents, prescription_required, created_at, updated_at)
     ${numbers(count)} select 'P1-' || (10001 + i), ?1 || suffix, lower(?1) || suffix, 'product-' || i, 'Schmerzmittel', 495, 0, 0, 0
       from (select i, iif(i = 0, '', ', ' || i) as suffix from n)`,
    ORDERED.name,
  );
}

async function fillShop(served: Served, { orgId, shopId }: Pick<Orderable, 'orgId' | 'shopId'>): Promise<void> {
  await served.ask(
    `insert into inventory (org_id, p1_id, stock_quantity, created_at, updated_at)
     select ?1, p1_id, ${STOCK}, 0, 0 from catalog_products`,
    orgId,
  );
  await served.ask(
    `insert into listings (shop_id, p1_id, org_id, overrides, attached_at, updated_at)
     select ?2, p1_id, ?1, '{}', 0, 0 from catalog_products`,
    orgId,
    shopId,
  );
}

/** Of each 10 requests 4 wait (one of them for information), 4 are approved and 2 rejected; half came with a PDF. */
async function fillInbox(served: Served, { orgId, shopId }: Pharmacy, count: number): Promise<void> {
  const since = Date.now() - DAYS * DAY_MS;
  const step = Math.floor((DAYS * DAY_MS) / count);
  const made = `${numbers(count)}, made as (
    select i, ${since} + i * ${step} as at, printf('%012x', ${since} + i * ${step}) as hex, i % 10 as pile from n)`;
  const idOf = (kind: number) =>
    `substr(hex, 1, 8) || '-' || substr(hex, 9) || '-7${kind}00-8000-${orgId.slice(-6)}' || printf('%06x', i)`;
  const item = { name: ORDERED.name, quantity: 2, priceCents: 495, p1Id: ORDERED.p1_id, prescriptionRequired: false };
  await served.ask(
    `insert into order_requests (id, org_id, shop_id, integration_id, source, external_reference, status, payload, customer_name,
       customer_email, payment_status, total_cents, items, needs_info, decided_at, created_at, updated_at, change_number)
     ${made} select ${idOf(0)}, ?1, ?2, 'x', 'telemed.example', 'RX-' || i,
       case when pile < 4 then 'pending' when pile < 8 then 'approved' else 'rejected' end, ?4, 'Erika Mustermann ' || i,
       'erika' || i || '@example.com', 'pending', 990, ?3, pile = 3, iif(pile < 4, null, at + 60000), at, at, at * 1000 + i from made`,
    orgId,
    shopId,
    JSON.stringify([item]),
    orderRequest('RX'),
  );
  await served.ask(
    `insert into prescriptions (id, org_id, order_request_id, origin, status, file_key, sha256, fetch_attempts, next_fetch_at,
       created_at, updated_at)
     ${made} select ${idOf(2)}, ?1, ${idOf(0)}, 'base64', 'stored', ${idOf(2)}, 'x', 0, 0, at, at from made where pile % 2 = 0`,
    orgId,
  );
}

function numbers(count: number): string {
  return `with recursive n(i) as (select 0 union all select i + 1 from n where i < ${count - 1})`;
}
