import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('every file, export and dependency is used by something', () => {
  const cli = fileURLToPath(import.meta.resolve('knip')).replace(/dist.*/, 'bin/knip.js');
  const { status, stdout } = spawnSync(process.execPath, [cli, '--no-progress'], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, '']);
});
