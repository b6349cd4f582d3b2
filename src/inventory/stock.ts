import { recordAudit } from '../audit/record';
import type { Unit } from '../catalog/tables';
import { requireScope, requireSystem } from '../platform/access';
import { type BatchEntry, commit } from '../platform/commit';
import { retryOnConflict } from '../platform/conflict';
import { type Context, forOrganization } from '../platform/context';
import { pageOf } from '../platform/data/page';
import type { Condition } from '../platform/data/statements';
import { AppError } from '../platform/errors/errors';
import { newId } from '../platform/ids';
import { logged } from '../platform/log';
import { outboxEvent } from '../webhooks/outbox';
import { InsufficientStock, ledgerWriter, productEvents, stockEntries, stockEvents } from './ledger';
import {
  mayMove,
  movedFields,
  notHeld,
  requireCatalogProduct,
  requireStocked,
  resolveRow,
  type StockState,
  stockOf,
} from './products';
import * as store from './store';
import { deleteListingsOf } from './store-listings';
import {
  insertReleased,
  insertReserved,
  type Reserved,
  type Reserving,
  selectDueReservations,
} from './store-reservations';
import { hasMoved, insertMovements, type Moved, rememberCounts, type StockChange } from './store-stock';
import type { StockReason } from './tables';

/**
 * Returns a page of the organization's inventory, ordered by p1_id, and the cursor of the next page, which is null on
 * the last page.
 */
export async function listInventory(ctx: Context, input: { limit: number; after: string | null }) {
  const { orgId } = requireScope(ctx, 'inventory.read');
  const rows = await ctx.db.rows(store.selectInventory({ orgId, after: input.after ?? '', limit: input.limit + 1 }));
  const { page, nextCursor } = pageOf(rows, input.limit, ({ p1Id }) => p1Id);
  return { items: page.map(inventoryItem), nextCursor };
}

/**
 * Returns one product of the inventory, as the list shows it.
 * @throws AppError `catalog_product_not_found`; `not_found` when the organization does not hold it
 */
export async function getInventoryItem(ctx: Context, p1Id: string): Promise<InventoryItem> {
  const { orgId } = requireScope(ctx, 'inventory.read');
  const [found] = await ctx.db.rows(store.selectInventoryItem({ orgId, p1Id }));
  const row = requireCatalogProduct(found);
  if (row.stockQuantity === null) throw notHeld();
  return inventoryItem(row);
}

function inventoryItem(row: store.InventoryRow) {
  const { name, slug, category, priceCents, unit, unitStep } = resolveRow(row, {}).values;
  return {
    ...{ p1Id: row.p1Id, name, slug, category, priceCents, unit, unitStep },
    ...stockOf(row),
    /** The product's own threshold, otherwise the organization's. */
    lowStockThreshold: row.threshold,
    /** Epoch ms. */
    createdAt: row.createdAt ?? 0,
    updatedAt: row.updatedAt ?? 0,
  };
}

export type InventoryItem = ReturnType<typeof inventoryItem>;

interface ChangeStockInput {
  p1Id: string;
  change?: StockChange;
  reason: StockReason;
  reference?: string | null;
  /** The product's own threshold; null if the organization's threshold applies. */
  lowStockThreshold?: number | null;
  /** The stock is changed only if it has this version. */
  ifStockVersion?: number;
}

/**
 * Changes the stock of a product, or its own threshold, or both. One batch writes the change and its events.
 * @throws AppError `catalog_product_not_found`, `product_not_in_inventory`, `insufficient_stock`, `version_mismatch`
 */
export function changeStock(
  ctx: Context,
  input: ChangeStockInput,
): Promise<StockState & { p1Id: string; unit: Unit; changed: string[] }> {
  const { orgId } = requireScope(ctx, 'inventory.write');
  return retryOnConflict(ctx, () => writeStock(ctx, orgId, input));
}

async function writeStock(ctx: Context, orgId: string, input: ChangeStockInput) {
  const { p1Id, lowStockThreshold, ifStockVersion, reason, reference } = input;
  const rows = await ctx.db.rows(store.selectProductStock(orgId, p1Id));
  const row = requireStocked(requireCatalogProduct(rows[0]));
  const before = stockOf(row);
  const { unit } = resolveRow(row, {}).values;
  if (ifStockVersion !== undefined && ifStockVersion !== before.stockVersion) throw versionMismatch();
  const setsThreshold = lowStockThreshold !== undefined && lowStockThreshold !== row.lowStockThreshold;
  const thresholdFields = setsThreshold ? ['low_stock_threshold'] : [];
  const change = input.change && mayMove(input.change, before) ? input.change : undefined;
  const now = ctx.now();
  const confirmed = change ? [] : rememberCounts({ orgId, now }, [input]);
  if (!change && !setsThreshold) {
    if (confirmed.length > 0) await commit(ctx, { confirmed });
    return { p1Id, unit, ...before, changed: [] };
  }
  // The audit row gets the time of the ledger row.
  const at = { ...ctx, now: () => now };
  const { entries, after, moved } = stockEntries(at, orgId, [
    { p1Id, change, reason, reference, fields: thresholdFields, stockVersion: ifStockVersion },
  ]);
  const isCount = change !== undefined && 'onHand' in change;
  const fields = [...(change ? [isCount ? 'on_hand' : 'stock_quantity'] : []), ...thresholdFields];
  const written = await commit(
    ctx,
    {
      threshold: setsThreshold ? store.updateStocked(orgId, p1Id, { lowStockThreshold, updatedAt: now }) : undefined,
      // A count changes nothing if a later count is stored.
      changes: [...confirmed, ...entries],
      audit: recordAudit(at, {
        orgId,
        action: 'stock.changed',
        entityId: p1Id,
        fields,
        reasonCode: change ? reason : undefined,
        onlyIf: setsThreshold || !moved[0] ? undefined : hasMoved(orgId, moved[0]),
      }),
      after,
    },
    { constraints: { stock_not_negative: () => new InsufficientStock(before.stockQuantity) } },
  );
  // SAFETY: the batch is undone unless the product is stocked.
  const state = written.after[0] as Moved;
  return { p1Id, unit, ...stockOf(state), changed: [...movedFields(state), ...thresholdFields] };
}

