import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ERROR_MEANINGS } from '../../scripts/reference/error-meanings';
import { ERROR_KINDS } from '../../src/platform/errors/error-codes';

const SRC = resolve(import.meta.dirname, '../../src');

const source = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readFileSync(join(SRC, path), 'utf8'))
  .join('\n');

test('every error code that clients are shown is one that the service can answer', () => {
  expect(Object.keys(ERROR_KINDS).filter((code) => !source.includes(`'${code}'`))).toEqual([]);
});

test('every error code is snake_case, and its meaning a sentence', () => {
  for (const [code, meaning] of Object.entries(ERROR_MEANINGS)) {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(meaning, code).toMatch(/^[A-Z].+\.$/);
  }
});
