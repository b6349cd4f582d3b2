import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { createApiKey } from '../../src/auth/keys/keys';
import { signToken } from '../../src/auth/keys/tokens';
import { pznCheckDigit } from '../../src/codes/numbers';
import { organizationSchema } from '../../src/operator/routes';
import { SCOPES, type Scope } from '../../src/platform/access';
import { readConfig } from '../../src/platform/config';
import { newId } from '../../src/platform/ids';
import { createOrganization } from '../../src/tenants/organizations';
import { createShop } from '../../src/tenants/shops';
import { expectDocumented } from './contract';
import { BASE, call, databaseOf, everywhere, inOneBatch, OPERATOR_TOKEN, operate, rows, SHARDS } from './world';

export interface OrganizationApi {
  orgId: string;
  /** The number of its database. */
  shard: number;
  shopId: string;
  otherShopId: string;
  keyId: string;
  apiKey: string;
  token: string;
  /** Changes to the bindings that its calls come to. */
  env?: Partial<Env>;
}

export const API_SCOPES = SCOPES.filter((scope) => scope !== 'external_orders.submit');

/** An organization of its own for each test, with two shops, an API key that may do everything, and a token. */
export async function openOrganizationApi(
  options: { low_stock_threshold?: number; shard?: number } = {},
): Promise<OrganizationApi> {
  const { shard = 0, ...fields } = options;
  const organization = organizationSchema.parse({ name: 'Löwen-Apotheke', ...fields });
  const made = await inOneBatch(shard, async (ctx) => {
    const { orgId } = await createOrganization(ctx, { ...organization, shard });
    const openShop = (name: string) => createShop(ctx, { orgId, name, hosts: [`rx-${newId()}.localhost`] });
    const [mitte, nord] = [await openShop('Mitte'), await openShop('Nord')];
    const key = await createApiKey(ctx, { orgId, name: 'erp', scopes: API_SCOPES });
    return { orgId, shopId: mitte.shopId, otherShopId: nord.shopId, ...key };
  });
  return { ...made, shard, token: await signedTokenFor(made) };
}

/** The token that the key would be exchanged for, without the exchange. */
export function signedTokenFor({ orgId, keyId }: { orgId: string; keyId: string }): Promise<string> {
  return signToken(readConfig(env), { keyId, orgId, scopes: API_SCOPES }, Date.now());
}

export async function createKey(orgId: string, scopes: readonly Scope[], rest: { expires_at?: string } = {}) {
  const made = await operate<{ key_id: string; api_key: string }>(`/organizations/${orgId}/api-keys`, {
    name: 'erp',
    scopes,
    ...rest,
  });
  return { keyId: made.key_id, apiKey: made.api_key };
}

export async function revokeKey(orgId: string, keyId: string): Promise<void> {
  await operate(`/organizations/${orgId}/api-keys/${keyId}`, {}, 'DELETE');
}

export async function tokenFor(key: { orgId: string; apiKey: string }, scope?: string): Promise<string> {
  const { status, body } = await askToken(key.orgId, { headers: { apikey: key.apiKey }, body: scope && { scope } });
  if (status !== 200) throw new Error(`no token: ${status} ${JSON.stringify(body)}`);
  return (body as { access_token: string }).access_token;
}

export interface Asking {
  /** Sent as JSON; a text, a form or bytes as they are. */
  body?: unknown;
  query?: Record<string, string | number>;
  headers?: Record<string, string>;
  env?: Partial<Env>;
  /** Instead of the organization's own; null sends none. */
  token?: string | null;
}

// biome-ignore lint/suspicious/noExplicitAny: an answer's shape is held against the document; tests look at what they know
type Anything = any;

export interface Answer<T = Anything> {
  status: number;
  headers: Headers;
  body: T;
}

/** One call of the organization API. Whatever it answers has to be in the OpenAPI document. */
export function callApi<T = Anything>(
  { orgId, token, env: bound }: Pick<OrganizationApi, 'orgId' | 'token' | 'env'>,
  method: string,
  path: string,
  asking: Asking = {},
): Promise<Answer<T>> {
  const bearer = asking.token === undefined ? token : asking.token;
  const headers = { ...(bearer !== null && { Authorization: `Bearer ${bearer}` }), ...asking.headers };
  return send(method, `/orgs/${orgId}${path}`, { ...asking, headers, env: { ...bound, ...asking.env } });
}

/** One call of the token endpoint. */
export function askToken<T = Anything>(orgId: string, asking: Asking = {}): Promise<Answer<T>> {
  return send('POST', `/orgs/${orgId}/auth/token`, asking);
}

async function send<T>(method: string, path: string, asking: Asking): Promise<Answer<T>> {
  const { body, query, headers } = asking;
  const url = new URL(`${BASE}/api/v2/public${path}`);
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.append(name, String(value));
  const init: RequestInit = { method, headers };
  if (isRaw(body)) init.body = body;
  else if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { 'Content-Type': 'application/json', ...headers };
  }
  const response = await call(url.href, init, asking.env);
  const isPdf = response.headers.get('Content-Type') === 'application/pdf';
  const answer = isPdf ? (new TextDecoder().decode(await response.arrayBuffer()) as T) : await response.json<T>();
  await expectDocumented(method, url.href, response, answer);
  expect(response.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  return { status: response.status, headers: response.headers, body: answer };
}

function isRaw(body: unknown): body is BodyInit {
  return typeof body === 'string' || body instanceof URLSearchParams || body instanceof Uint8Array;
}

