import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { AppError, type FieldError } from '../../src/platform/errors/errors';
import { escapePointer, faultOfText, jsonAsSent, parseJson } from '../../src/platform/http/json';

function faultsOf(text: string): FieldError[] | string | null {
  try {
    parseJson(new TextEncoder().encode(text));
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.details.errors ?? error.code;
  }
}

test.each([
  '{',
  '',
  'undefined',
  "{'a':1}",
  '{"a":1,}',
  '[1 2]',
  '01',
  '+1',
  '.5',
  '1.',
  '"\t"',
  '\u00a01',
  '{"a":1}x',
  '//x\n1',
])('%j is no JSON', (text) => {
  expect(faultsOf(text)).toBe('invalid_json');
});

test.each([[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82]])(
  'bytes that are no UTF-8 (%s …) are no JSON',
  (...bytes) => {
    expect(() => parseJson(new Uint8Array([0x22, ...bytes, 0x22]))).toThrow('invalid_json');
  },
);

test.each<[string, string, string]>([
  ['"\\u0000"', '', 'control_character'],
  ['{"a":["x","\\u001f"]}', '/a/1', 'control_character'],
  ['{"a":{"b":"\\ud800"}}', '/a/b', 'malformed_unicode'],
  ['{"a":"\\udc00\\ud800"}', '/a', 'malformed_unicode'],
  ['{"a":{"__proto__":1}}', '/a/__proto__', 'forbidden_key'],
  ['[{"constructor":1}]', '/0/constructor', 'forbidden_key'],
  ['{"prototype":{}}', '/prototype', 'forbidden_key'],
  ['{"a":{"\\u0000":1}}', '/a', 'invalid_key'],
  ['{"\\ud800":1}', '', 'invalid_key'],
  ['{"a~b/c":1e999}', '/a~0b~1c', 'number_out_of_range'],
  ['{"":"\\u0000"}', '/', 'control_character'],
  ['{"a":1,"b":{"c":[0,{"x":1 , "y":2,"x":1}]}}', '/b/c/1/x', 'duplicate_member'],
  ['{"a":"\\"b\\":1","a":1}', '/a', 'duplicate_member'],
  ['{"quantity":1,"qu\\u0061ntity":10}', '/quantity', 'duplicate_member'],
  ['[{"a":1},{"a":1,"a":{"a":1}}]', '/1/a', 'duplicate_member'],
])('%s has a fault at %j: %s', (text, pointer, code) => {
  expect(faultsOf(text)).toEqual([{ pointer, code, message: expect.stringMatching(/\.$/) }]);
});

test.each([
  '{"__Proto__":1}',
  '{"constructor_":1}',
  '{"a":"__proto__"}',
  '"\\t\\n\\r"',
  '[{"a":{"a":[{"a":1},{"a":":,"}]}},{"a":-1.50E+3}]',
  '"\\ud83d\\ude00"',
  '-0',
  '1e308',
  'null',
])('%s has no fault', (text) => {
  expect(faultsOf(text)).toBeNull();
});

test.each([
  ['[', ']'],
  ['{"a":', '}'],
])('sixteen levels of %s pass and seventeen do not', (open, close) => {
  const levels = (count: number) => open.repeat(count) + (open === '[' ? '' : '1') + close.repeat(count);
  expect(faultsOf(levels(16))).toBeNull();
  expect(faultsOf(levels(17))).toMatchObject([{ code: 'too_deep' }]);
  expect(faultsOf(levels(5_000))).toMatchObject([{ code: 'too_deep' }]);
  expect(faultsOf(levels(100_000))).toBe('too_complex');
});

/** The characters that stand outside of strings, counted the slow way: out of what JSON.stringify gives. */
function structureOf(value: unknown): number {
  const withoutTexts = JSON.stringify(value).replace(/"(?:[^"\\]|\\.)*"/g, '""');
  return [...withoutTexts].filter((char) => '{[,:'.includes(char)).length;
}

