import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { composedPattern, composedPatterns } from '../../src/platform/fold';
import { growthOf, loadComposed, readPatterns, readSource } from './support/patterns';

const reading = readSource();
/** What test/node/patterns.extended.test.ts recorded, by pattern. */
const recorded: Record<string, string> = JSON.parse(
  readFileSync(new URL('patterns.generated.json', import.meta.url), 'utf8'),
);

test('the time of every pattern in src is linear in the length of its input', async () => {
  const composed = await loadComposed(reading);
  const all = [...reading.written, ...composed];
  const unknown = all.filter(({ pattern }) => recorded[String(pattern)] === undefined);
  const slow = unknown
    .map(({ pattern, place }) => ({ place, pattern: String(pattern), ...growthOf(pattern) }))
    .filter(({ isLinear }) => !isLinear);
  expect(reading.written.length).toBeGreaterThan(100);
  expect(composed.length).toBeGreaterThanOrEqual(reading.composed.length);
  expect(reading.composed).not.toEqual([]);
  expect(slow).toEqual([]);
});

test('patterns are literals, or made by composedPattern while their module loads', () => {
  expect(reading.hidden).toEqual([]);
});

test('a composed pattern is checked like one that was written', () => {
  const made = composedPattern(`^(?:${['a', 'a'].join('|')})*$`, 'u');
  expect(composedPatterns.pop()).toBe(made);
  expect(growthOf(made).isLinear).toBe(false);
});

test.each([
  ['exponential', /^(?:\d+|\d+[.,])*x/],
  ['exponential, in a look ahead', /^(?=(?:a|a)*b)/],
  ['quadratic', /\s+$/],
  ['quadratic, in a look behind', /(?<=;\s*)=/],
])('the checker finds what is %s: %s', (_, pattern) => {
  expect(growthOf(pattern).isLinear).toBe(false);
});

test.each([
  ['a literal', 'a.ts', 'text.replace(/a+/g, "")', ['/a+/g']],
  ['a literal in a type parameter call', 'a.ts', 'f<string>(/a+/)', ['/a+/']],
  ['a literal in markup', 'a.tsx', '<b title={/a+/.test(t) ? "x" : "y"}>{/b/u}</b>', ['/a+/', '/b/u']],
  ['a script of the browser', 'a.js', 'const a = 1 / 2, b = /a/;', ['/a/']],
  ['a format of zod', 'a.ts', 'z.iso.date()', [expect.stringContaining('-02-29'), expect.stringContaining('-02-29')]],
  ['a pattern of zod', 'a.ts', 'z.string().regex(z.regexes.hex)', ['/^[0-9a-fA-F]*$/']],
  ['no pattern', 'a.ts', 'z.string(); const a: RegExp[] = []; text.split("a+"); "/a+/"', []],
])('the reader finds %s', (_, path, code, patterns) => {
  const { written, hidden } = readPatterns(path, code);
  expect(written.map(({ pattern }) => String(pattern))).toEqual(patterns);
  expect(hidden).toEqual([]);
});

test.each([
  'new RegExp(text)',
  'RegExp(text)',
  'new globalThis.RegExp(text)',
  'const Made = RegExp;',
  'text.match("a+")',
  'text.matchAll(`a+`)',
  'text.search("a" + b)',
  'const f = () => composedPattern(text)',
  'class A { pattern = composedPattern(text) }',
  'import { composedPattern as other } from "./pattern"',
])('the reader complains about %s', (code) => {
  expect(readPatterns('a.ts', code).hidden).toEqual(['a.ts:1']);
});
