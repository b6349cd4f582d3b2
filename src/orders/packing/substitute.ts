import { recordAudit } from '../../audit/record';
import { type OrderableProduct, orderableById } from '../../inventory/browse';
import { moveOrderStock } from '../../inventory/ledger';
import { selectOrderable } from '../../inventory/store-listings';
import { requireRole, requireScope } from '../../platform/access';
import { commit } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { inList } from '../../platform/data/db';
import { AppError } from '../../platform/errors/errors';
import { coverInstead } from '../../prescriptions/check';
import { whileCovered } from '../../prescriptions/filing';
import { selectPrescriptionsOf } from '../../prescriptions/store';
import { stockMustSuffice, unitOf } from '../create';
import { orderUpdated } from '../news';
import { endPaymentLinks } from '../payments/links';
import { refundExceedsPaid, refundedAfter } from '../payments/refund';
import { requireOrder } from '../read';
import {
  DifferencesOpen,
  packingAfter,
  prescribedOf,
  promisedOf,
  promiseMoves,
  supplyColumns,
  supplyKey,
  supplyOf,
  totalOf,
  totalsWith,
  withoutWeighed,
  withSupply,
} from '../rules';
import { type OrderRow, requestIdOf, selectOrder, shopIdOf, updateOrderRow } from '../store';
import type { OrderLine } from '../tables';
import { assertBeingPacked, changedMeanwhile } from './pack';

export const SUBSTITUTION_REASONS = [
  'not_deliverable',
  'other_pack_in_stock',
  'pack_damaged',
  'customer_wish',
] as const;
type SubstitutionReason = (typeof SUBSTITUTION_REASONS)[number];

export interface Substitution {
  /** The `supplyKey` of the line. */
  line: string;
  /** The product that is handed out instead, and its quantity. */
  p1Id: string;
  quantity: number;
  reason: SubstitutionReason;
  /** Keys of the differences that staff have acknowledged. */
  acknowledged: readonly string[];
}

/** A difference between the accepted product and the new one. Staff must acknowledge it. */
interface OpenDifference {
  key: string;
  code: string;
  values: readonly unknown[];
}

/**
 * A function that returns the differences that staff must acknowledge when the line `now` replaces the line `accepted`.
 * The caller passes it, because `orders` has no access to the code that reads names of medicines.
 */
export type Compare = (accepted: OrderLine, now: OrderLine, product: OrderableProduct) => OpenDifference[];

/**
 * Code of a difference. Whoever acknowledges the difference confirms that the prescriptions cover the other product.
 * Only a person who may check prescriptions can acknowledge it.
 */
export const PRESCRIPTION_CHECKED = 'prescription_checked';
/** Code of the difference between the order's total before and after the substitution. */
const TOTAL = 'total';

/**
 * Replaces the accepted product of a line by another one. One batch changes the line, its price and the stock of both
 * products. The line must be packed again. The new product's price applies, except that a paid order keeps its total.
 * If the line needs a prescription, the batch also records that a person who may check prescriptions approved the new
 * product.
 * @throws AppError `order_not_found`, `not_being_packed`, `on_hold`, `changed_meanwhile`, `order_locked` (a part of the
 *   line has left), `product_not_in_inventory`, `differences_open` (with what must be acknowledged), `total_is_paid`,
 *   `insufficient_scope`, `prescription_not_approved`, `prescription_not_covering`, `insufficient_stock`,
 *   `refund_exceeds_paid`
 */
export function substituteProduct(ctx: Context, orderId: string, input: Substitution, compare: Compare): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner', 'pharmacist', 'staff']);
  return retryOnConflict(ctx, async () => {
    const { rows, found, prescriptions } = await ctx.db.run(selectsOf(orgId, orderId, input.p1Id));
    const planned = planSubstitution(requireOrder(rows[0]), found, input, compare);
    const { order, place, accepted, now, items, total, differences } = planned;
    // After a substitution, nothing of the line is owed. If stock is too low, the batch is refused.
    const supply = supplyColumns(withSupply(order, place, { owed: 0 }));
    if (differences.some(({ key }) => !input.acknowledged.includes(key))) throw new DifferencesOpen(differences, now);
    if (total < order.refundedCents) throw refundExceedsPaid('More than the new total was refunded already.');
    const packing = packingAfter({ ...order, ...supply }, items);
    const after = { ...order, items, ...supply, packing };
    const concernsPrescription = accepted.prescriptionRequired || now.prescriptionRequired;
    await commit(
      ctx,
      {
        covers: concernsPrescription
          ? coverInstead(ctx, prescriptions, { instead: prescribedPart(accepted), now: prescribedPart(now) }, order)
          : undefined,
        covered: whileCovered({ orgId, orderRequestId: order.orderRequestId, orderId }, prescribedOf(items)),
        order: updateOrderRow(order, {
          items,
          ...totalsWith(items, order),
          ...supply,
          packing,
          refundedLines: refundedAfter(order, items),
          updatedAt: ctx.now(),
        }),
        links: total === order.totalCents ? undefined : endPaymentLinks(orderId, 'voided'),
        stock: moveOrderStock(ctx, {
          orgId,
          orderId,
          reason: 'order',
          moves: withoutWeighed(promiseMoves(promisedOf(order), promisedOf(after)), order, after),
        }),
        event: orderUpdated(ctx, order, ['items']),
        audit: recordAudit(ctx, {
          orgId,
          action: 'order.substituted',
          entityId: orderId,
          fields: ['items'],
          reasonCode: input.reason,
        }),
      },
      { constraints: stockMustSuffice },
    );
  });
}

