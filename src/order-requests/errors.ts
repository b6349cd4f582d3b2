import { AppError } from '../platform/errors/errors';
import type { RequestRow, RequestStatus } from './store';

/** Errors that carry more data than their code. */

export class AlreadyDecided extends AppError {
  /** @param request the decided request. The response says who decided it, when and how */
  constructor(readonly request: Pick<RequestRow, 'status' | 'decidedBy' | 'decidedAt' | 'orderId'>) {
    super('already_decided', `This order request is already ${request.status}.`);
  }
}

export function prescriptionsChanged(): AppError {
  return new AppError(
    'prescriptions_changed',
    'Another prescription has come since, or one of them has changed. Look at them again; nothing was approved.',
  );
}

export class ReferenceConflict extends AppError {
  constructor(
    /** The request that has the reference. */
    readonly existing: { id: string; status: RequestStatus },
    /** Names of the submitted fields that differ. */
    readonly differs: readonly string[],
  ) {
    super(
      'external_reference_conflict',
      'This external_reference belongs to another submission. Send the same fields again, or a new reference.',
    );
  }
}

export class OpenOrders extends AppError {
  constructor(readonly orderIds: readonly string[]) {
    super('open_orders', 'The customer has open orders. Finish or cancel them first.');
  }
}
