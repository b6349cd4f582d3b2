/**
 * `npm run bench -- webhooks`: how fast webhooks leave, beside a floor Worker that does the least there is to do. Ends with
 * 1 when a goal is missed (goals.ts). Ten minutes with the defaults.
 * `npm run bench -- capacity`: what one order costs a database in bytes, rows and round trips, as JSON; a minute.
 *
 *   --lives 500    orders that are counted (capacity)
 *   --json         one JSON object on stdout instead of the table (with npm: `npm run --silent bench -- …`)
 *   --rounds 3     how often each phase is measured, the two Workers in turns
 *   --seconds 20   length of a phase at a steady rate
 *   --rate 5       publishes a second there
 *   --events 3000  publishes of a burst; a small burst has a third of them
 *   --no-goals     measures only
 */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { measureCapacity } from './capacity.ts';
import { tableOf } from './report.ts';
import { closeAll, makeWorkDir } from './serve.ts';
import { benchWebhooks, type Options } from './webhooks.ts';

const CONNECTIONS = 16;
const RUN_MS_MAX = 3_600_000;

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
  const { command, isJson, lives, ...options } = readArguments();
  if (command !== 'webhooks' && command !== 'capacity') {
    console.error('Say what: npm run bench -- webhooks [--json], or npm run bench -- capacity');
    return 1;
  }
  const dir = makeWorkDir();
  // Not in `end`: Miniflare, too, ends the process on a signal.
  process.on('exit', () => rmSync(dir, { recursive: true, force: true, maxRetries: 3 }));
  const say = (line: string) => console.error(line);
  try {
    if (command === 'capacity') {
      console.log(JSON.stringify(await measureCapacity(lives, dir, say), null, 2));
      return 0;
    }
    const result = await benchWebhooks(options, dir, say);
    console.log(isJson ? JSON.stringify(result, null, 2) : tableOf(result));
    const missed = result.goals.filter(({ isMet }) => !isMet);
    for (const { name, measured } of missed) console.error(`Missed: ${name}: ${measured}`);
    return missed.length > 0 ? 1 : 0;
  } catch (error) {
    if (!isEnding) console.error(error);
    return 1;
  }
}

function readArguments(): Options & { command: string | undefined; isJson: boolean; lives: number } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    allowNegative: true,
    options: {
      json: { type: 'boolean', default: false },
      goals: { type: 'boolean', default: true },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '20' },
      rate: { type: 'string', default: '5' },
      events: { type: 'string', default: '3000' },
      lives: { type: 'string', default: '500' },
    },
  });
  const events = wholeNumber('events', values.events, 100_000);
  return {
    command: positionals[0],
    isJson: values.json,
    lives: wholeNumber('lives', values.lives, 100_000),
    isJudged: values.goals,
    rounds: wholeNumber('rounds', values.rounds, 20),
    amounts: {
      rate: wholeNumber('rate', values.rate, 1000),
      seconds: wholeNumber('seconds', values.seconds, 600),
      events,
      smallEvents: Math.ceil(events / 3),
      connections: CONNECTIONS,
    },
  };
}

/** @throws Error unless it is a whole number from 1 to the bound: a run must end */
function wholeNumber(name: string, text: string, most: number): number {
  const value = Number(text);
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
