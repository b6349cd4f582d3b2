import { Budget, LimitReached } from '../budget';
import { type Bytes, Fault, firstWord, joined, latin1, orNull, placesOf } from '../bytes';
import { hasTokenIn } from '../erezept';
import { decoded } from './inflate';
import { isName, Stream, Text } from './objects';
import { Parser } from './parse';
import { PdfFile } from './revision';

/** Number of bytes that are read before and after `MARK`. They hold the rest of a token: its id and its access code. */
const AROUND_BYTES = 256;
const MARK = '$accept?ac=';
const CMAPS_MAX = 64;

/**
 * Maps the codes of a font to UTF-16 units; 0 if a code stands for no character. `size` is the number of bytes in a
 * code, 1 or 2.
 */
interface CodeMap {
  size: number;
  units: Uint16Array;
}

/**
 * Whether a PDF contains the token of an E-Rezept in its bytes or in the text that it shows. Text is decoded with the
 * tables of the fonts in the file (ToUnicode, ISO 32000-2 §9.10.3). Images, and files that need a password, are not
 * read.
 */
export function holdsToken(bytes: Bytes): boolean {
  try {
    if (isWrittenIn(bytes)) return true;
    const budget = new Budget();
    const file = new PdfFile(bytes, budget);
    const revision = file.revision(bytes.length);
    const shown: Bytes[] = [];
    const maps: CodeMap[] = [];
    for (const num of revision.entries.keys()) {
      const value = orNull(() => revision.read(num))?.value;
      // Images and font programs are skipped: their bytes could look like anything.
      if (!(value instanceof Stream) || isName(value.dict.get('Subtype'), 'Image') || value.dict.get('Length1'))
        continue;
      const content = orNull(() => decoded(value, budget));
      if (!content) continue;
      if (isWrittenIn(content)) return true;
      const has = (word: string): boolean => firstWord(content, word) >= 0;
      if (has('begincmap')) {
        if (maps.length < CMAPS_MAX) maps.push(codeMapOf(latin1(content)));
      } else if (has('Tj') || has('TJ')) shown.push(stringsOf(content, budget));
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
  for (const at of placesOf(bytes, MARK))
    if (hasTokenIn(latin1(bytes.subarray(Math.max(0, at - AROUND_BYTES), at + AROUND_BYTES)))) return true;
  return false;
}

/** Returns the bytes of all strings in a content stream, joined in their order. */
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

/** Reads a ToUnicode table (§9.10.3): single codes, and ranges of codes. */
function codeMapOf(text: string): CodeMap {
  const map = { size: 0, units: new Uint16Array(0x10000) };
  for (const part of text.split('begin')) {
    const isOfRanges = part.startsWith('bfrange');
    if (!isOfRanges && !part.startsWith('bfchar')) continue;
    for (const [, from = '', to = '', range = ''] of part.matchAll(isOfRanges ? RANGES : CHARS)) {
      map.size ||= from.length >> 1;
      const first = Number.parseInt(from, 16);
      const last = isOfRanges ? Math.min(Number.parseInt(to, 16), first + 0xff) : first;
      const unicode = Number.parseInt(isOfRanges ? range : to, 16);
      for (let code = first; code <= last; code += 1) map.units[code] = unicode + code - first;
    }
  }
  return map;
}

const CHARS = /<([\da-fA-F]{2,4})>\s{0,4}<([\da-fA-F]{4})>/g;
const RANGES = /<([\da-fA-F]{2,4})>\s{0,4}<([\da-fA-F]{2,4})>\s{0,4}<([\da-fA-F]{4})>/g;

function textBy({ size, units }: CodeMap, codes: Bytes): string {
  const text = new Uint16Array(codes.length);
  let length = 0;
  for (let at = 0; size > 0 && at < codes.length; at += size) {
    const [high, low] = size === 1 ? [0, codes[at]] : [codes[at], codes[at + 1]];
    const unit = units[((high ?? 0) << 8) | (low ?? 0)] ?? 0;
    if (unit > 0) {
      text[length] = unit;
      length += 1;
    }
  }
  return new TextDecoder('utf-16le').decode(text.subarray(0, length));
}

function spaceless(text: string): string {
  return text.replace(/\s/g, '');
}
