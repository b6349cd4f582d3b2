import {
  PRODUCT_FIELDS,
  type ProductField,
  type ProductFieldSpec,
  productFields,
  productRules,
} from '../../catalog/fields';
import type { ProductValues } from '../../inventory/service';
import type { Form } from '../http/form-data';
import { type Language, LOCALES, type Reader } from '../http/language';
import type { FieldErrors } from '../ui/form-errors';
import { formatMoney } from '../ui/format';
import { parsePrice, priceText } from '../ui/price';
import type { View } from '../ui/view';
import { messages } from './messages';

export const SHOP_FIELDS = PRODUCT_FIELDS.filter((field) => field !== 'slug');

export function kindOf(field: ProductField): ProductFieldSpec['kind'] {
  return productFields[field].kind;
}
/** The fields of a form as they are typed. */
export type TypedFields = Partial<Record<ProductField, string>>;

type Value = ProductValues[ProductField];

/** A value as its form field shows it; empty if it is inherited. */
export function textOf(field: ProductField, value: Value, language: Language): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  if (kindOf(field) === 'money') return priceText(value, language);
  const text = String(value);
  return language === 'de' ? text.replace('.', ',') : text;
}

/** A value as text for reading. */
export function shownValue(view: View, field: ProductField, value: Value): string {
  const t = messages(view);
  if (value === null || value === undefined) return t.none;
  if (typeof value === 'boolean') return value ? t.yes : t.no;
  if (typeof value === 'string') return value;
  if (kindOf(field) === 'money') return formatMoney(view.language, value);
  return new Intl.NumberFormat(LOCALES[view.language], { maximumFractionDigits: 3 }).format(value);
}

/** What a form changes. It leaves out fields that still hold what they held when the page was made. */
export interface FieldChanges {
  typed: TypedFields;
  /** The values that the changed fields held when the page was made. */
  seen: ProductValues;
  change: ProductValues;
  fieldErrors: FieldErrors;
}

/** Reads a form of product fields. Unchanged fields are left out, so that they do not overwrite others' changes. */
export function readFields(form: Form, fields: readonly ProductField[], reader: Reader): FieldChanges {
  const read: FieldChanges = { typed: {}, change: {}, seen: {}, fieldErrors: {} };
  for (const field of fields) {
    const name = productFields[field].wire;
    const text = kindOf(field) === 'lines' ? form.lines(name) : form.text(name);
    const seen = seenValue(form.text(seenName(field)));
    if (text === plainText(field, seen)) continue;
    const value = readValue(field, text);
    if (value === (seen ?? null)) continue;
    read.typed[field] = text;
    Object.assign(read.seen, { [field]: seen ?? null });
    if (value === undefined || (value !== null && !productRules[field].safeParse(value).success)) {
      read.fieldErrors[name] = faultText(field, reader);
    } else {
      Object.assign(read.change, { [field]: value });
    }
  }
  return read;
}

function faultText(field: ProductField, reader: Reader): string {
  const { kind, max = 0 }: ProductFieldSpec = productFields[field];
  const fault = messages(reader).fieldErrors[kind];
  return typeof fault === 'string' ? fault : fault(max);
}

/** The hidden field with the values, as JSON, that the fields held when the page was made. */
export function seenName(field: ProductField): string {
  return `seen-${productFields[field].wire}`;
}

function seenValue(json: string): Value {
  try {
    const value: unknown = JSON.parse(json);
    // SAFETY: it is only compared with the stored values, never written.
    return typeof value === 'object' ? null : (value as Value);
  } catch {
    return null;
  }
}

/** A text as a form sends it back: API clients may store characters that a form field does not keep. */
function plainText(field: ProductField, value: Value): string | null {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return null;
  const kept = kindOf(field) === 'lines' ? /[^\P{Cc}\n\t]/gu : /\p{Cc}/gu;
  return value.replace(/\r\n?/g, '\n').replace(kept, '').trim();
}

/** @returns null for an empty field (inherits), undefined for an invalid value */
function readValue(field: ProductField, text: string): Value {
  if (text === '') return null;
  if (kindOf(field) === 'flag') return text === 'yes' ? true : text === 'no' ? false : undefined;
  if (kindOf(field) === 'money') return parsePrice(text) ?? undefined;
  if (kindOf(field) !== 'percent') return text;
  const plain = text.replace(/[%\s]/g, '').replace(',', '.');
  return /^\d{1,3}(\.\d{1,6})?$/.test(plain) ? Number(plain) : undefined;
}
