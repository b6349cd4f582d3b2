import type { BulkResult } from './bulk.ts';
import type { Latency } from './figures.ts';
import { columns, goalLines, lineOf } from './report.ts';

/** The figures of a run as a table for people. */
export function bulkTable({ machine, options, figures, goals }: BulkResult): string {
  const { products, calls, singles, rounds, rate, seconds } = options;
  const { ratio, same_database: same, other_database: other } = figures;
  return [
    lineOf(machine),
    `${rounds} rounds; single calls: ${singles} of ${products}, their time scaled to all`,
    '',
    columns([
      [`${products} stocks in ${calls} calls`, `${figures.bulk_ms.toFixed(0)} ms`],
      [`${products} stocks in ${products} calls`, `${figures.singles_ms.toFixed(0)} ms (scaled)`],
      ['ratio, min / median / max', `${ratio.min} / ${ratio.median} / ${ratio.max}`],
      ['D1 round trips of a bulk call', String(figures.round_trips)],
      ['its slowest batch', `${figures.slowest_batch_ms} ms`],
      [`an order's webhook, ${rate}/s for ${seconds} s, p50 / p95 / p99 in ms`, 'calm', 'beside bulk calls'],
      ['   on the same database', timesOf(same.calm), timesOf(same.busy)],
      ['   on another database', timesOf(other.calm), timesOf(other.busy)],
      ...(same.missing + other.missing > 0 ? [['   missing', String(same.missing + other.missing)]] : []),
    ]),
    ...goalLines(goals),
  ].join('\n');
}

function timesOf({ p50, p95, p99 }: Latency): string {
  return [p50, p95, p99].map((ms) => ms.toFixed(1)).join(' / ');
}
