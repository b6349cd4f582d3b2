import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';

// What is deployed, as wrangler builds it, and what of it an isolate does before its first request.

const ROOT = resolve(import.meta.dirname, '../..');
/** An isolate reads it through at start. */
const GZIP_KIB_MAX = 600;
/** wrangler's warning that production has no second database yet: it binds one when the first fills up. */
const ONE_DATABASE =
  /▲ \[WARNING\] Processing wrangler\.toml configuration:\s+- "env\.production" environment configuration\s+- There is a d1_databases binding with name "DB_1" at the top level[\s\S]*?"env\.production\.d1_databases\.bindings"\./;

/** Packages that are evaluated at start. Every further one delays the first request of every isolate: docs/architecture.md. */
const PACKAGES_AT_START = ['@hono/zod-validator', 'drizzle-orm', 'hono', 'jose', 'uqr', 'uuid', 'zod'];

/** What this file reads of the description that esbuild writes beside a bundle. */
interface Metafile {
  inputs: Record<string, { imports: { path: string; kind: string; external?: boolean }[] }>;
}

const outdir = mkdtempSync(join(tmpdir(), 'offizin-bundle-'));
const bundle = join(outdir, 'index.js');
let printed: string;
let inputs: Metafile['inputs'];

beforeAll(() => {
  const metafile = join(outdir, 'meta.json');
  printed = dryRun(outdir, metafile);
  ({ inputs } = JSON.parse(readFileSync(metafile, 'utf8')) as Metafile);
});

afterAll(() => rmSync(outdir, { recursive: true }));

test(`the production bundle builds without a warning and stays within ${GZIP_KIB_MAX} KiB gzip`, () => {
  expect(printed.replace(ONE_DATABASE, '')).not.toMatch(/warning/i);
  const size = gzipSync(readFileSync(bundle)).length / 1024;
  console.log(`Bundle: ${size.toFixed(1)} KiB gzip (at most ${GZIP_KIB_MAX})`);
  expect(size).toBeLessThanOrEqual(GZIP_KIB_MAX);
  // What renders the reference, and what it shows, is no part of it.
  expect(Object.keys(inputs).filter((path) => /^src\/public-api\/(docs|examples|openapi)\b/.test(path))).toEqual([]);
});

test('at start an isolate evaluates no module of Node, and no package that is not listed', () => {
  const evaluated = evaluatedAtStart('src/index.ts');
  expect(evaluated).toContain('src/connector/routes.tsx');
  expect(evaluated).toContain('src/public-api/routes.ts');
  const packages = evaluated.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  expect([...new Set(packages)].toSorted()).toEqual(PACKAGES_AT_START);
  // An import from outside the bundle is carried out at start, however late the module that names it is evaluated.
  // `<runtime>` is what esbuild itself adds where an import is dynamic.
  const outside = Object.values(inputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
  expect(outside.filter(({ kind, path }) => kind !== 'dynamic-import' && path !== '<runtime>')).toEqual([]);
});

test('nothing is formatted at start: with the first formatter the runtime loads its data about languages and zones', () => {
  expect(run(`${REPORT_FORMATTING}; await import(${JSON.stringify(pathToFileURL(bundle).href)})`)).toBe('');
  expect(run(`${REPORT_FORMATTING}; (1).toLocaleString('de'); new Intl.PluralRules('de')`)).toBe(
    'toLocaleString PluralRules ',
  );
});

/** A script that prints the name of every formatter which what comes after it uses. */
const REPORT_FORMATTING = `
  const report = (owner, name) => {
    const known = owner[name];
    const say = () => process.stdout.write(name + ' ');
    owner[name] = new Proxy(known, {
      apply: (...call) => (say(), Reflect.apply(...call)),
      construct: (...call) => (say(), Reflect.construct(...call)),
    });
  };
  for (const name of Object.getOwnPropertyNames(Intl).filter((each) => /^[A-Z]/.test(each))) report(Intl, name);
  for (const { prototype } of [Number, BigInt, Date, Array]) report(prototype, 'toLocaleString');
  for (const name of ['toLocaleDateString', 'toLocaleTimeString']) report(Date.prototype, name);
  report(String.prototype, 'localeCompare')`;

/** Runs a script of its own. @returns what it prints */
function run(script: string): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...process.execArgv, '--input-type=module', '--eval', script],
    { encoding: 'utf8' },
  );
  expect(status, stderr).toBe(0);
  return stdout;
}

/** The modules that a module imports statically, and those that these import. `import()` is carried out later, if at all. */
function evaluatedAtStart(path: string, found = new Set<string>()): string[] {
  if (found.has(path)) return [];
  found.add(path);
  const next = inputs[path]?.imports.filter(({ kind, external }) => kind !== 'dynamic-import' && !external) ?? [];
  for (const each of next) evaluatedAtStart(each.path, found);
  return [...found];
}

/** @returns everything that it prints */
function dryRun(intoDir: string, metafile: string): string {
  const cli = fileURLToPath(import.meta.resolve('wrangler'));
  const what = ['deploy', '--dry-run', '--env', 'production', '--outdir', intoDir, '--metafile', metafile];
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', cli, ...what], {
    cwd: ROOT,
    encoding: 'utf8',
    env: {
      ...process.env,
      CI: 'true',
      NO_COLOR: '1',
      WRANGLER_LOG: 'log',
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_HIDE_BANNER: 'true',
    },
  });
  expect(status, stderr).toBe(0);
  return stripVTControlCharacters(stdout + stderr);
}
