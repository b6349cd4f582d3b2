import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { expect, test } from 'vitest';
import { readCode } from '../../src/codes/read';

const CODES = new URL('../../src/codes/', import.meta.url);
const GENERATED = '../../src/management/client/codes.generated.js';
/** In the order in which they need each other. */
const MODULES = ['check-digits', 'numbers', 'data-matrix', 'keyboard', 'label', 'read'];

/** A module without its types, imports, comments and blank lines. */
function scriptOf(module: string): string {
  const script = stripTypeScriptTypes(readFileSync(new URL(`${module}.ts`, CODES), 'utf8'));
  const lines = script.split('\n').map((line) => line.trimEnd().replace(/^export /, ''));
  return lines.filter((line) => !/^(import |\s*(\/\/|\/\*|\*)|;?$)/.test(line)).join('\n');
}

const generated = `// @ts-nocheck
// Made from src/codes: npx vitest run --project node test/node/client-codes.test.ts -u
const readCode = (() => {
${MODULES.map(scriptOf).join('\n')}
return readCode;
})();
`;

test('the browser reads codes by the same lines as the service', async () => {
  await expect(generated).toMatchFileSnapshot(GENERATED);
});

test('what the browser gets of them runs, and reads the same', () => {
  const inBrowser: typeof readCode = new Function(`'use strict'; ${generated}; return readCode`)();
  const texts = ['-04150001', '01126619', 'ß01126619', '4006381333931', '4006381333932', 'OFZ3F9A-4711-K', 'nnaarr'];
  expect(texts.map(inBrowser)).toEqual(texts.map(readCode));
  expect(texts.map(inBrowser).some((code) => code !== null)).toBe(true);
});
