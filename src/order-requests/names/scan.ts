/** What the name of a product says: strength, pack, dosage form, release. The time it takes is linear in the length of the name. */

import { folded, type Token, tokensOf } from './tokens';
import { CONTAINERS, GRAM, IU, MILLIONS, type Pack, PER, SIZES, UNITS, type Unit } from './units';
import { type Form, formOf, type Release, releaseOf } from './words';

/** The unit of an amount of substance; only amounts with the same measure can be compared. */
export type Measure = 'mg' | 'IU' | 'mg/ml' | 'IU/ml' | 'mmol' | 'thc' | 'cbd';

/** How much substance one piece, or each ml or g, contains. `thc` and `cbd` are the two numbers of cannabis, as in "22/1". */
export interface Amount {
  measure: Measure;
  value: number;
}

export interface ScannedName {
  /** The name in one spelling (name-tokens.ts). */
  text: string;
  /** At most `AMOUNTS_MAX`. */
  amounts: Amount[];
  packs: Pack[];
  /** The only amount is a small plain weight ("Creme 2 g"): as it may be either, it stands in `amounts` and in `packs`. */
  isMaybePack: boolean;
  /** Numbers without a unit, as in "Ibuprofen 400". */
  bare: number[];
  /** Every number of the name. */
  numbers: Set<number>;
  /** Without digits, but a vitamin with its letter is one word. Units and forms are among them. */
  words: string[];
  form: Form | null;
  release: Release | null;
}

/** So many amounts are taken from one name. */
export const AMOUNTS_MAX = 20;
/** From this many grams, a plain weight is a pack size: tubes hold 5 g and more, tablets less. */
const PACK_GRAMS_MIN = 5;
/** Cannabis contains less than this many per cent of anything. */
const PER_CENT_MAX = 100;

/** @param name as it was submitted, or as the product is called */
export function scanName(name: string): ScannedName {
  const text = folded(name);
  const words = wordsOf(text);
  return {
    text,
    ...new Scanner(tokensOf(text)).scan(text),
    words,
    form: firstOf(words, formOf),
    release: firstOf(words, releaseOf),
  };
}

function firstOf<Meaning>(words: readonly string[], meaningOf: (word: string) => Meaning | null): Meaning | null {
  for (const word of words) {
    const meaning = meaningOf(word);
    if (meaning !== null) return meaning;
  }
  return null;
}

function wordsOf(text: string): string[] {
  return text
    .replace(/\bvitamine? ?-?(?:(d)3?|([a-z]\d{0,2}))(?![\p{L}\d])/gu, ' vitamin$1$2 ')
    .split(/[^\p{L}\d]+/u)
    .flatMap((word) => (/^vitamin[a-z]\d*$/.test(word) ? [word] : word.split(/\d+/)))
    .filter((word) => word !== '');
}

const CANNABIS = /cannabis|thc|cbd|bluten/;

/** Goes through the tokens once; where it looks ahead over a list of numbers, it does so once for each list. */
class Scanner {
  private readonly strengths: Amount[] = [];
  /** Plain weights: "20 g". */
  private readonly weights: Pack[] = [];
  private readonly packs: Pack[] = [];
  private readonly bare: number[] = [];
  /** The tokens that belong to no amount or pack; null stands for one. */
  private readonly rest: (Token | null)[] = [];
  /** Numbers before this token are known not to be followed by a unit. */
  private withoutUnit = 0;
  /** What "2 x" multiplies, if the pack follows directly. */
  private times = 1;

  constructor(private readonly tokens: readonly Token[]) {}

  scan(text: string) {
    let at = 0;
    for (let token = this.tokens[at]; token; token = this.tokens[at]) {
      const times = this.times;
      this.times = 1;
      at = this.takeAmounts(at, times) ?? this.takeSize(at, times) ?? this.pass(token, at);
    }
    // In "5 % Salbe, 20 g" the weight is that of the pack, in "Paracetamol 1 g" that of the tablet.
    const small = this.strengths.length === 0 ? this.weights.filter(({ size }) => size < PACK_GRAMS_MIN) : [];
    const amounts = [
      ...this.strengths,
      ...small.map(({ size }): Amount => ({ measure: 'mg', value: rounded(size * GRAM.factor) })),
      ...(CANNABIS.test(text) ? cannabisOf(this.rest) : []),
    ];
    return {
      amounts: amounts.slice(0, AMOUNTS_MAX),
      packs: [...this.packs, ...this.weights],
      isMaybePack: small.length > 0,
      bare: this.bare,
      numbers: new Set(this.tokens.flatMap(({ value }) => value ?? [])),
    };
  }

  /** "5/25 mg", "3 mg/5 ml": one or more numbers with one unit, and what contains them. @returns where it ends */
  private takeAmounts(at: number, times: number): number | null {
    const first = this.valueAt(at);
    if (first === null || at < this.withoutUnit || (this.isJoined(at) && !this.isMultiplied(at))) return null;
    const values = [first];
    let end = at + 1;
    while (this.isText(end, '/') || this.isText(end, '+')) {
      const value = this.valueAt(end + 1);
      if (value === null) break;
      values.push(value);
      end += 2;
    }
    const found = this.unitAt(end);
    if (!found) {
      this.withoutUnit = end;
      return null;
    }
    const per = this.containerAt(found.end);
    for (const value of values) this.add(value, found.unit, per?.size ?? null, times);
    this.rest.push(null);
    return per?.end ?? found.end;
  }

