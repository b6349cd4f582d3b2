import { recordAudit } from '../../audit/record';
import { type Code, readCode } from '../../codes/read';
import { moveOrderStock } from '../../inventory/ledger';
import { selectPromisable } from '../../inventory/store-stock';
import { actorId, requireRole, requireScope } from '../../platform/access';
import { commit } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { AppError, type FieldError, invalidField, invalidInput } from '../../platform/errors/errors';
import { wireNames } from '../../platform/fields';
import { addDays, type Day, dayOf, readDay } from '../../platform/pharmacy-time';
import { isPickup } from '../../tenants/rules';
import { countsOf, deskCounts } from '../desk/desk';
import { ordersFields } from '../fields';
import { EXPECTED_DAYS_MAX, EXPECTED_LISTED_MAX, SUPPLY_LINES_SHOWN } from '../limits';
import { orderStatusUpdated, orderUpdated } from '../news';
import {
  assertBeingPacked,
  assertNewPack,
  changedMeanwhile,
  countOfScan,
  type LabelledOrder,
  orderOfLabel,
  serialHash,
  whoAndWhen,
  withScannedBatch,
} from '../packing/pack';
import { endPaymentLinks } from '../payments/links';
import { moneyAfter, refundedOf } from '../payments/refund';
import { loadOrder, requireOrder } from '../read';
import {
  inHouseOf,
  isBeingPacked,
  isNothingHere,
  owedCount,
  PackExpired,
  packedOf,
  promisedOf,
  promiseMoves,
  type ReasonCode,
  suppliedCount,
  supplyColumns,
  supplyKey,
  supplyOf,
  totalOf,
  totalsWith,
  withoutOwed,
  withPacks,
  withSupply,
} from '../rules';
import { type Order, type OrderRow, productsOf, selectOrder, updateOrderRow } from '../store';
import type { OrderLine, SupplyLine } from '../tables';
import { expectedProducts, productsWithPzn, selectExpected, selectPzns, selectWaitingFor } from './store';

type Promisable = Awaited<ReturnType<typeof selectPromisable>>;

/** The result of a scan on the page of expected packs. */
type ScannedArrival =
  | { did: 'arrived'; order: Pick<OrderRow, 'id' | 'number' | 'shelf'>; isPacked: boolean }
  /** The label of an order was scanned. Nothing was changed. */
  | { did: 'label'; order: LabelledOrder };

/**
 * Records that owed packs of a line have arrived, and promises them to the order. Stock that is promised to nobody,
 * such as a booked delivery, is used first. If it does not suffice, the missing packs are added to the stock.
 * @param input.line the line's `supplyKey`
 * @throws AppError `order_not_found`, `changed_meanwhile`, `product_not_in_inventory`, `validation_failed` (a quantity
 *   below 1 or above the owed packs, or a part of a pack)
 */
export function arrive(ctx: Context, orderId: string, input: { line: string; quantity: number }): Promise<void> {
  const { orgId } = requireRole(ctx, SUPPLY_ROLES);
  return retryOnConflict(ctx, async () => {
    const { rows, stock } = await ctx.db.run({
      rows: selectOrder({ orgId, id: orderId }),
      stock: selectPromisable(orgId, productsOf(orgId, orderId)),
    });
    const order = requireOrder(rows[0]);
    const place = placeOf(order, input.line);
    const { owed } = supplyOf(order, place);
    const { quantity } = input;
    const line = order.items[place] as OrderLine;
    if (!isPartOf(line, quantity, owed)) throw invalidInput([notAPart(line, owed, '/quantity')]);
    await commitArrival(ctx, order, { place, quantity, stock });
  });
}

/**
 * Assigns a scanned pack to the oldest order that waits for it. If that order is being packed, also ticks the pack.
 * @param input.last the order of the previous scan, which the page sends. A pack whose serial was scanned for that
 *   order is refused
 * @throws AppError `unknown_code`, `nothing_expected`, `pack_already_scanned`, `pack_already_left`, `pack_expired`,
 *   `product_not_in_inventory`, `weighing_needed`
 */
