import { sql } from 'drizzle-orm';
import type { Searchable } from '../search/service';
import { ordersFields } from './fields';
import { orders } from './tables';

/** Orders as a search finds them; lists filter by their status and shop. */
export const SEARCHED_ORDERS: Searchable = {
  kind: 'o',
  table: orders,
  changes: 'orders_changes',
  fields: ordersFields,
  isGone: sql`erased_at is not null or deleted_at is not null`,
  state: sql`'s' || replace(status, '_', '') || ' h' || substr(shop_id, -12)`,
};
