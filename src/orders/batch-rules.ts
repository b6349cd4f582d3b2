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

/** As batches are compared: ASCII letters in upper case, without spaces. The same as in the migrations. */
export function foldBatch(batch: string): string {
  return Array.from(batch, (char) => (char >= 'a' && char <= 'z' ? char.toUpperCase() : char))
    .filter((char) => char !== ' ')
    .join('');
}

/** The lines with another quantity of a batch on one of them. */
export function withBatch(items: readonly OrderLine[], place: number, added: LineBatch): OrderLine[] {
  return withBatchesOf(items, place, (batches) => {
    const same = batches.find(({ batch, left }) => !left && foldBatch(batch) === foldBatch(added.batch));
    if (!same) return [...batches, added];
    return batches.map((each) => (each === same ? { ...same, quantity: same.quantity + added.quantity } : each));
  });
}

/** The lines without the batches of one of them that have not left yet. */
export function withoutBatches(items: readonly OrderLine[], place: number): OrderLine[] {
  return withBatchesOf(items, place, (batches) => batches.filter(({ left }) => left));
}

/** The lines with other batches, of one line or of all. */
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

/** New lines with the batches of those before, matched by product. */
export function withBatchesBefore(before: readonly OrderLine[], items: readonly OrderLine[]): OrderLine[] {
  const kept = carriedOver(before, items, (place) => before[place]?.batches ?? []);
  return items.map((_, place) => withBatchesOf(items, place, () => kept[place] ?? [])[place] as OrderLine);
}

/** How much of a line is packed without a known batch. */
export function unknownBatchOf(order: Packable, place: number): number {
  const known = order.items[place]?.batches?.filter(({ left }) => !left) ?? [];
  return countOf(packedOf(order, place)) - known.reduce((sum, { quantity }) => sum + quantity, 0);
}

/**
 * The packing after a step: an order that goes back to packing loses its packs and keeps what was weighed in, whose
 * container is filled. Serial hashes are removed when the goods leave.
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