export async function scanArrival(ctx: Context, input: { text: string; last: string | null }): Promise<ScannedArrival> {
  requireRole(ctx, SUPPLY_ROLES);
  const code = readCode(input.text);
  if (!code) throw new AppError('unknown_code', 'This is no code of a pack or label, or it was not read whole.');
  if (code.kind === 'pack') return scanPack(ctx, code, input.last);
  const order = await orderOfLabel(ctx, code);
  if (!order) throw new AppError('unknown_code', 'This label belongs to no order of this pharmacy.');
  return { did: 'label', order };
}

function scanPack(ctx: Context, pack: Extract<Code, { kind: 'pack' }>, last: string | null): Promise<ScannedArrival> {
  const { orgId } = requireRole(ctx, SUPPLY_ROLES);
  const { pzn } = pack;
  if (pzn === null) throw nothingExpected();
  return retryOnConflict(ctx, async () => {
    const { rows, stock, meant, before } = await ctx.db.run({
      rows: selectWaitingFor(orgId, pzn),
      stock: selectPromisable(orgId, productsWithPzn(orgId, pzn)),
      meant: selectPzns(productsWithPzn(orgId, pzn)),
      before: last === null ? undefined : selectOrder({ orgId, id: last }),
    });
    if (pack.expires !== null && pack.expires < dayOf(ctx.now())) throw new PackExpired(pack.expires);
    const [order] = rows;
    for (const each of [order, before?.[0]]) {
      if (!each || pack.serial === null) continue;
      assertNewPack(each, await serialHash(each.id, pack));
    }
    const ids = meant.map(({ p1Id }) => p1Id);
    const place = order?.items.findIndex(
      ({ p1Id }, index) => p1Id !== null && ids.includes(p1Id) && supplyOf(order, index).owed > 0,
    );
    if (!order || place === undefined || place < 0) throw nothingExpected();
    const quantity = countOfScan(order.items[place] as OrderLine, supplyOf(order, place).owed);
    const isPacked = isBeingPacked(order);
    const serial = pack.serial === null ? null : await serialHash(order.id, pack);
    const packs = { how: 'scanned' as const, count: quantity, serial, ...whoAndWhen(ctx) };
    const packed = isPacked
      ? { packing: withPacks(order, place, packs), items: withScannedBatch(order.items, place, pack, quantity) }
      : {};
    await commitArrival(ctx, order, { place, quantity, stock, packed });
    return { did: 'arrived', order, isPacked };
  });
}

interface Arrival {
  place: number;
  quantity: number;
  stock: Promisable;
  packed?: Partial<Pick<OrderRow, 'packing' | 'items'>>;
}

async function commitArrival(ctx: Context, order: OrderRow, { place, quantity, stock, packed = {} }: Arrival) {
  const { orgId, id } = order;
  const p1Id = order.items[place]?.p1Id ?? null;
  const product = stock.find((each) => each.p1Id === p1Id);
  if (p1Id !== null && !product) {
    throw new AppError('product_not_in_inventory', 'The organization does not hold this product.');
  }
  const columns = supplyColumns(withSupply(order, place, { owed: supplyOf(order, place).owed - quantity }));
  const promises = promiseMoves(promisedOf(order), promisedOf({ ...order, ...columns }));
  const isNew = product !== undefined && product.stockQuantity < quantity;
  const moves = promises.map((move) => ({
    ...move,
    onHand: Math.max(0, move.committed - (product?.stockQuantity ?? 0)),
  }));
  await commit(ctx, {
    order: updateOrderRow(order, { ...columns, ...packed, updatedAt: ctx.now() }),
    stock: moveOrderStock(ctx, {
      orgId,
      orderId: id,
      reason: isNew ? 'delivery' : 'order',
      moves,
      seen: new Map(product ? [[product.p1Id, product.stockVersion]] : []),
    }),
    event: orderUpdated(ctx, order, ['items']),
    audit: recordAudit(ctx, { orgId, action: 'order.arrived', entityId: id, fields: ['items'] }),
  });
}

