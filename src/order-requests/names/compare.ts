/**
 * How two names differ in what they say about the medicine, and how much of it was asked for and is supplied. The results do not
 * depend on the order of the names.
 */

import { type NameReading, readName, type Said } from './read';
import { type Bare, formsDiffer, isOfAnyRoute, isSpread, PACK_GRAMS_MIN } from './scan';
import type { Amount, Content, ContentUnit, Measure } from './tokens';

export interface Compared {
  one: NameReading;
  other: NameReading;
}

/**
 * `measured`: numbers with units differ, or a number without a unit is not in the other name. `said`, which is less
 * certain: only one of the names states a strength, or no number has a unit.
 */
type StrengthDifference = 'measured' | 'said';

/**
 * Reads two names, and uses each to resolve ambiguities of the other: whether "20 Tabletten" is a count, and "2 g" a
 * pack.
 * @param isByUnit it is sold by weight or volume: contents that one name leaves out stand at the product
 */
export function readPair(one: string, other: string, isByUnit = false): Compared {
  const read = (name: string) => (isByUnit ? { ...readName(name), isByUnit } : readName(name));
  const readings = [read(one), read(other)] as const;
  const isPack = readings.some(({ forms, isCannabis }) => isByUnit || isCannabis || isSpread([...forms.keys()]));
  const [first, second] = [packsSettled(readings[0], isPack), packsSettled(readings[1], isPack)];
  return { one: countsSettled(first, second), other: countsSettled(second, first) };
}

/** Whether the substance, the additional substances or the salt differ. */
export function substancesDiffer({ one, other }: Compared): boolean {
  if (one.substances.size === 0 || other.substances.size === 0) return namesDiffer(one, other);
  if (!isSameComposition(one, other) && !isSameComposition(other, one)) return true;
  return one.salts.size > 0 && other.salts.size > 0 && !sharesAny(one.salts, other.salts);
}

/** @see StrengthDifference */
export function strengthDifference({ one, other }: Compared): StrengthDifference | null {
  if (!saysSame(one.potencies, other.potencies)) return 'said';
  if (one.isCannabis || other.isCannabis || one.isByUnit) {
    const [contents, others] = [contentsOf(one), contentsOf(other)];
    if (contents.length > 0 && others.length > 0) return contentsDiffer(contents, others) ? 'measured' : null;
    // "Gelato 33" and "Gelato 41" are two cultivars.
    if (one.isByUnit) return one.bare.length * other.bare.length > 0 && isBareDifferent(one, other) ? 'said' : null;
  }
  if (one.amounts.length > 0 && other.amounts.length > 0) {
    return amountsDiffer(one.amounts, other.amounts) ? 'measured' : null;
  }
  if (one.amounts.length === 0 && other.amounts.length === 0) return isBareDifferent(one, other) ? 'said' : null;
  const [measured, bare] = one.amounts.length > 0 ? [one, other] : [other, one];
  if (bare.bare.length === 0) return 'said';
  return isNoneOf(bare.bare, measured) ? 'measured' : null;
}

/**
 * Whether the dosage forms, or the parts of the body they are for, differ. A form that one name leaves out is no
 * difference.
 */
export function dosageFormsDiffer({ one, other }: Compared): boolean {
  const [forms, others] = [[...one.forms.keys()], [...other.forms.keys()]];
  if (formsDiffer(forms, others)) return true;
  if (one.routes.size > 0 && other.routes.size > 0) return !sharesAny(one.routes, other.routes);
  if (one.routes.size === 0 && other.routes.size === 0) return false;
  return forms.length > 0 && others.length > 0 && !isOfAnyRoute(forms);
}

/**
 * Whether the releases differ. A release that only one of the names states is a difference too, unless it is implied
 * for the other.
 */
export function releasesDiffer({ one, other }: Compared): boolean {
  return !saysSame(releasesOf(one), releasesOf(other));
}

/** What a name says, or else what goes without saying. */
export function releasesOf({ releases, understood }: NameReading): Said {
  return releases.size > 0 ? releases : understood;
}

/** What the first says and the second does not. */
export function onlyIn<Meaning extends string>(said: Said<Meaning>, other: Said<Meaning>): Said<Meaning> {
  return new Map([...said].filter(([meaning]) => !other.has(meaning)));
}

