import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { BELONGINGS } from '../../src/directory/move/belongings';
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

/** What personal data are processed for (Art. 30 GDPR). Each table with such data belongs to one of these. */
const ACTIVITIES = [
  {
    name: 'Orders and prescriptions',
    purpose: 'to check, pack and hand over what somebody ordered, and to document it',
    persons: 'customers of pharmacies, and prescribers, whom a prescription names',
    recipients: 'staff of the pharmacy, programs to which it gave a key, the platform that sent the request',
    tables: [
      'order_requests',
      'orders',
      'customers',
      'prescriptions',
      'request_questions',
      'staff_notes',
      'search_entries',
    ].concat('product_totals'),
  },
  {
    name: 'Messages',
    purpose: 'to tell customers how far their order is, and owners what has stopped',
    persons: 'customers and owners',
    recipients: 'Cloudflare Email Sending',
    tables: ['emails'],
  },
  {
    name: 'Webhooks',
    purpose: 'to tell programs what happened',
    persons: 'customers of pharmacies',
    recipients: 'receivers that the pharmacy subscribed',
    tables: ['events', 'subscriptions', 'delivery_attempts'],
  },
  {
    name: 'Access',
    purpose: 'to let in who works for a pharmacy, and its programs, and nobody else',
    persons: 'staff of pharmacies',
    recipients: 'owners of the pharmacy',
    tables: [
      ...['members', 'staff_accounts', 'staff_second_factors', 'staff_sessions', 'staff_resets', 'staff_verifications'],
      ...['staff_page_data', 'directory', 'api_keys', 'idempotency_keys', 'secret_canaries'],
    ],
  },
  {
    name: 'Audit log',
    purpose: 'to prove who did what',
    persons: 'staff of pharmacies, and operators',
    recipients: 'owners of the pharmacy',
    tables: ['audit_log'],
  },
];

const isPersonal = ({ field }: { field?: Field }) => field !== undefined && field.class !== 'business';

/** The record of processing in docs/privacy.md. */
function record(): string {
  const sections = ACTIVITIES.flatMap(({ name, purpose, persons, recipients, tables }) => {
    const of = DECLARED_TABLES.filter((table) => tables.includes(table.name));
    const columns = of.flatMap((table) => table.columns.filter(isPersonal));
    const data = ['health', 'person', 'secret'].flatMap((kind) => {
      const named = of.flatMap((table) => {
        const found = table.columns.filter(({ field }) => field?.class === kind).map((column) => column.name);
        return found.length > 0 ? [`\`${table.name}\` (${found.join(', ')})`] : [];
      });
      return named.length > 0 ? [`| Data: ${kind} | ${named.join('; ')} |`] : [];
    });
    const kept = new Set(columns.flatMap(({ field }) => (field && 'kept' in field ? [field.kept] : [])));
    const isErased = columns.some(({ field }) => field && 'erased' in field);
    const ends = [...(isErased ? ['an erasure'] : []), ...kept].join('; ');
    const rows = [`| For | ${purpose} |`, `| Persons | ${persons} |`, `| Told to | ${recipients} |`, ...data];
    return [`### ${name}`, '', '| | |', '|---|---|', ...rows, `| Ends by or after | ${ends} |`, ''];
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
  const moving = DECLARED_TABLES.filter(({ name }) => BELONGINGS.some(({ table }) => table === name));
  const classes = moving.flatMap(({ name, columns }) => {
    const told = Object.groupBy(columns.filter(isPersonal), ({ field }) => field?.class ?? '');
    const named = Object.entries(told).map(([kind, of = []]) => [kind, of.map((column) => column.name)]);
    return named.length > 0 ? [[name, Object.fromEntries(named)]] : [];
  });
  const text = `// Made from fields.ts: npx vitest run --project node test/node/privacy.test.ts -u
/** The columns of each class but business, by table. */
export const CLASSES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = ${JSON.stringify(Object.fromEntries(classes.toSorted()))};
`;
  await expect(text).toMatchFileSnapshot('../../src/restore/organization/classes.generated.ts');
});

test('each table with personal data belongs to one activity of the record of processing', () => {
  const personal = DECLARED_TABLES.filter(({ columns }) => columns.some(isPersonal)).map(({ name }) => name);
  expect(ACTIVITIES.flatMap(({ tables }) => tables).sort()).toEqual(personal.sort());
});

test('docs/privacy.md says of each column what the code does; with -u it is written anew', async () => {
  const text = readFileSync(DOCUMENT, 'utf8');
  const [before = '', middle = '', after = ''] = text.split(new RegExp(`${BEGIN}.*?${END}`, 's'));
  const blocks = [record(), written()].map((block) => `${BEGIN}\n${block}${END}`);
  await expect([before, blocks[0], middle, blocks[1], after].join('')).toMatchFileSnapshot(DOCUMENT);
});
