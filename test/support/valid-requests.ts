import {
  type Answer,
  type Asking,
  attachNewProduct,
  callApi,
  type OrganizationApi,
  openOrganizationApi,
  succeeded,
} from './organization';
import { freshAddress } from './probe';
import { orderOf, pathOf, type Target, VALID } from './valid-table';
import { newReceiverUrl } from './webhooks';
import { envelope, everywhere, operate, PDF_BASE64, subscribe } from './world';

/** An organization with something for each request to name. */
export async function openOne(shard?: number): Promise<{ api: OrganizationApi; target: Target }> {
  const api = await openOrganizationApi({ shard });
  return { api, target: await targetIn(api) };
}

/** Something for each request to name, in an organization that is there. */
export async function targetIn(api: OrganizationApi): Promise<Target> {
  const { p1_id } = await attachNewProduct(api);
  return targetOf(api, p1_id);
}

/** A request with its prescription, an order and a customer beside the product. */
async function targetOf(api: OrganizationApi, p1_id: string): Promise<Target> {
  const target = { shop_id: api.shopId, p1_id, ids: {} };
  await operate(`/organizations/${api.orgId}`, { iban: 'DE89370400440532013000' }, 'PATCH');
  const { subscriptionId } = await subscribe(api.orgId, newReceiverUrl());
  const body = { shop_id: api.shopId, ...envelope({ prescription_pdf_base64: PDF_BASE64 }) };
  const made = succeeded(await callApi(api, 'POST', '/order-requests', { body }));
  const sold = succeeded(await callApi(api, 'POST', '/orders', { body: orderOf(target, 'O-1') }), 201);
  const [prescription] = await everywhere<{ id: string }>('select id from prescriptions where org_id = ?', api.orgId);
  const [customer] = await everywhere<{ id: string }>('select id from customers where org_id = ?', api.orgId);
  const [delivery] = await everywhere<{ id: string }>('select id from deliveries where org_id = ?', api.orgId);
  const ids = {
    'order-requests': made.id,
    orders: sold.id,
    prescriptions: prescription?.id ?? '',
    customers: customer?.id ?? '',
    subscriptions: subscriptionId,
    deliveries: delivery?.id ?? '',
  };
  return { ...target, ids };
}

/** The valid request of a route; headers are added to it. */
export function request(
  caller: Pick<OrganizationApi, 'orgId' | 'token' | 'env'>,
  route: string,
  target: Target,
  asking: Asking = {},
): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ');
  const { body, asks, query } = VALID[route] ?? {};
  return callApi(caller, method, pathOf(path, target), {
    ...asking,
    headers: { 'CF-Connecting-IP': freshAddress(), ...asking.headers },
    body: asking.body ?? body?.(target),
    ...(asks && { query: { shop_id: target.shop_id } }),
    ...(query && { query: query(target) }),
  });
}
