import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unstable_readConfig } from 'wrangler';
import { ROOT } from '../paths.ts';

/**
 * The part of wrangler's configuration that is used here. wrangler's own types need a package that wrangler does not
 * install.
 */
export interface DeployConfig {
  /** The name of the Worker, with the environment as its suffix. */
  name?: string;
  vars: Record<string, unknown>;
  routes?: (string | { pattern: string; zone_name?: string; custom_domain?: boolean })[];
  d1_databases: { binding: string; database_name?: string; database_id?: string }[];
  r2_buckets: { binding: string; bucket_name?: string; jurisdiction?: string }[];
  queues: { producers?: { queue: string }[]; consumers?: QueueConsumer[] };
  triggers: { crons?: string[] };
  secrets?: { required?: string[] };
}

interface QueueConsumer {
  queue: string;
  max_batch_size?: number;
  max_batch_timeout?: number;
  max_retries?: number;
  max_concurrency?: number;
  dead_letter_queue?: string;
}

/** The configuration of the Worker that checks signatures. */
export const SIGNATURES_CONFIG = 'wrangler.signatures.toml';

/** Reads the configuration of an environment. */
export function readDeployConfig(environment: string, file = 'wrangler.toml'): DeployConfig {
  // SAFETY: wrangler has validated and normalized the configuration.
  return unstable_readConfig(
    { config: join(ROOT, file), env: environment },
    { hideWarnings: true },
  ) as unknown as DeployConfig;
}

/**
 * Returns the name of the configuration that a deployment writes. The file is beside wrangler.toml, so that paths in it
 * mean the same. It is not in git.
 */
export function writtenConfig(environment: string): string {
  return `wrangler.deploy-${environment}.toml`;
}

/**
 * Writes a copy of wrangler.toml with the ids of the account: of the databases (`ids`, by name), and of the shop zone.
 */
export function writeConfig(environment: string, ids: Readonly<Record<string, string>>, shopZoneId: string): void {
  const text = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8');
  writeFileSync(join(ROOT, writtenConfig(environment)), withIds(text, environment, ids, shopZoneId));
}

/** Returns the Worker's routes in zones. A custom domain is not such a route. */
export function zoneRoutes({ routes = [] }: Pick<DeployConfig, 'routes'>): { pattern: string; zone: string }[] {
  return routes.flatMap((route) =>
    typeof route === 'object' && route.zone_name !== undefined && !route.custom_domain
      ? [{ pattern: route.pattern, zone: route.zone_name }]
      : [],
  );
}

/** Returns the text of a configuration with the ids of an environment. */
export function withIds(text: string, environment: string, ids: Readonly<Record<string, string>>, shopZoneId: string) {
  // Each part is one table with its heading.
  const parts = text.split(/^(?=\[)/m).map((part) => {
    if (part.startsWith(`[env.${environment}.vars]`))
      return part.replace(/^SHOP_ZONE_ID = .*$/m, `SHOP_ZONE_ID = "${shopZoneId}"`);
    if (!part.startsWith(`[[env.${environment}.d1_databases]]`)) return part;
    const id = ids[/^database_name = "(.*)"$/m.exec(part)?.[1] ?? ''];
    return id === undefined ? part : part.replace(/^database_id = .*$/m, `database_id = "${id}"`);
  });
  return parts.join('');
}

/** The host names and zones of an environment. */
export interface Names {
  baseUrl: string;
  baseHost: string;
  /** The zone of shops' hosts. */
  shopZone: string;
  cnameTarget: string;
  /** The host of the shop that gets the smoke order. The order proves that the deployment works. */
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

/** Reserved host names (RFC 2606, RFC 6761): placeholders in wrangler.toml until an operator fills them in. */
const PLACEHOLDERS =
  /(?<![\w.-])(?:[\w*-]+\.)*(?:[\w*-]+\.(?:example|invalid|localhost|test)|example\.(?:com|net|org)|localhost)(?![\w.-])/g;

/**
 * Returns the placeholders and contradictions in an environment's configuration. Each text says what to write instead.
 */
export function faultsOf(environment: string, { vars, routes = [], d1_databases }: DeployConfig): string[] {
  const at = `[env.${environment}] of wrangler.toml`;
  const { shopZone, cnameTarget, baseUrl, baseHost } = namesOf({ vars, routes });
  // The number of a database identifies it. Two bindings of one database would count as two databases.
  const bindings = d1_databases.map((_, number) => (number === 0 ? 'DB' : `DB_${number}`));
  const missing = bindings.filter((name) => !d1_databases.some(({ binding }) => binding === name));
  const placeholders = Object.entries({ ...vars, routes }).flatMap(([name, value]) =>
    [...new Set(JSON.stringify(value).match(PLACEHOLDERS))].map((host) => ({ name, host })),
  );
  return [
    ...(d1_databases.length === 0 ? [`${at} has no database.`] : []),
    ...missing.map((name) => `${name} is missing in ${at}: the databases are DB, DB_1, DB_2 and so on.`),
    ...(new Set(d1_databases.map(({ database_name }) => database_name)).size < d1_databases.length
      ? [`Two databases of ${at} have the same database_name.`]
      : []),
    ...placeholders.map(({ name, host }) => `${name} in ${at}: "${host}" is a placeholder; write your own name.`),
    ...(shopZone === '' || !cnameTarget.endsWith(`.${shopZone}`)
      ? [`SHOP_CNAME_TARGET in ${at} must lie in the zone of the route */*: Cloudflare for SaaS refuses any other.`]
      : []),
    ...(baseUrl.startsWith('https://') && baseHost ? [] : [`BASE_URL in ${at} must begin with https:// and a host.`]),
  ];
}
