import { requireScope } from '../../platform/access';
import type { Context } from '../../platform/context';
import { type SetAside, setPrescriptionAside, takePrescriptionBack } from '../../prescriptions/service';
import { requestWaits } from '../store-requests';
import { assertPending, requireRequest } from './decision-guards';

/** A prescription, and the request that it came with. */
export interface PrescriptionOf {
  id: string;
  requestId: string;
}

/**
 * Sets a prescription aside that does not belong to its request, while that waits for a decision.
 * @throws AppError `order_request_not_found`, `already_decided`, `prescription_not_found`
 */
export async function setAsidePrescription(ctx: Context, input: PrescriptionOf & { reason: string }): Promise<void> {
  await setPrescriptionAside(ctx, { ...(await whileItWaits(ctx, input)), reason: input.reason });
}

/** Undoes that: the prescription has to be checked again. @throws AppError as `setAsidePrescription` */
export async function undoSetAside(ctx: Context, input: PrescriptionOf): Promise<void> {
  await takePrescriptionBack(ctx, await whileItWaits(ctx, input));
}

async function whileItWaits(ctx: Context, { id, requestId }: PrescriptionOf): Promise<SetAside> {
  const { orgId } = requireScope(ctx, 'prescriptions.write');
  assertPending(await requireRequest(ctx, orgId, requestId));
  return { id, requestId, while: requestWaits(orgId, requestId) };
}
