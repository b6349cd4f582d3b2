import { reopenOrderRequest } from '../../src/order-requests/review/decisions';
import { actingAs } from '../../src/platform/context';
import { newId } from '../../src/platform/ids';
import {
  type Answer,
  type CatalogRow,
  callApi,
  createKey,
  eventsOf,
  holdProduct,
  type OrganizationApi,
  succeeded,
} from './organization';
import { rowOf } from './rows';
import { call, envelope, json, newPdf, rows, systemContext } from './world';

/** From an order request to its order, and what that leaves behind. */

/** A submission for the organization's first shop, through its API. */
export function requestBody(api: OrganizationApi, payload: Record<string, unknown> = {}, rest = {}) {
  return { shop_id: api.shopId, ...envelope(payload, rest) };
}

/** A request that waits for review. @returns its id */
export async function openRequest(
  api: OrganizationApi,
  payload: Record<string, unknown> = {},
  rest: Record<string, unknown> = {},
): Promise<string> {
  return succeeded(await callApi(api, 'POST', '/order-requests', { body: requestBody(api, payload, rest) })).id;
}

/** A line that names a product. */
export function itemOf({ p1_id, price }: CatalogRow, quantity = 2) {
  return { p1_id, quantity, price };
}

export interface Approvable {
  id: string;
  product: CatalogRow;
}

/** A request for a product of its own that nothing stands in the way of. */
export async function openApprovable(
  api: OrganizationApi,
  options: {
    stock?: number;
    quantity?: number;
    payload?: Record<string, unknown>;
    rest?: Record<string, unknown>;
  } = {},
): Promise<Approvable> {
  const product = await holdProduct(api, { stock: options.stock ?? 20 });
  const items = [itemOf(product, options.quantity)];
  return { id: await openRequest(api, { items, ...options.payload }, options.rest), product };
}

/** A request with a PDF for a product that requires a prescription. */
export async function openPrescribed(api: OrganizationApi, options: { stock?: number; pdf?: string } = {}) {
  const product = await holdProduct(api, { stock: options.stock ?? 20, prescription_required: true });
  const payload = { items: [itemOf(product)], prescription_pdf_base64: options.pdf ?? newPdf() };
  const id = await openRequest(api, payload);
  const { prescriptions } = await getRequest(api, id);
  return { id, product, prescriptionId: prescriptions[0].id as string };
}

export async function getRequest(api: OrganizationApi, id: string) {
  return succeeded(await callApi(api, 'GET', `/order-requests/${id}`));
}

export function decide(api: OrganizationApi, id: string, act: string, body?: unknown): Promise<Answer> {
  return callApi(api, 'POST', `/order-requests/${id}/${act}`, { body });
}

export function approve(api: OrganizationApi, id: string, body: unknown = {}): Promise<Answer> {
  return decide(api, id, 'approve', body);
}

export function reject(api: OrganizationApi, id: string, body: unknown = { reason_code: 'test' }): Promise<Answer> {
  return decide(api, id, 'reject', body);
}

/** Reopens a request as its page does; there is no call of the API for it. @throws AppError if it is refused */
export async function reopen({ orgId }: Pick<OrganizationApi, 'orgId'>, id: string): Promise<void> {
  await reopenOrderRequest(staffContext(orgId).ctx, id);
}

export function deleteRequest(api: OrganizationApi, id: string): Promise<Answer> {
  return callApi(api, 'DELETE', `/order-requests/${id}`);
}

/** An upsert of an order that no other test knows, with members replaced. */
export function orderBody(api: OrganizationApi, members: Record<string, unknown> = {}) {
  return {
    shop_id: api.shopId,
    external_id: `SHOP-${newId()}`,
    customer_name: 'Erika Mustermann',
    customer_email: 'erika@example.com',
    items: [{ name: 'Beratung', qty: 1, price: 4.95 }],
    ...members,
  };
}

export function upsert(api: OrganizationApi, body: unknown): Promise<Answer> {
  return callApi(api, 'POST', '/orders', { body });
}

