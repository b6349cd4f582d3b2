/**
 * Finds the differences between the supplied lines and the submitted items. Staff must acknowledge some of these
 * differences before the approval. Also says whether a submitted name can be the name of the product with the submitted
 * id. The check is needed because a wrong id with a right name would hand out the wrong medicine.
 */

import { PRICE_FACTOR } from '../../inventory/limits';
import { PACKS_FACTOR, PACKS_UNTICKED_MAX, PRICE_OFF_CENTS_MAX, PRICE_OFF_SHARE_MAX } from '../limits';
import { type NameReading, readName, type Said } from './read';
import { type Bare, formsDiffer, isOfAnyRoute, isSpread, PACK_GRAMS_MIN } from './scan';
import { type Amount, type Content, type ContentUnit, type Measure, type Span, spanIn } from './tokens';

/** An item as it was submitted. A member is null if the item does not state it. */
export interface AskedItem {
  name: string | null;
  quantity: number | null;
  priceCents: number | null;
  /**
   * Another quantity that the sender may mean. It is set only if the price does not show which of the two quantities is
   * meant (`unitsMeant`).
   */
  orQuantity?: number;
}

/** A line as it will be approved. */
export interface SuppliedLine {
  /** The product's name. */
  name: string;
  quantity: number;
  priceCents: number;
  /** The product's price in the shop. */
  productPriceCents: number;
  prescriptionRequired: boolean;
  /** The content of one pack, if the product states it outside its name. */
  content: Content | null;
  /** The unit of quantity and price. If missing, both are per pack. */
  unit?: 'g' | 'ml';
  unitStep?: number;
}

export type Difference =
  | NameDifference
  /** The total amounts: quantity times content. */
  | Found<'total_amount', Content>
  /** Two quantities, in packs or in the units of the line. The first is null if no quantity was asked for. */
  | Found<'quantity', number | null>
  /**
   * Two numbers of units that the submitted quantity may mean. The first is for a quantity in units, the second for a
   * quantity in packs.
   */
  | Found<'unclear_unit', number>
  /** The line's quantity in units, and the next multiple of the product's step. */
  | Found<'unit_step', number>
  /**
   * Two prices in cents. The first is the price of the line (`price`) or the sent price of a prescription product
   * (`sent_price`). The second is the price of the product.
   */
  | Found<'price' | 'sent_price', number>;

const NO_SPANS = { asked: [], supplied: [] };

/**
 * Returns the differences in display order: first differences of the names, the amount and the price, then differences
 * that are only marked.
 */
export function differencesOf(asked: AskedItem, supplied: SuppliedLine): Difference[] {
  const compared = readPair(asked.name ?? '', supplied.name, supplied.unit !== undefined);
  const named = asked.name === null ? [] : nameDifferences(compared);
  return [
    ...named.filter(({ severity }) => severity === 'acknowledge'),
    ...(supplied.unit ? unitDifferences(asked, supplied) : amountDifferences(asked, supplied, compared)),
    ...priceDifferences(asked, supplied),
    ...named.filter(({ severity }) => severity === 'marked'),
  ];
}

/**
 * Returns the text that a form posts to acknowledge a difference. The text contains both values of the difference. If
 * an edit changes a value, the old text therefore does not acknowledge the new difference.
 * @param line identifies the line within its request
 */
export function acknowledgementKey(line: string | number, { code, values }: Difference): string {
  // Uses backquotes, because double quotes take six characters each in markup.
  return JSON.stringify([line, code, ...values])
    .replaceAll('`', '\\u0060')
    .replaceAll('"', '`');
}

function amountDifferences({ quantity }: AskedItem, supplied: SuppliedLine, { one, other }: Compared): Difference[] {
  const portion: Portion = { name: other, quantity: supplied.quantity, content: supplied.content };
  const totals =
    quantity === null ? { are: 'unknown' as const } : compareTotals({ name: one, quantity, content: null }, portion);
  const found: Difference[] = [];
  if (totals.are === 'different') {
    const spans = { asked: spansOf(one, one.packs), supplied: spansOf(other, other.packs) };
    found.push({ code: 'total_amount', severity: 'acknowledge', values: [totals.asked, totals.supplied], spans });
  }
  const isOther =
    totals.are === 'unknown' &&
    quantity !== null &&
    (supplied.quantity < quantity || supplied.quantity >= PACKS_FACTOR * quantity);
  if (supplied.quantity > PACKS_UNTICKED_MAX || isOther) {
    found.push({ code: 'quantity', severity: 'acknowledge', values: [quantity, supplied.quantity], spans: NO_SPANS });
  }
  return found;
}

