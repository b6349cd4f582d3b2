import { recordAudit } from '../../audit/record';
import { createOrder, matchLines, namedProducts, stockMustSuffice } from '../../orders/create';
import { findOrder } from '../../orders/read';
import { prescribedOf, quantitiesOf } from '../../orders/rules';
import { plannedSupply } from '../../orders/supply/supply';
import type { PaymentAction } from '../../orders/tables';
import { requireScope } from '../../platform/access';
import { commit } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { pick } from '../../platform/data/columns';
import { assertInBatch } from '../../platform/data/db';
import { type FieldError, invalidInput } from '../../platform/errors/errors';
import { newId } from '../../platform/ids';
import { dayOf, readDay } from '../../platform/pharmacy-time';
import { approvalEntries, assertChoice, type Check, strayChecks } from '../../prescriptions/check';
import { isApproved, isSetAside } from '../../prescriptions/coverage';
import { whileCovered } from '../../prescriptions/filing';
import { approvePrescription, recordSignature, type Signature } from '../../prescriptions/review';
import { type PrescriptionRow, prescriptionsAre, versionOf } from '../../prescriptions/store';
import type { Verification } from '../../prescriptions/tables';
import { type About, outboxEvent } from '../../webhooks/outbox';
import type { RequestItem } from '../envelope';
import { prescriptionsChanged } from '../errors';
import { SUBMITTED_FIELDS } from '../fields';
import { approveRequest } from '../store';
import type { AcknowledgedDifference } from '../tables';
import { NotApprovable } from './assessment';
import {
  assertPending,
  type Decision,
  decidedBy,
  deciderOf,
  type RequestFacts,
  readFacts,
  requestMetadata,
} from './facts';
import { acknowledgedOf } from './lines';
import { type ApprovalDraft, type ApprovalPlan, planApproval } from './plan';

export interface ApproveInput extends ApprovalDraft {
  id: string;
  /**
   * The version (`versionOf`) of the prescriptions that the form showed. Nothing is approved if the prescriptions have
   * changed since.
   */
  prescriptionsVersion?: string;
  /** The verification of all prescriptions that nobody has approved or set aside yet. If set, `checked` is not used. */
  verification?: Verification | undefined;
  /** Why the request is approved in spite of its `overridable` blockers. The reason is stored with the request. */
  overrideReason?: string;
}

/**
 * Turns a request into an order. One guarded batch writes the checked prescriptions, request, customer, order, stock
 * and events. If two decisions are made at the same time, only one is stored. The other one fails with
 * `already_decided`, which says who decided and when.
 * @throws AppError `order_request_not_found`, `already_decided`, `prescriptions_changed`, `not_approvable` with the
 *   blockers, `validation_failed` (a date of issue that is invalid or in the future; `signed_file` for a prescription
 *   whose check has not passed; more packs to come later than the line has, or an invalid day for them)
 */
export async function approveOrderRequest(ctx: Context, input: ApproveInput): Promise<Decision> {
  const { orgId } = requireScope(ctx, 'order_requests.write');
  const { verification, overrideReason } = input;
  if (verification || input.checked?.length) requireScope(ctx, 'prescriptions.write');
  assertIssued(input.checked ?? [], ctx.now());
  return retryOnConflict(ctx, async () => {
    const others = input.lines ? namedProducts(input.lines) : [];
    const facts = await readFacts(ctx, orgId, input.id, others);
    assertPending(facts.request);
    const checked = verification ? checksOf(facts.prescriptions, verification) : input.checked;
    assertSamePrescriptions(facts, { ...input, checked });
    const plan = planApproval(ctx, facts, { ...input, checked });
    const standing =
      overrideReason === undefined ? plan.blockers : plan.blockers.filter(({ overridable }) => !overridable);
    if (standing.length > 0) throw new NotApprovable(standing);
    const orderId = newId();
    await commitApproval(ctx, facts, plan, {
      orderId,
      payment: input.payment ?? null,
      overrideReason: plan.blockers.length > 0 ? (overrideReason ?? null) : null,
    });
    return { id: input.id, status: 'approved', orderId, warnings: plan.warnings };
  });
}

/** Refuses dates of issue that are no valid day, or that are later than today. */
function assertIssued(checked: readonly Check[], now: number): void {
  const errors = checked.flatMap(({ issuedOn }, index): FieldError[] => {
    if (issuedOn === null || (readDay(issuedOn) !== null && issuedOn <= dayOf(now))) return [];
    const pointer = `/checked/${index}/issued_on`;
    return [{ pointer, code: 'invalid_date', message: 'Send the day as yyyy-mm-dd, today at the latest.' }];
  });
  if (errors.length > 0) throw invalidInput(errors);
}

/**
 * Returns a check for each stored file that nobody has approved or set aside.
 * @param said how the files were checked, the same for all of them
 */
function checksOf(rows: readonly PrescriptionRow[], said: Verification): Check[] {
  const open = rows.filter((row) => row.status === 'stored' && !isApproved(row) && !isSetAside(row));
  for (const row of open) assertChoice(row, said);
  const as = said === 'verified_elsewhere' ? 'signed_file' : said;
  const verifiedWith = said === 'verified_elsewhere' ? '' : null;
  return open.map(({ id, sha256 }) => ({ prescriptionId: id, sha256: sha256 ?? '', as, verifiedWith, issuedOn: null }));
}

/** Refuses the approval if the prescriptions are no longer the ones that the reviewer saw. */
function assertSamePrescriptions({ prescriptions }: RequestFacts, input: ApproveInput): void {
  const { checked = [], prescriptionsVersion } = input;
  const isSame = prescriptionsVersion === undefined || prescriptionsVersion === versionOf(prescriptions);
  if (!isSame || strayChecks(checked, prescriptions).length > 0) throw prescriptionsChanged();
}

