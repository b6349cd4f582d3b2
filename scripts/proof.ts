/**
 * `npm run proof`: what takes longer than `npm test`. With `--all` also the files `*.outside.test.ts`, which need other languages
 * and download tools from their registries. Other arguments are vitest's.
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
