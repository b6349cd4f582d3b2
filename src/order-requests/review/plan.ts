import type { OrderableProducts } from '../../inventory/browse';
import { isParcel, quantitiesOf } from '../../orders/rules';
import { isBlocking, type RuleWarning, shippingNotices } from '../../orders/shipping';
import type { Later } from '../../orders/supply/supply';
import type { OrderLine, PaymentAction } from '../../orders/tables';
import { holds } from '../../platform/access';
import type { Context } from '../../platform/context';
import { dayOf } from '../../platform/pharmacy-time';
import { type Check, type CheckedRow, checkedRows } from '../../prescriptions/check';
import { expiredOf, unconfirmedOf, unsoundOf } from '../../prescriptions/coverage';
import type { PrescriptionRow, PrescriptionState } from '../../prescriptions/store';
import { isPickup } from '../../tenants/rules';
import type { PrescriptionSettings } from '../../tenants/store';
import { type Charged, type Charges, chargesOf } from '../intake/charges';
import { type FeeDiffers, feeWarnings } from '../intake/warnings';
import type { Difference } from '../names/differences';
import type { RequestRow } from '../store';
import type { RemainderChoice } from '../tables';
import {
  type Blocker,
  blockersOf,
  type DifferingLine,
  type OpenQuestion,
  type PaymentDifference,
  paymentDifferenceOf,
  type Redeemed,
  type Unconfirmed,
  type Unsettled,
} from './assessment';
import { deciderOf } from './facts';
import {
  type EditedLine,
  type LineDifference,
  lineDifferences,
  type PlannedLine,
  planLines,
  toAcknowledge,
} from './lines';
import type { SharingRequest } from './store';

/** The content of an approval form, or of an API call. */
export interface ApprovalDraft {
  /** The lines as edited; if missing, the submitted ones. */
  lines?: readonly EditedLine[];
  /** The prescriptions that were checked. */
  checked?: readonly Check[];
  /** The keys of the acknowledged differences, and the ids of the acknowledged questions and signatures. */
  acknowledged?: readonly string[];
  /** How to settle a difference between the paid amount and the total. */
  payment?: PaymentAction | null;
  /** The explanation of staff for the part of the sent total that items and fee do not explain. */
  remainder?: RemainderChoice | null;
}

type AddressField = 'addressStreet' | 'addressCity' | 'addressPostalCode';

/**
 * The data that an assessment is made from.
 * @typeParam P the columns of a prescription that were read; lists read fewer columns
 */
interface Given<P> {
  request: Charged & Pick<RequestRow, 'shopId' | 'shippingOption' | AddressField>;
  products: OrderableProducts;
  prescriptions: readonly P[];
  /** The open questions. Lists leave this member out. */
  questions?: readonly { id: string }[];
  /** Other requests whose prescription has the same file or the same signature. Lists leave this member out. */
  sharing?: readonly SharingRequest[];
  settings?: PrescriptionSettings | undefined;
}

/** The assessment of an approval: the planned lines and sums, and the blockers. Prescriptions count as they are now. */
interface Assessment {
  lines: OrderLine[];
  /** All differences, acknowledged or not. */
  differences: LineDifference[];
  /** The fee and the discount of the order. */
  charges: Charges;
  paymentDifference: PaymentDifference | null;
  blockers: Blocker[];
  /**
   * Warnings that need no answer. They are about shipping and about other requests with the same prescription. For a
   * program, they also include everything that staff would have to answer.
   */
  warnings: (DifferingLine | Unsettled | Unconfirmed | OpenQuestion | Redeemed | FeeDiffers | RuleWarning)[];
}

/** A planned approval, which includes its blockers. Checked prescriptions count as approved. */
export interface ApprovalPlan extends Assessment {
  checks: CheckedRow[];
  /** For each line, how many packs come later, and when. Null for a line without such packs. */
  laters: (Later | null)[];
}

/**
 * Plans an approval and finds its blockers. Uses the lines that will be approved, not those that were submitted. Pages
 * show this plan, and the approval follows it.
 */
export function planApproval(ctx: Context, given: Given<PrescriptionRow>, draft: ApprovalDraft): ApprovalPlan {
  const { request, products, prescriptions } = given;
  const planned = planLines(request.items, draft.lines, products);
  const needed = quantitiesOf(planned.map(({ line }) => line));
  const sent = planned.map(({ line: { p1Id, quantity }, prescription: place }) => ({ p1Id, quantity, place }));
  const checks = checkedRows(ctx, prescriptions, draft.checked ?? [], needed, sent);
  const checked = prescriptions.map((row) => ({ ...row, ...checks.find(({ read }) => read === row)?.columns }));
  const assessment = assess(ctx, { ...given, prescriptions: checked }, draft, planned);
  return { ...assessment, checks, laters: planned.map(({ later }) => later) };
}

