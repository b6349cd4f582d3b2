import { recordAudit } from '../../audit/record';
import { labelText, shopMark } from '../../codes/label';
import { type Code, readCode } from '../../codes/read';
import { type OrderableProduct, orderableById } from '../../inventory/browse';
import { selectOrderable } from '../../inventory/store-listings';
import { actorId, requireRole, requireScope } from '../../platform/access';
import { commit } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { sha256, toHex, utf8 } from '../../platform/crypto/crypto';
import { AppError } from '../../platform/errors/errors';
import { dayOf } from '../../platform/pharmacy-time';
import { unknownBatchOf, withBatch, withoutBatches } from '../batch-rules';
import { changeOrder } from '../change';
import { loadOrder, requireOrder } from '../read';
import {
  allowedTransitions,
  isBeingPacked,
  isLocked,
  isPacked,
  isWeighed,
  NotPacked,
  PackExpired,
  packedOf,
  progressOf,
  supplyKey,
  WrongPack,
  withoutPacks,
  withPacks,
} from '../rules';
import { type OrderRow, productsOfOrPzn, selectOrder, selectOrderByNumber, shopIdOf, updateOrderRow } from '../store';
import type { OrderLine, PackedLine } from '../tables';

type Pack = Extract<Code, { kind: 'pack' }>;

/** The result of a scan. */
type Scanned =
  | { did: 'packed'; name: string; isLast: boolean }
  /** The order's own label was scanned after all packs were ticked. The order is ready now. */
  | { did: 'ready' }
  /** The order's own label was scanned, and the order was ready already. It is to be handed over or shipped. */
  | { did: 'leaving'; by: 'hand-over' | 'ship' }
  /** The label of another order was scanned. Nothing was changed. */
  | { did: 'other_label'; order: LabelledOrder; isUnfinished: boolean };

const STAFF = ['owner', 'pharmacist', 'staff'] as const;
const HASH_LENGTH = 24;

/**
 * Ticks a scanned pack on a line that still needs one. If the order's own label is scanned, ends packing.
 * A pack with a serial counts once per order. A pack without a serial is refused if packs were ticked since the page
 * was loaded.
 * @param seen how many packs the page showed as ticked
 * @throws AppError `order_not_found`, `unknown_code`, `not_being_packed`, `on_hold`, `wrong_pack`,
 *   `pack_already_scanned`, `pack_already_left`, `pack_expired`, `changed_meanwhile`; `not_packed` for the order's own
 *   label
 */
export async function scanForOrder(ctx: Context, orderId: string, input: { text: string; seen: number | null }) {
  requireRole(ctx, STAFF);
  const code = readCode(input.text);
  if (!code) throw new AppError('unknown_code', 'This is no code of a pack or label, or it was not read whole.');
  return code.kind === 'label' ? scanLabel(ctx, orderId, code) : scanPack(ctx, orderId, code, input.seen);
}

async function scanLabel(ctx: Context, orderId: string, label: Extract<Code, { kind: 'label' }>): Promise<Scanned> {
  const { orgId } = requireRole(ctx, STAFF);
  const [order, other] = [await loadOrder(ctx, orgId, orderId), await orderOfLabel(ctx, label)];
  if (!other) throw new AppError('unknown_code', 'This label belongs to no order of this pharmacy.');
  if (other.id !== orderId) {
    const { packed, open } = progressOf(order);
    return { did: 'other_label', order: other, isUnfinished: isBeingPacked(order) && packed > 0 && open.length > 0 };
  }
  if (order.status === 'ready_pickup' || order.status === 'ready_shipping') {
    return { did: 'leaving', by: order.status === 'ready_pickup' ? 'hand-over' : 'ship' };
  }
  assertBeingPacked(order);
  if (!isPacked(order)) throw new NotPacked(progressOf(order));
  const next = allowedTransitions(order).find((step) => step === 'ready_pickup' || step === 'ready_shipping');
  await changeOrder(ctx, orderId, { status: next });
  return { did: 'ready' };
}

function scanPack(ctx: Context, orderId: string, pack: Pack, seen: number | null): Promise<Scanned> {
  const { orgId } = requireRole(ctx, STAFF);
  return retryOnConflict(ctx, async () => {
    const { rows, found } = await ctx.db.run({
      rows: selectOrder({ orgId, id: orderId }),
      found: selectOrderable(orgId, shopIdOf(orgId, orderId), productsOfOrPzn(orgId, orderId, pack.pzn)),
    });
    const order = requireOrder(rows[0]);
    assertBeingPacked(order);
    const serial = pack.serial === null ? null : await serialHash(orderId, pack);
    const place = placeFor(order, orderableById(found), pack, { serial, today: dayOf(ctx.now()) });
    if (serial === null && seen !== null && seen !== progressOf(order).packed) throw changedMeanwhile();
    const missing = progressOf(order).open.find((each) => each.place === place)?.missing ?? 0;
    const count = countOfScan(order.items[place] as OrderLine, missing);
    const packing = withPacks(order, place, { how: 'scanned', count, serial, ...whoAndWhen(ctx) });
    await writePacking(ctx, order, { packing, items: withScannedBatch(order.items, place, pack, count) });
    return { did: 'packed', name: nameOf(order.items[place] as OrderLine), isLast: isPacked({ ...order, packing }) };
  });
}

