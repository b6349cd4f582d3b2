import { type Budget, LimitReached } from '../budget';
import { type Bytes, Fault, hex, joined, latin1 } from '../bytes';

/** Thrown for bytes that are not the expected ASN.1. */
export class DerFault extends Fault {}

const DEPTH_MAX = 32;
const CHILDREN_MAX = 200_000;

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  enumerated: 0x0a,
  utcTime: 0x17,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** The tag of a constructed context-specific value, which ASN.1 writes as `[number]`. */
export function context(number: number): number {
  return 0xa0 | number;
}

/** Encodes a value in DER: tag, length, content. */
export function tlv(tag: number, ...parts: Bytes[]): Bytes {
  const content = joined(parts);
  const digits: number[] = [];
  for (let rest = content.length; rest > 0; rest >>= 8) digits.unshift(rest & 255);
  const length = content.length < 128 ? [content.length] : [0x80 | digits.length, ...digits];
  return joined([Uint8Array.from([tag, ...length]), content]);
}

/**
 * One value of ASN.1, in DER or in BER with indefinite lengths (ITU-T X.690 §8). The values inside it are parsed only
 * when they are read. A large list costs nothing until then.
 */
export class Der {
  constructor(
    private readonly source: Bytes,
    private readonly from: number,
    private readonly start: number,
    private readonly stop: number,
    private readonly to: number,
    readonly budget: Budget,
  ) {}

  /**
   * Reads the value at the start of the bytes and ignores what follows.
   * @throws DerFault
   */
  static first(bytes: Bytes, budget: Budget): Der {
    return Der.at(bytes, 0, bytes.length, budget, 0);
  }

  /** Reads the value that fills all bytes. @throws DerFault if more bytes follow */
  static only(bytes: Bytes, budget: Budget): Der {
    const der = Der.first(bytes, budget);
    if (der.to !== bytes.length) throw new DerFault('There is more behind a value');
    return der;
  }

  get tag(): number {
    return this.source[this.from] ?? 0;
  }

  get content(): Bytes {
    return this.source.subarray(this.start, this.stop);
  }

  /** The bytes of the value with its tag and length. */
  get raw(): Bytes {
    return this.source.subarray(this.from, this.to);
  }

  *each(): Generator<Der> {
    let count = 0;
    for (let at = this.start; at < this.stop; count += 1) {
      if (count >= CHILDREN_MAX) throw new LimitReached('objects');
      const der = Der.at(this.source, at, this.stop, this.budget, 0);
      at = der.to;
      yield der;
    }
  }

  /** Parses all values inside, in order; only for short lists. @throws DerFault if the tag is not `tag` */
  children(tag: number = TAG.sequence): Der[] {
    this.expect(tag);
    return [...this.each()];
  }

  /** The value inside an explicit tag. @throws DerFault if there is none */
  inner(): Der {
    const [first] = this.each();
    if (!first) throw new DerFault('A value is missing');
    return first;
  }

  expect(tag: number): this {
    if (this.tag !== tag) throw new DerFault(`Tag ${tag} is missing`);
    return this;
  }

  /** The OID in dotted notation. Bytes beyond the 64th are ignored. */
  oid(): string {
    const numbers: number[] = [];
    let number = 0;
    for (const byte of this.expect(TAG.oid).content.subarray(0, 64)) {
      number = number * 128 + (byte & 127);
      if (byte & 128) continue;
      const first = Math.min(2, Math.floor(number / 40));
      numbers.push(...(numbers.length > 0 ? [number] : [first, number - first * 40]));
      number = 0;
    }
    return numbers.join('.');
  }

  /** The bytes of an octet string, which may be stored in several pieces. */
  octets(): Bytes {
    if (this.tag === 0x24) return joined(this.children(0x24).map((part) => part.octets()));
    return this.expect(TAG.octets).content;
  }

  /**
   * The value that is encoded in an octet string or bit string. @throws DerFault for another type, or if more bytes
   * follow
   */
  inside(): Der {
    return Der.only(this.tag === TAG.bits ? this.bits() : this.octets(), this.budget);
  }

  /** The bytes of a bit string. @throws DerFault if its number of bits is no multiple of 8 */
  bits(): Bytes {
    const { content } = this.expect(TAG.bits);
    if (content[0] !== 0) throw new DerFault('A bit string is cut');
    return content.subarray(1);
  }

  /** A whole number as hexadecimal digits without leading zeros, with `-` in front if it is negative. */
  number(): string {
    if (this.tag !== TAG.integer && this.tag !== TAG.enumerated) throw new DerFault('A number is missing');
    const { content } = this;
    const [first = 0, second] = content;
    // Neither DER nor BER lets the first nine bits be all alike (X.690 §8.3.2).
    if (second !== undefined && (first === 0 || first === 0xff) && (first ^ second) < 0x80)
      throw new DerFault('A number is written oddly');
    return `${first & 0x80 ? '-' : ''}${hex(content).replace(/^(?:00)+(?=..)/, '')}`;
  }

  /** ISO 8601 in UTC, to the second (RFC 5280 §4.1.2.5). */
  time(): string {
    const form = /^(\d{2}|\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})?(?:\.\d{1,9})?(?:Z|([+-]\d{2})(\d{2}))$/;
    const parts = form.exec(latin1(this.content.subarray(0, 32)));
    if (!parts || (this.tag === TAG.utcTime) !== (parts[1]?.length === 2)) throw new DerFault('A time is wrong');
    const [, year = '', month, day, hour, minute, second = '00', hours = '+00', minutes = '00'] = parts;
    const full = year.length === 4 ? year : `${Number(year) < 50 ? 20 : 19}${year}`;
    const time = Date.parse(`${full}-${month}-${day}T${hour}:${minute}:${second}${hours}:${minutes}`);
    if (Number.isNaN(time)) throw new DerFault('A time is wrong');
    return `${new Date(time).toISOString().slice(0, 19)}Z`;
  }

  /** The text of any string type. Characters that cannot be decoded are replaced. */
  text(): string {
    const { content, tag } = this;
    if (tag === 0x1e) return new TextDecoder('utf-16be').decode(content);
    return new TextDecoder(tag === 0x0c || tag === 0x80 + 6 ? 'utf-8' : 'latin1').decode(content);
  }

  /** The value that begins at `from`. @throws DerFault; LimitReached */
  private static at(source: Bytes, from: number, end: number, budget: Budget, depth: number): Der {
    if (depth > DEPTH_MAX) throw new LimitReached('depth');
    budget.step(4);
    const [tag, short] = [source[from], source[from + 1]];
    if (tag === undefined || short === undefined || from + 2 > end || (tag & 31) === 31)
      throw new DerFault('A value is cut');
    let start = from + 2;
    if (short === 0x80) {
      // An indefinite length (§8.1.3.6): the value ends at two zero bytes.
      if (!(tag & 0x20)) throw new DerFault('A length is wrong');
      let at = start;
      while (!(source[at] === 0 && source[at + 1] === 0)) {
        if (at + 2 > end) throw new DerFault('A value has no end');
        at = Der.at(source, at, end, budget, depth + 1).to;
      }
      return new Der(source, from, start, at, at + 2, budget);
    }
    let length = short;
    if (short > 0x80) {
      if (short > 0x84) throw new DerFault('A value is too long');
      length = 0;
      for (const byte of source.subarray(start, start + short - 0x80)) length = length * 256 + byte;
      start += short - 0x80;
    }
    if (start + length > end) throw new DerFault('A value is cut');
    return new Der(source, from, start, start + length, start + length, budget);
  }
}
