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

/** The programs of the guides, taken from their pages and run as a reader would: beside the files of "Getting started". */
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
  for (const guide of ['mirror-the-assortment', 'receive-webhooks', 'bulk', 'needs-info-and-withdrawal']) {
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

test('mirror.ts equals the service after changes that it read from the feed, shuffled and doubled', async () => {
  writeFileSync(join(dir, 'mirror.test.ts'), MIRROR_TEST);
  const { stdout } = await run(process.execPath, ['mirror.test.ts'], { cwd: dir });
  const { mine, theirs } = JSON.parse(stdout) as { mine: unknown; theirs: unknown };
  expect(mine).toEqual(theirs);
});

test('platform.py submits, sees how it stands, supplements and withdraws, with the integration key alone', async () => {
  const pdf = join(dir, 'prescription.pdf');
  writeFileSync(pdf, onePagePdf('Rezept'));
  const platform = async (...args: string[]) => {
    const { stdout } = await run('python3', ['platform.py', ...args], { cwd: dir });
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const reference = `RX-${createHash('sha256').update(dir).digest('hex').slice(0, 8)}`;
  const { id } = await platform('submit', reference);
  expect(await platform('submit', reference)).toMatchObject({ id, status: 'pending' });
  expect(await platform('status', reference)).toMatchObject({ id, status: 'pending', withdrawal: 'none', order: null });
  expect(await platform('supplement', reference, pdf)).toMatchObject({ id });
  expect(await platform('withdraw', reference)).toMatchObject({ id, status: 'deleted', withdrawal: 'accepted' });
  expect(await platform('status', reference)).toMatchObject({ id, status: 'deleted' });
});

test('the receiver of the guide is fetched by its commands and starts', async () => {
  const [port, secret] = ['0', `whsec_${Buffer.alloc(32).toString('base64')}`];
  const script = `sed '$d' receiver.sh | bash && WEBHOOK_SECRET=${secret} PORT=${port} node --check server.js`;
  const shell = spawn('bash', ['-c', script], { cwd: dir, stdio: 'inherit' });
  const [code] = (await once(shell, 'exit')) as [number];
  expect(code).toBe(0);
});

/** Beside mirror.ts: changes stock, price and offers, then takes the events in an order of its own. */
const MIRROR_TEST = `
import { API, SHOP_ID, TOKEN, call } from './start.ts';
import { products, pull, snapshot, take } from './mirror.ts';

const headers = { Authorization: \`Bearer \${TOKEN}\` };
const cursor = await pull('', async () => {});
await snapshot();
const [first, second] = [...products.keys()];
await call('PATCH', \`\${API}/inventory/\${first}\`, { headers, body: { delta: 3 } });
await call('PATCH', \`\${API}/inventory/\${first}\`, { headers, body: { stock_quantity: 17 } });
await call('PUT', \`\${API}/products/\${second}\`, { headers, body: { price: 12.34 } });
await call('POST', \`\${API}/shops/detach-product\`, { headers, body: { shop_id: SHOP_ID, p1_id: second } });
await call('PATCH', \`\${API}/inventory\`, { headers, body: { items: [{ p1_id: first, on_hand: 21 }, { p1_id: second, on_hand: 9 }] } });
const events: any[] = [];
await pull(cursor, async (event) => void events.push(event));
for (const event of [...events.toReversed(), ...events]) await take(event);
const mine = [...products.values()];
products.clear();
await snapshot();
const strip = ({ updated_at, ...rest }: any) => rest;
console.log(JSON.stringify({ mine: mine.map(strip), theirs: [...products.values()].map(strip) }));
`;

function codeIn(html: string): string[] {
  return [...html.matchAll(/<code>([\s\S]*?)<\/code>/g)].map(([, text = '']) => unescaped(text));
}
