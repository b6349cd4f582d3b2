import type { Child } from 'hono/jsx';
import { pznOf } from '../../codes/read';
import type { Period } from '../../platform/data/page';
import { SEARCH_MAX } from '../../platform/limits';
import { addDays, type Day, dayOf, endOf, readDay, startOf } from '../../platform/pharmacy-time';
import type { ManageContext } from '../http/env';
import type { Reader } from '../http/language';
import { Hidden, Labeled, Select } from './fields';
import { sharedMessages } from './messages';
import { Icon } from './parts';
import type { FieldErrors } from './view';

/** The two days of a period, as typed. */
export interface TypedDays {
  from: string;
  to: string;
}

/**
 * Reads the two days of a period.
 * @returns the days and the errors by field. A day is undefined if its field is empty or invalid.
 */
export function readDays(typed: TypedDays, reader: Reader): { from?: Day; to?: Day; fieldErrors: FieldErrors } {
  const { dates } = sharedMessages(reader);
  const fieldErrors: FieldErrors = {};
  const [from, to] = (['from', 'to'] as const).map((name) => {
    const day = typed[name] === '' ? undefined : readDay(typed[name]);
    if (day === null) fieldErrors[name] = dates.noDate;
    return day ?? undefined;
  });
  if (from && to && from > to) fieldErrors.to = dates.endsBefore;
  return { from, to, fieldErrors };
}

interface DayProps {
  name: string;
  label: string;
  hint?: string;
  type?: 'date' | 'datetime-local';
  /** The earliest day. */
  min?: string;
  /** The latest day. */
  max?: string;
  value?: string;
  fieldErrors?: FieldErrors;
}

/** A field for a day, or for a day with a time. */
export function DayField({ name, label, hint, type = 'date', fieldErrors, ...others }: DayProps) {
  return (
    <Labeled
      {...{ name, label, hint }}
      error={fieldErrors?.[name]}
      control={(attributes) => <input {...attributes} {...{ type, ...others }} />}
    />
  );
}

/** The select for the shop. */
export function ShopFilter({ shops, shopId }: { shops: readonly { id: string; name: string }[]; shopId?: string }) {
  const { common, orders } = sharedMessages();
  const options = shops.map(({ id, name }) => ({ value: id, label: name }));
  return <Select name="shop" label={orders.shop} none={common.allShops} options={options} value={shopId} />;
}

const SPANS = ['today', 'week', 'between'] as const;
type Span = (typeof SPANS)[number];

/** A list's date filter from its URL: `?when=today`, `?when=between&from=2026-11-20&to=2026-11-27`. */
export interface DateFilter {
  /** The chosen span of time; undefined for any time. */
  when?: Span;
  /** The first and the last day of `between`, as typed. */
  from: string;
  to: string;
  /** The resulting period. A missing or invalid day leaves that side open. */
  period: Period;
  fieldErrors: FieldErrors;
}

const TYPED_MAX = 100;
const WEEK_DAYS = 7;

/** Reads the date filter from the query. Days without `when` are read as `between`. Either day may be missing. */
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

/** The date filter as query parameters. */
export function dateQuery({ when, from, to }: DateFilter): Record<'when' | 'from' | 'to', string | undefined> {
  return { when, from: from || undefined, to: to || undefined };
}

/** The fields of the date filter. The day fields appear if `between` is chosen (client/controls.css). */
export function DateFields({ filter }: { filter: DateFilter }) {
  const { common, dates } = sharedMessages();
  return (
    <>
      <Select
        name="when"
        label={common.period}
        none={dates.anyTime}
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

interface ListFiltersProps {
  /** Path of the list. */
  action: string;
  /** Other query parameters of the list, such as its tab. */
  hidden?: Record<string, string | undefined>;
  /** Label, placeholder, and value of the search; `refused` is a typed text that is too long. */
  search: { label: string; placeholder: string; value?: string; refused?: string };
  /** Whether a filter is set. Phones then unfold the filters. */
  isFiltered?: boolean;
  /** Set only if the search takes scanned packs. If true, the field is empty and has the focus for the next scan. */
  isReady?: boolean;
  /** The filters, which follow the search and are folded on phones. */
  children?: Child;
}

/** The checkbox that unfolds the filters that follow it. It appears only on phones, where filters are folded. */
export function FilterToggle({ isOn }: { isOn: boolean }) {
  return (
    <label class="button toggle">
      <input class="unseen" type="checkbox" checked={isOn} />
      <Icon name="sliders" />
      {sharedMessages().common.filter}
    </label>
  );
}

/** Search and filters of a list. Submitted by GET, so the URL contains them. */
export function ListFilters({ action, hidden = {}, search, isFiltered, isReady, children }: ListFiltersProps) {
  const shared = sharedMessages();
  const { refused, value, label, placeholder } = search;
  return (
    <form method="get" action={action} class="filters">
      {Object.entries(hidden).map(([name, text]) => text && <Hidden name={name} value={text} />)}
      <Labeled
        name="q"
        label={label}
        error={refused === undefined ? undefined : shared.search.tooLong(SEARCH_MAX)}
        control={(attributes) => (
          <div class="find">
            <Icon name="search" />
            <input
              {...attributes}
              type="search"
              value={isReady ? '' : (refused ?? value)}
              placeholder={placeholder}
              data-search
              data-scan={isReady !== undefined || undefined}
              autofocus={isReady || undefined}
              data-focus={isReady || undefined}
              maxlength={SEARCH_MAX}
            />
          </div>
        )}
      />
      {children && <FilterToggle isOn={isFiltered === true} />}
      {children}
      <button type="submit">{shared.common.show}</button>
    </form>
  );
}

/** The most characters of a refused search that are shown. */
const SHOWN_MAX = SEARCH_MAX * 2;

/**
 * Reads the search from the query, `?q=`.
 * @returns `typed`: the typed line, or the PZN of a scanned code; empty if nothing was typed
 * @returns `text`: the text to search for; undefined if nothing or too much was typed
 * @returns `refused`: the typed text if it is too long to search for
 */
export function readSearch(c: ManageContext): { typed: string; text?: string; refused?: string } {
  const sent = c.req.query('q');
  if (!sent) return { typed: '' };
  const typed = pznOf(sent) ?? plainLine(sent);
  const isTooLong = [...typed].length > SEARCH_MAX;
  return {
    typed,
    text: isTooLong ? undefined : typed || undefined,
    refused: isTooLong ? typed.slice(0, SHOWN_MAX) : undefined,
  };
}

/** A line without control characters (SQLite ends a text at NUL), trimmed, in NFC. */
export function plainLine(text = ''): string {
  return text
    .replace(/\p{Cc}/gu, '')
    .trim()
    .normalize('NFC');
}
