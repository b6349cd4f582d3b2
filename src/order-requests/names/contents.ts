/** How much of a medicine was asked for, and how much is supplied: the packs times what is in them. */

import type { NameReading } from './read';
import type { Content, ContentUnit } from './units';

/** So many of what has the name. */
export interface Portion {
  name: NameReading;
  quantity: number;
  /** What one contains, if that is known otherwise; null: what the name says. */
  content: Content | null;
}

/** `unknown`: one of the two says no amount, or says it in other units. */
export type Totals = { are: 'unknown' } | { are: 'equal' } | { are: 'different'; asked: Content; supplied: Content };

const UNITS: readonly ContentUnit[] = ['piece', 'ml', 'g', 'dose'];
/** Removes floating-point noise: 10 x 0,4 ml are 4 ml. */
const DIGITS = 6;

/** Compares total amounts in each unit that both portions have. */
export function compareTotals(asked: Portion, supplied: Portion): Totals {
  const unit = measureOf(supplied);
  const totals = totalsOf(unit === null ? supplied : { ...supplied, content: { size: 1, unit } });
  const isOpen = totalsOf(asked).size === 0;
  if (isOpen && unit !== null) return compared(totalsOf({ ...asked, content: { size: 1, unit } }), totals);
  // Flowers are ordered in grams, unless these are as many packs.
  const isInGrams = isOpen && asked.name.isCannabis && asked.quantity !== supplied.quantity;
  return compared(totalsOf(isInGrams ? { ...asked, content: { size: 1, unit: 'g' } } : asked), totals);
}

/** What the quantity counts, if not packs: grams of flowers without a pack, and of whatever is sold in packs of 1 g or 1 ml. */
export function measureOf({ name, content }: Omit<Portion, 'quantity'>): ContentUnit | null {
  const one = totalsOf({ name, content, quantity: 1 });
  if (one.size === 0) return name.isCannabis ? 'g' : null;
  if (one.size > 1) return null;
  return (['g', 'ml'] as const).find((unit) => one.get(unit)?.includes(1)) ?? null;
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
