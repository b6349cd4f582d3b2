import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { judge } from '../bench/goals';
import type { OfRoute, RequestsResult } from '../bench/requests';
import { type EachRoute, eachRoute, ROUTE_NAMES } from '../bench/routes';

const RUN = resolve(import.meta.dirname, '../bench/run.ts');

test('the bench measures each route of both Workers, in small, and the floor asks of the platform what the service asks', async () => {
  const result = await bench('--json', '--quick');

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
  return judge(routes).flatMap(({ name, isMet }) => (isMet ? [] : [name]));
}

async function bench(...args: string[]): Promise<RequestsResult> {
  const child = spawn(process.execPath, [RUN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [[code], output, errors] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  expect(code, errors).toBe(0);
  return JSON.parse(output);
}
