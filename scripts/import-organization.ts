/**
 * `npm run import-organization -- FILE --key KEY [--shard N] [--replace]`: decrypts the file of an organization here,
 * and imports it by the operator API (scope `restore`). `--replace`: the organization exists and is set back to the
 * file. If the command is stopped and started again, it continues.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runCommand, StartError } from './errors.ts';
import { Operator } from './operator.ts';
import { identityOf, openFile } from './organization-file.ts';

const USAGE =
  'Usage: npm run import-organization -- <file> --key <age identity or its file> [--shard <number>] [--replace]';

const POLL_MS = 500;

/** The progress of an import as the operator API returns it (`src/operator/exports.ts`). */
export interface Progress {
  import_id: string;
  mode: 'new' | 'replace' | 'move';
  shard: number;
  state: 'clearing' | 'receiving' | 'replaying' | 'done';
  next: number;
  parts: number;
  passwords_ended?: string[];
  second_factors_lost?: string[];
}

interface Import {
  path: string;
  key: string;
  shard?: number;
  replace?: boolean;
}

/**
 * Imports an organization from its file.
 * @returns the last answer, whose state is `done`
 * @throws StartError if the file is wrong or the service refuses it
 */
export async function importFile(
  operator: Operator,
  { path, key, ...asked }: Import,
  say: (line: string) => void,
): Promise<Progress> {
  const { manifest, text, parts, close } = await openFile(path, key);
  const at = `/organizations/${manifest.org_id}/imports`;
  const go = async (until: (progress: Progress) => boolean) => {
    for (let said = ''; ; ) {
      const progress = await operator.call<Progress>('POST', at, { manifest: text, ...asked });
      if (said !== progress.state) say(`${progress.state} (database ${progress.shard})`);
      said = progress.state;
      if (until(progress)) return progress;
      await delay(POLL_MS);
    }
  };
  try {
    let progress = await go(({ state }) => state !== 'clearing');
    for await (const { name, bytes } of parts) {
      const part = manifest.parts.findIndex((each) => each.name === name);
      if (progress.state !== 'receiving' || part < progress.next || part >= progress.parts) continue;
      progress = await operator.call<Progress>('PUT', `${at}/${progress.import_id}/parts/${part}`, bytes);
      say(`${name} (${part + 1} of ${progress.parts})`);
    }
    return await go(({ state }) => state === 'done');
  } finally {
    await close();
  }
}

async function main(): Promise<void> {
  const options = { key: { type: 'string' }, shard: { type: 'string' }, replace: { type: 'boolean' } } as const;
  const { positionals, values } = parseArgs({ allowPositionals: true, options });
  const [path] = positionals;
  if (!path || !values.key || !/^\d*$/.test(values.shard ?? '')) throw new StartError(USAGE);
  const shard = values.shard === undefined ? undefined : Number(values.shard);
  const asked = { path, key: identityOf(values.key), shard, replace: values.replace };
  const done = await importFile(new Operator(), asked, (line) => console.log(line));
  for (const id of done.passwords_ended ?? []) console.log(`Needs a link for a new password: member ${id}`);
  for (const id of done.second_factors_lost ?? []) console.log(`Has to set the second factor up again: member ${id}`);
}

if (import.meta.main) await runCommand(main);
