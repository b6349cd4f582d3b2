import { addDays, type Day, dayOf } from '../platform/pharmacy-time';
import type { PrescriptionState } from './store';
import type { CoveredLine, prescriptions } from './tables';

/** Quantities by product id. */
export type Quantities = ReadonlyMap<string, number>;

/** A product with the quantity of it that is needed, and the lower quantity that prescriptions cover. */
export interface Uncovered {
  p1Id: string;
  needed: number;
  covered: number;
}

type Approval = Pick<typeof prescriptions.$inferSelect, 'status' | 'approvedAt' | 'approvedLines'>;

/** Returns quantities as lines, in the form in which they are stored and compared: sorted by product id. */
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

/**
 * Whether lines need more than the approved prescriptions cover. A line that requires a prescription but names no
 * product needs any approved prescription.
 * @param prescribed the quantities that the lines with a product need, by product
 */
export function isUncovered(
  prescriptions: readonly Approval[],
  lines: readonly { p1Id: string | null; prescriptionRequired: boolean }[],
  prescribed: Quantities,
): boolean {
  const isAny = lines.some(({ p1Id, prescriptionRequired }) => prescriptionRequired && p1Id === null);
  return (isAny && !prescriptions.some(isApproved)) || uncoveredBy(prescriptions, prescribed).length > 0;
}

/** Returns the products that these prescriptions do not cover completely. Only approved prescriptions count. */
export function uncoveredBy(prescriptions: readonly Approval[], needed: Quantities): Uncovered[] {
  const lines = prescriptions.filter(isApproved).flatMap(({ approvedLines }) => approvedLines ?? []);
  return [...needed].flatMap(([p1Id, quantity]) => {
    const covered = lines.reduce((sum, line) => (line.p1Id === p1Id ? sum + line.quantity : sum), 0);
    return covered < quantity ? [{ p1Id, needed: quantity, covered }] : [];
  });
}

/**
 * Whether a prescription is only a copy to read, which needs no check. This is so if its PDF has no signature and came
 * beside a PDF whose signature passed.
 */
export function isReadingCopy(row: PrescriptionState, others: readonly PrescriptionState[]): boolean {
  const has = (each: PrescriptionState, status: 'passed' | 'none') =>
    each.status === 'stored' && !isSetAside(each) && each.signatureReport?.status === status;
  return has(row, 'none') && others.some((each) => has(each, 'passed'));
}

/** The sub-indications of a signature report that say that nobody may rely on the certificate. */
const UNSOUND = ['REVOKED_NO_POE', 'REVOKED_CA_NO_POE', 'CHAIN_CONSTRAINTS_FAILURE'];

/**
 * Returns the prescriptions whose signature is invalid. This is so if the check of the signature failed, if nobody may
 * rely on the certificate (`UNSOUND`), or if the file was changed after it was signed and the check did not pass.
 * Unsigned and unreadable files are not returned.
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
 * Returns the prescriptions whose signature leaves something open that staff must acknowledge. Either staff approved
 * the file as signed, although it is not known yet whether the certificate was revoked. Or signatures are enforced, and
 * something was added to the file after the signature that passed.
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
 * Returns the approved prescriptions that are too old to be accepted. Prescriptions without a recorded date of issue
 * are not returned.
 * @param at epoch ms
 * @param validDays how many days after its issue a prescription is accepted (a setting of the organization)
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
