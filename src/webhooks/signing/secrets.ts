import type { Config } from '../../platform/config';
import { decrypt } from '../../platform/crypto';

/** A subscription's secrets as stored, encrypted with its id as context. */
export interface StoredSecrets {
  subscriptionId: string;
  secretCiphertext: string;
  previousSecretCiphertext: string | null;
  previousSecretUntil: number | null;
}

/**
 * The secrets that sign at a time (epoch ms): the current one, and the previous one while both are valid.
 * @throws when one of them cannot be decrypted
 */
export async function secretsAt(
  config: Config,
  stored: StoredSecrets,
  at: number,
): Promise<{ secret: string; previousSecret?: string }> {
  const { subscriptionId, previousSecretCiphertext, previousSecretUntil } = stored;
  const open = (ciphertext: string) => decrypt(config.encryptionKeys, ciphertext, subscriptionId);
  const secret = await open(stored.secretCiphertext);
  const isInOverlap = previousSecretCiphertext !== null && previousSecretUntil !== null && previousSecretUntil > at;
  return isInOverlap ? { secret, previousSecret: await open(previousSecretCiphertext) } : { secret };
}
