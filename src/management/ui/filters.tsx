import { type Day, readDay } from '../../platform/pharmacy-time';
import type { Reader } from '../http/language';
import { Labeled } from './fields';
import type { Faults } from './form-errors';
import { sharedMessages } from './messages';

/** Days as an address carries them; the fault stands beside what was typed. */
export interface TypedDays {
  from: string;
  to: string;
}

/** @returns the days that are given, each undefined where its field is empty, or what is wrong with them */
export function readDays(typed: TypedDays, reader: Reader): { from?: Day; to?: Day; faults: Faults } {
  const { dates } = sharedMessages(reader);
  const faults: Faults = {};
  const [from, to] = (['from', 'to'] as const).map((name) => {
    const day = typed[name] === '' ? undefined : readDay(typed[name]);
    if (day === null) faults[name] = dates.noDate;
    return day ?? undefined;
  });
  if (from && to && from > to) faults.to = dates.endsBefore;
  return { from, to, faults };
}

export function DayField(props: { name: string; label: string; value: string; faults: Faults }) {
  const { name, label, value, faults } = props;
  return (
    <Labeled
      {...{ name, label }}
      error={faults[name]}
      control={(attributes) => <input {...attributes} type="date" value={value} />}
    />
  );
}

export interface Option {
  value: string;
  label: string;
}

/** One of a list that narrows what the page shows; the first entry narrows nothing. */
export function FilterSelect(props: { name: string; label: string; all?: string; options: Option[]; value?: string }) {
  const { name, label, all, options, value } = props;
  return (
    <Labeled
      {...{ name, label }}
      control={(attributes) => (
        <select {...attributes}>
          {all !== undefined && <option value="">{all}</option>}
          {options.map((option) => (
            <option value={option.value} selected={option.value === value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    />
  );
}
