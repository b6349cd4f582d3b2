import type { Context } from '../platform/context';
import { notFound } from '../platform/errors';
import { type PrescriptionRow, selectPrescription } from './store';

/**
 * @param requestId the request that it must belong to, if one is given
 * @throws AppError `prescription_not_found`
 */
export async function loadPrescription(
  ctx: Context,
  orgId: string,
  id: string,
  requestId?: string,
): Promise<PrescriptionRow> {
  const { rows } = await ctx.db.run({ rows: selectPrescription(orgId, id) });
  const [row] = rows;
  if (!row || (requestId !== undefined && row.orderRequestId !== requestId)) {
    throw notFound('prescription_not_found', 'There is no such prescription.');
  }
  return row;
}
