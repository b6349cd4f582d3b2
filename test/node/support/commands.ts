import { randomUUID } from 'node:crypto';
import { type Api, ask, bearer, organizationApi } from '../../../scripts/api.ts';
import { API_KEY } from '../../../scripts/demo.ts';
import { onePagePdf } from '../../../scripts/pdf.ts';
import { envelope, PDF_BASE64 } from '../../support/envelope';
import { eventually } from '../../support/eventually';
import { orderOf, pathOf, type Target, VALID } from '../../support/valid-table';
import type { Catcher } from './catcher';
import { openPharmacyAt, SUBMITS } from './pharmacy';
import type { Service } from './service';

/** A request of a command, as it goes over the wire, as often as wanted. */
export interface Sent {
  method: string;
  host: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** A command that is ready to be sent, to an organization of its own. */
export interface Ready {
  orgId: string;
  sent: Sent;
  /** The same key, or the same reference, with another body; with another id where there is no body. */
  other: Sent;
  /** A row that is there once the command is committed: a query and its parameter. */
  mark: [query: string, parameter: string];
  /** How `other` is refused. */
  refusal: [status: number, code: string];
}

type Pharmacy = Awaited<ReturnType<typeof openPharmacyAt>>;

interface World {
  service: Service;
  pharmacy: Pharmacy;
  api: Api;
  target: Target;
}

/** What makes the valid request of a route go through and change something, where the fixture alone does not. */
const READY: Record<string, (world: World) => Promise<unknown>> = {
  'POST /products/add-to-inventory': async ({ service, target }) => Object.assign(target, await newProduct(service)),
  'POST /order-requests/:id/approve': async (world) => {
    world.target.ids['order-requests'] = await approvable(world);
  },
  'POST /orders/:id/refund': ({ api, target }) => api('POST', `/orders/${target.ids.orders}/mark-paid`, {}),
  'DELETE /orders/:id': (world) => cancelOrder(world),
  'DELETE /customers/:id': (world) => cancelOrder(world),
  'POST /webhooks/deliveries/:id/redeliver': (world) => deliveryIs(world, 'succeeded'),
  'POST /webhooks/subscriptions/:id/recover': (world) => deliveryIs(world, 'exhausted'),
};

/** Every command of the organization API, then those of the connector. */
export const COMMANDS: [name: string, open: (service: Service, catcher: Catcher) => Promise<Ready>][] = [
  ...Object.keys(VALID)
    .filter((route) => !route.startsWith('GET'))
    .map((route): (typeof COMMANDS)[number] => [
      route,
      async (service, catcher) => {
        const world = await openWorld(service, catcher, route.endsWith('/recover') ? 500 : 204);
        await READY[route]?.(world);
        return commandOf(world, route);
      },
    ]),
  [
    'connector: submission with a key',
    connector(async () => ['POST', '', envelope({}, { external_reference: undefined })]),
  ],
  ['connector: submission with a reference', connector(async () => ['POST', '', envelope()], 'reference')],
  ['connector: withdrawal of a request', connector(async ({ pharmacy }) => ['DELETE', `/${await submit(pharmacy)}`])],
  [
    'connector: withdrawal of an order',
    connector(async ({ pharmacy, api, target }) => {
      const items = [{ p1_id: target.p1_id, quantity: 1, price: 4.95 }];
      const id = await submit(pharmacy, { items });
      await api('POST', `/order-requests/${id}/approve`, {});
      return ['DELETE', `/${id}`];
    }),
  ],
  [
    'connector: supplement',
    connector(async ({ pharmacy }) => {
      const file = onePagePdf('Rezept').toString('base64');
      const body = { note: 'Zweimal täglich.', prescription_pdf_base64: file, replaces: true };
      return ['POST', `/${await submit(pharmacy, { prescription_pdf_base64: PDF_BASE64 })}/supplement`, body];
    }),
  ],
];

async function openWorld(service: Service, catcher: Catcher, status: number): Promise<World> {
  const url = catcher.answering(`/${randomUUID()}`, () => ({ status }));
  const fields = { iban: 'DE89370400440532013000' };
  const pharmacy = await openPharmacyAt(service, { fields, keys: [API_KEY.scopes, SUBMITS], urls: [url] });
  const { orgId, shopId: shop_id, subscribers } = pharmacy;
  const api = await organizationApi(service.demo.base_url, orgId, pharmacy.keys[0] ?? '');
  const { p1_id } = await newProduct(service);
  const target = { shop_id, p1_id, ids: {} };
  await api('POST', '/products/add-to-inventory', { p1_id, initial_stock: 20 });
  await api('POST', '/shops/attach-product', { shop_id, p1_id });
  const { id: requestId } = await api('POST', '/order-requests', {
    shop_id,
    ...envelope({ prescription_pdf_base64: PDF_BASE64 }),
  });
  const { id: orderId, customer } = await api('POST', '/orders', orderOf(target, 'O-1'));
  const { prescriptions } = await api('GET', `/order-requests/${requestId}`);
  const { data: deliveries } = await api('GET', '/webhooks/deliveries');
  const ids = {
    'order-requests': requestId,
    orders: orderId,
    prescriptions: prescriptions[0].id,
    customers: customer.id,
    subscriptions: subscribers[0]?.subscriptionId ?? '',
    deliveries: deliveries[0].id,
  };
  return { service, pharmacy, api, target: { ...target, ids } };
}

async function newProduct(service: Service): Promise<{ p1_id: string }> {
  const id = randomUUID();
  const product = { p1_id: `P1-${id}`, name: 'Salbe', slug: `salbe-${id}`, category: 'Haut', price: 4.95 };
  await service.operate('/catalog', `${JSON.stringify(product)}\n`);
  return product;
}

async function approvable({ api, target: { shop_id, p1_id } }: World): Promise<string> {
  const items = [{ p1_id, quantity: 1, price: 4.95 }];
  return (await api('POST', '/order-requests', { shop_id, ...envelope({ items }) })).id;
}

function cancelOrder({ api, target: { ids } }: World): Promise<unknown> {
  return api('PATCH', `/orders/${ids.orders}`, { status: 'cancelled', reason_code: 'test' });
}

function deliveryIs({ api }: World, status: string): Promise<unknown> {
  return eventually(async () => {
    const { data } = await api('GET', `/webhooks/deliveries?status=${status}`);
    if (data.length === 0) throw new Error(`no delivery is ${status} yet`);
  });
}

async function commandOf({ service, pharmacy, target }: World, route: string): Promise<Ready> {
  const { orgId, keys } = pharmacy;
  const [method = '', path = ''] = route.split(' ');
  const base = `/api/v2/public/orgs/${orgId}`;
  const tokenUrl = `${service.demo.base_url}${base}/auth/token`;
  const { access_token } = await ask('POST', tokenUrl, { 'X-API-Key': keys[0] ?? '' });
  const valid = VALID[route]?.body?.(target);
  // A reference would decide before the key does.
  const body = route === 'POST /order-requests' ? { ...(valid as object), external_reference: undefined } : valid;
  const nobody = { ...target, p1_id: 'P1-0', ids: {} };
  return keyed(
    orgId,
    {
      method,
      host: `localhost:${service.port}`,
      path: base + pathOf(path, target),
      headers: bearer(access_token),
      body,
    },
    base + path.replace(':id', randomUUID()).replace(':p1Id', nobody.p1_id),
  );
}

interface Unsent extends Omit<Sent, 'body'> {
  body: unknown;
}

function keyed(orgId: string, { body, ...rest }: Unsent, otherPath: string): Ready {
  const key = randomUUID();
  const type = body !== undefined && { 'Content-Type': 'application/json' };
  const headers = { ...rest.headers, ...type, 'Idempotency-Key': key };
  const sent = { ...rest, headers, body: body === undefined ? '' : JSON.stringify(body) };
  return {
    orgId,
    sent,
    other: body === undefined ? { ...sent, path: otherPath } : { ...sent, body: `${sent.body} ` },
    // Nothing else of this organization was sent with a key.
    mark: ['select 1 from idempotency_keys where org_id = ?', orgId],
    refusal: [422, 'idempotency_key_reused'],
  };
}

type OfPlatform = (world: World) => Promise<[method: string, rest: string, body?: object]>;

/** @param by what tells a repetition: a key, or the reference of the submission alone */
function connector(make: OfPlatform, by: 'key' | 'reference' = 'key') {
  return async (service: Service, catcher: Catcher): Promise<Ready> => {
    const world = await openWorld(service, catcher, 204);
    const [method, rest, body] = await make(world);
    const { orgId, host, keys } = world.pharmacy;
    const base = '/api/v1/external-order';
    const headers = { apikey: keys[1] ?? '' };
    const unsent = { method, host: `${host}:${service.port}`, path: base + rest, headers, body };
    const ready = keyed(orgId, unsent, `${base}/${randomUUID()}`);
    if (by === 'key') return ready;
    const { 'Idempotency-Key': _, ...unkeyed } = ready.sent.headers;
    const { external_reference, payload } = body as ReturnType<typeof envelope>;
    const other = { ...body, payload: { ...payload, customer_name: 'Max Muster' } };
    return {
      orgId,
      sent: { ...ready.sent, headers: unkeyed },
      other: { ...ready.sent, headers: unkeyed, body: JSON.stringify(other) },
      mark: ['select 1 from order_requests where external_reference = ?', external_reference],
      refusal: [409, 'external_reference_conflict'],
    };
  };
}

async function submit({ connector: url, keys }: Pharmacy, payload: Record<string, unknown> = {}): Promise<string> {
  return (await ask('POST', url, { apikey: keys[1] ?? '' }, envelope(payload))).id;
}