function nothingExpected(): AppError {
  return new AppError('nothing_expected', 'No order waits for this pack.');
}

const LAST_DAY = '9999-12-31';

/** The packs of one line that are still to come. */
export interface ExpectedLine extends Pick<OrderLine, 'unit'> {
  order: Pick<OrderRow, 'id' | 'number' | 'shopId' | 'customerName' | 'shelf' | 'shippingOption'>;
  /** The line's `supplyKey`, for commands. */
  key: string;
  name: string;
  pzn: string | null;
  quantity: number;
  expectedOn: Day;
  /** When staff last recorded that packs of the line come later, in epoch ms. */
  since: number | null;
  /** The stock of the product that is promised to nobody yet, including booked deliveries. */
  stock: number;
}

/**
 * Returns a page of lines with packs that are expected by today. With `isLater`, they may be expected on any day. The
 * earliest day comes first. At most `EXPECTED_LISTED_MAX` orders are searched for such lines.
 * @param input.lastId an order to read as well
 * @param input.from how many lines earlier pages showed
 * @returns the page, the number of lines found, where the next page begins (null at the end), whether there may be more
 *   orders, the order with `lastId`, and the counts of the tabs
 */
export async function listExpected(
  ctx: Context,
  { isLater = false, lastId, from = 0 }: { isLater?: boolean; lastId?: string; from?: number } = {},
) {
  const { orgId } = requireScope(ctx, 'orders.read');
  const today = dayOf(ctx.now());
  const day = isLater ? LAST_DAY : today;
  const { rows, pzns, stocks, last, counted } = await ctx.db.run({
    rows: selectExpected({ orgId, day }),
    pzns: selectPzns(expectedProducts(orgId, day)),
    stocks: selectPromisable(orgId, expectedProducts(orgId, day)),
    last: lastId === undefined ? undefined : selectOrder({ orgId, id: lastId }),
    counted: deskCounts(ctx, orgId),
  });
  const pznOf = new Map(pzns.map(({ p1Id, pzn }) => [p1Id, pzn]));
  const stockOf = new Map(stocks.map(({ p1Id, stockQuantity }) => [p1Id, stockQuantity]));
  const lines = rows.flatMap((order) =>
    order.items.flatMap((item, place): ExpectedLine[] => {
      const { owed, expectedOn, at } = supplyOf(order, place);
      if (owed === 0 || expectedOn === null || expectedOn > day) return [];
      return [
        {
          order,
          key: supplyKey(order, place),
          name: item.productName ?? item.name,
          pzn: pznOf.get(item.p1Id ?? '') ?? null,
          quantity: owed,
          unit: item.unit,
          expectedOn,
          since: at,
          stock: stockOf.get(item.p1Id ?? '') ?? 0,
        },
      ];
    }),
  );
  const to = from + SUPPLY_LINES_SHOWN;
  return {
    today,
    lines: lines.sort(byDay).slice(from, to),
    count: lines.length,
    next: to < lines.length ? to : null,
    hasMore: rows.length === EXPECTED_LISTED_MAX,
    last: last?.[0],
    counts: countsOf(counted),
  };
}

function byDay(one: ExpectedLine, other: ExpectedLine): number {
  return one.expectedOn < other.expectedOn ? -1 : one.expectedOn > other.expectedOn ? 1 : 0;
}

/**
 * Returns a text that differs after a change of an order's owed packs, supplied packs or total. Forms post it back. A
 * command is refused if the order has another text by then.
 */
export function restKey(order: Pick<OrderRow, 'items' | 'supply'>): string {
  return `${owedCount(order)}:${suppliedCount(order)}:${totalOf(order.items)}`;
}

