import { AppError, type FieldError, invalidInput } from '../errors/errors';
import { ERRORS_MAX, JSON_DEPTH_MAX, STRUCTURE_MAX } from '../limits';

/**
 * Matches a control character that no text may contain: C0, C1 and DEL, except tab, line feed and carriage return.
 * SQLite cuts texts at NUL.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it finds control characters in order to refuse them
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Parses a body, and makes the checks that a schema cannot make. Zod drops `__proto__` silently. SQLite rewrites lone
 * surrogates. JSON.parse keeps only the last of repeated members (RFC 8259 §4: unpredictable).
 * @param structureMax the largest number of `{ [ , :` outside strings. A body with more is refused before it is parsed
 * @throws AppError `too_complex`, `invalid_json`, or `validation_failed` naming every fault (at most 50)
 */
export function parseJson(bytes: Uint8Array, structureMax: number = STRUCTURE_MAX.elsewhere): unknown {
  const text = orInvalid(() => UTF8.decode(bytes));
  const structure = structureOf(text, structureMax);
  if (!structure) throw tooComplex(structureMax);
  const value = orInvalid(() => (structure.hasOddNumbers ? parseWithSources(text) : (JSON.parse(text) as unknown)));
  const errors: FieldError[] = [];
  const members = walk(value, [], errors);
  if (errors.length === 0 && members < structure.members) {
    const message = 'This member is sent twice. Send it once.';
    errors.push({ pointer: pointerOf(firstRepeated(text)), code: 'duplicate_member', message });
  }
  if (errors.length > 0) throw invalidInput(errors);
  return value;
}

/** Returns the value of a JSON text; undefined if the text is not JSON. */
export function jsonOrNothing(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/**
 * The numbers that JavaScript would write differently from how they were sent. The key is a parsed object or list. The
 * value has the text of each such number as it was sent, by key or index.
 */
const numberSources = new WeakMap<object, Map<string, string>>();

function parseWithSources(text: string): unknown {
  return JSON.parse(text, function (this: object, key: string, value: unknown, { source }: { source?: string }) {
    if (typeof value === 'number' && source !== undefined && String(value) !== source) {
      const sources = numberSources.get(this) ?? new Map<string, string>();
      numberSources.set(this, sources.set(key, source));
    }
    return value;
  } as (this: object, key: string, value: unknown) => unknown);
}

/** Returns the JSON text of a member of a parsed body. Its numbers are written as they were sent. */
export function jsonAsSent(holder: object, key: string): string {
  const value = (holder as Record<string, unknown>)[key];
  if (typeof value === 'number') return numberSources.get(holder)?.get(key) ?? String(value);
  // SAFETY: the runtime has JSON.rawJSON, which the types do not know.
  const { rawJSON } = JSON as unknown as { rawJSON: (source: string) => unknown };
  return JSON.stringify(value, function (this: object, name: string, each: unknown) {
    const source = numberSources.get(this)?.get(name);
    return source === undefined ? each : rawJSON(source);
  });
}

function orInvalid<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw new AppError('invalid_json', 'The body must be JSON in UTF-8 (RFC 8259).');
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [MINUS, ZERO, NINE] = [0x2d, 0x30, 0x39];
/** Whether a character is one of `{ [ , :`, by the character's code: 1 or 0. */
const IS_STRUCTURE = Uint8Array.from({ length: 256 }, (_, code) =>
  '{[,:'.includes(String.fromCharCode(code)) ? 1 : 0,
);

const COLON = 0x3a;
/** Matches the characters of a number. */
const NUMBER = /[-+.\deE]+/y;

/**
 * Counts the members in a JSON text. Also tells whether JavaScript would write one of the numbers differently. Returns
 * null, without reading on, if more than `max` of the characters `{ [ , :` are outside strings. Strings are skipped
 * with native functions, because a prescription is a string of up to 14 million characters. These functions are much
 * faster on text than on bytes. Invalid JSON is not noticed here: the parser refuses it later.
 */
function structureOf(text: string, max: number): { members: number; hasOddNumbers: boolean } | null {
  let [count, members, hasOddNumbers] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at + 1);
    } else if (IS_STRUCTURE[code] === 1) {
      count += 1;
      if (code === COLON) members += 1;
      if (count > max) return null;
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      NUMBER.lastIndex = at;
      const number = NUMBER.exec(text)?.[0] ?? '';
      hasOddNumbers ||= String(Number(number)) !== number;
      at += Math.max(number.length - 1, 0);
    }
  }
  return { members, hasOddNumbers };
}

/** Returns the path of the first repeated member in valid JSON. */
function firstRepeated(text: string): string[] {
  const open: { keys?: Set<string>; isKeyNext: boolean; key: string }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    const within = open.at(-1);
    if (character === '{') open.push({ keys: new Set(), isKeyNext: true, key: '' });
    else if (character === '[') open.push({ isKeyNext: false, key: '0' });
    else if (character === '}' || character === ']') open.pop();
    else if (character === ',' && within) {
      if (within.keys) within.isKeyNext = true;
      else within.key = String(Number(within.key) + 1);
    } else if (character === '"') {
      const end = endOfString(text, at + 1);
      if (within?.isKeyNext) {
        within.key = JSON.parse(text.slice(at, end + 1)) as string;
        if (within.keys?.has(within.key)) return open.map(({ key }) => key);
        within.keys?.add(within.key);
        within.isKeyNext = false;
      }
      at = end;
    }
  }
  return [];
}

