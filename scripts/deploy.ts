/**
 * `npm run deploy -- --env production [--dry-run]`: migrates every database, then deploys. Runs only if the working tree
 * is clean and no placeholder is left in that environment's part of wrangler.toml.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { unstable_readConfig } from 'wrangler';
import { ROOT } from './paths.ts';

/** The used part of wrangler's configuration: its own types need a package that it does not install. */
export interface DeployConfig {
  vars: Record<string, unknown>;
  routes?: (string | { pattern: string; zone_name?: string; custom_domain?: boolean })[];
  d1_databases: { binding: string; database_name?: string; database_id?: string }[];
}

export interface Deployment {
  environment: string;
  config: DeployConfig;
  /** Output of `git status --porcelain`. */
  changes: string;
  isDryRun: boolean;
  /** Runs wrangler. @returns its exit code */
  run: (args: string[]) => number;
  say: (line: string) => void;
}

/** @returns the exit code; 1 without running wrangler if something is not ready */
export function deploy({ environment, config, changes, isDryRun, run, say }: Deployment): number {
  const faults = [
    ...faultsOf(environment, config),
    ...(changes.trim() === '' ? [] : ['The tree has changes that are not committed.']),
  ];
  if (faults.length > 0) {
    say(`Nothing was migrated or deployed to ${environment}:`);
    for (const fault of faults) say(`  - ${fault}`);
    return 1;
  }
  // The migration first: migrations only add, so the Worker that is still deployed works with the new schema.
  const migrations = config.d1_databases.flatMap(({ database_name = '' }) => [
    ['d1', 'migrations', 'apply', database_name, '--remote'],
    // What the planner knows of tables and new indexes.
    ['d1', 'execute', database_name, '--remote', '--command', 'PRAGMA optimize'],
  ]);
  for (const step of [...migrations, ['deploy']]) {
    const args = [...step, '--env', environment];
    say(`wrangler ${args.join(' ')}`);
    const code = isDryRun ? 0 : run(args);
    if (code !== 0) {
      say(`It ended with ${code}; nothing after it was done.`);
      return code;
    }
  }
  return 0;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Reserved host names (RFC 2606, RFC 6761): placeholders in wrangler.toml until an operator fills them in. */
const PLACEHOLDER_NAME = /(^|\.)(example|invalid|localhost|test|example\.(com|net|org))$/;

/** The placeholders left in an environment, each with what to write there. */
export function faultsOf(environment: string, { vars, routes = [], d1_databases }: DeployConfig): string[] {
  const at = `[env.${environment}] of wrangler.toml`;
  const faults: string[] = [];
  if (d1_databases.length === 0) faults.push(`${at} has no database.`);
  for (const { binding, database_id = '' } of d1_databases) {
    if (UUID.test(database_id) && /[1-9a-f]/i.test(database_id)) continue;
    faults.push(`database_id of ${binding} in ${at}: write the id that \`wrangler d1 create\` printed.`);
  }
  faults.push(...numberingFaults(at, d1_databases));
  for (const [name, host] of namesOf(vars, routes)) {
    if (!isPlaceholder(host)) continue;
    faults.push(`${name} in ${at}: "${host}" is a placeholder; write your own name.`);
  }
  const zones = routes.flatMap((route) =>
    typeof route === 'object' && route.pattern === '*/*' ? [route.zone_name ?? ''] : [],
  );
  const target = String(vars.SHOP_CNAME_TARGET ?? '');
  if (!zones.some((zone) => zone !== '' && target.endsWith(`.${zone}`))) {
    faults.push(
      `SHOP_CNAME_TARGET in ${at} must lie in the zone of the route */*: Cloudflare for SaaS refuses any other.`,
    );
  }
  return faults;
}

/** Organizations are found by the number of their database, and two bindings of one database would be taken for two. */
function numberingFaults(at: string, databases: DeployConfig['d1_databases']): string[] {
  const names = new Set(databases.map(({ binding }) => binding));
  const missing = databases
    .map((_, number) => (number === 0 ? 'DB' : `DB_${number}`))
    .filter((name) => !names.has(name));
  const ids = new Set(databases.map(({ database_id }) => database_id));
  return [
    ...missing.map((name) => `${name} is missing in ${at}: the databases are DB, DB_1, DB_2 and so on.`),
    ...(ids.size < databases.length ? [`Two databases of ${at} have the same database_id.`] : []),
  ];
}

function isPlaceholder(host: string): boolean {
  return host === '' || PLACEHOLDER_NAME.test(host);
}

/** Every host name of the environment, with its place in the configuration. */
function namesOf(
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

function main(): number {
  const { values } = parseArgs({
    options: { env: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } },
  });
  if (!values.env) {
    console.error('Say where to: npm run deploy -- --env production [--dry-run]');
    return 1;
  }
  // SAFETY: wrangler has validated and normalized the configuration.
  const config = unstable_readConfig({
    config: join(ROOT, 'wrangler.toml'),
    env: values.env,
  }) as unknown as DeployConfig;
  return deploy({
    environment: values.env,
    config,
    changes: output('git', ['status', '--porcelain']),
    isDryRun: values['dry-run'],
    run: (args) => {
      const cli = fileURLToPath(import.meta.resolve('wrangler'));
      return spawnSync(process.execPath, ['--no-warnings', cli, ...args], { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
    },
    say: (line) => console.log(line),
  });
}

/** @throws Error when the command cannot be run: without git it is unknown which code is deployed */
function output(command: string, args: string[]): string {
  const { status, stdout } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`);
  return stdout;
}

if (import.meta.main) process.exitCode = main();
