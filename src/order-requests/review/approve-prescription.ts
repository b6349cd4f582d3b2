import { linesOfOrder, matchLines, quantitiesOf } from '../../orders/service';
import type { Context } from '../../platform/context';
import { approvePrescription, type PrescriptionRow } from '../../prescriptions/service';
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
  const quantities = async (row: PrescriptionRow) => quantitiesOf(lines ?? (await linesOfOwner(ctx, row)));
  return approvePrescription(ctx, id, quantities);
}

async function linesOfOwner(
  ctx: Context,
  { orgId, orderRequestId, orderId }: PrescriptionRow,
): Promise<readonly LineToCover[]> {
  if (orderId !== null) return linesOfOrder(ctx, orgId, orderId);
  if (orderRequestId === null) return [];
  const { request, products } = await readFacts(ctx, orgId, orderRequestId);
  return request.approvedItems ?? matchLines(request.items, products);
}
