import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { convertV4MiniflareOptions, Miniflare, NoOpLog } from 'miniflare';
import { unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery } from 'wrangler';
import { ROOT } from '../../scripts/paths.ts';
import { ensureSecrets } from '../../scripts/secrets.ts';
import { workerdProcesses } from './cpu.ts';

/** In memory where the machine has such a directory: the local D1 waits for the disk with every batch, reads included. */
const MEMORY_DIR = '/dev/shm';
/** What is measured comes from one caller, whom no limiter is to refuse. */
const UNLIMITED = { limit: 1_000_000_000, period: 60 } as const;

const running = new Set<Miniflare>();

// Without it wrangler says on stdout, which belongs to `--json`, where it found secrets.
process.env.WRANGLER_LOG = 'error';

/** A new directory for everything that a run stores. The caller removes it. */
export function makeWorkDir(): string {
  return mkdtempSync(join(existsSync(MEMORY_DIR) ? MEMORY_DIR : tmpdir(), 'offizin-bench-'));
}

export const WORKERS = ['service', 'floor'] as const;
type WorkerName = (typeof WORKERS)[number];
export type OfEach<T> = Record<WorkerName, T>;

/** A line that the Worker logged, parsed. */
export type LogLine = Record<string, unknown>;

export interface ServeOptions {
  /** Directory of the bundle, as `bundle` wrote it. */
  bundleDir: string;
  /** Directory of D1, R2 and the rate limiters. */
  stateDir: string;
  /** And what the floor answers with. */
  secrets: Record<string, string>;
  /** Logs the calls of the bindings and what they cost (tap.js). */
  isTapped?: boolean;
  onLog?: (line: LogLine) => void;
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
  migrate(): Promise<void>;
  /** Removes what R2 holds: its memory is then used again, and new memory may be slow. */
  removeFiles(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Bundles a Worker as a deployment does.
 * @param entry null: the one that wrangler.toml names
 * @throws Error with what wrangler wrote when it fails
 */
async function bundle(entry: string | null, outDir: string): Promise<void> {
  const cli = ['--no-warnings', fileURLToPath(import.meta.resolve('wrangler'))];
  const args = ['deploy', ...(entry ? [entry] : []), '--dry-run', '--env', '', '--outdir', outDir];
  const env = { ...process.env, CI: 'true', WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true' };
  await promisify(execFile)(process.execPath, [...cli, ...args], { cwd: ROOT, env });
  // The bundle is named after its entry.
  if (entry) renameSync(join(outDir, `${parse(entry).name}.js`), join(outDir, 'index.js'));
  copyFileSync(join(import.meta.dirname, 'tap.js'), join(outDir, 'tap.js'));
}

/**
 * Starts a bundled Worker with the bindings of wrangler.toml, with one database.
 * @returns once it answers
 */
export async function serve(options: ServeOptions): Promise<Served> {
  const { bundleDir, stateDir, secrets, isTapped, onLog } = options;
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
      // The floor has no other one.
      d1Databases: { DB: databases.DB ?? '' },
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
  const [db, files] = await Promise.all([miniflare.getD1Database('DB'), miniflare.getR2Bucket('FILES')]);
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
      for (const statements of migrations()) await db.batch(statements.map((statement) => db.prepare(statement)));
    },
    async removeFiles() {
      for (;;) {
        const { objects } = await files.list();
        if (objects.length === 0) return;
        await files.delete(objects.map(({ key }) => key));
      }
    },
    async close() {
      running.delete(miniflare);
      await miniflare.dispose();
    },
  };
}

/** Ends everything that still runs. */
export async function closeAll(): Promise<void> {
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

/** The same for each Worker, one after the other. */
export async function eachWorker<T>(make: (name: WorkerName) => Promise<T>): Promise<OfEach<T>> {
  return { service: await make('service'), floor: await make('floor') };
}

/**
 * Bundles both Workers, each with a directory for its own data, and with the same secrets.
 * @param entries null: the one that wrangler.toml names
 * @param dir an empty directory
 */
export async function bundleWorkers(entries: OfEach<string | null>, dir: string): Promise<OfEach<ServeOptions>> {
  const secrets = ensureSecrets(join(dir, 'secrets'));
  return eachWorker(async (name) => {
    const [bundleDir, stateDir] = [join(dir, name, 'bundle'), join(dir, name, 'state')];
    await bundle(entries[name], bundleDir);
    return { bundleDir, stateDir, secrets };
  });
}
