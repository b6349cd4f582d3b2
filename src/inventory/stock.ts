import { recordAudit } from '../audit/record';
import { requireScope } from '../platform/access';
import { commit } from '../platform/commit';
import { retryOnConflict } from '../platform/conflict';
import type { Context } from '../platform/context';
import { assertInBatch } from '../platform/db';
import { AppError } from '../platform/errors';
import { newId } from '../platform/ids';
import { toEur } from '../platform/money';
import { outboxEvent } from '../webhooks/outbox';
import { stockEvents } from './order-stock';
import { requireStocked } from './products';
import { deleteStocked, type InventoryRow, selectInventory, selectProduct, updateStocked } from './store';
import { deleteListingsOf } from './store-listings';
import { insertMovement, movementExists } from './store-stock';
import type { StockReason } from './tables';
import { requireCatalogProduct, resolveRow } from './view';

export interface InventoryView {
  p1_id: string;
  name: string;
  slug: string;
  category: string;
  price: number;
  stock_quantity: number;
  /** The product's own, else the organization's. */
  low_stock_threshold: number;
  created_at: string;
  updated_at: string;
}

/** The organization's inventory by p1_id. @returns one page and the cursor of the next, null at the end */
export async function listInventory(ctx: Context, input: { limit: number; after: string }) {
  const { orgId } = requireScope(ctx, 'inventory.read');
  const { rows } = await ctx.db.run({ rows: selectInventory(ctx.db, orgId, input.after, input.limit + 1) });
  const page = rows.slice(0, input.limit);
  return {
    items: page.map(inventoryView),
    nextCursor: rows.length > input.limit ? (page.at(-1)?.p1Id ?? null) : null,
  };
}

function inventoryView(row: InventoryRow): InventoryView {
  const { values } = resolveRow(row, {});
  return {
    p1_id: row.p1Id,
    // SAFETY: the catalog always has these four, and the inventory row was joined, not left out.
    name: values.name as string,
    slug: values.slug as string,
    category: values.category as string,
    price: values.price ?? toEur(row.catalogPriceCents),
    stock_quantity: row.stockQuantity ?? 0,
    low_stock_threshold: row.threshold,
    created_at: new Date(row.createdAt ?? 0).toISOString(),
    updated_at: new Date(row.updatedAt ?? 0).toISOString(),
  };
}

export interface ChangeStockInput {
  p1Id: string;
  change?: { delta: number } | { to: number };
  reason: StockReason;
  /** Null goes back to the organization's threshold. */
  lowStockThreshold?: number | null;
}

/**
 * Counts or moves stock, and sets the product's own threshold, in one batch with what that sets off.
 * @throws AppError `catalog_product_not_found`, `product_not_in_inventory`, `insufficient_stock`
 */
export function changeStock(ctx: Context, input: ChangeStockInput) {
  const { orgId } = requireScope(ctx, 'inventory.write');
  return retryOnConflict(ctx, () => writeStock(ctx, orgId, input));
}

async function writeStock(ctx: Context, orgId: string, input: ChangeStockInput) {
  const { p1Id, change, lowStockThreshold } = input;
  const { rows } = await ctx.db.run({ rows: selectProduct(ctx.db, orgId, p1Id) });
  const row = requireStocked(requireCatalogProduct(rows[0]));
  const setsThreshold = lowStockThreshold !== undefined && lowStockThreshold !== row.lowStockThreshold;
  const id = newId();
  const now = ctx.now();
  const moves = change && ('to' in change ? change.to !== row.stockQuantity : change.delta !== 0);
  const fields = [...(moves ? ['stock_quantity'] : []), ...(setsThreshold ? ['low_stock_threshold'] : [])];
  if (fields.length === 0) return { p1Id, stockQuantity: row.stockQuantity ?? 0, changed: [] };
  const { after } = await commit(
    ctx,
    {
      threshold: setsThreshold ? updateStocked(ctx.db, orgId, p1Id, { lowStockThreshold, updatedAt: now }) : undefined,
      // A batch that is sent twice moves once. Others who counted the same, or removed the product, stop it: decide again.
      movement: moves
        ? insertMovement(ctx.db, { id, orgId, p1Id, change, reason: input.reason, now }).onConflictDoNothing()
        : undefined,
      moved: moves ? assertInBatch(ctx.db, movementExists(id)) : undefined,
      // At the ledger row's time, by which the two are found together (detail.ts).
      audit: recordAudit(
        { ...ctx, now: () => now },
        {
          orgId,
          action: 'stock.changed',
          entityId: p1Id,
          fields,
          reasonCode: moves ? input.reason : undefined,
        },
      ),
      updated: outboxEvent(ctx, {
        type: 'product_updated',
        orgId,
        metadata: { p1_id: p1Id, changed_fields: fields },
      }),
      stockEvents: stockEvents(ctx, orgId, [id]),
      after: selectProduct(ctx.db, orgId, p1Id),
    },
    { constraints: { stock_not_negative: () => insufficientStock(row.stockQuantity) } },
  );
  return { p1Id, stockQuantity: after[0]?.stockQuantity ?? 0, changed: fields };
}

/**
 * Takes a product out of the inventory and out of every shop at once. What the organization and its shops say of it goes
 * with it, so a person needs to be allowed to change that as well; an API key has the one scope that the contract names.
 * @throws AppError `catalog_product_not_found`, `product_not_in_inventory`
 */
export function removeFromInventory(ctx: Context, p1Id: string): Promise<{ p1Id: string; detachedShopIds: string[] }> {
  const { orgId } = requireScope(ctx, ctx.actor.kind === 'staff' ? 'products.write' : 'inventory.write');
  return retryOnConflict(ctx, async () => {
    const { rows } = await ctx.db.run({ rows: selectProduct(ctx.db, orgId, p1Id) });
    requireStocked(requireCatalogProduct(rows[0]));
    const now = ctx.now();
    const { listings } = await commit(ctx, {
      listings: deleteListingsOf(ctx.db, orgId, p1Id),
      // The ledger ends at zero, so that it still sums to the stock when the product comes back.
      stock: insertMovement(ctx.db, { id: newId(), orgId, p1Id, change: { to: 0 }, reason: 'removed', now }),
      stocked: deleteStocked(ctx.db, orgId, p1Id),
      audit: recordAudit({ ...ctx, now: () => now }, { orgId, action: 'product.removed', entityId: p1Id }),
      event: outboxEvent(ctx, { type: 'product_deleted', orgId, metadata: { p1_id: p1Id } }),
    });
    return { p1Id, detachedShopIds: listings.map(({ shopId }) => shopId) };
  });
}

function insufficientStock(stockQuantity: number | null): AppError {
  return new AppError('insufficient_stock', 'The stock would go below 0.', {
    extensions: { stock_quantity: stockQuantity ?? 0 },
  });
}
