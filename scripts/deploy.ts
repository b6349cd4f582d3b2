/**
 * `npm run deploy -- --env staging|production [--dry-run]`: from an empty account to an order that was delivered, and each
 * deployment after that. Plans first, with reads alone; then does what the plan says, each step only where it is not done. May be
 * ended at any time: the same command goes on. docs/deploying.md
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Cloudflare } from './cloudflare/client.ts';
import { type RunWrangler, runWrangler } from './cloudflare/wrangler.ts';
import { type DeployConfig, faultsOf, namesOf, readDeployConfig, writeConfig } from './deploy/config.ts';
import { makeResources } from './deploy/resources.ts';
import type { AskService, Run } from './deploy/run.ts';
import { isIdentity, SecretFile } from './deploy/secret-file.ts';
import { givenSecrets, prepareSecrets, tagOf } from './deploy/secrets.ts';
import { setTriggers, turnInvocationLogsOff } from './deploy/settings.ts';
import { tryAnOrder } from './deploy/smoke.ts';
import { deploySignatureChecks, deployVersion, migrate, readServed, rollBack } from './deploy/versions.ts';
import { dryWrangler } from './deploy/wrangler-calls.ts';
import { tellZoneSettings } from './deploy/zone-settings.ts';
import { prepareZones } from './deploy/zones.ts';
import { StartError, VersionFault } from './errors.ts';
import { ROOT } from './paths.ts';

const TIMEOUT_MS = 30_000;
const SHA_LENGTH = 12;
/** Those of wrangler.toml that can be deployed to. */
export const ENVIRONMENTS = ['staging', 'production'];
/** In the operator's repository: what a deployment adds to it is committed after it. */
export const SECRETS_DIR = '.deploy';

export interface Deployment {
  environment: string;
  config: DeployConfig;
  /** Output of `git status --porcelain`, and the commit. */
  changes: string;
  sha: string;
  isDryRun: boolean;
  /** CLOUDFLARE_API_TOKEN and so on. */
  env: Readonly<Record<string, string | undefined>>;
  /** The folder of the encrypted secrets. */
  dir: string;
  wrangler: RunWrangler;
  ask: AskService;
  /** Writes the configuration with the ids of the account. */
  writeConfig: typeof writeConfig;
  say: (line: string) => void;
  wait: (ms: number) => Promise<void>;
}

/** @returns the exit code */
export async function deploy(deployment: Deployment): Promise<number> {
  const { environment, config, changes, isDryRun, env, say } = deployment;
  const faults = [
    ...faultsOf(environment, config),
    ...(changes.trim() === '' ? [] : ['The tree has changes that are not committed.']),
    ...(env.CLOUDFLARE_API_TOKEN && env.CLOUDFLARE_ACCOUNT_ID
      ? []
      : ['CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID are not set: nothing of the account can be read.']),
    ...(env.SMOKE_WEBHOOK_URL?.startsWith('https://')
      ? []
      : ['SMOKE_WEBHOOK_URL is not set: an https address that answers a POST with 2xx, for the smoke order.']),
    ...(isIdentity(env.DEPLOY_KEY)
      ? []
      : ['DEPLOY_KEY is not set to an age identity (AGE-SECRET-KEY-1…): the file of the secrets is encrypted to it.']),
  ];
  if (faults.length > 0 && !isDryRun) {
    say(`Nothing was migrated or deployed to ${environment}:`);
    for (const fault of faults) say(`  - ${fault}`);
    return 1;
  }
  for (const fault of faults) say(`marked  ${fault}`);
  try {
    // The plan: all that can be refused is refused before the first write.
    say(`Plan for ${environment}, commit ${deployment.sha}:`);
    const planned = await pass(deployment, true);
    const table = isDryRun ? planned : await pass(deployment, false);
    say(isDryRun ? '\nPlanned, nothing was written:' : '\nDone:');
    for (const [what, how] of table) say(`${what.padEnd(56)} ${how}`);
    return 0;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    say(`Stopped: ${error.message}`);
    return 1;
  }
}

