import type * as z from 'zod';
import { orderRequestsFields } from '../order-requests/fields';
import type { SubmittedRequest } from '../order-requests/intake/intake';
import type { ReservedItems } from '../order-requests/intake/reserved';
import type { Difference } from '../order-requests/names/differences';
import type { Blocker, ToldWarning } from '../order-requests/review/assessment';
import type { Decision } from '../order-requests/review/facts';
import type { ReviewedRequest } from '../order-requests/review/review-of';
import type { RuleWarning, ShippingBlocker } from '../orders/shipping';
import type { Context } from '../platform/context';
import { isApproved, isSetAside } from '../prescriptions/coverage';
import type { PrescriptionRow } from '../prescriptions/store';
import type { SignatureReportRow } from '../signatures/result';
import { responder } from './fields';
import {
  type blockerSchema,
  type decisionSchema,
  detailsFor,
  type noticeSchema,
  type orderRequestAnswerSchema,
  prescriptionDetailSchema,
  type prescriptionSchema,
  wireLine,
} from './orders';
import { wireAmount, wired, wireTime, wireTimeOrNull } from './schemas';

const respondRequest = responder(orderRequestsFields);

/**
 * Returns an order request as JSON.
 * @param ctx the caller's context. Without the scope `prescriptions.read`, details about health are left out
 */
export function wireRequest(
  ctx: Pick<Context, 'actor'>,
  { request, lines, prescriptions, warnings, blockers, reserved }: ReviewedRequest,
) {
  return respondRequest({
    ...request,
    platformDetails: detailsFor(ctx, request),
    reservedUntil: wireTimeOrNull(reserved.until),
    items: request.items.map((item, place) => ({
      name: item.name,
      quantity: item.quantity,
      price: wireAmount(item.priceCents),
      p1_id: item.p1Id,
      product_id: item.productId,
      prescription: item.prescription ?? null,
      reserved_quantity: reserved.items[place]?.reserved ?? 0,
    })),
    lines: lines.map(wireLine),
    warnings: warnings.map(wireWarning),
    blockers: blockers.map(wireBlocker),
    prescriptions: prescriptions.map(wirePrescription),
  });
}

export function wireDecision({ id, status, orderId, warnings }: Decision): z.input<typeof decisionSchema> {
  return { id, status, order_id: orderId, ...(warnings && { warnings: warnings.map(wireWarning) }) };
}

/**
 * The messages to platforms, by the status of the request. A repeated submission gets the status that the request has
 * now.
 */
const MESSAGES: Record<SubmittedRequest['status'], string> = {
  pending: 'Order request received. The pharmacy will review it.',
  approved: 'This order request was received before. The pharmacy has approved it.',
  rejected: 'This order request was received before. The pharmacy has rejected it.',
  deleted: 'This order request was received before. The pharmacy has deleted it.',
};

/** Returns the response to a submission. It is the same in the connector and the organization API. */
export function wireAcknowledgement(request: SubmittedRequest): z.input<typeof orderRequestAnswerSchema> {
  return {
    id: request.id,
    status: request.status,
    message: MESSAGES[request.status],
    external_reference: request.externalReference,
    warnings: request.warnings.map(wireWarning),
    ...(request.reserved && wireReserved(request.reserved)),
  };
}

function wireReserved({ until, items }: ReservedItems) {
  const reservedUntil = wireTimeOrNull(until);
  return {
    reserved_until: reservedUntil,
    items: items.map(({ p1Id, quantity, reserved }) => ({
      ...{ p1_id: p1Id, quantity, reserved_quantity: reserved },
      reserved_until: reserved > 0 ? reservedUntil : null,
    })),
  };
}

/** Returns a prescription as JSON. Its `status` includes what staff have decided. */
export function wirePrescription(row: PrescriptionRow): z.input<typeof prescriptionSchema> {
  return {
    id: row.id,
    status: wireStatus(row),
    origin: row.origin,
    index: row.place,
    reference: row.reference,
  };
}

export function wirePrescriptionDetail(row: PrescriptionRow): z.input<typeof prescriptionDetailSchema> {
  const { signatureProvider: provider, signedAt } = row;
  return wired(prescriptionDetailSchema, {
    ...row,
    ...wirePrescription(row),
    approvedLines: row.approvedLines?.map(({ p1Id, quantity }) => ({ p1_id: p1Id, quantity })) ?? null,
    signature:
      provider === null || signedAt === null
        ? null
        : { provider, signature_reference: row.signatureReference, signed_at: wireTime(signedAt) },
    signatureReport: row.signatureReport && wireReport(row.signatureReport),
  });
}

