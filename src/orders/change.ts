import { recordAudit } from '../audit/record';
import { moveOrderStock } from '../inventory/ledger';
import { stockedNames } from '../inventory/store';
import { emailWish } from '../messages/sending';
import { dropEmails } from '../messages/store';
import { requireRole, requireScope } from '../platform/access';
import { type BatchEntry, commit } from '../platform/commit';
import { retryOnConflict } from '../platform/conflict';
import type { Context } from '../platform/context';
import { inList } from '../platform/data/db';
import { AppError, invalidField, invalidInput } from '../platform/errors/errors';
import { wireNames } from '../platform/fields';
import { type Day, dayOf } from '../platform/pharmacy-time';
import { issuedEntries } from '../prescriptions/check';
import { type Expired, expiredOf, isApproved, isUncovered } from '../prescriptions/coverage';
import { whileCovered } from '../prescriptions/filing';
import { uploadPrescription } from '../prescriptions/review';
import { type PrescriptionRow, selectPrescriptionsOf } from '../prescriptions/store';
import { shippableById } from '../tenants/shipping';
import { selectPrescriptionValidDays } from '../tenants/store';
import { packingAfterStep, withBatchesOf } from './batch-rules';
import { FLAG_FIELDS, type FlagField, ordersFields, PATCHED_FIELDS, type PatchedField } from './fields';
import { assertWithdrawal, orderStatusUpdated, orderUpdated, settledWithdrawal } from './news';
import { endPaymentLinks, paymentOf } from './payments/links';
import { assertDiscount, DIFFERENCE_FIELDS, differenceColumns, moneyWith } from './payments/refund';
import { loadOrder, requireOrder, requireShippingOption } from './read';
import {
  afterLeaving,
  allowedTransitions,
  assertWholeHere,
  dueCents,
  endMoves,
  handOverQuestions,
  InvalidTransition,
  isLeaving,
  isLocked,
  isNothingHere,
  isOnWay,
  NotPacked,
  owedCount,
  prescribedOf,
  progressOf,
  promisedOf,
  type ReasonCode,
  restExpectedOn,
  restOwed,
  waitsForPacking,
  withoutOwed,
  withoutWeighed,
} from './rules';
import { blockersOfStep, ShippingBlocked } from './shipping';
import * as store from './store';
import type { OrderLine, OrderStatus, UnpaidReason } from './tables';
import { noteAbout } from './timeline/notes';

/**
 * Changes an order's status, fields or flags. A change without effect writes nothing and sends no event. Otherwise two
 * systems that react to `order_status_updated` with a PATCH would trigger each other forever.
 * Staff must tick every pack and answer `handOverQuestions` first. A program with an API key need not: it is
 * responsible for its own packing.
 * @throws AppError `order_not_found`, `invalid_transition` (with `allowed`), `prescription_not_approved`,
 *   `prescription_not_covering`, `on_hold`, `original_missing`, `rest_owed`, `not_packed`, `payment_open`,
 *   `address_missing`, `prescription_expired`, `withdrawal_undecided`, `withdrawal_decided`, `changed_meanwhile` (since
 *   `seenAt`), `version_mismatch` (none of `versions`), `unknown_shipping_option`, `validation_failed` (a cancellation
 *   without a reason, cash without a hand-over), `shipping_blocked` (without `overrideReason`), `order_not_payable`
 *   (cash for an order that was refunded), `order_locked` (new fields of an erased order, another fee of a completed
 *   order), `refund_exceeds_paid`
 */
