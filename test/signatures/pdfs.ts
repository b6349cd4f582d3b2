import { deflateSync } from 'node:zlib';
import { type Bytes, hex, joined } from '../../src/signatures/bytes';
import { type Cms, type Holder, sha, sign, timestamp } from './authority';

/** PDFs for tests, as text of latin1. */

export const bytesOf = (text: string): Bytes => Uint8Array.from(text, (character) => character.charCodeAt(0));
export const textOf = (bytes: Bytes): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');

export type Objects = Record<number, string>;

export interface Update {
  trailer?: string;
  /** Numbers that get this entry instead of their place, `n` or `f` behind it. */
  entries?: Record<number, string>;
  comment?: string;
  size?: number;
}

export const stream = (content: string, dict = ''): string =>
  `<<${dict}/Length ${content.length}>>\nstream\n${content}\nendstream`;

/** Two text lines of a prescription, an empty form, metadata. */
export const BASE: Objects = {
  1: '<</Type/Catalog/Pages 2 0 R/AcroForm 5 0 R/Metadata 6 0 R>>',
  2: '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 144]>>',
  3: '<</Type/Page/Parent 2 0 R/Resources<</Font<</F1 7 0 R>>>>/Contents 4 0 R>>',
  4: stream('BT /F1 18 Tf 0 0 Td (Rezept) Tj ET'),
  5: '<</Fields[]/SigFlags 3>>',
  6: stream('<x/>', '/Type/Metadata/Subtype/XML'),
  7: '<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>',
  8: '<</Producer(test)>>',
};

const HEADER = '%PDF-1.7\n%\u00e4\u00f6\u00fc\u00df\n';

/** Appends objects with a table of cross-references; to an empty text, begins a file. */
export function update(
  before: string,
  objects: Objects,
  { trailer = '', entries = {}, comment = '', size }: Update = {},
): string {
  let text = before === '' ? HEADER : before;
  const places = new Map<number, string>();
  for (const [num, content] of Object.entries(objects)) {
    places.set(Number(num), `${String(text.length).padStart(10, '0')} 00000 n`);
    text += `${num} 0 obj\n${content}\nendobj\n`;
  }
  for (const [num, entry] of Object.entries(entries)) places.set(Number(num), entry);
  const previous = lastStartxref(before);
  const at = text.length;
  text += 'xref\n';
  if (before === '') text += '0 1\n0000000000 65535 f \n';
  for (const [num, entry] of [...places].sort(([a], [b]) => a - b)) text += `${num} 1\n${entry} \n`;
  const highest = size ?? Math.max(sizeOf(before), ...[...places.keys()].map((num) => num + 1));
  return `${text}trailer\n<</Size ${highest}/Root 1 0 R/Info 8 0 R${previous === null ? '' : `/Prev ${previous}`}${trailer}>>\n${comment}startxref\n${at}\n%%EOF\n`;
}

export function lastStartxref(text: string): number | null {
  const found = [...text.matchAll(/startxref\s+(\d+)/g)].at(-1);
  return found ? Number(found[1]) : null;
}

function sizeOf(text: string): number {
  return Math.max(0, ...[...text.matchAll(/\/Size (\d+)/g)].map(([, size]) => Number(size)));
}

