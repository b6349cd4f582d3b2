/** What the name of a product says in numbers: strength and pack. The time it takes is linear in the length of the name. */

import { formOf, isCounted } from './forms';
import { type Folded, foldName, type Span, type Token, tokensOf } from './tokens';
import { CONTAINERS, GRAM, IU, MILLIONS, type Pack, PER, SIZES, UNITS, type Unit } from './units';

/** The unit of an amount of substance; only amounts with the same measure can be compared. */
export type Measure = 'mg' | 'IU' | 'mg/ml' | 'IU/ml' | 'mmol' | 'thc' | 'cbd';

/** How much substance one piece, or each ml or g, contains. `thc` and `cbd` are the two numbers of cannabis, as in "22/1". */
export interface Amount extends Span {
  measure: Measure;
  value: number;
  /** The number as it stands in the name, whatever its unit. */
  written: number;
}

/** Numbers without a unit, as in "Ibuprofen 400" and "comp 20/12,5". */
export interface Bare extends Span {
  values: number[];
  /** What "2 x" before them multiplies. */
  count: number;
  /** A form follows: "20 Tabletten" is a count, "400 Filmtabletten" a strength. */
  isMaybeCount: boolean;
}

/** The places are those in the folded text. */
export interface ScannedName {
  folded: Folded;
  /** What belongs to no amount or pack; null stands for one. */
  rest: readonly (Token | null)[];
  /** At most `AMOUNTS_MAX`. */
  amounts: Amount[];
  packs: (Pack & Span)[];
  /** The only amount is a small plain weight ("Creme 2 g"): as it may be either, it stands in `amounts` and in `packs`. */
  isMaybePack: boolean;
  bare: Bare[];
  /** It seems to be cannabis, whose contents are written like "22/1". */
  isCannabis: boolean;
}

/** So many amounts are taken from one name. */
export const AMOUNTS_MAX = 20;
/** From this many grams, a plain weight is a pack size: tubes hold 5 g and more, tablets less. */
export const PACK_GRAMS_MIN = 5;
/** Cannabis contains less than this many per cent of anything. */
const PER_CENT_MAX = 100;

/** In shorter words a number that follows directly is part of the word: B12, N2. */
export const LETTERS_BEFORE_NUMBER = 3;
/** What numbers a product, instead of saying how strong it is. */
const NUMBERING = new Set(['pzn', 'nr', 'no']);

/** @param name as it was submitted, or as the product is called */
export function scanName(name: string): ScannedName {
  const folded = foldName(name);
  const tokens = tokensOf(folded.text);
  const isCannabis = CANNABIS.test(folded.text);
  return { folded, isCannabis, ...new Scanner(tokens).scan(isCannabis) };
}

const CANNABIS = /cannabis|thc|cbd|bluten/;

/** Goes through the tokens once; where it looks ahead over a list of numbers, it does so once for each list. */
class Scanner {
  private readonly strengths: Amount[] = [];
  /** Plain weights: "20 g". */
  private readonly weights: (Pack & Span)[] = [];
  private readonly packs: (Pack & Span)[] = [];
  private readonly bare: Bare[] = [];
  /** Where the last number without a unit ends. */
  private bareEnd = 0;
  /** The tokens that belong to no amount or pack; null stands for one. */
  private readonly rest: (Token | null)[] = [];
  /** Numbers before this token are known not to be followed by a unit. */
  private withoutUnit = 0;
  /** What "2 x" multiplies, if the pack follows directly. */
  private times = 1;

  constructor(private readonly tokens: readonly Token[]) {}

  scan(isCannabis: boolean) {
    let at = 0;
    for (let token = this.tokens[at]; token; token = this.tokens[at]) {
      const times = this.times;
      this.times = 1;
      at = this.takeAmounts(at, times) ?? this.takeSize(at, times) ?? this.pass(token, at, times);
    }
    // In "5 % Salbe, 20 g" the weight is that of the pack, in "Paracetamol 1 g" that of the tablet.
    const small = this.strengths.length === 0 ? this.weights.filter(({ size }) => size < PACK_GRAMS_MIN) : [];
    const amounts = [
      ...this.strengths,
      ...small.map(({ size, ...span }) => amountOf('mg', size * GRAM.factor, size, span)),
      ...(isCannabis ? cannabisOf(this.rest) : []),
    ].slice(0, AMOUNTS_MAX);
    const bare = this.withoutCounts(amounts.length > 0);
    return { amounts, packs: [...this.packs, ...this.weights], isMaybePack: small.length > 0, bare, rest: this.rest };
  }

  /** "20 Tabletten" is a pack where a strength stands before it, or has its unit. */
  private withoutCounts(hasStrength: boolean): Bare[] {
    return this.bare.filter(({ values, count, isMaybeCount, start, end }, place) => {
      const isCount = isMaybeCount && (hasStrength || place > 0);
      if (isCount) this.packs.push({ count, size: values.at(-1) ?? 1, unit: 'piece', start, end });
      return !isCount;
    });
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
    const found = this.unitAt(end) ?? (this.isText(end, '-') ? this.unitAt(end + 1) : null);
    if (!found) {
      this.withoutUnit = end;
      return null;
    }
    const per = this.containerAt(found.end);
    const last = per?.end ?? found.end;
    for (const value of values) this.add(value, found.unit, per?.size ?? null, times, this.spanOf(at, last));
    this.rest.push(null);
    return last;
  }

