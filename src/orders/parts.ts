import type { OrderLine, PackedLine, SupplyLine } from './tables';

/** Supply in parts (Nachlieferung): what of an order is there, what is still to come and what has left. Knows no other rule. */

interface Supplied {
  items: readonly Pick<OrderLine, 'quantity'>[];
  supply?: readonly SupplyLine[] | null;
}

const WHOLE: SupplyLine = { owed: 0, expectedOn: null, supplied: 0, by: null, at: null };

/** How a line is supplied. */
export function supplyOf({ supply }: Pick<Supplied, 'supply'>, place: number): SupplyLine {
  return supply?.[place] ?? WHOLE;
}

/** How many packs of a line are in the house, or left with the last hand-over. */
export function inHouseOf({ items, supply }: Supplied, place: number): number {
  const { owed, supplied } = supplyOf({ supply }, place);
  return (items[place]?.quantity ?? 0) - owed - supplied;
}

/** The lines with what is in the house of each, which may be nothing. */
export function inHouseLines<Line extends Pick<OrderLine, 'quantity'>>(order: {
  items: readonly Line[];
  supply?: readonly SupplyLine[] | null;
}): Line[] {
  return order.items.map((item, place) => ({ ...item, quantity: inHouseOf(order, place) }));
}

/** How many packs an order has, also those that are to come or have left. */
export function packCount({ items }: Pick<Supplied, 'items'>): number {
  return items.reduce((sum, { quantity }) => sum + quantity, 0);
}

/** How many packs of an order are still to come. */
export function owedCount({ supply }: Pick<Supplied, 'supply'>): number {
  return supply?.reduce((sum, { owed }) => sum + owed, 0) ?? 0;
}

/** The day by which all that is owed is expected; null where nothing is. */
export function restExpectedOn({ supply }: Pick<Supplied, 'supply'>): string | null {
  return (
    supply
      ?.flatMap(({ expectedOn }) => expectedOn ?? [])
      .sort()
      .at(-1) ?? null
  );
}

/** How many packs of an order left while others were owed. */
export function suppliedCount({ supply }: Pick<Supplied, 'supply'>): number {
  return supply?.reduce((sum, { supplied }) => sum + supplied, 0) ?? 0;
}

/** Nothing of it is in the house: all is to come, or has left. */
export function isNothingHere(order: Supplied): boolean {
  return Boolean(order.supply) && order.items.every((_, place) => inHouseOf(order, place) === 0);
}

/** The lines' supply after a change of one of them. */
export function withSupply(order: Supplied, place: number, change: Partial<SupplyLine>): SupplyLine[] {
  return order.items.map((_, index) => {
    const line = supplyOf(order, index);
    const changed = index === place ? { ...line, ...change } : line;
    return changed.owed === 0 ? { ...changed, expectedOn: null } : changed;
  });
}

/** The columns of an order for its lines' supply: null for one that is supplied whole. */
export function supplyColumns(lines: readonly SupplyLine[]): {
  supply: SupplyLine[] | null;
  expectedOn: string | null;
} {
  const isInParts = lines.some(({ owed, supplied }) => owed > 0 || supplied > 0);
  const days = lines.flatMap(({ owed, expectedOn }) => (owed > 0 && expectedOn !== null ? [expectedOn] : []));
  return { supply: isInParts ? [...lines] : null, expectedOn: days.sort()[0] ?? null };
}

/**
 * The columns once everything that is in the house has left; nothing for an order that is supplied whole. Where something is still
 * to come, they say which packs have left.
 */
export function afterLeaving(order: Supplied & { packing: readonly PackedLine[] | null }) {
  if (!order.supply) return {};
  const isOwing = owedCount(order) > 0;
  return supplyColumns(
    order.items.map((_, place) => {
      const { serials: before = [], ...line } = supplyOf(order, place);
      const serials = [...before, ...(order.packing?.[place]?.serials ?? [])];
      const supplied = line.supplied + inHouseOf(order, place);
      return { ...line, supplied, ...(isOwing && serials.length > 0 && { serials }) };
    }),
  );
}

/** The columns once nothing more is to come; nothing for an order that is supplied whole. */
export function withoutOwed(order: Supplied) {
  if (!order.supply) return {};
  return supplyColumns(order.supply.map(({ serials: _, ...line }) => ({ ...line, owed: 0, expectedOn: null })));
}

/** A line and its supply as a form names it: the command is refused where either is another by now. */
export function supplyKey(
  { items, supply }: { items: readonly OrderLine[]; supply?: readonly SupplyLine[] | null },
  place: number,
): string {
  const { quantity, p1Id } = items[place] ?? { quantity: 0, p1Id: null };
  const { owed, supplied } = supplyOf({ supply }, place);
  return [place, quantity, owed, supplied, p1Id ?? ''].join(':');
}
