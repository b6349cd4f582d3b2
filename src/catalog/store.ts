import { inArray, or, sql } from 'drizzle-orm';
import { type Database, inList, insertSelect } from '../platform/db';
import type { NewCatalogProduct } from './service';
import { catalogProducts } from './tables';

/** Products that have one of these ids or slugs. */
export function selectClashing(db: Database, rows: readonly NewCatalogProduct[]) {
  return db.orm
    .select()
    .from(catalogProducts)
    .where(
      or(
        inArray(catalogProducts.p1Id, inList(rows.map(({ p1Id }) => p1Id))),
        inArray(catalogProducts.slug, inList(rows.map(({ slug }) => slug))),
      ),
    );
}

/** Writes many products as one statement with one parameter; what is there is replaced. */
export function upsertProducts(db: Database, rows: readonly NewCatalogProduct[], now: number) {
  const value = (key: keyof NewCatalogProduct) => sql`json_extract(value, ${`$.${key}`})`;
  return insertSelect(
    db,
    catalogProducts,
    {
      p1Id: value('p1Id'),
      name: value('name'),
      nameFolded: value('nameFolded'),
      slug: value('slug'),
      description: value('description'),
      category: value('category'),
      priceCents: value('priceCents'),
      thcPercent: value('thcPercent'),
      cbdPercent: value('cbdPercent'),
      prescriptionRequired: value('prescriptionRequired'),
      createdAt: now,
      updatedAt: now,
    },
    // SQLite needs the WHERE to tell ON CONFLICT from a join's ON.
    sql`from json_each(${JSON.stringify(rows)}) where true`,
  ).onConflictDoUpdate({
    target: catalogProducts.p1Id,
    set: {
      name: sql`excluded.name`,
      nameFolded: sql`excluded.name_folded`,
      slug: sql`excluded.slug`,
      description: sql`excluded.description`,
      category: sql`excluded.category`,
      priceCents: sql`excluded.price_cents`,
      thcPercent: sql`excluded.thc_percent`,
      cbdPercent: sql`excluded.cbd_percent`,
      prescriptionRequired: sql`excluded.prescription_required`,
      updatedAt: sql`excluded.updated_at`,
    },
  });
}
