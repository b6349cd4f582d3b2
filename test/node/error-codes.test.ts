import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ERRORS } from '../../src/public-api/errors';

const SRC = resolve(import.meta.dirname, '../../src');

/** Every way in which the source writes the `code` of a problem document. */
const WRITTEN = [
  /new AppError\(\s*'[a-z_]+',\s*'([a-z_]+)'/g,
  /new AppError\(\s*'[a-z_]+',\s*\w+ \? '([a-z_]+)' : '([a-z_]+)'/g,
  /notFound\(\s*'([a-z_]+)'/g,
  /\b(?:conflict|forbidden|unauthenticated|refused|invalidBody)\(\s*'([a-z_]+)',\s*['`]/g,
];

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }));

function written(): Map<string, string> {
  const codes = new Map<string, string>();
  for (const { path, text } of files) {
    for (const pattern of WRITTEN) {
      for (const [, ...groups] of text.matchAll(pattern)) {
        for (const code of groups) if (code) codes.set(code, path);
      }
    }
  }
  // A single fault with a name of its own gives the whole answer its code.
  const rules = files
    .find(({ path }) => path === join('platform', 'errors.ts'))
    ?.text.match(/RULE_CODES = new Set\(\[([^\]]+)\]/);
  for (const [, code = ''] of rules?.[1]?.matchAll(/'([a-z_]+)'/g) ?? []) codes.set(code, 'platform/errors.ts');
  return codes;
}

test('every error code that the source writes is in the list that clients are shown', () => {
  const codes = written();
  expect(codes.size).toBeGreaterThan(30);
  const unknown = [...codes].filter(([code]) => !(code in ERRORS));
  expect(unknown).toEqual([]);
});

test('every error code that clients are shown stands in the source', () => {
  const source = files
    .filter(({ path }) => path !== join('public-api', 'errors.ts') && !path.includes('openapi'))
    .map(({ text }) => text)
    .join('\n');
  expect(Object.keys(ERRORS).filter((code) => !source.includes(`'${code}'`))).toEqual([]);
});

test('every error code is snake_case, with a client’s status and a sentence', () => {
  for (const [code, [status, meaning]] of Object.entries(ERRORS)) {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect([400, 401, 403, 404, 405, 408, 409, 413, 415, 429, 500, 502], code).toContain(status);
    expect(meaning, code).toMatch(/^[A-Z].+\.$/);
  }
});
