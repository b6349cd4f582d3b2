import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { writeProductionLimits } from '../../scripts/production-limits';
import { SECRET_NAMES } from '../../scripts/secrets';
import { REQUESTS_PER_MINUTE } from '../../src/platform/limits';

const ROOT = resolve(import.meta.dirname, '../..');

/** What this file reads of a configuration: wrangler's own types need a package that it does not install. */
interface Config {
  compatibility_flags: string[];
  workers_dev?: boolean;
  route?: unknown;
  routes?: unknown[];
  triggers: { crons?: string[] };
  observability?: { logs?: { invocation_logs?: boolean }; traces?: { enabled?: boolean } };
  vars: Record<string, unknown>;
  secrets?: { required?: string[] };
  d1_databases: { binding: string; database_name?: string; database_id?: string }[];
  r2_buckets: { binding: string; jurisdiction?: string }[];
  kv_namespaces: { binding: string }[];
  services?: { binding: string }[];
  durable_objects: { bindings: { name: string }[] };
  ratelimits: { name: string; simple: { limit: number; period: number } }[];
  assets?: { binding?: string };
  queues: {
    producers?: { binding: string; queue: string }[];
    consumers?: { queue: string; dead_letter_queue?: string }[];
  };
}

const local = readConfig();
const production = readConfig('production');

describe.each([
  ['local development', local],
  ['production', production],
])('%s', (_, config) => {
  test('keeps no log of full URLs: `?apikey=` is one', () => {
    expect(config.observability?.logs?.invocation_logs).toBe(false);
    expect(config.observability?.traces?.enabled).toBe(false);
  });

  test('does not answer on workers.dev', () => {
    expect(config.workers_dev).toBe(false);
  });

  test('reaches names of its own zone through the front door only', () => {
    expect(config.compatibility_flags).toContain('global_fetch_strictly_public');
  });

  test('every queue has a dead-letter queue, and that has a consumer', () => {
    const consumers = config.queues.consumers ?? [];
    const consumed = consumers.map(({ queue }) => queue);
    const produced = (config.queues.producers ?? []).map(({ queue }) => queue);
    expect(consumed).toEqual(expect.arrayContaining(produced));
    for (const queue of produced) {
      const dead = consumers.find((consumer) => consumer.queue === queue)?.dead_letter_queue;
      expect(dead, queue).toBeTypeOf('string');
      expect(consumed).toContain(dead);
    }
  });

  test('the cron that finds what lost messages missed runs every minute', () => {
    expect(config.triggers.crons).toEqual(['* * * * *']);
  });
});

test.each([local, production])('what callers are told of the limits is what the limiters allow', (config) => {
  const limitOf = (name: string) => config.ratelimits.find((each) => each.name === name)?.simple.limit;
  const limiters = { connector: 'CONNECTOR', connectorReads: 'CONNECTOR_READS', api: 'API', token: 'TOKEN' };
  const told = Object.entries(limiters).map(([name, limiter]) => `${name}=${limitOf(`RATE_${limiter}`)}`);
  expect(config.vars.REQUESTS_PER_MINUTE).toBe(told.join());
});

test('the local service can have the limits and waits of production, and nothing else of it', () => {
  const path = writeProductionLimits();
  const limited = unstable_readConfig({ config: path }) as unknown as Config;
  const limitsOf = ({ ratelimits }: Config) => ratelimits.map(({ name, simple }) => [name, simple]);
  expect(limitsOf(limited)).toEqual(limitsOf(production));
  const { RETRY_SCHEDULE_SECONDS, REQUESTS_PER_MINUTE } = production.vars;
  expect(limited.vars).toEqual({ ...local.vars, RETRY_SCHEDULE_SECONDS, REQUESTS_PER_MINUTE });
  expect(limited.d1_databases).toEqual(local.d1_databases);
});

test('routes stand under production only: wrangler dev would rewrite the host to them', () => {
  expect(local.routes ?? []).toEqual([]);
  expect(local.route).toBeUndefined();
  expect(production.routes).not.toEqual([]);
});

test('production has every binding of local development, under the same name and of the same kind, but fewer databases', () => {
  const isFurtherDatabase = (binding: string) => /^d1 DB_\d+$/.test(binding);
  const isNeeded = (binding: string) => !isFurtherDatabase(binding);
  expect(bindingsOf(production).filter(isNeeded)).toEqual(bindingsOf(local).filter(isNeeded));
  expect(bindingsOf(local).filter(isFurtherDatabase)).toEqual(['d1 DB_1']);
});

