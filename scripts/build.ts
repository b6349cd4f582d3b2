/**
 * Builds the files for browsers into `dist`: `assets`, which Cloudflare serves (wrangler.toml, `[assets]`), and
 * `names.json`, which tells the Worker the names of its files. wrangler runs this script before each start and
 * deployment (`[build]`). vitest.config.ts runs it before the tests.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { build as bundle } from 'esbuild';
import { ROOT } from './paths.ts';

const DIST = join(ROOT, 'dist');
const ASSETS = join(DIST, 'assets');
/** Each of these becomes one file. The file's name contains the hash of its content. */
const ENTRIES = [
  'src/management/client/manage.css',
  'src/management/client/manage.js',
  'src/management/client/viewer.css',
  'src/management/client/viewer.js',
  'src/platform/markup/outside.css',
  'scripts/reference/docs.css',
  'scripts/reference/client/docs.js',
];
/** The files that pdf.js loads by itself, below a path with its version: worker, fonts, encodings, image decoders. */
const PDFJS = join(ROOT, 'node_modules/pdfjs-dist');
const PDFJS_FILES = /^(legacy\/build\/pdf\.worker\.min\.mjs|(cmaps|standard_fonts|iccs|wasm)\/(?!quickjs).+)$/;
/** Headers of files that Cloudflare serves without the Worker. */
const HEADERS = `/assets/*
  Cache-Control: public, max-age=31536000, immutable
/favicon.svg
  Cache-Control: public, max-age=86400
/*
  X-Content-Type-Options: nosniff
  X-Robots-Tag: noindex
  Strict-Transport-Security: max-age=31536000
`;

/**
 * Builds all files. Several builds may run at once: each file is replaced as a whole, and only if its content changed.
 */
export async function build(): Promise<void> {
  const { outputFiles, metafile } = await bundle({
    absWorkingDir: ROOT,
    entryPoints: ENTRIES,
    entryNames: '[name]-[hash]',
    outdir: join(ASSETS, 'assets'),
    bundle: true,
    minify: true,
    charset: 'utf8',
    format: 'iife',
    metafile: true,
    write: false,
  });
  const { version } = JSON.parse(readFileSync(join(PDFJS, 'package.json'), 'utf8')) as { version: string };
  const names = [
    ...Object.entries(metafile.outputs).map(([path, { entryPoint = '' }]) => [
      basename(entryPoint),
      `/assets/${basename(path)}`,
    ]),
    ['pdfjs', `/assets/pdfjs-${version}/`],
  ];
  const files = new Map<string, string | Uint8Array>([
    ...outputFiles.map(({ path, contents }) => [path, contents] as const),
    [join(ASSETS, 'favicon.svg'), readFileSync(join(ROOT, 'src/platform/markup/favicon.svg'))],
    [join(ASSETS, '_headers'), HEADERS],
    [join(DIST, 'names.json'), JSON.stringify(Object.fromEntries(names))],
  ]);
  for (const path of filesBelow(PDFJS)) {
    const [, own = ''] = PDFJS_FILES.exec(relative(PDFJS, path)) ?? [];
    const name = own.replace('legacy/build/', '');
    if (own) files.set(join(ASSETS, 'assets', `pdfjs-${version}`, name), readFileSync(path));
  }
  for (const [path, content] of files) writeIfChanged(path, Buffer.from(content));
  for (const [path, text] of await renderedSite()) {
    files.set(path, text);
    writeIfChanged(path, Buffer.from(text));
  }
  for (const path of filesBelow(ASSETS)) if (!files.has(path)) rmSync(path, { force: true });
}

/**
 * Returns the reference and its documents, by path. One set is for a service on this machine, where the keys are at
 * hand. The other set is for all other services.
 */
async function renderedSite(): Promise<Map<string, string>> {
  const { outputFiles } = await bundle({
    absWorkingDir: ROOT,
    entryPoints: ['scripts/reference/site.tsx'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    loader: { '.md': 'text' },
    external: ['cloudflare:*'],
    write: false,
  });
  const [{ text = '', hash = '' } = {}] = outputFiles;
  const program = join(DIST, 'site.mjs');
  writeIfChanged(program, Buffer.from(text));
  const { siteFiles } = (await import(`${program}?${encodeURIComponent(hash)}`)) as {
    siteFiles: (baseUrl: string) => Map<string, string>;
  };
  const trees = [
    ['local', 'http://localhost:8787'],
    ['deployed', 'https://api.offizin.example'],
  ] as const;
  return new Map(
    trees.flatMap(([tree, baseUrl]) =>
      [...siteFiles(baseUrl)].map(([path, content]) => [join(ASSETS, 'site', tree, path), content] as const),
    ),
  );
}

function writeIfChanged(path: string, content: Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  if (existsSync(path) && readFileSync(path).equals(content)) return;
  const unfinished = join(DIST, `${relative(DIST, path).replaceAll('/', '-')}.${process.pid}`);
  writeFileSync(unfinished, content);
  renameSync(unfinished, path);
}

function filesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

if (import.meta.main) await build();
