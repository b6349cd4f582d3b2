import { onePagePdf } from '../pdf.ts';
import type { Document } from './document.ts';
import { formsOn, linksOn, type PageForm } from './pages.ts';
import { type Browser, Person, type Role } from './person.ts';
import type { Line } from './request.ts';
import { kindOf, type Route, routeAt } from './routes.ts';
import { MARKUP } from './strange.ts';

export interface Service {
  line: Line;
  operatorToken: string;
  document: Document;
  routes: readonly Route[];
  /** Takes webhooks and answers 204. */
  webhookUrl: string;
}

/** Who sends a request, and what it carries to say so. */
export interface Caller {
  label: string;
  /** Whose data the answers may hold; null: nobody's. */
  org: Org | null;
  kind: 'token' | 'key' | 'integration' | 'operator' | 'none';
  scopes: readonly string[];
  headers: Record<string, string>;
  /** The secret itself, for forms. */
  secret: string;
}

/** An organization with something of everything. */
export interface Org {
  /** Stands in every name, reference and address of it, mostly before markup, and nowhere else. */
  mark: string;
  orgId: string;
  /** Of its first shop. */
  host: string;
  /** By the kind of what they name: `orders`, `shops`, `products`. */
  ids: Map<string, string[]>;
  /** What is needed for the other cases, so that none removes it. */
  kept: Set<string>;
  token: Caller;
  narrow: Caller;
  key: Caller;
  integration: Caller;
  people: Map<Role, Person>;
  /** Forms of the owner's pages, by route. */
  forms: Map<string, FoundForm[]>;
  /** Paths of the pages that the owner's links lead to, by route. */
  pages: Map<string, string[]>;
  /** Names of query parameters, by route. */
  queries: Map<string, Set<string>>;
}

/** A form, and where it was found: read again before it is sent, since it knows what it was made from. */
export interface FoundForm extends PageForm {
  page: string;
}

export interface World {
  /** Whose credentials are used. */
  a: Org;
  /** Does nothing itself: its ids and names are what nobody else may see or change. */
  b: Org;
  /** Tries what is not its own. Has an owner and keys, and otherwise nothing. */
  c: Org;
  operator: Caller;
  stranger: Caller;
}

const PDF = (mark: string) => onePagePdf(mark).toString('base64');
const NARROW_SCOPES = ['events.read'];
/** Pages of one kind that are visited for their forms and ids. */
const SAMPLES: Record<string, number> = {
  '/manage/requests/:id': 16,
  '/manage/orders/:id': 14,
  '/manage/products/:p1Id': 5,
  '/manage/products/:p1Id/shops/:shopId': 6,
};
const SAMPLES_OTHERWISE = 3;
const HOST = 'localhost';

/**
 * Three organizations, which share nothing but the catalog.
 * @param shard the number of the database on which `a` and `c` live, 0 or 1; `b` lives on the other
 */
export async function openWorld(service: Service, name: string, shard: number): Promise<World> {
  const products = Array.from({ length: 8 }, (_, index) => `P1-${name}-${index}`);
  const api = new Setup(service);
  await api.operate('POST', '/catalog', products.map((p1_id) => JSON.stringify(catalogLine(p1_id))).join('\n'));
  const a = await openOrg(api, `mark${name}ax`, products, shard);
  const b = await openOrg(api, `mark${name}bx`, products, 1 - shard);
  const c = await openOrg(api, `mark${name}cx`, [], shard);
  const none = { org: null, scopes: [], secret: '' };
  return {
    a,
    b,
    c,
    operator: { ...none, label: 'operator', kind: 'operator', headers: bearer(service.operatorToken) },
    stranger: { ...none, label: 'nobody', kind: 'none', headers: {} },
  };
}

function catalogLine(p1_id: string) {
  const prescription_required = p1_id.endsWith('3');
  return {
    p1_id,
    name: `Salbe ${p1_id}`,
    slug: p1_id.toLowerCase(),
    category: 'Haut',
    price: 4.95,
    prescription_required,
  };
}

