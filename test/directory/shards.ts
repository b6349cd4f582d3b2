import { env } from 'cloudflare:workers';
import { inOrganization } from '../../src/directory/route';
import { actingAs, type Context } from '../../src/platform/context';
import { newId } from '../../src/platform/ids';
import { operate, systemContext } from '../support/world';

/** The second database. */
// SAFETY: wrangler.toml binds it at the top level, which the tests use.
export const DB_1 = env.DB_1 as D1Database;

export interface Tenant {
  orgId: string;
  shopId: string;
  shard: number;
}

/** An organization with one shop without hosts on a database. */
export async function openOn(shard: number): Promise<Tenant> {
  const { org_id: orgId = '' } = await operate('/organizations', { name: 'Löwen-Apotheke', shard });
  const { shop_id: shopId = '' } = await operate(`/organizations/${orgId}/shops`, { name: 'Mitte', hosts: [] });
  return { orgId, shopId, shard };
}

/** D1 that refuses every batch. */
export const OUT_OF_REACH = {
  prepare: (query: string) => DB_1.prepare(query),
  batch: () => Promise.reject(new Error('D1_ERROR: out of reach')),
} as unknown as D1Database;

interface Options {
  now?: () => number;
  env?: Partial<Env>;
}

/** The operator in an organization, with a clock and databases of the test's own. */
export async function asOperator({ orgId }: Tenant, options: Options = {}): Promise<Context> {
  const ctx = await inOrganization(systemContext(options).ctx, orgId);
  if (!ctx) throw new Error('there is no such organization');
  return actingAs(ctx, { kind: 'operator', name: 'test' });
}

export async function asOwner(tenant: Tenant, options: Options = {}): Promise<Context> {
  const ctx = await asOperator(tenant, options);
  return actingAs(ctx, { kind: 'staff', memberId: newId(), orgId: tenant.orgId, role: 'owner' });
}

/** A sweep as the cron runs it: once for each database. */
export async function sweepAll(run: (ctx: Context) => Promise<void>, options: Options = {}): Promise<void> {
  const { ctx } = systemContext(options);
  for (let shard = 0; shard < ctx.databases.count; shard += 1) await run({ ...ctx, db: ctx.databases.at(shard) });
}

export interface Entry {
  kind: string;
  key: string;
  org_id: string;
  shard: number;
}

/** What the directory has under a key. */
export async function entriesOf(key: string): Promise<Entry[]> {
  const query = 'select kind, key, org_id, shard from directory where key = ? order by org_id';
  return (await env.DB.prepare(query).bind(key).all<Entry>()).results;
}

/** The organizations that have a host, on all databases. */
export async function holdersOf(host: string): Promise<string[]> {
  const query = 'select org_id from shop_hosts where host = ?';
  const found = await Promise.all([env.DB, DB_1].map((db) => db.prepare(query).bind(host).all<{ org_id: string }>()));
  return found.flatMap(({ results }) => results.map(({ org_id }) => org_id));
}
