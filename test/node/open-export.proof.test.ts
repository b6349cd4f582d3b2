import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { extract } from 'tar-fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../scripts/paths.ts';
import { tarOf } from '../../src/restore/organization/tar.ts';

// What can be wrong with a file; those that the service writes are opened in test/restore/organization.proof.test.ts.

const folder = mkdtempSync(join(tmpdir(), 'offizin-export-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PDF = 'a2b7c1d0-0000-7000-8000-000000000001.pdf';
const ROWS = [
  '{"id":"1","note":"=1+1","secret":"s"}',
  '{"id":"2","note":"a \\"b\\", c","secret":"t"}',
  '{"id":"3","note":null}',
];
const PARTS = new Map([
  ['10-orders-00000.ndjson.age', Buffer.from(`${ROWS[0]}\n${ROWS[1]}\n`)],
  ['10-orders-00001.ndjson.age', Buffer.from(`${ROWS[2]}\n`)],
  ['prescriptions-00000.tar.age', Buffer.from(tarOf([{ name: PDF, bytes: Buffer.from('%PDF-') }]))],
]);

let identity: string;
let key: string;
let encrypted: { name: string; bytes: Uint8Array }[];

beforeAll(async () => {
  identity = await generateX25519Identity();
  key = join(folder, 'key.txt');
  writeFileSync(key, `# created: 2026-11-20\n${identity}\n`);
  const encrypter = new Encrypter();
  encrypter.addRecipient(await identityToRecipient(identity));
  const parts = [...PARTS].map(([name, bytes]) => {
    const isRows = name.startsWith('10');
    const rows = isRows ? bytes.toString().trim().split('\n').length : 0;
    return { name, rows, files: isRows ? 0 : 1, sha256: createHash('sha256').update(bytes).digest('hex') };
  });
  const classes = { orders: { health: ['note'], secret: ['secret'] } };
  const manifest = { org_id: 'o', fence: '2026-11-20T10:00:00.000Z', rows: 3, files: 1, parts, classes };
  const plain: [string, Uint8Array][] = [['manifest.json.age', Buffer.from(JSON.stringify(manifest))], ...PARTS];
  encrypted = await Promise.all(
    plain.map(async ([name, bytes]) => ({ name, bytes: await encrypter.encrypt(new Uint8Array(bytes)) })),
  );
});

let files = 0;

/** Runs the command on an archive of these parts. */
function opened(
  parts: readonly { name: string; bytes: Uint8Array }[],
  { withKey = key, cut = 0, passphrase = '' } = {},
) {
  files += 1;
  const [file, to] = [join(folder, `${files}.tar`), join(folder, String(files))];
  const archive = tarOf(parts);
  writeFileSync(file, archive.subarray(0, archive.length - cut));
  const by = passphrase ? [] : ['--key', withKey];
  const args = [join(ROOT, 'scripts/open-export.ts'), file, ...by, '--to', to];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', input: `${passphrase}\n` });
  return { status, stdout, stderr, to };
}

test('writes tables as NDJSON and CSV without secrets, and prescriptions as PDFs', () => {
  const { status, stdout, to } = opened(encrypted);
  expect(status).toBe(0);
  expect(stdout).toContain('3 rows and 1 PDFs');
  expect(readdirSync(to).sort()).toEqual(['manifest.json', 'orders.csv', 'orders.ndjson', 'prescriptions']);
  expect(readFileSync(join(to, 'orders.ndjson'), 'utf8')).toBe(`${ROWS.join('\n')}\n`);
  expect(readFileSync(join(to, 'orders.csv'), 'utf8')).toBe(`id,note\r\n1,'=1+1\r\n2,"a ""b"", c"\r\n3,\r\n`);
  expect(readFileSync(join(to, 'prescriptions', PDF), 'utf8')).toBe('%PDF-');
});

test('the identity itself is a key, too', () => {
  expect(opened(encrypted, { withKey: identity }).status).toBe(0);
});

test('a file that an owner began opens by its passphrase, and by nothing else', async () => {
  const encrypter = new Encrypter();
  encrypter.setPassphrase('birne fahrrad leuchtturm');
  encrypter.setScryptWorkFactor(10);
  const own = [{ name: 'key.age', bytes: await encrypter.encrypt(identity) }, ...encrypted];
  expect(opened(own, { passphrase: 'birne fahrrad leuchtturm' }).status).toBe(0);
  expect(opened(own, { passphrase: 'birne' }).stderr).toContain('This is not the passphrase.');
  expect(opened(encrypted, { passphrase: 'birne' }).stderr).toContain('No passphrase opens this file');
});

test('another tar program reads the archive', async () => {
  const to = join(folder, 'extracted');
  await pipeline(Readable.from([Buffer.from(tarOf(encrypted))]), extract(to));
  expect(readdirSync(to).sort()).toEqual(encrypted.map(({ name }) => name).sort());
  for (const { name, bytes } of encrypted) expect(readFileSync(join(to, name))).toEqual(Buffer.from(bytes));
});

test('refuses another key, and a file that was changed, cut off, or lacks a part', async () => {
  const other = opened(encrypted, { withKey: await generateX25519Identity() });
  expect([other.status, other.stderr]).toEqual([1, expect.stringContaining('cannot be decrypted')]);
  const changed = encrypted.map(({ name, bytes }, index) => {
    return { name, bytes: index === 2 ? bytes.with(-1, (bytes.at(-1) ?? 0) ^ 1) : bytes };
  });
  expect(opened(changed).stderr).toContain('10-orders-00001.ndjson.age cannot be decrypted');
  expect(opened(encrypted, { cut: 1600 }).stderr).toContain('The file ends within prescriptions-00000');
  expect(opened(encrypted.slice(0, 3)).stderr).toContain('prescriptions-00000.tar.age is missing');
  const swapped = encrypted.map(({ name }, index) => ({
    name,
    bytes: encrypted[[0, 2, 1, 3][index] ?? 0]?.bytes ?? new Uint8Array(),
  }));
  expect(opened(swapped).stderr).toContain('10-orders-00000.ndjson.age is not what the manifest says');
  expect(opened(encrypted.slice(1)).stderr).toContain('does not begin with its manifest');
});
