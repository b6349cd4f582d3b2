import { type Day, readDay } from '../../platform/pharmacy-time';
import type { Reader } from '../http/language';
import { Labeled, type Option, Options } from './fields';
import type { FieldErrors } from './form-errors';
import { sharedMessages } from './messages';
import type { View } from './view';

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

interface DayProps {
  name: string;
  label: string;
  hint?: string;
  type?: 'date' | 'datetime-local';
  /** The first day to choose. */
  min?: string;
  value?: string;
  fieldErrors?: FieldErrors;
}

/** A day, or a moment of one. */
export function DayField({ name, label, hint, type = 'date', min, value, fieldErrors }: DayProps) {
  return (
    <Labeled
      {...{ name, label, hint }}
      error={fieldErrors?.[name]}
      control={(attributes) => <input {...attributes} type={type} min={min} value={value} />}
    />
  );
}

interface SelectProps {
  name: string;
  label: string;
  /** The label of a first entry that does not filter, if none of `options` is it. */
  all?: string;
  options: Option[];
  value?: string;
}

/** A select that filters the page. */
export function FilterSelect({ name, label, all, options, value }: SelectProps) {
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

interface ShopFilterProps {
  view: View;
  shops: readonly { id: string; name: string }[];
  shopId?: string;
}

/** The choice of a shop. */
export function ShopFilter({ view, shops, shopId }: ShopFilterProps) {
  const { common, orders } = sharedMessages(view);
  const options = shops.map(({ id, name }) => ({ value: id, label: name }));
  return <FilterSelect name="shop" label={orders.shop} all={common.allShops} options={options} value={shopId} />;
}