test('structure is counted outside of texts alone, whatever stands in them', () => {
  const text = fc.string({ unit: fc.constantFrom('"', '\\', '{', '[', ',', ':', 'ä', '😀', 'a', '\n', '/') });
  const value = fc.jsonValue({ maxDepth: 4, stringUnit: 'grapheme' });
  fc.assert(
    fc.property(fc.record({ 'k"\\': fc.array(text), value }), (sent) => {
      const bytes = new TextEncoder().encode(JSON.stringify(sent));
      const count = structureOf(sent);
      const codeAt = (max: number) => {
        try {
          parseJson(bytes, max);
          return null;
        } catch (error) {
          return (error as AppError).code;
        }
      };
      expect(codeAt(count)).not.toBe('too_complex');
      expect(codeAt(count - 1)).toBe('too_complex');
    }),
    { numRuns: 300, seed: 1 },
  );
});

test.each([
  ['too many objects', `[${'{},'.repeat(10_000)}{}]`],
  ['too many levels', '['.repeat(20_001)],
  ['too many texts', `[${'"",'.repeat(20_000)}""]`],
])('%s are refused before anything is parsed', (_, text) => {
  const parse = vi.spyOn(JSON, 'parse');
  expect(faultsOf(text)).toBe('too_complex');
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
});

test.each([
  ['a text that never ends', `{"a":"${',{'.repeat(30_000)}`],
  ['an escape at the end', `{"a":"\\`],
  ['texts side by side', '"a"'.repeat(50_000)],
])('%s is no JSON', (_, text) => {
  expect(faultsOf(text)).toBe('invalid_json');
});

test('a key called __proto__ reaches no prototype', () => {
  expect(faultsOf('{"__proto__":{"polluted":true}}')).toMatchObject([{ code: 'forbidden_key' }]);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('faults are counted up to 50', () => {
  expect(faultsOf(JSON.stringify(Array(500).fill('\u0000')))).toHaveLength(50);
});

test('what is neither refused nor faulty is what JSON.parse gives', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = JSON.stringify(value);
      if (faultsOf(text) !== null) return;
      expect(parseJson(new TextEncoder().encode(text))).toEqual(JSON.parse(text));
    }),
    { numRuns: 500, seed: 1 },
  );
});

test.each([
  ['a/b', 'a~1b'],
  ['a~b', 'a~0b'],
  ['~1', '~01'],
  ['', ''],
  ['ü', 'ü'],
  ['k'.repeat(101), 'k'.repeat(100)],
  [`${'k'.repeat(99)}😀`, `${'k'.repeat(99)}\ufffd`],
])('the key %j is %j in a pointer', (key, token) => {
  expect(escapePointer(key)).toBe(token);
});

test.each([
  ...Array.from({ length: 0x20 }, (_, code) => code).filter((code) => ![0x09, 0x0a, 0x0d].includes(code)),
  ...Array.from({ length: 0x21 }, (_, offset) => 0x7f + offset),
])('the control character %i is seen', (code) => {
  expect(faultOfText(`a${String.fromCharCode(code)}b`)?.code).toBe('control_character');
});

test.each(['', 'a\tb\nc\rd', 'äöü€😀', '\u00a0', '\u2028'])('the text %j has no fault', (text) => {
  expect(faultOfText(text)).toBeNull();
});

test('the numbers of a member are told as they were sent', () => {
  const text = '{"a":9123456789654321987,"b":{"c":[1.10,{"d":1E2}],"e":2},"f":4.95,"g":"1.10"}';
  const value = parseJson(new TextEncoder().encode(text)) as Record<string, unknown>;
  expect(Object.keys(value).map((key) => `"${key}":${jsonAsSent(value, key)}`)).toEqual([
    '"a":9123456789654321987',
    '"b":{"c":[1.10,{"d":1E2}],"e":2}',
    '"f":4.95',
    '"g":"1.10"',
  ]);
});
