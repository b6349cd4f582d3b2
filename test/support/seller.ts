import { createApiKey } from '../../src/auth/keys/keys';
import { organizationSchema } from '../../src/operator/routes';
import { newId } from '../../src/platform/ids';
import { createOrganization } from '../../src/tenants/organizations';
import { createShop } from '../../src/tenants/shops';
import { API_SCOPES, callApi, type OrganizationApi, signedTokenFor, succeeded } from './organization';
import { inOneBatch, type Pharmacy } from './world';

/** The example of the IBAN registry. */
export const IBAN = 'DE89370400440532013000';

/** An organization that can be paid, with its shop's hosts, an API key and an integration key. */
export interface Seller extends OrganizationApi, Pharmacy {
  /** The shop's later hosts. */
  otherHosts: string[];
}

interface Options {
  name?: string;
  iban?: string | null;
  payment_recipient?: string | null;
  low_stock_threshold?: number;
  request_retention_days?: number;
  order_retention_days?: number;
  shard?: number;
}

/** An own seller for each test. */
export async function openSeller(options: Options = {}): Promise<Seller> {
  const { shard = 0, ...fields } = options;
  const organization = organizationSchema.parse({ name: 'Löwen-Apotheke', iban: IBAN, ...fields });
  // The first one listed is the last one in the alphabet.
  const [host, otherHost] = [`z-${newId()}.localhost`, `a-${newId()}.localhost`];
  const made = await inOneBatch(shard, async (ctx) => {
    const { orgId } = await createOrganization(ctx, { ...organization, shard });
    const { shopId } = await createShop(ctx, { orgId, name: 'Mitte', hosts: [host, otherHost] });
    const other = await createShop(ctx, { orgId, name: 'Nord', hosts: [`n-${newId()}.localhost`] });
    const key = await createApiKey(ctx, { orgId, name: 'erp', scopes: API_SCOPES });
    const integration = await createApiKey(ctx, { orgId, name: 'erp', scopes: ['external_orders.submit'] });
    return { orgId, shopId, otherShopId: other.shopId, ...key, integrationKey: integration.apiKey };
  });
  return {
    ...made,
    shard,
    host,
    otherHosts: [otherHost],
    url: `http://${host}:8787/api/v1/external-order`,
    token: await signedTokenFor(made),
  };
}

export interface Order {
  id: string;
  status: string;
  payment_status: string;
  payment_reference: string | null;
  paid_at: string | null;
  customer: { id: string; name: string | null; email: string | null };
  [field: string]: unknown;
}

/** A new order by upsert, of 24.90 EUR unless members say otherwise. */
export async function placeOrder(seller: Seller, members: Record<string, unknown> = {}): Promise<Order> {
  const body = {
    shop_id: seller.shopId,
    external_id: newId(),
    customer_name: 'Erika Mustermann',
    payment_status: 'pending',
    items: [{ name: 'Blutdruckmessgerät', qty: 1, price: 24.9 }],
    ...members,
  };
  return succeeded(await callApi<Order>(seller, 'POST', '/orders', { body }), 201);
}

export async function readOrder(seller: Seller, id: string): Promise<Order> {
  return succeeded(await callApi<Order>(seller, 'GET', `/orders/${id}`));
}

/** Takes an order through these steps, the last of which may need a reason. */
export async function moveOrder(seller: Seller, id: string, ...statuses: string[]): Promise<void> {
  for (const status of statuses) {
    const body = { status, ...(status === 'cancelled' && { reason_code: 'customer_withdrew' }) };
    succeeded(await callApi(seller, 'PATCH', `/orders/${id}`, { body }));
  }
}

/** The steps from the order's beginning to each of these ends, for one that is fetched at the counter. */
export const STEPS_TO = {
  picked_up: ['awaiting_packing', 'ready_pickup', 'picked_up'],
  returned: ['awaiting_packing', 'ready_pickup', 'returned'],
  cancelled: ['cancelled'],
};

export interface Link {
  payment_link_id: string;
  url: string;
  amount: number;
  expires_at: string;
}

export async function makeLink(seller: Seller, orderId: string): Promise<Link> {
  return succeeded(await callApi<Link>(seller, 'POST', `/orders/${orderId}/payment-links`, { body: {} }), 201);
}

export function markPaid(seller: Seller, orderId: string, body: Record<string, unknown> = {}) {
  return callApi<Order>(seller, 'POST', `/orders/${orderId}/mark-paid`, { body });
}
