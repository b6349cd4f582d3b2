import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { QUIET } from './cloudflare/wrangler.ts';
import { SIGNATURES_CONFIG } from './deploy/config.ts';
import { StartError } from './errors.ts';
import { PATHS, ROOT } from './paths.ts';
import { noteWorkers } from './state-lock.ts';

/** Started directly, because `bin/wrangler.js` starts this file as a child process and does not forward signals. */
const CLI = fileURLToPath(import.meta.resolve('wrangler'));
const LOG_TAIL_LINES = 40;

/** Makes wrangler non-interactive, without telemetry or network, and with all files inside the state directory. */
const LOCAL = {
  ...QUIET,
  NO_COLOR: '1',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_NO_SKILLS_UPDATE_PROMPTS: 'true',
  // Services on one machine must not find each other's Workers.
  WRANGLER_REGISTRY_PATH: PATHS.registry,
  // Local observability stores full URLs. A URL with `?apikey=` contains a key.
  X_LOCAL_OBSERVABILITY: 'false',
};

const running = new Set<ChildProcess>();

/** Variables that the Worker gets from the environment of `npm start`. */
const PASSED_ON = ['ALERT_URL', 'WEBHOOK_BRAND', 'BACKUP_URL', 'BACKUP_PUBLIC_KEY', 'BACKUP_ACCESS_KEY'];

/**
 * Starts the main Worker and the Worker that checks signatures. Each has its own process, so that a check does not
 * block the main Worker's thread. They find each other in wrangler's registry. Each reloads after every change of src,
 * .dev.vars and its configuration.
 * @param options.showsLog whether the logs are also shown on the terminal
 * @param options.config the main Worker's configuration; by default wrangler.toml
 * @returns a promise that rejects as soon as one of them ends by itself
 */
export function startWorkers(
  port: number,
  baseUrl: string,
  { showsLog, config = 'wrangler.toml' }: { showsLog: boolean; config?: string },
): Promise<never> {
  mkdirSync(PATHS.dir, { recursive: true });
  writeFileSync(PATHS.log, '');
  // A service that was killed does not remove its entries.
  rmSync(PATHS.registry, { recursive: true, force: true });
  const variables = [
    `BASE_URL:${baseUrl}`,
    ...PASSED_ON.flatMap((name) => (process.env[name] ? [`${name}:${process.env[name]}`] : [])),
  ];
  const main = { config, port, inspectorPort: process.env.INSPECTOR_PORT || '0', variables };
  const children = [main, { config: SIGNATURES_CONFIG }].map((worker) => spawnDev(worker, showsLog));
  noteWorkers(children.map(({ pid }) => pid));
  return Promise.race(
    children.map(async (child) => {
      const [code, signal] = await once(child, 'exit');
      throw new StartError(`A Worker ended by itself (${signal ?? code}).\n\n${logTail()}`);
    }),
  );
}

/** Whether the main Worker finds the Worker that checks signatures. */
export function canCheckSignatures(): boolean {
  return existsSync(join(PATHS.registry, 'offizin-signatures'));
}

/** Ends every child process and waits for it. */
export async function endChildren(): Promise<void> {
  await Promise.all(
    [...running].map(async (child) => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }),
  );
}

function logTail(): string {
  const lines = readFileSync(PATHS.log, 'utf8').trimEnd().split('\n').slice(-LOG_TAIL_LINES);
  return [...lines, '', `The whole log: ${PATHS.log}`].join('\n');
}

interface Dev {
  config: string;
  /** 0 stands for any free port, also for the inspector. */
  port?: number;
  inspectorPort?: string;
  variables?: string[];
}

function spawnDev({ config, port = 0, inspectorPort = '0', variables = [] }: Dev, showsLog: boolean): ChildProcess {
  const log = openSync(PATHS.log, 'a');
  const args = [
    ...['dev', '--config', config],
    // The address in digits also works where `localhost` is not defined.
    ...['--ip', '127.0.0.1', '--port', String(port), '--inspector-port', inspectorPort],
    ...variables.flatMap((variable) => ['--var', variable]),
    ...['--persist-to', PATHS.state, '--env-file', PATHS.secrets],
  ];
  const child = spawn(process.execPath, ['--no-warnings', CLI, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...LOCAL },
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