/** The same objects in an object stream with a stream of cross-references. */
export function compressed(before: string, objects: Objects, plain: Objects = {}): string {
  let text = before === '' ? HEADER : before;
  const entries = new Map<number, [number, number, number]>();
  for (const [num, content] of Object.entries(plain)) {
    entries.set(Number(num), [1, text.length, 0]);
    text += `${num} 0 obj\n${content}\nendobj\n`;
  }
  const next = Math.max(
    sizeOf(before),
    ...[...Object.keys(objects), ...Object.keys(plain)].map((num) => Number(num) + 1),
  );
  let head = '';
  let body = '';
  for (const [index, [num, content]] of Object.entries(objects).entries()) {
    head += `${num} ${body.length} `;
    body += `${content}\n`;
    entries.set(Number(num), [2, next, index]);
  }
  entries.set(next, [1, text.length, 0]);
  const packed = textOf(deflateSync(bytesOf(head + body)));
  text += `${next} 0 obj\n${stream(packed, `/Type/ObjStm/N ${Object.keys(objects).length}/First ${head.length}/Filter/FlateDecode`)}\nendobj\n`;
  const at = text.length;
  entries.set(next + 1, [1, at, 0]);
  const sorted = [...entries].sort(([a], [b]) => a - b);
  const rows = sorted.map(([, [type, a, b]]) => String.fromCharCode(type, (a >> 16) & 255, (a >> 8) & 255, a & 255, b));
  const previous = lastStartxref(before);
  const dict = `/Type/XRef/W[1 3 1]/Index[${sorted.map(([num]) => `${num} 1`).join(' ')}]/Size ${next + 2}/Root 1 0 R/Info 8 0 R/Filter/FlateDecode${previous === null ? '' : `/Prev ${previous}`}`;
  return `${text}${next + 1} 0 obj\n${stream(textOf(deflateSync(bytesOf(rows.join('')))), dict)}\nendobj\nstartxref\n${at}\n%%EOF\n`;
}

export interface Signing {
  /** Objects beside the signature (number 50), its field and page; `SIG` stands for its reference. */
  objects: Objects;
  num?: number;
  dict?: string;
  subFilter?: string;
  cms?: Cms;
  update?: Update;
  room?: number;
  /** Writes the update in another way. */
  write?: (before: string, objects: Objects) => string;
  /** Changes the value once it is made. */
  alter?: (value: Bytes) => Bytes;
}

/** Appends a signature (ISO 32000-2 §12.8.1). */
export async function signed(
  before: string,
  holder: Holder,
  {
    objects,
    num = 50,
    dict = '',
    subFilter = 'ETSI.CAdES.detached',
    cms = {},
    update: how,
    room = 12_000,
    write,
    alter,
  }: Signing,
): Promise<string> {
  const placeholder = `<${'0'.repeat(room * 2)}>`;
  const holding = `/ByteRange [0 AAAAAAAAAA BBBBBBBBBB CCCCCCCCCC]`;
  const all = {
    ...objects,
    [num]: `<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/${subFilter}${dict}${holding}/Contents ${placeholder}>>`,
  };
  let text = write ? write(before, all) : update(before, all, how);
  const from = text.lastIndexOf(placeholder);
  const to = from + placeholder.length;
  const range = [from, to, text.length - to].map((number) => String(number).padStart(10, '0'));
  text = text.replace(holding, `/ByteRange [0 ${range.join(' ')}]`);
  const covered = joined([bytesOf(text.slice(0, from)), bytesOf(text.slice(to))]);
  const isInside = subFilter === 'adbe.pkcs7.sha1' && !cms.content;
  const inside = isInside && { content: { type: '1.2.840.113549.1.7.1', bytes: await sha('SHA-1', covered) } };
  const made =
    subFilter === 'ETSI.RFC3161'
      ? await timestamp(holder, covered, '2026-02-02T00:00:00Z')
      : await sign(holder, covered, { ...cms, ...inside });
  const value = alter ? alter(made) : made;
  if (value.length > room) throw new Error('no room');
  return `${text.slice(0, from)}<${hex(value).padEnd(room * 2, '0')}>${text.slice(to)}`;
}

/** The objects that put a signature field (number 51) onto the page of `BASE`. */
export function field(num = 51, value = 50, others: readonly number[] = [], rect = '0 0 0 0', more = ''): Objects {
  const all = [...others, num].map((each) => `${each} 0 R`).join(' ');
  return {
    3: `<</Type/Page/Parent 2 0 R/Resources<</Font<</F1 7 0 R>>>>/Contents 4 0 R/Annots[${all}]>>`,
    5: `<</Fields[${all}]/SigFlags 3>>`,
    [num]: `<</FT/Sig/Type/Annot/Subtype/Widget/T(S${num})/F 132/Rect[${rect}]/P 3 0 R/V ${value} 0 R${more}>>`,
  };
}
