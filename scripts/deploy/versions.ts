import { StartError, VersionFault } from '../errors.ts';
import { jsonOrNothing } from '../http.ts';
import { readDeployConfig, SIGNATURES_CONFIG, writtenConfig } from './config.ts';
import { type Run, scriptPath } from './run.ts';
import { operatorToken, tagOf } from './secrets.ts';

/**
 * The wait between two tries. A new host name and its certificate need minutes; a version without traffic needs
 * seconds.
 */
const WAIT_MS = 5_000;
const FIRST_TRIES_MAX = 120;
const TRIES_MAX = 24;

/** The version that serves now, and the version that was uploaded for this commit. */
export interface Served {
  /** The version with the most traffic. Null if the Worker does not exist or has no deployment. */
  current: string | null;
  /** Whether the current version has the tag and gets all traffic. */
  isOfTag: boolean;
  /** The newest version with the tag; null if there is none. */
  uploaded: string | null;
}

/** Returns which versions serve and are uploaded. @param tag the tag of the versions that are looked for */
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

/**
 * Migrates one database after the other. Migrations only add, so the version that serves also works with the new
 * schema.
 */
export async function migrate(run: Run): Promise<void> {
  const at = new Date().toISOString();
  run.did('databases before the migrations', `npm run restore -- --env ${run.environment} --at ${at}`);
  for (const { database_name: name = '' } of run.config.d1_databases) {
    try {
      await wrangler(run, ['d1', 'migrations', 'apply', name, '--remote']);
      // Updates the planner's statistics of tables and new indexes.
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
 * Uploads the commit together with its secrets. The first version serves at once. A later version is uploaded without
 * traffic, and gets the traffic once it is ready.
 * @returns the version that serves afterwards
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

/** Sets the cron, the base host, the routes and the queue consumers of wrangler.toml. */
export async function setTriggers(run: Run): Promise<void> {
  await wrangler(run, ['triggers', 'deploy']);
  run.did('triggers', 'as in wrangler.toml');
}

/** Deploys the Worker that checks signatures, after the main Worker, which it calls. */
export async function deploySignatureChecks(run: Run): Promise<void> {
  const { name: worker = '' } = readDeployConfig(run.environment, SIGNATURES_CONFIG);
  const { isOfTag } = await readServed({ ...run, worker }, run.sha);
  if (isOfTag) await wrangler(run, ['triggers', 'deploy'], SIGNATURES_CONFIG);
  else await wrangler(run, ['deploy', ...named(run, run.sha)], SIGNATURES_CONFIG);
  run.did(worker, isOfTag ? 'serves, of this commit' : 'deployed');
}

/**
 * Turns invocation logs off, because they contain whole URLs, and a URL may contain a key (`?apikey=`). Reads the
 * setting back, because wrangler only warns if it fails.
 */
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

/** Gives all traffic back to the previous version, if there is one. @returns the message for the operator */
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

/**
 * Returns the options of an upload that name its commit. Without the last option, wrangler would create missing
 * resources, such as a queue outside the EU.
 */
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
 * Calls `/readyz` of exactly this version until it is ready.
 * @param known checks that fail without this version, too. They are no reason to refuse the version, which may repair
 *   them
 * @throws VersionFault with the reason why the version is not ready
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

/** Returns the `/readyz` answer of a version, even if it gets no traffic. Null if there is no answer. */
function askReady(run: Run, version: string) {
  const headers = {
    'Cloudflare-Workers-Version-Overrides': `${run.worker}="${version}"`,
    Authorization: `Bearer ${operatorToken(run)}`,
  };
  return run.ask('GET', `${run.names.baseUrl}/readyz`, headers).catch(() => null);
}

/** Returns the names of the checks that fail. */
function failingOf(body: string): string[] {
  const checks: Record<string, { status?: string }> = jsonOrNothing(body)?.checks ?? {};
  return Object.entries(checks).flatMap(([name, { status }]) => (status === 'failing' ? [name] : []));
}