function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

type Json = Record<string, unknown> & { id: string; data: Json[] };

/** Calls that must succeed. */
class Setup {
  readonly service: Service;

  constructor(service: Service) {
    this.service = service;
  }

  operate(method: string, path: string, body: unknown): Promise<Json> {
    return this.call(method, `/api/operator/v1${path}`, bearer(this.service.operatorToken), body);
  }

  async call(method: string, path: string, given: Record<string, string>, body?: unknown, host = HOST): Promise<Json> {
    const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json';
    const headers = { ...given, ...(body !== undefined && { 'Content-Type': type }) };
    const text = typeof body === 'string' ? body : JSON.stringify(body ?? null);
    const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(text);
    const answer = await this.service.line.send({ method, host, path, headers, body: bytes });
    if (answer.status > 299) throw new Error(`${method} ${path} was answered with ${answer.status} ${answer.body}`);
    return JSON.parse(answer.body);
  }
}

async function openOrg(api: Setup, mark: string, products: string[], shard: number): Promise<Org> {
  const { service } = api;
  const named = {
    shard,
    name: `${mark}${MARKUP[0]}`,
    iban: 'DE89370400440532013000',
    payment_recipient: `${mark}${MARKUP[0]}`,
  };
  const { org_id } = await api.operate('POST', '/organizations', named);
  const orgId = String(org_id);
  const operate = (path: string, body: object) => api.operate('POST', `/organizations/${orgId}${path}`, body);
  const hosts = [1, 2, 3].map((number) => `${mark}-${number}.localhost`);
  const shopIds: string[] = [];
  for (const host of hosts) {
    // A shop's last host stays: all but the first, which is kept, have one to lose.
    const active = shopIds.length === 0 ? [host] : [host, `zweit-${host}`];
    const shop = { name: `${mark}${MARKUP[1]}`, hosts: active, delivery_service_name: `${mark}${MARKUP[2]}` };
    shopIds.push(String((await operate('/shops', shop)).shop_id));
  }
  const [host = ''] = hosts;
  const [shopId = ''] = shopIds;

  const scopes = service.document.scopes;
  const key = async (given: readonly string[]) => operate('/api-keys', { name: `${mark}${MARKUP[0]}`, scopes: given });
  const [full, narrow, integration, spare] = [
    await key(scopes.filter((scope) => scope !== 'external_orders.submit')),
    await key(NARROW_SCOPES),
    await key(['external_orders.submit']),
    await key(['products.read']),
  ];
  for (const path of ['a', 'b', 'c']) {
    await operate('/subscriptions', {
      url: `${service.webhookUrl}${mark}/${path}`,
      event_types: ['order_created', 'low_stock'],
    });
  }
  const org: Org = {
    mark,
    orgId,
    host,
    ids: new Map([
      ['organizations', [orgId]],
      ['shops', shopIds],
      ['hosts', hosts],
      ['products', products],
      ['keys', [String(spare.key_id)]],
    ]),
    kept: new Set([full, narrow, integration].map(({ key_id }) => String(key_id)).concat(shopIds.slice(0, 1), host)),
    people: new Map(),
    forms: new Map(),
    pages: new Map(),
    queries: new Map(),
    ...(await callersOf(api, { mark, orgId, full, narrow, integration })),
  };
  // The callers were made before the organization was.
  for (const caller of [org.token, org.narrow, org.key, org.integration]) caller.org = org;

  const counts = { owner: 0, pharmacist: 0, staff: 0 };
  const inviting = (role: Role) => async () => {
    counts[role] += 1;
    const { invitation_url } = await operate('/members', { email: `${role}${counts[role]}@${mark}.example`, role });
    return new URL(String(invitation_url)).pathname;
  };
  for (const role of ['owner', 'pharmacist', 'staff'] as const) {
    org.people.set(role, new Person(service.line, role, inviting(role)));
  }
  const invitations = [await inviting('staff')(), await inviting('staff')(), await inviting('staff')()];
  org.ids.set(
    'invitation',
    invitations.map((path) => path.split('/').at(-1) ?? ''),
  );
  if (products.length === 0) return org;
  await sell(api, org, { shopIds, products, shopId });
  await openReset(api, org, await inviting('staff')());
  await visit(service, org);
  return org;
}

