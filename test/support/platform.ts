import { expect } from 'vitest';
import { newId } from '../../src/platform/ids';
import { expectDocumented } from './contract';
import { approve, staffContext } from './order-flow';
import { type Answer, holdProduct, succeeded } from './organization';
import { accepted } from './probe';
import type { Seller } from './seller';
import { call, envelope, type Pharmacy, rows, submit } from './world';

/** What a platform does on a shop's address. */

interface Asking {
  body?: unknown;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  env?: Partial<Env>;
}

type Address = Pick<Pharmacy, 'host' | 'integrationKey' | 'env'>;

/** One call of the connector, with the shop's integration key. Whatever it answers has to be in the OpenAPI document. */
export async function ask(at: Address, method: string, path: string, asking: Asking = {}): Promise<Answer> {
  const url = new URL(`http://${at.host}:8787/api/v1${path}`);
  for (const [name, value] of Object.entries(asking.query ?? {})) url.searchParams.append(name, value);
  const init: RequestInit = { method, headers: { apikey: at.integrationKey, ...asking.headers } };
  if (asking.body !== undefined) {
    init.body = JSON.stringify(asking.body);
    init.headers = { 'Content-Type': 'application/json', ...init.headers };
  }
  const response = await call(url.href, init, { ...at.env, ...asking.env });
  const text = await response.text();
  const body = text === '' ? null : JSON.parse(text);
  if (response.status !== 304) await expectDocumented(method, url.href, response, body);
  return { status: response.status, headers: response.headers, body };
}

export const statusOf = (at: Address, id: string, asking?: Asking) => ask(at, 'GET', `/external-order/${id}`, asking);
export const withdraw = (at: Address, id: string, asking?: Asking) =>
  ask(at, 'DELETE', `/external-order/${id}`, asking);
export const supplement = (at: Address, id: string, body: unknown, asking: Asking = {}) =>
  ask(at, 'POST', `/external-order/${id}/supplement`, { ...asking, body });

/** A request that nothing stands in the way of, as a platform sends it. @returns its id, and the product that it is for */
export async function send(seller: Seller, payload: Record<string, unknown> = {}, rest: Record<string, unknown> = {}) {
  const product = await holdProduct(seller, { stock: 20 });
  const items = [{ p1_id: product.p1_id, quantity: 2, price: product.price }];
  const body = envelope({ items, shipping_option: 'Abholung', ...payload }, { external_reference: newId(), ...rest });
  return { ...(await accepted(await submit(seller, body))), product };
}

/** The same, approved. @returns the order's id, too */
export async function sendApproved(seller: Seller, payload?: Record<string, unknown>) {
  const sent = await send(seller, payload);
  const { order_id } = succeeded(await approve(seller, sent.id));
  return { ...sent, orderId: order_id as string };
}

/** Somebody of the pharmacy. */
export const staffOf = (seller: Seller) => staffContext(seller.orgId).ctx;

/** Whatever was done: what products have reserved is what requests hold and what the ledger sums to, by request, too. */
export async function expectReservedAsHeld(): Promise<void> {
  const of = (column: string) =>
    `(select coalesce(sum(${column}), 0) from stock_movements as m where m.org_id = i.org_id and m.p1_id = i.p1_id)`;
  const wrong = await rows(`select p1_id from inventory as i
    where (reserved_quantity, reserved_quantity, stock_quantity + committed_quantity + reserved_quantity - shortage) is not
      ((select coalesce(sum(quantity), 0) from reservations as r where r.org_id = i.org_id and r.p1_id = i.p1_id),
      ${of('reserved_delta')}, ${of('on_hand_delta')})`);
  expect(wrong).toEqual([]);
  const unexplained =
    await rows(`select m.order_request_id, m.p1_id from stock_movements as m where m.reserved_delta <> 0
    group by m.org_id, m.p1_id, m.order_request_id having m.order_request_id is null or sum(m.reserved_delta) <>
      coalesce((select quantity from reservations as r where r.order_request_id = m.order_request_id and r.p1_id = m.p1_id), 0)`);
  expect(unexplained).toEqual([]);
}
