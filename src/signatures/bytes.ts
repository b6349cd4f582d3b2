import { Buffer } from 'node:buffer';

export type Bytes = Uint8Array;

/** Thrown for bytes that cannot be read: no PDF, no ASN.1, or an unknown algorithm. */
export class Fault extends Error {}

/** Returns the result of `read`; null if it throws a `Fault`. */
export function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    return ifFault(error);
  }
}

/** Returns null for a `Fault`; throws every other error again. */
export function ifFault(error: unknown): null {
  if (error instanceof Fault) return null;
  throw error;
}

function bufferOf({ buffer, byteOffset, length }: Bytes): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

/** Returns a text with one character for each byte (ISO 8859-1). */
export function latin1(bytes: Bytes): string {
  return bufferOf(bytes).toString('latin1');
}

export function isEqual(one: Bytes, other: Bytes): boolean {
  return bufferOf(one).equals(other);
}

export function joined(parts: readonly Bytes[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}

/** Returns lowercase hex digits. */
export function hex(bytes: Bytes): string {
  return bufferOf(bytes).toString('hex');
}

/** Decodes a text to bytes: one byte for each character of ISO 8859-1, or one byte for each two hexadecimal digits. */
export function bytesOf(text: string, written: 'latin1' | 'hex'): Bytes {
  return new Uint8Array(Buffer.from(text, written));
}

/** The offset of the last occurrence of an ASCII word that ends at or before `end`; -1 if there is none. */
export function lastWord(bytes: Bytes, word: string, end: number): number {
  return bufferOf(bytes.subarray(0, end)).lastIndexOf(word, undefined, 'latin1');
}

/** The offset of the first occurrence of an ASCII word between `from` and `end`; -1 if there is none. */
export function firstWord(bytes: Bytes, word: string, from = 0, end = bytes.length): number {
  return bufferOf(bytes.subarray(0, end)).indexOf(word, from, 'latin1');
}

/** The offsets of all occurrences of an ASCII word, in order. */
export function* placesOf(bytes: Bytes, word: string): Generator<number> {
  for (let at = firstWord(bytes, word); at >= 0; at = firstWord(bytes, word, at + 1)) yield at;
}