/**
 * Returns the number of units that a platform means by a quantity. The platform may count units or steps (3 tins of 5
 * g). The reading whose price is nearer to the sent price is returned.
 * @returns null if neither price is near
 */
export function unitsMeant(
  { quantity, priceCents }: { quantity: number; priceCents: number },
  product: { priceCents: number; unitStep: number },
): number | null {
  const { unitStep } = product;
  if (unitStep === 1) return quantity;
  const off = (units: number) => Math.abs(Math.log(priceCents / (product.priceCents * units)));
  if (!(Math.min(off(1), off(unitStep)) <= Math.log(PRICE_FACTOR))) return null;
  return off(1) <= off(unitStep) ? quantity : quantity * unitStep;
}

function unitDifferences({ quantity, orQuantity }: AskedItem, supplied: SuppliedLine): Difference[] {
  const found = (code: 'quantity' | 'unclear_unit' | 'unit_step', values: [number, number]): Difference => ({
    ...{ code, severity: 'acknowledge', values, spans: NO_SPANS },
  });
  const { unitStep = 1 } = supplied;
  const isOneOfBoth = supplied.quantity === quantity || supplied.quantity === orQuantity;
  // Asks only one question: staff who confirm the grams also accept that they are no whole tins.
  if (quantity !== null && orQuantity !== undefined && supplied.quantity === quantity)
    return [found('unclear_unit', [quantity, orQuantity])];
  const differences: Difference[] = [];
  if (quantity !== null && !isOneOfBoth) differences.push(found('quantity', [quantity, supplied.quantity]));
  if (supplied.quantity % unitStep !== 0) {
    const next = Math.ceil(supplied.quantity / unitStep) * unitStep;
    differences.push(found('unit_step', [supplied.quantity, next]));
  }
  return differences;
}

/**
 * Returns the differences of prices. The price that a platform sends for a prescription product may be a co-payment.
 * Staff see that price, but must acknowledge a difference only if they typed another price.
 */
function priceDifferences({ priceCents: sentCents }: AskedItem, line: SuppliedLine): Difference[] {
  const { priceCents, productPriceCents, prescriptionRequired } = line;
  const found: Difference[] = [];
  if (isPriceOff(priceCents, productPriceCents) && !(prescriptionRequired && priceCents === sentCents)) {
    found.push({ code: 'price', severity: 'acknowledge', values: [priceCents, productPriceCents], spans: NO_SPANS });
  }
  if (prescriptionRequired && sentCents !== null && sentCents !== productPriceCents) {
    found.push({ code: 'sent_price', severity: 'told', values: [sentCents, productPriceCents], spans: NO_SPANS });
  }
  return found;
}

/** `acknowledge` blocks the approval until staff tick it, `marked` is underlined, `told` is shown as a sentence. */
type Severity = 'acknowledge' | 'marked' | 'told';

interface Found<Code extends string, Value> {
  code: Code;
  severity: Severity;
  /** The two values in the sentence about the difference: that of the submitted item, and that of the supplied line. */
  values: readonly [asked: Value, supplied: Value];
  /** The positions of the differing words in the two names. These words are underlined. */
  spans: { asked: Span[]; supplied: Span[] };
}

const TO_ACKNOWLEDGE = ['substance', 'strength', 'form', 'release'] as const;
const MARKED = ['manufacturer', 'words', 'n_size'] as const;
type NameCode = (typeof TO_ACKNOWLEDGE)[number] | (typeof MARKED)[number];

/**
 * A difference between the two names. Its values are the differing words as they are written in the names; null for a
 * name that has no such words.
 */
type NameDifference = Found<NameCode, string | null>;

const IS_SAID = /[\p{L}\d]/u;

