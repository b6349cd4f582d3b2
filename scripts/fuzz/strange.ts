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

/** Texts that programs stumble over. */
export const TEXTS: readonly string[] = [
  ...['', ' ', '\t', '\r\n', '\u0000', 'a\u0000b', '\ud800', 'a\udc00b', '\ufeff', '\u202etxt.exe', '\u2066עמר\u2069'],
  ...['null', 'undefined', 'NaN', 'Infinity', '-1', '-0', '0', '00', '1.5', '1,5', '1e309', '0x1f', '9'.repeat(400)],
  ...['٣', '１２', 'true', '[]', '{}', '[object Object]', '__proto__', 'constructor', 'toString', 'hasOwnProperty'],
  ...['👩‍⚕️🇩🇪', 'e\u0301'.repeat(60), 'İı ß ẞ ﬀ', '\uffff\ufffe', 'ﷺ'.repeat(30), '\u{10ffff}', '\u0085\u2028\u2029'],
  ...[
    "' or 1=1 --",
    '"; --',
    '%',
    '_%',
    '\\',
    '*',
    '(',
    '[a-',
    '^$',
    '?',
    '#',
    '&',
    '+',
    '%00',
    '%zz',
    '..',
    '../../x',
  ],
  ...[
    '=1+1',
    '@x',
    '//evil.example',
    '/\\evil.example',
    'javascript:zqx()',
    'http://127.0.0.1:9/',
    'http://[::1',
    'file:///x',
  ],
  ...['2026-02-30', '0000-00-00', '9999-12-31', '2026-11-20T25:00:00Z', '-271821-04-20', '+275760-09-13', '1e3'],
  ...[
    'a@b',
    '@',
    'a@b@c',
    `${'a'.repeat(300)}@b.de`,
    'x'.repeat(101),
    'x'.repeat(201),
    'ü'.repeat(2_100),
    'x'.repeat(40_000),
  ],
  ...['00000000-0000-0000-0000-000000000000', 'not-an-id', ...MARKUP],
];

const deep = (open: string, close: string, times: number) => new Raw(open.repeat(times) + close.repeat(times));

/** Values of every JSON type, the extremes of each among them. */
export const VALUES: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1, 1.005, 0.1 + 0.2, 1e21, -1e21, 2 ** 31, 2 ** 53, -(2 ** 53) - 2, 9999, 10_000_001],
  ...['1e999', '-1e999', '1e-400', '-0', '1.0', '1E2', '9'.repeat(400), '0.1'.padEnd(400, '1')].map(
    (text) => new Raw(text),
  ),
  ...[
    [],
    {},
    [[]],
    [null],
    [{}],
    { '': '' },
    { a: { b: { c: [1] } } },
    ['x'],
    Array(101).fill({}),
    Array(2_000).fill(1),
  ],
  ...[deep('[', ']', 100), deep('{"a":', '}', 0), new Raw(`${'{"a":'.repeat(70)}1${'}'.repeat(70)}`)],
  ...[new Raw('{"__proto__":{"isAdmin":true}}'), new Raw('{"constructor":{"prototype":{}}}'), new Raw('{"a":1,"a":2}')],
];

/** Whole bodies that are no JSON, or none that a schema expects. */
export const BODIES: readonly string[] = [
  ...[
    '',
    ' ',
    'null',
    'true',
    '0',
    '""',
    '[]',
    '{}',
    '[{}]',
    '{',
    '}',
    '{"a":}',
    "{'a':1}",
    '{"a":1,}',
    'NaN',
    'undefined',
  ],
  ...[
    '\ufeff{}',
    '{}{}',
    '{"a":1}x',
    '{"a":"\u0000"}',
    '{"a":"\\ud800"}',
    '{"\\u0000":1}',
    '// x\n{}',
    '<a/>',
    'a=1&b=2',
  ],
  ...[`${'['.repeat(5_000)}${']'.repeat(5_000)}`, `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`, '['.repeat(50_000)],
  `[${'{},'.repeat(60_000)}{}]`,
];

/** Segments of a path and values of a query as they go over the wire, malformed ones among them. */
export const ENCODED: readonly string[] = [
  ...[
    '%',
    '%2',
    '%zz',
    '%00',
    '%ff',
    '%c3%28',
    '%ed%a0%80',
    '%2f',
    '%2F..%2F',
    '%2e%2e',
    '%5c',
    '%25',
    '%2525',
    '%u0041',
  ],
  ...[
    '+',
    '%20',
    '%09',
    '%0d%0aX-Injected:%201',
    ';',
    ';a=b',
    ',',
    '=',
    '&&',
    '===',
    '.',
    '..',
    '...',
    '*',
    ':id',
    '{id}',
  ],
  ...[
    '%F0%9F%92%8A',
    '%E2%80%AE',
    '%22%3E%3Czqx%3E',
    '%3Cscript%3Ezqx()%3C/script%3E',
    'x'.repeat(3_000),
    '%41'.repeat(1_000),
  ],
];