async function callersOf(
  api: Setup,
  {
    mark,
    orgId,
    full,
    narrow,
    integration,
  }: { mark: string; orgId: string; full: Json; narrow: Json; integration: Json },
): Promise<Pick<Org, 'token' | 'narrow' | 'key' | 'integration'>> {
  const tokenOf = async (key: Json): Promise<string> => {
    const path = `/api/v2/public/orgs/${orgId}/auth/token`;
    return String((await api.call('POST', path, { 'X-API-Key': String(key.api_key) })).access_token);
  };
  const [token, narrowToken] = [await tokenOf(full), await tokenOf(narrow)];
  const { scopes } = api.service.document;
  const secret = (json: Json) => String(json.api_key);
  const base = { org: null, scopes };
  return {
    token: { ...base, label: `${mark} token`, kind: 'token', headers: bearer(token), secret: token },
    narrow: {
      ...base,
      label: `${mark} token of events.read`,
      kind: 'token',
      scopes: NARROW_SCOPES,
      headers: bearer(narrowToken),
      secret: narrowToken,
    },
    key: {
      ...base,
      label: `${mark} API key`,
      kind: 'key',
      headers: { 'X-API-Key': secret(full) },
      secret: secret(full),
    },
    integration: {
      ...base,
      label: `${mark} integration key`,
      kind: 'integration',
      headers: { apikey: secret(integration) },
      secret: secret(integration),
    },
  };
}

