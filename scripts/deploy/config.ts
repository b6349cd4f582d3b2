import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unstable_readConfig } from 'wrangler';
import { ROOT } from '../paths.ts';

/** The used part of wrangler's configuration: its own types need a package that it does not install. */
export interface DeployConfig {
  /** Of the Worker, with the environment behind it. */
  name?: string;
  vars: Record<string, unknown>;
  routes?: (string | { pattern: string; zone_name?: string; custom_domain?: boolean })[];
  d1_databases: { binding: string; database_name?: string; database_id?: string }[];
  r2_buckets: { binding: string; bucket_name?: string; jurisdiction?: string }[];
  queues: {
    producers?: { binding: string; queue: string }[];
    consumers?: QueueConsumer[];
  };
  triggers: { crons?: string[] };
  secrets?: { required?: string[] };
}

export interface QueueConsumer {
  queue: string;
  max_batch_size?: number;
  max_batch_timeout?: number;
  max_retries?: number;
  max_concurrency?: number;
  dead_letter_queue?: string;
}

/** The configuration of the Worker that checks signatures. */
export const SIGNATURES_CONFIG = 'wrangler.signatures.toml';

/** What a configuration says of an environment. */
export function readDeployConfig(environment: string, file = 'wrangler.toml'): DeployConfig {
  // SAFETY: wrangler has validated and normalized the configuration.
  return unstable_readConfig(
    { config: join(ROOT, file), env: environment },
    { hideWarnings: true },
  ) as unknown as DeployConfig;
}

/** Beside wrangler.toml, so that paths in it mean the same; not in git. */
export function writtenConfig(environment: string): string {
  return `wrangler.deploy-${environment}.toml`;
}

/** Writes wrangler.toml with what is known of an account alone: ids of databases by their names, and of the shop zone. */
export function writeConfig(environment: string, ids: Readonly<Record<string, string>>, shopZoneId: string): void {
  const text = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8');
  writeFileSync(join(ROOT, writtenConfig(environment)), withIds(text, environment, ids, shopZoneId));
}

/** Routes of zones to the Worker; a custom domain is none of them. */
export function zoneRoutes({ routes = [] }: Pick<DeployConfig, 'routes'>): { pattern: string; zone: string }[] {
  return routes.flatMap((route) =>
    typeof route === 'object' && route.zone_name !== undefined && !route.custom_domain
      ? [{ pattern: route.pattern, zone: route.zone_name }]
      : [],
  );
}

/** The text of a configuration with the ids of an environment. */
export function withIds(
  text: string,
  environment: string,
  ids: Readonly<Record<string, string>>,
  shopZoneId: string,
): string {
  let table = '';
  let name = '';
  const lines = text.split('\n').map((line) => {
    if (line.startsWith('[')) table = line.replace(/[[\]]/g, '');
    if (line.startsWith('database_name = ')) name = line.split('"')[1] ?? '';
    if (table === `env.${environment}.vars` && line.startsWith('SHOP_ZONE_ID = '))
      return `SHOP_ZONE_ID = "${shopZoneId}"`;
    const id = table === `env.${environment}.d1_databases` && line.startsWith('database_id = ') ? ids[name] : undefined;
    return id === undefined ? line : `database_id = "${id}"`;
  });
  return lines.join('\n');
}

/** Reserved host names (RFC 2606, RFC 6761): placeholders in wrangler.toml until an operator fills them in. */
const PLACEHOLDER_NAME = /(^|\.)(example|invalid|localhost|test|example\.(com|net|org))$/;

/** The names that an environment is reached by. */
export interface Names {
  baseUrl: string;
  baseHost: string;
  /** The zone of shops' hosts. */
  shopZone: string;
  cnameTarget: string;
  /** The host of the shop whose order proves that the deployment works. */
  smokeHost: string;
}

export function namesOf({ vars, routes }: Pick<DeployConfig, 'vars' | 'routes'>): Names {
  const baseUrl = String(vars.BASE_URL);
  const shopZone = zoneRoutes({ routes }).find(({ pattern }) => pattern === '*/*')?.zone ?? '';
  return {
    baseUrl,
    baseHost: URL.parse(baseUrl)?.hostname ?? '',
    shopZone,
    cnameTarget: String(vars.SHOP_CNAME_TARGET ?? ''),
    smokeHost: `smoke.${shopZone}`,
  };
}

/** The placeholders and contradictions of an environment, each with what to write there. */
export function faultsOf(
  environment: string,
  config: Pick<DeployConfig, 'vars' | 'routes' | 'd1_databases'>,
): string[] {
  const { vars, routes = [], d1_databases } = config;
  const at = `[env.${environment}] of wrangler.toml`;
  const faults: string[] = [];
  if (d1_databases.length === 0) faults.push(`${at} has no database.`);
  faults.push(...numberingFaults(at, d1_databases));
  for (const [name, host] of hostsIn(vars, routes)) {
    if (host !== '' && !PLACEHOLDER_NAME.test(host)) continue;
    faults.push(`${name} in ${at}: "${host}" is a placeholder; write your own name.`);
  }
  const { shopZone, cnameTarget, baseUrl } = namesOf(config);
  if (shopZone === '' || !cnameTarget.endsWith(`.${shopZone}`)) {
    faults.push(
      `SHOP_CNAME_TARGET in ${at} must lie in the zone of the route */*: Cloudflare for SaaS refuses any other.`,
    );
  }
  if (!baseUrl.startsWith('https://')) faults.push(`BASE_URL in ${at} must begin with https://.`);
  return faults;
}

/** Organizations are found by the number of their database, and two bindings of one database would be taken for two. */
function numberingFaults(at: string, databases: DeployConfig['d1_databases']): string[] {
  const bound = new Set(databases.map(({ binding }) => binding));
  const missing = databases
    .map((_, number) => (number === 0 ? 'DB' : `DB_${number}`))
    .filter((name) => !bound.has(name));
  const names = new Set(databases.map(({ database_name }) => database_name));
  return [
    ...missing.map((name) => `${name} is missing in ${at}: the databases are DB, DB_1, DB_2 and so on.`),
    ...(names.size < databases.length ? [`Two databases of ${at} have the same database_name.`] : []),
  ];
}

/** Every host name of the environment, with its place in the configuration. */
function hostsIn(
  vars: DeployConfig['vars'],
  routes: NonNullable<DeployConfig['routes']>,
): [name: string, host: string][] {
  return [
    ['BASE_URL', URL.parse(String(vars.BASE_URL))?.hostname ?? ''],
    ['SHOP_CNAME_TARGET', String(vars.SHOP_CNAME_TARGET ?? '')],
    ...routes.flatMap((route): [string, string][] => {
      const { pattern, zone_name = '' } = typeof route === 'string' ? { pattern: route } : route;
      return pattern === '*/*'
        ? [['zone_name of the route */*', zone_name]]
        : [['the route', pattern.replace(/\/.*$/, '')]];
    }),
  ];
}
