import { randomUUID } from 'node:crypto';
import { bearer, operatorApi } from '../../../scripts/api.ts';
import { call, post } from '../../../scripts/http.ts';
import { openPharmacyAt } from './pharmacy.ts';
import type { Service } from './service.ts';
import { StaffForms } from './staff-forms.ts';

/** A pharmacy whose stock, prices and offers are changed at random, through the API, the pages and the catalog's import. */

const SCOPES = [
  ...['products.read', 'products.write', 'inventory.read', 'inventory.write', 'events.read'],
  ...['order_requests.read', 'order_requests.write', 'orders.read', 'orders.write'],
];
/** What the guide says that a mirror needs. */
const MIRRORS = ['inventory.read', 'products.read', 'events.read'];
const PASSWORD = 'ein-langes-passwort-fuer-alle';
const OPEN = ['awaiting_packing', 'ready_pickup', 'ready_shipping'];
const NEXT: Record<string, readonly string[]> = {
  awaiting_packing: ['ready_pickup', 'ready_shipping'],
  ready_pickup: ['picked_up'],
  ready_shipping: ['shipped'],
  shipped: ['delivered'],
};

// biome-ignore lint/suspicious/noExplicitAny: the OpenAPI document is held against answers elsewhere
type Anything = any;

interface Answer {
  status: number;
  body: Anything;
}

/** A number from 0 on, below `end`. */
export type Draw = (end: number) => number;

export class Assortment {
  /** Attempted and carried out, by name. */
  readonly done = new Map<string, number>();
  private readonly service: Service;
  private readonly token: string;
  private readonly forms: StaffForms;
  readonly orgId: string;
  readonly shopIds: readonly string[];
  readonly p1Ids: readonly string[];
  readonly mirrorKey: string;
  readonly secrets: readonly string[];
  private readonly platform: { url: string; key: string };
  private readonly orderIds: string[] = [];
  /** Requests that reserve, the newest last. */
  private readonly requestIds: string[] = [];

  private constructor(made: Pick<Assortment, 'orgId' | 'shopIds' | 'p1Ids' | 'mirrorKey' | 'secrets'>, hands: Hands) {
    ({ orgId: this.orgId, shopIds: this.shopIds, p1Ids: this.p1Ids } = made);
    ({ mirrorKey: this.mirrorKey, secrets: this.secrets } = made);
    ({ service: this.service, token: this.token, forms: this.forms, platform: this.platform } = hands);
  }

  /** Products of an organization of its own with two shops; what happens to them is posted to these addresses. */
  static async open(service: Service, count: number, posts: readonly { url: string; eventTypes: string[] }[]) {
    const opened = await openPharmacyAt(service, { keys: [SCOPES, MIRRORS] });
    const { orgId, shopId, within } = opened;
    const [staffKey = '', mirrorKey = ''] = opened.keys;
    const host = `rx-${randomUUID()}.localhost`;
    const { shop_id: otherShopId = '' } = await within('/shops', { name: 'Stern-Apotheke', hosts: [host] });
    const reserving = { name: 'platform', scopes: ['external_orders.submit'], reserves: true };
    const { api_key: key = '' } = await within('/api-keys', reserving);
    const reserve_minutes = { pending: 30, paid: 4320 };
    const { base_url, operator_token } = service.demo;
    await operatorApi(base_url, operator_token)('PATCH', `/organizations/${orgId}/shops/${shopId}`, {
      reserve_minutes,
    });
    const secrets: string[] = [];
    for (const { url, eventTypes } of posts) {
      const made = await within('/subscriptions', { url, event_types: eventTypes });
      secrets.push(made.signing_secret ?? '');
    }
    const invited = await within('/members', { email: `${randomUUID()}@example.com`, role: 'owner' });
    const forms = new StaffForms(service.demo.base_url);
    const invitation = new URL(invited.invitation_url ?? '').pathname;
    await forms.submit(invitation, invitation, { name: 'Ada', password: PASSWORD });
    const p1Ids = Array.from({ length: count }, (_, place) => `MIRROR-${place}-${randomUUID().slice(0, 8)}`);
    const path = `${service.demo.base_url}/api/v2/public/orgs/${orgId}/auth/token`;
    const { access_token: token } = JSON.parse((await call('POST', path, { 'X-API-Key': staffKey })).body);
    const shopIds = [shopId, otherShopId];
    const world = new Assortment(
      { orgId, shopIds, p1Ids, mirrorKey, secrets },
      { service, token, forms, platform: { url: opened.connector, key } },
    );
    for (const p1Id of p1Ids) await world.importOne(p1Id, 5);
    return world;
  }

