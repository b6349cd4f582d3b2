import { recordAudit } from '../audit/record';
import type { Unit } from '../catalog/tables';
import { type OrderableProducts, orderableById } from '../inventory/browse';
import { moveOrderStock } from '../inventory/ledger';
import { selectOrderable } from '../inventory/store-listings';
import { requireScope } from '../platform/access';
import { type BatchEntry, commit } from '../platform/commit';
import { retryOnConflict } from '../platform/conflict';
import type { Context } from '../platform/context';
import { unset } from '../platform/data/columns';
import { inList } from '../platform/data/db';
import type { Statement } from '../platform/data/statements';
import { AppError, notFound } from '../platform/errors/errors';
import { wireNames } from '../platform/fields';
import { foldPersonName } from '../platform/fold';
import { newId } from '../platform/ids';
import { selectShopOfOrganization } from '../tenants/store';
import { outboxEvent } from '../webhooks/outbox';
import { withBatchesBefore } from './batch-rules';
import { ordersFields, UPSERTED_FIELDS, type UpsertedField } from './fields';
import { orderUpdated } from './news';
import { endPaymentLinks } from './payments/links';
import { assertDiscount, moneyWith, refundedAfter } from './payments/refund';
import { requireShippingOption } from './read';
import {
  areLinesLocked,
  inHouseLines,
  initialStatus,
  isLocked,
  packingAfter,
  promisedOf,
  promiseMoves,
  quantitiesOf,
  supplyColumns,
  totalsWith,
  withoutWeighed,
} from './rules';
import * as store from './store';
import { type OrderLine, orders, type SupplyLine } from './tables';

type Given =
  | 'id'
  | 'orgId'
  | 'shopId'
  | 'source'
  | 'externalId'
  | 'externalReference'
  | 'orderRequestId'
  | 'integrationId';

/** An order to create, with its lines linked to products. */
interface OrderDraft extends Pick<store.NewOrder, Given | 'paymentStatus' | UpsertedField> {
  /** These columns are set when the order comes from an approved request. */
  platformDetails?: store.NewOrder['platformDetails'];
  customerBirthDate?: store.NewOrder['customerBirthDate'];
  prescriberName?: store.NewOrder['prescriberName'];
  originalMissing?: boolean;
  paymentAction?: store.NewOrder['paymentAction'];
  paymentDifferenceCents?: number | null;
  discountKind?: store.NewOrder['discountKind'];
  /** How each line is supplied. If missing, all lines are supplied whole. */
  supply?: readonly SupplyLine[];
  /**
   * Ids of products with stock that is reserved for the order's request. The order uses up or releases all of that
   * stock.
   */
  reservedP1Ids?: readonly string[];
  /** Whether approved prescriptions cover the lines that require one. */
  hasApprovedPrescription: boolean;
}

/**
 * Returns the entries that create an order, for the caller's batch. They write the customer, the order's row, its stock
 * moves, and the event `order_created`.
 */
