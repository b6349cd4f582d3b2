import { sql } from 'drizzle-orm';
import { check, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { catalogProducts } from '../catalog/tables';
import { organizations } from '../tenants/tables';

/** A product that an organization holds. Null product fields inherit from the catalogue. */
export const inventory = sqliteTable(
  'inventory',
  {
    orgId: text('org_id')
      .notNull()
      .references(() => organizations.id),
    p1Id: text('p1_id')
      .notNull()
      .references(() => catalogProducts.p1Id),
    stockQuantity: integer('stock_quantity').notNull(),
    /** The organization's threshold when null. */
    lowStockThreshold: integer('low_stock_threshold'),
    name: text('name'),
    slug: text('slug'),
    description: text('description'),
    category: text('category'),
    priceCents: integer('price_cents'),
    available: integer('available', { mode: 'boolean' }),
    thcPercent: real('thc_percent'),
    cbdPercent: real('cbd_percent'),
    availableForPickup: integer('available_for_pickup', { mode: 'boolean' }),
    availableForShipping: integer('available_for_shipping', { mode: 'boolean' }),
    prescriptionRequired: integer('prescription_required', { mode: 'boolean' }),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.p1Id] }),
    uniqueIndex('inventory_slug').on(t.orgId, t.slug).where(sql`slug is not null`),
    check('stock_not_negative', sql`${t.stockQuantity} >= 0`),
    check('inventory_price', sql`coalesce(${t.priceCents}, 0) >= 0`),
    check(
      'inventory_percent',
      sql`coalesce(${t.thcPercent}, 0) between 0 and 100 and coalesce(${t.cbdPercent}, 0) between 0 and 100`,
    ),
  ],
);
