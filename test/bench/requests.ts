import { cpSync } from 'node:fs';
import { rounded } from './figures.ts';
import type { Recording } from './floor/recording.ts';
import { type Judged, judge } from './goals.ts';
import { type Machine, requireQuiet, thisMachine } from './machine.ts';
import { observe } from './observe.ts';
import type { Size } from './pharmacies.ts';
import { type Compared, measureRounds, type Pace } from './rounds.ts';
import { type EachRoute, eachRoute } from './routes.ts';
import { bundleWorkers, eachWorker, type LogLine, type OfEach, serve } from './serve.ts';
import type { Counts } from './tapped.ts';

const ENTRIES: OfEach<string | null> = { service: null, floor: 'test/bench/floor/replay.ts' };

export interface RequestOptions {
  pace: Pace;
  size: Size;
  /** Whether the goals are judged. */
  isJudged: boolean;
  /** Measures although the machine does something else. */
  isBusy: boolean;
}

export interface OfRoute extends Compared {
  /** What one request calls: steps in order, each with what was under way at once; `binding.method`. */
  calls: OfEach<string[][]>;
  counts: OfEach<Counts>;
  /** US dollars. */
  cost_of_a_million: number;
}

/** What `--json` prints. */
export interface RequestsResult {
  machine: Machine;
  options: Pace & Size & { busy: boolean };
  routes: EachRoute<OfRoute>;
  /** Lines that were logged as warnings or errors, counted by event. */
  problems: OfEach<Record<string, number>>;
  goals: Judged[];
}

/**
 * Measures the routes of the service and of the floor in turns, in one run: what the machine does besides hits both.
 * @param dir an empty directory for bundles and data
 */
export async function benchRequests(
  { pace, size, isJudged, isBusy }: RequestOptions,
  dir: string,
  say: (line: string) => void,
): Promise<RequestsResult> {
  if (!isBusy) requireQuiet();
  const machine = thisMachine();
  say('Bundling the service and the floor …');
  const paths = await bundleWorkers(ENTRIES, dir);

  say('Filling two pharmacies, and recording what each route asks of the platform …');
  const { pharmacies, observed } = await observe(paths.service, size);
  cpSync(paths.service.stateDir, paths.floor.stateDir, { recursive: true });
  const recordings = eachRoute((name) => observed[name].recording);
  const floor = { ...paths.floor, secrets: { ...paths.floor.secrets, RECORDINGS: JSON.stringify(recordings) } };
  const { observed: ofFloor } = await observe(floor, pharmacies);

  const problems: OfEach<Record<string, number>> = { service: {}, floor: {} };
  const served = await eachWorker((name) => {
    const onLog = ({ level, event }: LogLine) => {
      if (level !== 'info') problems[name][String(event)] = (problems[name][String(event)] ?? 0) + 1;
    };
    return serve({ ...(name === 'floor' ? floor : paths.service), onLog });
  });
  const compared = await measureRounds(served, pharmacies, pace, say);
  const routes = eachRoute((name): OfRoute => {
    const [service, floor] = [observed[name], ofFloor[name]];
    return {
      ...compared[name],
      calls: { service: callsOf(service.recording), floor: callsOf(floor.recording) },
      counts: { service: service.counts, floor: floor.counts },
      cost_of_a_million: costOfMillion(service.counts),
    };
  });
  return {
    machine,
    options: { ...pace, ...size, busy: isBusy },
    routes,
    problems,
    goals: isJudged ? judge(routes) : [],
  };
}

function callsOf({ steps, afterAnswer }: Recording): string[][] {
  return [...steps, ...afterAnswer].map((step) => step.map(({ binding, method }) => `${binding}.${method}`));
}

/**
 * What Cloudflare asks for a million, in US dollars, beyond what the Workers Paid plan includes. As published in August 2026:
 * developers.cloudflare.com/workers/platform/pricing, /d1/platform/pricing, /queues/platform/pricing and /r2/pricing.
 * Storage is not in it; nor is CPU time (0.02 for a million ms), which locally cannot be told apart from the database's.
 */
const PER_MILLION = {
  requests: 0.3,
  rows_read: 0.001,
  rows_written: 1,
  queue_operations: 0.4,
  /** Class A operations. */
  r2_writes: 4.5,
  /** Class B operations. */
  r2_reads: 0.36,
};

/** What a million such requests cost, in US dollars. */
function costOfMillion(counts: Counts): number {
  const each = { requests: 1, ...counts };
  // SAFETY: these are the keys of the object literal above.
  const names = Object.keys(PER_MILLION) as (keyof typeof PER_MILLION)[];
  return rounded(names.reduce((total, name) => total + each[name] * PER_MILLION[name], 0));
}
