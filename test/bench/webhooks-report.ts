import { PHASE_NAMES, type PhaseName, type Summary } from './phases.ts';
import { columns, goalLines, lineOf } from './report.ts';
import type { Result } from './webhooks.ts';

const TITLES: Record<PhaseName, (amounts: Result['amounts']) => string> = {
  steady: ({ rate }) => `${rate}/s, 1 subscriber`,
  steady_hole_beside: ({ rate }) => `${rate}/s, a black hole beside it`,
  steady_holes_elsewhere: ({ rate }) => `${rate}/s, five black holes at another organization`,
  burst_1: ({ events }) => `burst of ${events}, 1 subscriber`,
  burst_5: ({ events }) => `burst of ${events}, 5 subscribers`,
  small_burst: ({ smallEvents }) => `burst of ${smallEvents}, 1 subscriber`,
  small_burst_hole_beside: ({ smallEvents }) => `burst of ${smallEvents}, a black hole beside it`,
  small_burst_holes_elsewhere: ({ smallEvents }) => `burst of ${smallEvents}, five black holes at another organization`,
};

/** The figures of a run as a table for people. */
export function webhooksTable(result: Result): string {
  const { machine, options, amounts, cost, goals } = result;
  return [
    lineOf(machine),
    `${options.rounds} rounds, ${amounts.connections} connections in a burst; times are p50 / p95 / p99 in ms`,
    '',
    columns([
      ['', '', 'service', 'floor'],
      ...PHASE_NAMES.flatMap((name) => rowsOf(TITLES[name](amounts), result.service[name], result.floor[name])),
      ['one publish: D1 batches, limiter calls', '', callsOf(cost.service), callsOf(cost.floor)],
      ['   statements; rows read; rows written', '', sumsOf(cost.service), sumsOf(cost.floor)],
    ]),
    ...goalLines(goals),
  ].join('\n');
}

function rowsOf(title: string, service: Summary, floor: Summary): string[][] {
  const both = (what: string, of: (summary: Summary) => string) => ['', what, of(service), of(floor)];
  const rows = [
    both('publish → answer', ({ answer_ms }) => timesOf(answer_ms)),
    both('publish → first byte', ({ first_byte_ms }) => timesOf(first_byte_ms)),
    both('accepted/s', (summary) => summary.accepted_per_second.toFixed(1)),
    both('deliveries/s', (summary) => summary.deliveries_per_second.toFixed(1)),
    ...(service.missing + floor.missing > 0 ? [both('missing', ({ missing }) => String(missing))] : []),
    ...(service.doubled + floor.doubled > 0 ? [both('doubled', ({ doubled }) => String(doubled))] : []),
  ];
  return rows.map(([, ...rest], n) => [n === 0 ? title : '', ...rest]);
}

function timesOf({ p50, p95, p99 }: Summary['answer_ms']): string {
  return [p50, p95, p99].map((ms) => ms.toFixed(1)).join(' / ');
}

function callsOf(cost: Result['cost']['service']): string {
  return `${cost.batches.length}, ${cost.limiter_calls.length}`;
}

function sumsOf({ batches }: Result['cost']['service']): string {
  const each = (of: (batch: (typeof batches)[number]) => number) => batches.map(of).join('+');
  return [
    each((batch) => batch.statements),
    each((batch) => batch.rows_read),
    each((batch) => batch.rows_written),
  ].join('; ');
}
