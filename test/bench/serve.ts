import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { convertV4MiniflareOptions, Miniflare, NoOpLog } from 'miniflare';
import { unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery } from 'wrangler';
import { ROOT } from '../../scripts/paths.ts';
import { workerdProcesses } from './cpu.ts';

/** In memory where the machine has such a directory: the local D1 waits for the disk with every batch, reads included. */
const MEMORY_DIR = '/dev/shm';
const CRON = '* * * * *';
/** What is measured comes from one caller, whom no limiter is to refuse. */
const UNLIMITED = { limit: 1_000_000_000, period: 60 } as const;

const bundling = new Set<ChildProcess>();
const running = new Set<Miniflare>();

// Without it wrangler says on stdout, which belongs to `--json`, where it found secrets.
process.env.WRANGLER_LOG = 'error';

/** A new directory for everything that a run stores. The caller removes it. */
export function makeWorkDir(): string {
  return mkdtempSync(join(existsSync(MEMORY_DIR) ? MEMORY_DIR : tmpdir(), 'offizin-bench-'));
}

/** A line that the Worker logged, parsed. */
export type LogLine = Record<string, unknown>;

export interface ServeOptions {
  /** Directory of the bundle, as `bundle` wrote it. */
  bundleDir: string;
  /** Directory of D1, R2 and the rate limiters. */
  stateDir: string;
  /** And what the floor answers with. */
  secrets: Record<string, string>;
  /** The databases that are bound; `DB` alone, as the floor has it, unless it says otherwise. */
  databases?: readonly string[];
  /** Logs the calls of the bindings and what they cost (tap.js). */
  isTapped?: boolean;
  onLog?: (line: LogLine) => void;
}

/** Counts a line that was logged as a warning or an error. */
export function countProblem(problems: Record<string, number>, { level, event }: LogLine): void {
  if (level === 'warn' || level === 'error') problems[String(event)] = (problems[String(event)] ?? 0) + 1;
}

/** A Worker served by workerd alone: no development proxy, no file watcher, no inspector. */
export interface Served {
  port: number;
  /** Of the process that runs the Worker and the local databases; undefined where the system does not tell. */
  pid: number | undefined;
  /** With the name that the Worker knows as its base host. */
  baseUrl: string;
  /** Runs one statement on `DB` and returns its first row. */
  ask<Row>(sql: string, ...values: unknown[]): Promise<Row | null>;
  /** Of all databases. */
  migrate(): Promise<void>;
  /** What D1 says that the database holds. */
  sizeBytes(): Promise<number>;
  /** Removes what R2 holds: its memory is then used again, and new memory may be slow. */
  removeFiles(): Promise<void>;
  /** Runs what the cron runs every minute. */
  runCron(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Bundles a Worker as a deployment does.
 * @param entry null: the one that wrangler.toml names
 * @throws Error with what wrangler wrote when it fails
 */
export async function bundle(entry: string | null, outDir: string): Promise<void> {
  const cli = fileURLToPath(import.meta.resolve('wrangler'));
  const args = [
    '--no-warnings',
    cli,
    'deploy',
    ...(entry ? [entry] : []),
    '--dry-run',
    '--env',
    '',
    '--outdir',
    outDir,
  ];
  const env = { ...process.env, CI: 'true', WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true' };
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'pipe'] });
  bundling.add(child);
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  bundling.delete(child);
  if (code !== 0) throw new Error(`wrangler cannot bundle ${entry ?? 'the Worker'}:\n${errors}`);
  // The bundle is named after its entry.
  if (entry) renameSync(join(outDir, `${parse(entry).name}.js`), join(outDir, 'index.js'));
  copyFileSync(join(import.meta.dirname, 'tap.js'), join(outDir, 'tap.js'));
}

/**
 * Starts a bundled Worker with the bindings of wrangler.toml, but for the databases.
 * @returns once it answers
 */
export async function serve(options: ServeOptions): Promise<Served> {
  const { bundleDir, stateDir, secrets, isTapped, onLog, databases: bound = ['DB'] } = options;
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(ROOT, 'wrangler.toml'));
  const databases = workerOptions.d1Databases as Record<string, { id: string }>;
  const limiters = Object.entries(workerOptions.ratelimits as Record<string, { namespace_id: string }>);
  const scripts = isTapped ? ['tap.js', 'index.js'] : ['index.js'];
  const before = workerdProcesses();
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...workerOptions,
      // Measured is the Worker, without the one that serves files before it.
      assets: undefined,
      d1Databases: Object.fromEntries(bound.map((name) => [name, databases[name] ?? ''])),
      ratelimits: Object.fromEntries(
        limiters.map(([name, { namespace_id }]) => [name, { namespace_id, simple: UNLIMITED }]),
      ),
      rootPath: bundleDir,
      modulesRoot: bundleDir,
      modules: scripts.map((file) => ({ type: 'ESModule' as const, path: join(bundleDir, file) })),
      bindings: { ...(workerOptions.bindings as Record<string, string>), ...secrets, BASE_URL: 'http://localhost' },
      host: '127.0.0.1',
      port: 0,
      cf: false,
      log: new NoOpLog(),
      logRequests: false,
      telemetry: { enabled: false },
      resourcePersistencePath: stateDir,
      handleStructuredLogs: ({ message }) => onLog?.(parsed(message)),
    }),
  );
  running.add(miniflare);
  const { port } = await miniflare.ready;
  const pid = workerdProcesses().find((each) => !before.includes(each));
  const [db, files, worker] = await Promise.all([
    miniflare.getD1Database('DB'),
    miniflare.getR2Bucket('FILES'),
    miniflare.getWorker(),
  ]);
  return {
    port: Number(port),
    pid,
    baseUrl: `http://localhost:${port}`,
    ask: (sql, ...values) =>
      db
        .prepare(sql)
        .bind(...values)
        .first(),
    async migrate() {
      for (const name of bound) {
        const each = await miniflare.getD1Database(name);
        for (const statements of migrations()) await each.batch(statements.map((statement) => each.prepare(statement)));
      }
    },
    async sizeBytes() {
      const { meta } = await db.prepare('select 1').run();
      return meta.size_after;
    },
    async removeFiles() {
      for (;;) {
        const { objects } = await files.list();
        if (objects.length === 0) return;
        await files.delete(objects.map(({ key }) => key));
      }
    },
    async runCron() {
      await worker.scheduled({ cron: CRON });
    },
    async close() {
      running.delete(miniflare);
      await miniflare.dispose();
    },
  };
}

/** Ends everything that still runs. */
export async function closeAll(): Promise<void> {
  await Promise.all(
    [...bundling].map((child) => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      return ended;
    }),
  );
  await Promise.all([...running].map((miniflare) => miniflare.dispose()));
}

/** The statements of each migration, in order. */
function migrations(): string[][] {
  const dir = join(ROOT, 'migrations');
  return readdirSync(dir)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => unstable_splitSqlQuery(readFileSync(join(dir, name), 'utf8')));
}

/** A line that is not JSON comes from the runtime. */
function parsed(message: string): LogLine {
  try {
    return JSON.parse(message);
  } catch {
    return { level: 'error', event: 'runtime', message };
  }
}
