import { firstWord, latin1, orNull } from '../bytes';
import { Dict, PdfFault, Ref } from './objects';
import { isWhite, Parser } from './parse';
import type { PdfFile, Revision } from './revision';

const COMMENT_BYTES_MAX = 128;
/** Words at which a reader that repairs files would find an object. */
const WORDS = /obj|xref|trailer|stream|%PDF|\/|<</;

/** Whether there is nothing but white space from `from` on. */
export function isBlank(file: PdfFile, from: number): boolean {
  for (let at = from; at < file.bytes.length; at += 1) if (!isWhite(file.bytes[at])) return false;
  return true;
}

const TABLE = /^xref[\s\dnf]+$/;
const BEGINNING_BYTES = 2_048;

/**
 * Whether a file with something appended says that it is linearized (ISO 32000-2 Annex F): readers would then begin with
 * its first cross-reference. A file that was really linearized is no longer so once something is appended.
 */
export function isLinearized(file: PdfFile): boolean {
  const beginning = latin1(file.bytes.subarray(0, BEGINNING_BYTES));
  const at = beginning.search(/(?<!\d)\d{1,10}\s{1,9}\d{1,5}\s{1,9}obj/);
  if (at < 0) return false;
  const value = orNull(() => file.objectAt(at, file.bytes.length, null, null))?.value;
  const length = value instanceof Dict && value.get('Linearized') !== undefined ? value.get('L') : null;
  return typeof length === 'number' ? length === file.bytes.length : length instanceof Ref;
}

/**
 * Looks whether all readers understand what was appended to a revision alike (ISO 32000-2 §7.5.6): it may hold nothing
 * but objects that its cross-references name, these cross-references, and short comments.
 * @returns why they may not; null if they do
 */
export function tailFault(file: PdfFile, signed: Revision, final: Revision): string | null {
  const count = final.sections.length - signed.sections.length;
  const newer = final.sections.slice(0, Math.max(0, count));
  if (count < 1 || signed.sections.some(({ at }, index) => final.sections[count + index]?.at !== at))
    return 'the cross-references do not go on from the signed ones';
  // Some programs point to the white space before an object or a table.
  const start = (at: number): number => {
    let from = at;
    while (isWhite(file.bytes[from]) && from < at + 2) from += 1;
    return from;
  };
  if (newer.some(({ isOdd }) => isOdd)) return 'an odd cross-reference';
  if (newer.some(({ trailer }) => trailer.get('XRefStm') !== undefined)) return 'a hybrid cross-reference';
  const sections = new Map(newer.map((section) => [start(section.at), section]));
  const places = new Map<number, number>();
  for (const { entries } of newer)
    for (const [num, entry] of entries) if ('at' in entry && entry.at >= signed.end) places.set(start(entry.at), num);
  // A stream of references is an object as any other.
  for (const { at, isStream } of newer) if (isStream) places.set(start(at), -1);
  const met = { sections: new Set<number>(), last: -1, isClosed: false };
  const parser = new Parser(file.bytes, signed.end, file.bytes.length, file.budget);
  try {
    while (skipped(parser)) {
      const at = parser.at;
      const section = sections.get(at);
      if (section) {
        met.sections.add(at);
        met.last = at;
      }
      met.isClosed = false;
      if (section && !section.isStream) {
        const table = latin1(file.bytes.subarray(at, firstWord(file.bytes, 'trailer', at, section.to)));
        if (!TABLE.test(table)) return 'a table that is written oddly';
        parser.at = section.to;
        continue;
      }
      if (parser.peek() === 'startxref') {
        parser.word();
        if (start(parser.integer()) !== met.last) return 'a startxref that does not point to its cross-reference';
        met.isClosed = true;
        continue;
      }
      const num = places.get(at);
      if (num === undefined) return `something at ${at} that no cross-reference names`;
      const read = file.objectAt(at, file.bytes.length, num < 0 ? null : num, (ref) => final.length(ref, true));
      if (read.isOdd) return `object ${read.num} is written oddly`;
      parser.at = read.to;
    }
  } catch (error) {
    if (error instanceof PdfFault) return error.message;
    throw error;
  }
  if (met.sections.size !== sections.size || !met.isClosed || met.last !== start(final.startxref))
    return 'a cross-reference is missing';
  return null;
}

/** Skips white space and harmless comments. @returns whether anything is left @throws PdfFault on another comment */
function skipped(parser: Parser): boolean {
  for (;;) {
    while (parser.at < parser.end && isWhite(parser.bytes[parser.at])) parser.at += 1;
    if (parser.at >= parser.end) return false;
    if (parser.bytes[parser.at] !== 37) return true;
    const from = parser.at;
    parser.skipComment();
    const comment = latin1(parser.bytes.subarray(from, Math.min(parser.at, from + COMMENT_BYTES_MAX + 1)));
    if (comment.length > COMMENT_BYTES_MAX || WORDS.test(comment.slice(1))) throw new PdfFault(`A comment at ${from}`);
  }
}
