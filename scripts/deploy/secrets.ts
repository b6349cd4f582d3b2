import { StartError } from '../errors.ts';
import { makeSecret, operatorTokenOf } from '../secrets.ts';
import { type Run, scriptPath } from './run.ts';

/** Hosts of shops are activated by the operator where the Worker has no token for their zone. */
const SHOP_ZONE_TOKEN = 'SHOP_ZONE_TOKEN';

/**
 * The secrets that the Worker lacks, or has with an earlier value. Each is made once and kept, encrypted, before it goes anywhere:
 * a run that is killed goes on with the same.
 * @returns what has to be uploaded with the code
 */
export async function prepareSecrets(run: Run): Promise<Record<string, string>> {
  const { cloudflare, kept, config, given, isDryRun } = run;
  const stored = (await cloudflare.read<{ name: string }[]>(`${scriptPath(run)}/secrets`)) ?? [];
  const has = new Set(stored.map(({ name }) => name));
  const required = config.secrets?.required ?? [];
  const changed = kept.known.changedSecrets ?? [];
  const missing = required.filter((name) => !has.has(name) || changed.includes(name));
  const extra: Record<string, string> =
    given.shopZoneToken && !has.has(SHOP_ZONE_TOKEN) ? { [SHOP_ZONE_TOKEN]: given.shopZoneToken } : {};
  for (const name of required)
    run.did(
      `secret ${name}`,
      changed.includes(name) ? 'changed' : has.has(name) ? 'there' : `made, kept in ${kept.secretsPath}`,
    );
  if (isDryRun && !kept.hasPassphrase) {
    return Object.fromEntries(missing.map((name) => [name, '']));
  }
  const { secrets } = kept;
  if (required.some((name) => has.has(name) && secrets[name] === undefined)) {
    throw new StartError(
      `The Worker has secrets that ${kept.secretsPath} lacks, and they cannot be read back. Bring that file from where the last deployment was made.`,
    );
  }
  const made = missing.filter((name) => secrets[name] === undefined);
  if (!isDryRun) for (const name of made) kept.keepSecret(name, makeSecret(name));
  return { ...Object.fromEntries(missing.map((name) => [name, kept.secrets[name] ?? ''])), ...extra };
}

/** A token of the operator API that may do everything, from the secrets that are kept. */
export function operatorToken({ kept }: Run): string {
  const token = operatorTokenOf(kept.secrets);
  if (token === '') throw new StartError(`${kept.secretsPath} has no token of the operator API.`);
  return token;
}
