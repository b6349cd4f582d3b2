import { type Budget, LimitReached } from '../budget';
import { type Bytes, firstWord, lastWord } from '../bytes';
import { decoded } from './inflate';
import { Dict, isName, PdfFault, Ref, Stream, type Value } from './objects';
import { Parser } from './parse';

/** The most entries in all cross-reference sections and object streams of a file together. */
const OBJECTS_MAX = 250_000;
const SECTIONS_MAX = 500;

/** The place of an object: an offset in the file, or an index in an object stream. */
export type Entry = { gen: number } & ({ at: number } | { container: number; index: number } | { free: true });

/** One section of cross-references: a table or a stream (§7.5.4, §7.5.8). */
export interface Section {
  at: number;
  trailer: Dict;
  entries: ReadonlyMap<number, Entry>;
  /** Whether the section is a stream. */
  isStream: boolean;
  /** The offset in the file at which the section ends. */
  to: number;
  /** Whether PDF readers may understand the section differently. */
  isOdd: boolean;
}

interface Container {
  bytes: Bytes;
  first: number;
  span: Read['span'];
  /** Number and offset of each object. */
  index: readonly (readonly [num: number, offset: number])[];
}

/** An object as it was read. */
export interface Read {
  value: Value;
  /** Whether PDF readers may understand the object differently. */
  isOdd: boolean;
  /** Whether the object is directly in the file. False for an object in an object stream. */
  isPlain: boolean;
  /**
   * The offsets in the file at which the object begins and ends. For an object in an object stream, the offsets are
   * those of the object stream.
   */
  span: readonly [from: number, to: number];
}

/** A PDF. Cross-references and object streams are read only once, even if several revisions use them. */
export class PdfFile {
  private readonly sections = new Map<number, Section[]>();
  private readonly containers = new Map<number, Container>();
  private objects = 0;

  constructor(
    readonly bytes: Bytes,
    readonly budget: Budget,
  ) {}

  /**
   * Returns the revision that ends at `end` (ISO 32000-2 §7.5.6): the file as it was before anything was appended after
   * `end`.
   * @throws PdfFault if the revision's cross-reference is missing or broken
   */
  revision(end: number): Revision {
    const at = lastWord(this.bytes, 'startxref', end);
    if (at < 0) throw new PdfFault('There is no startxref');
    const parser = new Parser(this.bytes, at, end, this.budget);
    parser.expect('startxref');
    const from = parser.integer();
    const chain: Section[] = [];
    const seen = new Set<number>();
    let next: Value | undefined = from;
    while (typeof next === 'number') {
      if (seen.has(next)) throw new PdfFault('The cross-references run in a circle');
      if (seen.size >= SECTIONS_MAX) throw new LimitReached('objects');
      seen.add(next);
      const sections: Section[] = this.section(next, end);
      chain.push(...sections);
      next = sections[0]?.trailer.get('Prev');
    }
    if ((next ?? null) !== null) throw new PdfFault('Prev is no number');
    return new Revision(this, end, from, chain);
  }

  /** Returns the sections at an offset: one, or a table and a stream in a hybrid file (§7.5.8.4). @throws PdfFault */
  private section(at: number, end: number): Section[] {
    const sections = this.sections.get(at) ?? this.readSection(at);
    this.sections.set(at, sections);
    if (sections.some(({ to }) => to > end)) throw new PdfFault('A cross-reference is outside');
    return sections;
  }

  /** Adds to the number of objects that were listed. @throws LimitReached if they are too many in total */
  count(objects: number): void {
    this.objects += objects;
    if (this.objects > OBJECTS_MAX) throw new LimitReached('objects');
  }

  private readSection(at: number): Section[] {
    const end = this.bytes.length;
    if (at >= end) throw new PdfFault('A cross-reference is outside');
    const parser = new Parser(this.bytes, at, end, this.budget);
    if (parser.peek() !== 'xref') return [this.streamSection(at, end)];
    const table = tableSection(parser, this);
    const beside = table.trailer.get('XRefStm');
    if (beside === undefined) return [table];
    if (typeof beside !== 'number' || beside >= end) throw new PdfFault('XRefStm is wrong');
    return [table, this.streamSection(beside, end)];
  }