  private add(value: number, { of, factor }: Unit, per: number | null, times: number, span: Span): void {
    if (this.strengths.length + this.weights.length >= AMOUNTS_MAX) return;
    if (of === 'mass' && factor === GRAM.factor && per === null) {
      this.weights.push({ count: times, size: value, unit: 'g', ...span });
      return;
    }
    const [measure, amount] = measured(of, value * factor, per);
    this.strengths.push(amountOf(measure, amount, value, span));
  }

  /** "20 St", "2 x 50 ml", "3 x": a size, times another. @returns where it ends */
  private takeSize(at: number, times: number): number | null {
    let value = this.valueAt(at);
    if (value === null || this.isJoined(at)) return null;
    let [count, last] = [times, at];
    for (let next = this.valueAt(at + 2); next !== null && this.isText(last + 1, 'x'); next = this.valueAt(last + 2)) {
      [count, value, last] = [count * value, next, last + 2];
    }
    const size = this.sizeAt(last + 1);
    if (size === undefined && last > at) {
      this.times = count;
      this.rest.push(null);
      return last;
    }
    if (size === undefined && !this.isText(last + 1, 'x')) return null;
    const span = this.spanOf(at, last + 2);
    const isPacks = size === undefined || size?.unit === 'pack';
    if (isPacks) this.packs.push({ count: count * value, size: 1, unit: 'pack', ...span });
    else if (size) this.packs.push({ count, size: value * size.size, unit: size.unit, ...span });
    this.rest.push(null);
    return last + 2;
  }

  /** "St", "ml", and the "er" of "20er". */
  private sizeAt(at: number) {
    if (!this.endsWord(at)) return undefined;
    return this.isText(at, 'er') && !this.tokens[at]?.isSpaced ? SIZES.get('st') : SIZES.get(this.textAt(at));
  }

  /** A token that belongs to nothing else. @returns where it ends */
  private pass(token: Token, at: number, times: number): number {
    this.rest.push(token);
    if (token.value === null || !this.isBare(at)) return at + 1;
    const last = this.bare.at(-1);
    const isMaybeCount = isCounted(formOf(this.textAt(at + 1)));
    if (last && this.bareEnd === at - 1 && (this.isText(at - 1, '/') || this.isText(at - 1, '+'))) {
      last.values.push(token.value);
      Object.assign(last, { end: token.end, isMaybeCount });
    } else {
      this.bare.push({ values: [token.value], count: times, isMaybeCount, start: token.start, end: token.end });
    }
    this.bareEnd = at + 1;
    return at + 1;
  }

  /** Not the first of "2 Ibuprofen", the 12 of "B-12", the number behind "PZN" and the 1 of "1 A Pharma". */
  private isBare(at: number): boolean {
    if (at === 0 || this.isJoined(at) || !this.endsWord(at) || this.isText(at + 1, 'a')) return false;
    const before = this.isText(at - 1, '.') || this.isText(at - 1, ':') ? at - 2 : at - 1;
    if (NUMBERING.has(this.textAt(before))) return false;
    const isAfterHyphen = this.isText(at - 1, '-') && !this.tokens[at]?.isSpaced;
    return !isAfterHyphen || (!this.tokens[at - 1]?.isSpaced && this.textAt(at - 2).length >= LETTERS_BEFORE_NUMBER);
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

  private spanOf(first: number, end: number): Span {
    return { start: this.tokens[first]?.start ?? 0, end: this.tokens[end - 1]?.end ?? 0 };
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

/** The 12 of "B12", and the 3 of "1.2.3". */
function isJoinedTo(before: Token | null | undefined, token: Token | null | undefined): boolean {
  if (!before || token?.isSpaced !== false) return false;
  return before.isWord ? before.text.length < LETTERS_BEFORE_NUMBER : before.text === '.' || before.text === ',';
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
    const span = { start: first?.start ?? 0, end: rest[second]?.end ?? 0 };
    found.push(amountOf('thc', thc, thc, span), amountOf('cbd', cbd, cbd, span));
    end = second + 1;
  }
  return found;
}

function perCentOf(token: Token | null | undefined): number | null {
  const value = token?.value ?? null;
  return value !== null && value < PER_CENT_MAX ? value : null;
}

/** @param per the ml or g that contain it, if the name says so */
function measured(of: Unit['of'], amount: number, per: number | null): [Measure, number] {
  if (of === 'per cent') return ['mg/ml', amount];
  if (of === 'mmol') return ['mmol', amount];
  const measure = of === 'mass' ? 'mg' : 'IU';
  return per === null ? [measure, amount] : [`${measure}/ml`, amount / per];
}

/** Without floating-point noise. */
function amountOf(measure: Measure, value: number, written: number, { start, end }: Span): Amount {
  return { measure, value: Number(value.toPrecision(6)), written, start, end };
}
