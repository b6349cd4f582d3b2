import { desc, isNull, sql } from 'drizzle-orm';
import type { Condition, Database } from '../../platform/db';
import { secretCanaries, subscriptions } from '../tables';

/** What each key of the ring makes of the canary's text, by the key's id. */
export type Fingerprints = Readonly<Record<string, string>>;

/**
 * No key of the ring is another one than the database knows by its id, and one of them is known. True as well before
 * the first canary is written.
 */
export function canaryKnows(fingerprints: Fingerprints): Condition {
  const ring = sql`from secret_canaries as canary
    join json_each(${JSON.stringify(fingerprints)}) as ring on ring.key = canary.key_id`;
  return sql`(not exists (select 1 ${ring} where ring.value <> canary.fingerprint)
    and (exists (select 1 ${ring}) or not exists (select 1 from secret_canaries)))`;
}

export function selectCanaries(db: Database) {
  return db.orm.select({ keyId: secretCanaries.keyId, fingerprint: secretCanaries.fingerprint }).from(secretCanaries);
}

export type Canary = Awaited<ReturnType<typeof selectCanaries>>[number];

export function insertCanary(db: Database, row: { keyId: string; fingerprint: string; createdAt: number }) {
  return db.orm.insert(secretCanaries).values(row).onConflictDoNothing();
}

/** The newest signing secrets, to see whether a ring opens them. */
export function selectNewestSecrets(db: Database, limit: number) {
  return db.orm
    .select({ subscriptionId: subscriptions.id, secretCiphertext: subscriptions.secretCiphertext })
    .from(subscriptions)
    .where(isNull(subscriptions.deletedAt))
    .orderBy(desc(subscriptions.id))
    .limit(limit);
}
