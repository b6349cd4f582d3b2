/** How what is supplied differs from what was asked for, line by line: what staff must acknowledge before it is approved. */

import { type Compared, readPair } from './compare';
import { compareTotals, measureOf, type Portion } from './contents';
import { type Found, type NameDifference, nameDifferences, spansOf } from './name-differences';
import { isPriceOff } from './price';
import type { Content } from './units';

/** An item as it was submitted; null where it says nothing. */
export interface AskedItem {
  name: string | null;
  quantity: number | null;
  priceCents: number | null;
}

/** A line as it will be approved. */
export interface SuppliedLine {
  /** The product's. */
  name: string;
  quantity: number;
  priceCents: number;
  /** The product's in the shop. */
  productPriceCents: number;
  prescriptionRequired: boolean;
  /** What one pack contains, if the product says it in more than its name. */
  content: Content | null;
}

export type Difference =
  | NameDifference
  /** Quantity times content. */
  | Found<'total_amount', Content>
  /** Packs; the first is null if none were asked for. */
  | Found<'quantity', number | null>
  /** Cents: the line's price, or the one that was sent for a prescription, and the product's. */
  | Found<'price' | 'sent_price', number>;

/** More packs are to be acknowledged, whoever asked for them. */
const PACKS_MAX = 5;
/** So many times the packs asked for are, and fewer, where total amounts cannot be compared. */
const PACKS_FACTOR = 2;
const NO_SPANS = { asked: [], supplied: [] };

/** In the order in which they are told: the names, the amount, the price, and what is only marked. */
export function differencesOf(asked: AskedItem, supplied: SuppliedLine): Difference[] {
  const compared = readPair(asked.name ?? '', supplied.name);
  const named = asked.name === null ? [] : nameDifferences(compared);
  return [
    ...named.filter(({ severity }) => severity === 'acknowledge'),
    ...amountDifferences(asked, supplied, compared),
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
  // With other quotes: the usual ones take six characters each in markup.
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
  if (measureOf(portion) === null && (supplied.quantity > PACKS_MAX || isOther)) {
    found.push({ code: 'quantity', severity: 'acknowledge', values: [quantity, supplied.quantity], spans: NO_SPANS });
  }
  return found;
}

/** A price sent for a prescription may be a co-payment: it is told, and only what was typed since is compared. */
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
