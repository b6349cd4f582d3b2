import { recordAudit } from '../../audit/record';
import { moveOrderStock } from '../../inventory/service';
import { actorId, requireRole } from '../../platform/access';
import { commit } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { AppError, type FieldError, invalidInput } from '../../platform/errors';
import { addDays, type Day, dayOf, readDay } from '../../platform/pharmacy-time';
import { orderUpdated } from '../news';
import { packedOf } from '../packed';
import { assertBeingPacked, changedMeanwhile } from '../packing/pack';
import { inHouseOf, supplyColumns, supplyKey, supplyOf, withSupply } from '../parts';
import { loadOrder } from '../read';
import { promisedOf, promiseMoves } from '../rules';
import { type OrderRow, updateOrderRow } from '../store';
import type { SupplyLine } from '../tables';

export const SUPPLY_ROLES = ['owner', 'pharmacist', 'staff'] as const;

/** So far ahead something can be expected. */
const EXPECTED_DAYS_MAX = 366;

/** What of one line comes later, and when it is expected. */
export interface Later {
  quantity: number;
  expectedOn: Day;
}

/** What is wrong with the day on which something is expected; null for nothing. */
export function faultOfExpected(day: Day, now: number): string | null {
  const today = dayOf(now);
  if (readDay(day) !== null && day >= today && day <= addDays(today, EXPECTED_DAYS_MAX)) return null;
  return 'Send the day as yyyy-mm-dd: today, or within a year.';
}

/**
 * The supply of an order that is to be made, for its lines.
 * @param laters what of each line comes later, at the line's place
 * @throws AppError `validation_failed`: not 1 to all packs of the line, or a day that has passed
 */
export function plannedSupply(
  ctx: Context,
  lines: readonly { quantity: number }[],
  laters: readonly (Later | null)[],
): SupplyLine[] {
  const errors: FieldError[] = [];
  const supply = lines.map(({ quantity }, place): SupplyLine => {
    const later = laters[place];
    if (!later) return { owed: 0, expectedOn: null, supplied: 0, by: null, at: null };
    errors.push(...faultsOf(ctx, later, quantity, `/lines/${place}`));
    return owes(ctx, later.quantity, later.expectedOn);
  });
  if (errors.length > 0) throw invalidInput(errors);
  return supply;
}

function owes(ctx: Context, owed: number, expectedOn: Day): SupplyLine {
  return { owed, expectedOn, supplied: 0, by: actorId(ctx), at: ctx.now() };
}

function faultsOf(ctx: Context, { quantity, expectedOn }: Later, max: number, pointer: string): FieldError[] {
  const isPart = Number.isInteger(quantity) && quantity >= 1 && quantity <= max;
  const day = faultOfExpected(expectedOn, ctx.now());
  return [
    ...(isPart ? [] : [{ pointer: `${pointer}/later`, code: 'invalid_value' as const, message: `Send 1 to ${max}.` }]),
    ...(day === null ? [] : [{ pointer: `${pointer}/expected_on`, code: 'invalid_date' as const, message: day }]),
  ];
}

/**
 * Says while an order is packed that packs of a line come later, more of them than before: their promise ends until they are there.
 * @param input.line as `supplyKey` gives it
 * @throws AppError `order_not_found`, `not_being_packed`, `on_hold`, `changed_meanwhile` (the line is another one by now, or split
 *   already), `validation_failed` (more than is not packed yet, or a day that has passed)
 */
export function splitLine(ctx: Context, orderId: string, input: { line: string } & Later): Promise<void> {
  return changeSupply(ctx, orderId, input.line, 'order.split', (order, place) => {
    assertBeingPacked(order);
    const { scanned, byHand } = packedOf(order, place);
    const errors = faultsOf(ctx, input, inHouseOf(order, place) - scanned - byHand, '');
    if (errors.length > 0) throw invalidInput(errors);
    const { owed, supplied } = supplyOf(order, place);
    return { ...owes(ctx, owed + input.quantity, input.expectedOn), supplied };
  });
}

/**
 * Says that what is owed of a line is expected on another day. Safe to repeat.
 * @param input.line as `supplyKey` gives it
 * @throws AppError `order_not_found`, `changed_meanwhile`, `validation_failed` (a day that has passed)
 */
export function expectOn(ctx: Context, orderId: string, input: { line: string; expectedOn: Day }): Promise<void> {
  const { expectedOn } = input;
  return changeSupply(ctx, orderId, input.line, 'order.expected_later', (order, place) => {
    const { owed, expectedOn: before } = supplyOf(order, place);
    if (owed === 0) throw changedMeanwhile();
    const fault = faultOfExpected(expectedOn, ctx.now());
    if (fault !== null) throw invalidInput([{ pointer: '/expected_on', code: 'invalid_date', message: fault }]);
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

/** @param line as `supplyKey` gives it @throws AppError `changed_meanwhile` */
export function placeOf(order: OrderRow, line: string): number {
  const place = order.items.findIndex((_, index) => supplyKey(order, index) === line);
  if (place < 0) throw changedMeanwhile();
  return place;
}

/** @throws AppError `on_hold` */
export function assertNotOnHold({ onHold }: OrderRow): void {
  if (onHold) throw new AppError('on_hold', 'The order is on hold. Lift the hold first.');
}
