import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Api, openOrganization, operatorApi, organizationApi } from '../../scripts/api.ts';
import { ensureSecrets, operatorTokenOf } from '../../scripts/secrets.ts';
import { REQUESTS_PER_MINUTE } from '../../src/platform/limits.ts';
import { nowMs } from './clock.ts';
import { type Latency, latencyOf, median, rounded } from './figures.ts';
import { BULK_GOALS, type Judged, judge } from './goals.ts';
import { Publisher, type Shop } from './load.ts';
import { LOAD_MAX, type Machine, thisMachine } from './machine.ts';
import { settle } from './phases.ts';
import { bundle, countProblem, type LogLine, type Served, type ServeOptions, serve } from './serve.ts';
import { Subscribers } from './subscribers.ts';
import { tappedCall } from './tapped.ts';

/** Items of one call, the most that it takes. */
const ITEMS = 500;
/** As often as the limiter of production lets one key call. */
const CALL_EVERY_MS = 60_000 / REQUESTS_PER_MINUTE.organizationApi;
/** What is ready before anything is timed. */
const WARM_UP_CALLS = 3;
const WARM_UP_EVENTS = 100;
const LATE_MS = 30_000;

export interface BulkOptions {
  rounds: number;
  /** Products of the organization whose stock is set. */
  products: number;
  /** How many of them are set by single calls; the time of all is taken to be as much longer. */
  singles: number;
  /** Order requests a second beside the bulk calls, and for how long. */
  rate: number;
  seconds: number;
  isJudged: boolean;
}

/** An order's webhook: publish to first byte, calm and while stocks are set. */
interface Beside {
  calm: Latency;
  busy: Latency;
  missing: number;
}

export interface BulkFigures {
  /** Setting all stocks, ms: by bulk calls, and by single calls as far as they were made, scaled. The middle round. */
  bulk_ms: number;
  singles_ms: number;
  /** Least, middle and most of the rounds. */
  ratio: { min: number; median: number; max: number };
  round_trips: number;
  slowest_batch_ms: number;
  same_database: Beside;
  other_database: Beside;
}

/** What `--json` prints. */
export interface BulkResult {
  command: 'bulk';
  machine: Machine;
  options: BulkOptions & { calls: number };
  figures: BulkFigures;
  problems: Record<string, number>;
  goals: Judged[];
}

interface World {
  /** Sets stocks. */
  orgId: string;
  apiKey: string;
  /** Take order requests: one on the same database, one on the other. */
  same: Shop;
  other: Shop;
}

/** @param dir an empty directory for bundle and data */
export async function benchBulk(options: BulkOptions, dir: string, say: (line: string) => void): Promise<BulkResult> {
  const machine = thisMachine();
  if (machine.load_average.some((average) => average > LOAD_MAX)) {
    say(`The machine is busy (load average ${machine.load_average.join(' ')}): figures and goals say little now.`);
  }
  say('Bundling the service …');
  const paths: ServeOptions = {
    ...{ bundleDir: join(dir, 'bundle'), stateDir: join(dir, 'state'), secrets: ensureSecrets(join(dir, 'secrets')) },
    databases: ['DB', 'DB_1'],
  };
  await bundle(null, paths.bundleDir);
  const subscribers = await Subscribers.start();
  say('Making organizations …');
  const world = await makeWorld(paths, subscribers, options.products);
  say('Looking at each batch …');
  const batches = await tapBatches(paths, world, options);

  const problems: Record<string, number> = {};
  const served = await serve({ ...paths, onLog: (line: LogLine) => countProblem(problems, line) });
  await served.runCron();
  const erp = await Erp.open(served, world, options.products);
  const speed = await measureSpeed(erp, options, say);
  const publisher = new Publisher(served.port);
  const beside = async (name: string, shop: Shop) =>
    measureBeside({ served, subscribers, publisher, erp, shop, name }, options, say);
  const figures: BulkFigures = {
    ...speed,
    ...batches,
    same_database: await beside('same', world.same),
    other_database: await beside('other', world.other),
  };
  publisher.close();
  erp.close();
  return {
    command: 'bulk',
    machine,
    options: { ...options, calls: erp.calls },
    figures,
    problems,
    goals: options.isJudged ? judge(BULK_GOALS, figures) : [],
  };
}