/** Products in shops, requests in every state, orders on their way, a payment link, customers. */
async function sell(
  api: Setup,
  org: Org,
  { shopIds, products, shopId }: { shopIds: string[]; products: string[]; shopId: string },
) {
  const { mark, orgId, token } = org;
  const call = (method: string, path: string, body?: unknown) =>
    api.call(method, `/api/v2/public/orgs/${orgId}${path}`, token.headers, body);
  for (const [index, p1_id] of products.slice(0, 5).entries()) {
    await call('POST', '/products/add-to-inventory', { p1_id, initial_stock: index === 4 ? 3 : 400, price: 5 + index });
    await call('PUT', `/products/${p1_id}`, {
      name: `${mark}${MARKUP[2]} ${index}`,
      description: `${mark}${MARKUP[1]}`,
    });
    for (const shop_id of shopIds.slice(0, 2)) {
      await call('POST', '/shops/attach-product', { shop_id, p1_id, overrides: { name: `${mark}${MARKUP[0]}` } });
    }
  }
  const customer = {
    customer_name: `${mark}${MARKUP[0]}`,
    customer_email: `erika@${mark}.example`,
    address_street: `${mark}${MARKUP[1]}`,
  };
  const item = { p1_id: products[0], price: 4.95 };
  const requests: string[] = [];
  for (let number = 0; number < 16; number += 1) {
    const payload = {
      ...customer,
      items: [{ ...item, quantity: 1 }],
      ...(number % 2 === 0 && { prescription_pdf_base64: PDF(mark) }),
      ...(number === 15 &&
        mark.endsWith('ax') && { prescription_pdf_url: 'https://rezepte.telemed-beispiel.de/a.pdf' }),
    };
    const body = {
      shop_id: shopId,
      external_reference: `${mark}-R${number}${number > 1 ? MARKUP[0] : ''}`,
      source: `${mark}${MARKUP[2]}`,
      payload,
    };
    requests.push((await call('POST', '/order-requests', body)).id);
  }
  const prescriptions: string[] = [];
  for (const id of requests) {
    const { prescriptions: found } = (await call('GET', `/order-requests/${id}`)) as Json & { prescriptions: Json[] };
    prescriptions.push(...found.map((each) => each.id));
  }
  const orders: string[] = [];
  for (const id of requests.slice(0, 4)) {
    const { prescriptions: found } = (await call('GET', `/order-requests/${id}`)) as Json & { prescriptions: Json[] };
    for (const each of found) await call('POST', `/prescriptions/${each.id}/approve`, {});
    orders.push(String((await call('POST', `/order-requests/${id}/approve`, {})).order_id));
  }
  for (const id of requests.slice(4, 8))
    await call('POST', `/order-requests/${id}/reject`, { reason_code: 'other', note: `${mark}${MARKUP[1]}` });
  const customers = new Set<string>();
  for (let number = 0; number < 9; number += 1) {
    const payment_status = ['pending', 'paid', 'cash_on_pickup'][number % 3];
    const body = {
      shop_id: shopId,
      external_id: `${mark}-O${number}`,
      payment_status,
      ...customer,
      items: [{ ...item, qty: 2 }],
    };
    orders.push((await call('POST', '/orders', { ...body, customer_email: `kunde${number}@${mark}.example` })).id);
  }
  for (const id of [orders[6], orders[9]]) await call('PATCH', `/orders/${id}`, { status: 'ready_pickup' });
  for (const id of [orders[8], orders[11]])
    await call('PATCH', `/orders/${id}`, { status: 'cancelled', reason_code: 'test' });
  const pending = orders[4] ?? '';
  const { url } = await call('POST', `/orders/${pending}/payment-links`, {});
  for (const each of (await call('GET', '/orders')).data) {
    const { id } = (each.customer ?? {}) as { id?: string };
    if (id) customers.add(id);
  }
  org.ids.set('requests that were rejected', requests.slice(4, 8));
  org.ids.set(
    'requests that wait',
    requests.slice(8).filter((_, index) => index % 2 === 1),
  );
  org.ids.set('orders that were cancelled', [orders[8] ?? '', orders[11] ?? '']);
  org.ids.set('orders that were paid', [orders[5] ?? '', orders[8] ?? '', orders[11] ?? '']);
  org.ids.set('requests', requests);
  org.ids.set('prescriptions', prescriptions);
  org.ids.set('orders', orders);
  org.ids.set('customers', [...customers]);
  org.ids.set('pay', [String(url).split('/').at(-1) ?? '']);
}

/** Follows the owner's links, and keeps the forms, the ids and the query parameters that the pages show. */
async function visit(service: Service, org: Org): Promise<void> {
  const owner = org.people.get('owner');
  if (!owner) return;
  const browser = await owner.enter();
  const account = formsOn((await browser.get('/manage/account')).body);
  // Every form says who it was made for: signature, member, page.
  const [, memberId = ''] = (
    account.flatMap(({ fields }) => fields).find(([name]) => name === 'form_origin')?.[1] ?? ''
  ).split('.');
  org.kept.add(memberId);
  org.kept.add(await rotateSecret(browser));
  const visits = new Map<string, number>();
  const queue = ['/manage', '/manage/account', '/manage/settings/webhooks', '/manage/settings/members'];
  const seen = new Set(queue);
  for (const path of queue) {
    const { pathname, searchParams } = new URL(path, 'http://x');
    const route = routeAt(service.routes, 'GET', pathname);
    if (!route) throw new Error(`${path} is linked and no page`);
    const names = org.queries.get(route.name) ?? new Set();
    org.queries.set(route.name, names);
    for (const name of searchParams.keys()) names.add(name);
    keepIds(org, route, pathname);
    const kind = `${route.path}?${[...searchParams.keys()].sort().join()}`;
    const count = (visits.get(kind) ?? 0) + 1;
    if (count > (SAMPLES[route.path] ?? SAMPLES_OTHERWISE)) continue;
    visits.set(kind, count);
    const { status, headers, body } = await browser.get(path);
    const targets = [...linksOn(body), ...(status === 303 ? [String(headers.location)] : [])];
    for (const target of targets.filter((each) => each.startsWith('/manage') && !seen.has(each))) {
      seen.add(target);
      queue.push(target);
    }
    if (status === 200) org.pages.set(route.name, [...(org.pages.get(route.name) ?? []), path]);
    for (const form of formsOn(body)) keepForm(service, org, { ...form, page: path });
  }
}

