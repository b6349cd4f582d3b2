/**
 * `npm run release`, in the checkout that was deployed: stores two files against which tests check later releases.
 * test/release/migrations.json: the SHA-256 of each migration. These migrations must never change from then on.
 * test/release/worker.js.gz: the Worker. It must work with the schema of the next release until that release serves.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { ROOT } from './paths.ts';

const MIGRATIONS = join(ROOT, 'migrations');
const RELEASE = join(ROOT, 'test/release');

const names = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'));
const hashOf = (name: string) =>
  createHash('sha256')
    .update(readFileSync(join(MIGRATIONS, name)))
    .digest('hex');
const hashes = Object.fromEntries(names.sort().map((name) => [name, hashOf(name)]));
writeFileSync(join(RELEASE, 'migrations.json'), `${JSON.stringify(hashes, null, 2)}\n`);

const dir = mkdtempSync(join(tmpdir(), 'offizin-release-'));
const wrangler = ['--no-warnings', fileURLToPath(import.meta.resolve('wrangler'))];
execFileSync(process.execPath, [...wrangler, 'deploy', '--dry-run', '--env', '', '--outdir', dir], { cwd: ROOT });
writeFileSync(join(RELEASE, 'worker.js.gz'), gzipSync(readFileSync(join(dir, 'index.js')), { level: 9 }));
rmSync(dir, { recursive: true });
console.log(`${names.length} migrations and the Worker, in ${RELEASE}`);
