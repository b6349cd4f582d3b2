import { requireScope } from '../../platform/access';
import type { Context } from '../../platform/context';
import { dayOf } from '../../platform/pharmacy-time';
import { AlreadyDecided } from '../errors';
import type { SubmittedRequest } from '../intake/intake';
import { notReserved, reservedItems } from '../intake/reserved';
import type { Submission } from '../intake/rules';
import { fileWarnings, shippingWarnings, unitWarnings, warningsOf } from '../intake/warnings';
import { type Decision, readFacts, requireRequest } from './facts';

/**
 * Returns the response to a repeated submission.
 * @param externalReference the reference as the repetition sent it
 * @param isReserving returns whether the API key reserves stock for a request with this payment status
 * @throws AppError `order_request_not_found`
 */
export async function getSubmitted(
  ctx: Context,
  id: string,
  externalReference: string | null,
  isReserving: (request: Pick<Submission, 'paymentStatus'>) => boolean,
): Promise<SubmittedRequest> {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  const { request, products, prescriptions, reserved: held } = await readFacts(ctx, orgId, id);
  const reserved = isReserving(request) ? reservedItems(request.items, products, held) : null;
  const today = dayOf(ctx.now());
  const warnings = [
    ...warningsOf(request, request.cashOnPickup, products),
    ...unitWarnings(request.items, products),
    ...(reserved && request.status === 'pending' ? notReserved(reserved) : []),
    ...shippingWarnings(request, products, { shopId: request.shopId, today }),
    ...fileWarnings(prescriptions.filter(({ place }, index) => index === 0 || place !== null)),
  ];
  return { id, status: request.status, externalReference, isReplay: true, reserved, warnings };
}

/**
 * Returns the decision about a request.
 * @throws AppError `order_request_not_found`, `already_decided` if the request is deleted
 */
export async function getDecision(ctx: Context, id: string): Promise<Decision> {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  const request = await requireRequest(ctx, orgId, id);
  const { status, orderId } = request;
  if (status === 'deleted') throw new AlreadyDecided(request);
  return { id, status, orderId };
}
