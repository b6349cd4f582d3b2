import { AppError } from '../platform/errors';

export class OutOfStock extends AppError {
  readonly stockQuantity = 0;

  constructor() {
    super('out_of_stock', 'A product can be attached when its stock is above 0.');
  }
}

export class InsufficientStock extends AppError {
  /** @param stockQuantity the current stock */
  constructor(readonly stockQuantity: number) {
    super('insufficient_stock', 'The stock would go below 0.');
  }
}
