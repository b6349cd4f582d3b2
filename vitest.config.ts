import { readFileSync } from 'node:fs';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers';
import { defineConfig, type Plugin, type ViteUserConfig } from 'vitest/config';
import { build } from './scripts/build.ts';
import { textImports } from './scripts/text-imports.ts';

/** Public values: they open nothing but a test's own database. */
const bindings = {
  ROOT_SECRETS: 'r1:dGVzdC1yb290LXRlc3Qtcm9vdC10ZXN0LXJvb3QtdGU=',
  OPERATOR_TOKENS: 'test:ready+read+write+restore:test-operator-token-test-operator-token',
  ALERT_SECRET: 'whsec_dGVzdC1hbGVydC10ZXN0LWFsZXJ0LXRlc3QtYWxlcnQ=',
};

/** A bound for what hangs, not a measure: the machine may be busy. */
const HANG_MS = 60_000;

/** What Workers have and this Node only behind a flag: bytes to base64 and hex. */
const WORKERS_BASE64 = ['--js-base-64'];

const compilerOptions = readFileSync('tsconfig.json', 'utf8');
/** Modules are compiled as tsconfig.json says, and the cache of compiled modules knows nothing of it by itself. */
const compiledAnew: Plugin = {
  name: 'compiled-anew',
  configureVitest: ({ defineCacheKeyGenerator }) => defineCacheKeyGenerator(() => compilerOptions),
};

// Once for each test file, wrangler would warn that the secrets are not in .dev.vars: they are the ones above. What it has
// to say about wrangler.toml comes out in test/node/config.test.ts.
process.env.WRANGLER_LOG ??= 'error';

export default defineConfig(async ({ mode }): Promise<ViteUserConfig> => {
  await build();
  // `npm run proof` runs what takes long, `npm test` everything else: `*.proof.test.ts` is run by the former alone, and
  // `*.rounds.test.ts` by both, there more often. `npm run proof -- --all` (mode `all`) also runs `*.extended.test.ts`, and the
  // rounds of the browser.
  const isAll = mode === 'all';
  const isProof = mode === 'proof' || isAll;
  const endings = isAll ? 'proof,rounds,extended' : 'proof,rounds';
  const ending = isProof ? `{${endings}}.test.ts` : 'test.ts';
  const except = (...patterns: string[]) => [...patterns, ...(isProof ? [] : ['**/*.{proof,extended}.test.ts'])];
  return {
    test: {
      // Each request logs a line; only a failed test's are of interest.
      silent: 'passed-only',
      maxWorkers: 2,
      provide: { isProof, isAll },
      projects: [
        {
          // Pure functions: they need no Worker.
          plugins: [compiledAnew],
          test: {
            name: 'unit',
            include: isProof ? [] : ['test/**/*.unit.test.ts'],
            setupFiles: 'test/support/restored.ts',
            isolate: false,
            execArgv: WORKERS_BASE64,
            testTimeout: HANG_MS,
            hookTimeout: HANG_MS,
          },
        },
        {
          plugins: [
            textImports,
            compiledAnew,
            cloudflareTest({
              remoteBindings: false,
              main: './src/index.ts',
              wrangler: { configPath: './wrangler.toml' },
              miniflare: { bindings: { ...bindings, TEST_MIGRATIONS: await readD1Migrations('migrations') } },
            }),
          ],
          test: {
            name: 'workers',
            include: [`test/**/*.${ending}`],
            exclude: except('test/**/*.unit.test.ts', 'test/node/**', 'test/browser/**'),
            // To start a Worker takes longer than most files: they share one, each with a storage that was emptied before.
            isolate: false,
            setupFiles: ['log-of-failures', 'empty-storage', 'restored'].map((name) => `test/support/${name}.ts`),
            globalSetup: 'test/support/failing-receivers.ts',
            testTimeout: isProof ? 600_000 : HANG_MS,
            hookTimeout: HANG_MS,
          },
        },
        {
          plugins: [textImports, compiledAnew],
          test: {
            name: 'node',
            include: [`test/node/**/*.${ending}`],
            exclude: except(),
            execArgv: WORKERS_BASE64,
            testTimeout: 2 * HANG_MS,
            hookTimeout: 2 * HANG_MS,
            // Several start the whole service.
            fileParallelism: false,
            // Vitest runs projects with different numbers of workers one after the other, and asks for their order.
            sequence: { groupOrder: 1 },
            // Most import much of the code: to load it once takes half of the time. Proofs kill and restart services.
            isolate: isProof,
          },
        },
        {
          plugins: [textImports, compiledAnew],
          test: {
            name: 'browser',
            include: [`test/browser/**/*.${isProof && !isAll ? 'proof.test.ts' : ending}`],
            exclude: except(),
            execArgv: WORKERS_BASE64,
            globalSetup: 'test/browser/support/setup.ts',
            testTimeout: isProof ? 600_000 : 4 * HANG_MS,
            hookTimeout: 2 * HANG_MS,
            expect: { poll: { timeout: HANG_MS } },
            // One browser at a time: it needs both cores.
            fileParallelism: false,
          },
        },
      ],
    },
  };
});
