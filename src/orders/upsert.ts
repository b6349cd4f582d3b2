import { recordAudit } from '../audit/record';
import { moveOrderStock, orderableById, selectOrderable } from '../inventory/service';
import { requireScope } from '../platform/access';
import { commit } from '../platform/commit';
import { retryOnConflict } from '../platform/conflict';
import type { Context } from '../platform/context';
import { inList } from '../platform/data/db';
import { AppError, notFound } from '../platform/errors';
import { wireNames } from '../platform/fields';
import { newId } from '../platform/ids';
import { selectShopOfOrganization } from '../tenants/service';
import { createOrder } from './create';
import { ordersFields, UPSERTED_FIELDS, type UpsertedField } from './fields';
import { keepLinks, matchLines, namedProducts, type RequestedLine } from './lines';
import { orderUpdated } from './news';
import { packingAfter } from './packed';
import { endPaymentLinks } from './payments/ending';
import { moneyAfter } from './payments/overpaid';
import { refundExceedsPaid } from './payments/refund';
import { refundedAfter } from './payments/refunded-lines';
import { requireShippingOption } from './require';
import { areLinesLocked, isLocked, promisedOf, promiseMoves, totalOf } from './rules';
import {
  type OrderRow,
  selectCustomer,
  selectOrder,
  selectOrderByExternalId,
  updateOrderRow,
  type VersionedOrder,
} from './store';
import type { OrderLine } from './tables';

type Sent = 'shopId' | 'source' | 'customerId' | 'paymentStatus' | Exclude<UpsertedField, 'items'>;

export interface OrderUpsert extends Pick<OrderRow, Sent> {
  externalId: string;
  items: RequestedLine[];
}

/** The upsert with its lines linked to products; lines without a product move no stock. */
type Matched = Omit<OrderUpsert, 'items'> & { items: OrderLine[] };

/**
 * Creates an order of a shop with the caller's own id, or changes the existing one. A call without changes writes
 * nothing. The payment method is set at creation; later, marking as paid is a separate call.
 * @throws AppError `shop_not_found`, `unknown_shipping_option`, `order_locked`, `insufficient_stock`,
 *   `refund_exceeds_paid` (the new total is less than what was refunded)
 */
export function upsertOrder(ctx: Context, input: OrderUpsert): Promise<{ order: VersionedOrder; isNew: boolean }> {
  const { orgId } = requireScope(ctx, 'orders.write');
  return retryOnConflict(ctx, async () => {
    const { shop, rows, customer, products } = await ctx.db.run({
      shop: selectShopOfOrganization({ orgId, shopId: input.shopId }),
      rows: selectOrderByExternalId(orgId, input.shopId, input.externalId),
      customer: selectCustomer(orgId, input.customerId, input.customerEmail?.toLowerCase() ?? null),
      products: selectOrderable(orgId, input.shopId, inList(namedProducts(input.items))),
    });
    if (!shop[0]) throw notFound('shop_not_found', 'This organization has no such shop.');
    const option = input.shippingOption;
    const shippingOption = option && requireShippingOption(option, shop[0]);
    const items = matchLines(input.items, orderableById(products));
    const [order] = rows;
    if (!order) return { order: await makeNew(ctx, orgId, { ...input, shippingOption, items }, customer), isNew: true };
    const kept = keepLinks(items, input.items, order.items);
    return { order: await changeExisting(ctx, order, { ...input, shippingOption, items: kept }), isNew: false };
  });
}

async function makeNew(
  ctx: Context,
  orgId: string,
  input: Matched,
  customer: readonly { id: string }[],
): Promise<VersionedOrder> {
  const { customerId: _, ...fields } = input;
  const id = newId();
  const ofNoRequest = { orderRequestId: null, externalReference: null, integrationId: null };
  const draft = { ...fields, ...ofNoRequest, id, orgId, hasApprovedPrescription: false };
  const { after } = await commit(
    ctx,
    {
      order: createOrder(ctx, draft, customer),
      audit: recordAudit(ctx, { orgId, action: 'order.created', entityId: id }),
      after: selectOrder({ orgId, id }),
    },
    { constraints: stockMustSuffice, about: id },
  );
  // SAFETY: the batch that wrote the row also read it.
  return after[0] as OrderRow;
}

async function changeExisting(ctx: Context, order: OrderRow, input: Matched): Promise<VersionedOrder> {
  const keys = (Object.keys(input) as UpsertedField[]).filter((key) => UPSERTED_FIELDS.includes(key));
  const areLocked = areLinesLocked(order.status);
  const changed = keys.filter((key) => comparable(input, key, areLocked) !== comparable(order, key, areLocked));
  if (changed.length === 0) return order;
  if (isLocked(order.status)) {
    throw new AppError('order_locked', `The order is ${order.status}; its content can no longer change.`);
  }
  if (areLocked && changed.includes('items')) {
    throw new AppError('order_locked', `The order is ${order.status}; its lines can no longer change.`);
  }
  if (order.supply !== null && changed.includes('items')) {
    throw new AppError('order_locked', 'The order is supplied in parts; its lines can no longer change.');
  }
  const totalCents = totalOf(input.items);
  if (totalCents < order.refundedCents) throw refundExceedsPaid('More than the new total was refunded already.');
  const { orgId } = order;
  const money = moneyAfter(order, { totalCents, refundedCents: order.refundedCents });
  const columns = {
    ...Object.fromEntries(changed.map((key) => [key, input[key]])),
    ...(changed.includes('items') && {
      packing: packingAfter(order, input.items),
      refundedLines: refundedAfter(order, input.items),
    }),
    ...money.columns,
    updatedAt: ctx.now(),
  };
  const moves = promiseMoves(promisedOf(order), promisedOf({ ...order, items: input.items }));
  const fields = wireNames(ordersFields, [...changed, ...money.changed.filter((key) => key !== 'totalCents')]);
  await commit(
    ctx,
    {
      order: updateOrderRow(order, columns),
      // A page that shows the old amount must not stay open.
      links: columns.totalCents === order.totalCents ? undefined : endPaymentLinks(order.id, 'voided'),
      stock: moveOrderStock(ctx, { orgId, orderId: order.id, reason: 'order', moves }),
      event: orderUpdated(ctx, order, fields),
      audit: recordAudit(ctx, { orgId, action: 'order.updated', entityId: order.id, fields }),
    },
    { constraints: stockMustSuffice, about: order.id },
  );
  return { ...order, ...columns, version: order.version + 1 };
}

/**
 * A product's new name does not count as a change of the order; once the lines are locked, nor does it count that the
 * product requires a prescription by now, or no longer.
 */
function comparable(order: Matched | OrderRow, key: UpsertedField, areLocked: boolean): string {
  if (key !== 'items') return JSON.stringify(order[key]);
  const lines = order.items.map(({ productName: _, prescriptionRequired, ...line }) => ({
    ...line,
    ...(!areLocked && { prescriptionRequired }),
  }));
  return JSON.stringify(lines);
}

/** For a batch that takes stock: what the ledger's CHECK says, in the words of the API. */
export const stockMustSuffice = {
  stock_not_negative: () => new AppError('insufficient_stock', 'The stock of a product is too low for this order.'),
};
