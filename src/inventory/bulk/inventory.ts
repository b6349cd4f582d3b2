import { recordAudit } from '../../audit/record';
import { upsertProducts } from '../../catalog/store';
import type { Unit } from '../../catalog/tables';
import { requireScope } from '../../platform/access';
import { type BatchEntry, commit } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { newId } from '../../platform/ids';
import { createdEvents, ledgerWriter, stockEntries } from '../ledger';
import { ownProduct } from '../own';
import { movedFields, type StockState, stockOf } from '../products';
import { insertMovements, type Moved, rememberCounts, type StockChange, selectMoved } from '../store-stock';
import {
  decideItem,
  failed,
  type InventoryChange,
  type InventoryPlan,
  type ItemResult,
  ProductResolver,
  summaryOf,
} from './items';
import * as store from './store';

/** The result of an item, with the stock of its product after the command. */
export type InventoryResult = ItemResult & Partial<StockState> & { unit?: Unit };

/** An item with the writes that it needs. */
interface Planned extends InventoryPlan {
  place: number;
  p1Id: string;
  item: InventoryChange;
  /** Whether the item creates the product. */
  isMade: boolean;
}

/**
 * Returns further writes for the batch of a command.
 * @param auditId the id of the command's audit row; if D1 runs the batch a second time, the row exists already
 * @param results the results that the items have if the batch is committed
 */
type AlsoWritten = (auditId: string, results: readonly ItemResult[]) => BatchEntry[];

/**
 * Changes many products of the inventory by one command, with one read and one batch. A faulty item (`ITEM_FAULTS`)
 * fails as a whole. The other items are written.
 * @param items at most 500
 * @param also returns further writes of the batch. They are committed even if no item changes anything
 * @returns a result for each item, in order
 * @throws AppError `insufficient_scope` if an item changes anything besides stock and threshold, but the scope for
 *   products is missing
 */
export async function changeInventory(ctx: Context, items: readonly InventoryChange[], also?: AlsoWritten) {
  const { orgId } = requireScope(ctx, 'inventory.write');
  if (items.some(changesProduct)) requireScope(ctx, 'products.write');
  const results = await retryOnConflict(ctx, () => changeOnce(ctx, orgId, items, also));
  return { results, summary: summaryOf(results) };
}

/** Whether an item changes anything besides stock and threshold. */
export function changesProduct(item: InventoryChange): boolean {
  const { isAdded, priceCents, unitStep, attachTo = [], detachFrom = [] } = item;
  return (
    isAdded === true || priceCents !== undefined || unitStep !== undefined || attachTo.length + detachFrom.length > 0
  );
}

async function changeOnce(
  ctx: Context,
  orgId: string,
  items: readonly InventoryChange[],
  also?: AlsoWritten,
): Promise<InventoryResult[]> {
  const named = [...new Set(items.flatMap(({ attachTo = [], detachFrom = [] }) => [...attachTo, ...detachFrom]))];
  const { rows, known } = await ctx.db.run({
    rows: store.selectStockedItems(orgId, items.map(asked)),
    known: store.selectKnownShops(orgId, named),
  });
  const shops = new Set(known.map(({ id }) => id));
  const resolver = new ProductResolver();
  const planned: Planned[] = [];
  const confirmed: { p1Id: string; change?: StockChange }[] = [];
  const results = items.map((item, place): InventoryResult => {
    const row = rows[place] as (typeof rows)[number];
    const { p1Id, fault } = resolver.take(item, row);
    if (fault !== undefined) return failed(p1Id, fault);
    const stock = row.isHeld === 1 ? row : null;
    const facts = {
      ...{ stock, unit: unitOfRow(row), unitStep: row.soldIn, counted: row.counted },
      listedIn: JSON.parse(row.listedIn),
    };
    const plan = decideItem(item, facts, shops);
    if (typeof plan === 'string') return failed(p1Id, plan);
    if (!plan.isNew && !plan.change) confirmed.push({ p1Id, change: item.stock });
    if (plan.isNew || plan.change || plan.fields.length > 0)
      planned.push({ ...plan, place, p1Id, item, isMade: row.p1Id === null });
    return {
      p1Id,
      status: 'unchanged',
      unit: unitOfRow(row) ?? item.own?.values.unit ?? 'piece',
      ...(stock && stockOf(stock)),
    };
  });
  const auditId = newId();
  const more = [
    ...(also?.(auditId, withPlanned(results, planned)) ?? []),
    ...rememberCounts({ orgId, now: ctx.now() }, confirmed),
  ];
  if (planned.length === 0) {
    if (more.length > 0) await commit(ctx, { more });
    return results;
  }
  const moved = await write(ctx, orgId, planned, { auditId, more });
  for (const { place, p1Id, isNew, fields } of planned) {
    const state = moved.get(p1Id);
    const unit = results[place]?.unit;
    if (!state) continue;
    const isChanged = fields.length > 0 || movedFields(state).length > 0;
    results[place] = { p1Id, status: isNew ? 'created' : isChanged ? 'updated' : 'unchanged', unit, ...stockOf(state) };
  }
  return results;
}

