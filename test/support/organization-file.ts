import { Decrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { deleteRowsOf } from '../../src/directory/move/left';
import { deleteEntriesOf } from '../../src/directory/store';
import { filesOf } from '../../src/restore/organization/tar';
import { writeExports } from '../../src/restore/organization/write';
import { ask } from './operator';
import { expect, vi } from './test';
import { BASE, call, OPERATOR_TOKEN, operate, rowsIn, systemContext } from './world';

const MINUTE = 60_000;

export async function newKey(): Promise<{ identity: string; public_key: string }> {
  const identity = await generateX25519Identity();
  return { identity, public_key: await identityToRecipient(identity) };
}

export const begin = (orgId: string, public_key: string) =>
  operate<{ export_id: string }>(`/organizations/${orgId}/exports`, { public_key });
export const read = (orgId: string, id: string, rest = '') =>
  ask(`/organizations/${orgId}/exports/${id}${rest}`, undefined, { method: 'GET' });

export interface Status {
  status: string;
  rows: number;
  files: number;
  bytes: number;
  sha256: string | null;
}
export const statusOf = async (orgId: string, id: string) => (await read(orgId, id)).json<Status>();

/** Lets the jobs of one minute after the other run until the file is no longer being written. */
export async function written(orgId: string, id: string, env: Partial<Env> = {}): Promise<Status> {
  for (let minutes = 0; minutes < 50; minutes += 1) {
    const at = Date.now() + minutes * MINUTE;
    await writeExports(systemContext({ now: () => at, env }).ctx);
    const status = await statusOf(orgId, id);
    if (status.status !== 'running') return status;
  }
  throw new Error('it is never ready');
}

/** Fetches a file. @returns its parts by name, decrypted, the manifest first; and the size of the archive */
export async function fetchParts(orgId: string, id: string, identity: string) {
  const response = await read(orgId, id, '/file');
  expect(response.status).toBe(200);
  const archive = new Uint8Array(await response.arrayBuffer());
  expect(response.headers.get('Content-Length')).toBe(String(archive.length));
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  const parts = new Map<string, Uint8Array>();
  for (const [name, bytes] of filesOf(archive)) parts.set(name, await decrypter.decrypt(bytes));
  return { parts, bytes: archive.length };
}

/** The decrypted parts of a file, as a script sends them. */
export interface OpenFile {
  manifest: string;
  parts: Uint8Array[];
}

export async function fileOf(orgId: string): Promise<OpenFile> {
  const { identity, public_key } = await newKey();
  const { export_id: id } = await begin(orgId, public_key);
  await written(orgId, id);
  return openedFile((await fetchParts(orgId, id, identity)).parts);
}

export function openedFile(parts: ReadonlyMap<string, Uint8Array>): OpenFile {
  const [manifest, ...others] = parts.values();
  return { manifest: new TextDecoder().decode(manifest), parts: others };
}

export interface Progress {
  import_id: string;
  mode: string;
  state: string;
  next: number;
  parts: number;
  shard: number;
  passwords_ended?: string[];
}

export const beginImport = (orgId: string, manifest: string, rest: object = {}, env: Partial<Env> = {}) =>
  ask(`/organizations/${orgId}/imports`, { manifest, ...rest }, { env });

export function sendPart(orgId: string, importId: string, part: number, bytes: Uint8Array, env: Partial<Env> = {}) {
  const url = `${BASE}/api/operator/v1/organizations/${orgId}/imports/${importId}/parts/${part}`;
  const headers = { Authorization: `Bearer ${OPERATOR_TOKEN}`, 'Content-Length': String(bytes.length) };
  return call(url, { method: 'PUT', headers, body: bytes.slice() }, env);
}

/** Sends a file as `npm run import-organization` does. */
export async function importFrom(
  orgId: string,
  file: OpenFile,
  rest: object = {},
  env: Partial<Env> = {},
): Promise<Progress> {
  for (let calls = 0; calls < 500; calls += 1) {
    const answer = await beginImport(orgId, file.manifest, rest, env);
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
    let progress = await answer.json<Progress>();
    while (progress.state === 'receiving' && progress.next < progress.parts) {
      const bytes = file.parts[progress.next] as Uint8Array;
      const sent = await sendPart(orgId, progress.import_id, progress.next, bytes, env);
      if (sent.status !== 200) throw new Error(`${progress.next}: ${sent.status} ${await sent.text()}`);
      progress = await sent.json();
    }
    if (progress.state === 'done') return progress;
    // Until every isolate knows that it is shut; the tests that replace one hold the clock.
    if (progress.state === 'clearing') vi.setSystemTime(Date.now() + 31_000);
  }
  throw new Error('it never ends');
}

/** Takes an organization out of a database and the directory, as an end does; its files stay where they are. */
export async function takeOut(orgId: string, shard = 0): Promise<void> {
  const { ctx } = systemContext();
  await rowsIn(shard, "update organizations set state = 'gone' where id = ?", orgId);
  await deleteRowsOf(ctx, shard, orgId, Number.POSITIVE_INFINITY);
  await ctx.databases.at(0).run({ entries: deleteEntriesOf(orgId) });
}
