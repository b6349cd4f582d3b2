import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { expect, test } from 'vitest';
import { API_KEY } from '../../scripts/demo';

const ROOT = resolve(import.meta.dirname, '../..');
const SRC = join(ROOT, 'src');
const LINES_MAX = 600;

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }));

const { output } = await cruise(['src'], await extractDepcruiseOptions('./test/dependency-cruiser.cjs'));
const { modules, summary } = output as ICruiseResult;

test('imports keep the rules of test/dependency-cruiser.cjs', () => {
  expect(summary.totalCruised).toBeGreaterThan(files.length);
  expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).toEqual([]);
});

test('the folders of a slice, and its files beside them, import one way', () => {
  const rooms = modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }) => ({ from: roomOf(source), to: roomOf(resolved) })),
  );
  const within = rooms.filter(({ from, to }) => from.slice === to.slice && from.room !== to.room);
  const named = within.map(({ from, to }) => ({ from: from.room, to: to.room }));
  expect(named).toContainEqual({ from: 'src/management/requests', to: 'src/management/ui' });
  expect(circles(named)).toEqual([]);
});

/** What makes a MAC, or a key for one. */
const MAC_WORDS = /\b(hmac|importHmacKey|createHmac|derivedKey)\b|'HMAC'/;
/** `mac` is the one way. The others have secrets that are not the service's own; access tokens are JWT by jose. */
const MAKES_MACS = [
  'auth/keys/tokens.ts',
  'auth/staff/sign-in/totp.ts',
  'platform/crypto/crypto.ts',
  'platform/mac.ts',
  'webhooks/signing/sign.ts',
  'webhooks/signing/snippets.ts',
];

test('MACs under a secret of the service are made in platform/mac alone', () => {
  const found = files.filter(({ text }) => MAC_WORDS.test(text)).map(({ path }) => path);
  expect(found.sort()).toEqual(MAKES_MACS);
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

test('every file that the map of architecture.md names exists', () => {
  const [, map = ''] =
    /^## The map\n.*?```\n(.*?)```/ms.exec(readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')) ?? [];
  const named = [...map.matchAll(/(?<![\w.*-])\w[\w.-]*\.(?:tsx?|js)\b/g)].map(([name]) => name);
  const dirs = ['src', 'scripts', 'test'].map((dir) =>
    readdirSync(join(ROOT, dir), { recursive: true, encoding: 'utf8' }),
  );
  const known = new Set(dirs.flat().map((path) => basename(path)));
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('every subject that architecture.md names in a folder of tests has a file', () => {
  const rows = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8').matchAll(
    /^\| `(test\/[\w-]+)\/` \| (.*) \|$/gm,
  );
  const named = [...rows].flatMap(([, folder = '', subjects = '']) =>
    subjects.split(', ').map((name) => ({ folder, name })),
  );
  const missing = named.filter(
    ({ folder, name }) => !readdirSync(join(ROOT, folder)).some((file) => file.startsWith(`${name}.`)),
  );
  expect(named.length).toBeGreaterThan(200);
  expect(missing).toEqual([]);
});

test('the API key of the demo holds every scope but the one of the connector', () => {
  const [, list = ''] =
    /ROLES_OF_SCOPE = \{([^}]*)\}/.exec(readFileSync(join(SRC, 'platform/access.ts'), 'utf8')) ?? [];
  const scopes = [...list.matchAll(/'(\w+\.\w+)'/g)].map(([, scope]) => scope);
  expect(API_KEY.scopes).toEqual(scopes.filter((scope) => scope !== 'external_orders.submit'));
});

/** `src/orders/desk/desk.ts`: slice `src/orders`, room `src/orders/desk`. */
function roomOf(path: string): { slice: string; room: string } {
  const parts = path.split('/');
  return { slice: parts.slice(0, 2).join('/'), room: parts.slice(0, 3).join('/') };
}

/** Every chain of imports that comes back to where it began; one for each import that closes it. */
function circles(arrows: readonly { from: string; to: string }[]): string[] {
  const leaving = Map.groupBy(arrows, ({ from }) => from);
  const found: string[] = [];
  const done = new Set<string>();
  const follow = (room: string, path: string[]) => {
    const start = path.indexOf(room);
    if (start >= 0) found.push([...path.slice(start), room].join(' -> '));
    if (start >= 0 || done.has(room)) return;
    for (const { to } of leaving.get(room) ?? []) follow(to, [...path, room]);
    done.add(room);
  };
  for (const room of leaving.keys()) follow(room, []);
  return found;
}
