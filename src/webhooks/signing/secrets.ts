import type { Config } from '../../platform/config';
import { decrypt, type Roots } from '../../platform/crypto/crypto';
import { IsolateCache, onceFor } from '../../platform/isolate-cache';
import type { subscriptions } from '../tables';

/** The secrets of a subscription as they are stored: encrypted, with the id of the subscription as context. */
export type StoredSecrets = { subscriptionId: string } & Pick<
  typeof subscriptions.$inferSelect,
  'secretCiphertext' | 'previousSecretCiphertext' | 'previousSecretUntil'
>;

const OPENED_MAX = 1_000;
/** Decrypted secrets by subscription and ciphertext, in a cache for each set of roots. */
const openedBy = onceFor((_roots: Roots) => new IsolateCache<string>(OPENED_MAX));

function open(roots: Roots, ciphertext: string, subscriptionId: string): Promise<string> {
  return openedBy(roots).get(`${subscriptionId} ${ciphertext}`, () =>
    decrypt(roots, 'signing secret', ciphertext, subscriptionId),
  );
}

/**
 * Returns the secrets that sign at a time (epoch ms): the current one, and also the previous one as long as both are
 * valid.
 * @throws if one of them cannot be decrypted
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
