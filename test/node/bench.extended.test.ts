import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { judge, REQUEST_GOALS, type Summaries, WEBHOOK_GOALS } from '../bench/goals';
import { PHASE_NAMES, type Summary } from '../bench/phases';
import type { OfRoute, RequestsResult } from '../bench/requests';
import { type EachRoute, eachRoute, ROUTE_NAMES } from '../bench/routes';
import type { Result } from '../bench/webhooks';

const RUN = resolve(import.meta.dirname, '../bench/run.ts');
const IN_SMALL = ['--seconds', '1', '--rounds', '1', '--no-goals'];
const SMALL_PHARMACIES = ['--requests', '100', '--products', '60'];

test('the bench measures each route of both Workers, in small, and the floor asks of the platform what the service asks', async () => {
  const result: RequestsResult = await bench('--json', '--busy', ...IN_SMALL, ...SMALL_PHARMACIES);

  expect(result.problems).toEqual({ service: {}, floor: {} });
  for (const name of ROUTE_NAMES) {
    const { service, floor, calls, counts } = result.routes[name];
    expect(calls.floor, name).toEqual(calls.service);
    expect(counts.floor, name).toEqual(counts.service);
    expect(counts.service.statements, name).toBeGreaterThan(0);
    expect(Math.min(service.requests_per_second, floor.requests_per_second), name).toBeGreaterThan(0);
  }
  const { connector, connector_pdf, inbox } = result.routes;
  expect(connector.counts.floor.rows_written).toBeGreaterThan(0);
  expect(connector_pdf.counts.floor.r2_writes).toBe(1);
  expect(inbox.counts.floor.rows_written).toBe(0);
}, 600_000);

test('the bench measures every phase of both Workers, in small, and the floor does what the service does', async () => {
  const result: Result = await bench('webhooks', '--json', '--events', '30', ...IN_SMALL);

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

test('a route that is too slow beside the floor is named, and so is one that takes too much CPU', () => {
  expect(missedRoutes(ROUTES_MET)).toEqual([]);

  const slow = { ...ROUTES_MET, token: { ...ROUTE_MET, requests_per_second_ratio: ratioOf(0.84) } };
  expect(missedRoutes(slow)).toEqual([expect.stringContaining('token: requests/s')]);
  const costly = { ...ROUTES_MET, list: { ...ROUTE_MET, cpu_ratio: ratioOf(1.31) } };
  expect(missedRoutes(costly)).toEqual([expect.stringContaining('list: CPU')]);
  const unmeasured = { ...ROUTES_MET, list: { ...ROUTE_MET, cpu_ratio: ratioOf(Number.NaN) } };
  expect(missedRoutes(unmeasured)).toEqual([expect.stringContaining('list: CPU')]);
});

const ratioOf = (median: number) => ({ median, min: median, max: median });
const ROUTE_MET = { requests_per_second_ratio: ratioOf(0.95), cpu_ratio: ratioOf(1.1) } as OfRoute;
const ROUTES_MET = eachRoute(() => ROUTE_MET);

function missedRoutes(routes: EachRoute<OfRoute>): string[] {
  return judge(REQUEST_GOALS, routes).flatMap(({ name, isMet }) => (isMet ? [] : [name]));
}

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

async function bench<T>(...args: string[]): Promise<T> {
  const child = spawn(process.execPath, [RUN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [[code], output, errors] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  expect(code, errors).toBe(0);
  return JSON.parse(output);
}
