import { createHash } from 'node:crypto';
import { StartError } from '../errors.ts';
import { makeSecret, operatorTokenOf } from '../secrets.ts';
import { type Run, scriptPath } from './run.ts';

/** Hosts of shops are activated by the operator where the Worker has no token for their zone. */
const SHOP_ZONE_TOKEN = 'SHOP_ZONE_TOKEN';
const DIGEST_LENGTH = 8;

/**
 * The secrets of the Worker. Each is made once and kept, encrypted, before it goes anywhere: a run that is killed goes on with
 * the same. @returns what is uploaded with the code
 */
export async function prepareSecrets(run: Run): Promise<Record<string, string>> {
  const { cloudflare, secrets, config, given, isDryRun } = run;
  const stored = (await cloudflare.read<{ name: string }[]>(`${scriptPath(run)}/secrets`)) ?? [];
  const has = new Set(stored.map(({ name }) => name));
  const required = config.secrets?.required ?? [];
  const missing = required.filter((name) => secrets.values[name] === undefined);
  if (secrets.isRead && missing.some((name) => has.has(name))) {
    throw new StartError(
      `The Worker has secrets that ${secrets.path} lacks, and they cannot be read back. Bring the file that the last deployment committed.`,
    );
  }
  for (const name of required) {
    if (!isDryRun && missing.includes(name)) await secrets.keep(name, makeSecret(name));
    run.did(`secret ${name}`, missing.includes(name) ? `made, kept in ${secrets.path}: commit it` : 'kept');
  }
  return {
    ...Object.fromEntries(required.map((name) => [name, secrets.values[name] ?? ''])),
    ...(given.shopZoneToken && { [SHOP_ZONE_TOKEN]: given.shopZoneToken }),
  };
}

/** Tells the versions of one commit apart by the secrets that they were uploaded with, of which it says nothing. */
export function tagOf({ sha }: Run, secrets: Readonly<Record<string, string>>): string {
  const digest = createHash('sha256').update(JSON.stringify(secrets)).digest('hex');
  return `${sha}-${digest.slice(0, DIGEST_LENGTH)}`;
}

/** A token of the operator API that may do everything, from the secrets that are kept. */
export function operatorToken({ secrets }: Run): string {
  const token = operatorTokenOf(secrets.values);
  if (token === '') throw new StartError(`${secrets.path} has no token of the operator API.`);
  return token;
}
