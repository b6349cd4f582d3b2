import { recordAudit } from '../audit/record';
import { requireScope } from '../platform/access';
import { commit } from '../platform/commit';
import { retryOnConflict } from '../platform/conflict';
import type { Context } from '../platform/context';
import { notFound } from '../platform/errors';
import { newId } from '../platform/ids';
import { pageOf } from '../platform/page';
import { outboxEvent } from '../webhooks/outbox';
import { InsufficientStock } from './errors';
import { withStockEvents } from './order-stock';
import { requireCatalogProduct, resolveRow } from './product';
import { requireStocked } from './products';
import { deleteStocked, type InventoryRow, selectInventory, selectInventoryItem, selectProduct, updateStocked } from './store';
import { deleteListingsOf } from './store-listings';
import { insertMovement, mustMove } from './store-stock';
import type { StockReason } from './tables';

/** The organization's inventory ordered by p1_id. @returns one page and the cursor of the next page, null at the end */
export async function listInventory(ctx: Context, input: { limit: number; after: string | null }) {
  const { orgId } = requireScope(ctx, 'inventory.read');
  const { rows } = await ctx.db.run({
    rows: selectInventory({ orgId, after: input.after ?? '', limit: input.limit + 1 }),
  });
  const { page, nextCursor } = pageOf(rows, input.limit, ({ p1Id }) => p1Id);
  return { items: page.map(inventoryItem), nextCursor };
}

/**
 * One product of the inventory, as the list shows it.
 * @throws AppError `catalog_product_not_found`; `not_found` when the organization does not hold it
 */
export async function getInventoryItem(ctx: Context, p1Id: string): Promise<InventoryItem> {
  const { orgId } = requireScope(ctx, 'inventory.read');
  const [found] = await ctx.db.rows(selectInventoryItem({ orgId, p1Id }));
  const row = requireCatalogProduct(found);
  if (row.stockQuantity === null) throw notFound('not_found', 'The product is not in the inventory.');
  return inventoryItem(row);
}

function inventoryItem(row: InventoryRow) {
  const { name, slug, category, priceCents } = resolveRow(row, {}).values;
  return {
    p1Id: row.p1Id,
    name,
    slug,
    category,
    priceCents,
    // The query joins the inventory's row, so the stock is never null here; only the type allows it.
    stockQuantity: row.stockQuantity ?? 0,
    /** The product's own threshold, otherwise the organization's. */
    lowStockThreshold: row.threshold,
    /** Epoch ms. */
    createdAt: row.createdAt ?? 0,
    updatedAt: row.updatedAt ?? 0,
  };
}

export type InventoryItem = ReturnType<typeof inventoryItem>;

export interface ChangeStockInput {
  p1Id: string;
  change?: { delta: number } | { to: number };
  reason: StockReason;
  /** Null: use the organization's threshold. */
  lowStockThreshold?: number | null;
}

/**
 * Sets or changes the stock, and sets the product's own threshold, in one batch with the events that follow.
 * @throws AppError `catalog_product_not_found`, `product_not_in_inventory`, `insufficient_stock`
 */
export function changeStock(ctx: Context, input: ChangeStockInput) {
  const { orgId } = requireScope(ctx, 'inventory.write');
  return retryOnConflict(ctx, () => writeStock(ctx, orgId, input));
}

async function writeStock(ctx: Context, orgId: string, input: ChangeStockInput) {
  const { p1Id, change, lowStockThreshold } = input;
  const { rows } = await ctx.db.run({ rows: selectProduct({ orgId, p1Id }) });
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
      threshold: setsThreshold ? updateStocked(orgId, p1Id, { lowStockThreshold, updatedAt: now }) : undefined,
      changes: withStockEvents(
        ctx,
        orgId,
        [{ id, p1Id }],
        [
          // A batch that is sent twice moves stock once. If another request set the same stock or removed the product,
          // the batch is undone and the change is decided again.
          ...(moves ? [mustMove({ id, orgId, p1Id, change, reason: input.reason, now })] : []),
          // With the same time as the ledger row, because detail.ts finds the one by the other.
          recordAudit(
            { ...ctx, now: () => now },
            { orgId, action: 'stock.changed', entityId: p1Id, fields, reasonCode: moves ? input.reason : undefined },
          ),
          outboxEvent(ctx, { type: 'product_updated', orgId, metadata: { p1_id: p1Id, changed_fields: fields } }),
        ],
      ),
      after: selectProduct({ orgId, p1Id }),
    },
    { constraints: { stock_not_negative: () => new InsufficientStock(row.stockQuantity ?? 0) } },
  );
  return { p1Id, stockQuantity: after[0]?.stockQuantity ?? 0, changed: fields };
}

/**
 * Removes a product from the inventory and from every shop at once. The values of the organization and its shops are
 * deleted too, so a person also needs the right to change products; an API key needs only the scope that the contract
 * names.
 * @throws AppError `catalog_product_not_found`, `product_not_in_inventory`
 */
export function removeFromInventory(ctx: Context, p1Id: string): Promise<{ p1Id: string; detachedShopIds: string[] }> {
  const { orgId } = requireScope(ctx, ctx.actor.kind === 'staff' ? 'products.write' : 'inventory.write');
  return retryOnConflict(ctx, async () => {
    const { rows } = await ctx.db.run({ rows: selectProduct({ orgId, p1Id }) });
    requireStocked(requireCatalogProduct(rows[0]));
    const now = ctx.now();
    const { listings } = await commit(ctx, {
      listings: deleteListingsOf(orgId, p1Id),
      // The ledger ends at zero, so that its sum equals the stock if the product is added again.
      stock: insertMovement({ id: newId(), orgId, p1Id, change: { to: 0 }, reason: 'removed', now }),
      stocked: deleteStocked(orgId, p1Id),
      audit: recordAudit({ ...ctx, now: () => now }, { orgId, action: 'product.removed', entityId: p1Id }),
      event: outboxEvent(ctx, { type: 'product_deleted', orgId, metadata: { p1_id: p1Id } }),
    });
    return { p1Id, detachedShopIds: listings.map(({ shopId }) => shopId) };
  });
}
