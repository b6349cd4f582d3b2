import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { judge, type Summaries, WEBHOOK_GOALS } from '../bench/goals';
import { PHASE_NAMES, type Summary } from '../bench/phases';
import type { Result } from '../bench/webhooks';

const RUN = resolve(import.meta.dirname, '../bench/run.ts');
const IN_SMALL = ['--events', '30', '--seconds', '2', '--rounds', '1', '--no-goals'];

test('the bench measures every phase of both Workers, in small, and the floor does what the service does', async () => {
  const result = await bench('webhooks', '--json', ...IN_SMALL);

  for (const name of PHASE_NAMES) {
    for (const worker of [result.service, result.floor]) {
      expect(worker[name], name).toMatchObject({ missing: 0, doubled: 0 });
      expect(worker[name].first_byte_ms.p50, name).toBeGreaterThan(0);
    }
  }
  const { service, floor } = result.cost;
  expect(floor.limiter_calls).toEqual(service.limiter_calls);
  expect(floor.batches.map(written)).toEqual(service.batches.map(written));
}, 600_000);

test('a run that misses a goal names it, and so does one that could not measure', () => {
  expect(missed(SUMMARIES)).toEqual([]);

  const slowed = { ...SUMMARIES, steady_hole_beside: { ...SUMMARY, first_byte_ms: { p50: 10, p95: 13, p99: 13 } } };
  expect(missed(slowed)).toEqual([expect.stringContaining('one black hole beside it')]);
  const unmeasured = { ...SUMMARIES, burst_1: { ...SUMMARY, delivered_ratio: Number.NaN } };
  expect(missed(unmeasured)).toEqual([expect.stringContaining('burst, 1 subscriber')]);
});

const TEN_MS = { p50: 10, p95: 10, p99: 10 };
const SUMMARY: Summary = {
  answer_ms: TEN_MS,
  first_byte_ms: TEN_MS,
  accepted_per_second: 100,
  deliveries_per_second: 100,
  delivered_ratio: 1,
  missing: 0,
  doubled: 0,
  rounds: [],
};
// SAFETY: one for each name.
const SUMMARIES = Object.fromEntries(PHASE_NAMES.map((name) => [name, SUMMARY])) as Summaries;

function missed(summaries: Summaries): string[] {
  return judge(WEBHOOK_GOALS, summaries).flatMap(({ name, isMet }) => (isMet ? [] : [name]));
}

/** What a batch writes; how many rows it reads is up to SQLite. */
function written({ statements, rows_written }: Result['cost']['floor']['batches'][number]) {
  return { statements, rows_written };
}

async function bench(...args: string[]): Promise<Result> {
  const child = spawn(process.execPath, [RUN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [[code], output, errors] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  expect(code, errors).toBe(0);
  return JSON.parse(output);
}
