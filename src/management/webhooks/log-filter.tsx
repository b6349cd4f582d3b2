import { DAY_MS, HOUR_MS } from '../../platform/time';
import {
  EVENT_TYPES,
  type EventType,
  FAILURE_CLASSES,
  type FailureClass,
  LOG_STATUSES,
  type LogFilter,
  type LogStatus,
} from '../../webhooks/service';
import { FilterSelect } from '../ui/filters';
import { sharedMessages } from '../ui/messages';
import type { View } from '../ui/view';
import { messages } from './messages';

const PERIODS = { all: 0, hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS };
type Period = keyof typeof PERIODS;
const PERIOD_NAMES = Object.keys(PERIODS) as Period[];

/** The filter of a log page from its query; unknown values are ignored. */
export interface LogChoice {
  status: LogStatus;
  type?: EventType;
  failure?: FailureClass;
  period: Period;
}

export function readChoice(query: Record<string, string>): LogChoice {
  return {
    status: LOG_STATUSES.find((each) => each === query.status) ?? 'all',
    type: EVENT_TYPES.find((each) => each === query.type),
    failure: FAILURE_CLASSES.find((each) => each === query.failure),
    period: PERIOD_NAMES.find((each) => each === query.period) ?? 'all',
  };
}

export function filterOf({ status, type, failure, period }: LogChoice, now: number): LogFilter {
  const since = period === 'all' ? undefined : now - PERIODS[period];
  return { status, eventTypes: type && [type], failureClass: failure, since };
}

export function isFiltered(choice: LogChoice): boolean {
  return queryOf(choice) !== '';
}

/** The filter as a query string, followed by further parameters. */
export function queryOf(choice: LogChoice, more: Record<string, string> = {}): string {
  const { status, period, type, failure } = choice;
  const chosen = {
    ...(status !== 'all' && { status }),
    ...(type && { type }),
    ...(failure && { failure }),
    ...(period !== 'all' && { period }),
  };
  const query = new URLSearchParams({ ...chosen, ...more });
  return query.size === 0 ? '' : `?${query}`;
}

/** The filter is sent by GET, so the URL holds it. */
export function LogFilterForm({ view, path, choice }: { view: View; path: string; choice: LogChoice }) {
  const { common } = sharedMessages(view);
  const { deliveries: t, eventTypes } = messages(view);
  const optionsOf = <T extends string>(values: readonly T[], labels: Record<T, string>) =>
    values.map((value) => ({ value, label: labels[value] }));
  const statuses = optionsOf(LOG_STATUSES, {
    ...t.statuses,
    all: t.allStatuses,
    failed: t.statuses.exhausted,
    waiting: t.statuses.pending,
  });
  const types = optionsOf(EVENT_TYPES, eventTypes);
  const failures = optionsOf(FAILURE_CLASSES, t.failures);
  const periods = optionsOf(PERIOD_NAMES, t.periods);
  return (
    <form method="get" action={path} class="filters">
      <FilterSelect name="status" label={common.status} options={statuses} value={choice.status} />
      <FilterSelect name="type" label={t.triggers.event} all={t.allEvents} options={types} value={choice.type} />
      <FilterSelect name="failure" label={t.failure} all={t.allFailures} options={failures} value={choice.failure} />
      <FilterSelect name="period" label={common.period} options={periods} value={choice.period} />
      <button type="submit">{common.show}</button>
      {isFiltered(choice) && <a href={path}>{t.reset}</a>}
    </form>
  );
}
