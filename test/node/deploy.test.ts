import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { type DeployConfig, type Deployment, deploy } from '../../scripts/deploy.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Filled in as an operator would. */
const FILLED: DeployConfig = {
  vars: { BASE_URL: 'https://api.offizin.de', SHOP_CNAME_TARGET: 'connect.offizin-shops.de' },
  routes: [
    { pattern: 'api.offizin.de', custom_domain: true },
    { pattern: '*/*', zone_name: 'offizin-shops.de' },
  ],
  d1_databases: [{ binding: 'DB', database_name: 'offizin', database_id: '7d3f0a52-8c0e-4c1b-9b5e-0d7f2c6a1e94' }],
};

const SECOND = {
  binding: 'DB_1',
  database_name: 'offizin-1',
  database_id: '1b9e4f7a-3c52-4d0b-8a6e-5f2d9c7b1e30',
};

function tryDeploy(config: DeployConfig, rest: Partial<Deployment> = {}) {
  const [calls, lines]: [string[], string[]] = [[], []];
  const code = deploy({
    environment: 'production',
    config,
    changes: '',
    isDryRun: false,
    run: (args) => {
      calls.push(args.join(' '));
      return 0;
    },
    say: (line) => lines.push(line),
    ...rest,
  });
  return { code, calls, text: lines.join('\n') };
}

test('with this repository’s own wrangler.toml nothing is migrated or deployed, and all that is to be filled in is named', () => {
  // SAFETY: wrangler has validated and normalized the configuration.
  const config = unstable_readConfig({
    config: join(ROOT, 'wrangler.toml'),
    env: 'production',
  }) as unknown as DeployConfig;
  const { code, calls, text } = tryDeploy(config);
  expect([code, calls]).toEqual([1, []]);
  for (const name of ['database_id', 'BASE_URL', 'SHOP_CNAME_TARGET', 'zone_name', 'the route'])
    expect(text).toContain(name);
});

test('the command of the README says so and ends with 1', () => {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/deploy.ts', '--env', 'production'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stdout).toContain('Nothing was migrated or deployed to production');
  expect(stdout).toContain('database_id');
});

test('filled in and clean, it migrates and optimizes first and deploys then', () => {
  expect(tryDeploy(FILLED)).toMatchObject({
    code: 0,
    calls: [
      'd1 migrations apply offizin --remote --env production',
      'd1 execute offizin --remote --command PRAGMA optimize --env production',
      'deploy --env production',
    ],
  });
});

test('every database is migrated before the Worker is deployed', () => {
  expect(tryDeploy({ ...FILLED, d1_databases: [...FILLED.d1_databases, SECOND] }).calls).toEqual([
    'd1 migrations apply offizin --remote --env production',
    'd1 execute offizin --remote --command PRAGMA optimize --env production',
    'd1 migrations apply offizin-1 --remote --env production',
    'd1 execute offizin-1 --remote --command PRAGMA optimize --env production',
    'deploy --env production',
  ]);
});

test('a dry run names the commands and runs none', () => {
  const { code, calls, text } = tryDeploy(FILLED, { isDryRun: true });
  expect([code, calls]).toEqual([0, []]);
  expect(text).toContain('wrangler d1 migrations apply offizin --remote --env production');
});

test('a migration that fails ends it', () => {
  const calls: string[] = [];
  const run = (args: string[]) => calls.push(args.join(' '));
  expect(tryDeploy(FILLED, { run })).toMatchObject({ code: 1 });
  expect(calls).toEqual(['d1 migrations apply offizin --remote --env production']);
});

const [database] = FILLED.d1_databases;

test.each<[string, Partial<DeployConfig> | { changes: string }, RegExp]>([
  [
    'the all-zero id',
    { d1_databases: [{ ...database, binding: 'DB', database_id: '00000000-0000-0000-0000-000000000000' }] },
    /database_id/,
  ],
  ['no id', { d1_databases: [{ binding: 'DB', database_name: 'offizin' }] }, /database_id/],
  ['no database', { d1_databases: [] }, /database/],
  ['a number left out', { d1_databases: [...FILLED.d1_databases, { ...SECOND, binding: 'DB_2' }] }, /DB_1 is missing/],
  [
    'one database under two names',
    { d1_databases: FILLED.d1_databases.flatMap((database) => [database, { ...database, binding: 'DB_1' }]) },
    /same database_id/,
  ],
  ['the base host of the example', { vars: { ...FILLED.vars, BASE_URL: 'https://api.offizin.example' } }, /BASE_URL/],
  ['a local base host', { vars: { ...FILLED.vars, BASE_URL: 'http://localhost:8787' } }, /BASE_URL/],
  [
    'a CNAME target outside of the shop zone',
    { vars: { ...FILLED.vars, SHOP_CNAME_TARGET: 'api.offizin.de' } },
    /SHOP_CNAME_TARGET/,
  ],
  ['no CNAME target', { vars: { BASE_URL: FILLED.vars.BASE_URL } }, /SHOP_CNAME_TARGET/],
  ['no shop zone', { routes: [{ pattern: 'api.offizin.de', custom_domain: true }] }, /zone/],
  ['changes that are not committed', { changes: ' M src/app.ts' }, /not committed/],
])('%s: refused before wrangler is called', (_, wrong, message) => {
  const { changes = '', ...config } = wrong as Partial<DeployConfig> & { changes?: string };
  const { code, calls, text } = tryDeploy({ ...FILLED, ...config }, { changes });
  expect([code, calls]).toEqual([1, []]);
  expect(text).toMatch(message);
});
