import { matchLines } from '../../orders/create';
import type { OrderLine } from '../../orders/tables';
import type { Context } from '../../platform/context';
import { isSetAside } from '../../prescriptions/coverage';
import type { PrescriptionRow } from '../../prescriptions/store';
import { type ReservedItems, reservedItems } from '../intake/reserved';
import { emailWarnings, fileWarnings, priceWarnings, warningsOf } from '../intake/warnings';
import { DUPLICATE_DAYS } from '../limits';
import type { ListedRequest } from '../store';
import { type Blocker, type StaffWarning, shortages, type ToldWarning } from './assessment';
import type { LoadedRequest, PersonFacts } from './facts';
import { planLines } from './lines';
import { assess } from './plan';

/** A request with its review. */
export interface ReviewedRequest {
  request: ListedRequest;
  /** The approved lines. If the request is not approved, its items matched to products. */
  lines: OrderLine[];
  prescriptions: PrescriptionRow[];
  /** What staff should know, and what prevents the approval; empty once the request is decided. */
  warnings: ToldWarning[];
  blockers: Blocker[];
  reserved: ReservedItems;
}

/**
 * Returns the review of a request from the rows that were read.
 * @param person null if the person's data were not read. Then there are no warnings about the person
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

/** What staff should know of a request before they decide. */
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
