import { expect, test } from 'vitest';
import { fieldTexts } from '../../src/management/audit/routes';

const SOURCES = import.meta.glob<string>('../../src/**/*.ts', { eager: true, query: '?raw', import: 'default' });
/** Names of changed fields that a use case writes down itself; those of a table of fields have words by their type. */
const WRITTEN = /fields(?: =|:) (?!wireNames)[^\n{]*|function fieldsOf[^}]+/g;

function writtenNames(): string[] {
  const texts = Object.values(SOURCES).filter((text) => text.includes('recordAudit('));
  const lists = texts.flatMap((text) => text.match(WRITTEN) ?? []);
  return [...new Set(lists.flatMap((list) => [...list.matchAll(/'(\w+)'/g)].map(([, name = '']) => name)))];
}

test('every field that a use case names in the audit log is named as on the wire, and has words in both languages', () => {
  const names = writtenNames();
  expect(names).toEqual(expect.arrayContaining(['status', 'stock_quantity', 'second_factor', 'override_reason']));
  expect(names.filter((name) => !/^[a-z]+(_[a-z]+)*$/.test(name))).toEqual([]);
  for (const language of ['de', 'en'] as const) {
    const wordless = names.filter((name) => fieldTexts({ language }, [name], new Map())[0] === name);
    expect({ language, wordless }).toEqual({ language, wordless: [] });
  }
});
