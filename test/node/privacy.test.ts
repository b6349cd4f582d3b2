import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { getTableColumns, getTableName, isTable } from 'drizzle-orm';
import { expect, test } from 'vitest';
import drizzleConfig from '../../drizzle.config';
import type { Field, Fields } from '../../src/platform/fields';

const ROOT = resolve(import.meta.dirname, '../..');
const DOCUMENT = join(ROOT, 'docs/privacy.md');
const [BEGIN, END] = ['<!-- begin: written by test/node/privacy.test.ts -->', '<!-- end -->'];

interface Declared {
  name: string;
  /** Columns by their key. */
  columns: Record<string, { name: string }>;
  /** What `fields.ts` beside the table says of them, if it does. */
  fields: Fields;
}

/** Every table of the code: of `orders` in `tables.ts`, `ordersFields` in `fields.ts` beside it says what it holds. */
async function declaredTables(): Promise<Declared[]> {
  const files = (drizzleConfig.schema as string[]).flatMap((pattern) => matching(pattern));
  const found = await Promise.all(files.map(tablesIn));
  return found.flat();
}

function matching(pattern: string): string[] {
  const [folder, rest] = pattern.split('*');
  if (rest === undefined) return [join(ROOT, pattern)];
  return readdirSync(join(ROOT, folder ?? ''), { recursive: true, encoding: 'utf8' })
    .map((path) => join(ROOT, folder ?? '', path))
    .filter((path) => path.endsWith('/tables.ts'))
    .toSorted();
}

async function tablesIn(file: string): Promise<Declared[]> {
  const declared: Record<string, unknown> = await import(file);
  const beside = file.endsWith('/tables.ts') ? join(dirname(file), 'fields.ts') : file;
  const fields: Record<string, Fields> = existsSync(beside) ? await import(beside) : {};
  return Object.entries(declared).flatMap(([key, table]) =>
    isTable(table)
      ? {
          name: getTableName(table),
          columns: getTableColumns(table),
          fields: fields[`${key}Fields`] ?? {},
        }
      : [],
  );
}

function columnsWhere(tables: Declared[], isTrue: (field: Field | undefined) => boolean): string[] {
  return tables.flatMap(({ name, columns, fields }) =>
    Object.entries(columns).flatMap(([key, column]) => (isTrue(fields[key]) ? `${name}.${column.name}` : [])),
  );
}

/** What ends a value, or why it stays. */
function endOf(field: Field): string {
  if ('kept' in field) return field.kept;
  if (!('erased' in field)) return '';
  return field.erased === null ? 'an erasure empties it' : `an erasure: ${field.erased}`;
}

/** The tables of docs/privacy.md: the columns that are not only business, by table. */
function written(tables: Declared[]): string {
  const sections = tables.flatMap(({ name, columns, fields }) => {
    const rows = Object.entries(columns).flatMap(([key, column]) => {
      const field = fields[key];
      return field && endOf(field) !== '' ? `| \`${column.name}\` | ${field.class} | ${endOf(field)} |` : [];
    });
    return rows.length > 0 ? [`### ${name}`, '', '| Column | Class | Ends |', '|---|---|---|', ...rows, ''] : [];
  });
  return ['', ...sections].join('\n');
}

test('every column of every table has a class', async () => {
  const tables = await declaredTables();
  expect(tables.length).toBeGreaterThan(20);
  expect(columnsWhere(tables, (field) => field === undefined)).toEqual([]);
});

test('what tells of health is erased; of what tells of a person, or is secret, it is said what ends it', async () => {
  const tables = await declaredTables();
  const endless = columnsWhere(
    tables,
    (field) =>
      field !== undefined &&
      field.class !== 'business' &&
      !('erased' in field || (field.class !== 'health' && 'kept' in field)),
  );
  expect(endless).toEqual([]);
});

test('docs/privacy.md says of each column what the code does; with -u it is written anew', async () => {
  const text = readFileSync(DOCUMENT, 'utf8');
  const [before = '', rest = ''] = text.split(BEGIN);
  const [, after = ''] = rest.split(END);
  const now = `${before}${BEGIN}\n${written(await declaredTables())}${END}${after}`;
  await expect(now).toMatchFileSnapshot(DOCUMENT);
});
