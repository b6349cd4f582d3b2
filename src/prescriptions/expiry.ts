import { addDays, type Day, dayOf } from '../platform/pharmacy-time';

/**
 * Whether a prescription is too old to be accepted.
 * @param issuedOn the day that it bears, null if nobody noted it: then nobody can say
 * @param at epoch ms
 * @param validDays so many days after it was issued it is still accepted (a setting of the organization)
 */
export function isExpired(issuedOn: Day | null, at: number, validDays: number): boolean {
  return issuedOn !== null && issuedOn < addDays(dayOf(at), -validDays);
}
