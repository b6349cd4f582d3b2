import { StartError, VersionFault } from '../errors.ts';
import { jsonOrNothing } from '../http.ts';
import { readDeployConfig, SIGNATURES_CONFIG, writtenConfig } from './config.ts';
import { type Run, scriptPath } from './run.ts';
import { operatorToken, tagOf } from './secrets.ts';

/** A name that is new, and its certificate, take minutes; a version at 0 % some seconds. */
const WAIT_MS = 5_000;
const FIRST_TRIES_MAX = 120;
const TRIES_MAX = 24;

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
  type Deployments = { deployments: { versions: { version_id: string; percentage: number }[] }[] };
  type Versions = { items: { id: string; annotations?: { 'workers/tag'?: string } }[] };
  const answer = await run.cloudflare.read<Deployments>(`${scriptPath(run)}/deployments`);
  const [most] = [...(answer?.deployments[0]?.versions ?? [])].sort((a, b) => b.percentage - a.percentage);
  const listed = await run.cloudflare.read<Versions>(`${scriptPath(run)}/versions?deployable=true`);
  const ofTag = (listed?.items ?? []).filter(({ annotations }) => annotations?.['workers/tag'] === tag);
  return {
    current: most?.version_id ?? null,
    isOfTag: most?.percentage === 100 && ofTag.some(({ id }) => id === most.version_id),
    uploaded: ofTag[0]?.id ?? null,
  };
}

/** Each database in turn; migrations only add, so the version that serves works with the new schema. */
export async function migrate(run: Run): Promise<void> {
  const at = new Date().toISOString();
  run.did('databases before the migrations', `npm run restore -- --env ${run.environment} --at ${at}`);
  for (const { database_name: name = '' } of run.config.d1_databases) {
    try {
      await wrangler(run, ['d1', 'migrations', 'apply', name, '--remote']);
      // What the planner knows of tables and new indexes.
      await wrangler(run, ['d1', 'execute', name, '--remote', '--command', 'PRAGMA optimize']);
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
  const tag = tagOf(run, secrets);
  if (before === null) {
    await upload(run, ['deploy'], tag, secrets);
    const version = (await readServed(run, tag)).current ?? '{version}';
    await becomesReady(run, version, FIRST_TRIES_MAX);
    run.did(`version ${version}`, 'the first, at 100 %');
    return version;
  }
  const known = failingOf((await askReady(run, before))?.body ?? '');
  if (!served.uploaded) await upload(run, ['versions', 'upload'], tag, secrets);
  const version = served.uploaded ?? (await readServed(run, tag)).uploaded ?? (run.isDryRun ? '{version}' : null);
  if (version === null)
    throw new StartError('Cloudflare does not list the new version yet. Run the same command again.');
  await serve(run, `${version}@0%`, `${before}@100%`);
  await becomesReady(run, version, TRIES_MAX, known);
  await serve(run, `${version}@100%`);
  run.did(`version ${version}`, 'ready at 0 %, then 100 %');
  return version;
}

/** Cron, base host, routes and consumers, as wrangler.toml says. */
export async function setTriggers(run: Run): Promise<void> {
  await wrangler(run, ['triggers', 'deploy']);
  run.did('triggers', 'as in wrangler.toml');
}

/** Deploys the Worker that checks signatures, behind the one that it asks. */
export async function deploySignatureChecks(run: Run): Promise<void> {
  const { name: worker = '' } = readDeployConfig(run.environment, SIGNATURES_CONFIG);
  const { isOfTag } = await readServed({ ...run, worker }, run.sha);
  if (isOfTag) await wrangler(run, ['triggers', 'deploy'], SIGNATURES_CONFIG);
  else await wrangler(run, ['deploy', ...named(run, run.sha)], SIGNATURES_CONFIG);
  run.did(worker, isOfTag ? 'serves, of this commit' : 'deployed');
}

/** Invocation logs hold whole addresses, and `?apikey=` is one: that they are off is read back, since wrangler only warns. */
export async function turnInvocationLogsOff({ cloudflare, ...run }: Run): Promise<void> {
  const path = `${scriptPath({ cloudflare, ...run })}/script-settings`;
  const observability = { enabled: true, logs: { enabled: true, invocation_logs: false } };
  await cloudflare.write('PATCH', path, { observability }, {});
  const read = await cloudflare.read<{ observability?: Partial<typeof observability> }>(path);
  if (!run.isDryRun && read?.observability?.logs?.invocation_logs !== false) {
    throw new StartError(
      'Invocation logs stay on: turn them off in the dashboard (the Worker, Settings, Observability) at once. They hold API keys that stand in addresses.',
    );
  }
  run.did('invocation logs', 'off');
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

function wrangler(run: Run, args: string[], config = writtenConfig(run.environment), stdin?: string): Promise<void> {
  return run.wrangler([...args, '--env', run.environment, '--config', config], stdin);
}

/** Of an upload: which commit it is. Without the last one wrangler makes what it does not find, such as a queue outside the EU. */
function named({ sha }: Run, tag: string): string[] {
  return ['--tag', tag, '--message', `commit ${sha}`, '--experimental-provision=false'];
}

function upload(run: Run, command: readonly string[], tag: string, secrets: Record<string, string>): Promise<void> {
  const args = [...command, ...named(run, tag), '--secrets-file', '/dev/stdin'];
  return wrangler(run, args, writtenConfig(run.environment), JSON.stringify(secrets));
}

function serve(run: Run, ...traffic: string[]): Promise<void> {
  return wrangler(run, ['versions', 'deploy', ...traffic, '--yes']);
}

/**
 * Asks `/readyz` of exactly this version until it is ready.
 * @param known checks that fail without it, too: they are no reason to keep a version back that may mend them
 * @throws VersionFault with what it says is wrong
 */
async function becomesReady(run: Run, version: string, triesMax: number, known: readonly string[] = []): Promise<void> {
  let last = 'no answer';
  for (let tried = 1; tried <= triesMax; tried += 1) {
    const answer = await askReady(run, version);
    if (run.isDryRun) return;
    const failing = failingOf(answer?.body ?? '');
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
  throw new VersionFault(`GET ${run.names.baseUrl}/readyz of version ${version} is not ready: ${last}.`);
}

/** What a version says of itself, whatever part of the traffic it has; null: nothing. */
function askReady(run: Run, version: string) {
  const headers = {
    'Cloudflare-Workers-Version-Overrides': `${run.worker}="${version}"`,
    Authorization: `Bearer ${operatorToken(run)}`,
  };
  return run.ask('GET', `${run.names.baseUrl}/readyz`, headers).catch(() => null);
}

/** The names of the checks that fail. */
function failingOf(body: string): string[] {
  const checks: Record<string, { status?: string }> = jsonOrNothing(body)?.checks ?? {};
  return Object.entries(checks).flatMap(([name, { status }]) => (status === 'failing' ? [name] : []));
}