function wireReport({ signatures, ...report }: SignatureReportRow) {
  return {
    status: report.status,
    sub_indication: report.subIndication,
    later_changes: report.laterChanges,
    signatures: signatures.map(({ subIndication, signedAt, signedBytes, valueHash: _, ...each }) => ({
      ...each,
      sub_indication: subIndication,
      signed_at: signedAt && wireTime(Date.parse(signedAt)),
      signed_bytes: signedBytes,
    })),
    checked_at: wireTime(report.checkedAt),
  };
}

function wireStatus(row: PrescriptionRow) {
  if (isApproved(row)) return 'approved';
  return isSetAside(row) && row.status !== 'erased' ? 'set_aside' : row.status;
}

export function wireBlocker(blocker: Blocker): z.input<typeof blockerSchema> {
  const { code, message, overridable } = blocker;
  return {
    code,
    message,
    overridable,
    ...('pointer' in blocker && { pointer: blocker.pointer }),
    ...(blocker.code === 'insufficient_stock' && wireShortage(blocker)),
    ...(blocker.code === 'prescription_not_covering' && {
      p1_id: blocker.p1Id,
      product_name: blocker.productName,
      requested: blocker.needed,
      covered: blocker.covered,
    }),
    ...wireAnswerable(blocker),
  };
}

/** Returns the additional fields of those blockers and warnings that staff answer in the form. */
function wireAnswerable(about: Blocker | ToldWarning): Record<string, unknown> {
  switch (about.code) {
    case 'difference':
    case 'unclear_unit':
      return wireDifference('difference' in about ? about.difference : about);
    case 'payment_undecided':
      return { paid_amount: wireAmount(about.paidCents), total_amount: wireAmount(about.totalCents) };
    case 'fee_differs':
      return { sent_total: wireAmount(about.sentCents), computed_total: wireAmount(about.computedCents) };
    case 'prescription_price':
      return { price: wireAmount(about.priceCents), product_price: wireAmount(about.productPriceCents) };
    case 'not_available':
    case 'not_available_for_pickup':
    case 'not_available_for_shipping':
    case 'rule_blocks':
    case 'rule_warns':
      return wireShippingNotice(about);
    case 'signature_failed':
    case 'signature_unconfirmed':
      return { prescription_id: about.prescriptionId, sub_indication: about.subIndication };
    case 'question_open':
      return { question_id: about.questionId };
    case 'prescription_redeemed':
      return {
        others: about.others.map(({ id, status, createdAt, orderId, orderNumber }) => {
          const order = { order_id: orderId, order_number: orderNumber };
          return { order_request_id: id, status, created_at: wireTime(createdAt), ...order };
        }),
      };
    case 'prescription_expired':
      return { prescription_id: about.prescriptionId, issued_on: about.issuedOn };
    default:
      return {};
  }
}

/** Returns the fields of a notice about shipping: the product, and the rule if a rule is the reason. */
export function wireShippingNotice({ p1Id, productName, rule }: ShippingBlocker | RuleWarning) {
  return { p1_id: p1Id, product_name: productName, ...(rule && { rule: { ...rule } }) };
}

/**
 * A difference between what was requested and what is supplied. Its values are texts, numbers of packs, EUR, or amounts
 * with their unit.
 */
type DifferenceSaid = Difference | { code: 'unclear_unit'; values: number[] };

function wireDifference(difference: DifferenceSaid): Record<string, unknown> {
  const { code, values } = difference;
  const [asked, supplied] = code === 'price' || code === 'sent_price' ? values.map(wireAmount) : values;
  return { difference: code, asked, supplied };
}

function wireWarning(warning: ToldWarning): z.input<typeof noticeSchema> {
  const { code, message } = warning;
  return { code, ...('pointer' in warning && { pointer: warning.pointer }), message, ...wireDetails(warning) };
}

/** Returns the additional fields that some warnings have. */
function wireDetails(warning: ToldWarning): Record<string, unknown> {
  switch (warning.code) {
    case 'name_mismatch':
      return { p1_id: warning.p1Id };
    case 'price_mismatch':
      return {
        p1_id: warning.p1Id,
        price: wireAmount(warning.priceCents),
        product_price: wireAmount(warning.productPriceCents),
      };
    case 'insufficient_stock':
      return wireShortage(warning);
    default:
      return wireAnswerable(warning);
  }
}

function wireShortage(short: Extract<ToldWarning, { code: 'insufficient_stock' }>) {
  return {
    p1_id: short.p1Id,
    product_name: short.productName,
    requested: short.requested,
    ...('reservedQuantity' in short
      ? { reserved_quantity: short.reservedQuantity }
      : { stock_quantity: short.stockQuantity }),
  };
}