/** One of the two names (`name`), the other one (`against`), and the results of their comparison. */
interface Side {
  name: NameReading;
  against: NameReading;
  isOtherSubstance: boolean;
  isOtherStrength: boolean;
}

/**
 * For each code of a difference, a function that finds the words of a name that the code is about. It returns their
 * positions in the folded text.
 */
const SAYS: Record<NameCode, (side: Side) => Span[]> = {
  // The sentence about another substance names the strength too.
  substance: ({ name }) => [...identityOf(name), ...strengthOf(name)],
  strength: ({ name }) => strengthOf(name),
  form: ({ name }) => placesOf(name.routes, name.forms),
  release: ({ name }) => placesOf(releasesOf(name)),
  manufacturer: ({ name, against }) => placesOf(onlyIn(name.manufacturers, against.manufacturers)),
  words: furtherOf,
  n_size: ({ name }) => placesOf(name.sizes),
};

/**
 * Returns the differences between two names.
 * @param compared the name that was asked for, and the product's name
 */
function nameDifferences(compared: Compared): NameDifference[] {
  const { one, other } = compared;
  if (one.folded.text === other.folded.text) return [];
  const both = { isOtherSubstance: substancesDiffer(compared), isOtherStrength: strengthDifference(compared) !== null };
  const asked: Side = { name: one, against: other, ...both };
  const supplied: Side = { name: other, against: one, ...both };
  const differs: Record<NameCode, boolean> = {
    substance: both.isOtherSubstance,
    strength: both.isOtherStrength && !both.isOtherSubstance,
    form: dosageFormsDiffer(compared),
    // If the substances differ, implied releases alone are no difference.
    release: releasesDiffer(compared) && !(both.isOtherSubstance && one.releases.size + other.releases.size === 0),
    manufacturer: onlyIn(one.manufacturers, other.manufacturers).size > 0,
    words: furtherOf(asked).length + furtherOf(supplied).length > 0,
    n_size: one.sizes.size > 0 && other.sizes.size > 0 && !saysSame(one.sizes, other.sizes),
  };
  return [...TO_ACKNOWLEDGE, ...MARKED]
    .filter((code) => differs[code])
    .map((code) => ({
      code,
      severity: MARKED.some((marked) => marked === code) ? 'marked' : 'acknowledge',
      values: [wordsOf(asked, code), wordsOf(supplied, code)],
      spans: { asked: underlined(asked, code), supplied: underlined(supplied, code) },
    }));
}

/**
 * Converts positions in a folded name to positions in the name itself, sorted. Spans with only marks between them are
 * joined.
 */
function spansOf({ folded }: NameReading, places: readonly Span[]): Span[] {
  const spans: Span[] = [];
  for (const { start, end } of places.map((place) => spanIn(folded, place)).sort((a, b) => a.start - b.start)) {
    const last = spans.at(-1);
    if (last && !IS_SAID.test(folded.name.slice(last.end, start))) last.end = Math.max(last.end, end);
    else spans.push({ start, end });
  }
  return spans;
}

function wordsOf(side: Side, code: NameCode): string | null {
  const spans = spansOf(side.name, SAYS[code](side));
  return spans.length === 0 ? null : spans.map(({ start, end }) => side.name.folded.name.slice(start, end)).join(' ');
}

function underlined(side: Side, code: NameCode): Span[] {
  return spansOf(side.name, code === 'substance' ? differingOf(side) : SAYS[code](side));
}

/**
 * Returns the words that identify the medicine: its substances or, if no substance is known, the words that may be its
 * name. Salts, and words for a further substance, are included.
 */
function identityOf({ substances, names, combined, salts }: NameReading): Span[] {
  return placesOf(substances.size > 0 ? substances : names, combined, salts);
}

/** The words for substance and strength that the other name does not have. */
function differingOf({ name, against, isOtherStrength }: Side): Span[] {
  const identity =
    name.substances.size > 0 ? onlyIn(name.substances, against.substances) : onlyIn(name.names, against.names);
  const salts = against.salts.size > 0 ? onlyIn(name.salts, against.salts) : new Map();
  const combined = against.combined.size > 0 ? new Map() : name.combined;
  return [...placesOf(identity, salts, combined), ...(isOtherStrength ? strengthOf(name) : [])];
}

