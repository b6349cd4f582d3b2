import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { type Answer, Line, type Sent } from '../../scripts/fuzz/request.ts';
import { ensureSecrets } from '../../scripts/secrets.ts';
import { nowMs } from './clock.ts';
import { cpuMsOf } from './cpu.ts';
import { type Latency, latencyOf, median, rounded } from './figures.ts';
import { type Judged, judge, REQUEST_GOALS } from './goals.ts';
import { type Machine, thisMachine, waitForQuiet } from './machine.ts';
import { openPharmacies, type Size } from './pharmacies.ts';
import { costOfMillion } from './prices.ts';
import { type Pharmacies, ROUTE_NAMES, ROUTES, type RouteName } from './routes.ts';
import { bundle, countProblem, type LogLine, type Served, type ServeOptions, serve } from './serve.ts';
import { type Counts, type Observed, Tap } from './tapped.ts';
import { eachWorker, type OfEach, WORKERS } from './world.ts';

const ENTRIES: OfEach<string | null> = { service: null, floor: 'test/bench/floor/replay.ts' };
/** Of each route, before anything is measured: until then code is compiled. */
const WARM_UP_SECONDS = 2;

export interface RequestOptions {
  rounds: number;
  /** Length of each measurement. */
  seconds: number;
  connections: number;
  size: Size;
  /** Whether the goals are judged. */
  isJudged: boolean;
  /** Measures although the machine does something else. */
  isBusy: boolean;
}

/** One Worker at one route, over all rounds: latencies of all of them together, the others of the middle one. */
export interface Measured {
  requests_per_second: number;
  latency_ms: Latency;
  /** User and system, of the process that runs the Worker and the local databases. */
  cpu_ms_per_request: number;
}

/** The service divided by the floor in the same round. */
export interface Ratio {
  median: number;
  min: number;
  max: number;
}

export interface OfRoute {
  service: Measured;
  floor: Measured;
  requests_per_second_ratio: Ratio;
  cpu_ratio: Ratio;
  counts: OfEach<Counts>;
  /** US dollars (prices.ts). */
  cost_of_a_million: number;
}

export type OfRoutes = Record<RouteName, OfRoute>;

/** What `--json` prints. */
export interface RequestsResult {
  command: 'requests';
  machine: Machine;
  options: { rounds: number; seconds: number; connections: number; requests: number; products: number; busy: boolean };
  routes: OfRoutes;
  /** Lines that were logged as warnings or errors, counted by event. */
  problems: OfEach<Record<string, number>>;
  goals: Judged[];
}

/**
 * Measures the routes of the service and of the floor in turns, in one run: what the machine does besides hits both.
 * @param dir an empty directory for bundles and data
 */
export async function benchRequests(
  options: RequestOptions,
  dir: string,
  say: (line: string) => void,
): Promise<RequestsResult> {
  if (!options.isBusy) await waitForQuiet(say);
  const machine = thisMachine();
  say('Bundling the service and the floor …');
  const secrets = ensureSecrets(join(dir, 'secrets'));
  const paths = await eachWorker(async (name) => {
    const [bundleDir, stateDir] = [join(dir, name, 'bundle'), join(dir, name, 'state')];
    await bundle(ENTRIES[name], bundleDir);
    return { bundleDir, stateDir, secrets };
  });

  say('Filling two pharmacies, and recording what each route asks of the platform …');
  const { pharmacies, observed } = await observeService(paths.service, options.size);
  cpSync(paths.service.stateDir, paths.floor.stateDir, { recursive: true });
  const recordings = eachRoute((name) => observed[name].recording);
  const floor = { ...paths.floor, secrets: { ...secrets, RECORDINGS: JSON.stringify(recordings) } };
  const ofFloor = await observeFloor(floor, pharmacies);

  const problems: OfEach<Record<string, number>> = { service: {}, floor: {} };
  const served = await eachWorker((name) => {
    const onLog = (line: LogLine) => countProblem(problems[name], line);
    return serve({ ...(name === 'floor' ? floor : paths.service), onLog });
  });
  const rounds = await measureRounds(served, pharmacies, options, say);
  const routes = eachRoute((name) => {
    const counts = { service: observed[name].counts, floor: ofFloor[name].counts };
    return { ...summaryOf(rounds[name]), counts, cost_of_a_million: costOfMillion(counts.service) };
  });
  return {
    command: 'requests',
    machine,
    options: {
      rounds: options.rounds,
      seconds: options.seconds,
      connections: options.connections,
      ...options.size,
      busy: options.isBusy,
    },
    routes,
    problems,
    goals: options.isJudged ? judge(REQUEST_GOALS, routes) : [],
  };
}

