import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

interface Process {
  pid: number;
  parent: number;
}

/** This process and all its descendants. */
export function familyOf(pid: number): number[] {
  const all = processes();
  const family = [pid];
  for (const member of family) {
    family.push(...all.filter(({ parent }) => parent === member).map((child) => child.pid));
  }
  return family;
}

/** Those of them that still run. */
export function alive(pids: readonly number[]): number[] {
  const running = new Set(processes().map(({ pid }) => pid));
  return pids.filter((pid) => running.has(pid));
}

export function kill(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself.
    }
  }
}

/** The resident memory of those of them that have this name, in bytes; 0 for those that have ended. */
export function residentMemory(pids: readonly number[], name: string): number {
  const rows = existsSync('/proc/self/stat')
    ? pids.flatMap(statusOf)
    : execFileSync('ps', ['-A', '-o', 'pid=,rss=,comm='], { encoding: 'utf8' }).split('\n').map(psRow);
  return rows
    .filter((row) => pids.includes(row.pid) && row.name.endsWith(name))
    .reduce((sum, { kib }) => sum + kib * 1024, 0);
}

function psRow(line: string) {
  const [pid, kib, ...name] = line.trim().split(/\s+/);
  return { pid: Number(pid), kib: Number(kib), name: name.join(' ') };
}

function statusOf(pid: number) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const read = (key: string) => new RegExp(`^${key}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? '';
    return [{ pid, kib: Number(read('VmRSS')), name: read('Name') }];
  } catch {
    return [];
  }
}

/** Without zombies. A bare machine has no `ps`, and macOS has no /proc. */
function processes(): Process[] {
  const lines = existsSync('/proc/self/stat')
    ? readdirSync('/proc').flatMap(statOf)
    : execFileSync('ps', ['-A', '-o', 'pid=,stat=,ppid='], { encoding: 'utf8' }).split('\n');
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, state]) => state && !state.startsWith('Z'))
    .map(([pid, , parent]) => ({ pid: Number(pid), parent: Number(parent) }));
}

function statOf(name: string): string[] {
  if (!/^\d+$/.test(name)) return [];
  try {
    // `pid (name) state ppid …`, and a name may hold anything.
    return [`${name} ${readFileSync(`/proc/${name}/stat`, 'utf8').replace(/^.*\) /s, '')}`];
  } catch {
    return [];
  }
}
