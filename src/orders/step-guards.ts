import { AppError, invalidInput } from '../platform/errors';
import { type Expired, isApproved, type PrescriptionRow, uncoveredBy } from '../prescriptions/service';
import { InvalidTransition, NotPacked, restOwed } from './errors';
import { progressOf, waitsForPacking } from './packed';
import { isNothingHere, owedCount, suppliedCount } from './parts';
import type { OrderPatch } from './patch';
import { allowedTransitions, handOverQuestions, isLeaving, isLocked, isOnWay, prescribedOf } from './rules';
import type { OrderRow } from './store';
import type { OrderStatus } from './tables';

/** What stands in the way of a step of an order. */

/** Asked before each such step: an upsert may have changed the lines since the one before. */
export function prescribedBefore({ status, items }: OrderRow, to: OrderStatus | null): ReadonlyMap<string, number> {
  const isHeldBack =
    to !== null && ((status === 'awaiting_prescription' && to !== 'cancelled') || isOnWay(to) || isLeaving(to));
  return isHeldBack ? prescribedOf(items) : new Map();
}

function assertCovered(prescriptions: readonly PrescriptionRow[], prescribed: ReadonlyMap<string, number>): void {
  if (uncoveredBy(prescriptions, prescribed).length === 0) return;
  if (!prescriptions.some(isApproved)) {
    throw new AppError('prescription_not_approved', 'The order needs an approved prescription first.');
  }
  const message =
    'The approved prescriptions do not cover the lines. Approve the prescription for the lines as they are.';
  throw new AppError('prescription_not_covering', message);
}

export function assertTransition(
  order: OrderRow,
  after: OrderRow,
  to: OrderStatus,
  patch: OrderPatch,
  prescriptions: readonly PrescriptionRow[],
): void {
  const allowed = allowedTransitions({ status: order.status, shippingOption: after.shippingOption });
  if (!allowed.includes(to)) {
    throw new InvalidTransition(order.status, to, allowed);
  }
  assertCovered(prescriptions, prescribedBefore(order, to));
  assertParts(order, to, patch);
  // The state after the change counts: the same change may lift the hold.
  if (isLeaving(to) && after.originalMissing) {
    const message =
      'The original of the prescription is still to come. Confirm it before the order is handed over or shipped.';
    throw new AppError('original_missing', message);
  }
  if (isLeaving(to) && after.onHold) throw onHold();
  if (to === 'cancelled' && patch.reasonCode === undefined) {
    throw invalidInput([{ pointer: '/reason_code', code: 'required', message: 'Say why the order is cancelled.' }]);
  }
}

/** An order that is supplied in parts ends once nothing is owed, and what left before comes back after that. */
function assertParts(order: OrderRow, to: OrderStatus, { isPart = false }: OrderPatch): void {
  const isOwed = owedCount(order) > 0;
  if (isLeaving(to) && isOwed !== isPart) {
    throw isPart
      ? new AppError('changed_meanwhile', 'Nothing is owed any more. Look at the order again.')
      : restOwed('A part of the order is still to come. Hand over what is there as a part, or cancel the rest.');
  }
  if ((isOnWay(to) || isLeaving(to)) && isNothingHere(order)) {
    throw restOwed('Nothing of the order is there yet. Say what has come, or cancel the rest.');
  }
  if (to === 'returned' && !isLocked(order.status) && (isOwed || suppliedCount(order) > 0)) {
    throw restOwed('A part of the order is still open. Hand it over or cancel the rest; then what left can come back.');
  }
}

/** What staff must have done and answered before a step. */
export function assertStaffMay(after: OrderRow, to: OrderStatus, patch: OrderPatch, expired: readonly Expired[]): void {
  if (isOnWay(to) && after.onHold) throw onHold();
  if (waitsForPacking(after, to)) throw new NotPacked(progressOf(after));
  const { isUnpaid, isAddressMissing, isExpired } = handOverQuestions(after, to, expired);
  if (isAddressMissing && !patch.isAddressKnown) {
    throw new AppError('address_missing', 'The order has no address to be sent to.');
  }
  if (isUnpaid && !patch.cashReceived && !patch.unpaidReason) {
    throw new AppError('payment_open', 'Nothing was paid. Say that it was, or why the goods leave without.');
  }
  if (isExpired && !patch.isExpiryAccepted) {
    throw new AppError(
      'prescription_expired',
      'A prescription is too old by now. Say that it is accepted all the same.',
    );
  }
}

function onHold(): AppError {
  return new AppError('on_hold', 'The order is on hold. Lift the hold before it is handed over or shipped.');
}
