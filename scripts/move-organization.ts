/**
 * `npm run move-organization -- <organization> <number of the database>`: moves an organization to another database by
 * its file, with the operator API (scope `restore`). During the move, the organization is closed (503 with
 * Retry-After). If the command is stopped before the move is complete, the organization stays on its old database and
 * is opened again an hour after its file was ready.
 */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { runCommand, StartError } from './errors.ts';
import { importFile } from './import-organization.ts';
import { Operator } from './operator.ts';

const USAGE = 'Usage: npm run move-organization -- <organization id> <number of the database: 0 is DB, 1 is DB_1>';
const POLL_MS = 2_000;

async function move(operator: Operator, orgId: string, shard: number): Promise<void> {
  const key = await generateX25519Identity();
  const at = `/organizations/${orgId}/exports`;
  const asked = { public_key: await identityToRecipient(key), move_to: shard };
  const { export_id: id } = await operator.call<{ export_id: string }>('POST', at, asked);
  console.log(`closed; its file ${id} is written from two minutes on`);
  for (let status = 'running'; status !== 'ready'; ) {
    await delay(POLL_MS);
    ({ status } = await operator.call<{ status: string }>('GET', `${at}/${id}`));
    if (status === 'failed')
      throw new StartError('The file could not be written; the organization goes on where it was.');
  }
  const folder = await mkdtemp(join(tmpdir(), 'offizin-move-'));
  try {
    const path = join(folder, 'organization.tar');
    const { body } = await operator.send('GET', `${at}/${id}/file`);
    if (!body) throw new StartError('The file is empty.');
    // The rows on the disk are encrypted. Only this process has the key.
    await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), createWriteStream(path));
    await importFile(operator, { path, key }, (line) => console.log(line));
    console.log(`It lives on database ${shard}.`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function main(): Promise<void> {
  const [orgId = '', shard = ''] = parseArgs({ allowPositionals: true }).positionals;
  if (!/^[0-9a-f-]{36}$/.test(orgId) || !/^\d+$/.test(shard)) throw new StartError(USAGE);
  await move(new Operator(), orgId, Number(shard));
}

if (import.meta.main) await runCommand(main);
