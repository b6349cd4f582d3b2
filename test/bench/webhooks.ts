import { cpSync } from 'node:fs';
import { type Cost, costOf } from './cost.ts';
import { type Judged, judge, type Summaries, WEBHOOK_GOALS } from './goals.ts';
import { Publisher } from './load.ts';
import { LOAD_MAX, type Machine, thisMachine } from './machine.ts';
import { type Amounts, type Bench, type Measured, measure, PHASE_NAMES, type PhaseName, summaryOf } from './phases.ts';
import { countProblem, type LogLine, type Served, serve } from './serve.ts';
import { Subscribers } from './subscribers.ts';
import { bundleWorkers, eachWorker, makeWorld, type OfEach, WORKERS, type World } from './world.ts';

const ENTRIES: OfEach<string | null> = { service: null, floor: 'test/bench/floor/webhooks.ts' };
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
  machine: Machine;
  options: { rounds: number };
  amounts: Amounts;
  service: Summaries;
  floor: Summaries;
  cost: OfEach<Cost>;
  /** Lines that were logged as warnings or errors, counted by event. */
  problems: OfEach<Record<string, number>>;
  goals: Judged[];
}

/**
 * Measures the service and the floor in turns, phase by phase, so that what the machine does besides hits both alike.
 * @param dir an empty directory for bundles and data
 */
export async function benchWebhooks(options: Options, dir: string, say: (line: string) => void): Promise<Result> {
  const machine = thisMachine();
  if (machine.load_average.some((average) => average > LOAD_MAX)) {
    say(
      `The machine is busy (load average ${machine.load_average.join(' ')}): absolute figures and goals say little now.`,
    );
  }
  say('Bundling the service and the floor …');
  const paths = await bundleWorkers(ENTRIES, dir);
  const subscribers = await Subscribers.start();

  say('Making organizations …');
  const world = await makeWorld(paths.service, subscribers, options.rounds);
  cpSync(paths.service.stateDir, paths.floor.stateDir, { recursive: true });
  const cost = await eachWorker((name) => costOf(paths[name], { subscribers, shop: world.cost[name] }));

  const problems: OfEach<Record<string, number>> = { service: {}, floor: {} };
  const served = await eachWorker((name) => {
    const onLog = (line: LogLine) => countProblem(problems[name], line);
    return serve({ ...paths[name], onLog });
  });
  await served.service.runCron();
  const cron = setInterval(() => {
    served.service.runCron().catch(() => countProblem(problems.service, { level: 'error', event: 'cron_failed' }));
  }, CRON_EVERY_MS);
  const measured = await measureRounds({ served, world, subscribers }, options, say);
  clearInterval(cron);

  const service = summariesOf(measured.service);
  return {
    command: 'webhooks',
    machine,
    options: { rounds: options.rounds },
    amounts: options.amounts,
    service,
    floor: summariesOf(measured.floor),
    cost,
    problems,
    goals: options.isJudged ? judge(WEBHOOK_GOALS, service) : [],
  };
}

interface Stage {
  served: OfEach<Served>;
  world: World;
  subscribers: Subscribers;
}

type MeasuredPhases = Record<PhaseName, Measured[]>;

/** All rounds of all phases; neither Worker is always the first one. */
async function measureRounds(
  { served, world, subscribers }: Stage,
  { rounds, amounts }: Options,
  say: (line: string) => void,
): Promise<OfEach<MeasuredPhases>> {
  const publishers = await eachWorker(async (name) => new Publisher(served[name].port));
  say('Warming up …');
  for (const name of WORKERS) {
    const warmUp = { count: WARM_UP_EVENTS, connections: amounts.connections };
    await publishers[name].atOnce(world.warmUp[name], `${name}-warm-up-`, warmUp);
  }
  const measured = await eachWorker(async () => noneMeasured());
  for (const [number, round] of world.rounds.entries()) {
    for (const [place, phase] of PHASE_NAMES.entries()) {
      const order = (number + place) % 2 === 0 ? WORKERS : WORKERS.toReversed();
      for (const name of order) {
        say(`Round ${number + 1} of ${rounds}: ${phase}, ${name} …`);
        const bench: Bench = { served: served[name], publisher: publishers[name], subscribers, ...round[name][phase] };
        measured[name][phase].push(await measure(phase, amounts, bench, `${name}-${number}-${phase}-`));
      }
    }
  }
  for (const name of WORKERS) publishers[name].close();
  return measured;
}

function noneMeasured(): MeasuredPhases {
  // SAFETY: one for each name, as in `summariesOf`.
  return Object.fromEntries(PHASE_NAMES.map((name) => [name, []])) as unknown as MeasuredPhases;
}

function summariesOf(measured: MeasuredPhases): Summaries {
  const summaries = PHASE_NAMES.map((name) => [name, summaryOf(name, measured[name])]);
  return Object.fromEntries(summaries) as Summaries;
}
