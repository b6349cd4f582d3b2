import { Line } from '../../scripts/fuzz/request.ts';
import { nowMs } from './clock.ts';
import { cpuMsOf } from './cpu.ts';
import { type Latency, latencyOf, median, rounded } from './figures.ts';
import { ask } from './observe.ts';
import { type EachRoute, eachRoute, type Pharmacies, ROUTE_NAMES, type RouteName } from './routes.ts';
import type { Served } from './serve.ts';
import { eachWorker, type OfEach, WORKERS } from './world.ts';

/** Of each route, before anything is measured: until then code is compiled. */
const WARM_UP_SECONDS = 2;

export interface Pace {
  rounds: number;
  /** Length of each measurement. */
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

/** One measurement. */
interface Run {
  requestsPerSecond: number;
  latencies: number[];
  cpuMsPerRequest: number;
}

/** Measures the two Workers in turns at each route; neither is always the first one. */
export async function measureRounds(
  served: OfEach<Served>,
  pharmacies: Pharmacies,
  { rounds, seconds, connections }: Pace,
  say: (line: string) => void,
): Promise<EachRoute<Compared>> {
  const lines = await eachWorker(async (name) => new Line(served[name].port));
  const runOf = (worker: (typeof WORKERS)[number], route: RouteName, length: number) =>
    runFor({ seconds: length, connections }, () => ask(lines[worker], route, pharmacies), served[worker].pid);
  say('Warming up …');
  for (const route of ROUTE_NAMES) {
    for (const worker of WORKERS) await runOf(worker, route, Math.min(WARM_UP_SECONDS, seconds));
  }
  /** The service and the floor of the same round beside each other. */
  const measured = eachRoute((): OfEach<Run>[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [place, route] of ROUTE_NAMES.entries()) {
      const isFloorFirst = (round + place) % 2 === 1;
      say(`Round ${round + 1} of ${rounds}: ${route} …`);
      const first = await runOf(isFloorFirst ? 'floor' : 'service', route, seconds);
      const second = await runOf(isFloorFirst ? 'service' : 'floor', route, seconds);
      measured[route].push(isFloorFirst ? { service: second, floor: first } : { service: first, floor: second });
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
  const [begunAt, cpuBefore] = [nowMs(), cpuMsOf(pid)];
  const connection = async () => {
    for (let sentAt = nowMs(); sentAt < begunAt + seconds * 1000; sentAt = nowMs()) {
      await send();
      latencies.push(nowMs() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  const cpuMs = cpuMsOf(pid) - cpuBefore;
  const requestsPerSecond = (latencies.length * 1000) / (nowMs() - begunAt);
  return { requestsPerSecond, latencies, cpuMsPerRequest: cpuMs / latencies.length };
}

function comparedOf(rounds: readonly OfEach<Run>[]): Compared {
  return {
    service: measuredOf(rounds.map(({ service }) => service)),
    floor: measuredOf(rounds.map(({ floor }) => floor)),
    requests_per_second_ratio: ratioOf(rounds, ({ requestsPerSecond }) => requestsPerSecond),
    cpu_ratio: ratioOf(rounds, ({ cpuMsPerRequest }) => cpuMsPerRequest),
  };
}

function measuredOf(runs: readonly Run[]): Measured {
  const middle = (of: (run: Run) => number) => rounded(median(runs.map(of)) ?? Number.NaN);
  return {
    requests_per_second: middle(({ requestsPerSecond }) => requestsPerSecond),
    latency_ms: latencyOf(runs.flatMap(({ latencies }) => latencies)),
    cpu_ms_per_request: middle(({ cpuMsPerRequest }) => cpuMsPerRequest),
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