  /** A call of the organization API. A refusal is an answer, too; a failure of the service is none. */
  async api(method: string, path: string, body?: object): Promise<Answer> {
    const url = `${this.service.demo.base_url}/api/v2/public/orgs/${this.orgId}${path}`;
    const headers = { ...bearer(this.token), ...(body && { 'Content-Type': 'application/json' }) };
    const answer = await call(method, url, headers, body && JSON.stringify(body));
    if (answer.status >= 500) throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${answer.body}`);
    return { status: answer.status, body: JSON.parse(answer.body) };
  }

  /** Everything below a path, page by page. */
  async list(path: string): Promise<Anything[]> {
    const found: Anything[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const joined = `${path}${path.includes('?') ? '&' : '?'}limit=200`;
      const { body } = await this.api('GET', joined + (cursor && `&cursor=${encodeURIComponent(cursor)}`));
      found.push(...body.data);
      cursor = body.next_cursor ?? null;
    }
    return found;
  }

  /** One command at random. @returns its name, and how it was answered */
  async act(draw: Draw): Promise<string> {
    const names = Object.keys(COMMANDS);
    const name = names[draw(names.length)] ?? '';
    const status = (await COMMANDS[name]?.(this, draw)) ?? 0;
    if (status >= 200 && status < 300) this.done.set(name, (this.done.get(name) ?? 0) + 1);
    return `${name} ${status}`;
  }

  /** A request for these pieces, approved if there are enough. @returns the status of the approval, and the order */
  async order(p1Id: string, quantity: number): Promise<{ status: number; orderId?: string }> {
    const items = [{ p1_id: p1Id, name: 'Tee', quantity, price: 5 }];
    const payload = { customer_name: 'Erika Mustermann', payment_status: 'paid', items };
    const request = { shop_id: this.shopIds[0], external_reference: randomUUID(), source: 'telemed.example', payload };
    const { body: made } = await this.api('POST', '/order-requests', request);
    const { status, body } = await this.api('POST', `/order-requests/${made.id}/approve`, {});
    if (status === 200) this.orderIds.push(body.order_id);
    return { status, orderId: body.order_id };
  }

  /** A request of a platform that reserves these units. @returns the status of its answer */
  async reserve(p1Id: string, quantity: number): Promise<number> {
    const items = [{ p1_id: p1Id, quantity, price: 5 }];
    const payload = { customer_name: 'Erika Mustermann', payment_status: 'paid', items };
    const request = { external_reference: randomUUID(), source: 'telemed.example', payload };
    const { url, key } = this.platform;
    const { status, body } = await post(
      url,
      { apikey: key, 'Content-Type': 'application/json' },
      JSON.stringify(request),
    );
    const answer = JSON.parse(body);
    if (answer.reserved_until) this.requestIds.push(answer.id);
    return answer.reserved_until ? status : 0;
  }

  /** Decides a request that reserves. */
  async decide(step: 'approve' | 'reject'): Promise<number> {
    const id = this.requestIds.pop();
    if (!id) return 0;
    const reason = step === 'reject' ? { reason_code: 'test' } : {};
    const { status, body } = await this.api('POST', `/order-requests/${id}/${step}`, reason);
    if (status === 200 && step === 'approve') this.orderIds.push(body.order_id);
    return status;
  }

  /** Moves an order on, or changes nothing if it stands elsewhere. */
  async move(draw: Draw, status?: string): Promise<number> {
    const [id, order] = await this.drawOrder(draw, status === 'cancelled' ? OPEN : Object.keys(NEXT));
    if (!order) return 0;
    const next = NEXT[order.status] ?? [];
    const to = status ?? next[draw(next.length)] ?? '';
    const option = { ready_pickup: 'Abholung', ready_shipping: 'Versand' }[to];
    const body = { status: to, ...(option && { shipping_option: option }), ...(status && { reason_code: 'test' }) };
    return (await this.api('PATCH', `/orders/${id}`, body)).status;
  }

  /** Takes an order back at the counter; what can be sold again goes to the shelf. */
  async takeBack(draw: Draw): Promise<number> {
    const [id, order] = await this.drawOrder(draw, ['shipped', 'delivered', 'picked_up']);
    if (!order) return 0;
    const path = `/manage/orders/${id}/return`;
    const back = { back_0: String(order.items[0].qty), restock_0: 'yes', seen: '0' };
    return (await this.forms.submit(path, path, back)).status;
  }

  async importOne(p1Id: string, price: number): Promise<number> {
    const { base_url, operator_token } = this.service.demo;
    const product = { p1_id: p1Id, name: `Tee ${p1Id}`, slug: p1Id.toLowerCase(), category: 'Tee', price };
    const headers = { ...bearer(operator_token), 'Content-Type': 'application/x-ndjson' };
    return (await post(`${base_url}/api/operator/v1/catalog`, headers, JSON.stringify(product))).status;
  }

  /** What orders promise that have not left the house, by p1_id. */
  async promised(): Promise<Map<string, number>> {
    const orders = await this.list(`/orders?status=${OPEN.join(',')}`);
    const promised = new Map<string, number>();
    for (const { p1_id, qty } of orders.flatMap(({ items }) => items)) {
      promised.set(p1_id, (promised.get(p1_id) ?? 0) + qty);
    }
    return promised;
  }

  /** An order that stands so, of the last ones. */
  private async drawOrder(draw: Draw, statuses: readonly string[]): Promise<[string, Anything]> {
    for (const id of this.orderIds.slice(-8 - draw(8))) {
      const { body } = await this.api('GET', `/orders/${id}`);
      if (statuses.includes(body.status)) return [id, body];
    }
    return ['', null];
  }
}

interface Hands {
  service: Service;
  token: string;
  forms: StaffForms;
  platform: { url: string; key: string };
}

type Command = (world: Assortment, draw: Draw) => Promise<number>;

const one = ({ p1Ids }: Assortment, draw: Draw) => p1Ids[draw(p1Ids.length)] ?? '';
const shop = ({ shopIds }: Assortment, draw: Draw) => shopIds[draw(shopIds.length)] ?? '';
const price = (draw: Draw) => (1 + draw(2000)) / 100;
const stock =
  (body: (draw: Draw) => object): Command =>
  async (world, draw) =>
    (await world.api('PATCH', `/inventory/${one(world, draw)}`, body(draw))).status;
const inShop =
  (path: string, more: (draw: Draw) => object = () => ({})): Command =>
  async (world, draw) => {
    const body = { shop_id: shop(world, draw), p1_id: one(world, draw), ...more(draw) };
    return (await world.api('POST', `/shops/${path}`, body)).status;
  };
/** An item for each product, or for some of them. */
const items = (world: Assortment, draw: Draw, item: () => object) =>
  world.p1Ids.filter(() => draw(3) > 0).map((p1_id) => ({ p1_id, ...item() }));

const COMMANDS: Record<string, Command> = {
  approve: async (world, draw) => (await world.order(one(world, draw), 1 + draw(3))).status,
  approveMore: async (world, draw) => (await world.order(one(world, draw), 1 + draw(8))).status,
  move: (world, draw) => world.move(draw),
  moveOn: (world, draw) => world.move(draw),
  cancel: (world, draw) => world.move(draw, 'cancelled'),
  takeBack: (world, draw) => world.takeBack(draw),
  reserve: (world, draw) => world.reserve(one(world, draw), 1 + draw(4)),
  reserveMore: (world, draw) => world.reserve(one(world, draw), 1 + draw(9)),
  approveReserved: (world) => world.decide('approve'),
  rejectReserved: (world) => world.decide('reject'),
  // Refused while any of it is promised or reserved.
  unit: async (world, draw) => {
    const p1Id = one(world, draw);
    await world.api('PATCH', `/inventory/${p1Id}`, { on_hand: 0, reason: 'count' });
    const body = { unit: ['piece', 'g', 'ml'][draw(3)], unit_step: 1 + draw(3) };
    return (await world.api('PUT', `/products/${p1Id}`, body)).status;
  },
  set: stock((draw) => ({ stock_quantity: draw(12) })),
  count: stock((draw) => ({ on_hand: draw(12), reason: 'count' })),
  countOfBefore: stock((draw) => {
    return { on_hand: draw(12), counted_at: new Date(Date.now() - draw(2000)).toISOString(), reason: 'count' };
  }),
  delivery: stock((draw) => ({ delta: 1 + draw(9), reason: 'delivery', reference: 'LS-1' })),
  damage: stock((draw) => ({ delta: -1 - draw(3), reason: 'damage' })),
  threshold: stock((draw) => ({ low_stock_threshold: draw(9) })),
  bulkStock: async (world, draw) => {
    const changes = [
      () => ({ on_hand: draw(15) }),
      () => ({ stock_quantity: draw(15), price: price(draw) }),
      () => ({ delta: draw(9) - 3, low_stock_threshold: draw(5) }),
      () => ({ attach_to: [shop(world, draw)] }),
      () => ({ detach_from: [shop(world, draw)] }),
      () => ({ add: true, stock_quantity: draw(15), attach_to: [...world.shopIds] }),
    ];
    const list = items(world, draw, () => changes[draw(changes.length)]?.() ?? {});
    return (await world.api('PATCH', '/inventory', { items: list })).status;
  },
  bulkProducts: async (world, draw) => {
    const overrides = () => [{ shop_id: shop(world, draw), overrides: { price: price(draw) }, mode: 'merge' }];
    const list = items(world, draw, () => (draw(2) ? { price: price(draw) } : { overrides: overrides() }));
    return (await world.api('PATCH', '/products', { items: list })).status;
  },
  price: async (world, draw) => {
    const body = { price: draw(4) ? price(draw) : null, available: draw(3) > 0 };
    return (await world.api('PUT', `/products/${one(world, draw)}`, body)).status;
  },
  catalog: (world, draw) => world.importOne(one(world, draw), price(draw)),
  attach: inShop('attach-product'),
  attachOverriding: inShop('attach-product', (draw) => ({ overrides: { price: price(draw) } })),
  detach: inShop('detach-product'),
  override: inShop('product-overrides', (draw) => ({ overrides: { price: price(draw), metadata: { n: draw(9) } } })),
  add: async (world, draw) => {
    const body = { p1_id: one(world, draw), initial_stock: draw(12) };
    return (await world.api('POST', '/products/add-to-inventory', body)).status;
  },
  remove: async (world, draw) => (draw(3) ? 0 : (await world.api('DELETE', `/inventory/${one(world, draw)}`)).status),
};
export const COMMAND_NAMES = Object.keys(COMMANDS);
