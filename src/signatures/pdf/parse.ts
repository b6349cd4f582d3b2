import { type Budget, LimitReached } from '../budget';
import { type Bytes, bytesOf, latin1 } from '../bytes';
import { Dict, Name, PdfFault, Ref, Text, type Value } from './objects';

const DEPTH_MAX = 64;
const NODES_MAX = 300_000;
const NAME_BYTES_MAX = 1_024;

const WHITE = new Set([0, 9, 10, 12, 13, 32]);
const DELIMITERS = new Set([...'()<>[]{}/%'].map((character) => character.charCodeAt(0)));

export function isWhite(byte: number | undefined): boolean {
  return byte !== undefined && WHITE.has(byte);
}

function isRegular(byte: number | undefined): byte is number {
  return byte !== undefined && !WHITE.has(byte) && !DELIMITERS.has(byte);
}

const NUMBER = /^[+-]?(?:\d{1,12}(?:\.\d{0,20})?|\.\d{1,20})$/;
const INTEGER = /^\d{1,10}$/;
const HEXADECIMAL = /^[\da-fA-F]*$/;

/**
 * Reads values from bytes (ISO 32000-2 §7.2, §7.3), from `at` up to `end`.
 * @throws PdfFault for bytes that are not PDF; LimitReached
 */
export class Parser {
  /**
   * Whether the parser has read something that readers may understand differently, such as a key twice in a dictionary.
   */
  isOdd = false;
  private nodes = 0;

  constructor(
    readonly bytes: Bytes,
    public at: number,
    readonly end: number,
    private readonly budget: Budget,
  ) {}

  /** Skips white space and comments. */
  skip(): void {
    while (this.at < this.end) {
      const byte = this.bytes[this.at];
      if (byte === 37) this.skipComment();
      else if (isWhite(byte)) this.at += 1;
      else return;
      this.budget.step();
    }
  }

  /** Moves to the end of the line. */
  skipComment(): void {
    const from = this.at;
    while (this.at < this.end && this.bytes[this.at] !== 10 && this.bytes[this.at] !== 13) this.at += 1;
    this.budget.step((this.at - from) >> 2);
  }

  /** Reads the next word of regular characters. It is empty at a delimiter or at the end. */
  word(): string {
    this.skip();
    const from = this.at;
    while (this.at < this.end && isRegular(this.bytes[this.at]) && this.at - from < 256) this.at += 1;
    this.budget.step();
    return latin1(this.bytes.subarray(from, this.at));
  }

  /** Returns the next word, but does not move behind it. */
  peek(): string {
    const from = this.at;
    const word = this.word();
    this.at = from;
    return word;
  }

  /** @throws PdfFault if the next word is not `word` */
  expect(word: string): void {
    if (this.word() !== word) throw new PdfFault(`${word} is missing at ${this.at}`);
  }

  /** Reads a whole number of 0 or more. @throws PdfFault */
  integer(): number {
    const word = this.word();
    if (!INTEGER.test(word)) throw new PdfFault(`A number is missing at ${this.at}`);
    return Number(word);
  }

  value(depth = 0): Value {
    if (depth > DEPTH_MAX) throw new LimitReached('depth');
    this.nodes += 1;
    if (this.nodes > NODES_MAX) throw new LimitReached('objects');
    this.skip();
    if (this.at >= this.end) throw new PdfFault('The bytes end within a value');
    const byte = this.bytes[this.at];
    if (byte === 47) return this.name();
    if (byte === 40) return this.literal();
    if (byte === 91) return this.array(depth);
    if (byte === 60) return this.bytes[this.at + 1] === 60 ? this.dict(depth) : this.hexString();
    const word = this.word();
    if (word === 'null') return null;
    if (word === 'true') return true;
    if (word === 'false') return false;
    if (!NUMBER.test(word)) throw new PdfFault(`No value at ${this.at}`);
    return INTEGER.test(word) ? this.numberOrRef(Number(word)) : Number(word);
  }

  private numberOrRef(num: number): number | Ref {
    const back = this.at;
    const gen = this.word();
    if (/^\d{1,5}$/.test(gen) && this.word() === 'R') return new Ref(num, Number(gen));
    this.at = back;
    return num;
  }

  private name(): Name {
    this.at += 1;
    const from = this.at;
    while (this.at < this.end && isRegular(this.bytes[this.at]) && this.at - from <= NAME_BYTES_MAX) this.at += 1;
    if (this.at - from > NAME_BYTES_MAX) throw new PdfFault('A name is too long');
    const raw = latin1(this.bytes.subarray(from, this.at));
    this.budget.step(2);
    return new Name(
      raw.replace(/#([0-9A-Fa-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    );
  }

  private array(depth: number): Value[] {
    this.at += 1;
    const values: Value[] = [];
    for (;;) {
      this.skip();
      if (this.at >= this.end) throw new PdfFault('The bytes end within an array');
      if (this.bytes[this.at] === 93) {
        this.at += 1;
        return values;
      }
      values.push(this.value(depth + 1));
    }
  }

  private dict(depth: number): Dict {
    this.at += 2;
    const dict = new Dict();
    for (;;) {
      this.skip();
      if (this.at >= this.end) throw new PdfFault('The bytes end within a dictionary');
      if (this.bytes[this.at] === 62 && this.bytes[this.at + 1] === 62) {
        this.at += 2;
        return dict;
      }
      if (this.bytes[this.at] !== 47) throw new PdfFault(`No key at ${this.at}`);
      const { name } = this.name();
      const value = this.value(depth + 1);
      if (dict.entries.has(name)) this.isOdd = true;
      dict.entries.set(name, value);
    }
  }

  private hexString(): Text {
    const from = this.at;
    const to = this.bytes.indexOf(62, from);
    this.budget.step(((to < 0 ? this.bytes.length : to) - from) >> 2);
    if (to < 0 || to >= this.end) throw new PdfFault('A string has no end');
    const digits = latin1(this.bytes.subarray(from + 1, to)).replace(/[\0\t\n\f\r ]/g, '');
    if (!HEXADECIMAL.test(digits)) throw new PdfFault(`No hexadecimal digits at ${from}`);
    this.at = to + 1;
    return new Text(bytesOf(digits.length % 2 ? `${digits}0` : digits, 'hex'), from, this.at);
  }

  /** Reads a literal string (§7.3.4.2). */
  private literal(): Text {
    const from = this.at;
    let open = 1;
    let at = from + 1;
    for (; at < this.end && open > 0; at += 1) {
      const byte = this.bytes[at];
      if (byte === 92) at += 1;
      else if (byte === 40) open += 1;
      else if (byte === 41) open -= 1;
    }
    this.budget.step((at - from) >> 2);
    if (open > 0 || at > this.end) throw new PdfFault('A string has no end');
    this.at = at;
    return new Text(unescaped(this.bytes.subarray(from + 1, at - 1)), from, at);
  }
}

/** The characters for which the letters after a backslash stand. */
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** Matches an escape in a literal string, and an end of line inside one (§7.3.4.2). */
const ESCAPE = /\\(?:([0-7]{1,3})|\r\n?|\n|([\s\S]))|\r\n?/g;

function unescaped(raw: Bytes): Bytes {
  if (!raw.includes(92) && !raw.includes(13)) return raw;
  const text = latin1(raw).replace(ESCAPE, (found, octal?: string, letter?: string) => {
    if (octal) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
    if (letter) return ESCAPED[letter] ?? letter;
    return found.startsWith('\\') ? '' : '\n';
  });
  return bytesOf(text, 'latin1');
}
