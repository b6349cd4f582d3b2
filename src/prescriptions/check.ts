import { recordAudit } from '../audit/record';
import { actorId, requireScope } from '../platform/access';
import type { BatchEntry } from '../platform/commit';
import type { Context } from '../platform/context';
import { AppError, invalidField } from '../platform/errors/errors';
import type { Day } from '../platform/pharmacy-time';
import { type About, outboxEvent } from '../webhooks/outbox';
import { coveredLines, isApproved, isSetAside, type Quantities, uncoveredBy } from './coverage';
import { NOT_SET_ASIDE } from './set-aside';
import { type PrescriptionRow, updatePrescriptionIf } from './store';
import { type CheckedAs, VERIFICATIONS, type Verification } from './tables';

/** A person's check of a prescription: the file that the person saw, and the stated verification. */
export interface Check {
  prescriptionId: string;
  /** SHA-256 of the file that the checker saw, hex. */
  sha256: string;
  as: CheckedAs;
  /** The other program that verified the file, and its result. Only with `signed_file`. */
  verifiedWith?: string | null;
  /** The prescription's date of issue, `yyyy-mm-dd`. */
  issuedOn: string | null;
}

type Approval = Pick<
  PrescriptionRow,
  'approvedAt' | 'approvedBy' | 'approvedLines' | 'checkedAs' | 'verifiedWith' | 'issuedOn'
>;

/** A prescription as it was read, and the new values of the columns that a check changes. */
export interface CheckedRow {
  read: PrescriptionRow;
  columns: Approval;
}

/**
 * Whether a check is about this row. It must name the row's current file, and the row must allow the stated
 * verification.
 */
function isOf({ prescriptionId, sha256, as, verifiedWith = null }: Check, row: PrescriptionRow): boolean {
  if (row.id !== prescriptionId || row.sha256 !== sha256 || row.status !== 'stored' || isSetAside(row)) return false;
  return as !== 'signed_file' || verifiedWith !== null || choicesOf(row).includes('signed_file');
}

/**
 * Returns the verifications that an approval may state. `signed_file` is one of them if this service's check of the
 * signature passed, or if only the revocation of the certificate could not be checked yet.
 */
export function choicesOf({ signatureReport: report }: PrescriptionRow): readonly Verification[] {
  const isHere = report?.status === 'passed' || report?.subIndication === 'TRY_LATER';
  return isHere ? VERIFICATIONS : VERIFICATIONS.filter((each) => each !== 'signed_file');
}

/** @throws AppError `validation_failed` if an approval may not state this verification */
export function assertChoice(row: PrescriptionRow, said: Verification): void {
  if (choicesOf(row).includes(said)) return;
  throw invalidField(
    '/verification',
    'invalid_value',
    'Send another value: the check of the signature has not passed.',
  );
}

/** Returns the verification that an approval stated; null if it stated none. */
export function verificationOf({ checkedAs, verifiedWith }: PrescriptionRow): Verification | null {
  return checkedAs === 'signed_file' && verifiedWith !== null ? 'verified_elsewhere' : checkedAs;
}

/** Returns the checks that match none of these files, because they came from an outdated page. */
export function strayChecks(checks: readonly Check[], rows: readonly PrescriptionRow[]): Check[] {
  return checks.filter((check) => !rows.some((row) => isOf(check, row)));
}

/**
 * Returns the prescriptions that the checks approve, with their new columns. Each prescription covers the lines that
 * the platform assigned to it. The first one also covers all lines that are left. Together with prescriptions that were
 * approved before, they cover what is needed.
 */
export function checkedRows(
  ctx: Context,
  rows: readonly PrescriptionRow[],
  checks: readonly Check[],
  needed: Quantities,
  sent: readonly SentOn[] = [],
): CheckedRow[] {
  const found = rows.flatMap((read) => {
    const check = checks.find((each) => isOf(each, read));
    return check ? [{ read, check }] : [];
  });
  const others = rows.filter((row) => !isSetAside(row) && !found.some(({ read }) => read.id === row.id));
  const rest = new Map(uncoveredBy(others, needed).map((each) => [each.p1Id, each.needed - each.covered]));
  const covers = found.map(({ read }) => takeSent(rest, sent, read.place));
  if (covers[0]) for (const [p1Id, quantity] of rest) covers[0].set(p1Id, quantity + (covers[0].get(p1Id) ?? 0));
  const now = ctx.now();
  return found.map(({ read, check }, index) => ({
    read,
    columns: {
      approvedAt: now,
      approvedBy: actorId(ctx),
      approvedLines: coveredLines(covers[index] ?? new Map()),
      checkedAs: check.as,
      verifiedWith: check.verifiedWith ?? null,
      issuedOn: check.issuedOn,
    },
  }));
}

/**
 * A line that a platform sent. `place` is the index of the line's prescription in the platform's list; null if the line
 * names no prescription.
 */
interface SentOn {
  p1Id: string | null;
  quantity: number;
  place: number | null;
}

