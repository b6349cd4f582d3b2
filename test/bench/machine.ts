import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import packages from '../../package.json' with { type: 'json' };

/** At or above it, other work on the machine is measured as well. */
const LOAD_MAX = 1;
const QUIET_POLL_MS = 5_000;
/** The average of the last minute falls below the bound within it, however high it was, once the other work has ended. */
const QUIET_MS_MAX = 300_000;

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

/**
 * Waits until nothing else keeps the machine busy, for at most five minutes.
 * @throws Error when something does all the time
 */
export async function waitForQuiet(say: (line: string) => void): Promise<void> {
  const deadline = Date.now() + QUIET_MS_MAX;
  if (lastMinute() >= LOAD_MAX) say(`Waiting for a load average below ${LOAD_MAX}; it is ${lastMinute().toFixed(2)} …`);
  while (lastMinute() >= LOAD_MAX) {
    if (Date.now() > deadline) {
      throw new Error(
        `The machine is busy: load average ${lastMinute().toFixed(2)}, and ratios need one below ${LOAD_MAX}. ` +
          'End the other work, or measure all the same with --busy.',
      );
    }
    await delay(QUIET_POLL_MS);
  }
}

function lastMinute(): number {
  return loadavg()[0] ?? 0;
}
