import { requireRole } from '../platform/access';
import type { Context } from '../platform/context';
import { AppError } from '../platform/errors';
import { uploadPrescription } from '../prescriptions/service';
import { loadOrder } from './read';
import { orderLives } from './store';

/**
 * Stores a PDF for an order and, if the order came from a request, for that request too, so that both are erased
 * together. Owners and pharmacists only.
 * @throws AppError `order_not_found`, `order_locked` once cancelled or erased, and as `uploadPrescription`
 */
export async function addOrderPrescription(ctx: Context, input: { id: string; bytes: Uint8Array }) {
  const { orgId } = requireRole(ctx, ['owner', 'pharmacist']);
  const { shopId, orderRequestId, status, erasedAt } = await loadOrder(ctx, orgId, input.id);
  if (status === 'cancelled' || erasedAt !== null) throw locked();
  const target = { shopId, orderRequestId, orderId: orderRequestId === null ? input.id : null };
  return uploadPrescription(ctx, target, input.bytes, { if: orderLives(orgId, input.id), refused: locked });
}

function locked(): AppError {
  return new AppError('order_locked', 'This order is cancelled or erased and accepts no prescription.');
}
