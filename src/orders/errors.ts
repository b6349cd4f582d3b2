import { AppError } from '../platform/errors';
import type { OrderStatus } from './tables';

export class InvalidTransition extends AppError {
  constructor(
    readonly from: OrderStatus,
    to: OrderStatus,
    /** The steps that the order may take. */
    readonly allowed: readonly OrderStatus[],
  ) {
    super('invalid_transition', `An order that is ${from} cannot become ${to}.`);
  }
}