/**
 * Cancels the owed packs of one line or of all lines. The packs that are in the pharmacy or have left stay in the
 * order. The total and the overpayment change accordingly. If all other packs have left, the order becomes picked up or
 * shipped.
 * @param input.line the line's `supplyKey`; null for all lines, and then `seen` must be the order's `restKey`
 * @throws AppError `order_not_found`, `changed_meanwhile`, `on_hold`, `validation_failed` (nothing of the order would
 *   be left: cancel the order instead)
 */
export function cancelRest(
  ctx: Context,
  orderId: string,
  input: { line: string | null; seen?: string; reasonCode: ReasonCode },
): Promise<void> {
  const { orgId } = requireRole(ctx, SUPPLY_ROLES);
  return retryOnConflict(ctx, async () => {
    const order = await loadOrder(ctx, orgId, orderId);
    const isMeant = (place: number) =>
      supplyOf(order, place).owed > 0 && (input.line === null || supplyKey(order, place) === input.line);
    const isSeen = input.line !== null || input.seen === restKey(order);
    if (!isSeen || !order.items.some((_, place) => isMeant(place))) throw changedMeanwhile();
    assertNotOnHold(order);
    const left = linesAfter(order, isMeant);
    if (left.items.length === 0) {
      throw invalidField('/line', 'invalid_value', 'Nothing of the order would be left. Cancel the order instead.');
    }
    const money = moneyAfterEnd(order, left);
    const isEnding = owedCount(left) === 0 && suppliedCount(left) > 0 && isNothingHere(left);
    const status = isPickup(order.shippingOption) ? ('picked_up' as const) : ('shipped' as const);
    const changed = wireNames(ordersFields, ['items', ...money.changed]);
    await commit(ctx, {
      order: updateOrderRow(order, {
        ...left,
        ...money.columns,
        ...(isEnding && { status, ...withoutOwed(left) }),
        updatedAt: ctx.now(),
      }),
      links: money.columns.totalCents === order.totalCents ? undefined : endPaymentLinks(orderId, 'voided'),
      status: isEnding ? orderStatusUpdated(ctx, order, { status }) : undefined,
      event: orderUpdated(ctx, order, changed),
      audit: recordAudit(ctx, {
        orgId,
        action: 'order.rest_cancelled',
        entityId: orderId,
        fields: isEnding ? [`status:${status}`, ...changed] : changed,
        reasonCode: input.reasonCode,
      }),
    });
  });
}

type Lines = Pick<OrderRow, 'items' | 'packing' | 'returned' | 'refundedLines' | 'supply' | 'expectedOn'>;

/**
 * Returns the order's lines without the cancelled packs, and all columns that have one entry per line. A line without
 * packs is removed from the lines and from these columns.
 */
function linesAfter(order: Order, isCancelled: (place: number) => boolean): Lines {
  const lines = order.items.map((item, place) => {
    const supply = supplyOf(order, place);
    if (!isCancelled(place)) return { place, item, supply, refunded: refundedOf(order, place) };
    const quantity = item.quantity - supply.owed;
    return {
      place,
      item: { ...item, quantity },
      supply: { ...supply, owed: 0, expectedOn: null },
      refunded: refundedWithin(order, place, quantity),
    };
  });
  const kept = lines.filter(({ item }) => item.quantity > 0);
  const at = <T>(values: readonly T[] | null) => values && kept.map(({ place }) => values[place] as T);
  return {
    items: kept.map(({ item }) => item),
    packing: at(order.packing),
    returned: at(order.returned),
    refundedLines: order.refundedLines && kept.map(({ refunded }) => refunded),
    ...supplyColumns(kept.map(({ supply }) => supply)),
  };
}

/**
 * Returns the refund that a line keeps after some of its packs are cancelled. Refunded packs count as cancelled first.
 * @param quantity the number of packs that the line keeps
 */
