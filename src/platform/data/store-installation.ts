import { eq, isNull, sql } from 'drizzle-orm';
import { installation } from '../tables';
import { pick } from './columns';
import { orm } from './statements';

export function selectInstallation() {
  return orm.select(pick(installation, ['id', 'shard', 'confirmedAt'])).from(installation);
}

/**
 * Returns the statement that gives a database its id and number, if it has none. If two calls do so at the same time,
 * the first one wins.
 */
export function insertInstallation({ id, shard, now }: { id: string; shard: number; now: number }) {
  return orm
    .insert(installation)
    .values({ singleton: 1, id, shard, createdAt: now, confirmedAt: null })
    .onConflictDoNothing();
}

export function confirmInstallation(id: string, now: number) {
  return orm
    .update(installation)
    .set({ confirmedAt: now })
    .where(sql`${eq(installation.id, id)} and ${isNull(installation.confirmedAt)}`);
}
