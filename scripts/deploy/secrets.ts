import { createHash } from 'node:crypto';
import { StartError } from '../errors.ts';
import { makeSecret, operatorTokenOf } from '../secrets.ts';
import { type Run, scriptPath } from './run.ts';

/**
 * Secrets that others create: the token of the shop zone (without it, the operator activates hosts), and the access key
 * of the bucket of backups. If they are not passed again, the Worker keeps its values.
 */
const GIVEN_SECRETS = ['SHOP_ZONE_TOKEN', 'BACKUP_ACCESS_KEY'];
const DIGEST_LENGTH = 8;

/**
 * Returns the secrets that are uploaded with the code. Missing ones are created and stored, encrypted, before they are
 * sent anywhere. If a run is killed, the next run therefore uses the same secrets.
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

/** Returns a tag for the versions with this commit and these secrets. The tag reveals nothing about the secrets. */
export function tagOf({ sha }: Run, secrets: Readonly<Record<string, string>>): string {
  const digest = createHash('sha256').update(JSON.stringify(secrets)).digest('hex');
  return `${sha}-${digest.slice(0, DIGEST_LENGTH)}`;
}

/** Returns a token of the operator API with all scopes from the stored secrets. May be empty in a dry run. */
export function operatorToken({ secrets, isDryRun }: Run): string {
  const token = operatorTokenOf(secrets.values);
  if (token === '' && !isDryRun) throw new StartError(`${secrets.path} has no token of the operator API.`);
  return token;
}
