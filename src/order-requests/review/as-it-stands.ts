import { requireScope } from '../../platform/access';
import type { Context } from '../../platform/context';
import { AlreadyDecided } from '../errors';
import type { SubmittedRequest } from '../intake/intake';
import { fileWarnings, warningsOf } from '../intake/warnings';
import { type Decision, requireRequest } from './decision-guards';
import { readFacts } from './facts';
import { namesOf } from './review-of';

/**
 * What a submission made, as a repeated one is told it.
 * @param externalReference as it was sent
 * @throws AppError `order_request_not_found`
 */
export async function getSubmitted(
  ctx: Context,
  id: string,
  externalReference: string | null,
): Promise<SubmittedRequest> {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  const { request, products, prescriptions } = await readFacts(ctx, orgId, id);
  const warnings = [
    ...warningsOf(request, request.cashOnPickup, namesOf(products)),
    ...fileWarnings(prescriptions.slice(0, 1)),
  ];
  return { id, status: request.status, externalReference, isReplay: true, warnings };
}

/** What was decided about a request. @throws AppError `order_request_not_found`, `already_decided` once it is deleted */
export async function getDecision(ctx: Context, id: string): Promise<Decision> {
  const { orgId } = requireScope(ctx, 'order_requests.read');
  const request = await requireRequest(ctx, orgId, id);
  const { status, orderId } = request;
  if (status === 'deleted') throw new AlreadyDecided(request);
  return { id, status, orderId };
}
