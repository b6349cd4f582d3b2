// Installs the dependencies if they are missing or older than the lock file. Installs the project's own Node if an
// install without scripts has left it out. Runs under the Node that starts npm and before everything else, because the
// project's own Node comes with the dependencies.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';

const root = new URL('..', import.meta.url);
const modifiedAt = (path) => statSync(new URL(path, root), { throwIfNoEntry: false })?.mtimeMs ?? 0;

if (modifiedAt('node_modules/.package-lock.json') < modifiedAt('package-lock.json')) {
  // Shows only errors. npm would warn about every package that needs a later Node than the one that runs npm, although
  // these packages run under the project's own Node.
  run('npm ci --no-audit --no-fund --loglevel=error');
}
if (!process.exitCode && !existsSync(new URL('node_modules/node/bin/node', root)))
  run('npm rebuild node --loglevel=error');

function run(command) {
  const { status } = spawnSync(command, { cwd: root, stdio: 'inherit', shell: true });
  process.exitCode = status ?? 1;
}
