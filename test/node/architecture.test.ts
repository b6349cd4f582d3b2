import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const SRC = join(ROOT, 'src');
const LINES_MAX = 600;

const ADAPTERS = ['management', 'public-api', 'connector', 'operator', 'outside'];
/** Layers, from the top down: a module imports only from lower layers, never from a slice of its own layer. */
const STAIRS = [
  ['index'],
  ['app'],
  ADAPTERS,
  ['wire'],
  ['restore'],
  ['health'],
  ['reports'],
  ['order-requests'],
  ['orders'],
  ['messages'],
  ['inventory', 'prescriptions', 'auth', 'idempotency'],
  ['webhooks', 'tenants', 'search'],
  ['catalog', 'audit', 'directory'],
  ['codes'],
  ['platform'],
];
/** Stricter than the layers: these two import from no slice but the tables named here. */
const KNOWS_ONLY: Record<string, string[]> = { webhooks: ['audit', 'directory', 'tenants/tables'], audit: [] };

/** Layers of management below its areas: parts of pages, handling of requests, and what a browser runs. */
const SHARED_ROOMS = ['ui', 'http', 'client'];

/** Adapters that read with statements of a store, in the round trip that also tells who calls. */
const READS_WITH_THE_CALLER = ['connector/authenticate', 'outside/routes', 'management/http/session'];
const IS_STORE = /\/store(-\w+)?$/;
/** Names of statements. What else a store exports are types, and numbers that pages name. */
const STATEMENT_NAMES = /\b(select|count|insert|update|delete|erase|empty|drop)[A-Z]/;

const MAY_IMPORT_DRIZZLE =
  /\/(store(-\w+)?|tables)$|^platform\/data\/(changes|columns|db|period|statements|wide-rows)$|^webhooks\/deliveries\/rows$/;
const MAKES_STATEMENTS = /\/store(-\w+)?$|^platform\//;
const MAY_IMPORT_HONO = /^app$|^platform\/(http\/http|markup\/[a-z]+)$|\/middleware$/;
const PURE = /\/(rules|retry|sign|money)$/;
/** What uses a database, the clock or random numbers, by module and by name. */
const IMPURE_MODULES =
  /^platform\/(data\/db|context|http\/http|ids|files|queue\/enqueue|http\/rate-limit)$|\/(store(-\w+)?|tables)$/;
const IMPURE_WORDS = /\b(Date\.now|new Date\(\)|Math\.random|randomUUID)\b/;

interface Import {
  from: string;
  /** A path under src without extension, or a package's name. */
  to: string;
  isTypeOnly: boolean;
  /** What stands between `import` and `from`. */
  names: string;
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, module: withoutExtension(path), text: readFileSync(join(SRC, path), 'utf8') }));
const imports = files.flatMap(importsOf);
const inside = imports.filter(({ to }) => files.some(({ module }) => module === to));

test('every slice has its place on the stairs', () => {
  const known = STAIRS.flat();
  expect([...new Set(files.map(({ module }) => sliceOf(module)))].filter((slice) => !known.includes(slice))).toEqual(
    [],
  );
});

test('imports go down the stairs: platform knows no slice, no two slices know each other', () => {
  expect(violations((from, to) => from === to || stepOf(from) < stepOf(to) || isSideways(from, to))).toEqual([]);
});

test('webhooks and audit know no other slice, but for the directory, the tables of tenants and the record of audit', () => {
  const wrong = inside.filter(({ from, to }) => {
    const known = KNOWS_ONLY[sliceOf(from)];
    if (!known || sliceOf(to) === 'platform' || sliceOf(to) === sliceOf(from)) return false;
    return !known.some((allowed) => to === allowed || to.startsWith(`${allowed}/`));
  });
  expect(wrong.map(said)).toEqual([]);
});

test('adapters are imported by app.ts alone', () => {
  const wrong = inside.filter(
    ({ from, to }) => sliceOf(from) !== sliceOf(to) && from !== 'app' && ADAPTERS.includes(sliceOf(to)),
  );
  expect(wrong.map(said)).toEqual([]);
});

