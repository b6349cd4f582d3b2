import {
  carriedOver,
  countOf,
  isLeaving,
  isOnWay,
  type Packable,
  packedOf,
  withoutAllPacks,
  withoutSerials,
} from './rules';
import type { LineBatch, OrderLine, OrderStatus, PackedLine } from './tables';

/**
 * Returns a batch in the form in which batches are compared: ASCII letters in upper case, no spaces. The migrations use
 * the same form.
 */
export function foldBatch(batch: string): string {
  return Array.from(batch, (char) => (char >= 'a' && char <= 'z' ? char.toUpperCase() : char))
    .filter((char) => char !== ' ')
    .join('');
}

/** Adds a quantity of one batch to the line at the index `place`. Returns all lines. */
export function withBatch(items: readonly OrderLine[], place: number, added: LineBatch): OrderLine[] {
  return withBatchesOf(items, place, (batches) => {
    const same = batches.find(({ batch, left }) => !left && foldBatch(batch) === foldBatch(added.batch));
    if (!same) return [...batches, added];
    return batches.map((each) => (each === same ? { ...same, quantity: same.quantity + added.quantity } : each));
  });
}

/** Removes the batches that have not left yet from the line at the index `place`. Returns all lines. */
export function withoutBatches(items: readonly OrderLine[], place: number): OrderLine[] {
  return withBatchesOf(items, place, (batches) => batches.filter(({ left }) => left));
}

/**
 * Applies `change` to the batches of the line at the index `place`, or of every line if `place` is undefined. Returns
 * all lines.
 */
export function withBatchesOf(
  items: readonly OrderLine[],
  place: number | undefined,
  change: (batches: readonly LineBatch[]) => readonly LineBatch[],
): OrderLine[] {
  return items.map(({ batches: before, ...item }, index) => {
    const batches = place === undefined || place === index ? change(before ?? []) : (before ?? []);
    return batches.length > 0 ? { ...item, batches } : item;
  });
}

/** Returns the new lines of an order, each with the batches of the earlier line that has the same product. */
export function withBatchesBefore(before: readonly OrderLine[], items: readonly OrderLine[]): OrderLine[] {
  const kept = carriedOver(before, items, (place) => before[place]?.batches ?? []);
  return items.map((_, place) => withBatchesOf(items, place, () => kept[place] ?? [])[place] as OrderLine);
}

/** Returns the quantity of a line that is packed and whose batch is not known. */
export function unknownBatchOf(order: Packable, place: number): number {
  const known = order.items[place]?.batches?.filter(({ left }) => !left) ?? [];
  return countOf(packedOf(order, place)) - known.reduce((sum, { quantity }) => sum + quantity, 0);
}

/**
 * Returns an order's packing and lines as a step changes them. A member that does not change is missing. If the order
 * leaves, its batches are marked as left, and the hashes of serials are removed. If the order goes back to packing, its
 * ticked packs and their batches are removed. A weighed amount stays, because its container is filled already.
 */
export function packingAfterStep(
  order: { status: OrderStatus; packing: PackedLine[] | null; items: OrderLine[] },
  to: OrderStatus,
): { packing?: PackedLine[] | null; items?: OrderLine[] } {
  if (isLeaving(to)) {
    const items = withBatchesOf(order.items, undefined, (batches) => batches.map((each) => ({ ...each, left: true })));
    const hasBatches = items.some(({ batches }) => batches !== undefined);
    return { packing: withoutSerials(order.packing), ...(hasBatches && { items }) };
  }
  if (to !== 'awaiting_packing' || !isOnWay(order.status) || order.packing === null) return {};
  const packing = withoutAllPacks(order);
  const items = order.items.map((item, place) =>
    packing?.[place]?.weighed === undefined ? (withoutBatches(order.items, place)[place] as OrderLine) : item,
  );
  return { packing, items };
}
