import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type DeployConfig, readDeployConfig } from '../../../scripts/deploy/config.ts';
import type { Deployment } from '../../../scripts/deploy/run.ts';
import { deploy } from '../../../scripts/deploy.ts';
import { Cloud, type Kill } from './cloudflare.ts';
import { standInWrangler } from './stand-in-wrangler.ts';

export const WORKER = 'offizin-production';
export const SHA = '0123456789abcdef0123456789abcdef01234567';
export const NEXT_SHA = 'fedcba9876543210fedcba9876543210fedcba98';

/** Filled in as an operator would. */
export const FILLED: DeployConfig = JSON.parse(
  JSON.stringify(readDeployConfig('production'))
    .replaceAll('offizin-shops.example', 'offizin-shops.de')
    .replaceAll('offizin.example', 'offizin.de'),
);

/** An account and a folder of the test's own. */
export async function openCloud() {
  const cloud = await new Cloud().open();
  const dir = mkdtempSync(join(tmpdir(), 'offizin-deploy-'));
  const end = () => {
    cloud.close();
    rmSync(dir, { recursive: true, force: true });
  };
  onTestFinished(end);
  const run = async (changed: Partial<Deployment> = {}, kill: Kill | null = null) => {
    const lines: string[] = [];
    cloud.startRun(kill);
    const code = await deploy({
      environment: 'production',
      config: FILLED,
      changes: '',
      sha: SHA,
      isDryRun: false,
      env: cloud.env,
      dir,
      wrangler: standInWrangler(cloud, FILLED, WORKER),
      ask: cloud.ask,
      writeConfig: () => undefined,
      say: (line) => lines.push(line),
      wait: async () => undefined,
      ...changed,
    });
    return { code, text: lines.join('\n') };
  };
  return { cloud, dir, run, end };
}

/** Everything that a deployment has to have reached. */
export function expectDeployed({ account, service }: Cloud, sha = SHA): void {
  expect([...account.databases, ...account.queues].map(({ jurisdiction }) => jurisdiction)).toEqual(
    Array(9).fill('eu'),
  );
  expect(account.databases.every(({ migrated }) => migrated)).toBe(true);
  expect(account.buckets).toEqual([{ name: 'offizin-files', jurisdiction: 'eu' }]);
  expect(account.records.map(({ name, content }) => [name, content])).toEqual([
    ['*.api.offizin.de', '100::'],
    ['connect.offizin-shops.de', '100::'],
    ['smoke.offizin-shops.de', '100::'],
  ]);
  expect(account.fallbackOrigin).toBe('connect.offizin-shops.de');
  const script = account.script(WORKER);
  expect(script.traffic).toHaveLength(1);
  const serving = script.versions.find(({ id }) => id === script.traffic[0]?.version_id);
  expect(serving?.annotations['workers/tag']).toMatch(new RegExp(`^${sha.slice(0, 12)}-[0-9a-f]{8}$`));
  expect(script.traffic[0]?.percentage).toBe(100);
  expect(script.secrets.sort()).toEqual([...(FILLED.secrets?.required ?? [])].sort());
  expect([script.crons, script.invocationLogs]).toEqual([['* * * * *'], false]);
  expect(account.domains).toEqual([{ hostname: 'api.offizin.de', service: WORKER }]);
  expect(account.routes).toEqual([
    { zone: 'zone-shops', pattern: '*/*', script: WORKER },
    { zone: 'zone-base', pattern: '*.api.offizin.de/*', script: WORKER },
  ]);
  expect(account.queues.every(({ consumers }) => consumers.length === 1)).toBe(true);
  const smoke = service.submitted.get(`smoke-${serving?.id}`);
  expect(service.deleted).toContain(smoke);
}

/**
 * Kills a run at each `every`th of its requests, before and after it was carried out, each time in a new account.
 * @returns how many there were
 */
export async function killAtEach(
  prepared: (run: Awaited<ReturnType<typeof openCloud>>['run']) => Promise<unknown>,
  sha: string,
  every = 1,
) {
  let kills = 0;
  for (let request = 1; ; request += every) {
    for (const isCarriedOut of [false, true]) {
      const { cloud, run, end } = await openCloud();
      await prepared(run);
      const { code } = await run({ sha }, { request, isCarriedOut });
      if (!cloud.wasKilled) return kills;
      kills += 1;
      expect(code).toBe(1);
      const next = await run({ sha });
      expect(next.code, `killed at ${request}: ${next.text}`).toBe(0);
      expectDeployed(cloud, sha);
      const reached = cloud.account.text;
      await run({ sha });
      expect(cloud.account.text).toBe(reached);
      end();
    }
  }
}