  /** Reads a cross-reference stream (§7.5.8). */
  private streamSection(at: number, end: number): Section {
    const { value, to, isOdd } = this.objectAt(at, end, null, null);
    if (!(value instanceof Stream) || !isName(value.dict.get('Type'), 'XRef'))
      throw new PdfFault(`No cross-reference at ${at}`);
    const bytes = decoded(value, this.budget);
    const widths = numbers(value.dict.get('W'));
    const size = value.dict.get('Size');
    const [first = 0, second = 0, third = 0] = widths;
    const width = first + second + third;
    if (widths.length !== 3 || width === 0 || widths.some((each) => each > 8)) throw new PdfFault('W is wrong');
    const index =
      value.dict.get('Index') !== undefined
        ? numbers(value.dict.get('Index'))
        : [0, typeof size === 'number' ? size : 0];
    let from = 0;
    const field = (length: number): number => {
      const digits = bytes.subarray(from, from + length);
      from += length;
      return digits.reduce((number, digit) => number * 256 + digit, 0);
    };
    const entries = new Entries(this);
    for (let part = 0; part + 1 < index.length; part += 2) {
      for (let count = 0; count < (index[part + 1] ?? 0) && from + width <= bytes.length; count += 1) {
        const type = first === 0 ? 1 : field(first);
        const [a, b] = [field(second), field(third)];
        const entry: Entry =
          type === 1 ? { at: a, gen: b } : type === 2 ? { container: a, index: b, gen: 0 } : { free: true, gen: b };
        entries.add((index[part] ?? 0) + count, entry);
      }
    }
    this.budget.step(bytes.length);
    return { at, trailer: value.dict, entries, isStream: true, to, isOdd: isOdd || entries.isDoubled };
  }

  /**
   * Reads the object at an offset.
   * @param num the object must have this number; null if any number is allowed
   * @param lengthOf returns the length of a stream if `Length` is a reference. If the function is null or returns null,
   *   the stream ends before the next `endstream`, and PDF readers may understand it differently (`isOdd`)
   */
  objectAt(
    at: number,
    end: number,
    num: number | null,
    lengthOf: ((ref: Ref) => Value) | null,
  ): Read & { num: number; gen: number; to: number } {
    const parser = new Parser(this.bytes, at, end, this.budget);
    const [found, gen] = [parser.integer(), parser.integer()];
    parser.expect('obj');
    if (num !== null && found !== num) throw new PdfFault(`Object ${num} is not where it should be`);
    const value = parser.value();
    let isOdd = parser.isOdd;
    let read: Value = value;
    if (parser.peek() === 'stream' && value instanceof Dict) {
      parser.word();
      if (this.bytes[parser.at] === 13 && this.bytes[parser.at + 1] === 10) parser.at += 2;
      else if (this.bytes[parser.at] === 10) parser.at += 1;
      else isOdd = true;
      const from = parser.at;
      const given = value.get('Length');
      const length = given instanceof Ref ? (lengthOf?.(given) ?? null) : given;
      const isSound = typeof length === 'number' && Number.isInteger(length) && length >= 0 && from + length <= end;
      parser.at = isSound ? from + length : end;
      if (isSound && parser.peek() === 'endstream') read = new Stream(value, this.bytes.subarray(from, from + length));
      else {
        isOdd = true;
        this.budget.step((end - from) >> 4);
        const to = firstWord(this.bytes, 'endstream', from, end);
        if (to < 0) throw new PdfFault(`The stream of object ${found} has no end`);
        read = new Stream(value, this.bytes.subarray(from, to));
        parser.at = to;
      }
      parser.expect('endstream');
      this.budget.step(16);
    }
    if (parser.peek() === 'endobj') parser.word();
    else isOdd = true;
    return { value: read, isOdd, isPlain: true, num: found, gen, to: parser.at, span: [at, parser.at] };
  }

  /** Returns the object stream (§7.5.7) at an offset. Each object stream is read and inflated only once. */
  container(at: number, read: () => Read): Container {
    const container = this.containers.get(at) ?? this.openContainer(read());
    this.containers.set(at, container);
    return container;
  }

  private openContainer({ value, span }: Read): Container {
    if (!(value instanceof Stream) || !isName(value.dict.get('Type'), 'ObjStm')) throw new PdfFault('No object stream');
    const [count, first] = [value.dict.get('N'), value.dict.get('First')];
    if (typeof count !== 'number' || typeof first !== 'number') throw new PdfFault('An object stream is wrong');
    this.count(count);
    const bytes = decoded(value, this.budget);
    const parser = new Parser(bytes, 0, Math.min(first, bytes.length), this.budget);
    return {
      bytes,
      first,
      span,
      index: Array.from({ length: count }, () => [parser.integer(), parser.integer()] as const),
    };
  }
}

function numbers(value: Value | undefined): number[] {
  if (!Array.isArray(value)) throw new PdfFault('An array of numbers is missing');
  return value.map((each) => {
    if (typeof each !== 'number' || !Number.isInteger(each) || each < 0) throw new PdfFault('A number is wrong');
    return each;
  });
}

/** The entries of one section. If the section lists a number twice, only the first of these entries counts. */
class Entries extends Map<number, Entry> {
  isDoubled = false;

  constructor(private readonly file: PdfFile) {
    super();
  }

  add(num: number, entry: Entry): void {
    if (this.has(num)) this.isDoubled = true;
    else {
      this.file.count(1);
      this.set(num, entry);
    }
  }
}

