import { fromBase64 } from '../platform/crypto/crypto';
import { joinBytes } from '../platform/http/outgoing';
import { PDF_BYTES_MAX } from '../platform/limits';
import type { FileFault } from './tables';

const BASE64_LENGTH_MAX = Math.ceil(PDF_BYTES_MAX / 3) * 4;
/** Matches a text in the standard alphabet (RFC 4648 §4). */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/**
 * Matches `%PDF-` (ISO 32000-1 §7.5.2). Also matches it after a byte order mark or white space, which some programs put
 * before it.
 */
const MAGIC = /^(?:\u00ef\u00bb\u00bf)?[\0\t\n\f\r ]{0,64}%PDF-/;
const BEGINNING_BYTES = 72;

type PdfFault = { code: 'invalid_prescription_pdf' | 'prescription_too_large'; message: string };

/**
 * Returns the bytes of a PDF that was sent as base64, or else what to change. The bytes are not modified, because this
 * would invalidate a signature in the file.
 */
export function decodePdf(base64: string): { bytes: Uint8Array<ArrayBuffer> } | { fault: PdfFault } {
  const bytes = base64.length > BASE64_LENGTH_MAX ? null : decoded(base64);
  if (!bytes) return { fault: faultOfBase64(base64) };
  const fault = faultOfPdf(bytes);
  return fault ? { fault } : { bytes };
}

/**
 * Returns the decoded bytes; null if the text is not base64 or contains white space. The decoder itself skips white
 * space. Skipped white space shows because the number of bytes then does not fit the length of the text.
 */
function decoded(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    const bytes = fromBase64(base64);
    return Math.ceil(bytes.length / 3) * 4 === base64.length ? bytes : null;
  } catch {
    return null;
  }
}

/**
 * Returns the fault of a text that could not be decoded. The fault is looked for only now, because finding it is slower
 * than decoding.
 */
function faultOfBase64(base64: string): PdfFault {
  if (base64.startsWith('data:')) return invalid('Remove the data: prefix and send the base64 text alone.');
  if (/\s/.test(base64)) return invalid('Remove line breaks and spaces from the base64 text.');
  if (base64.length > BASE64_LENGTH_MAX) return tooLarge();
  if (!BASE64.test(base64)) return invalid('Send standard base64 (A-Z a-z 0-9 + / and = at the end).');
  return invalid('The base64 text is incomplete: its length or padding is wrong.');
}

/** Returns the fault of bytes that should be a PDF; null if they are a PDF of allowed size. */
export function faultOfPdf(bytes: Uint8Array): PdfFault | null {
  if (bytes.length > PDF_BYTES_MAX) return tooLarge();
  return isPdf(bytes) ? null : invalid('The decoded file is not a PDF: it must start with %PDF-.');
}

export function isPdf(bytes: Uint8Array): boolean {
  return MAGIC.test(String.fromCharCode(...bytes.subarray(0, BEGINNING_BYTES)));
}

function invalid(message: string): PdfFault {
  return { code: 'invalid_prescription_pdf', message };
}

function tooLarge(): PdfFault {
  return { code: 'prescription_too_large', message: `A prescription may hold ${PDF_BYTES_MAX} bytes at most.` };
}

type Bytes = Uint8Array;

const LATIN1 = new TextDecoder('latin1');
/** How many bytes are read for a match, counted from the start of the word. */
const MATCH_BYTES_MAX = 256;
/** The most bytes that are read of one dictionary. */
const DICTIONARY_BYTES = 4_096;
/** The most bytes that are read from object streams and inflated from them, together. */
const INFLATED_BYTES_MAX = 4 * 1024 * 1024;
const STREAMS_MAX = 64;

/**
 * A pattern to search for in a file. The search first finds `word` by its rare `letter`. Then it matches `pattern` with
 * the text from `before` bytes before the word.
 */
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
/**
 * The limits of a search. It may look at 4,096 places where the rare `letter` occurs, and at one more for each
 * `BYTES_A_LETTER` bytes of the file. Each match of the pattern counts as `LETTERS_A_WORD` such places. A search beyond
 * its limit throws `Unclear`.
 */
const BYTES_A_LETTER = 16;
const LETTERS_A_WORD = 16;

class Unclear extends Error {}

/**
 * Returns why a viewer will not show a PDF (ISO 32000-2); null if there is no fault, or if it is unclear. `truncated`:
 * the end of the file is missing. `locked`: the file is encrypted, and the empty user password does not open it.
 * `empty`: none of its objects is a page. Each byte is read a few times at most.
 */
