import { type Bytes, Fault, isEqual } from '../bytes';

/** Thrown for bytes that are not a PDF by ISO 32000-2. */
export class PdfFault extends Fault {}

export class Name {
  constructor(readonly name: string) {}
}

export class Ref {
  constructor(
    readonly num: number,
    readonly gen: number,
  ) {}
}

/** A string. `from` and `to` are the offsets in the parsed bytes at which it starts and ends, with its delimiters. */
export class Text {
  constructor(
    readonly bytes: Bytes,
    readonly from: number,
    readonly to: number,
  ) {}
}

export class Dict {
  readonly entries = new Map<string, Value>();

  get(key: string): Value | undefined {
    return this.entries.get(key);
  }
}

/** A stream with its bytes as they are stored, before any filter is undone. */
export class Stream {
  constructor(
    readonly dict: Dict,
    readonly raw: Bytes,
  ) {}
}

/** Any object of a PDF (§7.3). `null` is the PDF's null object. */
export type Value = null | boolean | number | Name | Ref | Text | Dict | Stream | Value[];

export function isName(value: Value | undefined, name: string): boolean {
  return value instanceof Name && value.name === name;
}

export function nameOf(value: Value | undefined): string | null {
  return value instanceof Name ? value.name : null;
}

/** Returns a dictionary itself, or the dictionary of a stream; null for any other value. */
export function dictOf(value: Value | undefined): Dict | null {
  if (value instanceof Dict) return value;
  return value instanceof Stream ? value.dict : null;
}

/** Whether two values are equal. References are compared, not followed. Null equals a missing entry (§7.3.7). */
export function isSame(one: Value | undefined, other: Value | undefined): boolean {
  if (one === other || (one ?? null) === (other ?? null)) return true;
  if (one instanceof Name) return other instanceof Name && one.name === other.name;
  if (one instanceof Ref) return other instanceof Ref && one.num === other.num && one.gen === other.gen;
  if (one instanceof Text) return other instanceof Text && isEqual(one.bytes, other.bytes);
  if (one instanceof Stream)
    return other instanceof Stream && isEqual(one.raw, other.raw) && isSame(one.dict, other.dict);
  if (one instanceof Dict)
    return other instanceof Dict && keysOf(one, other).every((key) => isSame(one.get(key), other.get(key)));
  if (Array.isArray(one))
    return Array.isArray(other) && one.length === other.length && one.every((each, at) => isSame(each, other[at]));
  return false;
}

export function keysOf(...dicts: (Dict | null)[]): string[] {
  return [...new Set(dicts.flatMap((dict) => [...(dict?.entries.keys() ?? [])]))];
}

/** All references in a value, at any depth. A repeated reference is listed each time. */
export function refsIn(value: Value, found: Ref[] = []): Ref[] {
  if (value instanceof Ref) found.push(value);
  else if (Array.isArray(value)) for (const each of value) refsIn(each, found);
  else for (const each of dictOf(value)?.entries.values() ?? []) refsIn(each, found);
  return found;
}
