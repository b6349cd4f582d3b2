import { joinBytes } from '../platform/http/bytes';
import { opensWithoutPassword } from './password';
import type { FileFault } from './tables';

type Bytes = Uint8Array;

const LATIN1 = new TextDecoder('latin1');
/** How far a match reaches, a string of a dictionary included. */
const MATCH_BYTES_MAX = 256;
/** How far a dictionary is read. */
const DICTIONARY_BYTES = 4_096;
/** What is read of streams that hold objects, and what becomes of it, all together. */
const INFLATED_BYTES_MAX = 4 * 1024 * 1024;
const STREAMS_MAX = 64;

/** What is looked for: a word by a letter that is rare in it, then a pattern in the text that begins `before` bytes in front of it. */
interface Searched {
  word: string;
  letter: string;
  pattern: RegExp;
  before: number;
}

const END: Searched = { word: '%%EOF', letter: 'F', pattern: /^/, before: 0 };
const OBJECT: Searched = { word: 'obj', letter: 'j', pattern: /\b(\d{1,10})\s(\d{1,5})\s(?=obj\b)/, before: 18 };
const ENCRYPTED: Searched = {
  word: '/Encrypt',
  letter: 'y',
  pattern: /^\/Encrypt\s{0,9}(?:(\d{1,10})\s{1,9}(\d{1,5})\s{1,9}R|<<)/,
  before: 0,
};
const PAGE: Searched = { word: '/Page', letter: 'P', pattern: /\/Type\s{0,9}(?=\/Page(?![A-Za-z]))/, before: 14 };
const PAGES: Searched = { word: '/Kids', letter: 'K', pattern: /^\/Kids\s{0,9}\[\s{0,9}\d/, before: 0 };
const OBJECT_STREAM: Searched = { word: '/ObjStm', letter: 'S', pattern: /^/, before: 0 };
const STREAM_END: Searched = { word: 'endstream', letter: 'm', pattern: /\r?\n?(?=endstream)/, before: 2 };
/** How much is looked at: one letter for so many bytes, and a word costs as much as so many letters. Beyond, nothing is certain. */
const BYTES_A_LETTER = 16;
const LETTERS_A_WORD = 16;

class Unclear extends Error {}

/**
 * Why a viewer will not show a PDF (ISO 32000-2), as far as is certain; a file of which nothing is certain has none.
 * `truncated`: its end is missing. `locked`: it is encrypted, and the empty password of a user does not open it. `empty`: no object of
 * it is a page. Reads each byte a few times at most.
 */
export async function fileFaultOf(bytes: Bytes): Promise<FileFault | null> {
  try {
    const end = find(bytes, END, 'last');
    // Objects behind the end: a further revision, or all but the first page of a linearized file, broke off.
    if (!end || find(bytes.subarray(end.at), OBJECT)) return 'truncated';
    const encrypted = find(bytes, ENCRYPTED, 'last');
    if (encrypted && (await isLocked(bytes, encrypted))) return 'locked';
    return hasPage(bytes) || (await mayHoldPages(bytes, encrypted !== null)) ? null : 'empty';
  } catch (error) {
    if (error instanceof Unclear) return null;
    throw error;
  }
}

function hasPage(bytes: Bytes): boolean {
  return find(bytes, PAGE) !== null || find(bytes, PAGES) !== null;
}

interface Found {
  at: number;
  groups: readonly (string | undefined)[];
}

/**
 * One match, the first or the last whose groups begin with these. A letter is found in bytes many times faster than a pattern in text.
 * @throws Unclear
 */
function find(
  bytes: Bytes,
  { word, letter, pattern, before }: Searched,
  which: 'first' | 'last' = 'first',
  wanted: readonly string[] = [],
): Found | null {
  const code = letter.charCodeAt(0);
  const offset = word.indexOf(letter);
  let left = 4_096 + bytes.length / BYTES_A_LETTER;
  const next = (from: number) => (which === 'first' ? bytes.indexOf(code, from) : bytes.lastIndexOf(code, from));
  for (let at = next(which === 'first' ? 0 : bytes.length); at >= 0; at = next(which === 'first' ? at + 1 : at - 1)) {
    left -= 1;
    if (left < 0) throw new Unclear();
    const start = at - offset;
    if (start >= 0 && isAt(bytes, start, word)) {
      left -= LETTERS_A_WORD;
      const from = Math.max(start - before, 0);
      const match = pattern.exec(textOf(bytes, from, start - from + MATCH_BYTES_MAX));
      if (match && wanted.every((text, group) => match[group + 1] === text))
        return { at: from + match.index, groups: match };
    }
    if (at === 0 && which === 'last') return null;
  }
  return null;
}

function isAt(bytes: Bytes, start: number, word: string): boolean {
  for (let index = 0; index < word.length; index += 1) {
    if (bytes[start + index] !== word.charCodeAt(index)) return false;
  }
  return true;
}

/** A character for each byte. */
function textOf(bytes: Bytes, from: number, length: number): string {
  return LATIN1.decode(bytes.subarray(from, from + length));
}

async function isLocked(bytes: Bytes, { at, groups: [, id, generation = ''] }: Found): Promise<boolean> {
  const from = id === undefined ? at : find(bytes, OBJECT, 'last', [id, generation])?.at;
  if (from === undefined) return false;
  const dictionary = textOf(bytes, from, DICTIONARY_BYTES).split(/endobj|startxref/)[0] ?? '';
  const trailerFrom = Math.max(at - DICTIONARY_BYTES, 0);
  const trailer = textOf(bytes, trailerFrom, 2 * DICTIONARY_BYTES);
  const stringBehind = (text: string, offset: number, key: RegExp) => {
    const match = key.exec(text);
    return match ? stringAt(bytes, offset + match.index + match[0].length - 1) : new Uint8Array();
  };
  return !(await opensWithoutPassword({
    dictionary,
    owner: stringBehind(dictionary, from, /\/O\s{0,9}[(<]/),
    user: stringBehind(dictionary, from, /\/U\s{0,9}[(<]/),
    fileId: stringBehind(trailer, trailerFrom, /\/ID\s{0,9}\[\s{0,9}[(<]/),
  }));
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** The bytes of a string, literal or hexadecimal (§7.3.4). */
function stringAt(bytes: Bytes, at: number): Bytes {
  const raw = String.fromCharCode(...bytes.subarray(at + 1, at + MATCH_BYTES_MAX));
  if (bytes[at] === 0x3c) return bytesOfHex(raw.split('>')[0] ?? '');
  let depth = 1;
  let length = 0;
  while (depth > 0 && length < raw.length) {
    const char = raw[length];
    if (char === '\\') length += 1;
    else depth += char === '(' ? 1 : char === ')' ? -1 : 0;
    length += 1;
  }
  const plain = raw.slice(0, length - 1).replace(/\\(\r\n|[0-7]{1,3}|[\s\S])/g, (_, escaped: string) => {
    if (/^[0-7]/.test(escaped)) return String.fromCharCode(Number.parseInt(escaped, 8) & 0xff);
    return /^[\r\n]/.test(escaped) ? '' : (ESCAPED[escaped] ?? escaped);
  });
  return Uint8Array.from(plain, (char) => char.charCodeAt(0));
}

/** A digit that is missing at the end is 0. */
function bytesOfHex(hex: string): Bytes {
  const digits = hex.replace(/[^0-9A-Fa-f]/g, '');
  return Uint8Array.fromHex(digits.length % 2 === 0 ? digits : `${digits}0`);
}

/** Whether a page may be among compressed objects: also where they cannot be read, or are too many. */
async function mayHoldPages(bytes: Bytes, isEncrypted: boolean): Promise<boolean> {
  let left = INFLATED_BYTES_MAX;
  let from = 0;
  for (let count = 0; count < STREAMS_MAX && left > 0; count += 1) {
    const found = find(bytes.subarray(from), OBJECT_STREAM);
    if (!found) return false;
    const head = textOf(bytes, from + found.at, DICTIONARY_BYTES);
    const begin = /stream\r?\n/.exec(head);
    if (!begin || isEncrypted || head.slice(0, begin.index).includes('/DecodeParms')) return true;
    from += found.at + begin.index + begin[0].length;
    const stream = bytes.subarray(from, from + left);
    const length = find(stream, STREAM_END)?.at ?? 0;
    const inflated = await inflate(stream.subarray(0, length), left);
    if (inflated.length === 0 || hasPage(inflated)) return true;
    left -= length + inflated.length;
  }
  return true;
}

/** The beginning of what a stream holds; nothing where that cannot be read. */
async function inflate(bytes: Bytes, most: number): Promise<Bytes> {
  const chunks: Bytes[] = [];
  let size = 0;
  const inflater = new DecompressionStream('deflate');
  const writer = inflater.writable.getWriter();
  const fed = (async () => {
    // In small parts: each may become a thousand times as long.
    for (let at = 0; at < bytes.length; at += DICTIONARY_BYTES)
      await writer.write(bytes.subarray(at, at + DICTIONARY_BYTES));
    await writer.close();
  })().catch(() => undefined);
  const reader = inflater.readable.getReader();
  try {
    while (size < most) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      size += value.length;
    }
  } catch {
    // Damaged.
  }
  await reader.cancel().catch(() => undefined);
  await fed;
  return joinBytes(chunks, size);
}
