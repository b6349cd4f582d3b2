import { AppError } from '../platform/errors/errors';
import { isPickup } from '../tenants/rules';
import type { OrderLine, OrderPaymentStatus, OrderStatus, orders, PackedLine, SupplyLine } from './tables';

/** Why a request was rejected or an order was cancelled. `other` needs a note. */
export const REASON_CODES = [
  'prescription_missing',
  'prescription_unreadable',
  'prescription_expired',
  'prescription_signature_invalid',
  'prescription_incomplete',
  'prescription_already_used',
  'patient_mismatch',
  'item_mismatch',
  'quantity_exceeds_prescription',
  'clinical_concern',
  'out_of_stock',
  'not_available',
  'address_invalid',
  'outside_delivery_area',
  'shipping_not_allowed',
  'underage',
  'duplicate_order',
  'payment_problem',
  'suspected_fraud',
  'customer_withdrew',
  'expired',
  'test',
  'other',
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

/** The statuses that may follow each status. The reference lists them (scripts/reference/guides/values.md). */
export const TRANSITIONS: Record<OrderStatus, readonly OrderStatus[]> = {
  awaiting_prescription: ['awaiting_payment', 'awaiting_packing', 'cancelled'],
  awaiting_payment: ['awaiting_packing', 'awaiting_prescription', 'cancelled'],
  awaiting_packing: ['ready_pickup', 'ready_shipping', 'awaiting_payment', 'awaiting_prescription', 'cancelled'],
  ready_pickup: ['picked_up', 'awaiting_packing', 'returned', 'cancelled'],
  ready_shipping: ['shipped', 'awaiting_packing', 'cancelled'],
  shipped: ['delivered', 'returned'],
  delivered: ['returned'],
  picked_up: ['returned'],
  returned: [],
  cancelled: [],
};

/** Statuses in which the content of an order can no longer change. The order can still be marked or archived. */
const LOCKED = new Set<OrderStatus>(['delivered', 'picked_up', 'returned', 'cancelled']);

export function isLocked(status: OrderStatus): boolean {
  return LOCKED.has(status);
}

/** Whether the lines of an order can no longer change, because they record what left the pharmacy. */
export function areLinesLocked(status: OrderStatus): boolean {
  return status === 'shipped' || isLocked(status);
}

/** Statuses in which the goods are in the pharmacy and promised to the customer. The migrations have the same list. */
const IN_HOUSE = new Set<OrderStatus>([
  'awaiting_prescription',
  'awaiting_payment',
  'awaiting_packing',
  'ready_pickup',
  'ready_shipping',
]);

/** Whether the order is ready or shipped. */
export function isOnWay(status: OrderStatus): boolean {
  return status === 'ready_pickup' || status === 'ready_shipping' || status === 'shipped';
}

/** Whether the goods leave the pharmacy by the step to this status. */
export function isLeaving(to: OrderStatus): boolean {
  return to === 'shipped' || to === 'picked_up';
}

/** The questions that staff must answer before goods leave. A member is true if its question is open. */
interface HandOverQuestions {
  /** Something is still to be paid (`dueCents`). */
  isUnpaid: boolean;
  /** The order is to be shipped, but has no address. */
  isAddressMissing: boolean;
  /** A prescription that was valid when it was approved is too old by now. */
  isExpired: boolean;
  /** A shipping rule of the organization blocks the order. */
  isRuled: boolean;
}

type Due = Pick<
  typeof orders.$inferSelect,
  'paymentStatus' | 'totalCents' | 'paymentAction' | 'paymentDifferenceCents'
>;
type Leaving = Due & Pick<typeof orders.$inferSelect, 'addressStreet' | 'addressCity' | 'addressPostalCode'>;

/** The underpaid amount in cents; 0 if none. */
export function underpaidOf({ paymentDifferenceCents }: Pick<Due, 'paymentDifferenceCents'>): number {
  return Math.max(0, paymentDifferenceCents ?? 0);
}

/** Returns the cents due when the goods leave: the total if unpaid, or the underpaid amount to collect if paid. */
export function dueCents(order: Due): number {
  if (order.paymentStatus !== 'paid') return order.totalCents;
  return order.paymentAction === 'collect' ? underpaidOf(order) : 0;
}

/**
 * Returns the questions that are open when an order takes this step. Both the pages that ask the questions and the
 * command that requires the answers call it.
 * @param expired the order's prescriptions that are too old
 * @param ruled the rules that block the order
 */
export function handOverQuestions(
  order: Leaving,
  to: OrderStatus,
  expired: readonly unknown[],
  ruled: readonly unknown[] = [],
): HandOverQuestions {
  const { addressStreet, addressCity, addressPostalCode } = order;
  return {
    isUnpaid: isLeaving(to) && dueCents(order) > 0,
    isAddressMissing: to === 'shipped' && !(addressStreet && (addressCity || addressPostalCode)),
    isExpired: isLeaving(to) && expired.length > 0,
    isRuled: isLeaving(to) && ruled.length > 0,
  };
}

/** Matches a tracking URL: https, without credentials, with printable ASCII only. */
export const TRACKING_URL = /^https:\/\/[A-Za-z0-9][A-Za-z0-9.-]*(?::\d{1,5})?(?:[/?#][!-~]*)?$/;

/** Whether the order goes by parcel. Otherwise the customer collects it, or the pharmacy's courier brings it. */
export function isParcel(shippingOption: string | null): boolean {
  return shippingOption === 'Versand' || shippingOption === 'Express';
}

/** Returns the possible next statuses of an order: those of `TRANSITIONS` that fit its shipping option. */
export function allowedTransitions(order: { status: OrderStatus; shippingOption: string | null }): OrderStatus[] {
  const wrongWay: OrderStatus = isPickup(order.shippingOption) ? 'ready_shipping' : 'ready_pickup';
  return TRANSITIONS[order.status].filter((status) => status !== wrongWay);
}

export function initialStatus(order: {
  items: readonly OrderLine[];
  paymentStatus: OrderPaymentStatus;
  hasApprovedPrescription: boolean;
}): OrderStatus {
  if (order.items.some(({ prescriptionRequired }) => prescriptionRequired) && !order.hasApprovedPrescription) {
    return 'awaiting_prescription';
  }
  return order.paymentStatus === 'pending' ? 'awaiting_payment' : 'awaiting_packing';
}

/** Returns the sum of the prices of all lines, in cents. */
export function totalOf(items: readonly Pick<OrderLine, 'priceCents' | 'quantity'>[]): number {
  return items.reduce((sum, { priceCents, quantity }) => sum + priceCents * quantity, 0);
}

/** Returns the sums of an order in cents. A discount above items and fee is lowered: the total is never negative. */
export function totalsWith(
  items: readonly Pick<OrderLine, 'priceCents' | 'quantity'>[],
  { feeCents, discountCents }: { feeCents: number; discountCents: number },
) {
  const due = totalOf(items) + feeCents;
  const discount = Math.min(discountCents, due);
  return { feeCents, discountCents: discount, totalCents: due - discount };
}

/** Returns how much of each product the lines need. The quantities of lines with the same product are added up. */
export function quantitiesOf(items: readonly Pick<OrderLine, 'p1Id' | 'quantity'>[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { p1Id, quantity } of items) {
    if (p1Id !== null) sums.set(p1Id, (sums.get(p1Id) ?? 0) + quantity);
  }
  return sums;
}

/** Returns the quantity of each prescription product in the lines, which approved prescriptions must cover. */
export function prescribedOf(items: readonly OrderLine[]): Map<string, number> {
  return quantitiesOf(items.filter(({ prescriptionRequired }) => prescriptionRequired));
}

/** Returns the quantity of each product that is promised to an order. Only packs in the pharmacy are promised. */
export function promisedOf(order: {
  status: OrderStatus;
  holdsStock: boolean;
  items: readonly Pick<OrderLine, 'p1Id' | 'quantity'>[];
  supply?: readonly SupplyLine[] | null;
}): Map<string, number> {
  return order.holdsStock && IN_HOUSE.has(order.status) ? quantitiesOf(inHouseLines(order)) : new Map();
}

/** A change of one product's stock: of the promised quantity (`committed`) and of the quantity on hand. */
interface StockMove {
  p1Id: string;
  committed: number;
  onHand: number;
}

/** Returns the stock moves for a change of promises. The stock on hand does not change. */
export function promiseMoves(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): StockMove[] {
  return movesOf(before, after, (p1Id) => ({
    committed: (after.get(p1Id) ?? 0) - (before.get(p1Id) ?? 0),
    onHand: 0,
  }));
}

/**
 * Returns the stock moves that end all promises to an order.
 * @param kept the quantities that stay in the pharmacy or come back, and can be promised again
 */
export function endMoves(promised: ReadonlyMap<string, number>, kept: ReadonlyMap<string, number>): StockMove[] {
  return movesOf(promised, kept, (p1Id) => {
    const ended = promised.get(p1Id) ?? 0;
    return { committed: 0 - ended, onHand: (kept.get(p1Id) ?? 0) - ended };
  });
}

function movesOf(
  some: ReadonlyMap<string, number>,
  others: ReadonlyMap<string, number>,
  move: (p1Id: string) => Omit<StockMove, 'p1Id'>,
): StockMove[] {
  return [...new Set([...some.keys(), ...others.keys()])]
    .map((p1Id) => ({ p1Id, ...move(p1Id) }))
    .filter(({ committed, onHand }) => committed !== 0 || onHand !== 0);
}

/**
 * The next rules are about supply in parts (Nachlieferung). They say which packs of an order are in the pharmacy, which
 * are still to come, and which have left. They use none of the other rules.
 */

interface Supplied {
  items: readonly Pick<OrderLine, 'quantity'>[];
  supply?: readonly SupplyLine[] | null;
}

const WHOLE: SupplyLine = { owed: 0, expectedOn: null, supplied: 0, by: null, at: null };

/** Returns how the line at the index `place` is supplied in parts. */
export function supplyOf({ supply }: Pick<Supplied, 'supply'>, place: number): SupplyLine {
  return supply?.[place] ?? WHOLE;
}

/** Returns how many packs of a line are in the pharmacy. Without supply in parts, it is always the line's quantity. */
export function inHouseOf({ items, supply }: Supplied, place: number): number {
  const { owed, supplied } = supplyOf({ supply }, place);
  return (items[place]?.quantity ?? 0) - owed - supplied;
}

/** Returns the lines, each with its quantity that is in the pharmacy. The quantity may be 0. */
export function inHouseLines<Line extends Pick<OrderLine, 'quantity'>>(order: {
  items: readonly Line[];
  supply?: readonly SupplyLine[] | null;
}): Line[] {
  return order.items.map((item, place) => ({ ...item, quantity: inHouseOf(order, place) }));
}

/** Converts an amount of a line to packs. An amount from a container (`isPoured`) counts as one pack. */
function packsOf({ unit, unitStep = 1 }: Pick<OrderLine, 'unit' | 'unitStep'>, amount: number): number {
  if (!unit) return amount;
  return isPoured({ unit, unitStep }) ? Math.min(amount, 1) : Math.ceil(amount / unitStep);
}

/** Whether a line is weighed or measured from a container. */
function isPoured({ unit, unitStep = 1 }: Pick<OrderLine, 'unit' | 'unitStep'>): boolean {
  return unit !== undefined && unitStep === 1;
}

/** How many packs an order has, including packs that are still to come or have left. */
export function packCount({ items }: { items: readonly OrderLine[] }): number {
  return items.reduce((sum, item) => sum + packsOf(item, item.quantity), 0);
}

/** How many packs of an order are still to come. */
export function owedCount({ supply }: Pick<Supplied, 'supply'>): number {
  return supply?.reduce((sum, { owed }) => sum + owed, 0) ?? 0;
}

/** Returns the last of the days on which owed packs are expected; null if none are owed. */
export function restExpectedOn({ supply }: Pick<Supplied, 'supply'>): string | null {
  return (
    supply
      ?.flatMap(({ expectedOn }) => expectedOn ?? [])
      .sort()
      .at(-1) ?? null
  );
}

/** Returns how many packs of an order have left. It is 0 for an order that is supplied whole. */
export function suppliedCount({ supply }: Pick<Supplied, 'supply'>): number {
  return supply?.reduce((sum, { supplied }) => sum + supplied, 0) ?? 0;
}

/** Whether no pack of an order is in the pharmacy. False for an order that is supplied whole. */
export function isNothingHere(order: Supplied): boolean {
  return Boolean(order.supply) && order.items.every((_, place) => inHouseOf(order, place) === 0);
}

/** Returns the supply of all lines after a change of the line at the index `place`. */
export function withSupply(order: Supplied, place: number, change: Partial<SupplyLine>): SupplyLine[] {
  return order.items.map((_, index) => {
    const line = supplyOf(order, index);
    const changed = index === place ? { ...line, ...change } : line;
    return changed.owed === 0 ? { ...changed, expectedOn: null } : changed;
  });
}

/** Returns the columns `supply` and `expectedOn` of an order. `supply` is null if the order is supplied whole. */
export function supplyColumns(lines: readonly SupplyLine[]) {
  const isInParts = lines.some(({ owed, supplied }) => owed > 0 || supplied > 0);
  const days = lines.flatMap(({ owed, expectedOn }) => (owed > 0 && expectedOn !== null ? [expectedOn] : []));
  return { supply: isInParts ? [...lines] : null, expectedOn: days.sort()[0] ?? null };
}

/**
 * Returns the supply columns after all packs in the pharmacy have left. Returns none for an order that is supplied
 * whole. While packs are still to come, the columns keep the serial hashes of the packs that have left.
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

/** Returns the supply columns after the owed packs were cancelled. Returns none for an order that is supplied whole. */
export function withoutOwed(order: Supplied) {
  if (!order.supply) return {};
  return supplyColumns(order.supply.map(({ serials: _, ...line }) => ({ ...line, owed: 0, expectedOn: null })));
}

/** Returns a text that changes with a line and its supply. Forms post it, and a command refuses an old text. */
export function supplyKey(
  { items, supply }: { items: readonly OrderLine[]; supply?: readonly SupplyLine[] | null },
  place: number,
): string {
  const { quantity, p1Id } = items[place] ?? { quantity: 0, p1Id: null };
  const { owed, supplied } = supplyOf({ supply }, place);
  return [place, quantity, owed, supplied, p1Id ?? ''].join(':');
}

/** The next rules say how far an order is packed. Pages, lists and commands share them. */

export interface Packable {
  items: readonly OrderLine[];
  packing: readonly PackedLine[] | null;
  supply?: readonly SupplyLine[] | null;
}

/** A line with missing packs. */
export interface OpenLine extends Pick<OrderLine, 'unit'> {
  /** Index of the line. */
  place: number;
  name: string;
  missing: number;
}

/** How far the packs in the pharmacy are packed. Packs that are owed or have left do not count. */
interface Progress {
  packed: number;
  packs: number;
  /** How many packs were ticked by hand. */
  byHand: number;
  open: OpenLine[];
}

const NOTHING: PackedLine = { scanned: 0, byHand: 0, serials: [], by: null, at: null };

/** Whether a line is weighed from a container. It then has no packs to scan. */
export function isWeighed({ unit, unitStep = 1 }: Pick<OrderLine, 'unit' | 'unitStep'>): boolean {
  return unit === 'g' && unitStep === 1;
}

/** Returns the packing progress of a line. */
export function packedOf({ packing }: Pick<Packable, 'packing'>, place: number): PackedLine {
  return packing?.[place] ?? NOTHING;
}

export const countOf = ({ scanned, byHand }: PackedLine) => scanned + byHand;

export function progressOf(order: Packable): Progress {
  const lines = order.items.map((item, place) => ({ item, place, line: packedOf(order, place) }));
  const sum = (of: (line: PackedLine, place: number) => number) =>
    lines.reduce((total, { item, line, place }) => total + packsOf(item, of(line, place)), 0);
  return {
    packed: lines.reduce((total, { item, line, place }) => {
      const isWhole = countOf(line) >= inHouseOf(order, place);
      return total + (isWhole || !isPoured(item) ? packsOf(item, countOf(line)) : 0);
    }, 0),
    packs: sum((_, place) => inHouseOf(order, place)),
    byHand: sum(({ byHand }) => byHand),
    open: lines.flatMap(({ item, place, line }) => {
      const missing = inHouseOf(order, place) - countOf(line);
      return missing > 0 ? [{ place, name: item.productName ?? item.name, missing, unit: item.unit }] : [];
    }),
  };
}

export function isPacked(order: Packable): boolean {
  return progressOf(order).open.length === 0;
}

/** Statuses in which staff pack. In the last two, they pack only if packs are missing after a change of the lines. */
const PACKED_IN = new Set<OrderStatus>(['awaiting_packing', 'ready_pickup', 'ready_shipping']);

/** Whether packs can be ticked now. */
export function isBeingPacked({ status, onHold }: { status: OrderStatus; onHold: boolean }): boolean {
  return PACKED_IN.has(status) && !onHold;
}

/**
 * Whether a step of staff must wait until all packs are ticked. If a program made the order ready, it has no packing
 * data, because programs do not report their packing. Staff can hand such an order over at once.
 */
export function waitsForPacking(order: Packable, to: OrderStatus): boolean {
  const isAsked = to === 'picked_up' ? order.packing !== null : isOnWay(to);
  return isAsked && !isPacked(order);
}

/**
 * Returns the packing after `count` more packs of a line are ticked. The line must need that many more packs.
 * @param serial the hash of the scanned serial
 */
export function withPacks(
  order: Packable,
  place: number,
  packs: {
    how: 'scanned' | 'byHand';
    count: number;
    serial: string | null;
    by: string | null;
    at: number;
    /** The weighed amount, in 0.1 g. */
    weighed?: number;
    /** Who checked the weighing; missing if the person who weighed checked it. */
    checkedBy?: string;
  },
): PackedLine[] {
  const { how, count, serial, by, at, weighed, checkedBy } = packs;
  const line = packedOf(order, place);
  const serials = serial === null ? line.serials : [...line.serials, serial];
  const weighing = weighed === undefined ? {} : { weighed: (line.weighed ?? 0) + weighed, checkedBy };
  return replaced(order, place, { ...line, [how]: line[how] + count, serials, by, at, ...weighing });
}

/** Returns the packing after all ticks of one line are removed. */
export function withoutPacks(order: Packable, place: number): PackedLine[] {
  return replaced(order, place, NOTHING);
}

/** Returns the packing after all ticks are removed, except those of weighed lines. Null if no line was weighed. */
export function withoutAllPacks(order: Packable): PackedLine[] | null {
  const lines = order.items.map((_, place) => packedOf(order, place));
  if (lines.every(({ weighed }) => weighed === undefined)) return null;
  return lines.map((line) => (line.weighed === undefined ? NOTHING : line));
}

function replaced(order: Packable, place: number, line: PackedLine): PackedLine[] {
  return order.items.map((_, index) => (index === place ? line : packedOf(order, index)));
}

/**
 * Returns the packing after the lines have changed. The new line with the same product keeps the ticks of the earlier
 * line. If it needs fewer packs than are ticked, it loses all ticks.
 */
export function packingAfter(order: Packable, items: readonly OrderLine[]): PackedLine[] | null {
  if (order.packing === null) return null;
  const left = carriedOver(order.items, items, (place) => packedOf(order, place));
  // With fewer packs needed, it is unknown which pack is taken out.
  return items.map(({ quantity }, place) => {
    const line = left[place];
    return line && countOf(line) <= quantity ? line : NOTHING;
  });
}

/**
 * Returns a value for each new line, from an earlier line with the same product; undefined if there is none. Each
 * earlier line is used once.
 * @param at returns the value of the earlier line at an index
 */
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

/** Returns how much of each product was weighed for an order. */
function weighedIn(order: Packable): Map<string, number> {
  const lines = order.items.map((item, place) => ({
    p1Id: item.p1Id,
    quantity: isWeighed(item) ? countOf(packedOf(order, place)) : 0,
  }));
  return quantitiesOf(lines);
}

/**
 * Returns the stock moves of a change of an order. A weighed amount that the changed order does not need cannot be sold
 * any more: it is no longer on hand.
 * @param after the order's lines and packing after the change; null if the order is cancelled
 */
export function withoutWeighed(
  moves: readonly StockMove[],
  before: Parameters<typeof promisedOf>[0] & Packable,
  after: Packable | null,
): StockMove[] {
  const [promised, kept] = [promisedOf(before), after ? weighedIn(after) : new Map<string, number>()];
  return moves.map((move) => {
    const weighed = Math.min(weighedIn(before).get(move.p1Id) ?? 0, promised.get(move.p1Id) ?? 0);
    const lost = Math.max(0, Math.min(weighed - (kept.get(move.p1Id) ?? 0), -move.committed));
    return { ...move, onHand: move.onHand - lost };
  });
}

/** Returns the packing without the hashes of serials. They are not needed once the goods have left. */
export function withoutSerials(packing: readonly PackedLine[] | null): PackedLine[] | null {
  return packing?.map((line) => ({ ...line, serials: [] })) ?? null;
}

export class InvalidTransition extends AppError {
  constructor(
    readonly from: OrderStatus,
    to: OrderStatus,
    /** The statuses that may follow. */
    readonly allowed: readonly OrderStatus[],
  ) {
    super('invalid_transition', `An order that is ${from} cannot become ${to}.`);
  }
}

/** The error for a step of staff that is possible only after all packs are ticked. */
export class NotPacked extends AppError {
  constructor(readonly progress: Progress) {
    super('not_packed', `${progress.packed} of ${progress.packs} packs are ticked. Tick the others first.`);
  }
}

/** The error for a scanned pack that the order does not need. */
export class WrongPack extends AppError {
  constructor(
    /** The scanned product: its name if the organization has it, otherwise its number. */
    readonly scanned: string,
    /** True if all packs of this product are ticked already; false if the order has no such product. */
    readonly isTooMany: boolean,
    readonly orderNumber: number,
    readonly progress: Progress,
  ) {
    super('wrong_pack', 'The scanned pack is none that the order still lacks.');
  }
}

/** The error for a scanned pack whose last day of use has passed. */
export class PackExpired extends AppError {
  constructor(
    /** The last day of use, `yyyy-mm-dd`. */
    readonly expires: string,
  ) {
    super('pack_expired', `The last day of use of the pack was ${expires}.`);
  }
}

/** The error for a substitution if staff have not acknowledged all differences between the two products. */
export class DifferencesOpen extends AppError {
  constructor(
    /** All differences that must be acknowledged, with their keys. */
    readonly differences: readonly { key: string; code: string; values: readonly unknown[] }[],
    /** The line with the new product. */
    readonly now: OrderLine,
  ) {
    super('differences_open', 'The products differ. Acknowledge each difference.');
  }
}

/** Returns the error for a step that is not possible because packs are still to come. */
export function restOwed(why: string): AppError {
  return new AppError('rest_owed', why);
}

/** @throws AppError `rest_owed` if packs of the order are still to come, or only a part of them has left */
export function assertWholeHere(order: Pick<Supplied, 'supply'>): void {
  if (owedCount(order) === 0 && suppliedCount(order) === 0) return;
  throw restOwed('A part of the order is still open. Hand it over or cancel the rest; then what left can come back.');
}