async function commitApproval(
  ctx: Context,
  { request, customer, prescriptions, reserved }: RequestFacts,
  plan: ApprovalPlan,
  decided: { orderId: string; payment: PaymentAction | null; overrideReason: string | null },
): Promise<void> {
  const { orgId } = request;
  const { orderId, overrideReason } = decided;
  const { lines, checks, differences, charges, paymentDifference } = plan;
  // A program gets differences only as warnings, and acknowledges none.
  const acknowledged = deciderOf(ctx) === 'staff' ? acknowledgedOf(differences) : [];
  const order = createOrder(
    ctx,
    {
      ...pick(request, SUBMITTED_FIELDS),
      id: orderId,
      orgId,
      shopId: request.shopId,
      source: request.source,
      externalReference: request.externalReference,
      externalId: null,
      orderRequestId: request.id,
      reservedP1Ids: reserved.map(({ p1Id }) => p1Id),
      integrationId: request.integrationId,
      items: lines,
      feeCents: charges.feeCents,
      discountCents: charges.discountCents,
      discountKind: charges.discountKind,
      platformDetails: request.platformDetails,
      supply: plannedSupply(ctx, lines, plan.laters),
      originalMissing: isOriginalMissing(prescriptions, plan),
      // A program may leave the payment choice out. The difference is still recorded, so no refund exceeds the paid
      // amount.
      paymentAction: paymentDifference && (decided.payment ?? 'ask'),
      paymentDifferenceCents: paymentDifference && paymentDifference.totalCents - paymentDifference.paidCents,
      // A missing approval is a blocker that cannot be overridden.
      hasApprovedPrescription: true,
    },
    customer,
  );
  const batch = {
    // Another prescription may arrive while somebody decides.
    same: assertInBatch(prescriptionsAre(orgId, request.id, prescriptions)),
    prescriptions: checks.flatMap((check) => approvalEntries(ctx, check, request)),
    covered: whileCovered({ orgId, orderRequestId: request.id, orderId: null }, prescribedOf(lines)),
    request: approveRequest({
      orgId,
      id: request.id,
      orderId,
      approvedItems: lines,
      acknowledged: acknowledged.length > 0 ? acknowledged : null,
      overrideReason,
      decidedBy: decidedBy(ctx),
      decidedAt: ctx.now(),
    }),
    order,
    event: outboxEvent(ctx, {
      type: 'order_request_approved',
      orgId,
      about: request,
      metadata: { ...requestMetadata(request), order_id: orderId },
    }),
    audit: recordAudit(ctx, {
      orgId,
      action: 'order_request.approved',
      entityId: request.id,
      fields: fieldsOf(overrideReason, acknowledged),
    }),
  };
  await commit(ctx, batch, { constraints: stockMustSuffice });
}

/** Whether the paper original of a prescription is still to come. Until it has come, nothing leaves the pharmacy. */
function isOriginalMissing(prescriptions: RequestFacts['prescriptions'], { checks }: ApprovalPlan): boolean {
  return prescriptions.some((row) => {
    const checkedAs = checks.find(({ read }) => read === row)?.columns.checkedAs ?? row.checkedAs;
    return checkedAs === 'original_follows' && !isSetAside(row);
  });
}

/** Returns the names that the audit log records about an approval. They contain codes only, never reasons or values. */
function fieldsOf(
  overrideReason: string | null,
  acknowledged: readonly AcknowledgedDifference[],
): string[] | undefined {
  const names = overrideReason === null ? [] : ['override_reason'];
  for (const { code } of acknowledged) names.push(`difference_${code}`);
  return names.length > 0 ? [...new Set(names)] : undefined;
}

/** A line that an approved prescription is to cover. A line that names no product is ignored. */
interface LineToCover {
  p1Id: string | null;
  quantity: number;
}

/**
 * Approves a prescription.
 * @param lines the lines that it covers; if missing, the current lines of its order or request
 * @throws AppError as `approvePrescription`
 */
export function approvePrescriptionFor(
  ctx: Context,
  id: string,
  { lines, verification }: { lines?: readonly LineToCover[] | undefined; verification?: Verification | undefined } = {},
): Promise<PrescriptionRow> {
  return approvePrescription(ctx, id, verification, async (row) => {
    const owner = await ownerOf(ctx, row);
    return { quantities: quantitiesOf(lines ?? owner.lines), about: owner.about };
  });
}

/** Records a completed signature. @throws AppError as `recordSignature` */
export function completeSignature(ctx: Context, id: string, signature: Signature): Promise<PrescriptionRow> {
  return recordSignature(ctx, id, signature, async (row) => (await ownerOf(ctx, row)).about);
}

/**
 * Returns the order or request of a prescription (`about`, for events) and its lines. Submitted lines that the platform
 * assigned to another prescription are left out.
 */
export async function ownerOf(
  ctx: Context,
  { orgId, orderRequestId, orderId, place }: PrescriptionRow,
): Promise<{ lines: readonly LineToCover[]; about: About | undefined }> {
  if (orderId !== null) {
    const order = await findOrder(ctx, orgId, orderId);
    return { lines: order?.items ?? [], about: order };
  }
  if (orderRequestId === null) return { lines: [], about: undefined };
  const { request, products } = await readFacts(ctx, orgId, orderRequestId);
  const isOn = ({ prescription }: RequestItem) => place === null || (prescription ?? place) === place;
  return { lines: request.approvedItems ?? matchLines(request.items.filter(isOn), products), about: request };
}
