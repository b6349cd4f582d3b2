// Kills the real service again and again while it is under load, and shows that nothing it promised is lost or doubled.
//
//   npm run crash-test                      30 kills
//   npm run crash-test -- --kills 100       more of them
//   npm run crash-test -- --seed 42         the kills at the moments of an earlier run
//   npm run crash-test -- --json            the result as JSON, with a line for each fault
import { parseArgs } from 'node:util';
import { type CrashReport, crashTest } from '../test/node/support/crash.ts';
import { withOwnService } from './own-service.ts';

/** The number of connections to each database. */
const CONNECTIONS = 4;
const LIFE_MS = 1_500;
const FAULTS_SHOWN = 20;

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '30' }, seed: { type: 'string' }, json: { type: 'boolean' } },
});
const kills = wholeNumber('kills', values.kills);
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : wholeNumber('seed', values.seed);

console.error(`seed ${seed}: ${kills} kills`);
const onKill = (kill: number, accepted: number) => console.error(`kill ${kill}: ${accepted} accepted so far`);
const plan = { kills, seed, connections: CONNECTIONS, lifeMs: LIFE_MS, onKill };
const report = await withOwnService((service) => crashTest(service, plan));
print(report);
process.exitCode = report.lost.length + report.doubled.length + report.broken.length > 0 ? 1 : 0;

function print(report: CrashReport): void {
  const { lost, doubled, broken } = report;
  const figures = {
    ...{ accepted: report.accepted, lost: lost.length, doubled: doubled.length, delivered: report.delivered },
    ...{ attempts_max: report.attemptsMax, kills: report.kills, broken: broken.length },
    ...{ posted_again: report.postedAgain, sent_again: report.sentAgain, replayed: report.replayed, seed: report.seed },
  };
  const faults = { lost, doubled, broken };
  if (values.json) console.log(JSON.stringify({ ...figures, faults }, null, 2));
  else for (const [name, value] of Object.entries(figures)) console.log(`${name} ${value}`);
  for (const [name, lines] of Object.entries(faults)) {
    for (const line of lines.slice(0, FAULTS_SHOWN)) console.error(`${name}: ${line}`);
  }
}

function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (text === '' || !Number.isInteger(number) || number < 0) throw new Error(`--${name} takes a whole number.`);
  return number;
}