function strengthOf({ potencies, amounts, bare, grades }: NameReading): Span[] {
  if (amounts.length > 0) return [...placesOf(potencies), ...amounts];
  return potencies.size + bare.length > 0 ? [...placesOf(potencies), ...bare] : placesOf(grades);
}

function furtherOf({ name, against, isOtherSubstance, isOtherStrength }: Side): Span[] {
  const further = onlyIn(name.further, against.further);
  const names = isOtherSubstance && name.substances.size === 0 ? new Map() : onlyIn(name.names, against.names);
  return placesOf(further, names, isOtherStrength ? new Map() : onlyIn(name.grades, against.grades));
}

function placesOf(...said: Said[]): Span[] {
  return said.flatMap((each) => [...each.values()].flat());
}

/**
 * Whether the names have different substances, or their strengths differ for sure (`measured`). A strength that only
 * one name states is no mismatch, because a platform may leave it out. Staff must still acknowledge it.
 * @param isByUnit as for `readPair`
 */
export function isNameMismatch(submitted: string, product: string, isByUnit = false): boolean {
  if (submitted === product) return false;
  const compared = readPair(submitted, product, isByUnit);
  if (compared.one.folded.text === compared.other.folded.text) return false;
  return substancesDiffer(compared) || strengthDifference(compared) === 'measured';
}

/** Whether a price differs so much from the product's that somebody has to look. */
export function isPriceOff(cents: number, productCents: number): boolean {
  const off = Math.abs(cents - productCents);
  return off > PRICE_OFF_CENTS_MAX && off > productCents * PRICE_OFF_SHARE_MAX;
}

/**
 * The following functions compare the medicines that two names describe, and then the requested and supplied amounts.
 * The results do not depend on the order of the names.
 */

interface Compared {
  one: NameReading;
  other: NameReading;
}

/**
 * How certain a difference of strengths is.
 * - `measured`: numbers with units differ, or one name has a number without a unit that is no strength of the other.
 * - `said` is less certain: only one name states a strength, or numbers without a unit differ, or potencies differ.
 */
type StrengthDifference = 'measured' | 'said';

/**
 * Reads two names, and uses each name to resolve ambiguities of the other: whether "20 Tabletten" is a count, and
 * whether "2 g" is a pack.
 * @param isByUnit whether the product is sold by weight or volume. Its names are then read like names of cannabis
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
 * Whether the dosage forms differ, or the parts of the body that they are for. A form that only one name states is no
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
 * Whether the releases differ. A release that only one name states is a difference too, unless the substance of the
 * other name implies it.
 */
export function releasesDiffer({ one, other }: Compared): boolean {
  return !saysSame(releasesOf(one), releasesOf(other));
}

/** The releases that a name states; if none, those that its substances imply. */
function releasesOf({ releases, understood }: NameReading): Said {
  return releases.size > 0 ? releases : understood;
}

/** The meanings in `said` that `other` does not contain. */
function onlyIn<Meaning extends string>(said: Said<Meaning>, other: Said<Meaning>): Said<Meaning> {
  return new Map([...said].filter(([meaning]) => !other.has(meaning)));
}

function saysSame(one: Said, other: Said): boolean {
  return one.size === other.size && !onlyIn(one, other).size;
}

function sharesAny(one: Said, other: Said): boolean {
  return onlyIn(one, other).size < one.size;
}

/**
 * Whether all substances of `one` are in `other`, and both have one substance or both have several. If `one` says
 * "comp" after a substance, `other` may have further substances.
 */
function isSameComposition(one: NameReading, other: NameReading): boolean {
  if (onlyIn(one.substances, other.substances).size > 0) return false;
  const [isCombined, isOtherCombined] = [isCombination(one), isCombination(other)];
  return isCombined === isOtherCombined && (one.substances.size === other.substances.size || one.combined.size > 0);
}

function isCombination({ substances, combined }: NameReading): boolean {
  return substances.size > 1 || combined.size > 0;
}

