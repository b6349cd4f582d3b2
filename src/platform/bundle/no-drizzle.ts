// Replaces what drizzle-orm's core has for PostgreSQL, for relational queries and for columns that no table has (wrangler.toml):
// 15 KB that every isolate would evaluate. D1 is SQLite, no schema is given to Drizzle, and tables have integers, reals and texts.
const none = () => {
  throw new Error('This part of drizzle-orm is not in the bundle.');
};
export const isPgEnum = () => false;
export class PrimaryKeyBuilder {}
export {
  none as blob,
  none as createTableRelationsHelpers,
  none as customType,
  none as extractTablesRelationalConfig,
  none as getOperators,
  none as getOrderByOperators,
  none as normalizeRelation,
  none as numeric,
};
export class Many {}
export class One {}
export class RelationalQueryBuilder {}