async function makeWorld(paths: ServeOptions, subscribers: Subscribers, products: number): Promise<World> {
  const served = await serve(paths);
  await served.migrate();
  const operate = operatorApi(served.baseUrl, operatorTokenOf(paths.secrets));
  await served.ask(
    `insert into catalog_products (p1_id, name, name_folded, slug, category, price_cents, prescription_required, created_at, updated_at)
     with recursive n(i) as (select 0 union all select i + 1 from n where i < ?1 - 1)
     select 'P1-' || (10001 + i), 'Produkt ' || i, 'produkt ' || i, 'product-' || i, 'Schmerzmittel', 495, 0, 0, 0 from n`,
    products,
  );
  const { orgId, keyFor } = await openOrganization(operate, { name: 'erp', shard: 0 }, 'erp.localhost');
  await served.ask(
    `insert into inventory (org_id, p1_id, stock_quantity, is_short, created_at, updated_at)
     select ?1, p1_id, 500, 0, 0, 0 from catalog_products`,
    orgId,
  );
  const world = {
    orgId,
    apiKey: await keyFor(['inventory.write']),
    same: await openShop(operate, subscribers, 'same', 0),
    other: await openShop(operate, subscribers, 'other', 1),
  };
  await served.close();
  return world;
}

async function openShop(operate: Api, subscribers: Subscribers, name: string, shard: number): Promise<Shop> {
  const host = `${name}.localhost`;
  const { orgId, integrationKey: key, within } = await openOrganization(operate, { name, shard }, host);
  const url = subscribers.url(`/healthy/${name}/0`);
  await within('/subscriptions', { url, event_types: ['order_request_submitted'] });
  return { orgId, host, key };
}

/** A program that sets all stocks, again and again, one call after the other. */
class Erp {
  readonly calls: number;
  private readonly call: Api;
  private readonly agent: Agent;
  private readonly products: number;
  private turn = 0;

  private constructor(call: Api, agent: Agent, products: number) {
    this.call = call;
    this.agent = agent;
    this.products = products;
    this.calls = Math.ceil(products / ITEMS);
  }

  static async open(served: Served, { orgId, apiKey }: World, products: number): Promise<Erp> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    return new Erp(await organizationApi(served.baseUrl, orgId, apiKey, agent), agent, products);
  }

  /** @returns how long it took, ms */
  async bulk(calls = this.calls): Promise<number> {
    const begun = nowMs();
    const stock = this.nextStock();
    for (let n = 0; n < calls; n += 1) await this.bulkCall(n, stock);
    return nowMs() - begun;
  }

  /** Until the signal, as often as production allows. */
  async bulkUntil(signal: AbortSignal): Promise<void> {
    for (let n = 0; !signal.aborted; n += 1) {
      const begun = nowMs();
      await this.bulkCall(n % this.calls, n % this.calls === 0 ? this.nextStock() : this.stock);
      await delay(Math.max(0, begun + CALL_EVERY_MS - nowMs()), undefined, { signal }).catch(() => undefined);
    }
  }

  async singles(count: number): Promise<number> {
    const begun = nowMs();
    const stock_quantity = this.nextStock();
    for (let n = 0; n < count; n += 1) await this.call('PATCH', `/inventory/${idOf(n)}`, { stock_quantity });
    return nowMs() - begun;
  }

  close(): void {
    this.agent.destroy();
  }

  private get stock(): number {
    return 500 + this.turn;
  }

  /** Another one than before, so that each item moves. */
  private nextStock(): number {
    this.turn = (this.turn + 1) % 100;
    return this.stock;
  }

  private async bulkCall(n: number, stock_quantity: number): Promise<void> {
    const length = Math.min(ITEMS, this.products - n * ITEMS);
    const items = Array.from({ length }, (_, index) => ({ p1_id: idOf(n * ITEMS + index), stock_quantity }));
    const { summary } = await this.call('PATCH', '/inventory', { items });
    if (summary.updated !== length) throw new Error(`A bulk call changed ${JSON.stringify(summary)}`);
  }
}

function idOf(n: number): string {
  return `P1-${10_001 + n}`;
}

