import { getTableColumns, getTableName, isTable } from 'drizzle-orm';
import type { Field, Fields } from '../../src/platform/fields';

declare global {
  interface ImportMeta {
    /** Vite's: every module that fits the pattern, by its path. */
    glob<T>(pattern: string, options: { eager: true }): Record<string, T>;
  }
}

type Module = Record<string, unknown>;
const TABLES = import.meta.glob<Module>('../../src/**/{tables,db}.ts', { eager: true });
const FIELDS = import.meta.glob<Record<string, Fields>>('../../src/**/fields.ts', { eager: true });

interface DeclaredColumn {
  name: string;
  /** What `fields.ts` beside the table says of it, if it does. */
  field: Field | undefined;
}

/** Every table of the code with its columns: of `orders` in `tables.ts`, `ordersFields` in `fields.ts` beside it tells. */
export const DECLARED_TABLES: { name: string; columns: DeclaredColumn[] }[] = Object.entries(TABLES).flatMap(
  ([path, declared]) => {
    const beside = { ...FIELDS[path.replace(/tables\.ts$/, 'fields.ts')], ...declared } as Record<string, Fields>;
    return Object.entries(declared).flatMap(([key, table]) => {
      if (!isTable(table)) return [];
      const fields = beside[`${key}Fields`];
      const columns = Object.entries(getTableColumns(table)).map(([at, { name }]) => ({ name, field: fields?.[at] }));
      return { name: getTableName(table), columns };
    });
  },
);
