import type { BatchEntry } from '../../platform/commit';
import type { Context } from '../../platform/context';
import { mustChangeOneRow } from '../../platform/db';
import { newId } from '../../platform/ids';
import { deleteOneStaffRow, insertStaffRow, type StaffCondition, type StaffRow } from './store-staff';

/** How better-auth names the row that counts the tries of a half sign-in. */
const TRIES = '2fa-attempts-';

/**
 * A half sign-in while a code is checked. better-auth uses it up before the session is made; here that waits for the
 * batch that makes the session, so that a code which turns out to be used before costs a try and not the whole sign-in.
 */
export class HalfSignIn {
  private readonly rows = new Map<unknown, StaffRow>();
  private half?: StaffRow;
  private tries?: StaffRow;

  /** Rows of `verification` that better-auth has read. */
  note(rows: readonly StaffRow[]): void {
    for (const row of rows) this.rows.set(row.id, row);
  }

  /** The row that better-auth is about to use up, when that is to wait. */
  holdBack(where: readonly StaffCondition[]): StaffRow | undefined {
    const row = this.rows.get(where.find(({ field }) => field === 'id')?.value);
    if (!row) return undefined;
    if (isTries(row.identifier)) this.tries = row;
    else this.half = row;
    return isTries(row.identifier) ? undefined : row;
  }

  /** Whether these rows are the half sign-in that is held back. */
  isHeldBack(where: readonly StaffCondition[]): boolean {
    const identifier = where.find(({ field }) => field === 'identifier')?.value;
    return this.half !== undefined && identifier === this.half.identifier;
  }

  /** Uses the half sign-in up: for the batch that makes the session. */
  useUp({ db }: Context): BatchEntry[] {
    if (!this.half) return [];
    const where = [{ field: 'id', operator: 'eq', value: this.half.id }];
    return [mustChangeOneRow(db, deleteOneStaffRow(db, 'verification', where))];
  }

  /** After a code that was right and used before: one try less. better-auth has taken the count of tries away. */
  async countTry({ db }: Context): Promise<void> {
    if (!this.tries) return;
    const row = { ...this.tries, id: newId(), value: String(Number(this.tries.value) + 1) };
    await db.run({ row: insertStaffRow(db, 'verification', row) });
  }
}

function isTries(identifier: unknown): boolean {
  return String(identifier).startsWith(TRIES);
}