export function changeOrder(ctx: Context, orderId: string, asked: OrderPatch): Promise<store.VersionedOrder> {
  const { orgId } = requireScope(ctx, 'orders.write');
  assertMoneyAtHandOver(ctx, asked);
  const isAsked = ctx.actor.kind === 'staff';
  return retryOnConflict(ctx, async () => {
    const isShipped = asked.shippingOption !== undefined || (asked.status !== undefined && isLeaving(asked.status));
    const { rows, prescriptions, shop, settings, products } = await ctx.db.run({
      rows: store.selectOrder({ orgId, id: orderId }),
      prescriptions: selectPrescriptionsOf(orgId, { orderId, orderRequestId: store.requestIdOf(orgId, orderId) }),
      shop: store.selectShopOfOrder(orgId, orderId),
      settings: isAsked ? selectPrescriptionValidDays({ orgId }) : undefined,
      products: isShipped
        ? stockedNames(orgId, store.shopIdOf(orgId, orderId), store.productsOf(orgId, orderId))
        : undefined,
    });
    const order = requireOrder(rows[0]);
    assertAsSeen(order, asked);
    const option = asked.shippingOption;
    const isOther = typeof option === 'string' && option !== order.shippingOption;
    const patch = isOther ? { ...asked, shippingOption: requireShippingOption(option, shop[0]) } : asked;
    assertOriginal(ctx, order, patch);
    assertWithdrawal(order, patch);
    const blocked = blockersOfStep(
      { ...order, shippingOption: patch.shippingOption === undefined ? order.shippingOption : patch.shippingOption },
      { isOtherOption: isOther, status: patch.status === order.status ? undefined : patch.status },
      shippableById(products ?? []),
      dayOf(ctx.now()),
    );
    const expired = expiredOf(prescriptions, ctx.now(), settings?.[0]?.validDays ?? 0);
    const plan = planChange(order, patch, prescriptions, isAsked ? { expired } : null);
    if (blocked.length > 0 && patch.overrideReason === undefined && !patch.areRulesAccepted)
      throw new ShippingBlocked(blocked);
    const payment = patch.cashReceived && order.paymentStatus !== 'paid' ? paymentOf(ctx, order, null) : undefined;
    if (plan.names.length === 0 && !payment) return order;
    if (order.erasedAt !== null && plan.changedFields.length > 0) {
      throw new AppError('order_locked', 'The personal data of this order were erased; it accepts no new ones.');
    }
    const columns = { ...plan.columns, ...payment?.columns, updatedAt: ctx.now() };
    const issued = issuedEntries(ctx, prescriptions, patch.issued ?? new Map());
    const said = [patch.refusalReason, blocked.length > 0 ? patch.overrideReason : undefined];
    const words = said.flatMap((text) => (text === undefined ? [] : [noteAbout(ctx, order, text)]));
    await commitChange(ctx, order, { ...plan, columns }, [...issued, ...words, ...(payment?.entries ?? [])]);
    return { ...order, ...columns, version: order.version + 1 };
  });
}

/** Refuses `cashReceived` unless the same change is a hand-over: at the counter, or by the pharmacy's courier. */
function assertMoneyAtHandOver({ actor }: Context, { cashReceived, status }: OrderPatch): void {
  if (cashReceived === undefined || status === 'picked_up' || (status === 'shipped' && actor.kind === 'staff')) return;
  throw invalidField('/cash_received', 'invalid_value', 'Send it together with the status picked_up.');
}

/**
 * Refuses a change if the order is no longer the version that the caller saw. If the order changes after this check,
 * the batch is undone.
 */
function assertAsSeen({ status, updatedAt, version }: store.OrderRow, patch: OrderPatch): void {
  const { status: to, seenAt = updatedAt, versions = [version] } = patch;
  if (!versions.includes(version)) {
    throw new AppError('version_mismatch', 'The order was changed since you read it. Read it again, then decide anew.');
  }
  // If a form is sent twice, the order already has the status that the form asks for.
  if (seenAt === updatedAt || status === to) return;
  throw new AppError('changed_meanwhile', 'The order was changed elsewhere. Look at it again.');
}

/**
 * Refuses a change of `originalMissing` that is not allowed. Only an approval can set it. Only a person who may check
 * prescriptions can clear it, which confirms the original.
 */
