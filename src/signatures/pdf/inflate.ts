import { type Budget, LimitReached } from '../budget';
import { type Bytes, joined } from '../bytes';
import { type Dict, dictOf, Name, PdfFault, type Stream, type Value } from './objects';

/**
 * The bytes of a stream that is stored as it is or by FlateDecode, with a predictor or without (ISO 32000-2 §7.4.4).
 * @throws PdfFault for another filter, an indirect one, or data that cannot be inflated; LimitReached
 */
export async function decoded(stream: Stream, budget: Budget): Promise<Bytes> {
  const filters = listed(stream.dict.get('Filter') ?? stream.dict.get('F'));
  const parameters = listed(stream.dict.get('DecodeParms') ?? stream.dict.get('DP'));
  if (filters.length === 0) return stream.raw;
  const names = filters.map((filter) => (filter instanceof Name ? filter.name : ''));
  const isAscii = names.length === 2 && names[0] === 'ASCII85Decode';
  if (!(names.length === 1 || isAscii) || !['FlateDecode', 'Fl'].includes(names.at(-1) ?? ''))
    throw new PdfFault('A filter is not known here');
  const inflated = await inflate(isAscii ? fromAscii85(stream.raw, budget) : stream.raw, budget);
  return unpredicted(inflated, dictOf(parameters.at(-1)), budget);
}

/** ISO 32000-2 §7.4.3. */
function fromAscii85(raw: Bytes, budget: Budget): Bytes {
  budget.step(raw.length);
  const bytes = new Uint8Array(raw.length * 4);
  let length = 0;
  let group: number[] = [];
  const end = (size: number): void => {
    const value = [...group, 84, 84, 84, 84].slice(0, 5).reduce((sum, digit) => sum * 85 + digit, 0);
    for (let place = 3; place > 3 - size; place -= 1, length += 1) bytes[length] = Math.floor(value / 256 ** place);
    group = [];
  };
  for (const byte of raw) {
    if (byte === 126) break;
    if (byte === 122) length += 4;
    if (byte < 33 || byte > 117) continue;
    group.push(byte - 33);
    if (group.length === 5) end(4);
  }
  if (group.length > 1) end(group.length - 1);
  return bytes.subarray(0, length);
}

function listed(value: Value | undefined): Value[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** One stream alone: while its pieces are joined, it is there twice. */
const STREAM_BYTES_MAX = 16 * 1024 * 1024;

/** Reads in pieces, so that a bomb costs no more memory than the budget. */
async function inflate(raw: Bytes, budget: Budget): Promise<Bytes> {
  const pieces: Bytes[] = [];
  let size = 0;
  const source = new ReadableStream<Bytes>({
    start(controller) {
      controller.enqueue(raw);
      controller.close();
    },
  });
  const reader = source
    .pipeThrough(new DecompressionStream('deflate') as ReadableWritablePair<Bytes, Bytes>)
    .getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return joined(pieces);
      budget.inflate(value.length);
      size += value.length;
      if (size > STREAM_BYTES_MAX) throw new LimitReached('inflated');
      pieces.push(value);
    }
  } catch (error) {
    if (!(error instanceof TypeError)) {
      await reader.cancel().catch(() => undefined);
      throw error;
    }
    // Bytes after the end of the data, which many programs write, end the stream with an error after its last piece.
    if (pieces.length > 0) return joined(pieces);
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
  if (
    predictor < 10 ||
    number('Colors', 1) !== 1 ||
    number('BitsPerComponent', 8) !== 8 ||
    !(columns > 0 && columns < 65_536)
  )
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

/** The predictors of PNG (RFC 2083 §6). */
function guess(type: number, left: number, up: number, corner: number): number {
  if (type === 0) return 0;
  if (type === 1) return left;
  if (type === 2) return up;
  if (type === 3) return (left + up) >> 1;
  if (type !== 4) throw new PdfFault('A predictor is not known here');
  const middle = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(middle - left), Math.abs(middle - up), Math.abs(middle - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
