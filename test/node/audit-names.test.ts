import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { fieldTexts } from '../../src/management/audit/labels';

const SRC = resolve(import.meta.dirname, '../../src');
/** Names of changed fields that a use case writes down itself; those of a table of fields have words by their type. */
const WRITTEN = /fields(?: =|:) (?!wireNames)[^\n{]*|function fieldsOf[^}]+/g;

function writtenNames(): string[] {
  const texts = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(SRC, path), 'utf8'))
    .filter((text) => text.includes('recordAudit('));
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
