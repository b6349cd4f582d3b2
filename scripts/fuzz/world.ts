import { pznCheckDigit } from '../../src/codes/check-digits.ts';
import { type Api, ask, bearer } from '../api.ts';
import { onePagePdf } from '../pdf.ts';
import type { Document } from './document.ts';
import { formsOn, linksOn, type PageForm } from './pages.ts';
import { type Browser, Person, type Role } from './person.ts';
import type { Line } from './request.ts';
import { kindOf, type Route, routeAt } from './routes.ts';
import { MARKUP } from './strange.ts';

export interface Service {
  line: Line;
  baseUrl: string;
  operatorToken: string;
  operate: Api;
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
const PZN_FIRST_MAX = 9_000_000;
const NARROW_SCOPES = ['events.read'];
/** Pages of one kind that are visited for their forms and ids. */
const SAMPLES: Record<string, number> = {
  '/manage/requests/:id': 24,
  '/manage/orders/:id': 14,
  '/manage/products/:p1Id': 5,
  '/manage/products/:p1Id/shops/:shopId': 6,
};
const SAMPLES_OTHERWISE = 3;

/**
 * Three organizations, which share nothing but the catalog.
 * @param shard the number of the database on which `a` and `c` live, 0 or 1; `b` lives on 0, beside them or not
 */
export async function openWorld(service: Service, name: string, shard: number): Promise<World> {
  const products = Array.from({ length: 8 }, (_, index) => `P1-${name}-${index}`);
  const pzns = pznsFrom(Number(name) % PZN_FIRST_MAX, products.length);
  const catalog = products.map((p1_id, index) => ({
    ...{ p1_id, name: `Salbe ${p1_id}`, slug: p1_id.toLowerCase(), category: 'Haut', price: 4.95 },
    ...{ prescription_required: p1_id.endsWith('3'), pzn: pzns[index] },
  }));
  await service.operate('POST', '/catalog', catalog.map((each) => JSON.stringify(each)).join('\n'));
  const a = await openOrg(service, `mark${name}ax`, products, shard);
  const b = await openOrg(service, `mark${name}bx`, products, 0);
  for (const { ids } of [a, b]) ids.set('pzns', pzns);
  const c = await openOrg(service, `mark${name}cx`, [], shard);
  const none = { org: null, scopes: [], secret: '' };
  return {
    a,
    b,
    c,
    operator: { ...none, label: 'operator', kind: 'operator', headers: bearer(service.operatorToken) },
    stranger: { ...none, label: 'nobody', kind: 'none', headers: {} },
  };
}

/** So many PZNs with their check digits. @param first the seven digits from which on they are sought */
function pznsFrom(first: number, count: number): string[] {
  const pzns: string[] = [];
  for (let number = first; pzns.length < count; number += 1) {
    const digits = String(number).padStart(7, '0');
    const check = pznCheckDigit(digits);
    if (check !== null) pzns.push(`${digits}${check}`);
  }
  return pzns;
}

async function openOrg(service: Service, mark: string, products: string[], shard: number): Promise<Org> {
  const name = `${mark}${MARKUP[0]}`;
  const named = { shard, name, iban: 'DE89370400440532013000', payment_recipient: name };
  const { org_id: orgId } = await service.operate('POST', '/organizations', named);
  const within = (path: string, body: object) => service.operate('POST', `/organizations/${orgId}${path}`, body);
  const hosts = [1, 2, 3].map((number) => `${mark}-${number}.localhost`);
  const [host = ''] = hosts;
  const shopIds: string[] = [];
  for (const each of hosts) {
    // A shop's last host stays: all but the first, which is kept, have one to lose.
    const active = each === host ? [each] : [each, `zweit-${each}`];
    const shop = { name: `${mark}${MARKUP[1]}`, hosts: active, delivery_service_name: `${mark}${MARKUP[2]}` };
    shopIds.push((await within('/shops', shop)).shop_id);
  }
  for (const path of ['a', 'b', 'c']) {
    const url = `${service.webhookUrl}${mark}/${path}`;
    await within('/subscriptions', { url, event_types: ['order_created', 'low_stock'] });
  }
  const inviting = (role: Role) => {
    let count = 0;
    return async () => {
      count += 1;
      const { invitation_url } = await within('/members', { email: `${role}${count}@${mark}.example`, role });
      return new URL(invitation_url).pathname;
    };
  };
  const inviteStaff = inviting('staff');
  const person = (role: Role, invite = inviting(role)): [Role, Person] => [
    role,
    new Person(service.line, role, invite),
  ];
  const invitations = [await inviteStaff(), await inviteStaff(), await inviteStaff()];

  const { keyIds, spareId, ...callers } = await openCallers(service, { mark, orgId, within });
  const org: Org = {
    ...{ mark, orgId, host, ...callers },
    ids: new Map([
      ['organizations', [orgId]],
      ['shops', shopIds],
      ['hosts', hosts],
      ['products', products],
      ['keys', [spareId]],
      ['invitation', invitations.map(lastOf)],
    ]),
    kept: new Set([...keyIds, ...shopIds.slice(0, 1), host]),
    people: new Map([person('owner'), person('pharmacist'), person('staff', inviteStaff)]),
    ...{ forms: new Map(), pages: new Map(), queries: new Map() },
  };
  // The callers were made before the organization was.
  for (const caller of [org.token, org.narrow, org.key, org.integration]) caller.org = org;
  if (products.length === 0) return org;
  await sell(service, org);
  await openReset(service, org, await inviteStaff());
  await visit(service, org);
  return org;
}

function lastOf(path: string): string {
  return path.split('/').at(-1) ?? '';
}

/** Keys of an organization and tokens for them, and one key more. */
async function openCallers(
  { document: { scopes }, baseUrl }: Service,
  { mark, orgId, within }: { mark: string; orgId: string; within: (path: string, body: object) => ReturnType<Api> },
) {
  const keyFor = (given: readonly string[]) => within('/api-keys', { name: `${mark}${MARKUP[0]}`, scopes: given });
  const full = await keyFor(scopes.filter((scope) => scope !== 'external_orders.submit'));
  const narrow = await keyFor(NARROW_SCOPES);
  const integration = await keyFor(['external_orders.submit']);
  const spare = await keyFor(['products.read']);
  const tokenFor = async (key: { api_key: string }) => {
    const path = `/api/v2/public/orgs/${orgId}/auth/token`;
    return (await ask('POST', baseUrl + path, { 'X-API-Key': key.api_key })).access_token;
  };
  const caller = (label: string, kind: Caller['kind'], secret: string, headers: Record<string, string>): Caller => {
    return { label: `${mark} ${label}`, org: null, kind, scopes, headers, secret };
  };
  const [token, narrowToken] = [await tokenFor(full), await tokenFor(narrow)];
  return {
    keyIds: [full, narrow, integration].map(({ key_id }) => key_id),
    spareId: spare.key_id,
    token: caller('token', 'token', token, bearer(token)),
    narrow: {
      ...caller('token of events.read', 'token', narrowToken, bearer(narrowToken)),
      scopes: NARROW_SCOPES,
    },
    key: caller('API key', 'key', full.api_key, { 'X-API-Key': full.api_key }),
    integration: caller('integration key', 'integration', integration.api_key, { apikey: integration.api_key }),
  };
}

function apiOf({ baseUrl }: Service, { orgId, token }: Org): Api {
  return (method, path, body) => ask(method, `${baseUrl}/api/v2/public/orgs/${orgId}${path}`, token.headers, body);
}

/** Products in shops, requests in every state, orders on their way, a payment link, customers. */
async function sell(service: Service, org: Org): Promise<void> {
  const { mark, ids } = org;
  const call = apiOf(service, org);
  const [shopIds, products] = [ids.get('shops') ?? [], ids.get('products') ?? []];
  const shop_id = shopIds[0];
  for (const [index, p1_id] of products.slice(0, 5).entries()) {
    await call('POST', '/products/add-to-inventory', { p1_id, initial_stock: index === 4 ? 3 : 400, price: 5 + index });
    const described = { name: `${mark}${MARKUP[2]} ${index}`, description: `${mark}${MARKUP[1]}` };
    await call('PUT', `/products/${p1_id}`, described);
    for (const each of shopIds.slice(0, 2)) {
      const metadata = { [`${mark}${MARKUP[0]}`]: [`${mark}${MARKUP[1]}`] };
      const offered = { shop_id: each, p1_id, overrides: { name: `${mark}${MARKUP[0]}`, metadata } };
      await call('POST', '/shops/attach-product', offered);
    }
  }
  const customer = {
    customer_name: `${mark}${MARKUP[0]}`,
    customer_email: `erika@${mark}.example`,
    address_street: `${mark}${MARKUP[1]}`,
  };
  const item = { p1_id: products[0], price: 4.95 };
  const requests: string[] = [];
  const prescriptions: string[][] = [];
  for (let number = 0; number < 24; number += 1) {
    const payload = {
      ...customer,
      items: [{ ...item, quantity: 1 }],
      ...(number % 2 === 0 && number < 16 && { prescription_pdf_base64: PDF(mark) }),
      ...(number === 15 &&
        mark.endsWith('ax') && { prescription_pdf_url: 'https://rezepte.telemed-beispiel.de/a.pdf' }),
    };
    const external_reference = `${mark}-R${number}${number > 1 ? MARKUP[0] : ''}`;
    const { id } = await call('POST', '/order-requests', {
      ...{ shop_id, external_reference, source: `${mark}${MARKUP[2]}`, payload },
    });
    requests.push(id);
    const { prescriptions: found } = await call('GET', `/order-requests/${id}`);
    prescriptions.push(found.map((each: { id: string }) => each.id));
  }
  const connector = `${service.baseUrl.replace('localhost', org.host)}/api/v1/external-order`;
  const sent: string[] = [];
  for (let number = 0; number < 8; number += 1) {
    // People of their own: one of the others is erased.
    const person = { ...customer, customer_email: `plattform${number}@${mark}.example` };
    const payload = { ...person, items: [{ ...item, quantity: 1 }] };
    const external_reference = `${mark}-S${number}`;
    const body = { external_reference, source: `${mark}${MARKUP[2]}`, payload };
    sent.push((await ask('POST', connector, org.integration.headers, body)).id);
  }
  const withdrawn: string[] = [];
  for (const id of sent.slice(0, 3)) {
    withdrawn.push((await call('POST', `/order-requests/${id}/approve`, {})).order_id);
    await ask('DELETE', `${connector}/${id}`, org.integration.headers);
  }
  const note = `${mark}${MARKUP[4]}`;
  for (const id of sent.slice(6)) {
    await ask('POST', `${connector}/${id}/supplement`, org.integration.headers, { note, replaces: false });
  }
  const orders: string[] = [];
  for (const [index, id] of requests.slice(0, 4).entries()) {
    for (const each of prescriptions[index] ?? []) await call('POST', `/prescriptions/${each}/approve`, {});
    orders.push((await call('POST', `/order-requests/${id}/approve`, {})).order_id);
  }
  for (const id of requests.slice(4, 8))
    await call('POST', `/order-requests/${id}/reject`, { reason_code: 'other', note: `${mark}${MARKUP[1]}` });
  for (let number = 0; number < 9; number += 1) {
    const payment_status = ['pending', 'paid', 'cash_on_pickup'][number % 3];
    const items = [{ ...item, qty: 2 }];
    const body = { shop_id, external_id: `${mark}-O${number}`, payment_status, ...customer, items };
    orders.push((await call('POST', '/orders', { ...body, customer_email: `kunde${number}@${mark}.example` })).id);
  }
  orders.push(...withdrawn);
  const ordersAt = (...places: number[]) => places.map((place) => orders[place] ?? '');
  for (const id of ordersAt(6, 9)) await call('PATCH', `/orders/${id}`, { status: 'ready_pickup' });
  const tracking = {
    carrier: `${mark}${MARKUP[2]}`.slice(0, 60),
    tracking_number: `${mark}${MARKUP[0]}`,
    tracking_url: `https://track.example/${mark}?q=${encodeURIComponent(MARKUP[0] ?? '')}`,
  };
  for (const id of ordersAt(5, 7, 10)) await call('PATCH', `/orders/${id}`, tracking);
  const cancelled = ordersAt(8, 11);
  for (const id of cancelled) await call('PATCH', `/orders/${id}`, { status: 'cancelled', reason_code: 'test' });
  const { url } = await call('POST', `/orders/${orders[4]}/payment-links`, {});
  const listed: { id: string; customer?: { id?: string } }[] = (await call('GET', '/orders')).data;
  const made = {
    'requests that were rejected': requests.slice(4, 8),
    'requests that wait': [...requests.slice(8, 16).filter((_, index) => index % 2 === 1), ...requests.slice(16)],
    'requests with a prescription': requests.slice(8, 16).filter((_, index) => index % 2 === 0),
    'orders that were withdrawn': withdrawn,
    'orders that were cancelled': cancelled,
    'orders that were paid': ordersAt(5, 8, 11),
    'orders that are ready': ordersAt(6, 9),
    requests,
    'requests of a platform': sent,
    prescriptions: prescriptions.flat(),
    orders,
    'customers without an open order': listed
      .filter(({ id }) => cancelled.includes(id))
      .flatMap(({ customer: { id } = {} }) => id ?? []),
    customers: [...new Set(listed.flatMap(({ customer: { id } = {} }) => id ?? []))],
    pay: [lastOf(url)],
  };
  for (const [kind, all] of Object.entries(made)) ids.set(kind, all);
}

/** Follows the owner's links, and keeps the forms, the ids and the query parameters that the pages show. */
async function visit(service: Service, org: Org): Promise<void> {
  const owner = org.people.get('owner');
  if (!owner) return;
  const browser = await owner.enter();
  const [, memberId = ''] = /data-person="[^".]*\.([^"]+)"/.exec((await browser.get('/manage/account')).body) ?? [];
  org.kept.add(memberId);
  org.kept.add(await rotateSecret(browser));
  const asked = (org.ids.get('requests of a platform') ?? []).slice(3, 6);
  for (const id of asked) await askQuestion(browser, id);
  const visits = new Map<string, number>();
  const queue = [
    ...['/manage', '/manage/account', '/manage/settings/webhooks', '/manage/settings/members'],
    // Before those that stand first in their lists: few of one kind are visited.
    ...[...asked, ...(org.ids.get('requests with a prescription') ?? [])].map((id) => `/manage/requests/${id}`),
    ...['orders that were withdrawn', 'orders that are ready', 'orders that were cancelled']
      .flatMap((kind) => org.ids.get(kind) ?? [])
      .map((id) => `/manage/orders/${id}`),
  ];
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

/** A question of staff that waits for its answer. */
async function askQuestion(browser: Browser, requestId: string): Promise<void> {
  const path = `/manage/requests/${requestId}/needs-info`;
  const form = formsOn((await browser.get(`/manage/requests/${requestId}`)).body).find(({ action }) => action === path);
  const { status } = await browser.post(path, {
    ...Object.fromEntries(form?.fields ?? []),
    info_note: 'Wie oft am Tag?',
  });
  if (status !== 303) throw new Error(`${path} was answered with ${status}`);
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
async function openReset(service: Service, org: Org, invitation: string): Promise<void> {
  const person = new Person(service.line, 'staff', async () => invitation);
  const browser = await person.enter();
  const email = /[\w]+@[\w.]+example/.exec((await browser.get('/manage/account')).body)?.[0] ?? '';
  const { reset_url } = await service.operate('POST', `/organizations/${org.orgId}/members/reset`, { email });
  org.ids.set('reset', [lastOf(new URL(reset_url).pathname)]);
}

/** What an organization has, as text: the same again as long as nobody has changed it. */
export async function stateOf(service: Service, org: Org): Promise<string> {
  const call = apiOf(service, org);
  const lists = ['/inventory?', '/orders?', '/order-requests?status=all&', '/events?'].map(
    (path) => `${path}limit=200`,
  );
  const paths = [
    ...['/shops', ...lists],
    ...(org.ids.get('shops') ?? []).map((id) => `/products?shop_id=${id}&limit=200`),
    ...(org.ids.get('customers') ?? []).map((id) => `/customers/${id}`),
  ];
  const parts: string[] = [];
  for (const path of paths) parts.push(`${path} ${JSON.stringify(await call('GET', path))}`);
  // Keys, members, shops and subscriptions: which there are, and what can be done with each.
  const browser = await org.people.get('owner')?.enter();
  for (const area of ['members', 'keys', 'webhooks', 'shops']) {
    const text = (await browser?.get(`/manage/settings/${area}`))?.body ?? '';
    parts.push(`${area} ${[...formsOn(text).map(({ action }) => action), ...linksOn(text)].join(' ')}`);
  }
  return parts.join('\n');
}
