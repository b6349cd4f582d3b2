/**
 * `npm run deploy -- --env staging|production [--dry-run]`: deploys the service, the first time (from an empty account
 * to a delivered order) and each later time. It first makes a plan and only reads. Then it carries out the steps that
 * are not done yet. It may be stopped at any time: the same command then continues. docs/deploying.md
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Cloudflare } from './cloudflare/client.ts';
import { runWrangler } from './cloudflare/wrangler.ts';
import { faultsOf, namesOf, readDeployConfig, writeConfig } from './deploy/config.ts';
import { makeResources } from './deploy/resources.ts';
import type { AskService, Deployment, Run } from './deploy/run.ts';
import { isIdentity, SecretFile } from './deploy/secret-file.ts';
import { prepareSecrets, tagOf } from './deploy/secrets.ts';
import { tryAnOrder } from './deploy/smoke.ts';
import * as versions from './deploy/versions.ts';
import { tellZoneSettings } from './deploy/zone-settings.ts';
import { prepareZones } from './deploy/zones.ts';
import { StartError, VersionFault } from './errors.ts';
import { ROOT } from './paths.ts';

const TIMEOUT_MS = 30_000;
const SHA_LENGTH = 12;
/** The environments in wrangler.toml that can be deployed. */
export const ENVIRONMENTS = ['staging', 'production'];
/** A folder in the operator's repository. The files that a deployment adds to it must be committed. */
export const SECRETS_DIR = '.deploy';

/** @returns the exit code */
export async function deploy(deployment: Deployment): Promise<number> {
  const { environment, config, changes, isDryRun, env, say } = deployment;
  const faults = faultsOf(environment, config);
  if (changes.trim() !== '') faults.push('The tree has changes that are not committed.');
  if (!env.CLOUDFLARE_API_TOKEN || !env.CLOUDFLARE_ACCOUNT_ID)
    faults.push('CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID are not set: nothing of the account can be read.');
  if (!env.SMOKE_WEBHOOK_URL?.startsWith('https://'))
    faults.push('SMOKE_WEBHOOK_URL is not set: an https address that answers a POST with 2xx, for the smoke order.');
  if (!isIdentity(env.DEPLOY_KEY))
    faults.push(
      'DEPLOY_KEY is not set to an age identity (AGE-SECRET-KEY-1…): the file of the secrets is encrypted to it.',
    );
  if (faults.length > 0 && !isDryRun) say(`Nothing was migrated or deployed to ${environment}:`);
  for (const fault of faults) say(isDryRun ? `marked  ${fault}` : `  - ${fault}`);
  if (faults.length > 0 && !isDryRun) return 1;
  try {
    // The plan refuses everything that can be refused before the first write.
    say(`Plan for ${environment}, commit ${deployment.sha}:`);
    const planned = await pass({ ...deployment, isDryRun: true });
    const table = isDryRun ? planned : await pass(deployment);
    say(isDryRun ? '\nPlanned, nothing was written:' : '\nDone:');
    for (const [what, how] of table) say(`${what.padEnd(56)} ${how}`);
    return 0;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    say(`Stopped: ${error.message}`);
    return 1;
  }
}

/** Carries out all steps once; a dry run only prints them. @returns the rows of the table of what was done */
async function pass(deployment: Deployment): Promise<[string, string][]> {
  const { environment, config, dir, env, isDryRun, say, wait } = deployment;
  const table: [what: string, how: string][] = [];
  await allSteps({
    ...deployment,
    ...(isDryRun && dryCalls(say)),
    names: namesOf(config),
    worker: config.name ?? `offizin-${environment}`,
    sha: deployment.sha.slice(0, SHA_LENGTH),
    cloudflare: new Cloudflare({
      token: env.CLOUDFLARE_API_TOKEN,
      accountId: env.CLOUDFLARE_ACCOUNT_ID,
      baseUrl: env.CLOUDFLARE_API_BASE_URL,
      ...{ isDryRun, say, wait },
    }),
    secrets:
      isDryRun && !isIdentity(env.DEPLOY_KEY)
        ? new SecretFile(dir, environment)
        : await SecretFile.open(dir, environment, env.DEPLOY_KEY),
    databases: {},
    did: (...row) => void table.push(row),
  });
  return table;
}

/** Returns functions that print their calls instead of making them. */
function dryCalls(say: Deployment['say']): Pick<Run, 'wrangler' | 'ask' | 'writeConfig'> {
  return {
    wrangler: async (args, stdin) =>
      say(`would  wrangler ${args.join(' ')}${stdin === undefined ? '' : '   (secrets come by a pipe)'}`),
    ask: async (method, url) => {
      say(`would  ${method} ${url}`);
      return { status: 200, headers: new Headers(), body: '{}' };
    },
    writeConfig: () => undefined,
  };
}

async function allSteps(run: Run): Promise<void> {
  const { cloudflare } = run;
  const account = await cloudflare.read<{ name: string }>(cloudflare.account);
  if (!account && cloudflare.isReading) throw new StartError('There is no such account: check CLOUDFLARE_ACCOUNT_ID.');
  run.did('account', account?.name ?? 'not read');
  await makeResources(run);
  const secrets = await prepareSecrets(run);
  const shopZoneId = await prepareZones(run);
  run.writeConfig(run.environment, run.databases, shopZoneId);
  const served = await versions.readServed(run, tagOf(run, secrets));
  const { isOfTag: isServing } = served;
  let version = served.current;
  if (!isServing) await versions.migrate(run);
  try {
    if (isServing) run.did(`version ${version}`, 'serves, of this commit');
    else version = await versions.deployVersion(run, served, secrets);
    await versions.setTriggers(run);
    await versions.deploySignatureChecks(run);
    await versions.turnInvocationLogsOff(run);
    await tryAnOrder(run, version ?? '');
  } catch (error) {
    // Only a `VersionFault` is a fault of the version; a call without an answer is not. A version that served before
    // this run is not taken back.
    if (!(error instanceof VersionFault) || isServing) throw error;
    throw new StartError(`${error.message}\n${await versions.rollBack(run, served.current)}`);
  }
  await tellZoneSettings(run);
}

/** Makes a request to the service. A redirect is returned and not followed. */
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

/** Returns the output of a command. @throws Error if it fails: without git, it is unknown which code is deployed */
function output(command: string, args: string[]): string {
  const { status, stdout } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`);
  return stdout;
}

if (import.meta.main) process.exitCode = await main();