/** One way through all steps; a dry one says them. @returns what was done, row by row */
async function pass(deployment: Deployment, isDryRun: boolean): Promise<[string, string][]> {
  const { environment, config, dir, env, say } = deployment;
  const table: [what: string, how: string][] = [];
  const isUnread = isDryRun && !isIdentity(env.DEPLOY_KEY);
  const run: Run = {
    ...deployment,
    isDryRun,
    names: namesOf(config),
    worker: config.name ?? `offizin-${environment}`,
    sha: deployment.sha.slice(0, SHA_LENGTH),
    cloudflare: new Cloudflare({
      token: env.CLOUDFLARE_API_TOKEN,
      accountId: env.CLOUDFLARE_ACCOUNT_ID,
      baseUrl: env.CLOUDFLARE_API_BASE_URL,
      isDryRun,
      say,
      wait: deployment.wait,
    }),
    wrangler: isDryRun ? dryWrangler(() => run) : deployment.wrangler,
    secrets: isUnread ? SecretFile.unread(dir, environment) : await SecretFile.open(dir, environment, env.DEPLOY_KEY),
    databases: {},
    given: { webhookUrl: env.SMOKE_WEBHOOK_URL, secrets: givenSecrets(env) },
    did: (what, how) => {
      table.push([what, how]);
    },
  };
  await allSteps(run, deployment.writeConfig);
  return table;
}

async function allSteps(run: Run, write: typeof writeConfig): Promise<void> {
  const { cloudflare, environment, isDryRun } = run;
  const account = await cloudflare.read<{ name: string }>(cloudflare.account);
  if (!account && cloudflare.isReading) throw new StartError('There is no such account: check CLOUDFLARE_ACCOUNT_ID.');
  run.did('account', account?.name ?? 'not read');
  await makeResources(run);
  const secrets = await prepareSecrets(run);
  const shopZoneId = await prepareZones(run);
  if (!isDryRun) write(environment, run.databases, shopZoneId);
  const served = await readServed(run, tagOf(run, secrets));
  const { isOfTag: isServing } = served;
  let version = served.current;
  if (!isServing) await migrate(run);
  try {
    if (isServing) run.did(`version ${version}`, 'serves, of this commit');
    else version = await deployVersion(run, served, secrets);
    await setTriggers(run);
    await deploySignatureChecks(run);
    await turnInvocationLogsOff(run);
    await tryAnOrder(run, version ?? '');
  } catch (error) {
    // What only could not be asked is no fault of the version, and what served before this run stays.
    if (!(error instanceof VersionFault) || isServing) throw error;
    throw new StartError(`${error.message}\n${await rollBack(run, served.current)}`);
  }
  await tellZoneSettings(run);
}

/** A request to the service; redirects are an answer. */
const askService: AskService = async (method, url, headers, body) => {
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { status: answer.status, headers: answer.headers, body: await answer.text() };
};

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { env: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } },
  });
  if (!ENVIRONMENTS.includes(values.env ?? '')) {
    console.error('Say where to: npm run deploy -- --env staging|production [--dry-run]');
    return 1;
  }
  const environment = values.env ?? '';
  return deploy({
    environment,
    config: readDeployConfig(environment),
    changes: output('git', ['status', '--porcelain', '--', '.', `:!${SECRETS_DIR}`]),
    sha: output('git', ['rev-parse', 'HEAD']).trim(),
    isDryRun: values['dry-run'],
    env: process.env,
    dir: join(ROOT, SECRETS_DIR),
    wrangler: runWrangler,
    ask: askService,
    writeConfig,
    say: (line) => console.log(line),
    wait: (ms) => delay(ms),
  });
}

/** @throws Error when the command cannot be run: without git it is unknown which code is deployed */
function output(command: string, args: string[]): string {
  const { status, stdout } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`);
  return stdout;
}

if (import.meta.main) process.exitCode = await main();
