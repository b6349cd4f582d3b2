import { expect, test, vi } from 'vitest';
import { queueBrings, scheduledAt } from '../support/invocations';
import { captureLogs } from '../support/probe';
import { fleet, LIMITS, type Used } from './fleet';

const DATABASES = 500;
const ALL = Array.from({ length: DATABASES }, (_, shard) => shard);

function expectWithinLimits({ queries, subrequests, batches, bytesMost }: Used): void {
  expect(queries).toBeLessThanOrEqual(LIMITS.queries);
  expect(subrequests).toBeLessThanOrEqual(LIMITS.subrequests);
  for (const batch of batches) expect(batch.length).toBeLessThanOrEqual(LIMITS.messages);
  expect(bytesMost).toBeLessThanOrEqual(LIMITS.bytes);
}

const eventsOf = (lines: readonly string[]) => lines.map((line) => JSON.parse(line).event);

test.each([
  ['in most minutes', '2026-11-22T12:33:00Z', false],
  ['when deliveries are summed', '2026-11-22T12:02:00Z', false],
  ['when files are looked through', '2026-11-22T12:17:00Z', true],
  ['when the directory is swept', '2026-11-22T12:32:00Z', false],
  ['when the trash is emptied', '2026-11-22T12:47:00Z', true],
  ['at night', '2026-11-23T02:17:00Z', true],
  ['when the planner learns', '2026-11-23T05:03:00Z', false],
])('%s, 500 databases keep each invocation within its limits', async (_, time, isForAll) => {
  const { lines } = captureLogs();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(time) });
  const cron = fleet(DATABASES);
  await scheduledAt(time, cron.env);
  expectWithinLimits(cron.used);

  const asked = cron.used.batches.flat();
  expect(asked).toEqual([...ALL, null].map((shard) => ({ v: 1, shard, time: Date.parse(time) })));
  for (const shard of ALL.filter((each) => each % 7 === 0 || each === DATABASES - 1)) {
    const { env, used } = fleet(DATABASES);
    await queueBrings('jobs', [asked[shard]], env);
    expectWithinLimits(used);
    // Its own, and at most the directory.
    expect([...used.queriesOf.keys()].filter((each) => each !== 0 && each !== shard)).toEqual([]);
    expect(used.queriesOf.get(shard)).toBeGreaterThan(0);
  }
  if (isForAll) {
    const { env, used } = fleet(DATABASES);
    await queueBrings('jobs', [asked[DATABASES]], env);
    expectWithinLimits(used);
    // Each was asked who it is, and for a page of files.
    expect([...used.queriesOf]).toEqual(ALL.map((shard) => [shard, 2]));
  }
  for (const event of ['job_failed', 'deletions_stopped', 'files_not_looked_through'])
    expect(eventsOf(lines)).not.toContain(event);
});

test('what would take more queries than an invocation has is not begun, and the log says so', async () => {
  const { lines } = captureLogs();
  for (const minute of [17, 47]) {
    const { env, used } = fleet(600);
    await queueBrings('jobs', [{ v: 1, shard: null, time: Date.parse(`2026-11-22T12:${minute}:00Z`) }], env);
    expectWithinLimits(used);
  }
  expect(eventsOf(lines).filter((event) => event === 'files_not_looked_through')).toHaveLength(2);
});

test('while the queue cannot be reached, the cron does itself what fits into its limits, and begins with another database each time', async () => {
  const down = { sendBatch: () => Promise.reject(new Error('Queue is away')) } as unknown as Queue<unknown>;
  // The checks take two queries of each database, and leave the rest.
  const FEWER = 150;
  const { lines } = captureLogs();
  const reached: number[][] = [];
  for (const random of [0, 0.5]) {
    vi.spyOn(Math, 'random').mockReturnValue(random);
    const { env, used } = fleet(FEWER, { JOBS: down });
    await scheduledAt('2026-11-22T12:33:00Z', env);
    expectWithinLimits(used);
    reached.push([...used.worked]);
  }
  const [first = [], second = []] = reached;
  expect(first).toEqual(ALL.slice(0, first.length));
  expect(second).toEqual(ALL.slice(FEWER / 2, FEWER / 2 + second.length));
  expect(first.length).toBeGreaterThan(5);
  const left = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'jobs_left');
  expect(left).toMatchObject(reached.map(({ length }) => ({ count: FEWER - length, total: FEWER })));
});

test('what one call could not send, the cron does itself, and nothing else', async () => {
  captureLogs();
  const sendBatch = async (messages: { body: { shard: number } }[]) => {
    if (messages[0]?.body.shard === LIMITS.messages) throw new Error('Queue is away');
  };
  const { env, used } = fleet(2 * LIMITS.messages + 1, { JOBS: { sendBatch } as unknown as Queue<unknown> });
  await scheduledAt('2026-11-22T12:33:00Z', env);
  const touched = [...used.worked].filter((shard) => shard < LIMITS.messages || shard >= 2 * LIMITS.messages);
  expect(touched).toEqual([]);
  expect(used.worked.size).toBeGreaterThan(5);
});
