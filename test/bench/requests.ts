import { cpSync } from 'node:fs';
import type { Recording } from './floor/recording.ts';
import { type Judged, judge, REQUEST_GOALS } from './goals.ts';
import { type Machine, thisMachine, waitForQuiet } from './machine.ts';
import { observeFloor, observeService } from './observe.ts';
import type { Size } from './pharmacies.ts';
import { costOfMillion } from './prices.ts';
import { type Compared, measureRounds, type Pace } from './rounds.ts';
import { type EachRoute, eachRoute } from './routes.ts';
import { countProblem, type LogLine, serve } from './serve.ts';
import type { Counts } from './tapped.ts';
import { bundleWorkers, eachWorker, type OfEach } from './world.ts';

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
  /** US dollars (prices.ts). */
  cost_of_a_million: number;
}

/** What `--json` prints. */
export interface RequestsResult {
  command: 'requests';
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
  if (!isBusy) await waitForQuiet(say);
  const machine = thisMachine();
  say('Bundling the service and the floor …');
  const paths = await bundleWorkers(ENTRIES, dir);

  say('Filling two pharmacies, and recording what each route asks of the platform …');
  const { pharmacies, observed } = await observeService(paths.service, size);
  cpSync(paths.service.stateDir, paths.floor.stateDir, { recursive: true });
  const recordings = eachRoute((name) => observed[name].recording);
  const floor = { ...paths.floor, secrets: { ...paths.floor.secrets, RECORDINGS: JSON.stringify(recordings) } };
  const ofFloor = await observeFloor(floor, pharmacies);

  const problems: OfEach<Record<string, number>> = { service: {}, floor: {} };
  const served = await eachWorker((name) => {
    const onLog = (line: LogLine) => countProblem(problems[name], line);
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
    command: 'requests',
    machine,
    options: { ...pace, ...size, busy: isBusy },
    routes,
    problems,
    goals: isJudged ? judge(REQUEST_GOALS, routes) : [],
  };
}

function callsOf({ steps, afterAnswer }: Recording): string[][] {
  return [...steps, ...afterAnswer].map((step) => step.map(({ binding, method }) => `${binding}.${method}`));
}
