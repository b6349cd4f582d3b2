import { inArray, or, sql } from 'drizzle-orm';
import { utf8 } from '../platform/crypto';
import { inList, insertSelect } from '../platform/db';
import { orm } from '../platform/statements';
import { catalogProducts } from './tables';

export interface NewCatalogProduct {
  p1Id: string;
  name: string;
  nameFolded: string;
  slug: string;
  description: string | null;
  category: string;
  priceCents: number;
  thcPercent: number | null;
  cbdPercent: number | null;
  prescriptionRequired: boolean;
}

/** Products with one of these ids or slugs. */
export function selectClashing(rows: readonly NewCatalogProduct[]) {
  return orm
    .select()
    .from(catalogProducts)
    .where(
      or(
        inArray(catalogProducts.p1Id, inList(rows.map(({ p1Id }) => p1Id))),
        inArray(catalogProducts.slug, inList(rows.map(({ slug }) => slug))),
      ),
    );
}

/** D1 takes 2 MB per value; a product has at most 25 KB. */
const VALUE_BYTES_MAX = 1_000_000;

/** Writes many products in few statements with one list each; existing products are replaced. */
export function upsertProducts(rows: readonly NewCatalogProduct[], now: number) {
  const lists: string[][] = [];
  let size = 0;
  for (const row of rows.map((each) => JSON.stringify(each))) {
    const bytes = utf8(row).length + 1;
    if (lists.length === 0 || size + bytes > VALUE_BYTES_MAX) {
      lists.push([]);
      size = 0;
    }
    lists.at(-1)?.push(row);
    size += bytes;
  }
  return lists.map((list) => upsertList(`[${list.join(',')}]`, now));
}

function upsertList(list: string, now: number) {
  const value = (key: keyof NewCatalogProduct) => sql`json_extract(value, ${`$.${key}`})`;
  return insertSelect(
    catalogProducts,
    {
      p1Id: value('p1Id'),
      pzn: null,
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
    // SQLite needs the WHERE to distinguish ON CONFLICT from the ON of a join.
    sql`from json_each(${list}) where true`,
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
