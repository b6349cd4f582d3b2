/**
 * `npm run bench`: the routes of the service beside a floor Worker that makes the same calls and nothing else. Ends with 1
 * when a goal is missed (goals.ts). A quarter of an hour with the defaults.
 *
 *   --json         one JSON object on stdout instead of the table (with npm: `npm run --silent bench -- --json`)
 *   --quick        one round of one second with small pharmacies, without goals, on a busy machine, too: two minutes
 *   --rounds 5     how often everything is measured, the two Workers in turns
 *   --seconds 10   length of a measurement
 *   --requests 10000   order requests of each of two pharmacies
 *   --products 10000   products that each of them holds
 *   --busy         also where the load average is 1 or above; the output then says so
 */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { requestsTable } from './report.ts';
import { benchRequests } from './requests.ts';
import { closeAll, makeWorkDir } from './serve.ts';

const CONNECTIONS = 16;
/** A bound for each number. Ids of products have five digits. */
const MOST = { rounds: 20, seconds: 60, requests: 1_000_000, products: 80_000 };
const USUAL = { rounds: 5, seconds: 10, requests: 10_000, products: 10_000 };
const QUICK = { rounds: 1, seconds: 1, requests: 100, products: 60 };

let isEnding = false;

// Under npm, Ctrl+C arrives twice: from the terminal and from npm.
process.on('SIGINT', () => void end(130));
process.on('SIGTERM', () => void end(143));
await end(await main());

/** @returns the exit status */
async function main(): Promise<number> {
  const { isJson, ...options } = readArguments();
  const dir = makeWorkDir();
  // Not in `end`: Miniflare, too, ends the process on a signal.
  process.on('exit', () => rmSync(dir, { recursive: true, force: true, maxRetries: 3 }));
  try {
    const result = await benchRequests(options, dir, (line) => console.error(line));
    console.log(isJson ? JSON.stringify(result, null, 2) : requestsTable(result));
    const missed = result.goals.filter(({ isMet }) => !isMet);
    for (const { name, measured } of missed) console.error(`Missed: ${name}: ${measured}`);
    return missed.length > 0 ? 1 : 0;
  } catch (error) {
    if (!isEnding) console.error(error);
    return 1;
  }
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      busy: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      requests: { type: 'string' },
      products: { type: 'string' },
    },
  });
  const usual = values.quick ? QUICK : USUAL;
  const whole = (name: keyof typeof MOST) => {
    const value = Number(values[name] ?? usual[name]);
    if (!Number.isInteger(value) || value < 1 || value > MOST[name]) {
      throw new Error(`--${name} goes from 1 to ${MOST[name]}.`);
    }
    return value;
  };
  return {
    isJson: values.json,
    isJudged: !values.quick,
    isBusy: values.busy || values.quick,
    pace: { rounds: whole('rounds'), seconds: whole('seconds'), connections: CONNECTIONS },
    size: { requests: whole('requests'), products: whole('products') },
  };
}

/** Ends the Workers and this process. */
async function end(code: number): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  await closeAll();
  process.exit(code);
}
