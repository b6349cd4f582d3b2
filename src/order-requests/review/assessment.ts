import type { OrderableProduct } from '../../inventory/browse';
import { prescribedOf, quantitiesOf, totalsWith } from '../../orders/rules';
import type { RuleWarning, ShippingBlocker } from '../../orders/shipping';
import type { OrderLine } from '../../orders/tables';
import { AppError } from '../../platform/errors/errors';
import { isApproved, isReadingCopy, isSetAside, type Uncovered, uncoveredBy } from '../../prescriptions/coverage';
import type { PrescriptionState } from '../../prescriptions/store';
import type { Charged, Charges } from '../intake/charges';
import type { FeeDiffers, PriceWarning, Warning } from '../intake/warnings';
import type { Difference } from '../names/differences';
import type { SharingRequest } from './store';

/**
 * Who decides about a request: staff, or a program with an API key. A program is itself responsible for its decisions.
 */
export type DecidedBy = 'staff' | 'program';

/** Something that staff should know before they decide. */
export type StaffWarning = Warning | PriceWarning | Shortage | Said<'unknown_customer' | 'possible_duplicate'>;

/**
 * A warning of a review. A point that staff must acknowledge or decide is a blocker for them, but only a warning for a
 * program.
 */
export type ToldWarning =
  | StaffWarning
  | DifferingLine
  | Unsettled
  | Unconfirmed
  | OpenQuestion
  | Redeemed
  | RuleWarning;

/** A code, and a message for the caller. */
interface Said<Code extends string> {
  code: Code;
  message: string;
}

/** A product with less stock than the lines need. */
interface Shortage extends Said<'insufficient_stock'> {
  p1Id: string;
  productName: string | null;
  requested: number;
  stockQuantity: number;
}

/** Something that prevents the approval of a request. */
export type Blocker = (
  | Shortage
  | UnmatchedLine
  | NotCovered
  | DifferingLine
  | OtherPrice
  | Expired
  | Unsound
  | Unsettled
  | Unconfirmed
  | OpenQuestion
  | Redeemed
  | ShippingBlocker
  | FeeDiffers
  | Said<BlockerCode>
) & {
  /** Whether the request can be approved in spite of this blocker, with a reason that is recorded. */
  overridable: boolean;
};

export class NotApprovable extends AppError {
  constructor(readonly blockers: readonly Blocker[]) {
    super('not_approvable', 'This order request cannot be approved yet; `blockers` says why.');
  }
}

type BlockerCode =
  | 'no_lines'
  | 'address_missing'
  | 'payment_missing'
  | 'prescription_missing'
  | 'prescription_not_reviewed'
  | 'prescription_fetching'
  | 'prescription_fetch_failed'
  | 'erezept_token';

/** The lines need more of a prescription product than the approved prescriptions cover. */
interface NotCovered extends Uncovered, Said<'prescription_not_covering'> {
  productName: string | null;
}

/** A difference from the submitted item that staff have to acknowledge. */
export interface DifferingLine extends Said<'difference' | 'unclear_unit'> {
  pointer: string;
  /** The key that acknowledges the difference. */
  key: string;
  difference: Difference;
}

/** A line that requires a prescription, and whose price is not the product's. */
interface OtherPrice extends Said<'prescription_price'> {
  pointer: string;
  priceCents: number;
  productPriceCents: number;
}

/** A prescription that was issued too long ago. */
interface Expired extends Said<'prescription_expired'> {
  prescriptionId: string;
  issuedOn: string;
}

/** A prescription with an invalid signature. */
interface Unsound extends Said<'signature_failed'> {
  prescriptionId: string;
  subIndication: string | null;
}

/** The check of a signature left something open. Staff must acknowledge it. */
export interface Unconfirmed extends Said<'signature_unconfirmed'> {
  prescriptionId: string;
  subIndication: string | null;
}

/**
 * A question to the platform that nobody has answered yet. Staff can approve without the answer if they acknowledge the
 * question.
 */
export interface OpenQuestion extends Said<'question_open'> {
  questionId: string;
}

/**
 * Other requests have the same prescription file or the same signature. If one of these requests came earlier and may
 * have led to an order, the approval is blocked. Otherwise this is only a warning.
 */
export interface Redeemed extends Said<'prescription_redeemed'> {
  /**
   * The other requests. Those that may have redeemed the prescription are first. Both groups are sorted newest first.
   */
  others: readonly SharingRequest[];
}

/** A difference between the paid amount and the total that nobody has decided about. */
export interface Unsettled extends PaymentDifference, Said<'payment_undecided'> {}

interface UnmatchedLine extends Said<'unmatched_line'> {
  /** JSON Pointer into the lines. */
  pointer: string;
}

/**
 * Returns the blockers of these lines. Nobody can override low stock, a missing prescription, or a prescription that
 * does not cover the lines. Staff can instead change the line, mark packs as coming later, correct the stock or review
 * the prescription.
 * @param here the lines with the quantities that are supplied now, without packs that come later
 */
