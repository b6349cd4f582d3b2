import type { OrderableProduct } from '../inventory/service';
import type { OrderLine } from './tables';

/** A line as requested. */
export interface RequestedLine {
  name: string | null;
  quantity: number;
  priceCents: number;
  p1Id: string | null;
  productId: string | null;
  /** The price is the customer's co-payment; only of what requires a prescription. */
  isCoPayment?: boolean;
}

/**
 * Converts submitted or edited lines to order lines; each is linked to the product it names, if the organization has
 * that product.
 */
export function matchLines(
  items: readonly RequestedLine[],
  products: ReadonlyMap<string, OrderableProduct>,
): OrderLine[] {
  return items.map((item) => {
    const product = [item.p1Id, item.productId]
      .map((id) => products.get(id ?? ''))
      .find((found) => found !== undefined);
    return {
      name: item.name ?? product?.name ?? item.p1Id ?? item.productId ?? '',
      quantity: item.quantity,
      priceCents: item.priceCents,
      p1Id: product?.p1Id ?? null,
      prescriptionRequired: product?.prescriptionRequired ?? false,
      productName: product?.name ?? null,
      ...(item.isCoPayment && product?.prescriptionRequired && { isCoPayment: true as const }),
    };
  });
}

/** Product ids that the lines name, each once. */
export function namedProducts(lines: readonly RequestedLine[]): string[] {
  return [...new Set(lines.flatMap(({ p1Id, productId }) => [p1Id, productId]).filter((id) => id !== null))];
}