/** An order made by the direct upsert. @returns it as the API shows it */
export async function openOrder(api: OrganizationApi, members: Record<string, unknown> = {}) {
  return succeeded(await upsert(api, orderBody(api, members)), 201);
}

export async function getOrder(api: OrganizationApi, id: string) {
  return succeeded(await callApi(api, 'GET', `/orders/${id}`));
}

export function patchOrder(api: OrganizationApi, id: string, body: unknown): Promise<Answer> {
  return callApi(api, 'PATCH', `/orders/${id}`, { body });
}

/** Ticks every pack of an order. */
export async function setPacked(id: string): Promise<void> {
  const line = `json_object('scanned', value ->> 'quantity', 'byHand', 0, 'serials', json('[]'), 'by', null, 'at', null)`;
  const all = `(select json_group_array(${line}) from json_each(orders.items))`;
  await rows(`update orders set packing = ${all} where id = ?`, id);
}

/** Says that packs of an order's first line are still to come, and that others left before. */
export async function setOwed(id: string, owed: number, expectedOn: string, supplied = 0): Promise<void> {
  const supply = JSON.stringify([{ owed, expectedOn, supplied, by: null, at: null }]);
  await rows('update orders set supply = ?, expected_on = ? where id = ?', supply, expectedOn, id);
}

/** Puts an order where no path may lead. */
export async function setStatus(id: string, status: string, shippingOption: string | null = null): Promise<void> {
  await rows('update orders set status = ?, shipping_option = ? where id = ?', status, shippingOption, id);
}

export async function stockOf(orgId: string, p1Id: string) {
  const [row] = await rows<{ stock: number; ledger: number }>(
    `select stock_quantity as stock,
      (select coalesce(sum(delta), 0) from stock_movements as m where m.org_id = i.org_id and m.p1_id = i.p1_id) as ledger
     from inventory as i where org_id = ? and p1_id = ?`,
    orgId,
    p1Id,
  );
  return row;
}

/** What orders did to a product's stock, oldest first. */
export function orderMovements(orgId: string, p1Id: string) {
  return rows<{ delta: number; reason: string; order_id: string }>(
    `select delta, reason, order_id from stock_movements
     where org_id = ? and p1_id = ? and order_id is not null order by id`,
    orgId,
    p1Id,
  );
}

export const requestRow = (id: string) => rowOf('order_requests', { id });

export const orderRow = (id: string) => rowOf('orders', { id });

/** How many events of each type were written since. */
export async function eventsAfter(orgId: string, act: () => Promise<unknown>): Promise<Happened[]> {
  const before = (await eventsOf(orgId)).length;
  await act();
  return (await eventsOf(orgId)).slice(before).map(({ type, body }) => ({ type, metadata: JSON.parse(body).metadata }));
}

export interface Happened {
  type: string;
  metadata: Record<string, unknown>;
}

export async function happenedIn(orgId: string): Promise<Happened[]> {
  return (await eventsOf(orgId)).map(({ type, body }) => ({ type, metadata: JSON.parse(body).metadata }));
}

/** A context as the management interface opens it for somebody who is signed in. */
export function staffContext(
  orgId: string,
  role: 'owner' | 'pharmacist' | 'staff' = 'pharmacist',
  options: Parameters<typeof systemContext>[0] = {},
) {
  const { ctx, ...queues } = systemContext(options);
  const memberId = newId();
  return { ctx: actingAs(ctx, { kind: 'staff', memberId, orgId, role }), memberId, ...queues };
}

/** The organization's first shop, as a platform reaches it. @returns a way to submit */
export async function openConnector(api: OrganizationApi): Promise<(body: unknown) => Promise<Response>> {
  const { apiKey } = await createKey(api.orgId, ['external_orders.submit']);
  const [host] = await rows<{ host: string }>('select host from shop_hosts where shop_id = ?', api.shopId);
  const url = `http://${host?.host}:8787/api/v1/external-order`;
  return (body) => call(url, json(body, { apikey: apiKey }));
}

export function atOnce<T>(...acts: (() => Promise<T>)[]): Promise<T[]> {
  return Promise.all(acts.map((act) => act()));
}
