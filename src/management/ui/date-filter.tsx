import type { Period } from '../../platform/data/period';
import { addDays, dayOf, endOf, startOf } from '../../platform/pharmacy-time';
import type { ManageContext } from '../http/env';
import { DayField, FilterSelect, readDays } from './filters';
import type { FieldErrors } from './form-errors';
import { sharedMessages } from './messages';
import type { View } from './view';

const SPANS = ['today', 'week', 'between'] as const;
type Span = (typeof SPANS)[number];

/** The days that a list shows, as its address says them: `?when=today`, `?when=between&from=2026-11-20&to=2026-11-27`. */
export interface DateFilter {
  /** Undefined: any time. */
  when?: Span;
  /** As typed. */
  from: string;
  to: string;
  /** What it comes to; empty if a day is wrong. */
  period: Period;
  fieldErrors: FieldErrors;
}

const TYPED_MAX = 100;
const WEEK_DAYS = 7;

/** Reads the days of a list's address. Days without a span mean those between them; of two ends, one may be missing. */
export function readDateFilter(c: ManageContext): DateFilter {
  const asked = (name: string) => (c.req.query(name) ?? '').trim().slice(0, TYPED_MAX);
  const typed = { from: asked('from'), to: asked('to') };
  const named = SPANS.find((span) => span === asked('when'));
  const when = named ?? (typed.from !== '' || typed.to !== '' ? 'between' : undefined);
  const today = dayOf(c.var.ctx.now());
  if (when === 'today') return { when, from: '', to: '', period: periodOf(today, undefined), fieldErrors: {} };
  if (when === 'week') {
    return { when, from: '', to: '', period: periodOf(addDays(today, 1 - WEEK_DAYS), undefined), fieldErrors: {} };
  }
  if (when === undefined) return { from: '', to: '', period: {}, fieldErrors: {} };
  const { from, to, fieldErrors } = readDays(typed, c.var);
  return { when, ...typed, period: periodOf(from, to), fieldErrors };
}

function periodOf(from: string | undefined, to: string | undefined): Period {
  return {
    ...(from !== undefined && { createdAfter: startOf(from) - 1 }),
    ...(to !== undefined && { createdBefore: endOf(to) + 1 }),
  };
}

/** The same for the query of a link. */
export function dateQuery({ when, from, to }: DateFilter): Record<'when' | 'from' | 'to', string | undefined> {
  return { when, from: from || undefined, to: to || undefined };
}

/** The choice of the days; the fields of a span of one's own show once that is chosen (client/controls.css). */
export function DateFields({ view, filter }: { view: View; filter: DateFilter }) {
  const { common, dates } = sharedMessages(view);
  return (
    <>
      <FilterSelect
        name="when"
        label={common.period}
        all={dates.anyTime}
        options={SPANS.map((value) => ({ value, label: dates.spans[value] }))}
        value={filter.when}
      />
      <div class="between">
        <DayField name="from" label={common.from} value={filter.from} fieldErrors={filter.fieldErrors} />
        <DayField name="to" label={common.to} value={filter.to} fieldErrors={filter.fieldErrors} />
      </div>
    </>
  );
}
