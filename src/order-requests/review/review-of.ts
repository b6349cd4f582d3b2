import type { OrderableProduct } from '../../inventory/service';
import { matchLines, type OrderLine } from '../../orders/service';
import type { PrescriptionRow } from '../../prescriptions/service';
import { priceWarnings, warningsOf } from '../intake/warnings';
import { DUPLICATE_DAYS } from '../limits';
import type { RequestRow } from '../store-requests';
import { type Blocker, blockersOf, type DecidedBy, type StaffWarning, shortages } from './assessment';
import type { LoadedRequest, PersonFacts } from './facts';

/** A request with its review. */
export interface ReviewedRequest {
  request: RequestRow;
  /** As matched to products, or as approved. */
  lines: OrderLine[];
  prescriptions: PrescriptionRow[];
  /** What staff should know, and what keeps it from being approved; none once it is decided. */
  warnings: StaffWarning[];
  blockers: Blocker[];
}

/**
 * What staff see of a request, from what was read.
 * @param person null where nobody looked for the person: then nothing is said of them
 */
export function reviewOf(loaded: LoadedRequest, person: PersonFacts | null, by: DecidedBy): ReviewedRequest {
  const { request, products, prescriptions } = loaded;
  const lines = request.approvedItems ?? matchLines(request.items, products);
  const isOpen = request.status === 'pending';
  return {
    request,
    lines,
    prescriptions,
    warnings: isOpen ? staffWarnings(loaded, person) : [],
    blockers: isOpen ? blockersOf(lines, products, prescriptions, by) : [],
  };
}

function staffWarnings({ request, products }: LoadedRequest, person: PersonFacts | null): StaffWarning[] {
  const warnings: StaffWarning[] = [
    ...warningsOf(request, request.cashOnPickup, namesOf(products)),
    ...priceWarnings(request.items, products),
    ...shortages(matchLines(request.items, products), products),
  ];
  if (person?.customer.length === 0) {
    warnings.push({
      code: 'unknown_customer',
      message: 'There is no earlier order with this e-mail address or customer id.',
    });
  }
  if (person?.isPossibleDuplicate) {
    warnings.push({
      code: 'possible_duplicate',
      message: `The same person sent another request within ${DUPLICATE_DAYS} days.`,
    });
  }
  return warnings;
}

export function namesOf(products: ReadonlyMap<string, OrderableProduct>): Map<string, string> {
  return new Map([...products].map(([p1Id, { name }]) => [p1Id, name]));
}
