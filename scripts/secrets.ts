import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseEnv } from 'node:util';
import { StartError } from './errors.ts';

const KEY_BYTES = 32;
const key = () => randomBytes(KEY_BYTES).toString('base64');

/** Returns an operator with all scopes and a new token. */
const operator = (name: string) => `${name}:ready+read+write+restore:${randomBytes(KEY_BYTES).toString('base64url')}`;

/** Functions that make the secrets of the local service. .dev.vars.example says what each secret is for. */
const MAKERS = {
  ROOT_SECRETS: () => `r1:${key()}`,
  OPERATOR_TOKENS: () => operator('demo'),
  ALERT_SECRET: () => `whsec_${key()}`,
};

type SecretName = keyof typeof MAKERS;
// SAFETY: these are the keys of the object literal above.
export const SECRET_NAMES = Object.keys(MAKERS) as SecretName[];

/** Makes a secret of a deployment. @throws StartError for an unknown name */
export function makeSecret(name: string): string {
  // The audit log shows this name.
  if (name === 'OPERATOR_TOKENS') return operator('deploy');
  const found = SECRET_NAMES.find((known) => known === name);
  if (!found) throw new StartError(`scripts/secrets.ts does not say how ${name} is made.`);
  return MAKERS[found]();
}

/** Returns the names of the secrets that the file lacks. */
export function missingSecrets(path: string): SecretName[] {
  const known = existsSync(path) ? parseEnv(readFileSync(path, 'utf8')) : {};
  return SECRET_NAMES.filter((name) => !known[name]);
}

/** Reads the secrets of the local service. Missing ones are added to the file with random values. */
export function ensureSecrets(path: string): Record<SecretName, string> {
  mkdirSync(dirname(path), { recursive: true });
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const made = missingSecrets(path).map((name) => [name, MAKERS[name]()] as const);
  if (made.length > 0) {
    const lines = made.map(([name, value]) => `${name}=${value}\n`).join('');
    appendFileSync(path, text === '' || text.endsWith('\n') ? lines : `\n${lines}`, { mode: 0o600 });
  }
  // SAFETY: the lines above have added every missing name.
  return { ...parseEnv(text), ...Object.fromEntries(made) } as Record<SecretName, string>;
}

/** The token of the local operator, who holds every scope: the first one of OPERATOR_TOKENS. */
export function operatorTokenOf({ OPERATOR_TOKENS }: { OPERATOR_TOKENS?: string }): string {
  return OPERATOR_TOKENS?.split(',')[0]?.split(':')[2] ?? '';
}
