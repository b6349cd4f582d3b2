import type { Context } from '../../platform/context';
import { decrypt, type KeyRing } from '../../platform/crypto';
import type { Condition } from '../../platform/data/db';
import { describeError } from '../../platform/log';
import { macUnder } from '../../platform/mac';
import { resolvedOnceFor } from '../../platform/once';
import { type Canary, canaryKnows, type Fingerprints, insertCanary, selectNewestSecrets } from './store-canary';

/** How many secrets are tried before the first canary is written. */
const TRIED_MAX = 20;

/** A MAC of nothing under each key of the ring: it tells keys apart and reveals nothing about them (RFC 2104). */
const fingerprintsOf = resolvedOnceFor(async (keys: KeyRing): Promise<Fingerprints> => {
  const entries = [...keys.byId].map(async ([id, key]) => [id, await macUnder(key, 'encryption key')]);
  return Object.fromEntries(await Promise.all(entries));
});

/** The condition of every claim: ENCRYPTION_KEYS are the keys that this database was written with. */
export async function keysAreKnown(ctx: Context): Promise<Condition> {
  return canaryKnows({ fingerprints: await fingerprintsOf(ctx.config.encryptionKeys) });
}

/**
 * Whether ENCRYPTION_KEYS are the keys that the database was written with, according to the canaries. If not, each run
 * of the sweep logs an error and nothing is claimed (`keysAreKnown`). A key that is the current one for the first time
 * gets its own canary, so that older keys may be removed later.
 */
export async function areKeysRight(ctx: Context, canaries: readonly Canary[]): Promise<boolean> {
  const { encryptionKeys } = ctx.config;
  const fingerprints = await fingerprintsOf(encryptionKeys);
  const known = canaries.filter(({ keyId }) => keyId in fingerprints);
  const fit = known.length > 0 && known.every(({ keyId, fingerprint }) => fingerprints[keyId] === fingerprint);
  const isRight = canaries.length === 0 ? await opensSecrets(ctx) : fit;
  if (!isRight) {
    ctx.log('error', 'secrets_canary_failed', { code: 'encryption_keys_wrong' });
    return false;
  }
  const { currentId } = encryptionKeys;
  if (known.every(({ keyId }) => keyId !== currentId)) {
    const canary = { keyId: currentId, fingerprint: fingerprints[currentId] ?? '', createdAt: ctx.now() };
    // The next run writes it, where this one cannot.
    await ctx.db.run({ canary: insertCanary(canary) }).catch((error) => {
      ctx.log('error', 'canary_not_written', describeError(error));
    });
  }
  return true;
}

/** Before the first canary: whether the keys can decrypt most of the newest secrets, or there are none yet. */
async function opensSecrets(ctx: Context): Promise<boolean> {
  const newest = await ctx.db.rows(selectNewestSecrets(TRIED_MAX));
  const tries = newest.map(({ subscriptionId, secretCiphertext }) =>
    decrypt(ctx.config.encryptionKeys, secretCiphertext, subscriptionId).then(
      () => true,
      () => false,
    ),
  );
  const opened = (await Promise.all(tries)).filter(Boolean).length;
  return opened * 2 >= newest.length;
}