export function blockersOf(
  lines: readonly OrderLine[],
  products: ReadonlyMap<string, OrderableProduct>,
  prescriptions: readonly PrescriptionState[],
  by: DecidedBy,
  here = lines,
): Blocker[] {
  const blockers: Blocker[] = [];
  if (lines.length === 0) {
    blockers.push({ code: 'no_lines', message: 'Add the items of the prescription.', overridable: false });
  }
  lines.forEach((line, index) => {
    if (line.p1Id !== null) return;
    const message = 'This line matches no product of the inventory and moves no stock.';
    // A line without a name cannot become a line of an order.
    blockers.push({ code: 'unmatched_line', message, overridable: line.name !== '', pointer: `/lines/${index}` });
  });
  blockers.push(...shortages(here, products).map((short) => ({ ...short, overridable: false })));
  return [...blockers, ...prescriptionBlockers(lines, products, prescriptions, by)];
}

function notCovered(
  lines: readonly OrderLine[],
  products: ReadonlyMap<string, OrderableProduct>,
  prescriptions: readonly PrescriptionState[],
): Blocker[] {
  return uncoveredBy(prescriptions, prescribedOf(lines)).map((uncovered) => ({
    ...uncovered,
    code: 'prescription_not_covering',
    message:
      'No approved prescription covers this. Change the line, or approve the prescription for the lines as they are.',
    productName: products.get(uncovered.p1Id)?.name ?? null,
    overridable: false,
  }));
}

/** Returns the products whose stock is less than all lines together need. */
export function shortages(lines: readonly OrderLine[], products: ReadonlyMap<string, OrderableProduct>): Shortage[] {
  return [...quantitiesOf(lines)].flatMap(([p1Id, requested]) => {
    const product = products.get(p1Id);
    const stock = product?.stockQuantity ?? 0;
    if (requested <= stock) return [];
    const message = 'The lines need more than is in stock. Change the line or correct the stock.';
    const short = { p1Id, productName: product?.name ?? null, requested, stockQuantity: stock };
    return [{ code: 'insufficient_stock' as const, message, ...short }];
  });
}

/**
 * Returns the blockers of the prescriptions. Every prescription that was sent must be approved or set aside, even if no
 * line requires one. This does not apply to copies that are only for reading. If no line requires a prescription, a
 * program may override these blockers. Staff cannot override them.
 */
function prescriptionBlockers(
  lines: readonly OrderLine[],
  products: ReadonlyMap<string, OrderableProduct>,
  prescriptions: readonly PrescriptionState[],
  by: DecidedBy,
): Blocker[] {
  const isRequired = lines.some(({ prescriptionRequired }) => prescriptionRequired);
  const attached = prescriptions.filter((each) => !isSetAside(each));
  const has = (status: PrescriptionState['status']) => attached.some((each) => each.status === status);
  const overridable = by === 'program' && !isRequired;
  if (attached.some(({ fetchFailure }) => fetchFailure === 'erezept_token')) {
    const message =
      'It was the print-out of an E-Rezept, and deleted. Redeem it through the telematics infrastructure.';
    return [{ code: 'erezept_token', message, overridable }];
  }
  if (has('fetching')) {
    return [{ code: 'prescription_fetching', message: 'The prescription is still being fetched.', overridable }];
  }
  if (attached.some((each) => each.status === 'stored' && !isApproved(each) && !isReadingCopy(each, attached))) {
    const message = 'A prescription was sent that nobody has checked. Check and approve it, or set it aside.';
    return [{ code: 'prescription_not_reviewed', message, overridable }];
  }
  if (has('fetch_failed') && !has('stored')) {
    return [{ code: 'prescription_fetch_failed', message: 'The prescription could not be fetched.', overridable }];
  }
  if (isRequired && !attached.some(isApproved)) {
    const message = 'A line requires a prescription, but there is none.';
    return [{ code: 'prescription_missing', message, overridable: false }];
  }
  return notCovered(lines, products, attached);
}

/** The paid amount, and the total that the order would have now. */
export interface PaymentDifference {
  paidCents: number;
  totalCents: number;
}

/**
 * Returns the paid amount and the total of lines, fee and discount if the two differ. Null if they are equal, or if
 * nothing was paid.
 */
export function paymentDifferenceOf(
  { paymentStatus, totalCents, items, feeCents, discountCents }: Charged,
  lines: readonly OrderLine[],
  charges: Charges,
): PaymentDifference | null {
  if (paymentStatus !== 'paid') return null;
  const sent = { feeCents: feeCents ?? 0, discountCents: discountCents ?? 0 };
  const paidCents = totalCents ?? totalsWith(items, sent).totalCents;
  const total = totalsWith(lines, charges).totalCents;
  return paidCents === total ? null : { paidCents, totalCents: total };
}
