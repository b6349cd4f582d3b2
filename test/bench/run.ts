/**
 * `npm run bench`: the routes of the service beside a floor Worker that makes the same calls and nothing else. Ends with 1
 * when a goal is missed (goals.ts). A quarter of an hour with the defaults.
 * `npm run bench -- webhooks`: how fast webhooks leave, beside another floor Worker. Ends with 1 as above; ten minutes.
 * `npm run bench -- bulk`: many stocks by few calls beside single ones, and what orders notice of it; five minutes.
 * `npm run bench -- capacity`: what one order costs a database in bytes, rows and round trips, as JSON; a minute.
 *
 *   --json         one JSON object on stdout instead of the table (with npm: `npm run --silent bench -- --json`)
 *   --rounds 5     how often everything is measured, the two Workers in turns (webhooks: 3)
 *   --seconds 10   length of a measurement (webhooks: of a phase at a steady rate, 20)
 *   --no-goals     measures only
 * The routes:
 *   --requests 10000   order requests of each of two pharmacies
 *   --products 10000   products that each of them holds
 *   --busy         does not wait until the load average is below 1; the output then says so
 * Webhooks:
 *   --rate 5       publishes a second at a steady rate
 *   --events 3000  publishes of a burst; a small burst has a third of them
 * Bulk: --products, --rate, --seconds as above (10 s), --rounds 3
 *   --singles 1000  single calls, whose time is scaled to all products
 * Capacity:
 *   --lives 500    orders that are counted
 */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { benchBulk } from './bulk.ts';
import { bulkTable } from './bulk-report.ts';
import { measureCapacity } from './capacity.ts';
import type { Judged } from './goals.ts';
import { benchRequests } from './requests.ts';
import { requestsTable } from './requests-report.ts';
import { closeAll, makeWorkDir } from './serve.ts';
import { benchWebhooks } from './webhooks.ts';
import { webhooksTable } from './webhooks-report.ts';

const CONNECTIONS = 16;
const REQUESTS_MAX = 1_000_000;
/** Their ids have five digits. */
const PRODUCTS_MAX = 80_000;
const RUN_MS_MAX = 3_600_000;

interface Outcome {
  /** What `--json` prints. */
  result: unknown;
  table: string;
  goals: readonly Judged[];
}

type Given = ReturnType<typeof readArguments>;
type Command = (given: Given, dir: string, say: (line: string) => void) => Promise<Outcome>;

const COMMANDS: Record<string, Command> = {
  async requests({ values, whole }, dir, say) {
    const pace = { rounds: whole('rounds', 5, 20), seconds: whole('seconds', 10, 60), connections: CONNECTIONS };
    const size = {
      requests: whole('requests', 10_000, REQUESTS_MAX),
      products: whole('products', 10_000, PRODUCTS_MAX),
    };
    const options = { pace, size, isJudged: values.goals, isBusy: values.busy };
    const result = await benchRequests(options, dir, say);
    return { result, table: requestsTable(result), goals: result.goals };
  },
  async webhooks({ values, whole }, dir, say) {
    const events = whole('events', 3_000, 100_000);
    const steady = { rate: whole('rate', 5, 1_000), seconds: whole('seconds', 20, 600) };
    const amounts = { ...steady, events, smallEvents: Math.ceil(events / 3), connections: CONNECTIONS };
    const result = await benchWebhooks({ rounds: whole('rounds', 3, 20), amounts, isJudged: values.goals }, dir, say);
    return { result, table: webhooksTable(result), goals: result.goals };
  },
  async bulk({ values, whole }, dir, say) {
    const products = whole('products', 10_000, PRODUCTS_MAX);
    const steady = { rate: whole('rate', 5, 1_000), seconds: whole('seconds', 10, 600) };
    const singles = Math.min(products, whole('singles', 1_000, PRODUCTS_MAX));
    const options = { rounds: whole('rounds', 3, 20), products, singles, ...steady, isJudged: values.goals };
    const result = await benchBulk(options, dir, say);
    return { result, table: bulkTable(result), goals: result.goals };
  },
  async capacity({ whole }, dir, say) {
    const result = await measureCapacity(whole('lives', 500, 100_000), dir, say);
    return { result, table: JSON.stringify(result, null, 2), goals: [] };
  },
};

let isEnding = false;

// Under npm, Ctrl+C arrives twice: from the terminal and from npm.
process.on('SIGINT', () => void end(130));
process.on('SIGTERM', () => void end(143));
setTimeout(() => {
  console.error(`After ${RUN_MS_MAX / 60_000} minutes the run is given up.`);
  void end(1);
}, RUN_MS_MAX).unref();

await end(await main());

/** @returns the exit status */
async function main(): Promise<number> {
  const given = readArguments();
  const command = COMMANDS[given.command];
  if (!command) {
    console.error(`Say what: npm run bench -- ${Object.keys(COMMANDS).join(', or ')}`);
    return 1;
  }
  const dir = makeWorkDir();
  // Not in `end`: Miniflare, too, ends the process on a signal.
  process.on('exit', () => rmSync(dir, { recursive: true, force: true, maxRetries: 3 }));
  try {
    const { result, table, goals } = await command(given, dir, (line) => console.error(line));
    console.log(given.values.json ? JSON.stringify(result, null, 2) : table);
    const missed = goals.filter(({ isMet }) => !isMet);
    for (const { name, measured } of missed) console.error(`Missed: ${name}: ${measured}`);
    return missed.length > 0 ? 1 : 0;
  } catch (error) {
    if (!isEnding) console.error(error);
    return 1;
  }
}

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    allowNegative: true,
    options: {
      json: { type: 'boolean', default: false },
      goals: { type: 'boolean', default: true },
      busy: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      requests: { type: 'string' },
      products: { type: 'string' },
      rate: { type: 'string' },
      events: { type: 'string' },
      singles: { type: 'string' },
      lives: { type: 'string' },
    },
  });
  type Numbered = {
    [Name in keyof typeof values]: (typeof values)[Name] extends boolean ? never : Name;
  }[keyof typeof values];
  return {
    command: positionals[0] ?? 'requests',
    values,
    whole: (name: NonNullable<Numbered>, otherwise: number, most: number) =>
      wholeNumber(name, values[name], otherwise, most),
  };
}

/** @throws Error unless it is a whole number from 1 to the bound: a run must end */
function wholeNumber(name: string, text: string | undefined, otherwise: number, most: number): number {
  const value = Number(text ?? otherwise);
  if (!Number.isInteger(value) || value < 1 || value > most) throw new Error(`--${name} goes from 1 to ${most}.`);
  return value;
}

/** Ends the Workers and this process; the receiver ends when this one has. */
async function end(code: number): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  await closeAll();
  process.exit(code);
}
