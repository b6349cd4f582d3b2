import { StartError, VersionFault } from '../errors.ts';
import { readDeployConfig, SIGNATURES_CONFIG, writtenConfig } from './config.ts';
import { type AskService, type Run, scriptPath } from './run.ts';
import { operatorToken, tagOf } from './secrets.ts';
import { isConsumed } from './settings.ts';
import { dryWrangler } from './wrangler-calls.ts';

/** A name that is new, and its certificate, take minutes; a version at 0 % some seconds. */
const WAIT_MS = 5_000;
const FIRST_TRIES_MAX = 120;
const TRIES_MAX = 24;

interface Deployed {
  versions: { version_id: string; percentage: number }[];
}

interface Version {
  id: string;
  annotations?: { 'workers/tag'?: string };
}

/** What of a deployment serves now, and what was uploaded for this commit. */
export interface Served {
  /** Null: the Worker does not exist, or nothing of it was deployed. */
  current: string | null;
  /** Whether the current one has the tag and all of the traffic. */
  isOfTag: boolean;
  /** The newest version with the tag. */
  uploaded: string | null;
}

/** @param tag of the versions that are looked for */
export async function readServed(run: Run, tag: string): Promise<Served> {
  const answer = await run.cloudflare.read<{ deployments: Deployed[] }>(`${scriptPath(run)}/deployments`);
  const versions = answer?.deployments[0]?.versions ?? [];
  const current = [...versions].sort((a, b) => b.percentage - a.percentage)[0]?.version_id ?? null;
  if (current === null && !run.isDryRun) return { current, isOfTag: false, uploaded: null };
  const listed = await run.cloudflare.read<{ items: Version[] }>(`${scriptPath(run)}/versions?deployable=true`);
  const ofTag = (listed?.items ?? []).filter(({ annotations }) => annotations?.['workers/tag'] === tag);
  const isWhole = versions.length === 1 || versions.some(({ percentage }) => percentage === 100);
  return {
    current,
    isOfTag: isWhole && ofTag.some(({ id }) => id === current),
    uploaded: ofTag[0]?.id ?? null,
  };
}

/** Each database in turn; migrations only add, so the version that serves works with the new schema. */
export async function migrate(run: Run): Promise<void> {
  const at = new Date().toISOString();
  const remote = ['--remote', '--env', run.environment, '--config', writtenConfig(run.environment)];
  run.did('databases before the migrations', `npm run restore -- --env ${run.environment} --at ${at}`);
  for (const { database_name: name = '' } of run.config.d1_databases) {
    try {
      await run.wrangler(['d1', 'migrations', 'apply', name, ...remote]);
      // What the planner knows of tables and new indexes.
      await run.wrangler(['d1', 'execute', name, ...remote, '--command', 'PRAGMA optimize']);
    } catch (error) {
      const why = error instanceof Error ? error.message : '';
      throw new StartError(
        `The migration of ${name} failed: ${why}\nNo code was deployed; what serves goes on. The migration that failed was undone by D1, those before it stay. Mend it, commit, and run the same command again. Time Travel has ${name} as it was before: ${at}.`,
      );
    }
    run.did(`migrations of ${name}`, 'applied');
  }
}

/**
 * Uploads the commit with its secrets, in one: the first time at once, later beside what serves, where it has to be ready
 * before it gets the traffic.
 * @returns the version that serves then
 */
export async function deployVersion(run: Run, served: Served, secrets: Record<string, string>): Promise<string> {
  const before = served.current;
  if (before === null) {
    await upload(run, ['deploy'], secrets);
    const { current } = await readServed(run, tagOf(run, secrets));
    const version = current ?? '{version}';
    await becomesReady(run, version, FIRST_TRIES_MAX);
    run.did(`version ${version}`, 'the first, at 100 %');
    return version;
  }
  const known = run.isDryRun ? [] : failingOf((await askReady(run, before))?.body ?? '');
  const version = served.uploaded ?? (await uploadBeside(run, secrets));
  await serve(run, `${version}@0%`, `${before}@100%`);
  await becomesReady(run, version, TRIES_MAX, known);
  await serve(run, `${version}@100%`);
  run.did(`version ${version}`, 'ready at 0 %, then 100 %');
  return version;
}

