/**
 * `npm run proof`: what takes longer than `npm test` and guards data. With `--all` also the files `*.extended.test.ts`: every page in
 * the browser, deployments, documents, and tools in other languages that are downloaded from their registries. Other arguments are
 * vitest's.
 */
import { spawnSync } from 'node:child_process';

const given = process.argv.slice(2);
const mode = given.includes('--all') ? 'all' : 'proof';
const args = [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--mode',
  mode,
  '--reporter=default',
  '--reporter=./scripts/tally.ts',
];
const { status } = spawnSync(process.execPath, [...args, ...given.filter((each) => each !== '--all')], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
