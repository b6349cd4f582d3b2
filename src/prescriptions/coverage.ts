import { addDays, type Day, dayOf } from '../platform/pharmacy-time';
import type { PrescriptionState } from './store';
import type { CoveredLine, prescriptions } from './tables';

/** Quantities by product id. */
export type Quantities = ReadonlyMap<string, number>;

/** A product, with the needed quantity and the smaller one that prescriptions cover. */
export interface Uncovered {
  p1Id: string;
  needed: number;
  covered: number;
}

type Approval = Pick<typeof prescriptions.$inferSelect, 'status' | 'approvedAt' | 'approvedLines'>;

/** Lines in the form in which they are stored and compared: sorted by product id. */
export function coveredLines(quantities: Quantities): CoveredLine[] {
  return [...quantities].sort().map(([p1Id, quantity]) => ({ p1Id, quantity }));
}

/** Whether the prescription is approved and its file is stored. */
export function isApproved({ status, approvedAt }: Pick<Approval, 'status' | 'approvedAt'>): boolean {
  return status === 'stored' && approvedAt !== null;
}

/** Whether somebody decided that the prescription does not belong to its request. */
export function isSetAside({ setAsideAt }: Pick<typeof prescriptions.$inferSelect, 'setAsideAt'>): boolean {
  return setAsideAt !== null;
}

/** The products that the approved ones of these prescriptions do not cover completely. */
export function uncoveredBy(prescriptions: readonly Approval[], needed: Quantities): Uncovered[] {
  const lines = prescriptions.filter(isApproved).flatMap(({ approvedLines }) => approvedLines ?? []);
  return [...needed].flatMap(([p1Id, quantity]) => {
    const covered = lines.reduce((sum, line) => (line.p1Id === p1Id ? sum + line.quantity : sum), 0);
    return covered < quantity ? [{ p1Id, needed: quantity, covered }] : [];
  });
}

/**
 * Whether a prescription is only a copy to read, which needs no check. That is so if its PDF has no signature and came
 * beside a PDF whose signature passed.
 */
export function isReadingCopy(row: PrescriptionState, others: readonly PrescriptionState[]): boolean {
  const has = (each: PrescriptionState, status: 'passed' | 'none') =>
    each.status === 'stored' && !isSetAside(each) && each.signatureReport?.status === status;
  return has(row, 'none') && others.some((each) => has(each, 'passed'));
}

/** The sub-indications of a report that mean that a certificate must not be relied on. */
const UNSOUND = ['REVOKED_NO_POE', 'REVOKED_CA_NO_POE', 'CHAIN_CONSTRAINTS_FAILURE'];

/**
 * The prescriptions whose signature does not hold. Either its value is broken, or its certificate is revoked, or the
 * file was changed after it and it has not passed. Unsigned and unreadable files are not among them.
 */
export function unsoundOf<P extends PrescriptionState>(prescriptions: readonly P[]): P[] {
  return prescriptions.filter((row) => {
    const { signatureReport: report } = row;
    if (report === null || row.status !== 'stored' || isSetAside(row)) return false;
    const isChanged = report.laterChanges === 'other' && report.anchor !== null && report.status !== 'passed';
    return report.status === 'failed' || UNSOUND.includes(report.subIndication ?? '') || isChanged;
  });
}

/**
 * The prescriptions whose signature leaves something open that staff must acknowledge. Either staff approved the file
 * as signed, and it is not known yet whether the certificate was revoked. Or signatures are enforced, and something was
 * added after the signature that passed.
 */
export function unconfirmedOf<P extends PrescriptionState>(prescriptions: readonly P[], isEnforced: boolean): P[] {
  return prescriptions.filter((row) => {
    const { signatureReport: report, checkedAs, verifiedWith } = row;
    if (report === null || row.status !== 'stored' || isSetAside(row)) return false;
    const isTaken = checkedAs === 'signed_file' && verifiedWith === null;
    const isAdded = isEnforced && report.status === 'passed' && report.laterChanges === 'other';
    return isAdded || (isTaken && report.subIndication === 'TRY_LATER');
  });
}

/** An approved prescription that is too old, and its date of issue. */
export interface Expired {
  id: string;
  issuedOn: Day;
}

/**
 * The approved prescriptions that are too old to be accepted, except those without a recorded date of issue.
 * @param at epoch ms
 * @param validDays how many days after its issue a prescription is still accepted (a setting of the organization)
 */
export function expiredOf(prescriptions: readonly PrescriptionState[], at: number, validDays: number): Expired[] {
  const dated = prescriptions.flatMap((row) => {
    const { id, issuedOn } = row;
    return issuedOn === null || !isApproved(row) || isSetAside(row) ? [] : [{ id, issuedOn }];
  });
  if (dated.length === 0) return dated;
  const firstDay = addDays(dayOf(at), -validDays);
  return dated.filter(({ issuedOn }) => issuedOn < firstDay);
}