/** Deploys the Worker that checks signatures, behind the one that it asks. */
export async function deploySignatureChecks(run: Run): Promise<void> {
  const { environment, isDryRun, sha } = run;
  const { name: worker = '', queues } = readDeployConfig(environment, SIGNATURES_CONFIG);
  const own: Run = { ...run, worker, wrangler: isDryRun ? dryWrangler(() => own) : run.wrangler };
  const [consumer] = queues.consumers ?? [];
  const isServing = (await readServed(own, sha)).isOfTag && (!consumer || (await isConsumed(own, consumer)));
  const at = ['--env', environment, '--config', SIGNATURES_CONFIG];
  const said = ['--tag', sha, '--message', `commit ${sha}`, '--experimental-provision=false'];
  if (!isServing) await own.wrangler(['deploy', ...at, ...said]);
  run.did(worker, isServing ? 'serves, of this commit' : 'deployed');
}

/** Gives the traffic back to the version before, if there is one. @returns what to tell the operator */
export async function rollBack(run: Run, before: string | null): Promise<string> {
  if (before === null) {
    return 'There is no version before it to go back to. Mend the cause and run the same command again.';
  }
  try {
    await serve(run, `${before}@100%`);
    return `The version before it serves again: ${before}. Databases keep what was added to them.`;
  } catch {
    return `Going back to the version before it failed, too. Do it now: npx wrangler versions deploy ${before}@100% --yes --env ${run.environment} --config ${writtenConfig(run.environment)}`;
  }
}

async function uploadBeside(run: Run, secrets: Record<string, string>): Promise<string> {
  const entries = await upload(run, ['versions', 'upload'], secrets);
  const told = entries.find(({ type }) => type === 'version-upload')?.version_id;
  const version = told ?? (await readServed(run, tagOf(run, secrets))).uploaded;
  if (version) return version;
  if (run.isDryRun) return '{version}';
  throw new StartError('wrangler did not say which version it uploaded. Run the same command again.');
}

function upload(run: Run, command: readonly string[], secrets: Record<string, string>) {
  const args = [
    ...command,
    ...['--env', run.environment, '--config', writtenConfig(run.environment)],
    ...['--tag', tagOf(run, secrets), '--message', `commit ${run.sha}`],
    // Or wrangler makes what it does not find, a queue without a jurisdiction for example.
    '--experimental-provision=false',
    ...['--secrets-file', '/dev/stdin'],
  ];
  return run.wrangler(args, JSON.stringify(secrets));
}

async function serve(run: Run, ...traffic: string[]): Promise<void> {
  const at = ['--yes', '--env', run.environment, '--config', writtenConfig(run.environment)];
  await run.wrangler(['versions', 'deploy', ...traffic, ...at]);
}

/**
 * Asks `/readyz` of exactly this version until it is ready.
 * @param known checks that fail without it, too: they are no reason to keep a version back that may mend them
 * @throws StartError with what it says is wrong
 */
async function becomesReady(run: Run, version: string, triesMax: number, known: readonly string[] = []): Promise<void> {
  if (run.isDryRun) {
    run.say(`would  GET ${readyUrl(run)}   (of the new version alone: Cloudflare-Workers-Version-Overrides)`);
    return;
  }
  let last = 'no answer';
  for (let tried = 1; tried <= triesMax; tried += 1) {
    const answer = await askReady(run, version);
    const failing = answer ? failingOf(answer.body) : [];
    const isReady = answer?.status === 200 || (failing.length > 0 && failing.every((name) => known.includes(name)));
    const found = answer?.headers.get('X-Version');
    if (isReady && found === version) {
      if (failing.length > 0) run.did(`failing before, too: ${failing.join(', ')}`, 'see docs/operating.md');
      return;
    }
    const why = failing.length > 0 ? `, failing: ${failing.join(', ')}` : '';
    if (answer) last = `${answer.status}, version ${found ?? 'unknown'}${why}`;
    if (tried < triesMax) await run.wait(WAIT_MS);
  }
  throw new VersionFault(`GET ${readyUrl(run)} of version ${version} is not ready: ${last}.`);
}

function readyUrl({ names }: Run): string {
  return `${names.baseUrl}/readyz`;
}

/** What a version says of itself, whatever part of the traffic it has; null: nothing. */
function askReady(run: Run, version: string): Promise<Awaited<ReturnType<AskService>> | null> {
  const headers = { 'Cloudflare-Workers-Version-Overrides': `${run.worker}="${version}"` };
  const authorized = { ...headers, Authorization: `Bearer ${operatorToken(run)}` };
  return run.ask('GET', readyUrl(run), authorized).catch(() => null);
}

/** The names of the checks that fail. */
function failingOf(body: string): string[] {
  try {
    const { checks = {} } = JSON.parse(body) as { checks?: Record<string, { status?: string }> };
    return Object.entries(checks).flatMap(([name, { status }]) => (status === 'failing' ? [name] : []));
  } catch {
    return [];
  }
}
