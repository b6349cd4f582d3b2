import type { OrderLine } from '../../src/orders/tables';

/** Of a product that may be had by every shipping option. */
export const SHIPPABLE = {
  category: 'Schmerzmittel',
  available: true,
  availableForPickup: true,
  availableForShipping: true,
  policy: { rules: [], shops: {} },
};

/** A line of one product, with fields replaced. */
export function line(fields: Partial<OrderLine> = {}): OrderLine {
  return {
    name: 'Ibuprofen 400 mg',
    quantity: 1,
    priceCents: 495,
    p1Id: 'a',
    prescriptionRequired: false,
    productName: null,
    ...fields,
  };
}