export async function fileFaultOf(bytes: Bytes): Promise<FileFault | null> {
  try {
    const end = find(bytes, END, 'last');
    // Objects after the end: a later revision, or all but the first page of a linearized file, was cut off.
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
 * Returns the first or last match whose first groups are `wanted`. A letter is searched for before the pattern is
 * matched, because finding a letter in bytes is many times faster than finding a pattern in text.
 * @throws Unclear if the budget of the search is used up
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

/** Returns a text with one character for each byte. */
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

/** Returns the bytes of a string, literal or hexadecimal (§7.3.4). */
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

/** Returns the bytes of hexadecimal text. A missing last digit counts as 0. */
function bytesOfHex(hex: string): Bytes {
  const digits = hex.replace(/[^0-9A-Fa-f]/g, '');
  return Uint8Array.fromHex(digits.length % 2 === 0 ? digits : `${digits}0`);
}

/**
 * Whether the compressed objects may include a page. Also true if there are too many objects, or if they cannot be
 * read.
 */
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

/**
 * Returns the first inflated bytes of a stream: `most` or somewhat more. They are fewer if the stream ends before, or
 * is damaged.
 */
async function inflate(bytes: Bytes, most: number): Promise<Bytes> {
  const chunks: Bytes[] = [];
  let size = 0;
  const inflater = new DecompressionStream('deflate');
  const writer = inflater.writable.getWriter();
  const fed = (async () => {
    // The bytes are written in small parts, because each part can inflate to a thousand times its size.
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

/** The data of a file's encryption (ISO 32000-2 §7.6.3). `dictionary` is the encryption dictionary as text. */
interface Encryption {
  dictionary: string;
  owner: Bytes;
  user: Bytes;
  /** The first string of `ID` in the trailer. */
  fileId: Bytes;
}

/** The bytes with which a password is padded (§7.6.4.3.2). */
const PADDING = Uint8Array.from(
  [0x28, 0xbf, 0x4e, 0x5e, 0x4e, 0x75, 0x8a, 0x41, 0x64, 0x00, 0x4e, 0x56, 0xff, 0xfa, 0x01, 0x08].concat([
    0x2e, 0x2e, 0x00, 0xb6, 0xd0, 0x68, 0x3e, 0x80, 0x2f, 0x0c, 0xa9, 0xfe, 0x64, 0x53, 0x69, 0x7a,
  ]),
);

/** Whether viewers open the file without asking for a password. Also true if this is unknown. */
async function opensWithoutPassword({ dictionary, owner, user, fileId }: Encryption): Promise<boolean> {
  const number = (pattern: RegExp) => Number(pattern.exec(dictionary)?.[1]);
  const [version, revision] = [number(/\/V\s{0,9}(\d)/), number(/\/R\s{0,9}(\d)/)];
  // Any other handler needs a certificate or its own program.
  if (!/\/Filter\s{0,9}\/Standard\b/.test(dictionary)) return !/\/Filter\b/.test(dictionary);
  if (version >= 4 && !/\/StmF\s{0,9}\/(?!Identity\b)/.test(dictionary)) return true;
  if (revision >= 5) {
    // Viewers try the empty password as the owner's, too.
    const of = async (stored: Bytes, more: Bytes) => {
      const salt = stored.slice(32, 40);
      const hash = revision === 5 ? await digest('SHA-256', salt, more) : await hardened(salt, more);
      return isEqual(hash, stored.slice(0, 32));
    };
    return (await of(user, new Uint8Array())) || (await of(owner, user.slice(0, 48)));
  }
  if (!(revision >= 2) || owner.length < 32 || user.length < 16) return true;
  const permissions = new Uint8Array(new Int32Array([number(/\/P\s{0,9}(-?\d{1,10})/)]).buffer);
  const isMetadataPlain = revision >= 4 && /\/EncryptMetadata\s{1,9}false/.test(dictionary);
  const seed = [PADDING, owner.slice(0, 32), permissions, fileId, new Uint8Array(isMetadataPlain ? 4 : 0).fill(0xff)];
  let key = await digest('MD5', ...seed);
  if (revision === 2) return isEqual(rc4(key.slice(0, 5), PADDING), user.slice(0, 32));
  const length = revision >= 4 ? 16 : Math.min((number(/\/Length\s{0,9}(\d{1,3})/) || 40) / 8, 16);
  for (let round = 0; round < 50; round += 1) key = await digest('MD5', key.slice(0, length));
  let shown = await digest('MD5', PADDING, fileId);
  for (let round = 0; round < 20; round += 1) {
    const turned = key.slice(0, length).map((byte) => byte ^ round);
    shown = rc4(turned, shown);
  }
  return isEqual(shown, user.slice(0, 16));
}

/** Returns the hash of the empty password in revision 6 (algorithm 2.B). It takes 64 to 288 rounds. */
async function hardened(salt: Bytes, more: Bytes): Promise<Bytes> {
  let key = await digest('SHA-256', salt, more);
  for (let round = 1; ; round += 1) {
    const secret = await crypto.subtle.importKey('raw', key.slice(0, 16), 'AES-CBC', false, ['encrypt']);
    const repeated = joinBytes(Array(64).fill([key, more]).flat(), 64 * (key.length + more.length));
    const cipher = await crypto.subtle.encrypt({ name: 'AES-CBC', iv: key.slice(16, 32) }, secret, repeated);
    // The last block is padding.
    const encrypted = new Uint8Array(cipher, 0, repeated.length);
    const rest = encrypted.slice(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    key = await digest((['SHA-256', 'SHA-384', 'SHA-512'] as const)[rest] ?? 'SHA-256', encrypted);
    if (round >= 64 && (encrypted.at(-1) ?? 0) <= round - 32) return key.slice(0, 32);
  }
}

async function digest(name: string, ...parts: Bytes[]): Promise<Bytes> {
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  return new Uint8Array(await crypto.subtle.digest(name, joinBytes(parts, size)));
}

function rc4(key: Bytes, bytes: Bytes): Bytes {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const at = (index: number) => state[index & 255] ?? 0;
  let other = 0;
  const swap = (index: number) => {
    [state[index], state[other]] = [at(other), at(index)];
  };
  for (let index = 0; index < 256; index += 1) {
    other = (other + at(index) + (key[index % key.length] ?? 0)) & 255;
    swap(index);
  }
  other = 0;
  return bytes.map((byte, position) => {
    const index = (position + 1) & 255;
    other = (other + at(index)) & 255;
    swap(index);
    return byte ^ at(at(index) + at(other));
  });
}

function isEqual(one: Bytes, other: Bytes): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
