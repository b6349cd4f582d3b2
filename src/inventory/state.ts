import type { Moved } from './store-stock';

/** The stock of a product: what can be promised, what lies in the house, what is promised, what of that is missing. */
export type StockState = Pick<Moved, 'stockQuantity' | 'onHand' | 'committedQuantity' | 'shortage' | 'stockVersion'>;

export function stockOf({ stockQuantity, onHand, committedQuantity, shortage, stockVersion }: StockState): StockState {
  return { stockQuantity, onHand, committedQuantity, shortage, stockVersion };
}

/** Wire names of what a movement changed. */
export function movedFields({ delta, onHandDelta }: Pick<Moved, 'delta' | 'onHandDelta'>): string[] {
  return [...(delta === 0 ? [] : ['stock_quantity']), ...(onHandDelta === 0 ? [] : ['on_hand'])];
}
