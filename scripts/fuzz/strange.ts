import fc from 'fast-check';

/** JSON text that no value of JavaScript stands for: numbers out of range, a member twice, nesting without end. */
export class Raw {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** As `JSON.stringify`, with `Raw` values as they are. Lone surrogates are written as escapes. */
export function jsonOf(value: unknown): string {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${jsonOf(member)}`)
    .join(',')}}`;
}

/** Markup that must never come back as markup; `isInjected` finds it. */
export const MARKUP = [
  '"><zqx onload=alert(1)>',
  '<script>zqx()</script>',
  '" onzqx="1',
  "' onzqx='1",
  '</title></textarea><zqx>',
  '--><zqx>',
  '&lt;zqx&gt;<zqx>',
];
const INJECTED = /<zqx|<script>zqx|" onzqx="|' onzqx='/;

export function isInjected(html: string): boolean {
  return INJECTED.test(html);
}

/** What fast-check does not come upon by itself. */
const KNOWN_TEXTS = [
  ...['\ufeff', '\u202etxt.exe', '\u2066עמר\u2069', '👩‍⚕️🇩🇪', 'İı ß ẞ ﬀ', '\u0085\u2028\u2029', '٣', '１２'],
  ...["' or 1=1 --", '_%', '../../x', '=1+1', '//evil.example', '/\\evil.example', 'javascript:zqx()', '1,5', '1e309'],
  ...['http://127.0.0.1:9/', 'http://[::1', 'file:///x', '2026-02-30', '9999-12-31', '-271821-04-20', 'a@b@c'],
];
const LENGTHS = [60, 101, 201, 300, 2_100, 40_000];

const codeUnit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));

/** Texts that programs stumble over, of whatever a text stands for. */
export const strangeText: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom(...KNOWN_TEXTS), weight: 4 },
  { arbitrary: fc.constantFrom(...MARKUP), weight: 2 },
  { arbitrary: fc.string({ maxLength: 30 }), weight: 3 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 30 }), weight: 2 },
  { arbitrary: fc.string({ unit: codeUnit, maxLength: 8 }), weight: 1 },
  fc.constantFrom(...['x', 'ü', 'e\u0301', '9'].flatMap((unit) => LENGTHS.map((length) => unit.repeat(length)))),
  fc.constantFrom(null, undefined, true, {}).map(String),
  fc.double().map(String),
  fc.date().map((date) => (Number.isNaN(date.getTime()) ? '0000-00-00' : date.toISOString())),
  fc.oneof(fc.emailAddress(), fc.webUrl(), fc.ipV6(), fc.uuid()),
);

const nested = (open: string, inside: string, close: string, depth: number) =>
  open.repeat(depth) + inside + close.repeat(depth);
const RAW_VALUES = [
  ...['1e999', '-1e999', '1e-400', '-0', '1.0', '1E2', '0.1'.padEnd(400, '1'), '{"a":1,"a":2}'],
  ...['{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{}}}'],
  ...[nested('[', '', ']', 100), nested('{"a":', '1', '}', 70), `[${'1,'.repeat(2_000)}1]`, `[${'{},'.repeat(100)}{}]`],
];

/** Values of every JSON type, the extremes of each among them. */
export const strangeValue: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: strangeText, weight: 8 },
  { arbitrary: fc.constantFrom<unknown>(null, true, 0, -1, 1.005, 9999, 10_000_001, [], {}, [null], ['x']), weight: 4 },
  { arbitrary: fc.constantFrom(...RAW_VALUES).map((text) => new Raw(text)), weight: 2 },
  { arbitrary: fc.jsonValue(), weight: 2 },
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.bigInt({ min: -(10n ** 400n), max: 10n ** 400n }).map((number) => new Raw(String(number))),
);

/** Whole bodies that are no JSON, or none that a schema expects. */
export const strangeBody: fc.Arbitrary<string> = fc.oneof(
  fc.json(),
  fc.string({ unit: fc.constantFrom(...'{}[]":,1e-\\u0\ufeff '), maxLength: 12 }),
  fc.constantFrom('', 'NaN', 'undefined', "{'a':1}", '{"a":"\u0000"}', '{"\\u0000":1}', '// x\n{}', '<a/>', 'a=1&b=2'),
  fc.constantFrom(nested('[', '', ']', 5_000), nested('{"a":', '1', '}', 5_000), '['.repeat(50_000)),
  fc.constant(`[${'{},'.repeat(60_000)}{}]`),
);

/** Segments of a path and values of a query as they go over the wire, malformed ones among them. */
export const strangeEncoded: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.string({ unit: fc.constantFrom(...'%%%25c3ef0adu.;=+,*:{}&'), maxLength: 8 }), weight: 3 },
  { arbitrary: strangeText.map((text) => encodeURIComponent(text.toWellFormed().slice(0, 3_000))), weight: 6 },
  fc.constantFrom('%zz', '%00', '%ff', '%ed%a0%80', '%2F..%2F', '%2e%2e', '%5c', '%2525', '..', ':id'),
  fc.constantFrom('%0d%0aX-Injected:%201', '%22%3E%3Czqx%3E', '%3Cscript%3Ezqx()%3C/script%3E', '%41'.repeat(1_000)),
);