/** A signing secret with its predecessor still valid, which has a page of its own. @returns the subscription */
async function rotateSecret(browser: Browser): Promise<string> {
  const { body } = await browser.get('/manage/settings/webhooks');
  const id = /settings\/webhooks\/([\w-]{36})/.exec(body)?.[1];
  const path = `/manage/settings/webhooks/${id}/secret`;
  const form = formsOn((await browser.get(path)).body).find(({ action }) => action.startsWith(path));
  const { status } = await browser.post(path, { ...Object.fromEntries(form?.fields ?? []), overlap: 'day' });
  if (!id || status !== 303) throw new Error(`${path} was answered with ${status}`);
  return id;
}

function keepForm({ routes }: Service, org: Org, form: FoundForm): void {
  const { pathname } = new URL(form.action, 'http://x');
  const route = routeAt(routes, 'POST', pathname);
  if (!route) throw new Error(`${form.action} takes no form`);
  keepIds(org, route, pathname);
  org.forms.set(route.name, [...(org.forms.get(route.name) ?? []), form]);
}

function keepIds(org: Org, route: Route, pathname: string): void {
  const values = pathname.split('/');
  for (const [index, segment] of route.path.split('/').entries()) {
    if (!segment.startsWith(':')) continue;
    const kind = kindOf(route.path, segment);
    const value = decodeURIComponent(values[index] ?? '');
    const known = org.ids.get(kind) ?? [];
    if (value && !known.includes(value)) org.ids.set(kind, [...known, value]);
  }
}

/** A link to set a password anew, for a member who has accepted. */
async function openReset(api: Setup, org: Org, invitation: string): Promise<void> {
  const person = new Person(api.service.line, 'staff', async () => invitation);
  await person.enter();
  const browser: Browser = person.browser;
  const email = /[\w]+@[\w.]+example/.exec((await browser.get('/manage/account')).body)?.[0] ?? '';
  const { reset_url } = await api.operate('POST', `/organizations/${org.orgId}/members/reset`, { email });
  org.ids.set('reset', [new URL(String(reset_url)).pathname.split('/').at(-1) ?? '']);
}

/** What an organization has, as text: the same again as long as nobody has changed it. */
export async function stateOf(service: Service, org: Org): Promise<string> {
  const api = new Setup(service);
  const paths = [
    ...[
      '/shops',
      '/inventory?limit=200',
      '/orders?limit=200',
      '/order-requests?status=all&limit=200',
      '/events?limit=200',
    ],
    ...(org.ids.get('shops') ?? []).map((id) => `/products?shop_id=${id}&limit=200`),
    ...(org.ids.get('customers') ?? []).map((id) => `/customers/${id}`),
  ];
  const parts: string[] = [];
  for (const path of paths) {
    parts.push(
      `${path} ${JSON.stringify(await api.call('GET', `/api/v2/public/orgs/${org.orgId}${path}`, org.token.headers))}`,
    );
  }
  // Keys, members, shops and subscriptions: which there are, and what can be done with each.
  const browser = await org.people.get('owner')?.enter();
  for (const area of ['members', 'keys', 'webhooks', 'shops']) {
    const text = (await browser?.get(`/manage/settings/${area}`))?.body ?? '';
    parts.push(`${area} ${[...formsOn(text).map(({ action }) => action), ...linksOn(text)].join(' ')}`);
  }
  return parts.join('\n');
}