/**
 * Removes from `rest` the quantities that a platform sent for one prescription.
 * @returns the removed quantity of each product
 */
function takeSent(rest: Map<string, number>, sent: readonly SentOn[], place: number | null): Map<string, number> {
  const taken = new Map<string, number>();
  for (const { p1Id, quantity, place: own } of sent) {
    const left = rest.get(p1Id ?? '') ?? 0;
    if (p1Id === null || place === null || own !== place || left === 0) continue;
    const part = Math.min(quantity, left);
    taken.set(p1Id, (taken.get(p1Id) ?? 0) + part);
    if (part === left) rest.delete(p1Id);
    else rest.set(p1Id, left - part);
  }
  return taken;
}

/**
 * Returns the changes that approve a prescription for the given lines. They keep `checkedAs`, `verifiedWith` and
 * `issuedOn`.
 */
export function approvedFor(
  ctx: Context,
  read: PrescriptionRow,
  approvedLines: NonNullable<Approval['approvedLines']>,
): CheckedRow {
  const { checkedAs, verifiedWith, issuedOn } = read;
  const by = { approvedAt: ctx.now(), approvedBy: actorId(ctx) };
  return { read, columns: { ...by, approvedLines, checkedAs, verifiedWith, issuedOn } };
}

/**
 * Returns the entries that record an approval and its event. The batch is undone if the prescription has changed since
 * it was read.
 * @param about the request or order that the prescription belongs to
 */
export function approvalEntries(ctx: Context, { read, columns }: CheckedRow, about: About | undefined): BatchEntry[] {
  const { id, orgId, orderRequestId, orderId } = read;
  return [
    updatePrescriptionIf(read, ['status', 'sha256', 'approvedLines', 'setAsideAt'], {
      ...columns,
      ...NOT_SET_ASIDE,
      updatedAt: ctx.now(),
    }),
    outboxEvent(ctx, {
      type: 'prescription_approved',
      orgId,
      about,
      metadata: {
        prescription_id: id,
        ...(orderRequestId !== null && { order_request_id: orderRequestId }),
        ...(orderId !== null && { order_id: orderId }),
      },
    }),
    recordAudit(ctx, {
      orgId,
      action: 'prescription.approved',
      entityId: id,
      fields: isApproved(read) ? ['lines'] : undefined,
      reasonCode: columns.checkedAs ?? undefined,
    }),
  ];
}

/**
 * Returns the entries that record the dates of issue of originals. `issued` has the dates by prescription id. The batch
 * is undone if a file has changed.
 */
export function issuedEntries(
  ctx: Context,
  rows: readonly PrescriptionRow[],
  issued: ReadonlyMap<string, Day>,
): BatchEntry[] {
  return rows.flatMap((row) => {
    const issuedOn = issued.get(row.id);
    if (issuedOn === undefined || issuedOn === row.issuedOn) return [];
    return [updatePrescriptionIf(row, ['status', 'sha256', 'approvedAt'], { issuedOn, updatedAt: ctx.now() })];
  });
}

interface Exchange {
  /** The replaced product and its quantity; null if it needed no prescription. */
  instead: { p1Id: string; quantity: number } | null;
  /** The new product and its quantity; null if it needs no prescription. */
  now: { p1Id: string; quantity: number } | null;
}

/**
 * Returns the entries by which approved prescriptions cover the new product instead of the replaced one. They belong in
 * the batch that exchanges the products. Only an actor who may check prescriptions can decide this.
 * @param about the order
 * @throws AppError `insufficient_scope`; `prescription_not_approved` if the new product needs a prescription and none
 *   is approved
 */
export function coverInstead(
  ctx: Context,
  prescriptions: readonly PrescriptionRow[],
  { instead, now }: Exchange,
  about: About,
): BatchEntry[] {
  requireScope(ctx, 'prescriptions.write');
  const approved = prescriptions.filter(isApproved);
  const covered = approved.map(
    ({ approvedLines }) => new Map((approvedLines ?? []).map(({ p1Id, quantity }) => [p1Id, quantity])),
  );
  let left = instead?.quantity ?? 0;
  let place = -1;
  for (const [index, quantities] of covered.entries()) {
    const had = instead === null ? 0 : (quantities.get(instead.p1Id) ?? 0);
    if (instead === null || had === 0 || left === 0) continue;
    if (place < 0) place = index;
    const taken = Math.min(had, left);
    left -= taken;
    if (had === taken) quantities.delete(instead.p1Id);
    else quantities.set(instead.p1Id, had - taken);
  }
  const target = covered[Math.max(0, place)];
  if (now && !target)
    throw new AppError('prescription_not_approved', 'The product needs an approved prescription first.');
  if (now && target) target.set(now.p1Id, (target.get(now.p1Id) ?? 0) + now.quantity);
  return approved.flatMap((row, index) => {
    const lines = coveredLines(covered[index] as ReadonlyMap<string, number>);
    return JSON.stringify(lines) === JSON.stringify(row.approvedLines)
      ? []
      : approvalEntries(ctx, approvedFor(ctx, row, lines), about);
  });
}
