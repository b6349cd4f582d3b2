import type { Judged } from './goals.ts';
import type { Machine } from './machine.ts';
import type { RequestsResult } from './requests.ts';
import type { Compared, Measured, Ratio } from './rounds.ts';
import { ROUTE_NAMES, ROUTES } from './routes.ts';
import type { Counts } from './tapped.ts';

/** The figures of a run as tables for people. */
export function requestsTable({ machine, options, routes, goals }: RequestsResult): string {
  return [
    madeWith(machine),
    `${options.rounds} rounds of ${options.seconds} s, ${options.connections} connections, ${options.requests} order requests in each of two pharmacies, ${options.products} products`,
    ...(options.busy ? ['The load average was not looked at (--busy): ratios may say little.'] : []),
    '',
    columns([
      ['', 'service req/s (p50 / p99 ms)', 'floor', 'ratio (min / median / max)', 'CPU ms : floor', 'ratio'],
      ...ROUTE_NAMES.map((name) => [ROUTES[name].title, ...speedOf(routes[name])]),
    ]),
    '',
    columns([
      [
        'one request',
        'D1 round trips',
        'statements',
        'rows read',
        'rows written',
        'limiters',
        'queue',
        'R2 writes, reads',
        'a million, $',
      ],
      ...ROUTE_NAMES.map((name) => [
        ROUTES[name].title,
        ...countsOf(routes[name].counts.service),
        routes[name].cost_of_a_million.toFixed(2),
      ]),
    ]),
    ...(goals.length > 0 ? ['', columns(goals.map(goalRow))] : []),
  ].join('\n');
}

function speedOf({ service, floor, requests_per_second_ratio, cpu_ratio }: Compared): string[] {
  return [
    rateOf(service),
    rateOf(floor),
    ratioOf(requests_per_second_ratio),
    `${service.cpu_ms_per_request.toFixed(2)} : ${floor.cpu_ms_per_request.toFixed(2)}`,
    ratioOf(cpu_ratio),
  ];
}

function rateOf({ requests_per_second, latency_ms: { p50, p99 } }: Measured): string {
  return `${requests_per_second.toFixed(0)} (${p50.toFixed(0)} / ${p99.toFixed(0)})`;
}

function ratioOf({ min, median, max }: Ratio): string {
  return [min, median, max].map((ratio) => ratio.toFixed(2)).join(' / ');
}

function countsOf(counts: Counts): string[] {
  const { round_trips, statements, rows_read, rows_written, limiter_calls, queue_operations } = counts;
  const numbers = [round_trips, statements, rows_read, rows_written, limiter_calls, queue_operations];
  return [...numbers.map(String), `${counts.r2_writes}, ${counts.r2_reads}`];
}

function madeWith({ versions, cpus, load_average }: Machine): string {
  const made = `Node ${versions.node}, wrangler ${versions.wrangler}, ${cpus} CPUs`;
  return `${made}, load average at the start ${load_average.join(' ')}`;
}

function goalRow({ name, measured, bound, isMet }: Judged): string[] {
  const wanted = 'atMost' in bound ? `≤ ${bound.atMost}` : `≥ ${bound.atLeast}`;
  return [isMet ? 'met' : 'MISSED', name, String(measured), wanted];
}

function columns(rows: readonly string[][]): string {
  const widths: number[] = [];
  for (const row of rows) for (const [n, cell] of row.entries()) widths[n] = Math.max(widths[n] ?? 0, cell.length);
  const lineOf = (row: readonly string[]) =>
    row
      .map((cell, n) => cell.padEnd(widths[n] ?? 0))
      .join('  ')
      .trimEnd();
  return rows.map(lineOf).join('\n');
}
