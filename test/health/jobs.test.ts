import { env } from 'cloudflare:workers';
import { noteJob } from '../../src/health/notes';
import { readHealth } from '../../src/health/watch';
import { actingAs } from '../../src/platform/context';
import { queueBrings } from '../support/invocations';
import { databaseDown } from '../support/outbound';
import { captureLogs } from '../support/probe';
import { beforeEach, expect, test } from '../support/test';
import { systemContext } from '../support/world';
import { forgetAll } from './watching';

const MINUTE = 60_000;
const START = Date.parse('2026-11-22T12:00:00Z');
const SWEEP = { job: 'tested', shard: 0 };

beforeEach(forgetAll);

/** How runs of a job ended, by their minutes; then the check, some minutes behind the last one. */
async function checkAfter(runs: readonly (readonly [minute: number, hasFailed: boolean])[], behind = 0) {
  for (const [minute, hasFailed] of runs) {
    await noteJob(systemContext({ now: () => START + minute * MINUTE }).ctx, SWEEP, hasFailed);
  }
  const now = START + ((runs.at(-1)?.[0] ?? 0) + behind) * MINUTE;
  const { checks } = await readHealth(
    actingAs(systemContext({ now: () => now }).ctx, { kind: 'operator', name: 'test' }),
  );
  return checks.jobs;
}

const failedIn = (...minutes: number[]) => minutes.map((minute) => [minute, true] as const);
const WARNING = { status: 'warning', figure: 1, names: ['tested 0'] };

test.for([
  ['a job that failed once', failedIn(0), 14, WARNING],
  ['one that failed a while ago', failedIn(0), 15, { status: 'ok', figure: 0 }],
  ['one that fails for less than ten minutes', failedIn(0, 3, 6, 9), 0, WARNING],
  ['one that fails for ten minutes', failedIn(0, 4, 10), 0, { ...WARNING, status: 'failing' }],
  ['one that succeeded between', [...failedIn(0, 5), [6, false], ...failedIn(10, 12)], 0, WARNING],
  ['one that succeeds again', [...failedIn(0, 5, 10), [11, false]], 0, WARNING],
  ['one that failed again after a while', failedIn(0, 10, 26), 0, WARNING],
] as const)('%s', async ([_, runs, behind, expected]) => {
  expect(await checkAfter(runs, behind)).toEqual(expected);
});

test('the Worker notes each job that fails, by its name and database, in one object for each', async () => {
  captureLogs();
  // What other tests let fail in this isolate succeeds first.
  await queueBrings('jobs', [{ v: 1, shard: 0, time: START }]);
  await forgetAll();
  for (let run = 0; run < 2; run += 1) {
    await queueBrings('jobs', [{ v: 1, shard: 1, time: START }], { DB_1: databaseDown() });
  }
  const { objects } = await env.FILES.list({ prefix: 'operations/jobs/' });
  const names = objects.map(({ key }) => key.slice('operations/jobs/'.length));
  expect(names).toContain('sweep-search 1');
  expect(names.filter((name) => !name.endsWith(' 1'))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  const { ctx } = systemContext();
  const { checks } = await readHealth(actingAs(ctx, { kind: 'operator', name: 'test' }));
  expect(checks.jobs).toMatchObject({ status: 'warning', figure: names.length });

  await queueBrings('jobs', [{ v: 1, shard: 0, time: START }]);
  expect((await env.FILES.list({ prefix: 'operations/jobs/' })).objects.map(({ key }) => key)).toEqual(
    objects.map(({ key }) => key),
  );
});