test('no file imports itself through others', () => {
  expect(circles(inside)).toEqual([]);
});

test('the rooms of a slice, which are its folders and its files beside them, import one way', () => {
  const rooms = inside.filter(({ from, to }) => sliceOf(from) === sliceOf(to) && roomOf(from) !== roomOf(to));
  const named = rooms.map(({ from, to }) => ({ from: fullRoomOf(from), to: fullRoomOf(to) }));
  expect(named).toContainEqual({ from: 'management/requests', to: 'management/ui' });
  expect(circles(named)).toEqual([]);
});

test('management has layers: routes, areas, ui, http, client; imports go down, and no area imports another', () => {
  const rooms = inside.filter(({ from, to }) => [from, to].every((module) => sliceOf(module) === 'management'));
  const areas = new Set(rooms.map(({ from }) => roomOf(from)).filter((room) => roomStepOf(room) === 1));
  const wrong = rooms.filter(({ from, to }) => {
    const [above, below] = [roomOf(from), roomOf(to)];
    return above !== below && roomStepOf(above) >= roomStepOf(below);
  });
  expect(areas.size).toBeGreaterThan(1);
  expect(wrong.map(said)).toEqual([]);
});

test('adapters and wire formats call use cases: they take no statement from a store', () => {
  const taken = inside.filter(
    ({ from, to, names, isTypeOnly }) =>
      [...ADAPTERS, 'wire'].includes(sliceOf(from)) && IS_STORE.test(to) && !isTypeOnly && STATEMENT_NAMES.test(names),
  );
  expect([...new Set(taken.map(({ from }) => from))].sort()).toEqual([...READS_WITH_THE_CALLER].sort());
});

test('only stores, tables, platform/data and the rows of deliveries know Drizzle', () => {
  const wrong = imports.filter(({ from, to }) => isPackage(to, 'drizzle-orm') && !MAY_IMPORT_DRIZZLE.test(from));
  expect(wrong.map(said)).toEqual([]);
});

test('statements are made in stores alone: elsewhere one is taken whole, or a condition', () => {
  const wrong = imports.filter(
    ({ from, to, isTypeOnly }) => to === 'platform/data/statements' && !isTypeOnly && !MAKES_STATEMENTS.test(from),
  );
  expect(imports.some(({ to }) => to === 'platform/data/statements')).toBe(true);
  expect(wrong.map(said)).toEqual([]);
});

test('only adapters, app.ts, middleware and platform/http know Hono', () => {
  const wrong = imports.filter(({ from, to }) => {
    const isHono = isPackage(to, 'hono') || isPackage(to, '@hono');
    return isHono && !ADAPTERS.includes(sliceOf(from)) && !MAY_IMPORT_HONO.test(from);
  });
  expect(wrong.map(said)).toEqual([]);
});

test('rules, retry, sign and money are pure: no database, no clock, no chance', () => {
  const wrong = imports.filter(({ from, to, isTypeOnly }) => PURE.test(from) && !isTypeOnly && IMPURE_MODULES.test(to));
  const words = files.filter(({ module, text }) => PURE.test(module) && IMPURE_WORDS.test(text));
  expect([...wrong.map(said), ...words.map(({ path }) => `${path} reads the clock or chance`)]).toEqual([]);
});

/** Modules that may enqueue: functions that run after a commit, and those whose task it is. */
const MAY_ENQUEUE = /\/(after-commit|record|consumer|sweep)$/;

test('rows are enqueued by what follows a commit, by consumers and by sweeps alone', () => {
  const wrong = imports.filter(
    ({ from, to, isTypeOnly }) => to === 'platform/queue/enqueue' && !isTypeOnly && !MAY_ENQUEUE.test(from),
  );
  expect(wrong.map(said)).toEqual([]);
});

