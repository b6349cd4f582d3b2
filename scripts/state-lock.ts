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

/** Who uses the state directory: the process of `npm start`, and those of wrangler that it started. */
interface Owner {
  pid: number;
  port: number;
  workers?: number[];
}

/**
 * Takes the state directory for this process, until it ends. Ends the Workers of a service that was killed without it.
 * @throws StartError where a service uses the directory: two would write to the same files
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

/** Notes which processes run the Workers. */
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

/** Whether the process is there and is what it was: another one may have its number by now. */
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