function assertOriginal(
  ctx: Context,
  order: store.OrderRow,
  { originalMissing = order.originalMissing }: OrderPatch,
): void {
  if (originalMissing === order.originalMissing) return;
  if (!originalMissing) requireScope(ctx, 'prescriptions.write');
  else {
    const message = 'Only the approval of an order request says that the original is to follow.';
    throw invalidField('/original_missing', 'invalid_value', message);
  }
}

/**
 * Returns the columns that a patch changes, and the facts that the checks and events of the change need. Throws if the
 * patch is not allowed.
 * @param staff the facts for questions that only staff are asked; null for a program
 */
function planChange(
  order: store.OrderRow,
  patch: OrderPatch,
  prescriptions: readonly PrescriptionRow[],
  staff: { expired: readonly Expired[] } | null,
) {
  const asked = { ...settledWithdrawal(order, patch), ...withoutUndefined(patch) };
  const after: store.OrderRow = { ...order, ...asked };
  const isChanged = (key: PatchedField | FlagField) => after[key] !== order[key];
  const flags = FLAG_FIELDS.filter(isChanged);
  // The fields keep the order in which the caller names them.
  const fields = (Object.keys(asked) as PatchedField[]).filter((key) => PATCHED_FIELDS.includes(key) && isChanged(key));
  const newStatus = patch.status !== undefined && patch.status !== order.status ? patch.status : null;
  if (newStatus) assertTransition(order, after, newStatus, patch, prescriptions);
  if (newStatus && staff) assertStaffMay(after, newStatus, patch, staff.expired);
  const money = fields.some((key) => key === 'feeCents' || key === 'discountCents') ? chargedAs(order, after) : null;
  const items = patch.batches && itemsBooked(order, patch.batches);
  const isBooked = items !== undefined && JSON.stringify(items) !== JSON.stringify(order.items);
  const columns: Partial<store.OrderRow> = {
    ...Object.fromEntries([...flags, ...fields].map((key) => [key, after[key]])),
    ...money?.columns,
    ...(isBooked && { items }),
  };
  if (flags.includes('onHold') && !after.onHold) columns.holdReason = null;
  if (newStatus)
    Object.assign(columns, {
      status: newStatus,
      ...packingAfterStep(isBooked ? { ...order, items } : order, newStatus),
    });
  const isPart = newStatus !== null && isLeaving(newStatus) && owedCount(order) > 0;
  const isCollected =
    staff !== null && patch.cashReceived === true && order.paymentStatus === 'paid' && dueCents(order) > 0;
  if (isCollected) Object.assign(columns, differenceColumns(order, null));
  if (newStatus && isLeaving(newStatus)) {
    const { collectedBy = null, unpaidReason = null } = patch;
    Object.assign(columns, { collectedBy, unpaidReason, ...afterLeaving(order) });
  }
  // Packs that are still to come are packed after they arrive, and get a shelf of their own.
  if (isPart) Object.assign(columns, { status: 'awaiting_packing', packing: null, shelf: null, bags: null });
  if (newStatus === 'cancelled') {
    Object.assign(columns, { cancelReasonCode: patch.reasonCode, holdsStock: false, ...withoutOwed(order) });
  }
  const changedFlags = wireNames(ordersFields, flags);
  // If `onHold` changes too, a changed reason for the hold is not reported as a changed field.
  const ownFields = flags.includes('onHold') ? fields.filter((key) => key !== 'holdReason') : fields;
  const ofMoney = money?.changed.filter((key) => key !== 'totalCents' && !ownFields.some((own) => own === key)) ?? [];
  const changedFields = [
    ...wireNames(ordersFields, [...ownFields, ...ofMoney]),
    ...(isPart || isBooked ? ['items'] : []),
    ...(isCollected ? DIFFERENCE_FIELDS : []),
  ];
  return {
    columns,
    changedFlags,
    changedFields,
    newStatus,
    isPart,
    /** Quantities by product id that approved prescriptions must cover before the step. */
    prescribed: prescribedBefore(order, newStatus),
    /** Wire names of everything that changes; a new status as `status:<code>`. */
    names: [...(newStatus ? [`status:${columns.status}`] : []), ...changedFlags, ...changedFields],
  };
}

