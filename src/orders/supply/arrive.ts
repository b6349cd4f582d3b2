import { recordAudit } from '../../audit/record';
import { type Code, readCode } from '../../codes/service';
import { moveOrderStock, selectPromisable } from '../../inventory/service';
import { requireRole } from '../../platform/access';
import { commit } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { AppError, invalidInput } from '../../platform/errors';
import { dayOf } from '../../platform/pharmacy-time';
import { PackExpired } from '../errors';
import { orderUpdated } from '../news';
import { isBeingPacked, withPacks } from '../packed';
import { type LabelledOrder, orderOfLabel } from '../packing/label';
import { assertNewPack, serialHash, whoAndWhen } from '../packing/pack';
import { supplyColumns, supplyOf, withSupply } from '../parts';
import { requireOrder } from '../require';
import { promisedOf, promiseMoves } from '../rules';
import { type OrderRow, selectOrder, updateOrderRow } from '../store';
import { productsOf } from '../store-detail';
import type { PackedLine } from '../tables';
import { placeOf, SUPPLY_ROLES } from './split';
import { productsWithPzn, selectPzns, selectWaitingFor } from './store';

type Promisable = Awaited<ReturnType<typeof selectPromisable>>;

/** What came of a scan among what is expected. */
export type ScannedArrival =
  | { did: 'arrived'; order: Pick<OrderRow, 'id' | 'number' | 'shelf'>; isPacked: boolean }
  /** The label of an order: nothing was changed. */
  | { did: 'label'; order: LabelledOrder };

/**
 * Says that packs have come that a line owes: they are promised to its order. What can be promised by then, a delivery that was
 * booked, is taken; what is missing to it comes into the house with this.
 * @param input.line as `supplyKey` gives it
 * @throws AppError `order_not_found`, `changed_meanwhile`, `product_not_in_inventory`, `validation_failed` (not 1 to all that is owed)
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
    if (!(Number.isInteger(quantity) && quantity >= 1 && quantity <= owed)) {
      throw invalidInput([{ pointer: '/quantity', code: 'invalid_value', message: `Send 1 to ${owed}.` }]);
    }
    await commitArrival(ctx, order, { place, quantity, stock });
  });
}

/**
 * Books a scanned pack on the oldest order that waits for it, and ticks it as packed where that order is being packed.
 * @param input.last the order of the scan before, as the page says it: a pack with a serial that was scanned for it is refused
 * @throws AppError `unknown_code`, `nothing_expected`, `pack_already_scanned`, `pack_already_left`, `pack_expired`,
 *   `product_not_in_inventory`
 */
export async function scanArrival(ctx: Context, input: { text: string; last: string | null }): Promise<ScannedArrival> {
  requireRole(ctx, SUPPLY_ROLES);
  const code = readCode(input.text);
  if (!code) throw unknownCode('This is no code of a pack or label, or it was not read whole.');
  if (code.kind === 'pack') return scanPack(ctx, code, input.last);
  const order = await orderOfLabel(ctx, code);
  if (!order) throw unknownCode('This label belongs to no order of this pharmacy.');
  return { did: 'label', order };
}

function scanPack(ctx: Context, pack: Extract<Code, { kind: 'pack' }>, last: string | null): Promise<ScannedArrival> {
  const { orgId } = requireRole(ctx, SUPPLY_ROLES);
  const { pzn } = pack;
  if (pzn === null) throw nothingExpected();
  return retryOnConflict(ctx, async () => {
    const { rows, stock, meant, before } = await ctx.db.run({
      rows: selectWaitingFor(orgId, pzn),
      stock: selectPromisable(orgId, productsWithPzn(pzn)),
      meant: selectPzns(productsWithPzn(pzn)),
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
    const isPacked = isBeingPacked(order);
    const serial = pack.serial === null ? null : await serialHash(order.id, pack);
    const packs = { how: 'scanned' as const, count: 1, serial, ...whoAndWhen(ctx) };
    const packing = isPacked ? withPacks(order, place, packs) : undefined;
    await commitArrival(ctx, order, { place, quantity: 1, stock, packing });
    return { did: 'arrived', order, isPacked };
  });
}

interface Arrival {
  place: number;
  quantity: number;
  stock: Promisable;
  packing?: PackedLine[];
}

async function commitArrival(ctx: Context, order: OrderRow, { place, quantity, stock, packing }: Arrival) {
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
    order: updateOrderRow(order, { ...columns, ...(packing && { packing }), updatedAt: ctx.now() }),
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

function unknownCode(why: string): AppError {
  return new AppError('unknown_code', why);
}

function nothingExpected(): AppError {
  return new AppError('nothing_expected', 'No order waits for this pack.');
}
