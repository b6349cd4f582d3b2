import { readdirSync, readFileSync } from 'node:fs';

/** Of /proc/<pid>/stat on every Linux. */
const TICKS_PER_SECOND = 100;

interface Stat {
  name: string;
  parent: number;
  /** User and system, of all threads. */
  ticks: number;
}

/** The workerd processes that this process has started; none where the system has no /proc. */
export function workerdProcesses(): number[] {
  return processes().filter((pid) => {
    const stat = statOf(pid);
    return stat?.parent === process.pid && stat.name === 'workerd';
  });
}

/** CPU time that a process has used, user and system, in ms; NaN if it cannot be read. */
export function cpuMsOf(pid: number | undefined): number {
  const stat = pid === undefined ? null : statOf(pid);
  return stat ? (stat.ticks * 1000) / TICKS_PER_SECOND : Number.NaN;
}

function processes(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** Null for a process that has ended meanwhile. */
function statOf(pid: number): Stat | null {
  try {
    // The name stands in brackets and may hold any character; what follows are numbers (proc(5)).
    const [, name = '', rest = ''] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const fields = rest.split(' ');
    return { name, parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
  } catch {
    return null;
  }
}
