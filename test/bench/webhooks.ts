import { cpSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { operatorOf } from '../../scripts/demo.ts';
import { ensureSecrets } from '../../scripts/secrets.ts';
import { type Cost, costOf } from './cost.ts';
import { type Judged, judge, type Summaries } from './goals.ts';
import { Publisher } from './load.ts';
import {
  type Amounts,
  type Bench,
  type Measured,
  measure,
  PHASE_NAMES,
  PHASES,
  type PhaseName,
  summaryOf,
} from './phases.ts';
import { bundle, type LogLine, serve } from './serve.ts';
import { Subscribers } from './subscribers.ts';
import { openShop, type Shop, type Subscribed } from './world.ts';

const WORKERS = ['service', 'floor'] as const;
type WorkerName = (typeof WORKERS)[number];
type OfEach<T> = Record<WorkerName, T>;

const ENTRIES: OfEach<string | null> = { service: null, floor: 'test/bench/floor/index.ts' };
const WARM_UP_EVENTS = 200;
const CRON_EVERY_MS = 60_000;

export interface Options {
  rounds: number;
  amounts: Amounts;
  /** Whether the goals are judged; too few events say nothing about them. */
  isJudged: boolean;
}

/** What `--json` prints. */
export interface Result {
  command: 'webhooks';
  started_at: string;
  versions: { node: string; wrangler: string; miniflare: string };
  machine: { cpus: number; load_average: number[] };
  options: { rounds: number };
  amounts: Amounts;
  service: Summaries;
  floor: Summaries;
  cost: OfEach<Cost>;
  /** Lines that the service logged as warnings or errors, counted by event. */
  service_problems: Record<string, number>;
  goals: Judged[];
}

/** The organizations of one round for one Worker; nothing is sent to any of them twice. */
type Round = Record<PhaseName, { shop: Shop; other?: Shop }>;

interface World {
  rounds: OfEach<Round>[];
  warmUp: OfEach<Shop>;
  cost: OfEach<Shop>;
}

/**
 * Measures the service and the floor in turns, phase by phase, so that what the machine does besides hits both alike.
 * @param dir an empty directory for bundles and data
 */
export async function benchWebhooks(options: Options, dir: string, say: (line: string) => void): Promise<Result> {
  const started = { at: new Date().toISOString(), load: loadavg().map((load) => Math.round(load * 100) / 100) };
  say('Bundling the service and the floor …');
  await Promise.all(WORKERS.map((name) => bundle(ENTRIES[name], bundleDir(dir, name))));
  const secrets = ensureSecrets(join(dir, 'secrets'));
  const subscribers = await Subscribers.start();

  say('Making organizations …');
  const world = await makeWorld(options, { dir, secrets, subscribers });
  const cost = await eachWorker((name) =>
    costOf(
      { bundleDir: bundleDir(dir, name), stateDir: stateDir(dir, name), secrets },
      { subscribers, shop: world.cost[name] },
    ),
  );

  const problems: Record<string, number> = {};
  const served = await eachWorker(async (name) => {
    const onLog = name === 'service' ? (line: LogLine) => countProblem(problems, line) : undefined;
    return serve({ bundleDir: bundleDir(dir, name), stateDir: stateDir(dir, name), secrets, onLog });
  });
  const publishers = await eachWorker(async (name) => new Publisher(served[name].port));
  const cron = setInterval(() => void served.service.runCron().catch(() => undefined), CRON_EVERY_MS);

  say('Warming up …');
  for (const name of WORKERS) {
    const load = { count: WARM_UP_EVENTS, connections: options.amounts.connections };
    await publishers[name].atOnce(world.warmUp[name], `${name}-warm-up-`, load);
  }
  const measured: OfEach<Record<string, Measured[]>> = { service: {}, floor: {} };
  for (const [number, round] of world.rounds.entries()) {
    for (const [place, phase] of PHASE_NAMES.entries()) {
      // Neither is always the first one.
      const order = (number + place) % 2 === 0 ? WORKERS : WORKERS.toReversed();
      for (const name of order) {
        say(`Round ${number + 1} of ${options.rounds}: ${phase}, ${name} …`);
        const bench: Bench = { served: served[name], publisher: publishers[name], subscribers, ...round[name][phase] };
        const result = await measure(phase, options.amounts, bench, `${name}-${number}-${phase}-`);
        measured[name][phase] = [...(measured[name][phase] ?? []), result];
      }
    }
  }
  clearInterval(cron);
  for (const name of WORKERS) publishers[name].close();
  const service = summariesOf(measured.service);
  return {
    command: 'webhooks',
    started_at: started.at,
    versions: { node: process.versions.node, wrangler: versionOf('wrangler'), miniflare: versionOf('miniflare') },
    machine: { cpus: availableParallelism(), load_average: started.load },
    options: { rounds: options.rounds },
    amounts: options.amounts,
    service,
    floor: summariesOf(measured.floor),
    cost,
    service_problems: problems,
    goals: options.isJudged ? judge(service) : [],
  };
}

interface Setting {
  dir: string;
  secrets: Record<string, string>;
  subscribers: Subscribers;
}

/** Makes all organizations in the service and gives the floor a copy of its database: the same rows, the same pages. */
async function makeWorld(options: Options, { dir, secrets, subscribers }: Setting): Promise<World> {
  const maker = await serve({ bundleDir: bundleDir(dir, 'service'), stateDir: stateDir(dir, 'service'), secrets });
  await maker.migrate();
  const operate = operatorOf(maker.baseUrl, secrets.OPERATOR_TOKEN ?? '');
  const open = (subscribed: Subscribed) => openShop(operate, subscribers, subscribed);
  const openOne = () => open({ healthy: 1, holes: 0 });
  const openRound = async (): Promise<Round> => {
    const made: Partial<Round> = {};
    for (const name of PHASE_NAMES) {
      const { here, ...phase } = PHASES[name];
      made[name] = { shop: await open(here), ...('elsewhere' in phase && { other: await open(phase.elsewhere) }) };
    }
    // SAFETY: one for each name.
    return made as Round;
  };
  const rounds: OfEach<Round>[] = [];
  for (let n = 0; n < options.rounds; n += 1) rounds.push(await eachWorker(openRound));
  const world = { rounds, warmUp: await eachWorker(openOne), cost: await eachWorker(openOne) };
  await maker.close();
  cpSync(stateDir(dir, 'service'), stateDir(dir, 'floor'), { recursive: true });
  return world;
}

/** The same for each Worker, one after the other. */
async function eachWorker<T>(make: (name: WorkerName) => Promise<T>): Promise<OfEach<T>> {
  return { service: await make('service'), floor: await make('floor') };
}

function summariesOf(measured: Record<string, Measured[]>): Summaries {
  const summaries = PHASE_NAMES.map((name) => [name, summaryOf(name, measured[name] ?? [])]);
  // SAFETY: one for each name.
  return Object.fromEntries(summaries) as Summaries;
}

function countProblem(problems: Record<string, number>, { level, event }: LogLine): void {
  if (level === 'warn' || level === 'error') problems[String(event)] = (problems[String(event)] ?? 0) + 1;
}

function bundleDir(dir: string, name: WorkerName): string {
  return join(dir, name, 'bundle');
}

function stateDir(dir: string, name: WorkerName): string {
  return join(dir, name, 'state');
}

function versionOf(name: string): string {
  const path = createRequire(import.meta.url).resolve(`${name}/package.json`);
  return JSON.parse(readFileSync(path, 'utf8')).version;
}