export function saysSame(one: Said, other: Said): boolean {
  return one.size === other.size && !onlyIn(one, other).size;
}

function sharesAny(one: Said, other: Said): boolean {
  return onlyIn(one, other).size < one.size;
}

/** Whether the substances of `one` are those of `other`. "comp" after one substance stands for any further ones. */
function isSameComposition(one: NameReading, other: NameReading): boolean {
  if (onlyIn(one.substances, other.substances).size > 0) return false;
  const [isCombined, isOtherCombined] = [isCombination(one), isCombination(other)];
  return isCombined === isOtherCombined && (one.substances.size === other.substances.size || one.combined.size > 0);
}

function isCombination({ substances, combined }: NameReading): boolean {
  return substances.size > 1 || combined.size > 0;
}

/**
 * Compares two names of which one contains no known substance. They are the same if they share a word and at most one
 * of them has more words, such as an unknown manufacturer.
 */
function namesDiffer(one: NameReading, other: NameReading): boolean {
  const [more, otherMore] = [onlyIn(one.names, other.names), onlyIn(other.names, one.names)];
  if (more.size === one.names.size || one.combined.size > 0 !== other.combined.size > 0) return true;
  return more.size + one.substances.size > 0 && otherMore.size + other.substances.size > 0;
}

function amountsDiffer(one: readonly Amount[], other: readonly Amount[]): boolean {
  const [a, b] = [byMeasure(one), byMeasure(other)];
  const common = [...a.keys()].filter((measure) => b.has(measure));
  return common.length === 0 || common.some((measure) => !isSameStrength(a.get(measure), b.get(measure)));
}

function byMeasure(amounts: readonly Amount[]): Map<Measure, number[]> {
  const values = new Map<Measure, number[]>();
  for (const { measure, value } of amounts) values.set(measure, [...(values.get(measure) ?? []), value]);
  return values;
}

/** The same values in any order, or one that is the sum of the others: 1000 mg are 875 mg and 125 mg. */
function isSameStrength(one: readonly number[] = [], other: readonly number[] = []): boolean {
  if (one.length === 1 && other.length > 1) return one[0] === sumOf(other) || isSameSet(one, other);
  if (other.length === 1 && one.length > 1) return other[0] === sumOf(one) || isSameSet(one, other);
  return isSameSet(one, other);
}

function isSameSet(one: readonly number[], other: readonly number[]): boolean {
  return one.every((value) => other.includes(value)) && other.every((value) => one.includes(value));
}

function sumOf(values: readonly number[]): number {
  return Number(values.reduce((sum, value) => sum + value, 0).toPrecision(6));
}

/** THC and CBD of cannabis in per cent: "22/1", "THC 22 % CBD 1 %". One number of what is sold by weight may name it: "Gelato 33". */
function contentsOf({ amounts, bare, isByUnit }: NameReading): number[] {
  const contents = amounts.filter(({ measure }) => measure === 'thc' || measure === 'cbd' || measure === 'mg/ml');
  if (contents.length > 0) return contents.map(({ written }) => written);
  return (isByUnit ? bare.find(({ values }) => values.length > 1) : bare[0])?.values ?? [];
}

function contentsDiffer([thc, cbd]: readonly number[], [otherThc, otherCbd]: readonly number[]): boolean {
  return thc !== otherThc || (cbd !== undefined && otherCbd !== undefined && cbd !== otherCbd);
}

/**
 * Whether the first number without a unit that only this name has ("Ibuprofen 400") is neither a strength of the other name
 * (600 mg) nor the sum of its strengths.
 */
function isNoneOf(bare: readonly Bare[], { amounts, bare: otherBare }: NameReading): boolean {
  const values = otherBare.flatMap((each) => each.values);
  const first = bare.find((each) => !each.values.every((value) => values.includes(value))) ?? bare[0];
  const strengths = amounts.flatMap(({ value, written }) => [value, written]);
  const isStrength = first?.values.every((value) => strengths.includes(value));
  const isSum = first?.values.length === 1 && first.values[0] === sumOf(amounts.map(({ written }) => written));
  return !isStrength && !isSum;
}