/** Returns the index of the quote that ends a string; the length of the text if there is none. */
function endOfString(text: string, start: number): number {
  for (let from = start; ; ) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return text.length;
    let before = quote;
    while (before > from && text.charCodeAt(before - 1) === BACKSLASH) before -= 1;
    // Backslashes escape each other in pairs; with an odd number, the last one escapes the quote.
    if ((quote - before) % 2 === 0) return quote;
    from = quote + 1;
  }
}

/**
 * Returns a lower bound for the length of a value as JSON, in characters. Texts and keys are counted without quotes and
 * escapes. The bound shows that a value is far too long, without serializing it.
 */
export function leastJsonLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  let length = 1;
  if (Array.isArray(value)) {
    for (const entry of value) length += leastJsonLength(entry);
    return length;
  }
  for (const key of Object.keys(value)) length += key.length + leastJsonLength((value as Record<string, unknown>)[key]);
  return length;
}

function tooComplex(structureMax: number): AppError {
  return new AppError(
    'too_complex',
    `The body has too many members and entries: at most ${structureMax} of the characters { [ , and : are allowed outside of strings.`,
  );
}

/**
 * Adds the faults of a parsed value to `errors`.
 * @param path the keys that lead to this value; turned into a JSON Pointer only for a fault
 * @returns the number of members of the value's objects, at all levels
 */
function walk(value: unknown, path: string[], errors: FieldError[]): number {
  if (errors.length >= ERRORS_MAX) return 0;
  if (typeof value === 'string') {
    const fault = faultOfText(value);
    if (fault) errors.push({ pointer: pointerOf(path), ...fault });
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) {
      errors.push({ pointer: pointerOf(path), code: 'number_out_of_range', message: 'Send a finite number.' });
    }
  } else if (typeof value === 'object' && value !== null) {
    return walkMembers(value, path, errors);
  }
  return 0;
}

function walkMembers(value: object, path: string[], errors: FieldError[]): number {
  if (path.length >= JSON_DEPTH_MAX) {
    errors.push({ pointer: pointerOf(path), code: 'too_deep', message: `Nest at most ${JSON_DEPTH_MAX} levels.` });
    return 0;
  }
  const entries = Object.entries(value);
  let members = Array.isArray(value) ? 0 : entries.length;
  for (const [key, child] of entries) {
    path.push(key);
    if (FORBIDDEN_KEYS.has(key)) {
      errors.push({ pointer: pointerOf(path), code: 'forbidden_key', message: 'Remove this key.' });
    } else if (faultOfText(key)) {
      const pointer = pointerOf(path.slice(0, -1));
      errors.push({ pointer, code: 'invalid_key', message: 'A key contains characters that are not allowed.' });
    } else {
      members += walk(child, path, errors);
    }
    path.pop();
  }
  return members;
}

function pointerOf(path: readonly string[]): string {
  return path.map((key) => `/${escapePointer(key)}`).join('');
}

/**
 * The length up to which a text is searched for control characters, because the search takes as long as parsing. A
 * longer text is base64, whose decoder refuses control characters, or it is longer than any field may be.
 */
const SEARCHED_LENGTH_MAX = 64 * 1024;

/** Returns the fault of a text that is not allowed in any field; null for any other text. */
export function faultOfText(text: string): Pick<FieldError, 'code' | 'message'> | null {
  if (!text.isWellFormed()) return { code: 'malformed_unicode', message: 'Remove the unpaired surrogate.' };
  if (text.length <= SEARCHED_LENGTH_MAX && CONTROL.test(text))
    return { code: 'control_character', message: 'Remove control characters such as NUL.' };
  return null;
}

const POINTER_KEY_MAX = 100;

/**
 * Returns a key as one reference token of a JSON Pointer (RFC 6901 §3). A long key is cut, because an error must not
 * repeat a body.
 */
export function escapePointer(key: string): string {
  return key.slice(0, POINTER_KEY_MAX).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Whether a value is an object and not a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object that was parsed from JSON. */
export type JsonObject = { readonly [name: string]: unknown };

/**
 * Returns the target after a JSON Merge Patch (RFC 7396), like SQLite's `json_patch`. Members of the patch replace
 * those of the target. Objects are merged recursively, and null removes a member.
 */
export function mergePatch(target: object | undefined, patch: object): object {
  const merged = new Map<string, unknown>(Object.entries(target ?? {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, isObject(value) ? mergePatch(objectOf(merged.get(name)), value) : value);
  }
  return Object.fromEntries(merged);
}

/** Returns how many objects and lists are nested in each other at most; 0 for a plain value. */
export function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** Whether two values are equal as JSON. The order of members does not matter. */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSameJson(left[name as never], right[name as never]))
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectOf(value: unknown): object | undefined {
  return isObject(value) ? value : undefined;
}
