import { availableParallelism, loadavg } from 'node:os';
import packages from '../../package.json' with { type: 'json' };

const LOAD_MAX = 1;

/** What a run was made with. */
export interface Machine {
  started_at: string;
  versions: { node: string; wrangler: string; miniflare: string };
  cpus: number;
  /** Of 1, 5 and 15 minutes, at the start. */
  load_average: number[];
}

export function thisMachine(): Machine {
  const { node, wrangler, miniflare } = packages.devDependencies;
  return {
    started_at: new Date().toISOString(),
    versions: { node, wrangler, miniflare },
    cpus: availableParallelism(),
    load_average: loadavg().map((average) => Math.round(average * 100) / 100),
  };
}

/** @throws Error when the load average of the last minute shows other work on the machine: it would be measured as well */
export function requireQuiet(): void {
  const [lastMinute = 0] = loadavg();
  if (lastMinute < LOAD_MAX) return;
  throw new Error(
    `The machine is busy: load average ${lastMinute.toFixed(2)}, and ratios need one below ${LOAD_MAX}. ` +
      'End the other work and wait a minute, or measure all the same with --busy.',
  );
}
