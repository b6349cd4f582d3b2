/** Reads the file of an organization for scripts. Its parts are decrypted and checked one after the other. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Decrypter } from 'age-encryption';
import { StartError } from './errors.ts';

const BLOCK = 512;
const MANIFEST = 'manifest.json.age';
const KEY = 'key.age';

/** The manifest that `writeManifest` writes (src/restore/organization/write.ts). */
export interface Manifest {
  org_id: string;
  fence: string;
  rows: number;
  files: number;
  parts: { name: string; rows: number; files: number; sha256: string }[];
  /** The columns of each class except `business`, by class and table. */
  classes: Record<string, Record<string, string[]>>;
}

interface Entry {
  name: string;
  bytes: Uint8Array;
}

/** Returns the files in a tar archive, one at a time. */
async function* entriesOf(file: FileHandle): AsyncGenerator<Entry> {
  const read = async (at: number, length: number) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
    return buffer.subarray(0, bytesRead);
  };
  for (let at = 0; ; ) {
    const header = await read(at, BLOCK);
    const name = header.toString('latin1', 0, 100).replace(/\0.*$/s, '');
    if (name === '') return;
    const size = Number.parseInt(header.toString('latin1', 124, 135), 8);
    const bytes = await read(at + BLOCK, size);
    if (bytes.length < size) throw new StartError(`The file ends within ${name}: fetch it again.`);
    yield { name, bytes };
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
}

/** Returns the parts of a backup from a folder with the objects of its bucket. The manifest comes first. */
async function* filesIn(folder: string): AsyncGenerator<Entry> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.age'));
  for (const name of [MANIFEST, ...names.filter((each) => each !== MANIFEST).sort()]) {
    if (names.includes(name)) yield { name, bytes: await readFile(join(folder, name)) };
  }
}

/**
 * Returns the age identity in an argument. The argument is the identity itself, or the name of a file with it. @throws
 * StartError
 */
export function identityOf(key: string): string {
  const identity = /^AGE-SECRET-KEY-\S+$/m.exec(existsSync(key) ? readFileSync(key, 'utf8') : key);
  if (!identity) throw new StartError('--key is neither an age identity nor a file with one.');
  return identity[0];
}

/** Decrypts the identity in a key file with a passphrase. @throws StartError */
async function identityBehind(key: Uint8Array, passphrase: string): Promise<string> {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  return decrypter.decrypt(key, 'text').catch(() => {
    throw new StartError('This is not the passphrase.');
  });
}

export interface OpenFile {
  manifest: Manifest;
  /** The text of the manifest, and its SHA-256 (hex), which the service shows, too. */
  text: string;
  sha256: string;
  /** The decrypted parts, in the order of the manifest. Each has been checked against the manifest. */
  parts: AsyncGenerator<Entry>;
  close: () => Promise<void>;
}

/**
 * Opens the file of an organization.
 * @param path a file, or a folder with the objects of a backup
 * @param key an age identity, or an owner's passphrase
 * @throws StartError, also while `parts` is read: if the key is wrong, or something is missing or was changed
 */
export async function openFile(path: string, key: string | { passphrase: string }): Promise<OpenFile> {
  const decrypter = new Decrypter();
  const decrypt = async ({ name, bytes }: Entry) =>
    decrypter.decrypt(bytes).catch(() => {
      throw new StartError(`${name} cannot be decrypted: another key, or it was changed.`);
    });
  const file = statSync(path).isDirectory() ? null : await open(path);
  const close = async () => file?.close();
  try {
    const entries = file ? entriesOf(file) : filesIn(path);
    let { value: first } = await entries.next();
    if (typeof key === 'string') decrypter.addIdentity(key);
    else if (first?.name === KEY) decrypter.addIdentity(await identityBehind(first.bytes, key.passphrase));
    else throw new StartError('No passphrase opens this file: give its --key.');
    if (first?.name === KEY) ({ value: first } = await entries.next());
    if (first?.name !== MANIFEST) throw new StartError('The file does not begin with its manifest.');
    const text = Buffer.from(await decrypt(first)).toString();
    const manifest: Manifest = JSON.parse(text);
    return { manifest, text, sha256: sha256(Buffer.from(text)), parts: partsOf(manifest, entries, decrypt), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function* partsOf(
  { parts }: Manifest,
  entries: AsyncGenerator<Entry>,
  decrypt: (entry: Entry) => Promise<Uint8Array>,
): AsyncGenerator<Entry> {
  const missing = new Map(parts.map((part) => [part.name, part]));
  for await (const entry of entries) {
    const bytes = await decrypt(entry);
    if (missing.get(entry.name)?.sha256 !== sha256(bytes))
      throw new StartError(`${entry.name} is not what the manifest says.`);
    missing.delete(entry.name);
    yield { name: entry.name, bytes };
  }
  const [lost] = missing.keys();
  if (lost) throw new StartError(`${lost} is missing: fetch the file again.`);
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
