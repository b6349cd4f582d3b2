// Replaces what drizzle-orm's core has for PostgreSQL (wrangler.toml), 6 KB that every isolate would evaluate: D1 is SQLite.
export const isPgEnum = () => false;
export class PrimaryKeyBuilder {}
