import { and, eq } from 'drizzle-orm';
import type { Database } from '../platform/db';
import { sweepCursors } from './tables';

export function selectCursor(db: Database, name: string) {
  return db.orm.select().from(sweepCursors).where(eq(sweepCursors.name, name));
}

export function insertCursor(db: Database, name: string) {
  return db.orm
    .insert(sweepCursors)
    .values({ name, position: '', hasMore: false, doneNight: null })
    .onConflictDoNothing();
}

/** Moves a cursor on while it stands where it was read. @returns a row unless another run moved it */
export function moveCursor(
  db: Database,
  name: string,
  from: string,
  to: { position: string; hasMore?: boolean; doneNight?: string },
) {
  return db.orm
    .update(sweepCursors)
    .set(to)
    .where(and(eq(sweepCursors.name, name), eq(sweepCursors.position, from)))
    .returning({ name: sweepCursors.name });
}

/** Notes that an organization of this round has more than was taken. */
export function markMore(db: Database, name: string) {
  return db.orm.update(sweepCursors).set({ hasMore: true }).where(eq(sweepCursors.name, name));
}
