import { type SQL, sql } from 'drizzle-orm';
import { check, index, integer, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { Value } from '../platform/data/statements';

/** The units of quantities: pieces (packs), grams and milliliters. */
export const UNITS = ['piece', 'g', 'ml'] as const;
export type Unit = (typeof UNITS)[number];

/**
 * The products of the global catalog, which the operator maintains, and the organizations' own products. Each own
 * product is visible only to its organization. Organizations take products from this table into their inventory. The
 * table keeps SQLite's rowid, because descriptions make a row larger than 1 KB.
 */
export const catalogProducts = sqliteTable(
  'catalog_products',
  {
    /** The product's id, as it was imported. The id of an own product begins with `own-`. */
    p1Id: text('p1_id').primaryKey(),
    /** The German product number (PZN); null for a product without one. */
    pzn: text('pzn'),
    name: text('name').notNull(),
    /** The name as search compares it (platform/fold.ts). */
    nameFolded: text('name_folded').notNull().default(''),
    slug: text('slug').notNull().unique('catalog_products_slug'),
    description: text('description'),
    category: text('category').notNull(),
    priceCents: integer('price_cents').notNull(),
    thcPercent: real('thc_percent'),
    cbdPercent: real('cbd_percent'),
    prescriptionRequired: integer('prescription_required', { mode: 'boolean' }).notNull(),
    /** Unit and step; null if the product is sold by the piece. */
    unit: text('unit', { enum: UNITS }),
    unitStep: integer('unit_step'),
    /**
     * The organization to which an own product belongs; null for a product of the global catalog. The id of an own
     * product begins with `own-` (a trigger checks it).
     */
    orgId: text('org_id'),
    /** The catalog product with which this own product was joined. A look-up by PZN then finds the catalog product. */
    joinedP1Id: text('joined_p1_id'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    index('catalog_products_by_category').on(t.category),
    index('catalog_products_by_org').on(t.orgId, t.p1Id),
    // Finds products that changed since a time, in the order of the changes.
    index('catalog_products_by_update').on(t.orgId, t.updatedAt, t.p1Id),
    uniqueIndex('catalog_products_own_pzn').on(t.orgId, t.pzn).where(sql`joined_p1_id is null and org_id is not null`),
    index('catalog_products_by_pzn').on(t.pzn).where(sql`pzn is not null`),
    check('catalog_products_price', sql`${t.priceCents} >= 0`),
    check(
      'catalog_products_percent',
      sql`coalesce(${t.thcPercent}, 0) between 0 and 100 and coalesce(${t.cbdPercent}, 0) between 0 and 100`,
    ),
  ],
);

/** Condition: the product belongs to the global catalog. */
export const isGlobal: SQL = sql`${catalogProducts.orgId} is null`;

/** Condition: the organization sees the product, because it is in the global catalog or its own. */
export function isVisible(orgId: Value<string> | SQL): SQL {
  // `+` keeps SQLite from using the index by organization, because products are found by id or PZN.
  return sql`(+${catalogProducts.orgId} is null or +${catalogProducts.orgId} = ${orgId})`;
}
