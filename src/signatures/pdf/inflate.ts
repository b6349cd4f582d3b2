import { inflateSync } from 'node:zlib';
import { type Budget, LimitReached } from '../budget';
import { type Bytes, latin1 } from '../bytes';
import { STREAM_BYTES_MAX } from '../limits';
import { type Dict, dictOf, nameOf, PdfFault, type Stream, type Value } from './objects';

/**
 * Decodes a stream (ISO 32000-2 §7.4.3, §7.4.4). It may have no filter, FlateDecode, or ASCII85Decode before
 * FlateDecode. It may have a PNG predictor.
 * @throws PdfFault for another filter, a filter stored as a reference, or data that cannot be inflated; LimitReached
 */
export function decoded({ dict, raw }: Stream, budget: Budget): Bytes {
  const filters = listed(dict.get('Filter') ?? dict.get('F')).map(nameOf);
  const parameters = listed(dict.get('DecodeParms') ?? dict.get('DP'));
  if (filters.length === 0) return raw;
  const isAscii = filters.length === 2 && filters[0] === 'ASCII85Decode';
  if (!(filters.length === 1 || isAscii) || !['FlateDecode', 'Fl'].includes(filters.at(-1) ?? ''))
    throw new PdfFault('A filter is not known here');
  return unpredicted(inflate(isAscii ? fromAscii85(raw, budget) : raw, budget), dictOf(parameters.at(-1)), budget);
}

/**
 * Decodes ASCII85 (§7.4.3). Five digits stand for four bytes. The last group may have fewer. `z` stands for four zeros.
 */
function fromAscii85(raw: Bytes, budget: Budget): Bytes {
  budget.step(raw.length);
  const [text = ''] = latin1(raw).split('~');
  const digits = text.replaceAll('z', '!!!!!').replace(/[^!-u]/g, '');
  const bytes = new DataView(new ArrayBuffer(Math.ceil(digits.length / 5) * 4));
  for (let at = 0; at < digits.length; at += 5) {
    const group = [...digits.slice(at, at + 5).padEnd(5, 'u')];
    const value = group.reduce((sum, digit) => sum * 85 + digit.charCodeAt(0) - 33, 0);
    bytes.setUint32((at / 5) * 4, value);
  }
  return new Uint8Array(bytes.buffer, 0, bytes.byteLength - ((5 - (digits.length % 5)) % 5));
}

function listed(value: Value | undefined): Value[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

const SYNC_FLUSH = 2;
/** DEFLATE makes at most this many bytes from one byte (RFC 1951). */
const RATIO_MAX = 1_032;

/**
 * Inflates a stream to at most `STREAM_BYTES_MAX` bytes. Accepts extra bytes after the data, and data without its end.
 * @throws PdfFault if the stream cannot be inflated; LimitReached
 */
function inflate(raw: Bytes, budget: Budget): Bytes {
  try {
    // Copies the bytes: `slice` of a Buffer is a view.
    const bytes = new Uint8Array(inflateSync(raw, { maxOutputLength: STREAM_BYTES_MAX, finishFlush: SYNC_FLUSH }));
    budget.inflate(bytes.length);
    return bytes;
  } catch (error) {
    if (error instanceof LimitReached) throw error;
    if (error instanceof RangeError) throw new LimitReached('inflated');
    // The error does not say how many bytes were inflated before. A wrong header fails before the first byte is
    // inflated.
    const isAtOnce = error instanceof Error && /header|method|window/.test(error.message);
    budget.step(isAtOnce ? 64 : Math.min(raw.length * RATIO_MAX, STREAM_BYTES_MAX) >> 3);
    throw new PdfFault('A stream cannot be inflated');
  }
}

function unpredicted(bytes: Bytes, parameters: Dict | null, budget: Budget): Bytes {
  const number = (key: string, otherwise: number): number => {
    const value = parameters?.get(key) ?? otherwise;
    if (typeof value !== 'number') throw new PdfFault('A predictor is not direct');
    return value;
  };
  const predictor = number('Predictor', 1);
  if (predictor === 1) return bytes;
  const columns = number('Columns', 1);
  const isOfBytes = number('Colors', 1) === 1 && number('BitsPerComponent', 8) === 8;
  if (predictor < 10 || !isOfBytes || !(columns > 0 && columns < 65_536))
    throw new PdfFault('A predictor is not known here');
  const rows = Math.ceil(bytes.length / (columns + 1));
  const plain = new Uint8Array(rows * columns);
  budget.step(bytes.length);
  for (let row = 0; row < rows; row += 1) {
    const type = bytes[row * (columns + 1)] ?? 0;
    for (let column = 0; column < columns; column += 1) {
      const to = row * columns + column;
      const left = column > 0 ? (plain[to - 1] ?? 0) : 0;
      const up = row > 0 ? (plain[to - columns] ?? 0) : 0;
      const corner = column > 0 && row > 0 ? (plain[to - columns - 1] ?? 0) : 0;
      plain[to] = (bytes[row * (columns + 1) + 1 + column] ?? 0) + guess(type, left, up, corner);
    }
  }
  return plain;
}

/**
 * The value that a PNG predictor (RFC 2083 §6) expects for a byte, from its neighbors. @throws PdfFault for an unknown
 * type
 */
function guess(type: number, left: number, up: number, corner: number): number {
  const known = [0, left, up, (left + up) >> 1][type];
  if (known !== undefined) return known;
  if (type !== 4) throw new PdfFault('A predictor is not known here');
  const middle = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(middle - left), Math.abs(middle - up), Math.abs(middle - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
