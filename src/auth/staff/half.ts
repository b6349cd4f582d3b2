import type { BatchEntry } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { mustChangeOneRow } from '../../platform/db';
import { newId } from '../../platform/ids';
import { deleteOneStaffRow, insertStaffRow, type StaffCondition, type StaffRow } from './store-staff';

/** The prefix of the row in which better-auth counts the attempts of a half-finished sign-in. */
const TRIES = '2fa-attempts-';

/**
 * A half-finished sign-in while a code is checked. better-auth deletes it before the session is created. Here the
 * deletion waits for the batch that creates the session: a code that was used already costs one attempt, and
 * not the whole sign-in.
 */
export class HalfSignIn {
  private readonly rows = new Map<unknown, StaffRow>();
  private half?: StaffRow;
  private tries?: StaffRow;

  /** Remembers the rows of `verification` that better-auth has read. */
  note(rows: readonly StaffRow[]): void {
    for (const row of rows) this.rows.set(row.id, row);
  }

  /** The row that better-auth is about to delete, if the deletion has to wait. */
  holdBack(where: readonly StaffCondition[]): StaffRow | undefined {
    const row = this.rows.get(where.find(({ field }) => field === 'id')?.value);
    if (!row) return undefined;
    if (isTries(row.identifier)) this.tries = row;
    else this.half = row;
    return isTries(row.identifier) ? undefined : row;
  }

  /** Whether these conditions select the half-finished sign-in whose deletion waits. */
  isHeldBack(where: readonly StaffCondition[]): boolean {
    const identifier = where.find(({ field }) => field === 'identifier')?.value;
    return this.half !== undefined && identifier === this.half.identifier;
  }

  /** Deletes the half-finished sign-in, for the batch that creates the session. */
  useUp(): BatchEntry[] {
    if (!this.half) return [];
    const where = [{ field: 'id', operator: 'eq', value: this.half.id }];
    return [mustChangeOneRow(deleteOneStaffRow('verification', where))];
  }

  /**
   * Counts an attempt for a correct code that was used before. better-auth has already deleted its count of attempts.
   */
  async countTry({ db }: Context): Promise<void> {
    if (!this.tries) return;
    const row = { ...this.tries, id: newId(), value: String(Number(this.tries.value) + 1) };
    await db.run({ row: insertStaffRow('verification', row) });
  }

  /**
   * Puts the count of attempts back after a fault: without it the half-finished sign-in would be over. Fails where it is
   * still there.
   */
  async countNone({ db }: Context): Promise<void> {
    if (this.tries) await db.run({ row: insertStaffRow('verification', this.tries) });
  }
}

function isTries(identifier: unknown): boolean {
  return String(identifier).startsWith(TRIES);
}