/**
 * Returns the columns of an order's sums after its fee or discount has changed.
 * @throws AppError `order_locked`, `refund_exceeds_paid`, `validation_failed`
 */
function chargedAs(order: store.OrderRow, after: store.OrderRow) {
  if (isLocked(order.status)) {
    throw new AppError('order_locked', `The order is ${order.status}; its sums can no longer change.`);
  }
  assertDiscount(after);
  return moneyWith(order, after);
}

type ChangePlan = ReturnType<typeof planChange>;

async function commitChange(ctx: Context, order: store.OrderRow, plan: ChangePlan, more: BatchEntry[]): Promise<void> {
  const { orgId } = order;
  const isStatusNews = plan.newStatus !== null || plan.changedFlags.length > 0;
  const status = isStatusNews
    ? orderStatusUpdated(ctx, order, { status: plan.columns.status ?? order.status, flags: plan.changedFlags })
    : undefined;
  const fields = plan.changedFields.length > 0 ? orderUpdated(ctx, order, plan.changedFields) : undefined;
  const isCancelled = plan.newStatus === 'cancelled';
  // A cancelled order has not left the pharmacy. Its packs go back into stock, except weighed amounts.
  const promised = promisedOf(order);
  const isReturned = plan.newStatus === 'returned';
  const isOtherTotal = (plan.columns.totalCents ?? order.totalCents) !== order.totalCents;
  const isEnding = isCancelled || isReturned || (plan.newStatus !== null && isLeaving(plan.newStatus));
  const stock = moveOrderStock(ctx, {
    orgId,
    orderId: order.id,
    reason: isCancelled ? 'order_cancelled' : isReturned ? 'return' : 'order_fulfilled',
    moves: isCancelled
      ? withoutWeighed(endMoves(promised, promised), order, null)
      : isEnding
        ? endMoves(promised, new Map())
        : [],
  });
  await commit(ctx, {
    covered: whileCovered({ orgId, orderRequestId: order.orderRequestId, orderId: order.id }, plan.prescribed),
    order: store.updateOrderRow(order, plan.columns),
    links: isCancelled || isOtherTotal ? endPaymentLinks(order.id, 'voided') : undefined,
    stock,
    emails: plan.newStatus === null ? undefined : emailsOfStep(ctx, { ...order, ...plan.columns }),
    status,
    fields,
    audit:
      plan.names.length === 0
        ? undefined
        : recordAudit(ctx, {
            orgId,
            action: plan.isPart ? 'order.part_supplied' : 'order.updated',
            entityId: order.id,
            fields: plan.names,
            reasonCode: plan.columns.cancelReasonCode ?? plan.columns.unpaidReason ?? undefined,
          }),
    more,
  });
}

function withoutUndefined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/**
 * Returns the quantities that approved prescriptions must cover before a step, by product id. Empty for a step that
 * needs no prescription. Every other step checks them again, because an upsert may have changed the lines in between.
 */
function prescribedBefore(order: store.OrderRow, to: OrderStatus | null): ReadonlyMap<string, number> {
  return to !== null && needsCover(order, to) ? prescribedOf(order.items) : new Map();
}

function needsCover({ status }: store.OrderRow, to: OrderStatus): boolean {
  return (status === 'awaiting_prescription' && to !== 'cancelled') || isOnWay(to) || isLeaving(to);
}

