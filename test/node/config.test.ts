import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { SIGNATURES_CONFIG } from '../../scripts/deploy/config';
import { writeProductionLimits } from '../../scripts/production-limits';
import { SECRET_NAMES } from '../../scripts/secrets';
import { REQUESTS_PER_MINUTE } from '../../src/platform/limits';

const ROOT = resolve(import.meta.dirname, '../..');

/** What this file reads of a configuration: wrangler's own types need a package that it does not install. */
interface Config {
  name?: string;
  main?: string;
  compatibility_flags: string[];
  workers_dev?: boolean;
  route?: unknown;
  routes?: unknown[];
  triggers: { crons?: string[] };
  observability?: { logs?: { invocation_logs?: boolean }; traces?: { enabled?: boolean } };
  vars: Record<string, unknown>;
  secrets?: { required?: string[] };
  d1_databases: { binding: string; database_name?: string; database_id?: string }[];
  r2_buckets: { binding: string; bucket_name?: string; jurisdiction?: string }[];
  kv_namespaces: { binding: string }[];
  services?: { binding: string; service: string; entrypoint?: string }[];
  durable_objects: { bindings: { name: string }[] };
  ratelimits: { name: string; namespace_id: string; simple: { limit: number; period: number } }[];
  assets?: { binding?: string };
  queues: {
    producers?: { binding: string; queue: string }[];
    consumers?: { queue: string; dead_letter_queue?: string; max_batch_size?: number }[];
  };
}

const local = readConfig();
const production = readConfig('production');
const staging = readConfig('staging');

describe.each([
  ['local development', local],
  ['production', production],
  ['staging', staging],
])('%s', (_, config) => {
  test('keeps no log of full URLs: `?apikey=` is one', () => {
    expect(config.observability?.logs?.invocation_logs).toBe(false);
    expect(config.observability?.traces?.enabled).toBe(false);
  });

  test('does not answer on workers.dev', () => {
    expect(config.workers_dev).toBe(false);
  });

  test('signatures are checked beside it, with its bucket, one file an invocation', () => {
    const { name, main, queues, r2_buckets, observability, workers_dev, services } = checksOf(config);
    expect(main).toMatch(/src.signatures.worker\.ts$/);
    expect([name, r2_buckets]).toEqual([config.name?.replace('offizin', 'offizin-signatures'), config.r2_buckets]);
    expect(services).toEqual([{ binding: 'MAIN', service: config.name, entrypoint: 'SignatureChecks' }]);
    const [consumer] = queues.consumers ?? [];
    expect(config.vars.QUEUES).toMatch(new RegExp(`SIGNATURE_CHECKS=${consumer?.queue}$`));
    expect(consumer).toMatchObject({ max_batch_size: 1, dead_letter_queue: `${consumer?.queue}-dead` });
    expect([workers_dev, observability]).toEqual([false, config.observability]);
  });

  test('reaches names of its own zone through the front door only', () => {
    expect(config.compatibility_flags).toContain('global_fetch_strictly_public');
  });

  test('every queue has a dead-letter queue, and that has a consumer', () => {
    const consumers = [...(config.queues.consumers ?? []), ...(checksOf(config).queues.consumers ?? [])];
    const consumed = consumers.map(({ queue }) => queue);
    const produced = (config.queues.producers ?? []).map(({ queue }) => queue);
    expect(consumed).toEqual(expect.arrayContaining(produced));
    for (const queue of produced) {
      const dead = consumers.find((consumer) => consumer.queue === queue)?.dead_letter_queue;
      expect(dead, queue).toBeTypeOf('string');
      expect(consumed).toContain(dead);
    }
  });

  test('each binding of a queue is told the name of its queue, so that what a queue brings is known by its binding', () => {
    const produced = (config.queues.producers ?? []).map(({ binding, queue }) => `${binding}=${queue}`);
    expect(config.vars.QUEUES).toBe(produced.join(','));
  });

  test('the cron that finds what lost messages missed runs every minute', () => {
    expect(config.triggers.crons).toEqual(['* * * * *']);
  });
});

test.each([local, production, staging])('what callers are told of the limits is what the limiters allow', (config) => {
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

/** A binding without the name of its queue. */
function withoutQueue(binding: string): string {
  return binding.replace(/^(queue \w+) .*$/, '$1');
}

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

test.each([production, staging])('files stay in the EU', ({ r2_buckets }) => {
  expect(r2_buckets.map(({ jurisdiction }) => jurisdiction)).toEqual(r2_buckets.map(() => 'eu'));
});

test('staging is production with names, domains and limiters of its own', () => {
  expect(bindingsOf(staging).map(withoutQueue)).toEqual(bindingsOf(production).map(withoutQueue));
  const namesOf = ({ d1_databases, r2_buckets, queues, ratelimits, vars, routes = [] }: Config) => [
    ...d1_databases.map(({ database_name }) => database_name),
    ...r2_buckets.map(({ bucket_name }) => bucket_name),
    ...(queues.consumers ?? []).map(({ queue }) => queue),
    ...ratelimits.map(({ namespace_id }) => namespace_id),
    ...[vars.BASE_URL, vars.SHOP_CNAME_TARGET, vars.QUEUES],
    ...routes.map((route) => JSON.stringify(route)),
  ];
  const [ours, theirs, here] = [staging, production, local].map(namesOf);
  expect(ours).toHaveLength(theirs?.length ?? 0);
  expect(ours?.filter((name) => theirs?.includes(name) || here?.includes(name))).toEqual([]);
  const limitsOf = ({ ratelimits }: Config) => ratelimits.map(({ name, simple }) => [name, simple]);
  expect(limitsOf(staging)).toEqual(limitsOf(production));
  const settingsOf = ({ vars: { BASE_URL, SHOP_CNAME_TARGET, QUEUES, ...settings } }: Config) => settings;
  expect(settingsOf(staging)).toEqual(settingsOf(production));
});

function readConfig(env?: string, file = 'wrangler.toml'): Config {
  // SAFETY: wrangler has validated and normalized the configuration.
  return unstable_readConfig({ config: join(ROOT, file), env }) as unknown as Config;
}

/** The configuration of the Worker that checks signatures, of the same environment. */
function checksOf({ name }: Config): Config {
  return readConfig(/^offizin-(\w+)$/.exec(name ?? '')?.[1], SIGNATURES_CONFIG);
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
