import type { Config } from '../../platform/config';
import { decrypt, type Roots } from '../../platform/crypto/crypto';
import { IsolateCache, onceFor } from '../../platform/isolate-cache';
import type { subscriptions } from '../tables';

/** A subscription's secrets as stored, encrypted with its id as context. */
export type StoredSecrets = { subscriptionId: string } & Pick<
  typeof subscriptions.$inferSelect,
  'secretCiphertext' | 'previousSecretCiphertext' | 'previousSecretUntil'
>;

const OPENED_MAX = 1_000;
/** A cache of decrypted secrets by subscription and ciphertext, for each configuration. */
const openedBy = onceFor((_roots: Roots) => new IsolateCache<string>(OPENED_MAX));

function open(roots: Roots, ciphertext: string, subscriptionId: string): Promise<string> {
  return openedBy(roots).get(`${subscriptionId} ${ciphertext}`, () =>
    decrypt(roots, 'signing secret', ciphertext, subscriptionId),
  );
}

/**
 * Returns the secrets that sign at a time (epoch ms): the current one, and the previous one while both are valid.
 * @throws when one of them cannot be decrypted
 */
export async function secretsAt(
  config: Config,
  stored: StoredSecrets,
  at: number,
): Promise<{ secret: string; previousSecret?: string }> {
  const { subscriptionId, previousSecretCiphertext, previousSecretUntil } = stored;
  const { roots } = config;
  const secret = await open(roots, stored.secretCiphertext, subscriptionId);
  const isInOverlap = previousSecretCiphertext !== null && previousSecretUntil !== null && previousSecretUntil > at;
  return isInOverlap
    ? { secret, previousSecret: await open(roots, previousSecretCiphertext, subscriptionId) }
    : { secret };
}