function versionMismatch(): AppError {
  return new AppError('version_mismatch', 'The stock has another stock_version by now. Read it again and decide anew.');
}

/**
 * Removes a product from the inventory and from every shop at once. The values of the organization and its shops are
 * deleted too, so a person also needs the right to change products. An API key needs only the scope that the contract
 * names.
 * @throws AppError `catalog_product_not_found`, `product_not_in_inventory`
 */
export function removeFromInventory(ctx: Context, p1Id: string): Promise<{ p1Id: string; detachedShopIds: string[] }> {
  const { orgId } = requireScope(ctx, ctx.actor.kind === 'staff' ? 'products.write' : 'inventory.write');
  return retryOnConflict(ctx, async () => {
    const rows = await ctx.db.rows(store.selectProduct({ orgId, p1Id }));
    requireStocked(requireCatalogProduct(rows[0]));
    const now = ctx.now();
    const { listings } = await commit(ctx, {
      listings: deleteListingsOf(orgId, p1Id),
      // The ledger ends at zero, so that its sum equals the stock if the product is added again.
      stock: insertMovements({ ...ledgerWriter(ctx, orgId), now }, [
        { id: newId(), p1Id, change: { onHand: 0 }, reason: 'removed' },
      ]),
      stocked: store.deleteStocked(orgId, p1Id),
      audit: recordAudit({ ...ctx, now: () => now }, { orgId, action: 'product.removed', entityId: p1Id }),
      event: outboxEvent(ctx, { type: 'product_deleted', orgId, metadata: { p1_id: p1Id } }),
    });
    return { p1Id, detachedShopIds: listings.map(({ shopId }) => shopId) };
  });
}

interface NewReservation extends Omit<Reserving, 'id' | 'actorKind' | 'actorId' | 'now'> {
  /** The products that the items name. */
  p1Ids: readonly string[];
}

/**
 * Returns the batch entries that reserve the items of a request, and their events. Put them into the batch that stores
 * the request. At most the quantity that can be promised is reserved.
 */
export function reserveEntries(ctx: Context, { p1Ids, ...of }: NewReservation, onlyIf: Condition): BatchEntry[] {
  if (p1Ids.length === 0) return [];
  const id = newId();
  const moved = p1Ids.map((p1Id) => ({ p1Id, id, movementId: id }));
  return [
    insertReserved({ ...ledgerWriter(ctx, of.orgId), ...of, id }, onlyIf),
    ...productEvents(ctx, of.orgId, moved),
    ...stockEvents(ctx, of.orgId, moved),
  ];
}

/**
 * Returns the batch entries that release reservations, with one event for each product. Put them into the batch that
 * ends the requests.
 * @param reserved the reservations as they were read. A reservation that was released since is skipped
 * @param dueAt epoch ms: only reservations that end by this time are released; null releases all
 */
export function releaseEntries(
  ctx: Context,
  orgId: string,
  reserved: readonly Reserved[],
  dueAt: number | null = null,
): BatchEntry[] {
  if (reserved.length === 0) return [];
  const released = reserved.map(({ requestId, p1Id }) => ({ requestId, p1Id, id: newId() }));
  const changed = new Map(released.map(({ p1Id, id }) => [p1Id, { p1Id, movementId: id }]));
  return [
    insertReleased({ ...ledgerWriter(ctx, orgId), released, dueAt }),
    ...productEvents(ctx, orgId, [...changed.values()]),
  ];
}

/** The most reservations that one run of the job reads. The job runs each minute. */
const DUE_MAX = 200;
/** No release begins after this many statements: D1 allows 1,000 queries per invocation, and other jobs share them. */
const STATEMENTS_MAX = 300;

/** Releases reservations whose time is over, request by request. A failure is logged and does not stop the others. */
export async function sweepReservations(ctx: Context): Promise<void> {
  requireSystem(ctx);
  const due = await ctx.db.rows(selectDueReservations(ctx.now(), DUE_MAX));
  for (const requestId of new Set(due.map((each) => each.requestId))) {
    if (ctx.db.meter.statements >= STATEMENTS_MAX) break;
    const theirs = due.filter((each) => each.requestId === requestId);
    const orgId = theirs[0]?.orgId ?? '';
    await logged(ctx, ['error', 'reservation_not_released', { org_id: orgId }], () =>
      commit(forOrganization(ctx, orgId), { released: releaseEntries(ctx, orgId, theirs, ctx.now()) }),
    );
  }
}
