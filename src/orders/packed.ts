import { inHouseOf } from './parts';
import { isLeaving, isOnWay } from './rules';
import type { OrderLine, OrderStatus, PackedLine, SupplyLine } from './tables';

/** How far an order is packed: rules that pages, lists and commands share. */

interface Packable {
  items: readonly OrderLine[];
  packing: readonly PackedLine[] | null;
  supply?: readonly SupplyLine[] | null;
}

/** A line of which packs are missing. */
export interface OpenLine {
  /** Its place among the lines. */
  place: number;
  name: string;
  missing: number;
}

/** Of what is in the house for an order: what is owed or left before is no part of it. */
export interface Progress {
  packed: number;
  packs: number;
  /** How many were ticked by hand. */
  byHand: number;
  open: OpenLine[];
}

const NOTHING: PackedLine = { scanned: 0, byHand: 0, serials: [], by: null, at: null };

/** What is packed of a line. */
export function packedOf({ packing }: Pick<Packable, 'packing'>, place: number): PackedLine {
  return packing?.[place] ?? NOTHING;
}

const countOf = ({ scanned, byHand }: PackedLine) => scanned + byHand;

export function progressOf(order: Packable): Progress {
  const lines = order.items.map((item, place) => ({ item, place, line: packedOf(order, place) }));
  const sum = (of: (line: PackedLine) => number) => lines.reduce((total, { line }) => total + of(line), 0);
  return {
    packed: sum(countOf),
    packs: lines.reduce((total, { place }) => total + inHouseOf(order, place), 0),
    byHand: sum(({ byHand }) => byHand),
    open: lines.flatMap(({ item, place, line }) => {
      const missing = inHouseOf(order, place) - countOf(line);
      return missing > 0 ? [{ place, name: item.productName ?? item.name, missing }] : [];
    }),
  };
}

export function isPacked(order: Packable): boolean {
  return progressOf(order).open.length === 0;
}

/** Statuses in which staff pack: in the later two, what an order changed by the shop still lacks. */
const PACKED_IN = new Set<OrderStatus>(['awaiting_packing', 'ready_pickup', 'ready_shipping']);

/** Whether packs can be ticked now. */
export function isBeingPacked({ status, onHold }: { status: OrderStatus; onHold: boolean }): boolean {
  return PACKED_IN.has(status) && !onHold;
}

/**
 * Whether a step waits until all is packed, for staff. Fetched is also what a program made ready: it packs without telling, and
 * then nothing says that a pack is missing.
 */
export function waitsForPacking(order: Packable, to: OrderStatus): boolean {
  const isAsked = to === 'picked_up' ? order.packing !== null : isOnWay(to);
  return isAsked && !isPacked(order);
}

/** The packing after `count` packs of a line, which the line must lack. @param serial the hash of the one that was scanned */
export function withPacks(
  order: Packable,
  place: number,
  packs: { how: 'scanned' | 'byHand'; count: number; serial: string | null; by: string | null; at: number },
): PackedLine[] {
  const { how, count, serial, by, at } = packs;
  const line = packedOf(order, place);
  const serials = serial === null ? line.serials : [...line.serials, serial];
  return replaced(order, place, { ...line, [how]: line[how] + count, serials, by, at });
}

/** The packing without anything of a line. */
export function withoutPacks(order: Packable, place: number): PackedLine[] {
  return replaced(order, place, NOTHING);
}

function replaced(order: Packable, place: number, line: PackedLine): PackedLine[] {
  return order.items.map((_, index) => (index === place ? line : packedOf(order, index)));
}

/** What stays packed when the lines change: packs of the same product, as many as are still wanted. */
export function packingAfter(order: Packable, items: readonly OrderLine[]): PackedLine[] | null {
  if (order.packing === null) return null;
  const left = carriedOver(order.items, items, (place) => packedOf(order, place));
  // Fewer are wanted: nobody knows which pack is taken out again.
  return items.map(({ quantity }, place) => {
    const line = left[place];
    return line && countOf(line) <= quantity ? line : NOTHING;
  });
}

/** What stands at the places of an order's lines, at those of the lines that it has next: by product, each once. */
export function carriedOver<T>(
  before: readonly OrderLine[],
  after: readonly OrderLine[],
  at: (place: number) => T,
): (T | undefined)[] {
  const left = before.map((item, place) => ({ item, place }));
  return after.map((item) => {
    const index = left.findIndex((each) => isSameProduct(each.item, item));
    const [found] = index < 0 ? [] : left.splice(index, 1);
    return found && at(found.place);
  });
}

function isSameProduct(one: OrderLine, other: OrderLine): boolean {
  return one.p1Id === other.p1Id && (one.p1Id !== null || one.name === other.name);
}

/** Once the goods have left, no serial is needed any more. */
export function withoutSerials(packing: readonly PackedLine[] | null): PackedLine[] | null {
  return packing?.map((line) => ({ ...line, serials: [] })) ?? null;
}

/** What a step does to the packing: whoever packs anew begins anew, and serials are kept until the goods leave. */
export function packingAfterStep(
  order: { status: OrderStatus; packing: PackedLine[] | null },
  to: OrderStatus,
): { packing?: PackedLine[] | null } {
  if (isLeaving(to)) return { packing: withoutSerials(order.packing) };
  const isUnpacked = to === 'awaiting_packing' && isOnWay(order.status);
  return isUnpacked ? { packing: null } : {};
}