test.each([
  ['local development', local],
  ['production', production],
])('the databases of %s are DB, DB_1 and so on, each with a name and an id of its own', (_, { d1_databases }) => {
  const names = d1_databases.map((__, number) => (number === 0 ? 'DB' : `DB_${number}`));
  expect(d1_databases.map(({ binding }) => binding)).toEqual(names);
  for (const field of ['database_name', 'database_id'] as const) {
    expect(new Set(d1_databases.map((database) => database[field])).size, field).toBe(d1_databases.length);
  }
});

test('npm start makes, and .dev.vars.example explains, every secret that is required', () => {
  const example = readFileSync(join(ROOT, '.dev.vars.example'), 'utf8');
  const explained = [...example.matchAll(/^([A-Z_]+)=$/gm)].map(([, name]) => name);
  expect(SECRET_NAMES).toEqual(expect.arrayContaining(local.secrets?.required ?? []));
  expect(explained).toEqual(SECRET_NAMES);
});

test('the limits that the reference prints are those of production', () => {
  const { connector, connectorReads, organizationApi, token } = REQUESTS_PER_MINUTE;
  const printed = {
    ...{ RATE_CONNECTOR: connector, RATE_CONNECTOR_READS: connectorReads },
    ...{ RATE_API: organizationApi, RATE_TOKEN: token },
  };
  for (const [name, limit] of Object.entries(printed)) {
    const limiter = production.ratelimits.find((each) => each.name === name);
    expect(limiter?.simple, name).toEqual({ limit, period: 60 });
  }
});

test('a consumer in production works as it does locally', () => {
  expect(production.queues.consumers).toEqual(local.queues.consumers);
});

test('production posts no webhook to a loopback address', () => {
  expect(production.vars.OUTBOUND_ALLOW_LOOPBACK).toBe('');
  expect(production.vars.BASE_URL).toMatch(/^https:/);
});

test('until somebody fills it in, the database of production has an id that Cloudflare refuses', () => {
  for (const { database_id } of production.d1_databases) expect(database_id).not.toMatch(/^[0-]+$/);
});

test('owners are told a name of the shop zone, not the base host', () => {
  const zones = (production.routes ?? []).map((route) => (route as { zone_name?: string }).zone_name);
  const target = String(production.vars.SHOP_CNAME_TARGET);
  expect(zones.some((zone) => zone && target.endsWith(`.${zone}`))).toBe(true);
  expect(String(production.vars.BASE_URL)).not.toContain(target);
});

test('files of production stay in the EU', () => {
  expect(production.r2_buckets.map(({ jurisdiction }) => jurisdiction)).toEqual(production.r2_buckets.map(() => 'eu'));
});

function readConfig(env?: string): Config {
  // SAFETY: wrangler has validated and normalized the configuration.
  return unstable_readConfig({ config: join(ROOT, 'wrangler.toml'), env }) as unknown as Config;
}

test.each(['RATE_FAILED_AUTH', 'RATE_SIGN_IN'])(
  'in production the /48 has eight times the %s of an address',
  (name) => {
    const limitOf = (wanted: string) => production.ratelimits.find((each) => each.name === wanted)?.simple.limit;
    expect(limitOf(`${name}_NETWORK`)).toBe(8 * (limitOf(name) ?? 0));
  },
);

/** Name and kind of everything that the Worker finds in its `env`. */
function bindingsOf(config: Config): string[] {
  const of = (kind: string, names: string[]) => names.map((name) => `${kind} ${name}`);
  return [
    ...of(
      'd1',
      config.d1_databases.map(({ binding }) => binding),
    ),
    ...of(
      'r2',
      config.r2_buckets.map(({ binding }) => binding),
    ),
    ...of('queue', config.queues.producers?.map(({ binding, queue }) => `${binding} ${queue}`) ?? []),
    ...of(
      'ratelimit',
      config.ratelimits.map(({ name }) => name),
    ),
    ...of(
      'kv',
      config.kv_namespaces.map(({ binding }) => binding),
    ),
    ...of(
      'durable object',
      config.durable_objects.bindings.map(({ name }) => name),
    ),
    ...of('service', config.services?.map(({ binding }) => binding) ?? []),
    ...of('assets', config.assets?.binding ? [config.assets.binding] : []),
    ...of('var', Object.keys(config.vars)),
    ...of('secret', config.secrets?.required ?? []),
  ].sort();
}