/** For two names without units: whether each has a number that the other does not have, or only one has any. */
function isBareDifferent(one: NameReading, other: NameReading): boolean {
  const [values, others] = [one, other].map(({ bare }) => bare.flatMap((each) => each.values)) as [number[], number[]];
  if (values.length === 0 && others.length === 0) return !saysSame(one.grades, other.grades);
  if (values.length === 0 || others.length === 0) return true;
  return values.some((value) => !others.includes(value)) && others.some((value) => !values.includes(value));
}

/** A weight that may be either is the pack of cannabis and of forms spread on the skin, else the strength. */
function packsSettled(reading: NameReading, isPack: boolean): NameReading {
  if (!reading.isMaybePack) return reading;
  if (isPack) return { ...reading, amounts: reading.amounts.filter(({ measure }) => measure !== 'mg') };
  return { ...reading, packs: reading.packs.filter(({ unit, size }) => unit !== 'g' || size >= PACK_GRAMS_MIN) };
}

/**
 * Resolves numbers that are counts, because neither name has a strength or because they equal the other name's pack
 * size.
 */
function countsSettled(reading: NameReading, other: NameReading): NameReading {
  const hasStrength = other.amounts.length > 0 || other.bare.some(({ isMaybeCount }) => !isMaybeCount);
  if (reading.amounts.length > 0 || hasStrength) return reading;
  const isCount = ({ values, isMaybeCount }: Bare) =>
    isMaybeCount || other.packs.some(({ count, size, unit }) => unit === 'piece' && count * size === values[0]);
  const counts = reading.bare.filter(isCount);
  const packs = counts.map(({ values, count, start, end }) => ({
    count,
    size: values.at(-1) ?? 1,
    unit: 'piece' as const,
    start,
    end,
  }));
  return { ...reading, bare: reading.bare.filter((each) => !isCount(each)), packs: [...reading.packs, ...packs] };
}

/** A quantity of the product with a name. */
export interface Portion {
  name: NameReading;
  quantity: number;
  /** What one contains, if that is known otherwise; null: what the name says. */
  content: Content | null;
}

/** `unknown`: one of the two says no amount, or says it in other units. */
type Totals = { are: 'unknown' } | { are: 'equal' } | { are: 'different'; asked: Content; supplied: Content };

const UNITS: readonly ContentUnit[] = ['piece', 'ml', 'g', 'dose'];
/** Removes floating-point noise: 10 x 0,4 ml are 4 ml. */
const DIGITS = 6;

/** Compares total amounts in each unit that both portions have. */
export function compareTotals(asked: Portion, supplied: Portion): Totals {
  return compared(totalsOf(asked), totalsOf(supplied));
}

/** By unit; a name may say several ("20 St (2 x 10 St)"). */
function totalsOf({ name, quantity, content }: Portion): Map<ContentUnit, number[]> {
  if (content) return new Map([[content.unit, [rounded(content.size * quantity)]]]);
  const times = name.packs.reduce(
    (product, { count, unit }) => (unit === 'pack' ? product * count : product),
    quantity,
  );
  const pieces = name.packs.find(({ unit }) => unit === 'piece');
  const totals = new Map<ContentUnit, number[]>();
  for (const { count, size, unit } of name.packs) {
    if (unit === 'pack') continue;
    // "10 Beutel, 5 g" are 50 g, as "10 x 5 g" are.
    const each = unit === 'piece' || count > 1 || !pieces ? 1 : pieces.count * pieces.size;
    totals.set(unit, [...(totals.get(unit) ?? []), rounded(times * count * size * each)]);
  }
  // "50 ml, 1 St" is a bottle: two of them are 100 ml.
  if (totals.size > 1 && pieces && pieces.count * pieces.size === 1) totals.delete('piece');
  return totals;
}

function compared(asked: ReadonlyMap<ContentUnit, number[]>, supplied: ReadonlyMap<ContentUnit, number[]>): Totals {
  let are: 'unknown' | 'equal' = 'unknown';
  for (const unit of UNITS) {
    const [sizes, others] = [asked.get(unit), supplied.get(unit)];
    if (!sizes?.length || !others?.length) continue;
    if (!sizes.some((size) => others.includes(size))) {
      const [size, other] = [sizes[0] ?? 0, others[0] ?? 0];
      return { are: 'different', asked: { size, unit }, supplied: { size: other, unit } };
    }
    are = 'equal';
  }
  return { are };
}

function rounded(size: number): number {
  return Number(size.toPrecision(DIGITS));
}