/**
 * Returns the quantity that a scanned pack adds to a line: the content of the pack, but at most `missing`.
 * @throws AppError `weighing_needed` for a weighed product, because its code does not say the weight
 */
export function countOfScan(line: OrderLine, missing: number): number {
  if (isWeighed(line)) throw new AppError('weighing_needed', 'This product is weighed. Enter the weight at its line.');
  return Math.min(missing, line.unitStep ?? 1);
}

/** Returns the lines with the batch of a scanned pack. They are unchanged if the code of the pack names no batch. */
export function withScannedBatch(items: OrderLine[], place: number, pack: Pack, count: number): OrderLine[] {
  const { batch, expires } = pack;
  return batch === null
    ? items
    : withBatch(items, place, { batch, quantity: count, ...(expires !== null && { expiresOn: expires }) });
}

/** Returns the index of the line that a scanned pack is ticked on. Throws if the order needs no such pack. */
function placeFor(
  order: OrderRow,
  products: ReadonlyMap<string, OrderableProduct>,
  pack: Pack,
  { serial, today }: { serial: string | null; today: string },
): number {
  const progress = progressOf(order);
  const isMeant = ({ p1Id }: OrderLine) => pack.pzn !== null && products.get(p1Id ?? '')?.pzn === pack.pzn;
  const places = order.items.flatMap((item, place) => (isMeant(item) ? [place] : []));
  const named = [...products.values()].find(({ pzn }) => pzn !== null && pzn === pack.pzn)?.name;
  const scanned = named ?? (pack.pzn === null ? `GTIN ${pack.gtin}` : `PZN ${pack.pzn}`);
  if (places.length === 0) throw new WrongPack(scanned, false, order.number, progress);
  assertNewPack(order, serial);
  if (pack.expires !== null && pack.expires < today) throw new PackExpired(pack.expires);
  const open = progress.open.find(({ place }) => places.includes(place));
  if (!open) throw new WrongPack(scanned, true, order.number, progress);
  return open.place;
}

/**
 * Refuses a pack that was already scanned for the order, or that has already left with a part of the order.
 * @param serial the pack's `serialHash`; null for a pack without a serial
 * @throws AppError `pack_already_scanned`, `pack_already_left`
 */
export function assertNewPack({ packing, supply }: OrderRow, serial: string | null): void {
  if (serial === null) return;
  if (packing?.some(({ serials }) => serials.includes(serial))) {
    throw new AppError('pack_already_scanned', 'This pack was scanned already.');
  }
  if (supply?.some(({ serials }) => serials?.includes(serial))) {
    throw new AppError('pack_already_left', 'This pack has left already.');
  }
}

/**
 * Ticks all missing packs of a line by hand, for packs that no scanner can read. The packing records that they were
 * ticked by hand. Safe to repeat.
 * @param key the line's `supplyKey` as the caller saw it. It changes when packs arrive, and then nothing is ticked
 * @param weighed the weight in 0.1 g, for a weighed product; at least the missing amount minus 0.1 g
 * @param checkedBy who checked the weighing; undefined if the person who weighed checked it
 * @param batch the batch of these packs; null if it is unknown
 * @throws AppError `order_not_found`, `not_being_packed`, `on_hold`, `changed_meanwhile` if the line has changed,
 *   `weighing_needed` (no weight, or too little)
 */
export function packByHand(
  ctx: Context,
  orderId: string,
  key: string,
  {
    weighed = null,
    checkedBy,
    batch = null,
  }: { weighed?: number | null; checkedBy?: string; batch?: string | null } = {},
): Promise<void> {
  return changePacking(ctx, orderId, key, (order, place) => {
    const count = progressOf(order).open.find((line) => line.place === place)?.missing ?? 0;
    if (count === 0) return null;
    const packs = { how: 'byHand' as const, count, serial: null, ...whoAndWhen(ctx) };
    const items = batch === null ? order.items : withBatch(order.items, place, { batch, quantity: count });
    if (!isWeighed(order.items[place] as OrderLine)) return { packing: withPacks(order, place, packs), items };
    if (weighed === null || weighed < count * TENTHS - 1) {
      throw new AppError('weighing_needed', `Weigh in ${count} g, or supply the rest later.`);
    }
    return { packing: withPacks(order, place, { ...packs, weighed, checkedBy }), items };
  });
}

/** How many tenths one gram has. Weights are stored in tenths. */
const TENTHS = 10;

/** Removes all ticks of a line. Safe to repeat. @throws as `packByHand` */
export function unpackLine(ctx: Context, orderId: string, key: string): Promise<void> {
  return changePacking(ctx, orderId, key, (order, place) => {
    const { scanned, byHand } = packedOf(order, place);
    if (scanned + byHand === 0) return null;
    return { packing: withoutPacks(order, place), items: withoutBatches(order.items, place) };
  });
}

