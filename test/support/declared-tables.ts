import { getTableColumns, getTableName, isTable } from 'drizzle-orm';
import type { Field, Fields } from '../../src/platform/fields';

declare global {
  interface ImportMeta {
    /** Vite's: every module that fits a pattern and none that begins with `!`, by its path; with `?raw` its source. */
    glob<T>(
      patterns: string | string[],
      options: { eager: true; query?: '?raw'; import?: 'default' },
    ): Record<string, T>;
  }
}

type Module = Record<string, unknown>;
const TABLES = import.meta.glob<Module>('../../src/**/tables.ts', { eager: true });
const FIELDS = import.meta.glob<Module>('../../src/**/fields.ts', { eager: true });

interface DeclaredColumn {
  name: string;
  /** What is said of it, if anything. */
  field: Field | undefined;
}

const declared = new Map(Object.values(TABLES).flatMap((module) => Object.entries(module)));
const fieldsOf = new Map([...declared, ...Object.values(FIELDS).flatMap((module) => Object.entries(module))]);

/** Every table of the code with its columns: of `orders` in `tables.ts`, `ordersFields` in `fields.ts` beside it tells. */
export const DECLARED_TABLES: { name: string; columns: DeclaredColumn[] }[] = [...declared].flatMap(([key, table]) => {
  if (!isTable(table)) return [];
  const fields = fieldsOf.get(`${key}Fields`) as Fields | undefined;
  const columns = Object.entries(getTableColumns(table)).map(([at, { name }]) => ({ name, field: fields?.[at] }));
  return { name: getTableName(table), columns };
});
