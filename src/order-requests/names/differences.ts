/**
 * How the supplied lines differ from what was asked for: what staff must acknowledge before the approval. It also says whether a
 * submitted name can be the name of the product with the submitted id: a wrong id with a right name would hand out the wrong medicine.
 */

import { PRICE_FACTOR } from '../../inventory/limits';
import {
  type Compared,
  compareTotals,
  dosageFormsDiffer,
  onlyIn,
  type Portion,
  readPair,
  releasesDiffer,
  releasesOf,
  saysSame,
  strengthDifference,
  substancesDiffer,
} from './compare';
import type { NameReading, Said } from './read';
import { type Content, type Span, spanIn } from './tokens';

/** An item as it was submitted; null where it says nothing. */
export interface AskedItem {
  name: string | null;
  quantity: number | null;
  priceCents: number | null;
  /** What the quantity may mean instead, if its price does not say it (`unitsMeant`). */
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
  /** What quantity and price are of; missing: packs. */
  unit?: 'g' | 'ml';
  unitStep?: number;
}

export type Difference =
  | NameDifference
  /** Quantity times content. */
  | Found<'total_amount', Content>
  /** Numbers of packs; the first is null if no quantity was asked for. */
  | Found<'quantity', number | null>
  /** Units: as many as the quantity says, or as many as its packs hold. */
  | Found<'unclear_unit', number>
  /** Units, and the next multiple of the product's step. */
  | Found<'unit_step', number>
  /** Cents: the line's price (or the price sent for a prescription product), and the product's price. */
  | Found<'price' | 'sent_price', number>;

/** More packs than this must be acknowledged, even if they were asked for. */
const PACKS_MAX = 5;
/** Without comparable totals, this many times the requested packs, or fewer than requested, must be acknowledged. */
const PACKS_FACTOR = 2;
const NO_SPANS = { asked: [], supplied: [] };

/** The differences, in display order: names, amount, price, then those that are only marked. */
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
 * What a form posts to acknowledge a difference. It holds the two values, so that another difference of the same line, after an
 * edit, is not acknowledged by it.
 * @param line what identifies the line within its request
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
  if (supplied.quantity > PACKS_MAX || isOther) {
    found.push({ code: 'quantity', severity: 'acknowledge', values: [quantity, supplied.quantity], spans: NO_SPANS });
  }
  return found;
}

/**
 * How many units a platform means by a quantity: units or steps (“3” tins of 5 g), by the nearer price.
 * @returns null where its price is near neither
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
  // One question: whoever says that it is so many grams has said that they are no whole tins.
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
 * A price sent for a prescription product may be a co-payment, so it is only reported. Only a price that was typed
 * since is compared.
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
  /** The two values that its sentence names: what was asked for, and what is supplied. */
  values: readonly [asked: Value, supplied: Value];
  /** Where the differing words stand in the two names, to be underlined. */
  spans: { asked: Span[]; supplied: Span[] };
}

const TO_ACKNOWLEDGE = ['substance', 'strength', 'form', 'release'] as const;
const MARKED = ['manufacturer', 'words', 'n_size'] as const;
type NameCode = (typeof TO_ACKNOWLEDGE)[number] | (typeof MARKED)[number];

/** The values are the words as they stand in the names; null where a name does not say it. */
type NameDifference = Found<NameCode, string | null>;

const IS_SAID = /[\p{L}\d]/u;

/** One of the two names, with the results of their comparison. */
interface Side {
  name: NameReading;
  against: NameReading;
  isOtherSubstance: boolean;
  isOtherStrength: boolean;
}

/** The positions of what a name says about each code, in the folded text. */
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

/** @param compared what was asked for, and the product */
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
 * The positions of parts of a folded name in the name itself, sorted. Parts with only marks between them are joined.
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

/** The words that identify the medicine: its substances, or, if none is known, the words that may be its name. */
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
 * Whether the names have different substances, or both state a strength and the strengths differ. Staff must
 * acknowledge each of these. A strength that only one name states must be acknowledged too, but is no mismatch, because
 * a platform may leave it out.
 * @param isByUnit as for `readPair`
 */
export function isNameMismatch(submitted: string, product: string, isByUnit = false): boolean {
  if (submitted === product) return false;
  const compared = readPair(submitted, product, isByUnit);
  if (compared.one.folded.text === compared.other.folded.text) return false;
  return substancesDiffer(compared) || strengthDifference(compared) === 'measured';
}

/** A price may differ by this many cents, or by this share of the product's price, without a warning. */
const PRICE_OFF_CENTS_MAX = 100;
const PRICE_OFF_PART_MAX = 0.1;

/** Whether a price differs so much from the product's that somebody has to look. */
export function isPriceOff(cents: number, productCents: number): boolean {
  const off = Math.abs(cents - productCents);
  return off > PRICE_OFF_CENTS_MAX && off > productCents * PRICE_OFF_PART_MAX;
}
