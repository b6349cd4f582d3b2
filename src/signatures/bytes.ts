export type Bytes = Uint8Array;

/** Bytes that are not what they should be: no PDF, no ASN.1, an algorithm that is not known here. */
export class Fault extends Error {}

/** What a function returns; null if it throws a `Fault`. */
export function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}

/** As `orNull`, for a promise. */
export function orNullAsync<T>(reading: Promise<T>): Promise<T | null> {
  return reading.catch((error) => {
    if (error instanceof Fault) return null;
    throw error;
  });
}

const LATIN1_PIECE = 8_192;

/** One character for each byte. */
export function latin1(bytes: Bytes): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += LATIN1_PIECE)
    text += String.fromCharCode(...bytes.subarray(at, at + LATIN1_PIECE));
  return text;
}

export function isEqual(one: Bytes, other: Bytes): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

export function joined(parts: readonly Bytes[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  parts.reduce((at, part) => {
    all.set(part, at);
    return at + part.length;
  }, 0);
  return all;
}

/** Lowercase hex. `toHex` of V8 before 14 takes the bytes of a part from the beginning of the whole. */
export function hex(bytes: Bytes): string {
  return bytes.slice().toHex();
}

/** Where a word of ASCII stands last and ends at or before `end`; -1 if nowhere from `from` on. */
export function lastWord(bytes: Bytes, word: string, from: number, end: number): number {
  const first = word.charCodeAt(0);
  for (let at = bytes.lastIndexOf(first, end - word.length); at >= from; at = bytes.lastIndexOf(first, at - 1)) {
    if (isAt(bytes, word, at)) return at;
    if (at === 0) break;
  }
  return -1;
}

/** Where a word of ASCII stands first from `from` on and ends at or before `end`; -1 if nowhere. */
export function firstWord(bytes: Bytes, word: string, from: number, end: number): number {
  const first = word.charCodeAt(0);
  for (let at = bytes.indexOf(first, from); at >= 0 && at + word.length <= end; at = bytes.indexOf(first, at + 1))
    if (isAt(bytes, word, at)) return at;
  return -1;
}

function isAt(bytes: Bytes, word: string, at: number): boolean {
  for (let index = 1; index < word.length; index += 1) if (bytes[at + index] !== word.charCodeAt(index)) return false;
  return true;
}