function assertCovered(prescriptions: readonly PrescriptionRow[], order: store.OrderRow, to: OrderStatus): void {
  if (!needsCover(order, to)) return;
  if (!isUncovered(prescriptions, order.items, prescribedOf(order.items))) return;
  if (!prescriptions.some(isApproved)) {
    throw new AppError('prescription_not_approved', 'The order needs an approved prescription first.');
  }
  const message =
    'The approved prescriptions do not cover the lines. Approve the prescription for the lines as they are.';
  throw new AppError('prescription_not_covering', message);
}

function assertTransition(
  order: store.OrderRow,
  after: store.OrderRow,
  to: OrderStatus,
  patch: OrderPatch,
  prescriptions: readonly PrescriptionRow[],
): void {
  const allowed = allowedTransitions({ status: order.status, shippingOption: after.shippingOption });
  if (!allowed.includes(to)) {
    throw new InvalidTransition(order.status, to, allowed);
  }
  assertCovered(prescriptions, order, to);
  assertParts(order, to, patch);
  // The state after the change counts: the same change may lift the hold.
  if (isLeaving(to) && after.originalMissing) {
    const message =
      'The original of the prescription is still to come. Confirm it before the order is handed over or shipped.';
    throw new AppError('original_missing', message);
  }
  if (isLeaving(to) && after.onHold) throw onHold();
  if (to === 'cancelled' && patch.reasonCode === undefined) {
    throw invalidField('/reason_code', 'required', 'Say why the order is cancelled.');
  }
}

/**
 * Refuses a step that does not fit the packs that are still owed. While packs are owed, an order leaves only as a part
 * and cannot be returned. While no pack of an order is in the pharmacy, the order cannot leave.
 */
function assertParts(order: store.OrderRow, to: OrderStatus, { isPart = false }: OrderPatch): void {
  const isOwed = owedCount(order) > 0;
  if (isLeaving(to) && isOwed !== isPart) {
    throw isPart
      ? new AppError('changed_meanwhile', 'Nothing is owed any more. Look at the order again.')
      : restOwed('A part of the order is still to come. Hand over what is there as a part, or cancel the rest.');
  }
  if ((isOnWay(to) || isLeaving(to)) && isNothingHere(order)) {
    throw restOwed('Nothing of the order is there yet. Say what has come, or cancel the rest.');
  }
  if (to === 'returned' && !isLocked(order.status)) assertWholeHere(order);
}