/**
 * Returns the blockers that depend on the organization's settings: one for each prescription that is too old and, if
 * signatures are enforced, one for each prescription with an invalid signature.
 */
function bySettings(
  prescriptions: readonly PrescriptionState[],
  now: number,
  { validDays, signatureCheck }: PrescriptionSettings,
): Blocker[] {
  return [...expired(prescriptions, now, validDays), ...(signatureCheck === 'enforce' ? unsound(prescriptions) : [])];
}

const NO_SETTINGS: PrescriptionSettings = { validDays: 0, signatureCheck: 'inform' };

/**
 * Returns the assessment of an approval. Unlike in `planApproval`, each prescription counts as it is now: `checked` of
 * the draft is ignored.
 */
export function assess(
  ctx: Context,
  { request, products, prescriptions, questions = [], sharing = [], settings = NO_SETTINGS }: Given<PrescriptionState>,
  draft: ApprovalDraft = {},
  planned: readonly PlannedLine[] = planLines(request.items, draft.lines, products),
): Assessment {
  const now = ctx.now();
  const lines = planned.map(({ line }) => line);
  const by = deciderOf(ctx);
  const differences = lineDifferences(planned);
  const charges = withRounding(chargesOf(request, draft.remainder), planned);
  const paymentDifference = paymentDifferenceOf(request, lines, charges);
  const unanswered = [
    ...questions.filter(({ id }) => !draft.acknowledged?.includes(id)).map(openQuestion),
    ...unconfirmedOf(prescriptions, settings.signatureCheck === 'enforce')
      .filter(({ id }) => !draft.acknowledged?.includes(id))
      .map(unconfirmed),
    ...toAcknowledge(differences)
      .filter(({ key }) => !draft.acknowledged?.includes(key))
      .map(differing),
    ...(charges.choices.some((choice) => choice === draft.remainder) ? [] : feeWarnings(request)),
    ...(paymentDifference && !draft.payment ? [unsettled(paymentDifference)] : []),
  ];
  // Packs that come later need no stock now.
  const here = planned.map(({ line, later }) => ({ ...line, quantity: line.quantity - (later?.quantity ?? 0) }));
  const { shopId, shippingOption: option } = request;
  const notices = shippingNotices(lines, products, { shopId, option, today: dayOf(now) });
  const isRedeemed = sharing.some(({ mayHaveRedeemed }) => mayHaveRedeemed === 1);
  const blockers = [
    ...blockersOf(lines, products, prescriptions, by, here),
    ...notices.filter(isBlocking).map((each) => ({ ...each, overridable: true })),
    ...(isRedeemed ? redeemed(sharing).map((each) => ({ ...each, overridable: true })) : []),
    ...bySettings(prescriptions, now, settings),
  ];
  const ruled = [...notices.filter((each) => !isBlocking(each)), ...(isRedeemed ? [] : redeemed(sharing))];
  const shared = { lines, differences, charges, paymentDifference };
  if (by === 'program') return { ...shared, blockers, warnings: [...ruled, ...unanswered] };
  const forStaff = [
    ...unshippable(request),
    ...otherPrices(planned, holds(ctx, 'prescriptions.write')),
    ...unanswered.map((each) => ({ ...each, overridable: false })),
  ];
  return { ...shared, blockers: [...blockers, ...forStaff], warnings: ruled };
}

/**
 * Returns the charges with the rounding difference that arises when packs are converted to units. The difference is
 * added to the fee or to the discount, so that the total stays the one that was sent.
 */
function withRounding(charges: Charges, planned: readonly PlannedLine[]): Charges {
  const cents = planned.reduce((sum, { roundedCents }) => sum + roundedCents, 0);
  const { feeCents, discountCents } = charges;
  return { ...charges, feeCents: feeCents + Math.max(0, cents), discountCents: discountCents + Math.max(0, -cents) };
}

/**
 * Returns the blockers of a request that is to be shipped: one if it has no address, and one if it goes by parcel
 * although the customer is to pay at the pickup. Staff can override each blocker with a reason.
 */
