import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { runWrangler } from '../../scripts/cloudflare/wrangler.ts';
import { withIds, writtenConfig } from '../../scripts/deploy/config.ts';
import { expectDeployed, NEXT_SHA, openCloud } from './support/deployment.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const WRITTEN = join(ROOT, writtenConfig('production'));
const HANG_MS = 600_000;

afterAll(() => rmSync(WRITTEN, { force: true }));

test(
  'the installed wrangler takes the commands of a deployment: first, again, and of the next commit',
  async () => {
    const { cloud, run } = await openCloud();
    for (const [name, value] of Object.entries(cloud.env)) vi.stubEnv(name, value);
    const installed = {
      wrangler: runWrangler,
      writeConfig: (environment: string, ids: Readonly<Record<string, string>>, zoneId: string) => {
        const text = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8')
          .replaceAll('offizin-shops.example', 'offizin-shops.de')
          .replaceAll('offizin.example', 'offizin.de');
        writeFileSync(WRITTEN, withIds(text, environment, ids, zoneId));
      },
    };
    const first = await run(installed);
    expect(first.code, first.text).toBe(0);
    expectDeployed(cloud);
    const reached = cloud.account.text;
    const again = await run(installed);
    expect([again.code, cloud.account.text], again.text).toEqual([0, reached]);
    const next = await run({ ...installed, sha: NEXT_SHA });
    expect(next.code, next.text).toBe(0);
    expectDeployed(cloud, NEXT_SHA);
  },
  HANG_MS,
);