function refundedWithin(order: Order, place: number, quantity: number) {
  const { quantity: packs, cents } = refundedOf(order, place);
  const cancelled = (order.items[place]?.quantity ?? 0) - quantity;
  const left = Math.max(0, packs - cancelled);
  return { quantity: left, cents: packs === 0 ? 0 : Math.round((cents * left) / packs) };
}

/**
 * Returns the total and the overpayment that an order would have if all its owed packs were cancelled. The page that
 * asks for confirmation shows them.
 */
export function moneyWithoutRest(order: Order) {
  return moneyAfterEnd(
    order,
    linesAfter(order, () => true),
  ).columns;
}

/**
 * Returns an order's total and overpayment after packs are cancelled. A refund of cancelled packs no longer counts as a
 * refund of the total.
 */
function moneyAfterEnd(order: Order, after: Lines) {
  const sums = totalsWith(after.items, order);
  const ofLines = (lines: OrderRow['refundedLines']) => lines?.reduce((sum, { cents }) => sum + cents, 0) ?? 0;
  const ended = ofLines(order.refundedLines) - ofLines(after.refundedLines);
  return moneyAfter(order, { ...sums, refundedCents: Math.min(order.refundedCents - ended, sums.totalCents) });
}

const SUPPLY_ROLES = ['owner', 'pharmacist', 'staff'] as const;

/** How many packs of one line come later, and on which day they are expected. */
export interface Later {
  quantity: number;
  expectedOn: Day;
}

/** Returns an error message if packs cannot be expected on this day; null if they can. */
export function faultOfExpected(day: Day, now: number): string | null {
  const today = dayOf(now);
  if (readDay(day) !== null && day >= today && day <= addDays(today, EXPECTED_DAYS_MAX)) return null;
  return 'Send the day as yyyy-mm-dd: today, or within a year.';
}

/**
 * Returns how each line of a new order is supplied.
 * @param laters the packs of each line that come later, at the index of the line; null for none
 * @throws AppError `validation_failed` for a quantity below 1 or above the quantity of the line, or a day in the past
 *   or more than a year ahead
 */
export function plannedSupply(
  ctx: Context,
  lines: readonly Pick<OrderLine, 'quantity' | 'unitStep'>[],
  laters: readonly (Later | null)[],
): SupplyLine[] {
  const errors: FieldError[] = [];
  const supply = lines.map((line, place): SupplyLine => {
    const later = laters[place];
    if (!later) return { owed: 0, expectedOn: null, supplied: 0, by: null, at: null };
    errors.push(...faultsOf(ctx, later, line, line.quantity, `/lines/${place}`));
    return owes(ctx, later.quantity, later.expectedOn);
  });
  if (errors.length > 0) throw invalidInput(errors);
  return supply;
}

function owes(ctx: Context, owed: number, expectedOn: Day): SupplyLine {
  return { owed, expectedOn, supplied: 0, by: actorId(ctx), at: ctx.now() };
}

/**
 * Whether `quantity` of a line can be supplied separately. It must be all of `max`, or a number of whole packs
 * (`unitStep`).
 */
export function isPartOf({ unitStep = 1 }: Pick<OrderLine, 'unitStep'>, quantity: number, max: number): boolean {
  return quantity >= 1 && (quantity === max || (quantity < max && quantity % unitStep === 0));
}

function notAPart({ unitStep = 1 }: Pick<OrderLine, 'unitStep'>, max: number, pointer: string): FieldError {
  const multiple = unitStep > 1 ? `, a multiple of ${unitStep} or all` : '';
  return { pointer, code: 'invalid_value', message: `Send 1 to ${max}${multiple}.` };
}

