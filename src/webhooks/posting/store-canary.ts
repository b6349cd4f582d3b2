import { desc, isNull, sql } from 'drizzle-orm';
import { jsonOf, type Named, orm, preparedCondition } from '../../platform/data/statements';
import { secretCanaries, subscriptions } from '../tables';

/** The signature of the canary text under each key, by the key's id. */
export type Fingerprints = Readonly<Record<string, string>>;

/**
 * No key in use differs from the key that the database knows under the same id, and at least one key is known. Also
 * true before the first canary is written.
 */
export const canaryKnows = preparedCondition(({ fingerprints }: Named<{ fingerprints: Fingerprints }>) => {
  const ring = sql`from secret_canaries as canary
    join json_each(${jsonOf(fingerprints)}) as ring on ring.key = canary.key_id`;
  return sql`(not exists (select 1 ${ring} where ring.value <> canary.fingerprint)
    and (exists (select 1 ${ring}) or not exists (select 1 from secret_canaries)))`;
});

export function selectCanaries() {
  return orm.select({ keyId: secretCanaries.keyId, fingerprint: secretCanaries.fingerprint }).from(secretCanaries);
}

export type Canary = Awaited<ReturnType<typeof selectCanaries>>[number];

export function insertCanary(row: { keyId: string; fingerprint: string; createdAt: number }) {
  return orm.insert(secretCanaries).values(row).onConflictDoNothing();
}

/** The newest signing secrets, to test whether the keys can decrypt them. */
export function selectNewestSecrets(limit: number) {
  return orm
    .select({ subscriptionId: subscriptions.id, secretCiphertext: subscriptions.secretCiphertext })
    .from(subscriptions)
    .where(isNull(subscriptions.deletedAt))
    .orderBy(desc(subscriptions.id))
    .limit(limit);
}
