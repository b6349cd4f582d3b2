import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { onePagePdf } from '../../scripts/pdf';
import { unescaped } from '../support/html';
import { ownService } from './support/own-service';

/**
 * The programs of the guides, taken from their pages and run as a reader would: beside the files of "Getting started". The mirror has
 * a proof of its own (mirror.proof.test.ts).
 */
const { service, dir } = await ownService();
const run = promisify(execFile);

beforeAll(async () => {
  const { base_url } = service.demo;
  mkdirSync(join(dir, '.wrangler'));
  symlinkSync(service.demoPath, join(dir, '.wrangler/demo.json'));
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }');
  const first = await (await fetch(`${base_url}/docs`)).text();
  const started = /aria-label="Getting started">([\s\S]*?)<\/fieldset>/.exec(first)?.[1] ?? '';
  const [, typescript = '', python = ''] = codeIn(started);
  writeFileSync(join(dir, 'start.ts'), typescript);
  writeFileSync(join(dir, 'start.py'), python);
  for (const guide of ['receive-webhooks', 'bulk', 'needs-info-and-withdrawal']) {
    const page = await (await fetch(`${base_url}/docs/guides/${guide}`)).text();
    for (const [, file = '', text = ''] of page.matchAll(/data-file="([^"]+)"><code>([\s\S]*?)<\/code>/g)) {
      writeFileSync(join(dir, file), unescaped(text));
    }
  }
});

test.each([
  ['feed.ts', process.execPath],
  ['feed.py', 'python3'],
])('%s prints what happened, and nothing twice', async (file, program) => {
  writeFileSync(join(dir, 'cursor.txt'), '');
  const first = await run(program, [file], { cwd: dir });
  expect(first.stdout).toMatch(/ product_created /);
  const second = await run(program, [file], { cwd: dir });
  expect(second.stdout).toBe('');
});

test.each([
  ['bulk.ts', process.execPath],
  ['bulk.py', 'python3'],
])('%s sets what was counted', async (file, program) => {
  const { stdout, stderr } = await run(program, [file], { cwd: dir });
  expect(stderr).toBe('');
  const { failed, updated, unchanged } = JSON.parse(stdout.trim()) as Record<string, number>;
  expect({ failed, done: (updated ?? 0) + (unchanged ?? 0) }).toEqual({ failed: 0, done: 2 });
});

test('send_orders.py submits, sees how it stands, supplements and withdraws, with the integration key alone', async () => {
  const pdf = join(dir, 'prescription.pdf');
  writeFileSync(pdf, onePagePdf('Rezept'));
  const platform = async (...args: string[]) => {
    const { stdout } = await run('python3', ['send_orders.py', ...args], { cwd: dir });
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const reference = `RX-${createHash('sha256').update(dir).digest('hex').slice(0, 8)}`;
  const { id } = await platform('submit', reference);
  expect(await platform('submit', reference)).toMatchObject({ id, status: 'pending' });
  expect(await platform('status', String(id))).toMatchObject({
    id,
    status: 'pending',
    withdrawal: 'none',
    order: null,
  });
  expect(await platform('supplement', String(id), pdf)).toMatchObject({ id });
  expect(await platform('withdraw', String(id))).toMatchObject({ id, status: 'deleted', withdrawal: 'accepted' });
  expect(await platform('withdraw', String(id))).toMatchObject({ id, status: 'deleted', withdrawal: 'accepted' });
  expect(await platform('status', String(id))).toMatchObject({ id, status: 'deleted' });
});

test('the receiver of the guide is fetched by its commands and starts', async () => {
  const [port, secret] = ['0', `whsec_${Buffer.alloc(32).toString('base64')}`];
  const script = `sed '$d' receiver.sh | bash && WEBHOOK_SECRET=${secret} PORT=${port} node --check server.js`;
  const shell = spawn('bash', ['-c', script], { cwd: dir, stdio: 'inherit' });
  const [code] = (await once(shell, 'exit')) as [number];
  expect(code).toBe(0);
});

function codeIn(html: string): string[] {
  return [...html.matchAll(/<code>([\s\S]*?)<\/code>/g)].map(([, text = '']) => unescaped(text));
}
