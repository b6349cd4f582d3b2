import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from './errors.ts';
import { PATHS } from './paths.ts';
import { readWhole, writeWhole } from './write-whole.ts';

const PATH = join(PATHS.dir, 'service.json');
const END_TRIES_MAX = 50;
const POLL_MS = 200;

/** The processes that use the state directory: `npm start`, and the wrangler processes that it started. */
interface Owner {
  pid: number;
  port: number;
  workers?: number[];
}

/**
 * Reserves the state directory for this process until it ends. If an earlier service was killed and its Workers still
 * run, ends these Workers.
 * @throws StartError if a running service uses the directory, because both would write to the same files
 */
export async function takeState(port: number): Promise<void> {
  const owner = readOwner();
  if (owner && owner.pid !== process.pid && isRunning(owner.pid, 'start.ts')) {
    throw new StartError(
      `${PATHS.dir} is in use by the service at port ${owner.port} (process ${owner.pid}). End it, or give this one a directory and a port of its own: OFFIZIN_STATE_DIR=dir PORT=9000 npm start`,
    );
  }
  await Promise.all((owner?.workers ?? []).map(endWorker));
  mkdirSync(PATHS.dir, { recursive: true });
  write({ pid: process.pid, port });
  process.on('exit', () => {
    if (readOwner()?.pid === process.pid) rmSync(PATH, { force: true });
  });
}

/** Stores the ids of the processes that run the Workers. */
export function noteWorkers(pids: readonly (number | undefined)[]): void {
  const owner = readOwner();
  if (owner?.pid === process.pid) write({ ...owner, workers: pids.filter((pid) => pid !== undefined) });
}

async function endWorker(pid: number): Promise<void> {
  for (let tries = 0; tries < END_TRIES_MAX && isRunning(pid, 'wrangler'); tries += 1) {
    process.kill(pid, 'SIGTERM');
    await delay(POLL_MS);
  }
}

/** Whether a process is running and is still the same program. Another process may have got its id by now. */
function isRunning(pid: number, name: string): boolean {
  try {
    const command = existsSync('/proc/self/cmdline')
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      : execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
    return command.includes(name);
  } catch {
    return false;
  }
}

const readOwner = () => readWhole<Owner>(PATH);

function write(owner: Owner): void {
  writeWhole(PATH, JSON.stringify(owner));
}
