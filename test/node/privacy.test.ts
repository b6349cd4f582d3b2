import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { Field } from '../../src/platform/fields';
import { DECLARED_TABLES } from '../support/declared-tables';

const DOCUMENT = resolve(import.meta.dirname, '../../docs/privacy.md');
const [BEGIN, END] = ['<!-- begin: written by test/node/privacy.test.ts -->', '<!-- end -->'];

function columnsWhere(isTrue: (field: Field | undefined) => boolean): string[] {
  return DECLARED_TABLES.flatMap(({ name, columns }) =>
    columns.flatMap((column) => (isTrue(column.field) ? `${name}.${column.name}` : [])),
  );
}

/** What ends a value, or why it stays. */
function endOf(field: Field): string {
  if ('kept' in field) return field.kept;
  if (!('erased' in field)) return '';
  return field.erased === null ? 'an erasure empties it' : `an erasure: ${field.erased}`;
}

/** The tables of docs/privacy.md: the columns that do not stay for ever. */
function written(): string {
  const sections = DECLARED_TABLES.flatMap(({ name, columns }) => {
    const rows = columns.flatMap(({ name: column, field }) =>
      field && endOf(field) !== '' ? `| \`${column}\` | ${field.class} | ${endOf(field)} |` : [],
    );
    return rows.length > 0 ? [`### ${name}`, '', '| Column | Class | Ends |', '|---|---|---|', ...rows, ''] : [];
  });
  return ['', ...sections].join('\n');
}

/** Whatever the compiler has made of it. */
function isHealth(field: Pick<Field, 'class'>): boolean {
  return field.class === 'health';
}

test('every column of every table has a class', () => {
  expect(DECLARED_TABLES.length).toBeGreaterThan(20);
  expect(columnsWhere((field) => field === undefined)).toEqual([]);
});

test('what tells of health is erased; of what tells of a person, or is secret, it is said what ends it', () => {
  const isEndless = (field: Field | undefined) =>
    field !== undefined &&
    field.class !== 'business' &&
    !('erased' in field) &&
    (isHealth(field) || !('kept' in field));
  expect(columnsWhere(isEndless)).toEqual([]);
});

test('the file of an organization names the class of each column; with -u it is written anew', async () => {
  const classes = DECLARED_TABLES.map(({ name, columns }) => [
    name,
    Object.fromEntries(columns.map(({ name: column, field }) => [column, field?.class])),
  ]);
  const text = `// Made from fields.ts: npx vitest run --project node test/node/privacy.test.ts -u
export const CLASSES: Readonly<Record<string, Readonly<Record<string, string>>>> = ${JSON.stringify(Object.fromEntries(classes.sort()))};
`;
  await expect(text).toMatchFileSnapshot('../../src/restore/organization/classes.generated.ts');
});

test('docs/privacy.md says of each column what the code does; with -u it is written anew', async () => {
  const text = readFileSync(DOCUMENT, 'utf8');
  const [before = '', rest = ''] = text.split(BEGIN);
  const [, after = ''] = rest.split(END);
  await expect(`${before}${BEGIN}\n${written()}${END}${after}`).toMatchFileSnapshot(DOCUMENT);
});