/** Returns the unit of an item's product; null for a product that the item creates. */
export function unitOfRow({ p1Id, countedIn }: { p1Id: string | null; countedIn: Unit }): Unit | null {
  return p1Id === null ? null : countedIn;
}

function withPlanned(results: readonly ItemResult[], planned: readonly Planned[]): ItemResult[] {
  const all = [...results];
  for (const { place, p1Id, isNew } of planned) all[place] = { p1Id, status: isNew ? 'created' : 'updated' };
  return all;
}

/** Writes the planned changes in one batch. @returns the stock of each product after the batch, by product id */
async function write(
  ctx: Context,
  orgId: string,
  planned: readonly Planned[],
  { auditId, more }: { auditId: string; more: readonly BatchEntry[] },
): Promise<ReadonlyMap<string, Moved>> {
  const now = ctx.now();
  const at = { ...ctx, now: () => now };
  const [added, held] = [planned.filter(({ isNew }) => isNew), planned.filter(({ isNew }) => !isNew)];
  const attached = planned.flatMap(({ p1Id, attachTo }) => attachTo.map((shopId) => ({ shopId, p1Id })));
  const detached = planned.flatMap(({ p1Id, detachFrom }) => detachFrom.map((shopId) => ({ shopId, p1Id })));
  const made = added.flatMap(({ p1Id, item, isMade }) => (isMade && item.own ? [ownProduct(p1Id, item.own)] : []));
  const changes = held.filter(
    ({ priceCents, lowStockThreshold, unitStep }) =>
      priceCents !== undefined || lowStockThreshold !== undefined || unitStep !== undefined,
  );
  const stock = stockEntries(at, orgId, held.map(stockWriteOf), { isBulk: true });
  const first = firstMovements(at, orgId, added);
  const names = [...new Set(planned.flatMap(namesOf))];
  const entries: BatchEntry[] = [
    store.whileAsRead(orgId, auditId, {
      products: planned.map(({ p1Id, isNew, stockVersion }) => ({ p1Id, isHeld: !isNew, stockVersion })),
      shopIds: [...new Set(attached.map(({ shopId }) => shopId))],
    }),
    ...more,
    ...upsertProducts(made, now, orgId),
    ...(added.length > 0 ? [store.insertStockedEach(orgId, added.map(addedOf), now)] : []),
    ...store.updateStockedEach(orgId, changes.map(valuesOf), now),
    ...(detached.length > 0 ? [store.deleteListingsEach(detached)] : []),
    ...(attached.length > 0 ? [store.insertListingsEach(orgId, attached, now)] : []),
    ...first.entries,
    ...(held.length > 0 ? stock.entries : []),
    recordAudit(at, {
      id: auditId,
      orgId,
      action: 'inventory.changed',
      entityId: orgId,
      fields: [`products:${planned.length}`, ...names],
    }),
  ];
  const written = await commit(ctx, { entries, held: stock.after, added: first.after });
  return new Map([...written.held, ...written.added].map((each) => [each.p1Id, each]));
}

/** Returns the first stock movements of added products, with their events. */
function firstMovements(ctx: Context, orgId: string, added: readonly Planned[]) {
  const movements = added.map(({ p1Id, change = { to: 0 }, item: { reason = 'initial' as const, reference } }) => {
    return { id: newId(), p1Id, change, reason, reference };
  });
  const p1Ids = added.map(({ p1Id }) => p1Id);
  return {
    entries:
      added.length === 0
        ? []
        : [insertMovements(ledgerWriter(ctx, orgId), movements), ...createdEvents(ctx, orgId, p1Ids)],
    after: selectMoved(orgId, movements),
  };
}

export function asked({ p1Id, pzn, stock, attachTo, detachFrom }: InventoryChange): store.AskedProduct {
  const count = stock && 'onHand' in stock ? stock : undefined;
  return { p1Id, pzn, ...count, asksShops: attachTo !== undefined || detachFrom !== undefined };
}

function stockWriteOf({ p1Id, change, fields, item: { reason, reference } }: Planned) {
  return { p1Id, change, fields, reason, reference };
}

function addedOf({ p1Id, priceCents = null, lowStockThreshold = null, unitStep, change }: Planned) {
  const stock = change && 'to' in change ? change.to : change && 'onHand' in change ? change.onHand : 0;
  return { p1Id, priceCents, lowStockThreshold, unitStep, stock };
}

function valuesOf({ p1Id, priceCents, lowStockThreshold, unitStep }: Planned) {
  return { p1Id, priceCents, lowStockThreshold, unitStep };
}

/** Returns the wire names of the fields that an item changes, for the audit log. */
function namesOf({ change, fields }: Planned): string[] {
  return [...(change ? ['onHand' in change ? 'on_hand' : 'stock_quantity'] : []), ...fields];
}
