import { onceFor } from './isolate-cache';

/**
 * The class of a column, by what its values may reveal: a person's identity, health data, a credential, or none of
 * these. Free text of staff or callers may contain health data.
 */
export type FieldClass = 'person' | 'health' | 'secret' | 'business';

/** How the search reads a column. `items` means order lines as JSON: the search reads their names and products. */
export type Searched = 'words' | 'reference' | 'email' | 'id' | 'phone' | 'number' | 'items';

interface Described {
  /**
   * The field's name in JSON, in `changed_fields` of events and in the audit log. A field without a name is not public.
   */
  wire?: string;
  /**
   * The member of a response that contains the field. If the field's name begins with the name of this member, the
   * response omits that part: `address_city` is sent as `address.city`.
   */
  within?: string;
  /** The field's description in the reference of the API. */
  says?: string;
  /** The field's description in request bodies, if it differs from `says`. */
  asks?: string;
  example?: string;
  /** The longest text that a body may contain, in characters. */
  max?: number;
  /** How a number is written: cents as EUR, epoch ms as ISO 8601. */
  unit?: 'cents' | 'time';
  /**
   * The calls that change the field. The field's name can then be in `changed_fields`, so that the history has a label
   * for it.
   */
  changedBy?: readonly string[];
  /** How the search reads the field (search/words.ts). The search ignores fields without it. */
  searched?: Searched;
}

/**
 * A column that an erasure changes. Null means that the erasure empties it. A text describes the value that the store
 * writes instead.
 */
interface Erased {
  erased: null | string;
}

/**
 * A column that an erasure does not change. `kept` says what deletes the column's value later, or why the value stays.
 * docs/privacy.md prints this text.
 */
interface Kept {
  kept: string;
}

/**
 * The description of one column. Types, schemas, JSON, names in events, labels, erasures and docs/privacy.md are
 * derived from it.
 * An erasure changes every column of class `health`. For each column of class `person` or `secret`, the description
 * says how an erasure changes it, or what deletes its value.
 */
export type Field = Described &
  (
    | ({ class: 'business' } & Partial<Erased>)
    | ({ class: 'health' } & Erased)
    | ({ class: 'person' | 'secret' } & (Erased | Kept))
  );

/**
 * The fields of a table. There is one for each column: the compiler reports a missing one. There is also one for each
 * name in `Beside`. These names stand for values that responses contain but the table does not. Responses list values
 * in the order of the fields.
 */
export type FieldsOf<T extends { $inferSelect: object }, Beside extends string = never> = {
  readonly [Key in keyof T['$inferSelect'] | Beside]: Field;
};

/** The fields of any table. */
export type Fields = Readonly<Record<string, Field>>;

/** The keys of the fields that a call changes. */
export type ChangedBy<F extends Fields, Call extends string> = {
  [Key in keyof F]: F[Key] extends { changedBy: readonly (infer Calls)[] } ? (Call extends Calls ? Key : never) : never;
}[keyof F] &
  string;

/** The wire names of all fields that some call can change. */
export type ChangedName<F extends Fields> = {
  [Key in keyof F]: F[Key] extends { changedBy: readonly string[]; wire: infer Name } ? Name : never;
}[keyof F];

/** The columns that an erasure empties or rewrites. */
export type ErasedKey<F extends Fields> = {
  [Key in keyof F]: F[Key] extends Erased ? Key : never;
}[keyof F];

type EmptiedKey<F extends Fields> = { [Key in keyof F]: F[Key] extends { erased: null } ? Key : never }[keyof F];

/** Returns the fields of columns of class `business` that are not public. */
export function business<const Key extends string>(...keys: Key[]): { readonly [K in Key]: { class: 'business' } } {
  return Object.fromEntries(keys.map((key) => [key, { class: 'business' }])) as { [K in Key]: { class: 'business' } };
}

function keysWhere(fields: Fields, isTrue: (field: Field) => boolean): string[] {
  return Object.keys(fields).filter((key) => isTrue(fields[key] as Field));
}

/** Returns the keys of the fields that a call changes, in the order of `fields`. */
export function changedBy<F extends Fields, Call extends string>(fields: F, call: Call): ChangedBy<F, Call>[] {
  return keysWhere(fields, (field) => field.changedBy?.includes(call) === true) as ChangedBy<F, Call>[];
}

/** Returns the keys of the fields that the search reads, and how it reads each. */
export const searched = onceFor((fields: Fields) =>
  Object.entries(fields).flatMap(([key, { searched: as }]) => (as === undefined ? [] : [{ key, as }])),
);

/** Returns the values for an UPDATE that erases a row: null for each column that an erasure empties. */
export function emptied<F extends Fields>(fields: F): { [Key in EmptiedKey<F>]: null } {
  const keys = keysWhere(fields, (field) => 'erased' in field && field.erased === null);
  return Object.fromEntries(keys.map((key) => [key, null])) as { [Key in EmptiedKey<F>]: null };
}

/** Returns the wire names of some fields. For a field without a wire name, returns its key. */
export function wireNames(fields: Fields, keys: readonly string[]): string[] {
  return keys.map((key) => fields[key]?.wire ?? key);
}

type WireName<F> = F extends { wire: infer Name extends string } ? Name : never;
/** The values of fields, by the wire names of the fields. */
type ByWireName<F extends Fields, Values> = {
  [Key in keyof Values as WireName<F[Key & keyof F]>]: Values[Key];
};

/** Returns the values under the wire names of their fields. */
export function byWireName<F extends Fields, Values extends object>(fields: F, values: Values): ByWireName<F, Values> {
  const entries = Object.entries(values).map(([key, value]) => [fields[key]?.wire, value]);
  return Object.fromEntries(entries) as ByWireName<F, Values>;
}

type OfWireNames<F extends Fields, Body> = {
  [Key in keyof F as F[Key] extends { wire: keyof Body } ? Key : never]: Body[WireName<F[Key]> & keyof Body];
} & Omit<Body, WireName<F[keyof F]>>;

/**
 * Returns the members of a body under the keys of their fields, the inverse of `byWireName`. Members that are no field
 * keep their names. Undefined members are left out.
 */
export function ofWireNames<F extends Fields, Body extends object>(fields: F, body: Body): OfWireNames<F, Body> {
  const keys = new Map(Object.entries(fields).map(([key, { wire }]) => [wire, key]));
  const sent = Object.entries(body).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent.map(([name, value]) => [keys.get(name) ?? name, value])) as OfWireNames<F, Body>;
}
