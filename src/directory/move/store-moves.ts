import { and, eq, isNull, lte, ne, sql } from 'drizzle-orm';
import { unset } from '../../platform/data/columns';
import { assertInBatch, inList, type Statement } from '../../platform/data/db';
import { orm } from '../../platform/data/statements';
import { directory, moves } from '../tables';

export type Move = typeof moves.$inferSelect;

export function selectMove(orgId: string) {
  return orm.select().from(moves).where(eq(moves.orgId, orgId));
}

/** The organizations whose move has begun and not ended. */
export function selectUnderWay(limit: number) {
  return orm
    .select({ orgId: moves.orgId })
    .from(moves)
    .where(sql`finished_at is null`)
    .orderBy(moves.orgId)
    .limit(limit);
}

/** Begins a move unless one is under way. */
export function insertMove(at: { orgId: string; from: number; to: number; now: number }) {
  const begun = {
    ...unset(moves),
    fromShard: at.from,
    toShard: at.to,
    step: 'fence' as const,
    copied: 0,
    round: 1,
    lease: '',
    leaseUntil: 0,
    startedAt: at.now,
    updatedAt: at.now,
  };
  return orm
    .insert(moves)
    .values({ orgId: at.orgId, ...begun })
    .onConflictDoUpdate({ target: moves.orgId, set: begun, setWhere: sql`${moves.finishedAt} is not null` });
}

/** Takes the lease of a move under way; no row where another one has it. */
export function takeLease(orgId: string, at: { lease: string; now: number; until: number }) {
  return orm
    .update(moves)
    .set({ lease: at.lease, leaseUntil: at.until })
    .where(and(eq(moves.orgId, orgId), isNull(moves.finishedAt), lte(moves.leaseUntil, at.now)))
    .returning();
}

/** Writes how far a move has come; no row where the lease was lost. */
export function saveMove({ orgId, lease, ...changes }: Move) {
  return orm
    .update(moves)
    .set(changes)
    .where(and(eq(moves.orgId, orgId), eq(moves.lease, lease)))
    .returning({ orgId: moves.orgId });
}

/**
 * Lets the directory lead to the organization's new database, its hosts and the addresses of its people too. The batch is undone
 * where the lease was lost: another invocation went on with the move.
 */
export function leadTo({ orgId, toShard, lease }: Move): Statement[] {
  const isHeld = sql`exists (select 1 from ${moves} where org_id = ${orgId} and lease = ${lease} and step = 'switch')`;
  const lead = orm
    .update(directory)
    .set({ shard: toShard })
    .where(and(eq(directory.orgId, orgId), ne(directory.shard, toShard)));
  return [assertInBatch(isHeld), lead];
}

/** Which of these organizations live on another database than this one. */
export function selectElsewhere(orgIds: readonly string[], shard: number) {
  return orm
    .select({ orgId: directory.orgId })
    .from(directory)
    .where(
      and(eq(directory.kind, 'organization'), sql`${directory.key} in ${inList(orgIds)}`, ne(directory.shard, shard)),
    );
}
