import { Budget, LimitReached } from '../budget';
import { type Bytes, Fault, firstWord, hex, joined, latin1, orNull, orNullAsync } from '../bytes';
import { hasTokenIn } from '../erezept';
import { decoded } from './inflate';
import { isName, Stream, Text } from './objects';
import { Parser } from './parse';
import { PdfFile } from './revision';

/** Before and behind the mark of a token, with room for its id and code. */
const AROUND_BYTES = 256;
const MARK = '$accept?ac=';
const CMAPS_MAX = 64;

/** Codes of a font and the text that they stand for, by the number of bytes of a code. */
type CodeMap = ReadonlyMap<string, string>;

/**
 * Whether a PDF holds the token of an E-Rezept: as it is written, or in the text that it shows, by the fonts' own
 * tables (ToUnicode, ISO 32000-2 §9.10.3). Pictures are not read, nor files that need a password.
 */
export async function holdsToken(bytes: Bytes): Promise<boolean> {
  try {
    if (isWrittenIn(bytes)) return true;
    const budget = new Budget();
    const file = new PdfFile(bytes, budget);
    const revision = await file.revision(bytes.length);
    const shown: Bytes[] = [];
    const maps: CodeMap[] = [];
    for (const num of revision.entries.keys()) {
      const value = (await orNullAsync(revision.read(num)))?.value;
      if (!(value instanceof Stream) || isName(value.dict.get('Subtype'), 'Image')) continue;
      const content = await orNullAsync(decoded(value, budget));
      if (!content) continue;
      if (isWrittenIn(content)) return true;
      if (firstWord(content, 'begincmap', 0, content.length) >= 0) {
        if (maps.length < CMAPS_MAX) maps.push(codeMapOf(latin1(content)));
      } else if (/T[jJ]/.test(latin1(content))) shown.push(stringsOf(content, budget));
    }
    return shown.some(
      (codes) => hasTokenIn(spaceless(latin1(codes))) || maps.some((map) => hasTokenIn(spaceless(textBy(map, codes)))),
    );
  } catch (error) {
    if (error instanceof Fault || error instanceof LimitReached || error instanceof RangeError) return false;
    throw error;
  }
}

function isWrittenIn(bytes: Bytes): boolean {
  for (let at = firstWord(bytes, MARK, 0, bytes.length); at >= 0; at = firstWord(bytes, MARK, at + 1, bytes.length))
    if (hasTokenIn(latin1(bytes.subarray(Math.max(0, at - AROUND_BYTES), at + AROUND_BYTES)))) return true;
  return false;
}

/** The bytes of all strings of a content stream, in their order. */
function stringsOf(content: Bytes, budget: Budget): Bytes {
  const parser = new Parser(content, 0, content.length, budget);
  const found: Bytes[] = [];
  while (parser.at < parser.end) {
    const byte = content[parser.at];
    const isString = byte === 40 || (byte === 60 && content[parser.at + 1] !== 60);
    const value = isString ? orNull(() => parser.value()) : null;
    if (value instanceof Text) found.push(value.bytes);
    else parser.at += 1;
    budget.step();
  }
  return joined(found);
}

/** A ToUnicode table: single codes, and ranges that begin with a text. */
function codeMapOf(text: string): CodeMap {
  const map = new Map<string, string>();
  for (const part of text.split('begin')) {
    const isOfRanges = part.startsWith('bfrange');
    if (!isOfRanges && !part.startsWith('bfchar')) continue;
    for (const [, from = '', to = '', range = ''] of part.matchAll(isOfRanges ? RANGES : CHARS)) {
      const first = Number.parseInt(from, 16);
      const last = isOfRanges ? Math.min(Number.parseInt(to, 16), first + 0xff) : first;
      const unicode = Number.parseInt(isOfRanges ? range : to, 16);
      for (let code = first; code <= last; code += 1)
        map.set(code.toString(16).padStart(from.length, '0'), String.fromCharCode(unicode + code - first));
    }
  }
  return map;
}

const CHARS = /<([\da-fA-F]{2,4})>\s{0,4}<([\da-fA-F]{4})>/g;
const RANGES = /<([\da-fA-F]{2,4})>\s{0,4}<([\da-fA-F]{2,4})>\s{0,4}<([\da-fA-F]{4})>/g;

function textBy(map: CodeMap, codes: Bytes): string {
  const [size = 2] = [...map.keys()].map((code) => code.length / 2);
  let text = '';
  for (let at = 0; at < codes.length; at += size) text += map.get(hex(codes.subarray(at, at + size))) ?? '';
  return text;
}

function spaceless(text: string): string {
  return text.replace(/\s/g, '');
}
