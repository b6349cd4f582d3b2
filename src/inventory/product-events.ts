import type { BatchEntry } from '../platform/commit';
import type { Context } from '../platform/context';
import { outboxEventsFromRows, outboxProducts } from '../webhooks/outbox';
import { type ChangedProduct, changedProducts } from './store-events';

/**
 * The `product_updated` of each product that a command changes, one for each, as the batch leaves it: put it behind all writes
 * of the batch. What is not stocked then has none.
 */
export function productEvents(ctx: Context, orgId: string, changed: readonly ChangedProduct[]): BatchEntry[] {
  return eventsOf(ctx, 'product_updated', orgId, changed);
}

/** The `product_created` of products that enter the inventory, as `productEvents`. */
export function createdEvents(ctx: Context, orgId: string, p1Ids: readonly string[]): BatchEntry[] {
  const changed = p1Ids.map((p1Id) => ({ p1Id, isCreated: true }));
  return eventsOf(ctx, 'product_created', orgId, changed);
}

/**
 * As `productEvents`, for a command that changes many (at most 500): one `products_updated`, and beside it a `product_updated` of
 * each for subscriptions that take only those.
 */
export function bulkProductEvents(ctx: Context, orgId: string, changed: readonly ChangedProduct[]): BatchEntry[] {
  if (changed.length === 0) return [];
  return [outboxProducts(ctx, { orgId, rowsMax: changed.length, rows: changedProducts({ orgId, changed }) })];
}

function eventsOf(
  ctx: Context,
  type: 'product_created' | 'product_updated',
  orgId: string,
  changed: readonly ChangedProduct[],
): BatchEntry[] {
  if (changed.length === 0) return [];
  const rows = changedProducts({ orgId, changed });
  return [outboxEventsFromRows(ctx, { type, orgId, rowsMax: changed.length, rows })];
}
