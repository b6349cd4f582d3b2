/**
 * `npm run restore -- --env staging|production|local --at 2026-11-20T10:00:00Z [--dry-run]`: restores every database to
 * a time in the last 30 days, and then corrects what the restore itself leaves wrong. `--dry-run` prints the plan. It
 * may be stopped at any time: the same command then continues. `--env local --save` saves the local databases, which
 * have no Time Travel. docs/operating.md
 */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Cloudflare } from './cloudflare/client.ts';
import { runWrangler } from './cloudflare/wrangler.ts';
import { readDeployConfig, writeConfig } from './deploy/config.ts';
import { runCommand, StartError } from './errors.ts';
import { Operator } from './operator.ts';
import { PATHS, ROOT } from './paths.ts';
import { databasesOfAccount } from './restore/cloudflare.ts';
import type { Databases } from './restore/databases.ts';
import { localDatabases, saveLocal } from './restore/local.ts';
import { ProgressFile } from './restore/progress.ts';
import { planOf, restore } from './restore/steps.ts';

const USAGE =
  'Usage: npm run restore -- --env staging|production|local --at 2026-11-20T10:00:00Z [--dry-run]; --env local --save saves the local databases.';
const ENVIRONMENTS = ['staging', 'production', 'local'];
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;
/** The number of days that Time Travel covers. */
const DAYS_MAX = 30;
const DAY_MS = 86_400_000;

interface Target {
  databases: Databases;
  /** Returns the operator API of the service whose databases are restored. */
  operator: () => Operator;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      env: { type: 'string' },
      at: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      save: { type: 'boolean', default: false },
    },
  });
  const { env: environment = '', at: text = '', save } = values;
  const isDryRun = values['dry-run'];
  if (!ENVIRONMENTS.includes(environment)) throw new StartError(USAGE);
  if (save) {
    if (environment !== 'local')
      throw new StartError('Only the local databases are saved; the others have Time Travel.');
    console.log(`Saved. To come back to it: npm run restore -- --env local --at ${await saveLocal(PATHS.dir)}`);
    return;
  }
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw new StartError(USAGE);
  const fault = faultOf(text, at);
  const { databases, operator } = targetOf(environment, isDryRun);
  if (isDryRun) {
    if (fault) console.log(`marked  ${fault}`);
    for (const line of planOf({ environment, at, databases })) console.log(line);
    return;
  }
  if (fault) throw new StartError(fault);
  const folder = environment === 'local' ? join(PATHS.dir, 'restores') : join(ROOT, '.deploy');
  await restore({
    environment,
    at,
    databases,
    call: operator().call,
    file: new ProgressFile(join(folder, `restore-${environment}-${at.toISOString().replaceAll(':', '-')}.json`)),
    say: (line) => console.log(line),
    wait: (ms) => delay(ms),
  });
}

/** Returns why a time cannot be restored; null if it can. */
function faultOf(text: string, at: Date): string | null {
  if (!TIME.test(text)) return '--at takes a time with its zone, as 2026-11-20T10:00:00Z.';
  if (at.getTime() > Date.now()) return '--at is a time that has not come yet.';
  if (Date.now() - at.getTime() <= DAYS_MAX * DAY_MS) return null;
  return `--at is more than ${DAYS_MAX} days ago: Time Travel does not reach so far back.`;
}

function targetOf(environment: string, isDryRun: boolean): Target {
  const { env } = process;
  if (environment === 'local') return { databases: localDatabases(PATHS.dir), operator: () => new Operator() };
  const config = readDeployConfig(environment);
  const cloudflare = new Cloudflare({
    token: env.CLOUDFLARE_API_TOKEN,
    accountId: env.CLOUDFLARE_ACCOUNT_ID,
    baseUrl: env.CLOUDFLARE_API_BASE_URL,
    isDryRun,
    say: (line) => console.log(line),
    wait: (ms) => delay(ms),
  });
  return {
    databases: databasesOfAccount({ environment, config, cloudflare, wrangler: runWrangler, writeConfig }),
    operator: () => new Operator(env.BASE_URL || String(config.vars.BASE_URL), env.OPERATOR_TOKEN ?? ''),
  };
}

if (import.meta.main) await runCommand(main);
