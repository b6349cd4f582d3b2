import { createHash } from 'node:crypto';
import { StartError } from '../errors.ts';
import { makeSecret, operatorTokenOf } from '../secrets.ts';
import { type Run, scriptPath } from './run.ts';

/**
 * Secrets that others make: the token of the shop zone, without which the operator activates hosts, and the access key of the
 * bucket of backups. The Worker keeps those that are not given again.
 */
const GIVEN_SECRETS = ['SHOP_ZONE_TOKEN', 'BACKUP_ACCESS_KEY'];
const DIGEST_LENGTH = 8;

/**
 * The secrets of the Worker. Each is made once and kept, encrypted, before it goes anywhere: a run that is killed goes on with
 * the same. @returns what is uploaded with the code
 */
export async function prepareSecrets(run: Run): Promise<Record<string, string>> {
  const { cloudflare, secrets, config, env } = run;
  const given = Object.fromEntries(GIVEN_SECRETS.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  const stored = (await cloudflare.read<{ name: string }[]>(`${scriptPath(run)}/secrets`)) ?? [];
  const has = new Set([...stored.map(({ name }) => name), ...Object.keys(given)]);
  if (config.vars.BACKUP_URL && cloudflare.isReading && !has.has('BACKUP_ACCESS_KEY')) {
    throw new StartError('BACKUP_URL is set, and the Worker has no BACKUP_ACCESS_KEY: set it to id:secret.');
  }
  const required = config.secrets?.required ?? [];
  const missing = required.filter((name) => secrets.values[name] === undefined);
  if (secrets.isRead && missing.some((name) => has.has(name))) {
    throw new StartError(
      `The Worker has secrets that ${secrets.path} lacks, and they cannot be read back. Bring the file that the last deployment committed.`,
    );
  }
  for (const name of required) {
    if (!run.isDryRun && missing.includes(name)) await secrets.keep(name, makeSecret(name));
    run.did(`secret ${name}`, missing.includes(name) ? `made, kept in ${secrets.path}: commit it` : 'kept');
  }
  return { ...Object.fromEntries(required.map((name) => [name, secrets.values[name] ?? ''])), ...given };
}

/** Tells the versions of one commit apart by the secrets that they were uploaded with, of which it says nothing. */
export function tagOf({ sha }: Run, secrets: Readonly<Record<string, string>>): string {
  const digest = createHash('sha256').update(JSON.stringify(secrets)).digest('hex');
  return `${sha}-${digest.slice(0, DIGEST_LENGTH)}`;
}

/** A token of the operator API that may do everything, from the secrets that are kept; of a dry run, maybe empty. */
export function operatorToken({ secrets, isDryRun }: Run): string {
  const token = operatorTokenOf(secrets.values);
  if (token === '' && !isDryRun) throw new StartError(`${secrets.path} has no token of the operator API.`);
  return token;
}