function unshippable(request: Given<never>['request']): Blocker[] {
  if (isPickup(request.shippingOption)) return [];
  const blockers: Blocker[] = [];
  if (request.addressStreet === null || (request.addressCity ?? request.addressPostalCode) === null) {
    const message = 'It is to be sent, but there is no address.';
    blockers.push({ code: 'address_missing', message, overridable: true });
  }
  if (request.paymentStatus === 'cash_on_pickup' && isParcel(request.shippingOption)) {
    const message = 'It is to be sent, but paid when it is collected.';
    blockers.push({ code: 'payment_missing', message, overridable: true });
  }
  return blockers;
}

const DIFFERENCE_MESSAGES: Record<Difference['code'], string> = {
  substance: 'The product has another substance than was asked for.',
  strength: 'The product has another strength than was asked for.',
  form: 'The product has another dosage form than was asked for.',
  release: 'The product releases its substance otherwise than was asked for.',
  total_amount: 'In all it is not as much as was asked for.',
  quantity: 'It is another quantity than was asked for, or unusually many packs.',
  price: 'The price is not the one of the shop.',
  sent_price: 'The price that was sent is not the one of the shop.',
  manufacturer: 'The product has another manufacturer than was asked for.',
  words: 'The names differ in words.',
  n_size: 'The pack has another N size than was asked for.',
  unclear_unit: 'The price does not say whether the quantity counts units or packs.',
  unit_step: 'The quantity is no multiple of what the product is sold in.',
};

function differing({ line, key, difference }: LineDifference): DifferingLine {
  const [asked, supplied] = difference.values;
  const message =
    difference.code === 'quantity' && asked === supplied
      ? 'So many packs are unusual. Check the quantity.'
      : DIFFERENCE_MESSAGES[difference.code];
  const code = difference.code === 'unclear_unit' ? difference.code : 'difference';
  return { code, message, pointer: `/lines/${line}`, key, difference };
}

function redeemed(others: readonly SharingRequest[]): Redeemed[] {
  const message = 'Another request has the same prescription: the same file, or the same signature.';
  return others.length === 0 ? [] : [{ code: 'prescription_redeemed', message, others }];
}

function openQuestion({ id }: { id: string }): OpenQuestion {
  return {
    code: 'question_open',
    message: 'A question is open. Wait for the answer, or accept without it.',
    questionId: id,
  };
}

function unconfirmed({ id, signatureReport }: PrescriptionState): Unconfirmed {
  const message =
    signatureReport?.status === 'passed'
      ? 'Something was added after the signature. The signed revision counts.'
      : 'It is not known yet whether the certificate of the signature was revoked.';
  const subIndication = signatureReport?.subIndication ?? null;
  return { code: 'signature_unconfirmed', message, prescriptionId: id, subIndication };
}

function unsettled(difference: PaymentDifference): Unsettled {
  const message = 'What was paid is not what the order comes to. Say in `payment` whether to collect, refund or ask.';
  return { code: 'payment_undecided', message, ...difference };
}

/**
 * Returns a blocker for each line that requires a prescription and whose price is not the product's. Only a caller who
 * may check prescriptions can override it, or mark the price as a co-payment.
 */
function otherPrices(planned: readonly PlannedLine[], mayCheck: boolean): Blocker[] {
  return planned.flatMap(({ line, product }, place): Blocker[] => {
    const { priceCents, prescriptionRequired, isCoPayment } = line;
    if (!product || !prescriptionRequired || priceCents === product.priceCents) return [];
    if (mayCheck && isCoPayment) return [];
    const message =
      'The price of this prescribed product is not the one of the shop. Mark it as a co-payment, or give a reason.';
    return [
      {
        code: 'prescription_price',
        message,
        pointer: `/lines/${place}`,
        priceCents,
        productPriceCents: product.priceCents,
        overridable: mayCheck,
      },
    ];
  });
}

function unsound(prescriptions: readonly PrescriptionState[]): Blocker[] {
  return unsoundOf(prescriptions).map(({ id, signatureReport }) => ({
    code: 'signature_failed',
    message:
      'The signature of this prescription does not hold. Set it aside and ask for another one, or give a reason.',
    prescriptionId: id,
    subIndication: signatureReport?.subIndication ?? null,
    overridable: true,
  }));
}

function expired(prescriptions: readonly PrescriptionState[], now: number, validDays: number): Blocker[] {
  const message = `This prescription was issued more than ${validDays} days ago.`;
  return expiredOf(prescriptions, now, validDays).map(({ id, issuedOn }) => {
    return { code: 'prescription_expired', message, prescriptionId: id, issuedOn, overridable: false };
  });
}
