import { cpuMsOf } from './cpu.ts';
import { type Latency, latencyOf, median, rounded } from './figures.ts';
import { ask, Line } from './observe.ts';
import type { Pharmacies } from './pharmacies.ts';
import { type EachRoute, eachRoute, ROUTE_NAMES, type RouteName } from './routes.ts';
import { eachWorker, type OfEach, type Served, WORKERS } from './serve.ts';

/**
 * Of each route, before anything is measured. V8 compiles for thousands of requests, and the more the larger a Worker is; an
 * isolate in production has done with that.
 */
const WARM_UP_SECONDS = 8;
/**
 * A measurement goes back and forth between the Workers in turns of this length: a machine that is slower for some seconds is so
 * for both.
 */
const TURN_SECONDS = 0.5;

export interface Pace {
  rounds: number;
  /** Length of each measurement, all of its turns together. */
  seconds: number;
  connections: number;
}

/** One Worker at one route, over all rounds: latencies of all of them together, the others of the middle one. */
export interface Measured {
  requests_per_second: number;
  latency_ms: Latency;
  /** User and system, of the process that runs the Worker and the local databases. */
  cpu_ms_per_request: number;
}

/** Both Workers at one route. */
export interface Compared extends OfEach<Measured> {
  requests_per_second_ratio: Ratio;
  cpu_ratio: Ratio;
}

/** The service divided by the floor in the same round. */
export interface Ratio {
  median: number;
  min: number;
  max: number;
}

/** What a Worker answered in one turn, or in several together. */
interface Run {
  latencies: number[];
  ms: number;
  cpuMs: number;
}

/** Measures the two Workers in turns at each route; neither is always the first one. */
export async function measureRounds(
  served: OfEach<Served>,
  pharmacies: Pharmacies,
  { rounds, seconds, connections }: Pace,
  say: (line: string) => void,
): Promise<EachRoute<Compared>> {
  const lines = await eachWorker(async (name) => new Line(served[name].port));
  const turnOf = (worker: (typeof WORKERS)[number], route: RouteName, length: number) =>
    runFor({ seconds: length, connections }, () => ask(lines[worker], route, pharmacies), served[worker].pid);
  /** The two Workers beside each other. @param first which comes first: 0 or 1, and the other one in the next turn */
  const measure = async (route: RouteName, length: number, first: number): Promise<OfEach<Run>> => {
    const turns = Math.max(1, Math.round(length / TURN_SECONDS));
    const measured: OfEach<Run[]> = { service: [], floor: [] };
    for (let turn = first; turn < first + turns; turn += 1) {
      const order = turn % 2 === 0 ? WORKERS : WORKERS.toReversed();
      for (const worker of order) measured[worker].push(await turnOf(worker, route, length / turns));
    }
    return eachWorker(async (name) => {
      await served[name].removeFiles();
      return together(measured[name]);
    });
  };
  say('Warming up …');
  for (const route of ROUTE_NAMES) await measure(route, Math.min(WARM_UP_SECONDS, 2 * seconds), 0);
  const measured = eachRoute((): OfEach<Run>[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [place, route] of ROUTE_NAMES.entries()) {
      say(`Round ${round + 1} of ${rounds}: ${route} …`);
      measured[route].push(await measure(route, seconds, (round + place) % 2));
    }
  }
  for (const worker of WORKERS) lines[worker].close();
  return eachRoute((name) => comparedOf(measured[name]));
}

/** Each connection sends its next request once the one before is answered. */
async function runFor(
  { seconds, connections }: { seconds: number; connections: number },
  send: () => Promise<unknown>,
  pid: number | undefined,
): Promise<Run> {
  const latencies: number[] = [];
  const [begunAt, cpuBefore] = [performance.now(), cpuMsOf(pid)];
  const connection = async () => {
    for (let sentAt = performance.now(); sentAt < begunAt + seconds * 1000; sentAt = performance.now()) {
      await send();
      latencies.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return { latencies, ms: performance.now() - begunAt, cpuMs: cpuMsOf(pid) - cpuBefore };
}

function together(runs: readonly Run[]): Run {
  const sum = (of: (run: Run) => number) => runs.reduce((total, run) => total + of(run), 0);
  return { latencies: runs.flatMap((run) => run.latencies), ms: sum((run) => run.ms), cpuMs: sum((run) => run.cpuMs) };
}

function requestsPerSecond({ latencies, ms }: Run): number {
  return (latencies.length * 1000) / ms;
}

function cpuMsPerRequest({ latencies, cpuMs }: Run): number {
  return cpuMs / latencies.length;
}

function comparedOf(rounds: readonly OfEach<Run>[]): Compared {
  return {
    service: measuredOf(rounds.map(({ service }) => service)),
    floor: measuredOf(rounds.map(({ floor }) => floor)),
    requests_per_second_ratio: ratioOf(rounds, requestsPerSecond),
    cpu_ratio: ratioOf(rounds, cpuMsPerRequest),
  };
}

function measuredOf(runs: readonly Run[]): Measured {
  const middle = (of: (run: Run) => number) => rounded(median(runs.map(of)) ?? Number.NaN);
  return {
    requests_per_second: middle(requestsPerSecond),
    latency_ms: latencyOf(runs.flatMap(({ latencies }) => latencies)),
    cpu_ms_per_request: middle(cpuMsPerRequest),
  };
}

function ratioOf(rounds: readonly OfEach<Run>[], of: (run: Run) => number): Ratio {
  const ratios = rounds.map(({ service, floor }) => of(service) / of(floor));
  return {
    median: rounded(median(ratios) ?? Number.NaN),
    min: rounded(Math.min(...ratios)),
    max: rounded(Math.max(...ratios)),
  };
}