export function createOrder(ctx: Context, draft: OrderDraft, foundCustomer: readonly { id: string }[]): BatchEntry[] {
  const { hasApprovedPrescription: _, reservedP1Ids = [], supply: lines = [], ...fields } = draft;
  const { supply, expectedOn } = supplyColumns(lines);
  const status = initialStatus(draft);
  const now = ctx.now();
  const customer = customerFor(ctx, draft.orgId, draft, foundCustomer);
  const stock = moveOrderStock(ctx, {
    orgId: draft.orgId,
    orderId: draft.id,
    reason: 'order',
    // Packs that are still to come are promised only after they have arrived.
    moves: withReserved(
      promiseMoves(new Map(), quantitiesOf(inHouseLines({ items: draft.items, supply }))),
      draft.orderRequestId,
      reservedP1Ids,
    ),
  });
  const event = outboxEvent(ctx, {
    type: 'order_created',
    orgId: draft.orgId,
    about: draft,
    metadata: {
      order_id: draft.id,
      shop_id: draft.shopId,
      source: draft.source,
      external_reference: draft.externalReference ?? '',
      status,
      payment_status: draft.paymentStatus,
      ...(draft.orderRequestId !== null && { order_request_id: draft.orderRequestId }),
    },
  });
  const row = {
    ...unset(orders),
    ...fields,
    status,
    supply,
    expectedOn,
    paidAt: draft.paymentStatus === 'paid' ? now : null,
    onHold: false,
    express: draft.shippingOption === 'Express',
    archived: false,
    ...totalsWith(draft.items, draft),
    holdsStock: true,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  return [...customer.statements, store.insertOrder({ ...row, ...customer.key }), ...stock, event];
}

/**
 * Returns the order's moves of stock. A move of a reserved product names the request, and so uses up its reservation.
 * For each reserved product that the order does not need, an empty move releases the reservation.
 */
function withReserved(
  moves: ReturnType<typeof promiseMoves>,
  requestId: string | null,
  reserved: readonly string[],
): (ReturnType<typeof promiseMoves>[number] & { requestId: string | null })[] {
  const others = reserved.filter((p1Id) => !moves.some((move) => move.p1Id === p1Id));
  return [...moves, ...others.map((p1Id) => ({ p1Id, committed: 0, onHand: 0 }))].map((move) => ({
    ...move,
    requestId: reserved.includes(move.p1Id) ? requestId : null,
  }));
}

/**
 * Returns the key of the order's customer, and the statement that inserts a new customer. The key names the found
 * customer, if there is one. If a new person places two orders at the same time, both orders get the same customer,
 * because e-mail addresses are unique.
 */
function customerFor(
  ctx: Context,
  orgId: string,
  person: { customerName: string | null; customerEmail: string | null },
  found: readonly { id: string }[],
): { key: store.CustomerKey; statements: Statement[] } {
  const key: store.CustomerKey = {
    knownCustomerId: found[0]?.id ?? null,
    newCustomerId: newId(),
    foldedEmail: person.customerEmail?.toLowerCase() ?? null,
  };
  if (key.knownCustomerId !== null) return { key, statements: [] };
  const now = ctx.now();
  const row = {
    id: key.newCustomerId,
    orgId,
    name: person.customerName,
    nameFolded: foldPersonName(person.customerName),
    email: key.foldedEmail,
    legalHold: false,
    createdAt: now,
    updatedAt: now,
    erasedAt: null,
  };
  return { key, statements: [store.insertCustomer(row)] };
}

type Sent = 'shopId' | 'source' | 'customerId' | 'paymentStatus' | Exclude<UpsertedField, 'items' | ChargeField>;
type ChargeField = 'feeCents' | 'discountCents';

export interface OrderUpsert extends Pick<store.OrderRow, Sent>, Partial<Pick<store.OrderRow, ChargeField>> {
  externalId: string;
  items: RequestedLine[];
}

/** An upsert whose lines are linked to products. A line without a product moves no stock. */
type Matched = Omit<OrderUpsert, 'items' | ChargeField> & { items: OrderLine[] } & Pick<store.OrderRow, ChargeField>;

/**
 * Creates an order of a shop under the caller's own id, or changes the order that has this id. A call without changes
 * writes nothing. The payment status counts only when the order is created. Marking the order as paid later is a
 * separate call.
 * @throws AppError `shop_not_found`, `unknown_shipping_option`, `order_locked`, `insufficient_stock`,
 *   `product_not_in_inventory` (a higher quantity of a product that was removed), `refund_exceeds_paid` (the new total
 *   is less than the refunded amount)
 */
export function upsertOrder(
  ctx: Context,
  input: OrderUpsert,
): Promise<{ order: store.VersionedOrder; isNew: boolean }> {
  const { orgId } = requireScope(ctx, 'orders.write');
  return retryOnConflict(ctx, async () => {
    const { shop, rows, customer, products } = await ctx.db.run({
      shop: selectShopOfOrganization({ orgId, shopId: input.shopId }),
      rows: store.selectOrderByExternalId(orgId, input.shopId, input.externalId),
      customer: store.selectCustomer(orgId, input.customerId, input.customerEmail?.toLowerCase() ?? null),
      products: selectOrderable(orgId, input.shopId, inList(namedProducts(input.items))),
    });
    if (!shop[0]) throw notFound('shop_not_found', 'This organization has no such shop.');
    const option = input.shippingOption;
    const shippingOption = typeof option === 'string' ? requireShippingOption(option, shop[0]) : option;
    const held = orderableById(products);
    const items = matchLines(input.items, held);
    const [order] = rows;
    const { feeCents = order?.feeCents ?? 0, discountCents = order?.discountCents ?? 0 } = input;
    const matched = { ...input, shippingOption, feeCents, discountCents, items };
    if (input.discountCents !== undefined) assertDiscount(matched);
    if (!order) return { order: await makeNew(ctx, orgId, matched, customer), isNew: true };
    const kept = keepLinks(items, input.items, order.items);
    return { order: await changeExisting(ctx, order, { ...matched, items: kept }, held), isNew: false };
  });
}

async function makeNew(
  ctx: Context,
  orgId: string,
  input: Matched,
  customer: readonly { id: string }[],
): Promise<store.VersionedOrder> {
  const { customerId: _, ...fields } = input;
  const id = newId();
  const ofNoRequest = { orderRequestId: null, externalReference: null, integrationId: null };
  const draft = { ...fields, ...ofNoRequest, id, orgId, hasApprovedPrescription: false };
  const { after } = await commit(
    ctx,
    {
      order: createOrder(ctx, draft, customer),
      audit: recordAudit(ctx, { orgId, action: 'order.created', entityId: id }),
      after: store.selectOrder({ orgId, id }),
    },
    { constraints: stockMustSuffice, about: id },
  );
  // SAFETY: the batch that wrote the row also read it.
  return after[0] as store.OrderRow;
}

async function changeExisting(
  ctx: Context,
  order: store.OrderRow,
  input: Matched,
  held: OrderableProducts,
): Promise<store.VersionedOrder> {
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
  const money = moneyWith(order, { ...input, items: areLocked ? order.items : input.items });
  const { orgId } = order;
  const columns = {
    ...Object.fromEntries(changed.map((key) => [key, input[key]])),
    ...(changed.includes('items') && {
      items: withBatchesBefore(order.items, input.items),
      packing: packingAfter(order, input.items),
      refundedLines: refundedAfter(order, input.items),
    }),
    ...money.columns,
    updatedAt: ctx.now(),
  };
  const after = { ...order, items: input.items, packing: packingAfter(order, input.items) };
  const moves = withoutWeighed(promiseMoves(promisedOf(order), promisedOf(after)), order, after);
  if (moves.some(({ p1Id, committed }) => committed > 0 && !held.has(p1Id))) {
    throw new AppError(
      'product_not_in_inventory',
      'The organization no longer holds a product of which more is ordered.',
    );
  }
  const keysChanged = new Set([...changed, ...money.changed.filter((key) => key !== 'totalCents')]);
  const fields = wireNames(ordersFields, [...keysChanged]);
  await commit(
    ctx,
    {
      order: store.updateOrderRow(order, columns),
      // A payment page that shows the old amount must not stay open.
      links: money.columns.totalCents === order.totalCents ? undefined : endPaymentLinks(order.id, 'voided'),
      stock: moveOrderStock(ctx, { orgId, orderId: order.id, reason: 'order', moves }),
      event: orderUpdated(ctx, order, fields),
      audit: recordAudit(ctx, { orgId, action: 'order.updated', entityId: order.id, fields }),
    },
    { constraints: stockMustSuffice, about: order.id },
  );
  return { ...order, ...columns, version: order.version + 1 };
}

/**
 * Returns a text for a column of an order. Different texts mean that the order has changed. A new product name or a new
 * batch is no change. Once the lines are locked, a new value of `prescriptionRequired` is no change either.
 */
function comparable(order: Matched | store.OrderRow, key: UpsertedField, areLocked: boolean): string {
  if (key !== 'items') return JSON.stringify(order[key]);
  const lines = order.items.map(({ productName: _, batches: __, prescriptionRequired, ...line }) => ({
    ...line,
    ...(!areLocked && { prescriptionRequired }),
  }));
  return JSON.stringify(lines);
}

/** Constraint for `commit`: the API error for a batch that fails because a product's stock would become negative. */
export const stockMustSuffice = {
  stock_not_negative: () => new AppError('insufficient_stock', 'The stock of a product is too low for this order.'),
};

/** A line as it was sent or edited, not yet linked to a product. */
export interface RequestedLine {
  name: string | null;
  quantity: number;
  priceCents: number;
  p1Id: string | null;
  productId: string | null;
  /** Whether the price is the customer's co-payment. Ignored for a line that requires no prescription. */
  isCoPayment?: boolean;
}

/**
 * Converts submitted or edited lines to order lines. Each line is linked to the product that it names, if the
 * organization has that product. Otherwise the catalog says whether the line requires a prescription.
 */
export function matchLines(items: readonly RequestedLine[], products: OrderableProducts): OrderLine[] {
  return items.map((item) => {
    const ids = [item.p1Id, item.productId].filter((id) => id !== null);
    const product = ids.map((id) => products.get(id)).find((found) => found !== undefined);
    const prescriptionRequired = product?.prescriptionRequired ?? ids.some((id) => products.prescribed.has(id));
    return {
      name: item.name ?? product?.name ?? item.p1Id ?? item.productId ?? '',
      quantity: item.quantity,
      priceCents: item.priceCents,
      p1Id: product?.p1Id ?? null,
      prescriptionRequired,
      productName: product?.name ?? null,
      ...(item.isCoPayment && prescriptionRequired && { isCoPayment: true as const }),
      ...unitOf(product),
    };
  });
}

/** Returns the unit of a line; an empty object for pieces. */
export function unitOf(product: { unit: Unit; unitStep: number } | undefined): Pick<OrderLine, 'unit' | 'unitStep'> {
  if (!product || product.unit === 'piece') return {};
  return { unit: product.unit, ...(product.unitStep > 1 && { unitStep: product.unitStep }) };
}

/**
 * Returns the lines that an upsert sends, with links to products. If the organization no longer has a product, a line
 * that names it takes the link and the prescription requirement of the earlier line with that product. A line that
 * names no product takes the requirement of the earlier line with the same name and no link.
 */
function keepLinks(
  matched: readonly OrderLine[],
  sent: readonly RequestedLine[],
  before: readonly OrderLine[],
): OrderLine[] {
  return matched.map((line, place) => {
    if (line.p1Id !== null) return line;
    const ids = [sent[place]?.p1Id, sent[place]?.productId];
    const known = before.find(({ p1Id }) => p1Id !== null && ids.includes(p1Id));
    if (!known) {
      const isSame = (each: OrderLine) => each.p1Id === null && each.prescriptionRequired && each.name === line.name;
      return ids.every((id) => !id) && before.some(isSame) ? { ...line, prescriptionRequired: true } : line;
    }
    const { p1Id, productName, prescriptionRequired, unit, unitStep } = known;
    const name = sent[place]?.name ?? known.name;
    const isCoPayment = prescriptionRequired && sent[place]?.isCoPayment;
    const own = { ...(unit && { unit }), ...(unitStep && { unitStep }), ...(isCoPayment && { isCoPayment }) };
    return { ...line, name, p1Id, productName, prescriptionRequired, ...own };
  });
}

/** Returns the ids of the products that the lines name, each once. */
export function namedProducts(lines: readonly RequestedLine[]): string[] {
  return [...new Set(lines.flatMap(({ p1Id, productId }) => [p1Id, productId]).filter((id) => id !== null))];
}
