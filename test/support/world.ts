import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { createApiKey } from '../../src/auth/keys/keys';
import worker from '../../src/index';
import { actingAs, type Context, type ContextOptions, openContext, withDatabase } from '../../src/platform/context';
import type { Statement } from '../../src/platform/data/statements';
import { newId } from '../../src/platform/ids';
import { createOrganization } from '../../src/tenants/organizations';
import { createShop } from '../../src/tenants/shops';
import type { EventType } from '../../src/webhooks/event-types';

export { envelope, newPdf, PDF_BASE64, PDF_TEXT } from './envelope';

export const BASE = 'http://localhost:8787';
/** Of the operator `test`, who holds every scope (vitest.config.ts). */
export const OPERATOR_TOKEN = 'test-operator-token-test-operator-token';

/** Changes the bindings to those of a deployment with one database. */
export const ONE_DATABASE: Partial<Env> = { DB_1: undefined };

/** The test's bindings with some replaced; one that is replaced by undefined is not bound. */
export function bindings(...changed: Partial<Env>[]): Env {
  const all = Object.entries(Object.assign({}, env, ...changed));
  return Object.fromEntries(all.filter(([, binding]) => binding !== undefined)) as unknown as Env;
}

/** One request through the whole Worker; work that outlives the answer is waited for. */
export async function call(url: string, init: RequestInit = {}, changed: Partial<Env> = {}): Promise<Response> {
  const executionCtx = createExecutionContext();
  // A message that reaches the real queue would race the test's own consumer; tests that want it say so.
  const quiet = { WEBHOOK_DELIVERIES: silentQueue().queue, PRESCRIPTION_FETCHES: silentQueue().queue };
  const response = await worker.fetch(new Request(url, init) as never, bindings(quiet, changed), executionCtx);
  await waitOnExecutionContext(executionCtx);
  return response;
}

export interface RungFor {
  id: string;
  delaySeconds: number;
}

/** A queue that keeps what it is sent. */
export function silentQueue(): { queue: Queue<unknown>; enqueued: RungFor[] } {
  const enqueued: RungFor[] = [];
  const queue = {
    async sendBatch(messages: { body: { id: string }; delaySeconds: number }[]) {
      enqueued.push(...messages.map(({ body, delaySeconds }) => ({ id: body.id, delaySeconds })));
    },
  } as unknown as Queue<unknown>;
  return { queue, enqueued };
}