/**
 * Returns the result of a substitution, for the page that asks for confirmation.
 * @param input if it has no quantity, `propose` chooses the quantity
 */
export async function previewSubstitution(
  ctx: Context,
  orderId: string,
  input: { line: string; p1Id: string; quantity: number | null },
  { compare, propose }: { compare: Compare; propose: (accepted: OrderLine, product: OrderableProduct) => number },
) {
  const { orgId } = requireScope(ctx, 'orders.read');
  const { rows, found, prescriptions } = await ctx.db.run(selectsOf(orgId, orderId, input.p1Id));
  return { ...planSubstitution(requireOrder(rows[0]), found, input, compare, propose), prescriptions };
}

export type PlannedSubstitution = Awaited<ReturnType<typeof previewSubstitution>>;

const selectsOf = (orgId: string, orderId: string, p1Id: string) => ({
  rows: selectOrder({ orgId, id: orderId }),
  found: selectOrderable(orgId, shopIdOf(orgId, orderId), inList([p1Id])),
  prescriptions: selectPrescriptionsOf(orgId, { orderId, orderRequestId: requestIdOf(orgId, orderId) }),
});

/**
 * Returns the result of a substitution, and the differences that must be acknowledged. Both the preview and the command
 * call it.
 */
function planSubstitution(
  order: OrderRow,
  found: Parameters<typeof orderableById>[0],
  { line, p1Id, quantity }: { line: string; p1Id: string; quantity: number | null },
  compare: Compare,
  propose?: (accepted: OrderLine, product: OrderableProduct) => number,
) {
  assertBeingPacked(order);
  const place = order.items.findIndex((_, index) => supplyKey(order, index) === line);
  const accepted = order.items[place];
  if (!accepted) throw changedMeanwhile();
  if (supplyOf(order, place).supplied > 0) {
    throw new AppError('order_locked', 'A part of this line has left; the product of it can no longer change.');
  }
  const product = orderableById(found).get(p1Id);
  if (!product) throw new AppError('product_not_in_inventory', 'The organization does not hold this product.');
  const now = lineNow(order, accepted, product, quantity ?? propose?.(accepted, product) ?? accepted.quantity);
  const items = order.items.map((item, index) => (index === place ? now : item));
  const total = totalsWith(items, order).totalCents;
  const differences = compare(accepted, now, product);
  if (total !== order.totalCents) {
    const values = [order.totalCents, total];
    differences.push({ key: JSON.stringify([line, TOTAL, ...values]), code: TOTAL, values });
  }
  if (accepted.prescriptionRequired || now.prescriptionRequired) {
    const values = [accepted.p1Id, now.p1Id, now.quantity];
    differences.push({
      key: JSON.stringify([line, PRESCRIPTION_CHECKED, ...values]),
      code: PRESCRIPTION_CHECKED,
      values,
    });
  }
  return { order, place, product, accepted, now, items, total, differences };
}

/** Returns the line with the other product. Its `name` stays the name that the customer asked for. */
function lineNow(order: OrderRow, accepted: OrderLine, product: OrderableProduct, quantity: number): OrderLine {
  const { unit: _, unitStep: __, batches: ___, ...kept } = accepted;
  const line: OrderLine = {
    ...kept,
    ...unitOf(product),
    quantity,
    p1Id: product.p1Id,
    productName: product.name,
    priceCents: product.priceCents,
    prescriptionRequired: product.prescriptionRequired,
  };
  const isPaid = order.paymentStatus === 'paid' || order.paymentStatus === 'refunded';
  if (!isPaid || totalOf([line]) === totalOf([accepted])) return line;
  // The pharmacy may not choose the price of a prescription product.
  if (line.prescriptionRequired || quantity !== accepted.quantity) {
    throw new AppError('total_is_paid', 'The order is paid, and its total would change.');
  }
  return { ...line, priceCents: accepted.priceCents };
}

function prescribedPart({ p1Id, quantity, prescriptionRequired }: OrderLine) {
  return prescriptionRequired && p1Id !== null ? { p1Id, quantity } : null;
}
