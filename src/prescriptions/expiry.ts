import { addDays, type Day, dayOf } from '../platform/pharmacy-time';
import { isApproved, isSetAside } from './coverage';
import type { PrescriptionRow } from './store';

/** An approved prescription that is too old, and the day that it bears. */
export interface Expired {
  id: string;
  issuedOn: Day;
}

/**
 * The approved prescriptions that are too old to be accepted. Of one whose day nobody noted, nobody can say.
 * @param at epoch ms
 * @param validDays so many days after it was issued a prescription is still accepted (a setting of the organization)
 */
export function expiredOf(prescriptions: readonly PrescriptionRow[], at: number, validDays: number): Expired[] {
  const firstDay = addDays(dayOf(at), -validDays);
  return prescriptions.flatMap((row) => {
    const { id, issuedOn } = row;
    if (issuedOn === null || issuedOn >= firstDay || !isApproved(row) || isSetAside(row)) return [];
    return [{ id, issuedOn }];
  });
}