export function json(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

/** A call of the operator API. @returns the parsed answer */
export async function operate<T = Record<string, string>>(path: string, body: unknown, method = 'POST'): Promise<T> {
  const init = { ...json(body, { Authorization: `Bearer ${OPERATOR_TOKEN}` }), method };
  const response = await call(`${BASE}/api/operator/v1${path}`, init);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

export interface Pharmacy {
  orgId: string;
  /** The number of its database. */
  shard: number;
  shopId: string;
  host: string;
  /** The connector's address. */
  url: string;
  integrationKey: string;
  /** Changes to the bindings that its requests come to. */
  env?: Partial<Env>;
}

/** An organization of its own for each test, with one shop and one integration key. @param shard its database */
export async function openPharmacy(shard = 0): Promise<Pharmacy> {
  const host = `rx-${newId()}.localhost`;
  const made = await inOneBatch(shard, async (ctx) => {
    const { orgId } = await createOrganization(ctx, { name: 'Löwen-Apotheke', shard });
    const { shopId } = await createShop(ctx, { orgId, name: 'Mitte', hosts: [host] });
    const { apiKey } = await createApiKey(ctx, { orgId, name: 'telemed', scopes: ['external_orders.submit'] });
    return { orgId, shopId, integrationKey: apiKey };
  });
  return { ...made, shard, host, url: `http://${host}:8787/api/v1/external-order` };
}

/**
 * A subscription whose receiver is not known to be healthy, so that its deliveries wait for the queue: a test posts them
 * when it wants. `isHealthy` as a new subscription really is: posted to right after the commit.
 */
export async function subscribe(
  orgId: string,
  url: string,
  eventTypes: EventType[] = ['order_request_submitted'],
  { isHealthy = false } = {},
) {
  const made = await operate<{ subscription_id: string; signing_secret: string }>(
    `/organizations/${orgId}/subscriptions`,
    {
      url,
      event_types: eventTypes,
    },
  );
  if (!isHealthy) await everywhere('update subscriptions set is_healthy = 0 where id = ?', made.subscription_id);
  return { subscriptionId: made.subscription_id, signingSecret: made.signing_secret };
}

export function submit(pharmacy: Pharmacy, body: unknown, changed: Partial<Env> = {}): Promise<Response> {
  const env = { ...pharmacy.env, ...changed };
  const url = env.BASE_URL?.startsWith('https:') ? pharmacy.url.replace('http:', 'https:') : pharmacy.url;
  return call(url, json(body, { apikey: pharmacy.integrationKey }), env);
}

/** A context as consumers and sweeps get it, with a clock and queues of the test's own. */
export function systemContext(options: { now?: () => number; random?: () => number; env?: Partial<Env> } = {}) {
  const deliveries = silentQueue();
  const fetches = silentQueue();
  const deferred: Promise<unknown>[] = [];
  const base: ContextOptions = { actor: { kind: 'system' }, requestId: newId(), defer: (work) => deferred.push(work) };
  const quiet = { WEBHOOK_DELIVERIES: deliveries.queue, PRESCRIPTION_FETCHES: fetches.queue };
  const opened = openContext(bindings(quiet, options.env ?? {}), base);
  const ctx: Context = { ...opened, now: options.now ?? opened.now, random: options.random ?? (() => 0) };
  /** Waits for the work that outlives the answer. */
  const settled = async () => {
    while (deferred.length > 0) await Promise.all(deferred.splice(0));
  };
  return { ctx, deliveriesEnqueued: deliveries.enqueued, fetchesEnqueued: fetches.enqueued, settled };
}

/**
 * Carries out use cases of the operator on one of the databases, and sends all that they write as one D1 batch: a test's
 * world costs one round trip. They must not depend on what they read: it is empty here.
 * @returns what the work returns
 */
export async function inOneBatch<T>(shard: number, work: (ctx: Context) => Promise<T>): Promise<T> {
  const { ctx: asked } = systemContext();
  const ctx = actingAs(withDatabase(asked, asked.databases.at(shard)), { kind: 'operator', name: 'test' });
  const written: Statement[] = [];
  // SAFETY: they have the shape of what D1 answers to statements that return no rows.
  const batch = async (statements: readonly Statement[]) => {
    written.push(...statements);
    return statements.map(() => []);
  };
  const run = (async (named: Parameters<Context['db']['run']>[0]) => {
    await batch(Object.values(named).flatMap((statements) => statements ?? []));
    return Object.fromEntries(Object.keys(named).map((name) => [name, []]));
  }) as Context['db']['run'];
  const rows = (async (statement: Statement) => (await batch([statement]))[0]) as Context['db']['rows'];
  const result = await work({ ...ctx, db: { ...ctx.db, batch, run, rows } });
  await ctx.db.batch(written);
  return result;
}

/** Rows by plain SQL: what is stored, not what an API says. In `DB`, where organizations of tests live unless they say so. */
export function rows<T = Record<string, unknown>>(query: string, ...values: unknown[]): Promise<T[]> {
  return rowsIn<T>(0, query, ...values);
}

/** As `rows`, in one of the databases. */
export async function rowsIn<T = Record<string, unknown>>(shard: number, query: string, ...values: unknown[]) {
  const { results } = await databaseOf(shard)
    .prepare(query)
    .bind(...values)
    .all<T>();
  return results;
}

/** As `rows`, in all databases: what is asked for by an id is in one of them. */
export async function everywhere<T = Record<string, unknown>>(query: string, ...values: unknown[]): Promise<T[]> {
  return (await Promise.all(SHARDS.map((shard) => rowsIn<T>(shard, query, ...values)))).flat();
}

/** The numbers of the databases that the tests bind. */
export const SHARDS = [0, 1] as const;

/** One of them. */
export function databaseOf(shard: number): D1Database {
  const found = [env.DB, env.DB_1][shard];
  if (!found) throw new Error(`no database ${shard}`);
  return found;
}