/** The answer is this refusal, in the one shape that all of them have. */
export function expectProblem(answer: Answer, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
  expect(answer.headers.get('Content-Type')).toBe('application/problem+json');
  expect(answer.body.request_id).toBe(answer.headers.get('X-Request-Id'));
}

/** The answer went through. @returns its body */
export function succeeded<T>(answer: Answer<T>, status = 200): T {
  expect({ status: answer.status, ...(answer.status !== status && { body: answer.body }) }).toEqual({ status });
  return answer.body;
}

export interface CatalogRow {
  p1_id: string;
  name: string;
  slug: string;
  category: string;
  price: number;
  description?: string;
  thc_percent?: number;
  cbd_percent?: number;
  unit?: 'piece' | 'g' | 'ml';
  unit_step?: number;
  prescription_required?: boolean;
  pzn?: string | number;
}

/** A product that no other test has, with members replaced. */
export function catalogRow(members: Partial<CatalogRow> = {}): CatalogRow {
  const id = newId();
  return {
    p1_id: `P1-${id}`,
    name: 'Ibuprofen 400 mg, 20 Stück',
    slug: `ibuprofen-${id}`,
    category: 'Schmerzmittel',
    price: 4.95,
    ...members,
  };
}

/** Sends a file to the operator's import. */
export function importFile(
  body: BodyInit,
  type = 'application/x-ndjson',
  asking: { token?: string; env?: Partial<Env> } = {},
): Promise<Response> {
  const headers = { 'Content-Type': type, Authorization: `Bearer ${asking.token ?? OPERATOR_TOKEN}` };
  return call(`${BASE}/api/operator/v1/catalog`, { method: 'POST', headers, body }, asking.env);
}

/** Puts products of the test's own into the catalog. */
export async function importProducts(...members: Partial<CatalogRow>[]): Promise<CatalogRow[]> {
  const products = members.map(catalogRow);
  const response = await importFile(products.map((product) => JSON.stringify(product)).join('\n'));
  const report = await response.json<{ imported: number }>();
  if (report.imported !== products.length) throw new Error(`not imported: ${JSON.stringify(report)}`);
  return products;
}

/** Puts one product into the catalog. */
export async function importProduct(members: Partial<CatalogRow> = {}): Promise<CatalogRow> {
  const [product] = await importProducts(members);
  // SAFETY: importProducts gives one for each that it is given.
  return product as CatalogRow;
}

/** A PZN with its check digit, and codes that hold it. */
export function newPzn() {
  for (;;) {
    const digits = String(Math.floor(Math.random() * 9_999_999)).padStart(7, '0');
    const check = pznCheckDigit(digits);
    if (check !== null) return `${digits}${check}`;
  }
}

/** A product of the test's own that the organization holds. */
export async function holdProduct(
  api: OrganizationApi,
  options: { stock?: number; price?: number } & Partial<Omit<CatalogRow, 'price'>> = {},
): Promise<CatalogRow> {
  const { stock: initial_stock = 10, price, ...members } = options;
  const product = await importProduct(members);
  const body = { p1_id: product.p1_id, initial_stock, price };
  succeeded(await callApi(api, 'POST', '/products/add-to-inventory', { body }), 201);
  return product;
}

/** The same, and the first shop offers it. */
export async function attachNewProduct(
  api: OrganizationApi,
  options: Parameters<typeof holdProduct>[1] & { overrides?: Record<string, unknown> } = {},
): Promise<CatalogRow> {
  const { overrides, ...rest } = options;
  const product = await holdProduct(api, rest);
  await attach(api, product.p1_id, overrides);
  return product;
}

export async function attach(api: OrganizationApi, p1_id: string, overrides?: unknown, shop_id = api.shopId) {
  return succeeded(await callApi(api, 'POST', '/shops/attach-product', { body: { shop_id, p1_id, overrides } }));
}

/** What calls of the API write about its callers, and not for them. */
const ABOUT_CALLERS = ['api_keys', 'audit_log'];
/** What follows the rows of orders and requests at a moment of its own. */
const INDEX = ['search_entries', 'search_cursors'];

let tablesKnown: string[] | undefined;

async function organizationTables(): Promise<string[]> {
  const named = await rows<{ name: string }>(
    "select name from sqlite_master where type = 'table' and instr(sql, '`org_id`') > 0 order by name",
  );
  return named.map(({ name }) => name).filter((name) => ![...ABOUT_CALLERS, ...INDEX].includes(name));
}

/** Everything that is stored for organizations, by table, whatever database it is in. */
export async function footprint(...orgIds: string[]): Promise<Record<string, unknown>> {
  tablesKnown ??= await organizationTables();
  const tables = tablesKnown;
  const found = await Promise.all(
    SHARDS.map((shard) => {
      const db = databaseOf(shard);
      const query = (table: string) => `select * from ${table} where org_id in (select value from json_each(?))`;
      return db.batch(tables.map((table) => db.prepare(query(table)).bind(JSON.stringify(orgIds))));
    }),
  );
  return Object.fromEntries(tables.map((table, index) => [table, found.flatMap((each) => each[index]?.results)]));
}

export interface StoredEvent {
  id: string;
  seq: number;
  type: string;
  body: string;
}

export function eventsOf(orgId: string, type?: string): Promise<StoredEvent[]> {
  return everywhere<StoredEvent>(
    'select * from events where org_id = ? and type = coalesce(?, type) order by seq',
    orgId,
    type ?? null,
  );
}

export async function eventTypesOf(orgId: string): Promise<string[]> {
  return (await eventsOf(orgId)).map(({ type }) => type);
}