/** Makes the data, and sends one request of each route. The one before it fills what the isolate keeps for later requests. */
export async function observeService(
  paths: ServeOptions,
  size: Size,
): Promise<{ pharmacies: Pharmacies; observed: Record<RouteName, Observed> }> {
  const tap = new Tap();
  const served = await serve({ ...paths, isTapped: true, onLog: tap.onLog });
  await served.migrate();
  const token = paths.secrets.OPERATOR_TOKEN ?? '';
  const pharmacies = await openPharmacies(served, token, size, ['asked', 'ordering']);
  await observeRoutes(served, tap, pharmacies);
  const observed = await observeRoutes(served, tap, pharmacies);
  await served.close();
  return { pharmacies, observed };
}

async function observeFloor(options: ServeOptions, pharmacies: Pharmacies): Promise<Record<RouteName, Observed>> {
  const tap = new Tap();
  const served = await serve({ ...options, isTapped: true, onLog: tap.onLog });
  const observed = await observeRoutes(served, tap, pharmacies);
  await served.close();
  return observed;
}

async function observeRoutes(served: Served, tap: Tap, pharmacies: Pharmacies): Promise<Record<RouteName, Observed>> {
  const line = new Line(served.port);
  const observed: Partial<Record<RouteName, Observed>> = {};
  for (const name of ROUTE_NAMES) observed[name] = await tap.observe(() => ask(line, name, pharmacies));
  line.close();
  // SAFETY: one for each name.
  return observed as Record<RouteName, Observed>;
}

/** @throws Error unless it is answered as it should be: the bench measures nothing else */
async function ask(line: Line, name: RouteName, pharmacies: Pharmacies): Promise<Answer> {
  const { headers, ...sent }: Sent = ROUTES[name].request(pharmacies);
  const answer = await line.send({ ...sent, headers: { ...headers, 'X-Bench-Route': name } });
  if (answer.status !== 200) throw new Error(`${name} was answered with ${answer.status}: ${answer.text}`);
  return answer;
}

/** One measurement. */
interface Run {
  requestsPerSecond: number;
  latencies: number[];
  cpuMsPerRequest: number;
}

/** The service and the floor of the same round beside each other. */
type Rounds = Record<RouteName, OfEach<Run>[]>;

/** Neither Worker is always the first one. */
async function measureRounds(
  served: OfEach<Served>,
  pharmacies: Pharmacies,
  { rounds, seconds, connections }: RequestOptions,
  say: (line: string) => void,
): Promise<Rounds> {
  const lines = await eachWorker(async (name) => new Line(served[name].port));
  const runOf = (worker: (typeof WORKERS)[number], route: RouteName, length: number) =>
    runFor({ seconds: length, connections }, () => ask(lines[worker], route, pharmacies), served[worker].pid);
  say('Warming up …');
  for (const route of ROUTE_NAMES) {
    for (const worker of WORKERS) await runOf(worker, route, Math.min(WARM_UP_SECONDS, seconds));
  }
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
  return measured;
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

function summaryOf(rounds: readonly OfEach<Run>[]) {
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

function eachRoute<T>(make: (name: RouteName) => T): Record<RouteName, T> {
  // SAFETY: one for each name.
  return Object.fromEntries(ROUTE_NAMES.map((name) => [name, make(name)])) as Record<RouteName, T>;
}
