import { type Day, readDay } from '../../platform/pharmacy-time';
import type { Reader } from '../http/language';
import { Labeled, type Option, Options } from './fields';
import type { FieldErrors } from './form-errors';
import { sharedMessages } from './messages';

/** Typed days from the query, with their errors. */
export interface TypedDays {
  from: string;
  to: string;
}

/** @returns the days, each undefined if its field is empty; or their errors */
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

export function DayField(props: { name: string; label: string; value: string; fieldErrors: FieldErrors }) {
  const { name, label, value, fieldErrors } = props;
  return (
    <Labeled
      {...{ name, label }}
      error={fieldErrors[name]}
      control={(attributes) => <input {...attributes} type="date" value={value} />}
    />
  );
}

/** The choice of a shop, by its id. */
export function shopOptions(shops: readonly { id: string; name: string }[]): Option[] {
  return shops.map(({ id, name }) => ({ value: id, label: name }));
}

/** A select that filters the page. @param all label of a first entry that does not filter */
export function FilterSelect(props: { name: string; label: string; all?: string; options: Option[]; value?: string }) {
  const { name, label, all, options, value } = props;
  return (
    <Labeled
      {...{ name, label }}
      control={(attributes) => (
        <select {...attributes}>
          <Options options={options} value={value} none={all} />
        </select>
      )}
    />
  );
}
