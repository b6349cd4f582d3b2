import { inArray, or, type SQL, sql } from 'drizzle-orm';
import { utf8 } from '../platform/crypto/crypto';
import { inList, insertSelect } from '../platform/data/db';
import { orm } from '../platform/data/statements';
import { CATALOG_FIELDS, type ImportedProduct } from './fields';
import { catalogProducts } from './tables';

/** Selects the products that have one of these ids or slugs. */
export function selectClashing(rows: readonly ImportedProduct[]) {
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

/** The most bytes of one list of products. D1 takes 2 MB per value, and a product has at most 25 KB. */
const VALUE_BYTES_MAX = 1_000_000;

/**
 * Inserts or replaces many products in few statements. Each statement gets its products as one list.
 * @param orgId the organization whose own products they are; null for products of the catalog
 */
export function upsertProducts(rows: readonly ImportedProduct[], now: number, orgId: string | null = null) {
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
  return lists.map((list) => upsertList(`[${list.join(',')}]`, now, orgId));
}

const COLUMNS = ['pzn', 'nameFolded', ...CATALOG_FIELDS] as const;

function upsertList(list: string, now: number, orgId: string | null) {
  const value = (key: keyof ImportedProduct) => sql`json_extract(value, ${`$.${key}`})`;
  const excluded = (key: keyof typeof catalogProducts._.columns) =>
    [key, sql`excluded.${sql.identifier(catalogProducts[key].name)}`] as const;
  return insertSelect(
    catalogProducts,
    {
      p1Id: value('p1Id'),
      // SAFETY: the object has a value for each of these columns.
      ...(Object.fromEntries(COLUMNS.map((key) => [key, value(key)])) as Record<(typeof COLUMNS)[number], SQL>),
      orgId,
      joinedP1Id: null,
      createdAt: now,
      updatedAt: now,
    },
    // SQLite needs the WHERE to distinguish ON CONFLICT from the ON of a join.
    sql`from json_each(${list}) where true`,
  ).onConflictDoUpdate({
    target: catalogProducts.p1Id,
    set: Object.fromEntries([...COLUMNS, 'updatedAt' as const].map(excluded)),
  });
}
