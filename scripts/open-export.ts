/**
 * `npm run open-export -- FILE --key KEY --to DIR`: decrypts and checks the file of an organization, and writes its tables
 * as CSV and NDJSON and its prescriptions as PDFs to a new folder. KEY is the file of an age identity, or the identity.
 * Needs no service.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { appendFile, type FileHandle, mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Decrypter } from 'age-encryption';
import { StartError } from './errors.ts';

const USAGE = 'Usage: npm run open-export -- <file> --key <age identity or its file> --to <new folder>';
const BLOCK = 512;

type Cell = string | number | null;

/** As `writeManifest` makes it (src/restore/organization/write.ts). */
interface Manifest {
  org_id: string;
  fence: string;
  rows: number;
  files: number;
  parts: { name: string; rows: number; files: number; sha256: string }[];
  /** The columns of each class but business, by table. */
  classes: Record<string, Record<string, string[]>>;
}

interface Entry {
  name: string;
  bytes: Uint8Array;
}

/** The files in a tar archive, one at a time. @param read the bytes of a range; fewer at the end of the archive */
async function* entriesOf(read: (at: number, length: number) => Promise<Uint8Array>): AsyncGenerator<Entry> {
  for (let at = 0; ; ) {
    const header = Buffer.from(await read(at, BLOCK));
    const name = header.toString('latin1', 0, 100).replace(/\0.*$/s, '');
    if (name === '') return;
    const size = Number.parseInt(header.toString('latin1', 124, 135), 8);
    const bytes = await read(at + BLOCK, size);
    if (bytes.length < size) throw new StartError(`The file ends within ${name}: fetch it again.`);
    yield { name, bytes };
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
}

async function readRange(file: FileHandle, at: number, length: number): Promise<Uint8Array> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

interface Opened {
  orgId: string;
  fence: string;
  rows: number;
  files: number;
  /** SHA-256 of the manifest, hex, as the service tells it. */
  sha256: string;
}

/** @param key an age identity @throws StartError if the key is not the file's, or something is missing or was changed */
export async function openExport(path: string, key: string, to: string): Promise<Opened> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(key);
  const decrypt = async ({ name, bytes }: Entry) =>
    decrypter.decrypt(bytes).catch(() => {
      throw new StartError(`${name} cannot be decrypted: another key, or it was changed.`);
    });
  const file = await open(path);
  try {
    const entries = entriesOf((at, length) => readRange(file, at, length));
    const { value: first } = await entries.next();
    if (first?.name !== 'manifest.json.age') throw new StartError('The file does not begin with its manifest.');
    const text = await decrypt(first);
    const manifest: Manifest = JSON.parse(Buffer.from(text).toString());
    await mkdir(join(to, 'prescriptions'), { recursive: true });
    await writeFile(join(to, 'manifest.json'), text, { flag: 'wx' });
    const missing = new Map(manifest.parts.map((part) => [part.name, part]));
    for await (const entry of entries) {
      const part = missing.get(entry.name);
      const plain = await decrypt(entry);
      if (!part || sha256(plain) !== part.sha256) throw new StartError(`${entry.name} is not what the manifest says.`);
      missing.delete(entry.name);
      const count = await writePart(entry.name, plain, { to, classes: manifest.classes });
      if (count !== part.rows + part.files) throw new StartError(`${entry.name} has another count than the manifest.`);
    }
    const [lost] = missing.keys();
    if (lost) throw new StartError(`${lost} is missing: fetch the file again.`);
    const { org_id: orgId, fence, rows, files } = manifest;
    return { orgId, fence, rows, files, sha256: sha256(text) };
  } finally {
    await file.close();
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** @returns the number of rows or PDFs */
async function writePart(
  name: string,
  plain: Uint8Array,
  { to, classes }: { to: string } & Pick<Manifest, 'classes'>,
): Promise<number> {
  const table = /^\d+-([a-z_]+)-\d+\.ndjson\.age$/.exec(name)?.[1];
  if (table) return writeRows(join(to, table), Buffer.from(plain).toString(), classes[table]?.secret ?? []);
  let count = 0;
  for await (const { name: pdf, bytes } of entriesOf(async (at, length) => plain.subarray(at, at + length))) {
    if (!/^[\da-f-]{36}\.pdf$/.test(pdf)) throw new StartError(`${name} has a file with another name than a PDF's.`);
    await writeFile(join(to, 'prescriptions', pdf), bytes);
    count += 1;
  }
  return count;
}

/** Appends rows to a table: all of each as NDJSON, without its secrets as CSV. @returns how many */
async function writeRows(path: string, text: string, secrets: readonly string[]): Promise<number> {
  const rows = text.split('\n').flatMap((line) => (line ? [JSON.parse(line) as Record<string, Cell>] : []));
  const columns = Object.keys(rows[0] ?? {}).filter((column) => !secrets.includes(column));
  const head = existsSync(`${path}.csv`) ? [] : [columns];
  const lines = [...head, ...rows.map((row) => columns.map((column) => row[column] ?? null))];
  await appendFile(`${path}.ndjson`, text);
  await appendFile(`${path}.csv`, lines.map((line) => `${line.map(cellOf).join(',')}\r\n`).join(''));
  return rows.length;
}

/** A cell of a CSV file. Texts that a spreadsheet would run as formulas begin with an apostrophe. */
function cellOf(value: Cell): string {
  const text = typeof value === 'string' && /^\s*[=+\-@\t\r]/.test(value) ? `'${value}` : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

async function main(): Promise<void> {
  const options = { key: { type: 'string' }, to: { type: 'string' } } as const;
  const { positionals, values } = parseArgs({ allowPositionals: true, options });
  const [path] = positionals;
  if (!path || !values.key || !values.to) throw new StartError(USAGE);
  if (existsSync(join(values.to, 'manifest.json'))) throw new StartError(`${values.to} holds a file already.`);
  const identity = /^AGE-SECRET-KEY-\S+$/m.exec(existsSync(values.key) ? readFileSync(values.key, 'utf8') : values.key);
  if (!identity) throw new StartError('--key is neither an age identity nor a file with one.');
  const { orgId, fence, rows, files, sha256: hash } = await openExport(path, identity[0], values.to);
  console.log(
    `Organization ${orgId}, as it was at ${fence} or later: ${rows} rows and ${files} PDFs are in ${values.to}.`,
  );
  console.log(`SHA-256 of the manifest: ${hash}`);
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error);
    process.exitCode = 1;
  }
}