function faultsOf(
  ctx: Context,
  { quantity, expectedOn }: Later,
  line: Pick<OrderLine, 'unitStep'>,
  max: number,
  pointer: string,
): FieldError[] {
  const day = faultOfExpected(expectedOn, ctx.now());
  return [
    ...(isPartOf(line, quantity, max) ? [] : [notAPart(line, max, `${pointer}/later`)]),
    ...(day === null ? [] : [{ pointer: `${pointer}/expected_on`, code: 'invalid_date' as const, message: day }]),
  ];
}

/**
 * Records that further packs of a line come later. The order must be one that staff pack now. The packs are promised to
 * the order only once they have arrived.
 * @param input.line the line's `supplyKey`
 * @throws AppError `order_not_found`, `not_being_packed`, `on_hold`, `changed_meanwhile` (the line has changed or was
 *   split already), `validation_failed` (more than the unpacked packs, a part of a pack, or an invalid day)
 */
export function splitLine(ctx: Context, orderId: string, input: { line: string } & Later): Promise<void> {
  return changeSupply(ctx, orderId, input.line, 'order.split', (order, place) => {
    assertBeingPacked(order);
    const { scanned, byHand } = packedOf(order, place);
    const line = order.items[place] as OrderLine;
    const errors = faultsOf(ctx, input, line, inHouseOf(order, place) - scanned - byHand, '');
    if (errors.length > 0) throw invalidInput(errors);
    const { owed, supplied } = supplyOf(order, place);
    return { ...owes(ctx, owed + input.quantity, input.expectedOn), supplied };
  });
}

/**
 * Changes the day on which the owed packs of a line are expected. Safe to repeat.
 * @param input.line the line's `supplyKey`
 * @throws AppError `order_not_found`, `changed_meanwhile`, `validation_failed` (an invalid day)
 */
export function expectOn(ctx: Context, orderId: string, input: { line: string; expectedOn: Day }): Promise<void> {
  const { expectedOn } = input;
  return changeSupply(ctx, orderId, input.line, 'order.expected_later', (order, place) => {
    const { owed, expectedOn: before } = supplyOf(order, place);
    if (owed === 0) throw changedMeanwhile();
    const fault = faultOfExpected(expectedOn, ctx.now());
    if (fault !== null) throw invalidField('/expected_on', 'invalid_date', fault);
    return before === expectedOn ? null : { expectedOn, by: actorId(ctx), at: ctx.now() };
  });
}

function changeSupply(
  ctx: Context,
  orderId: string,
  line: string,
  action: 'order.split' | 'order.expected_later',
  change: (order: OrderRow, place: number) => Partial<SupplyLine> | null,
): Promise<void> {
  const { orgId } = requireRole(ctx, SUPPLY_ROLES);
  return retryOnConflict(ctx, async () => {
    const order = await loadOrder(ctx, orgId, orderId);
    const place = placeOf(order, line);
    const changed = change(order, place);
    if (changed === null) return;
    const columns = supplyColumns(withSupply(order, place, changed));
    await commit(ctx, {
      order: updateOrderRow(order, { ...columns, updatedAt: ctx.now() }),
      stock: moveOrderStock(ctx, {
        orgId,
        orderId,
        reason: 'order',
        moves: promiseMoves(promisedOf(order), promisedOf({ ...order, ...columns })),
      }),
      event: orderUpdated(ctx, order, ['items']),
      audit: recordAudit(ctx, { orgId, action, entityId: orderId, fields: ['items'] }),
    });
  });
}

/**
 * Returns the index of the line with a `supplyKey`.
 * @param line the `supplyKey`
 * @throws AppError `changed_meanwhile`
 */
function placeOf(order: OrderRow, line: string): number {
  const place = order.items.findIndex((_, index) => supplyKey(order, index) === line);
  if (place < 0) throw changedMeanwhile();
  return place;
}

/** @throws AppError `on_hold` */
function assertNotOnHold({ onHold }: OrderRow): void {
  if (onHold) throw new AppError('on_hold', 'The order is on hold. Lift the hold first.');
}
