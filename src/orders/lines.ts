import type { OrderableProduct } from '../inventory/service';
import type { OrderLine } from './tables';

/** A line as somebody asked for it. */
export interface RequestedLine {
  name: string | null;
  quantity: number;
  priceCents: number;
  p1Id: string | null;
  productId: string | null;
}

/** Submitted or edited lines as order lines: each tied to the product it names, if the organization holds that. */
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
    };
  });
}

/** Product ids that the lines name, each once. */
export function namedProducts(lines: readonly RequestedLine[]): string[] {
  return [...new Set(lines.flatMap(({ p1Id, productId }) => [p1Id, productId]).filter((id) => id !== null))];
}
