import { inHouseLines } from './parts';
import type { OrderLine, OrderPaymentStatus, OrderStatus, PaymentAction, SupplyLine } from './tables';

/** Why a request was rejected or an order cancelled. `other` needs a note. */
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

/** Every step an order may take; published at `/order-statuses`. */
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

/** Statuses in which the order's content can no longer change; it can still be marked or archived. */
const LOCKED = new Set<OrderStatus>(['delivered', 'picked_up', 'returned', 'cancelled']);

export function isLocked(status: OrderStatus): boolean {
  return LOCKED.has(status);
}

/** Whether the lines can no longer change: they say what left the pharmacy. */
export function areLinesLocked(status: OrderStatus): boolean {
  return status === 'shipped' || isLocked(status);
}

/** Statuses in which the goods lie in the pharmacy, promised to the customer. As in the migrations. */
const IN_HOUSE = new Set<OrderStatus>([
  'awaiting_prescription',
  'awaiting_payment',
  'awaiting_packing',
  'ready_pickup',
  'ready_shipping',
]);

/** Packed and told to the customer, or sent. */
export function isOnWay(status: OrderStatus): boolean {
  return status === 'ready_pickup' || status === 'ready_shipping' || status === 'shipped';
}

/** Steps by which the goods leave the pharmacy. */
export function isLeaving(to: OrderStatus): boolean {
  return to === 'shipped' || to === 'picked_up';
}

/** What staff answer before goods leave. */
export interface HandOverQuestions {
  /** Something is to be paid (`dueCents`). */
  isUnpaid: boolean;
  /** They are sent, and nobody says where to. */
  isAddressMissing: boolean;
  /** A prescription that was valid when it was approved is too old by now. */
  isExpired: boolean;
}

interface Leaving {
  paymentStatus: OrderPaymentStatus;
  totalCents: number;
  paymentAction: PaymentAction | null;
  paymentDifferenceCents: number | null;
  addressStreet: string | null;
  addressCity: string | null;
  addressPostalCode: string | null;
}

/** What was paid too little, in cents; 0 where nothing was. */
export function underpaidOf({ paymentDifferenceCents }: Pick<Leaving, 'paymentDifferenceCents'>): number {
  return Math.max(0, paymentDifferenceCents ?? 0);
}

/** What the customer has to pay when the goods leave: all of it, or what was paid too little and is to be collected. */
export function dueCents(order: Omit<Leaving, `address${string}`>): number {
  if (order.paymentStatus !== 'paid') return order.totalCents;
  return order.paymentAction === 'collect' ? underpaidOf(order) : 0;
}

/**
 * What is open when an order leaves by this step: one function for the pages that ask and the command that wants answers.
 * @param expired its prescriptions that are too old by now
 */
export function handOverQuestions(order: Leaving, to: OrderStatus, expired: readonly unknown[]): HandOverQuestions {
  const { addressStreet, addressCity, addressPostalCode } = order;
  return {
    isUnpaid: isLeaving(to) && dueCents(order) > 0,
    isAddressMissing: to === 'shipped' && !(addressStreet && (addressCity || addressPostalCode)),
    isExpired: isLeaving(to) && expired.length > 0,
  };
}

/** The address of a page on which a parcel can be followed: without credentials, and printable ASCII alone. */
export const TRACKING_URL = /^https:\/\/[A-Za-z0-9][A-Za-z0-9.-]*(?::\d{1,5})?(?:[/?#][!-~]*)?$/;

const PICKUP = 'Abholung';

/** Without a shipping option the customer picks the order up. */
export function isPickup(shippingOption: string | null): boolean {
  return (shippingOption ?? PICKUP) === PICKUP;
}

/** The possible next steps of this order: those of the table that match its shipping option. */
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

/** In cents. */
export function totalOf(items: readonly Pick<OrderLine, 'priceCents' | 'quantity'>[]): number {
  return items.reduce((sum, { priceCents, quantity }) => sum + priceCents * quantity, 0);
}

/** How much of each product the lines need; lines of one product are added up. */
export function quantitiesOf(items: readonly Pick<OrderLine, 'p1Id' | 'quantity'>[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { p1Id, quantity } of items) {
    if (p1Id !== null) sums.set(p1Id, (sums.get(p1Id) ?? 0) + quantity);
  }
  return sums;
}

/** How much of each product the lines need that approved prescriptions must cover. */
export function prescribedOf(items: readonly OrderLine[]): Map<string, number> {
  return quantitiesOf(items.filter(({ prescriptionRequired }) => prescriptionRequired));
}

/** What an order promises of each product: all that is in the house for it. */
export function promisedOf(order: {
  status: OrderStatus;
  holdsStock: boolean;
  items: readonly Pick<OrderLine, 'p1Id' | 'quantity'>[];
  supply?: readonly SupplyLine[] | null;
}): Map<string, number> {
  return order.holdsStock && IN_HOUSE.has(order.status) ? quantitiesOf(inHouseLines(order)) : new Map();
}

/** A change of what is promised and of what is on hand of a product. */
interface StockMove {
  p1Id: string;
  committed: number;
  onHand: number;
}

/** What an order's promises become when its lines change: everything stays in the house. */
export function promiseMoves(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): StockMove[] {
  return movesOf(before, after, (p1Id) => ({
    committed: (after.get(p1Id) ?? 0) - (before.get(p1Id) ?? 0),
    onHand: 0,
  }));
}

/** The end of an order's promises. @param kept what of it stays in the house or comes back, to be promised again */
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
