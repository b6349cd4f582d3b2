import { matchLines } from '../../orders/create';
import type { OrderLine } from '../../orders/tables';
import { requireScope } from '../../platform/access';
import type { Context } from '../../platform/context';
import { dayOf } from '../../platform/pharmacy-time';
import { isSetAside } from '../../prescriptions/coverage';
import type { PrescriptionRow } from '../../prescriptions/store';
import { AlreadyDecided } from '../errors';
import type { SubmittedRequest } from '../intake/intake';
import { notReserved, type ReservedItems, reservedItems } from '../intake/reserved';
import type { Submission } from '../intake/rules';
import {
  emailWarnings,
  fileWarnings,
  priceWarnings,
  shippingWarnings,
  unitWarnings,
  warningsOf,
} from '../intake/warnings';
import { DUPLICATE_DAYS } from '../limits';
import type { ListedRequest } from '../store';
import { type Blocker, type StaffWarning, shortages, type ToldWarning } from './assessment';
import { type Decision, type LoadedRequest, type PersonFacts, readFacts, requireRequest } from './facts';
import { planLines } from './lines';
import { assess } from './plan';

/** A request with its review. */
export interface ReviewedRequest {
  request: ListedRequest;
  /** The approved lines. For a request that is not approved, its items with their products. */
  lines: OrderLine[];
  prescriptions: PrescriptionRow[];
  /** Notices for staff, and reasons against the approval (`blockers`); empty once the request is decided. */
  warnings: ToldWarning[];
  blockers: Blocker[];
  reserved: ReservedItems;
}

/**
 * Returns the review of a request from the rows that were read.
 * @param person null if the person's data were not read. If so, there are no warnings about the person
 */
export function reviewOf(ctx: Context, loaded: LoadedRequest, person: PersonFacts | null): ReviewedRequest {
  const { request, prescriptions, products } = loaded;
  const reserved = reservedItems(request.items, products, loaded.reserved ?? []);
  if (request.status !== 'pending') {
    const lines = request.approvedItems ?? planLines(request.items, undefined, loaded.products).map(({ line }) => line);
    return { request, lines, prescriptions, warnings: [], blockers: [], reserved };
  }
  const { lines, blockers, warnings } = assess(ctx, loaded);
  // `staffWarnings` contains this warning already, because the platform gets it too.
  const own = warnings.filter(({ code }) => code !== 'fee_differs');
  return { request, lines, prescriptions, blockers, warnings: [...staffWarnings(loaded, person), ...own], reserved };
}

/** Returns the warnings that staff should see before they decide about a request. */
export function staffWarnings(
  { request, products, prescriptions }: LoadedRequest,
  person: PersonFacts | null,
): StaffWarning[] {
  const warnings: StaffWarning[] = [
    ...warningsOf(request, request.cashOnPickup, products),
    ...emailWarnings(request.platformDetails),
    ...fileWarnings(prescriptions.filter((each) => !isSetAside(each))),
    ...priceWarnings(request.items, products),
    ...shortages(matchLines(request.items, products), products),
  ];
  if (person?.customer.length === 0) {
    warnings.push({
      code: 'unknown_customer',
      message: 'There is no earlier order with this e-mail address or customer id.',
    });
  }
  if (person?.possibleDuplicateId) {
    warnings.push({
      code: 'possible_duplicate',
      message: `The same person sent another request within ${DUPLICATE_DAYS} days.`,
    });
  }
  return warnings;
}

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
