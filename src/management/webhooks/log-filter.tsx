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
import type { View } from '../ui/view';
import { messages } from './messages';

const PERIODS = { all: 0, hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS };
type Period = keyof typeof PERIODS;

/** The filter of a log page from its query; unknown values are ignored. */
export interface LogChoice {
  status: LogStatus;
  type?: EventType;
  failure?: FailureClass;
  period: Period;
}

export function readChoice(query: Record<string, string>): LogChoice {
  const periods = Object.keys(PERIODS) as Period[];
  return {
    status: LOG_STATUSES.find((each) => each === query.status) ?? 'all',
    type: EVENT_TYPES.find((each) => each === query.type),
    failure: FAILURE_CLASSES.find((each) => each === query.failure),
    period: periods.find((each) => each === query.period) ?? 'all',
  };
}

export function filterOf({ status, type, failure, period }: LogChoice, now: number): LogFilter {
  const since = period === 'all' ? undefined : now - PERIODS[period];
  return { status, eventType: type, failureClass: failure, since };
}

export function isFiltered({ status, type, failure, period }: LogChoice): boolean {
  return status !== 'all' || period !== 'all' || type !== undefined || failure !== undefined;
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

interface Option {
  value: string;
  label: string;
}

function Select({ name, label, options, value }: { name: string; label: string; options: Option[]; value: string }) {
  return (
    <select name={name} aria-label={label}>
      {options.map((option) => (
        <option value={option.value} selected={option.value === value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

/** The filter is sent by GET, so the URL holds it. */
export function LogFilterForm({ view, path, choice }: { view: View; path: string; choice: LogChoice }) {
  const t = messages(view);
  const statuses = LOG_STATUSES.map((value) => ({ value, label: t.deliveries.logStatuses[value] }));
  const types = EVENT_TYPES.map((value) => ({ value, label: t.eventTypes[value] }));
  const failures = FAILURE_CLASSES.map((value) => ({ value, label: t.deliveries.failures[value] }));
  const periods = (Object.keys(PERIODS) as Period[]).map((value) => ({ value, label: t.deliveries.periods[value] }));
  return (
    <form method="get" action={path} class="inline filter">
      <Select name="status" label={t.deliveries.status} options={statuses} value={choice.status} />
      <Select
        name="type"
        label={t.deliveries.event}
        options={[{ value: '', label: t.deliveries.allEvents }, ...types]}
        value={choice.type ?? ''}
      />
      <Select
        name="failure"
        label={t.deliveries.failure}
        options={[{ value: '', label: t.deliveries.allFailures }, ...failures]}
        value={choice.failure ?? ''}
      />
      <Select name="period" label={t.deliveries.period} options={periods} value={choice.period} />
      <button type="submit">{t.deliveries.filter}</button>
      {isFiltered(choice) && <a href={path}>{t.deliveries.reset}</a>}
    </form>
  );
}