/**
 * Sets the batch of the ticked packs of a line that have no batch yet. Safe to repeat.
 * @throws as `packByHand`
 */
export function setBatch(ctx: Context, orderId: string, key: string, batch: string): Promise<void> {
  return changePacking(ctx, orderId, key, (order, place) => {
    const quantity = unknownBatchOf(order, place);
    return quantity > 0 ? { items: withBatch(order.items, place, { batch, quantity }) } : null;
  });
}

/** The columns that packing changes. */
interface Packed {
  packing?: PackedLine[];
  items: OrderLine[];
}

function changePacking(
  ctx: Context,
  orderId: string,
  key: string,
  change: (order: OrderRow, place: number) => Packed | null,
): Promise<void> {
  const { orgId } = requireRole(ctx, STAFF);
  return retryOnConflict(ctx, async () => {
    const order = await loadOrder(ctx, orgId, orderId);
    assertBeingPacked(order);
    const place = order.items.findIndex((_, index) => supplyKey(order, index) === key);
    if (place < 0) throw changedMeanwhile();
    const packed = change(order, place);
    if (packed) await writePacking(ctx, order, packed);
  });
}

/**
 * Writes the packing. The audit log records when the order becomes packed or unpacked, and when a batch is set later.
 * It does not record each tick. The line itself names the person who ticked it last.
 */
async function writePacking(ctx: Context, order: OrderRow, { packing, items }: Packed): Promise<void> {
  const [before, after] = [isPacked(order), isPacked({ ...order, packing: packing ?? order.packing })];
  const action = packing === undefined ? 'order.updated' : after ? 'order.packed' : 'order.unpacked';
  const isTold = packing === undefined || before !== after;
  const fields = packing === undefined ? ['items'] : undefined;
  await commit(ctx, {
    order: updateOrderRow(order, { ...(packing && { packing }), ...(items !== order.items && { items }) }),
    audit: isTold ? recordAudit(ctx, { orgId: order.orgId, action, entityId: order.id, fields }) : undefined,
  });
}

/** @throws AppError `on_hold`, `not_being_packed` */
export function assertBeingPacked(order: OrderRow): void {
  if (isBeingPacked(order)) return;
  if (order.onHold) throw new AppError('on_hold', 'The order is on hold. Lift the hold before it is packed.');
  throw new AppError('not_being_packed', `The order is ${order.status}; nothing is packed now.`);
}

export function changedMeanwhile(): AppError {
  return new AppError('changed_meanwhile', 'The order was changed or packed elsewhere. Look at it again.');
}

export const whoAndWhen = (ctx: Context) => ({ by: actorId(ctx), at: ctx.now() });
const nameOf = ({ productName, name }: OrderLine) => productName ?? name;

/**
 * Returns a hash of a pack's serial. It tells the packs of one order apart and reveals nothing else. It includes the
 * product, because serials are unique only within a product. It ignores upper and lower case.
 */
export async function serialHash(orderId: string, { gtin, pzn, serial }: Pack): Promise<string> {
  const text = [orderId, pzn ?? gtin, serial?.toUpperCase()].join('\n');
  return toHex(await sha256(utf8(text))).slice(0, HASH_LENGTH);
}

type Label = Extract<Code, { kind: 'label' }>;

/** The text of the code on an order's labels. */
export function labelOf({ shopId, number }: Pick<OrderRow, 'shopId' | 'number'>): string {
  return labelText({ shop: shopMark(shopId), number });
}

/** Returns the order that a label belongs to; null if the label is of another pharmacy or of a deleted order. */
export async function orderOfLabel(ctx: Context, label: Label) {
  const { orgId } = requireScope(ctx, 'orders.read');
  const [order] = await ctx.db.rows(selectOrderByNumber(orgId, label.number));
  return order && shopMark(order.shopId) === label.shop ? order : null;
}

export type LabelledOrder = NonNullable<Awaited<ReturnType<typeof orderOfLabel>>>;

type Place = Pick<OrderRow, 'shelf' | 'bags'>;

/**
 * Records where an order waits and in how many bags. Safe to repeat.
 * @throws AppError `order_not_found`, `order_locked`
 */
export function shelveOrder(ctx: Context, orderId: string, place: Place): Promise<void> {
  const { orgId } = requireRole(ctx, ['owner', 'pharmacist', 'staff']);
  return retryOnConflict(ctx, async () => {
    const order = await loadOrder(ctx, orgId, orderId);
    const fields = (['shelf', 'bags'] as const).filter((key) => order[key] !== place[key]);
    if (fields.length === 0) return;
    if (isLocked(order.status)) throw new AppError('order_locked', `The order is ${order.status}; it waits nowhere.`);
    await commit(ctx, {
      order: updateOrderRow(order, place),
      audit: recordAudit(ctx, { orgId, action: 'order.updated', entityId: orderId, fields }),
    });
  });
}
