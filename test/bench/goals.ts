import type { BulkFigures } from './bulk.ts';
import { rounded } from './figures.ts';
import type { PhaseName, Summary } from './phases.ts';
import type { OfRoute } from './requests.ts';
import { type EachRoute, ROUTE_NAMES, ROUTES } from './routes.ts';

export type Summaries = Record<PhaseName, Summary>;

interface Goal<Figures> {
  name: string;
  /** In the unit of the bound. */
  measured: (of: Figures) => number;
  bound: { atMost: number } | { atLeast: number };
  unit: 'ms' | 'ratio';
}

/**
 * What a run of `webhooks` is judged by: the service alone, by figures of one run, since absolute ones change with the machine.
 *
 * - The first post starts at the commit: its first byte may come as long after the answer as signing and connecting take.
 * - Deliveries keep pace with what is accepted, or a backlog grows for as long as a burst lasts.
 * - A receiver that never answers costs the others nothing: one beside a healthy subscriber of the same organization, or
 *   five at another organization.
 * - In a burst as well a webhook leaves before a person notices the wait: a quarter of a second.
 */
export const WEBHOOK_GOALS: readonly Goal<Summaries>[] = [
  {
    name: 'at a steady rate, first byte after answer (p50)',
    measured: ({ steady }) => steady.first_byte_ms.p50 - steady.answer_ms.p50,
    bound: { atMost: 3 },
    unit: 'ms',
  },
  {
    name: 'burst, 1 subscriber: deliveries/s to accepted/s',
    measured: ({ burst_1 }) => burst_1.delivered_ratio,
    bound: { atLeast: 0.95 },
    unit: 'ratio',
  },
  {
    name: 'burst, 5 subscribers: deliveries/s to 5 × accepted/s',
    measured: ({ burst_5 }) => burst_5.delivered_ratio,
    bound: { atLeast: 0.9 },
    unit: 'ratio',
  },
  {
    name: 'burst, 1 subscriber: first byte (p95)',
    measured: ({ burst_1 }) => burst_1.first_byte_ms.p95,
    bound: { atMost: 250 },
    unit: 'ms',
  },
  {
    name: 'burst, 5 subscribers: first byte (p95)',
    measured: ({ burst_5 }) => burst_5.first_byte_ms.p95,
    bound: { atMost: 250 },
    unit: 'ms',
  },
  {
    name: 'healthy first byte (p95) at a steady rate, with one black hole beside it to without',
    measured: ({ steady, steady_hole_beside }) => steady_hole_beside.first_byte_ms.p95 / steady.first_byte_ms.p95,
    bound: { atMost: 1.2 },
    unit: 'ratio',
  },
  {
    name: 'healthy first byte (p95) at a steady rate, with five black holes at another organization to without',
    measured: ({ steady, steady_holes_elsewhere }) =>
      steady_holes_elsewhere.first_byte_ms.p95 / steady.first_byte_ms.p95,
    bound: { atMost: 1.2 },
    unit: 'ratio',
  },
  {
    name: 'healthy deliveries/s in the small burst, with one black hole beside it to without',
    measured: ({ small_burst, small_burst_hole_beside }) =>
      small_burst_hole_beside.deliveries_per_second / small_burst.deliveries_per_second,
    bound: { atLeast: 0.9 },
    unit: 'ratio',
  },
  {
    name: 'healthy deliveries/s in the small burst, with five black holes at another organization to without',
    measured: ({ small_burst, small_burst_holes_elsewhere }) =>
      small_burst_holes_elsewhere.deliveries_per_second / small_burst.deliveries_per_second,
    bound: { atLeast: 0.9 },
    unit: 'ratio',
  },
];

/** Against the floor's; a part of it is the local database, which both have. */
const CPU_RATIO_MAX = 1.3;

/**
 * What a run of `requests` is judged by: the service against the floor, the middle of the rounds. What the service does beyond
 * what it asks of the platform may cost a tenth of the requests a second, more where it signs (token) or makes a page
 * (inbox).
 */
export const REQUEST_GOALS: readonly Goal<EachRoute<OfRoute>>[] = ROUTE_NAMES.flatMap((name) => [
  {
    name: `${name}: requests/s, service to floor`,
    measured: (of: EachRoute<OfRoute>) => of[name].requests_per_second_ratio.median,
    bound: { atLeast: ROUTES[name].ratioAtLeast },
    unit: 'ratio' as const,
  },
  {
    name: `${name}: CPU of a request, service to floor`,
    measured: (of: EachRoute<OfRoute>) => of[name].cpu_ratio.median,
    bound: { atMost: CPU_RATIO_MAX },
    unit: 'ratio' as const,
  },
]);

/**
 * What a run of `bulk` is judged by: a night's stocks are set in moments, no batch keeps the database from others for long,
 * and orders leave beside it.
 */
export const BULK_GOALS: readonly Goal<BulkFigures>[] = [
  {
    name: 'all stocks by bulk to all by single calls',
    measured: ({ ratio }) => ratio.median,
    bound: { atMost: 0.04 },
    unit: 'ratio',
  },
  { name: 'the slowest batch', measured: (of) => of.slowest_batch_ms, bound: { atMost: 100 }, unit: 'ms' },
  {
    name: "an order's webhook (p95) beside bulk calls to calm, same database",
    measured: ({ same_database: { busy, calm } }) => busy.p95 / calm.p95,
    bound: { atMost: 2 },
    unit: 'ratio',
  },
  {
    name: "an order's webhook (p95) beside bulk calls to calm, another database",
    measured: ({ other_database: { busy, calm } }) => busy.p95 / calm.p95,
    bound: { atMost: 1.2 },
    unit: 'ratio',
  },
];

export interface Judged {
  name: string;
  measured: number;
  bound: Goal<never>['bound'];
  unit: Goal<never>['unit'];
  isMet: boolean;
}

/** Each goal with what was reached. A figure that could not be measured misses its goal. */
export function judge<Figures>(goals: readonly Goal<Figures>[], figures: Figures): Judged[] {
  return goals.map(({ name, measured, bound, unit }) => {
    const value = measured(figures);
    const isMet = 'atMost' in bound ? value <= bound.atMost : value >= bound.atLeast;
    return { name, measured: rounded(value), bound, unit, isMet };
  });
}
