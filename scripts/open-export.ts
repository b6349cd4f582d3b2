/**
 * `npm run open-export -- FILE [--key KEY] --to DIR`: decrypts and checks the file of an organization. Writes its
 * tables as CSV and NDJSON, and its prescriptions as PDFs, to a new folder. KEY is an age identity, or the name of a
 * file with one. Without KEY, the passphrase of a file that an owner began is read from standard input. Needs no
 * service.
 */
import { existsSync } from 'node:fs';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { filesOf } from '../src/restore/organization/tar.ts';
import { runCommand, StartError } from './errors.ts';
import { identityOf, type Manifest, type OpenFile, openFile } from './organization-file.ts';

const USAGE = 'Usage: npm run open-export -- <file> [--key <age identity or its file>] --to <new folder>';

type Cell = string | number | null;

/** Writes the content of a file to a new folder. @throws StartError if something is missing or was changed */
async function writeAll({ manifest, text, parts }: OpenFile, to: string): Promise<void> {
  await mkdir(join(to, 'prescriptions'), { recursive: true });
  await writeFile(join(to, 'manifest.json'), text, { flag: 'wx' });
  for await (const { name, bytes } of parts) {
    const part = manifest.parts.find((each) => each.name === name);
    const count = await writePart(name, bytes, { to, classes: manifest.classes });
    if (!part || count !== part.rows + part.files) throw new StartError(`${name} has another count than the manifest.`);
  }
}

/** @returns the number of rows or PDFs */
async function writePart(
  name: string,
  plain: Uint8Array,
  { to, classes }: { to: string } & Pick<Manifest, 'classes'>,
): Promise<number> {
  const table = /^\d+-([a-z_]+)-\d+\.ndjson\.age$/.exec(name)?.[1];
  if (table) return writeRows(join(to, table), Buffer.from(plain).toString(), classes[table]?.secret ?? []);
  const files = filesOf(plain);
  for (const [pdf, bytes] of files) {
    if (!/^[\da-f-]{36}\.pdf$/.test(pdf)) throw new StartError(`${name} has a file with another name than a PDF's.`);
    await writeFile(join(to, 'prescriptions', pdf), bytes);
  }
  return files.size;
}

/**
 * Appends rows to the files of a table: complete rows as NDJSON, and rows without secrets as CSV. @returns the number
 * of rows
 */
async function writeRows(path: string, text: string, secrets: readonly string[]): Promise<number> {
  const rows = text.split('\n').flatMap((line) => (line ? [JSON.parse(line) as Record<string, Cell>] : []));
  const columns = Object.keys(rows[0] ?? {}).filter((column) => !secrets.includes(column));
  const head = existsSync(`${path}.csv`) ? [] : [columns];
  const lines = [...head, ...rows.map((row) => columns.map((column) => row[column] ?? null))];
  await appendFile(`${path}.ndjson`, text);
  await appendFile(`${path}.csv`, lines.map((line) => `${line.map(cellOf).join(',')}\r\n`).join(''));
  return rows.length;
}

/** Returns a cell of a CSV file. A text that a spreadsheet would run as a formula gets an apostrophe in front. */
function cellOf(value: Cell): string {
  const text = typeof value === 'string' && /^\s*[=+\-@\t\r]/.test(value) ? `'${value}` : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

async function askPassphrase(): Promise<string> {
  process.stderr.write('Passphrase: ');
  for await (const line of createInterface({ input: process.stdin })) return line;
  return '';
}

async function main(): Promise<void> {
  const options = { key: { type: 'string' }, to: { type: 'string' } } as const;
  const { positionals, values } = parseArgs({ allowPositionals: true, options });
  const [path] = positionals;
  if (!path || !values.to) throw new StartError(USAGE);
  if (existsSync(join(values.to, 'manifest.json'))) throw new StartError(`${values.to} holds a file already.`);
  const file = await openFile(path, values.key ? identityOf(values.key) : { passphrase: await askPassphrase() });
  await writeAll(file, values.to).finally(file.close);
  const { org_id: orgId, fence, rows, files } = file.manifest;
  console.log(
    `Organization ${orgId}, as it was at ${fence} or later: ${rows} rows and ${files} PDFs are in ${values.to}.`,
  );
  console.log(`SHA-256 of the manifest: ${file.sha256}`);
}

if (import.meta.main) await runCommand(main);