/** What makes a MAC, or a key for one. */
const MAC_WORDS = /\b(hmac|importHmacKey|createHmac)\b|'HMAC'/;
/** `mac` is the one way. The others have secrets that are not the service's own, or a format that somebody else has defined. */
const MAKES_MACS: Record<string, string> = {
  'platform/crypto': 'what mac.ts is made of',
  'platform/mac': 'the one way',
  'webhooks/signing/sign': "a subscription's secret",
  'webhooks/signing/snippets': 'code for receivers, as text',
  'auth/staff/sign-in/totp': "a person's second factor",
};

test('MACs under a secret of the service are made in platform/mac alone', () => {
  const found = files.filter(({ text }) => MAC_WORDS.test(text)).map(({ module }) => module);
  expect(found.sort()).toEqual(Object.keys(MAKES_MACS).sort());
});

test(`no file of src has more than ${LINES_MAX} lines`, () => {
  const long = files.map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }));
  expect(long.filter(({ lines }) => lines > LINES_MAX)).toEqual([]);
});

test('every path that the README and docs name exists', () => {
  const docs = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
  const texts = ['README.md', ...docs.map((name) => `docs/${name}`)];
  const missing = texts.flatMap((name) =>
    [...readFileSync(join(ROOT, name), 'utf8').matchAll(/`((?:src|test|scripts|migrations|docs)\/[\w./-]*)`/g)]
      .filter(([, path = '']) => !existsSync(join(ROOT, path)))
      .map(([, path]) => `${name}: ${path}`),
  );
  expect(texts).toContain('docs/how-to.md');
  expect(missing).toEqual([]);
});

function importsOf({ module, text }: { module: string; text: string }): Import[] {
  const statements = text.matchAll(
    /^(?:import|export)(\s+type)?\b([^;'"]*?)\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm,
  );
  return [...statements].map(([, type, names = '', from, bare, dynamic]) => ({
    from: module,
    to: targetOf(module, from ?? bare ?? dynamic ?? ''),
    isTypeOnly: type !== undefined,
    names,
  }));
}

function targetOf(module: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  return withoutExtension(relative(SRC, resolve(SRC, dirname(module), specifier)));
}

function withoutExtension(path: string): string {
  return path.replace(/\.tsx?$/, '');
}

function sliceOf(module: string): string {
  return module.split('/')[0] ?? '';
}

function stepOf(slice: string): number {
  return STAIRS.findIndex((step) => step.includes(slice));
}

/** The folder or file of a slice: of management `routes`, `ui`, `http`, `client` or an area. */
function roomOf(module: string): string {
  return module.split('/')[1] ?? '';
}

function fullRoomOf(module: string): string {
  return `${sliceOf(module)}/${roomOf(module)}`;
}

function roomStepOf(room: string): number {
  if (room === 'routes') return 0;
  const shared = SHARED_ROOMS.indexOf(room);
  return shared < 0 ? 1 : shared + 2;
}

/** Every chain of imports that comes back to where it began, types included; one for each import that closes it. */
function circles(arrows: readonly { from: string; to: string }[]): string[] {
  const leaving = Map.groupBy(arrows, ({ from }) => from);
  const found: string[] = [];
  const done = new Set<string>();
  const follow = (module: string, path: string[]) => {
    const start = path.indexOf(module);
    if (start >= 0) found.push([...path.slice(start), module].join(' -> '));
    if (start >= 0 || done.has(module)) return;
    for (const { to } of leaving.get(module) ?? []) follow(to, [...path, module]);
    done.add(module);
  };
  for (const module of leaving.keys()) follow(module, []);
  return found;
}

/** The import within a step: a subscription's address must not be a shop's own, and tenants' tables know those. */
function isSideways(from: string, to: string): boolean {
  return from === 'webhooks' && to === 'tenants';
}

function violations(isAllowed: (from: string, to: string) => boolean): string[] {
  return inside.filter(({ from, to }) => !isAllowed(sliceOf(from), sliceOf(to))).map(said);
}

function isPackage(to: string, name: string): boolean {
  return to === name || to.startsWith(`${name}/`);
}

function said({ from, to }: Import): string {
  return `${from} imports ${to}`;
}
