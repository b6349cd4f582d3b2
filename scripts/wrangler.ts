import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartError } from './errors.ts';
import { PATHS, ROOT } from './paths.ts';

/** Not `bin/wrangler.js`: it starts this file as a child of its own and passes no signal on. */
const CLI = fileURLToPath(import.meta.resolve('wrangler'));
const LOG_TAIL_LINES = 40;

/** Asks nothing, reports nothing, needs no network, and leaves no trace outside the state directory. */
const QUIET = {
  CI: 'true',
  NO_COLOR: '1',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  // The banner is what looks for a newer version.
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_NO_SKILLS_UPDATE_PROMPTS: 'true',
  // Whatever the caller's own setting is: the log must say why the Worker does not start.
  WRANGLER_LOG: 'log',
  WRANGLER_LOG_PATH: join(PATHS.dir, 'logs'),
  // Two services on one machine must not find each other.
  WRANGLER_REGISTRY_PATH: join(PATHS.dir, 'registry'),
  // It would keep full URLs, and `?apikey=` is one.
  X_LOCAL_OBSERVABILITY: 'false',
};

const running = new Set<ChildProcess>();

/** Brings the local database up to date. */
export async function applyMigrations(): Promise<void> {
  const child = spawnWrangler(['d1', 'migrations', 'apply', 'offizin', '--local'], 'w');
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new StartError(`The migrations failed.\n\n${logTail()}`);
}

/**
 * Starts the Worker. It takes in every change of src, .dev.vars and wrangler.toml by itself.
 * @param showsLog whether what goes to the log file also goes to the terminal
 * @returns what rejects as soon as the Worker ends by itself
 */
export function startWorker(port: number, baseUrl: string, showsLog: boolean): Promise<never> {
  const child = spawnWrangler(
    ['dev', '--port', String(port), '--inspector-port', '0', '--var', `BASE_URL:${baseUrl}`],
    'a',
    showsLog,
  );
  return once(child, 'exit').then(([code, signal]) => {
    throw new StartError(`The Worker ended by itself (${signal ?? code}).\n\n${logTail()}`);
  });
}

/** Ends every child and waits for it. */
export async function endChildren(): Promise<void> {
  await Promise.all(
    [...running].map(async (child) => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }),
  );
}

export function logTail(): string {
  const lines = readFileSync(PATHS.log, 'utf8').trimEnd().split('\n').slice(-LOG_TAIL_LINES);
  return [...lines, '', `The whole log: ${PATHS.log}`].join('\n');
}

function spawnWrangler(args: string[], logMode: 'w' | 'a', showsLog = false): ChildProcess {
  mkdirSync(PATHS.dir, { recursive: true });
  const log = openSync(PATHS.log, logMode);
  const where = ['--persist-to', PATHS.state, '--env-file', PATHS.secrets];
  const child = spawn(process.execPath, ['--no-warnings', CLI, ...args, ...where], {
    cwd: ROOT,
    env: { ...process.env, ...QUIET },
    stdio: showsLog ? ['ignore', 'pipe', 'pipe'] : ['ignore', log, log],
  });
  closeSync(log);
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      appendFileSync(PATHS.log, chunk);
      process.stdout.write(chunk);
    });
  }
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}
