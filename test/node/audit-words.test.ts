import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { AUDIT_KINDS, kindOf } from '../../src/audit/kinds';
import { de } from '../../src/management/words/de';
import { en } from '../../src/management/words/en';

const SRC = resolve(import.meta.dirname, '../../src');

const texts = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.startsWith('management'))
  .map((path) => readFileSync(join(SRC, path), 'utf8'));
const entities = Object.values(AUDIT_KINDS).flat().join('|');

/** Whatever is handed to the record as an action, by a name or by one of two. */
const stated = found(/\baction: '([\w.]+)'/g);
const chosen = found(new RegExp(`[?:(] '((?:${entities})\\.\\w+)'`, 'g'));
const actions = [...new Set([...stated, ...chosen])].sort();

function found(pattern: RegExp): string[] {
  return texts.flatMap((text) => [...text.matchAll(pattern)].map(([, action = '']) => action));
}

test('the source is read as it is written: it holds actions of every kind', () => {
  expect(actions).toContain('order_request.approved');
  expect(actions).toContain('api_key.submitted_events_off');
  expect([...new Set(actions.map(kindOf))].sort()).toEqual(Object.keys(AUDIT_KINDS).sort());
});

test('every action that is recorded belongs to a kind of the log’s filter', () => {
  expect(actions.filter((action) => kindOf(action) === undefined)).toEqual([]);
});

test.each([
  ['German', de.audit],
  ['English', en.audit],
])('every action that is recorded has words in %s, every kind one', (_, words) => {
  expect(actions.filter((action) => !(action.replace('.', '_') in words.acts))).toEqual([]);
  expect(Object.keys(words.kinds).sort()).toEqual(Object.keys(AUDIT_KINDS).sort());
});
