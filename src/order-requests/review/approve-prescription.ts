import { findOrder, matchLines, quantitiesOf } from '../../orders/service';
import type { Context } from '../../platform/context';
import {
  approvePrescription,
  type PrescriptionRow,
  recordSignature,
  type Signature,
} from '../../prescriptions/service';
import type { About } from '../../webhooks/outbox';
import { readFacts } from './facts';

/** A line that an approved prescription covers, if it names a product. */
export interface LineToCover {
  p1Id: string | null;
  quantity: number;
}

/**
 * Approves a prescription for these lines; for those of its order or request as they stand, when none are given.
 * @throws AppError as `approvePrescription`
 */
export function approvePrescriptionFor(
  ctx: Context,
  id: string,
  lines?: readonly LineToCover[],
): Promise<PrescriptionRow> {
  return approvePrescription(ctx, id, async (row) => {
    const owner = await ownerOf(ctx, row);
    return { quantities: quantitiesOf(lines ?? owner.lines), about: owner.about };
  });
}

/** Records a completed signature. @throws AppError as `recordSignature` */
export function completeSignature(ctx: Context, id: string, signature: Signature): Promise<PrescriptionRow> {
  return recordSignature(ctx, id, signature, async (row) => (await ownerOf(ctx, row)).about);
}

/** The order or the request of a prescription. */
async function ownerOf(
  ctx: Context,
  { orgId, orderRequestId, orderId }: PrescriptionRow,
): Promise<{ lines: readonly LineToCover[]; about: About | undefined }> {
  if (orderId !== null) {
    const order = await findOrder(ctx, orgId, orderId);
    return { lines: order?.items ?? [], about: order };
  }
  if (orderRequestId === null) return { lines: [], about: undefined };
  const { request, products } = await readFacts(ctx, orgId, orderRequestId);
  return { lines: request.approvedItems ?? matchLines(request.items, products), about: request };
}