/** Refuses a step of staff if they must pack or answer something first. */
function assertStaffMay(after: store.OrderRow, to: OrderStatus, patch: OrderPatch, expired: readonly Expired[]): void {
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

/**
 * Returns statements that drop unsent e-mails about the previous step. Most steps also e-mail the customer about the
 * new step.
 * @param after the order as the step leaves it
 */
function emailsOfStep(ctx: Context, after: store.OrderRow): BatchEntry[] {
  if (!ctx.mail) return [];
  const { status, trackingUrl } = after;
  const day = restExpectedOn(after);
  const drop = dropEmails(after.orgId, inList([after.id]), ctx.now());
  if (status === 'ready_pickup' && day !== null) return [drop, ...emailWish(ctx, 'later', after, { day })];
  if (status === 'ready_pickup') return [drop, ...emailWish(ctx, 'ready', after)];
  if (status === 'shipped') return [drop, ...emailWish(ctx, 'shipped', after, trackingUrl ? { trackingUrl } : {})];
  return [drop];
}

/**
 * A quantity of one batch on a line, as a program sends it.
 * @property line index of the line, from 0
 */
export interface BookedBatch {
  line: number;
  batch: string | null;
  /** If missing, the line's whole quantity, less the quantities of earlier entries for the same line. */
  quantity?: number;
}

/**
 * Returns all lines of an order. Each line that a program names gets the batches that the program sends, in place of
 * its earlier batches.
 * @throws AppError `validation_failed` for an unknown line or too many packs; `order_locked` if the order is cancelled
 */
function itemsBooked(order: store.OrderRow, booked: readonly BookedBatch[]): OrderLine[] {
  if (order.status === 'cancelled')
    throw new AppError('order_locked', 'The order is cancelled; nothing of it was packed.');
  const hasLeft = isLeaving(order.status) || isLocked(order.status);
  return booked.reduce((items, { line, batch, quantity }, index) => {
    const item = items[line];
    const isFirst = booked.findIndex((each) => each.line === line) === index;
    const before = isFirst ? [] : (item?.batches ?? []);
    const rest = (item?.quantity ?? 0) - before.reduce((sum, each) => sum + each.quantity, 0);
    const count = quantity ?? rest;
    if (!item || (batch !== null && (count < 1 || count > rest))) {
      const message = item ? `The line has ${rest} left.` : 'The order has no such line.';
      throw invalidInput([
        { pointer: `/batches/${index}/${item ? 'quantity' : 'line'}`, code: 'invalid_value', message },
      ]);
    }
    const added = batch === null ? [] : [{ batch, quantity: count, ...(hasLeft && { left: true as const }) }];
    return withBatchesOf(items, line, () => [...before, ...added]);
  }, order.items);
}

/**
 * A change of an order that a caller asks for: columns, and the answers that the change needs from staff or a program.
 */
export type OrderPatch = Partial<Pick<store.OrderRow, PatchedField | FlagField>> & {
  status?: OrderStatus;
  reasonCode?: ReasonCode;
  /**
   * Whether the customer paid at the hand-over. True marks an unpaid order as paid. From staff, it also records that
   * the amount to collect was received.
   */
  cashReceived?: boolean;
  /**
   * The answers of staff when goods leave. `unpaidReason` says why the goods leave unpaid, and `collectedBy` says who
   * took them. `isAddressKnown` says that staff know the address. `isExpiryAccepted` says that they accept an expired
   * prescription.
   */
  unpaidReason?: UnpaidReason;
  collectedBy?: string | null;
  isAddressKnown?: boolean;
  isExpiryAccepted?: boolean;
  /** Whether staff let the order leave although they know that shipping rules block it. */
  areRulesAccepted?: boolean;
  /** Why the order leaves although flags or shipping rules block it. The text becomes a note about the order. */
  overrideReason?: string;
  /** Whether only the packs in the pharmacy leave. The order then stays open for the packs that are still to come. */
  isPart?: boolean;
  /** Dates of issue by prescription id. Staff send them when they confirm originals. */
  issued?: ReadonlyMap<string, Day>;
  /**
   * The batches of lines. They replace all earlier batches of these lines. An entry whose `batch` is null adds no
   * batch.
   */
  batches?: readonly BookedBatch[];
  /** Why staff refuse a withdrawal. The text becomes a note about the order. */
  refusalReason?: string;
  /** `updatedAt` of the order as staff saw it. */
  seenAt?: number;
  /** The versions of the order in which the change is accepted. If missing, the change is accepted in every version. */
  versions?: readonly number[];
};

/**
 * Stores a PDF as a prescription of an order. If the order came from a request, the PDF is stored with that request, so
 * that both are erased together. Owners and pharmacists only.
 * @throws AppError `order_not_found`, `order_locked` if the order is cancelled or erased, and as `uploadPrescription`
 */
export async function addOrderPrescription(ctx: Context, input: { id: string; bytes: Uint8Array }) {
  const { orgId } = requireRole(ctx, ['owner', 'pharmacist']);
  const { shopId, orderRequestId, status, erasedAt } = await loadOrder(ctx, orgId, input.id);
  if (status === 'cancelled' || erasedAt !== null) throw locked();
  const target = { shopId, orderRequestId, orderId: orderRequestId === null ? input.id : null };
  return uploadPrescription(ctx, target, input.bytes, { if: store.orderLives(orgId, input.id), refused: locked });
}

function locked(): AppError {
  return new AppError('order_locked', 'This order is cancelled or erased and accepts no prescription.');
}