/**
 * Whether two names mean different medicines. Compares their words, because at least one name contains no known
 * substance. The medicines are the same if the names share a word, and at most one name has further words, such as an
 * unknown manufacturer.
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

/**
 * Whether both have the same values in any order, or one has only the sum of the other's values: 1000 mg are 875 mg and
 * 125 mg.
 */
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

/**
 * THC and CBD of cannabis in percent, as in "22/1" and "THC 22 % CBD 1 %". A single number in the name of a product
 * sold by weight is ignored, because it may be part of the name: "Gelato 33".
 */
function contentsOf({ amounts, bare, isByUnit }: NameReading): number[] {
  const contents = amounts.filter(({ measure }) => measure === 'thc' || measure === 'cbd' || measure === 'mg/ml');
  if (contents.length > 0) return contents.map(({ written }) => written);
  return (isByUnit ? bare.find(({ values }) => values.length > 1) : bare[0])?.values ?? [];
}

function contentsDiffer([thc, cbd]: readonly number[], [otherThc, otherCbd]: readonly number[]): boolean {
  return thc !== otherThc || (cbd !== undefined && otherCbd !== undefined && cbd !== otherCbd);
}

/**
 * Whether a number without a unit ("Ibuprofen 400") is neither a strength of the other name (600 mg) nor the sum of its
 * strengths. Compares the first number that only this name has.
 */
function isNoneOf(bare: readonly Bare[], { amounts, bare: otherBare }: NameReading): boolean {
  const values = otherBare.flatMap((each) => each.values);
  const first = bare.find((each) => !each.values.every((value) => values.includes(value))) ?? bare[0];
  const strengths = amounts.flatMap(({ value, written }) => [value, written]);
  const isStrength = first?.values.every((value) => strengths.includes(value));
  const isSum = first?.values.length === 1 && first.values[0] === sumOf(amounts.map(({ written }) => written));
  return !isStrength && !isSum;
}

/**
 * For two names without units: whether each name has a number that the other one lacks, or only one name has numbers.
 * If neither has numbers, whether their grades differ ("forte").
 */
function isBareDifferent(one: NameReading, other: NameReading): boolean {
  const [values, others] = [one, other].map(({ bare }) => bare.flatMap((each) => each.values)) as [number[], number[]];
  if (values.length === 0 && others.length === 0) return !saysSame(one.grades, other.grades);
  if (values.length === 0 || others.length === 0) return true;
  return values.some((value) => !others.includes(value)) && others.some((value) => !values.includes(value));
}

/**
 * Returns the reading with its ambiguous weight ("2 g") decided: if `isPack`, it is the content of the pack, otherwise
 * the strength.
 */
function packsSettled(reading: NameReading, isPack: boolean): NameReading {
  if (!reading.isMaybePack) return reading;
  if (isPack) return { ...reading, amounts: reading.amounts.filter(({ measure }) => measure !== 'mg') };
  return { ...reading, packs: reading.packs.filter(({ unit, size }) => unit !== 'g' || size >= PACK_GRAMS_MIN) };
}

/**
 * Turns numbers without a unit into packs if they are counts. A number is a count if a form follows ("20 Tabletten"),
 * or if it equals the pack size in the other name. Changes nothing if this name has an amount, or if the other name has
 * a strength.
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

/** A quantity of the product that a name describes. */
interface Portion {
  name: NameReading;
  quantity: number;
  /** The content of one pack, if it is known from elsewhere; null to read it from the name. */
  content: Content | null;
}

/** The result of comparing two portions. `unknown`: one of them has no amount, or they have no unit in common. */
type Totals = { are: 'unknown' } | { are: 'equal' } | { are: 'different'; asked: Content; supplied: Content };

const UNITS: readonly ContentUnit[] = ['piece', 'ml', 'g', 'dose'];
/** Amounts are compared with this many digits, without floating-point noise: 10 x 0,4 ml are 4 ml. */
const DIGITS = 6;

/** Compares total amounts in each unit that both portions have. */
export function compareTotals(asked: Portion, supplied: Portion): Totals {
  return compared(totalsOf(asked), totalsOf(supplied));
}

/** Returns the total amounts by unit. A name may state several amounts in one unit: "20 St (2 x 10 St)". */
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