/** What each bulk call asks of D1, from a service whose bindings are tapped; nothing else is timed there. */
async function tapBatches(paths: ServeOptions, world: World, { products }: BulkOptions) {
  const batches: LogLine[] = [];
  const onLog = (line: LogLine) => {
    if (tappedCall(line)?.method === 'batch') batches.push(line);
  };
  const served = await serve({ ...paths, isTapped: true, onLog });
  const erp = await Erp.open(served, world, products);
  await erp.bulk(Math.min(WARM_UP_CALLS, erp.calls));
  batches.length = 0;
  await erp.bulk();
  erp.close();
  await served.close();
  const times = batches.map((line) => tappedCall(line)?.sql_ms ?? Number.NaN);
  return { round_trips: rounded(batches.length / erp.calls), slowest_batch_ms: rounded(Math.max(...times)) };
}

async function measureSpeed(erp: Erp, { rounds, products, singles }: BulkOptions, say: (line: string) => void) {
  say('Warming up …');
  await erp.bulk(Math.min(WARM_UP_CALLS, erp.calls));
  await erp.singles(Math.min(singles, WARM_UP_EVENTS));
  const measured: { bulk: number; singles: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    say(`Round ${round + 1} of ${rounds}: ${products} stocks by bulk, ${singles} by single calls …`);
    measured.push({ bulk: await erp.bulk(), singles: ((await erp.singles(singles)) * products) / singles });
  }
  const ratios = measured.map((each) => each.bulk / each.singles);
  const middle = (of: (round: (typeof measured)[number]) => number) => rounded(median(measured.map(of)) ?? Number.NaN);
  return {
    bulk_ms: middle(({ bulk }) => bulk),
    singles_ms: middle((round) => round.singles),
    ratio: {
      min: rounded(Math.min(...ratios)),
      median: rounded(median(ratios) ?? Number.NaN),
      max: rounded(Math.max(...ratios)),
    },
  };
}

interface Stage {
  served: Served;
  subscribers: Subscribers;
  publisher: Publisher;
  erp: Erp;
  shop: Shop;
  name: string;
}

/** Calm and busy in turns, so that what the machine does besides hits both. */
async function measureBeside(stage: Stage, options: BulkOptions, say: (line: string) => void): Promise<Beside> {
  const { publisher, erp, shop, name } = stage;
  await publisher.atOnce(shop, `${name}-warm-up-`, { count: WARM_UP_EVENTS, connections: 4 });
  const [calm, busy]: [Sent[], Sent[]] = [[], []];
  for (let round = 0; round < options.rounds; round += 1) {
    say(
      `Round ${round + 1} of ${options.rounds}: order requests on the ${name} database, calm and beside bulk calls …`,
    );
    calm.push(await publishSteadily(stage, `${name}-calm-${round}-`, options));
    const done = new AbortController();
    const working = erp.bulkUntil(done.signal);
    try {
      busy.push(await publishSteadily(stage, `${name}-busy-${round}-`, options));
    } finally {
      done.abort();
      await working;
    }
  }
  const times = (of: readonly Sent[]) => latencyOf(of.flatMap(({ firstBytes }) => firstBytes));
  const missing = [...calm, ...busy].reduce((sum, each) => sum + each.missing, 0);
  return { calm: times(calm), busy: times(busy), missing };
}

interface Sent {
  firstBytes: number[];
  missing: number;
}

async function publishSteadily(
  { served, subscribers, publisher, shop }: Stage,
  prefix: string,
  options: BulkOptions,
): Promise<Sent> {
  const { rate, seconds } = options;
  subscribers.begin(prefix);
  const sent = await publisher.steadily(shop, prefix, { rate, count: rate * seconds });
  const arrivals = await subscribers.collect(sent.length, LATE_MS);
  const endedAt = nowMs();
  await settle(served, [shop]);
  const arrivedAt = new Map(arrivals.map(({ reference, at }) => [reference, at]));
  return {
    firstBytes: sent.map(({ reference, sentAt }) => (arrivedAt.get(reference) ?? endedAt) - sentAt),
    missing: sent.filter(({ reference }) => !arrivedAt.has(reference)).length,
  };
}