/** Reads a cross-reference table with its trailer (§7.5.4, §7.5.5). */
function tableSection(parser: Parser, file: PdfFile): Section {
  const entries = new Entries(file);
  parser.expect('xref');
  const at = parser.at - 4;
  while (parser.peek() !== 'trailer') {
    const [first, count] = [parser.integer(), parser.integer()];
    for (let index = 0; index < count; index += 1) {
      const [place, gen, kind] = [parser.integer(), parser.integer(), parser.word()];
      if (kind !== 'n' && kind !== 'f') throw new PdfFault('A cross-reference is wrong');
      entries.add(first + index, kind === 'n' ? { at: place, gen } : { free: true, gen });
    }
  }
  parser.expect('trailer');
  const trailer = parser.value();
  if (!(trailer instanceof Dict)) throw new PdfFault('There is no trailer');
  return { at, trailer, entries, isStream: false, to: parser.at, isOdd: parser.isOdd || entries.isDoubled };
}

/** A revision: the file as it was when it ended at `end`. */
export class Revision {
  readonly entries = new Map<number, Entry>();
  readonly trailer: Dict;

  constructor(
    readonly file: PdfFile,
    readonly end: number,
    /** The offset of the newest section. */
    readonly startxref: number,
    /** The newest section comes first. */
    readonly sections: readonly Section[],
  ) {
    for (const section of sections)
      for (const [num, entry] of section.entries) if (!this.entries.has(num)) this.entries.set(num, entry);
    const [newest] = sections;
    if (!newest) throw new PdfFault('There is no cross-reference');
    this.trailer = newest.trailer;
  }

  /**
   * Returns a text that identifies the place of an object's bytes in the file. If an object is rewritten, the text
   * changes. The text is `none` if this revision has no such object.
   */
  place(num: number): string {
    const entry = this.entries.get(num);
    if (!entry || 'free' in entry) return 'none';
    // Bytes after `end` are not part of this revision, even if an entry points to them.
    if ('at' in entry) return entry.at < this.end ? `${entry.at} ${entry.gen}` : 'none';
    const outer = this.entries.get(entry.container);
    return outer && 'at' in outer && outer.at < this.end ? `${outer.at} ${entry.container} ${entry.index}` : 'none';
  }

  /**
   * Returns the object with a number; null if there is no such object (§7.3.10).
   * @throws PdfFault if the object is not at the place that the cross-reference names
   */
  read(num: number): Read | null {
    const entry = this.entries.get(num);
    if (!entry || 'free' in entry) return null;
    if ('at' in entry) {
      const read = this.plain(num, entry.at);
      // Some readers treat an object of another generation as missing.
      return read.gen === entry.gen ? read : { ...read, isOdd: true };
    }
    const outer = this.entries.get(entry.container);
    if (!outer || !('at' in outer)) throw new PdfFault('An object stream is missing');
    const container = this.file.container(outer.at, () => this.plain(entry.container, outer.at, false));
    const [found, offset] = container.index[entry.index] ?? [];
    if (found !== num || offset === undefined) throw new PdfFault(`Object ${num} is not in its object stream`);
    const parser = new Parser(container.bytes, container.first + offset, container.bytes.length, this.file.budget);
    const value = parser.value();
    return { value, isOdd: parser.isOdd, isPlain: false, span: container.span };
  }

  private plain(num: number, at: number, isLengthAnywhere = true): Read & { gen: number } {
    return this.file.objectAt(at, this.end, num, (ref) => this.length(ref, isLengthAnywhere));
  }

  /**
   * Returns the number that is stored as an object of its own, for a stream whose length is a reference to this object.
   * Null if there is no such object, or if it is no number.
   * @param isAnywhere whether the object may be in an object stream. False for the length of an object stream, because
   *   two object streams could each contain the length of the other
   * @throws PdfFault if the object is not at the place that the cross-reference names
   */
  length({ num, gen }: Ref, isAnywhere: boolean): Value {
    const entry = this.entries.get(num);
    if (!entry || 'free' in entry || entry.gen !== gen || ('container' in entry && !isAnywhere)) return null;
    const found = 'at' in entry ? this.file.objectAt(entry.at, this.end, num, null) : this.read(num);
    return typeof found?.value === 'number' ? found.value : null;
  }

  /**
   * Returns the value of the object that a reference points to. It is null if the object is missing, or if its value is
   * a reference. A value that is no reference is returned unchanged.
   * @throws PdfFault
   */
  resolve(value: Value | undefined): Value {
    if (!(value instanceof Ref)) return value ?? null;
    const entry = this.entries.get(value.num);
    if (!entry || entry.gen !== value.gen) return null;
    const read = this.read(value.num);
    return read?.value instanceof Ref ? null : (read?.value ?? null);
  }

  /** Returns the document catalog. @throws PdfFault if there is none */
  catalog(): Dict {
    const root = this.resolve(this.trailer.get('Root'));
    if (!(root instanceof Dict)) throw new PdfFault('There is no catalog');
    return root;
  }
}
