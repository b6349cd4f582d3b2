import { type SQL, sql } from 'drizzle-orm';
import { check, index, integer, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { Value } from '../platform/data/statements';

/** What a quantity counts: pieces, which are packs, or what is weighed or measured. */
export const UNITS = ['piece', 'g', 'ml'] as const;
export type Unit = (typeof UNITS)[number];

/**
 * The global catalog, maintained by the operator, and the own products of organizations, which each sees alone. Organizations
 * take products from it into their inventory. Keeps its rowid: descriptions make a row larger than 1 KB.
 */
export const catalogProducts = sqliteTable(
  'catalog_products',
  {
    /** The catalog's own product id, as it was imported. */
    p1Id: text('p1_id').primaryKey(),
    /** The German product number (PZN), for those that have one. */
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
    /** Null: pieces, one by one. */
    unit: text('unit', { enum: UNITS }),
    unitStep: integer('unit_step'),
    /** The organization whose own product it is, whose id then begins with `own-` (a trigger checks it); null: everybody's. */
    orgId: text('org_id'),
    /** The catalog product that the own product was joined with: its PZN leads there from then on. */
    joinedP1Id: text('joined_p1_id'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    index('catalog_products_by_category').on(t.category),
    index('catalog_products_by_org').on(t.orgId, t.p1Id),
    // For products that changed since a time, in the order of the changes.
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

/** The condition that a product is everybody's. */
export const isGlobal: SQL = sql`${catalogProducts.orgId} is null`;

/** The condition that an organization sees a product: everybody's and its own. */
export function isVisible(orgId: Value<string> | SQL): SQL {
  // `+`: products are found by their id or PZN, not by the organization.
  return sql`(+${catalogProducts.orgId} is null or +${catalogProducts.orgId} = ${orgId})`;
}
