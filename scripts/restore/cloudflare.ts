import type { Cloudflare } from '../cloudflare/client.ts';
import { findDatabase, readBookmark, restoreToBookmark } from '../cloudflare/d1.ts';
import type { RunWrangler } from '../cloudflare/wrangler.ts';
import { type DeployConfig, type writeConfig, writtenConfig } from '../deploy/config.ts';
import { StartError } from '../errors.ts';
import type { Databases } from './databases.ts';

/** Isolates read the switches every 20 s. Work that was running by then needs a few more seconds. */
const SETTLE_MS = 30_000;

interface Account {
  environment: string;
  config: Pick<DeployConfig, 'd1_databases' | 'vars'>;
  cloudflare: Cloudflare;
  wrangler: RunWrangler;
  writeConfig: typeof writeConfig;
}

/** Returns the databases of an account. They are restored by Time Travel, which covers the last 30 days. */
export function databasesOfAccount({ environment, config, cloudflare, wrangler, ...account }: Account): Databases {
  const names = config.d1_databases.map(({ database_name = '' }) => database_name);
  const ids: Record<string, string> = {};
  const idOf = async (name: string): Promise<string> => {
    ids[name] ??= (await findDatabase(cloudflare, name))?.uuid ?? '';
    if (ids[name]) return ids[name];
    throw new StartError(`There is no database ${name} in this account.`);
  };
  const at = ['--remote', '--env', environment, '--config', writtenConfig(environment)];
  const path = `${cloudflare.account}/d1/database/{uuid}/time_travel`;
  return {
    names,
    settleMs: SETTLE_MS,
    calls: {
      bookmark: [`GET ${cloudflare.account}/d1/database?name={name}`, `GET ${path}/bookmark`],
      restore: [`GET ${path}/bookmark?timestamp={at}`, `POST ${path}/restore?bookmark={bookmark}`],
      migrate: names.map((name) => `wrangler d1 migrations apply ${name} ${at.join(' ')}`),
    },
    bookmark: async (name, time) => readBookmark(cloudflare, await idOf(name), time?.toISOString()),
    restore: async (name, bookmark) => restoreToBookmark(cloudflare, await idOf(name), bookmark),
    migrate: async () => {
      for (const name of names) await idOf(name);
      account.writeConfig(environment, ids, String(config.vars.SHOP_ZONE_ID ?? ''));
      for (const name of names) await wrangler(['d1', 'migrations', 'apply', name, ...at]);
    },
  };
}