  private add(value: number, { of, factor }: Unit, per: number | null, times: number): void {
    if (this.strengths.length + this.weights.length >= AMOUNTS_MAX) return;
    if (of === 'mass' && factor === GRAM.factor && per === null) {
      this.weights.push({ count: times, size: value, unit: 'g' });
    } else if (of === 'per cent') {
      this.strengths.push({ measure: 'mg/ml', value: rounded(value * factor) });
    } else if (of === 'mmol') {
      this.strengths.push({ measure: 'mmol', value: rounded(value) });
    } else {
      const measure = of === 'mass' ? 'mg' : 'IU';
      const amount = value * factor;
      this.strengths.push(
        per === null ? { measure, value: rounded(amount) } : { measure: `${measure}/ml`, value: rounded(amount / per) },
      );
    }
  }

  /** "20 St", "2 x 50 ml", "3 x": a size, times another. @returns where it ends */
  private takeSize(at: number, times: number): number | null {
    let value = this.valueAt(at);
    if (value === null || this.isJoined(at)) return null;
    let [count, last] = [times, at];
    for (let next = this.valueAt(at + 2); next !== null && this.isText(last + 1, 'x'); next = this.valueAt(last + 2)) {
      [count, value, last] = [count * value, next, last + 2];
    }
    const size = this.endsWord(last + 1) ? SIZES.get(this.textAt(last + 1)) : undefined;
    if (size === undefined && last > at) {
      this.times = count;
      this.rest.push(null);
      return last;
    }
    if (size === undefined && !this.isText(last + 1, 'x')) return null;
    if (size === undefined || size?.unit === 'pack') this.packs.push({ count: count * value, size: 1, unit: 'pack' });
    else if (size) this.packs.push({ count, size: value * size.size, unit: size.unit });
    this.rest.push(null);
    return last + 2;
  }

  /** A token that belongs to nothing else. @returns where it ends */
  private pass(token: Token, at: number): number {
    this.rest.push(token);
    const isAfterHyphen = !token.isSpaced && this.isText(at - 1, '-');
    if (token.value !== null && !this.isJoined(at) && !isAfterHyphen && this.endsWord(at)) this.bare.push(token.value);
    return at + 1;
  }

  private unitAt(at: number): { unit: Unit; end: number } | null {
    if (MILLIONS.has(this.textAt(at))) {
      const end = this.endOfIU(this.isText(at + 1, '.') ? at + 2 : at + 1);
      return end === null ? null : { unit: { ...IU, factor: 1_000_000 }, end };
    }
    const end = this.endOfIU(at);
    if (end !== null) return { unit: IU, end };
    const unit = UNITS.get(this.textAt(at));
    return unit && this.endsWord(at) ? { unit, end: at + 1 } : null;
  }

  /** "IE", "IU", "I.E.", "I. U.", "Einheiten", and "E" before a slash. */
  private endOfIU(at: number): number | null {
    if (this.isText(at, 'e')) return this.isText(at + 1, '/') ? at + 1 : null;
    const isLettered = this.isText(at, 'i') && this.isText(at + 1, '.');
    const last = isLettered ? at + 2 : at;
    const ends = isLettered ? ['e', 'u'] : ['ie', 'iu', 'einheiten'];
    if (!ends.some((text) => this.isText(last, text)) || !this.endsWord(last)) return null;
    return this.isText(last + 1, '.') ? last + 2 : last + 1;
  }

  /** "/ml", "pro 5 ml". */
  private containerAt(at: number): { size: number; end: number } | null {
    if (!PER.has(this.textAt(at))) return null;
    const value = this.valueAt(at + 1);
    const last = value === null ? at + 1 : at + 2;
    const factor = CONTAINERS.get(this.textAt(last));
    return factor !== undefined && this.endsWord(last) ? { size: (value ?? 1) * factor, end: last + 1 } : null;
  }

  private valueAt(at: number): number | null {
    return this.tokens[at]?.value ?? null;
  }

  private textAt(at: number): string {
    return this.tokens[at]?.text ?? '';
  }

  private isText(at: number, text: string): boolean {
    return this.textAt(at) === text;
  }

  private isJoined(at: number): boolean {
    return isJoinedTo(this.tokens[at - 1], this.tokens[at]);
  }

  /** "2x100": joined to nothing but the sign of multiplication. */
  private isMultiplied(at: number): boolean {
    return this.isText(at - 1, 'x') && this.valueAt(at - 2) !== null;
  }

  /** Whether neither a letter nor a digit follows the token directly. */
  private endsWord(at: number): boolean {
    const next = this.tokens[at + 1];
    return !next || next.isSpaced || (!next.isWord && next.value === null);
  }
}

/** The 400 of "Ibuprofen400", and the 3 of "1.2.3". */
function isJoinedTo(before: Token | null | undefined, token: Token | null | undefined): boolean {
  return token?.isSpaced === false && (before?.isWord || before?.text === '.' || before?.text === ',');
}

/** THC and CBD, as in "22/1" and "22:<1". A word or number behind them makes them something else. */
function cannabisOf(rest: readonly (Token | null)[]): Amount[] {
  const found: Amount[] = [];
  let end = 0;
  for (const [at, first] of rest.entries()) {
    const second = rest[at + 2]?.text === '<' ? at + 3 : at + 2;
    const [thc, cbd] = [perCentOf(first), perCentOf(rest[second])];
    const [mark, next] = [rest[at + 1]?.text, rest[second + 1]];
    if (at < end || thc === null || cbd === null || isJoinedTo(rest[at - 1], first)) continue;
    if ((mark !== '/' && mark !== ':') || next?.isWord || typeof next?.value === 'number') continue;
    found.push({ measure: 'thc', value: thc }, { measure: 'cbd', value: cbd });
    end = second + 1;
  }
  return found;
}

function perCentOf(token: Token | null | undefined): number | null {
  const value = token?.value ?? null;
  return value !== null && value < PER_CENT_MAX ? value : null;
}

/** Removes floating-point noise. */
function rounded(amount: number): number {
  return Number(amount.toPrecision(6));
}
