import { and, eq, sql } from 'drizzle-orm';
import { orm } from '../platform/data/statements';
import { sweepCursors } from './tables';

export function selectCursor(name: string) {
  return orm.select().from(sweepCursors).where(eq(sweepCursors.name, name));
}

/** Begins at the start, and forgets where others of its kind stopped. @param kind what their names begin with */
export function insertOnlyCursor(kind: string, name: string) {
  const others = sql`${sweepCursors.name} >= ${kind} and ${sweepCursors.name} < ${`${kind}~`} and ${sweepCursors.name} <> ${name}`;
  return [orm.delete(sweepCursors).where(others), insertCursor(name)];
}

export function insertCursor(name: string) {
  return orm.insert(sweepCursors).values({ name, position: '', hasMore: false, doneNight: null }).onConflictDoNothing();
}

/** Advances a cursor if it is still where it was read. @returns a row unless another run advanced it */
export function moveCursor(
  name: string,
  from: string,
  to: { position: string; hasMore?: boolean; doneNight?: string | null },
) {
  return orm
    .update(sweepCursors)
    .set(to)
    .where(and(eq(sweepCursors.name, name), eq(sweepCursors.position, from)))
    .returning({ name: sweepCursors.name });
}

/** Records that an organization of this round has more data than were erased. */
export function markMore(name: string) {
  return orm.update(sweepCursors).set({ hasMore: true }).where(eq(sweepCursors.name, name));
}
