import type { OrderableProducts } from '../inventory/service';
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
 * that product. A line that names a product which is not held requires a prescription if the catalog says so.
 */
export function matchLines(items: readonly RequestedLine[], products: OrderableProducts): OrderLine[] {
  return items.map((item) => {
    const ids = [item.p1Id, item.productId].filter((id) => id !== null);
    const product = ids.map((id) => products.get(id)).find((found) => found !== undefined);
    const prescriptionRequired = product?.prescriptionRequired ?? ids.some((id) => products.prescribed.has(id));
    return {
      name: item.name ?? product?.name ?? item.p1Id ?? item.productId ?? '',
      quantity: item.quantity,
      priceCents: item.priceCents,
      p1Id: product?.p1Id ?? null,
      prescriptionRequired,
      productName: product?.name ?? null,
      ...(item.isCoPayment && prescriptionRequired && { isCoPayment: true as const }),
    };
  });
}

/**
 * Lines of an order as they are sent again: each that names the product of a line of the order stays linked to it, and goes
 * on requiring a prescription, although the organization may not hold that product any more.
 */
export function keepLinks(
  matched: readonly OrderLine[],
  sent: readonly RequestedLine[],
  before: readonly OrderLine[],
): OrderLine[] {
  return matched.map((line, place) => {
    if (line.p1Id !== null) return line;
    const ids = [sent[place]?.p1Id, sent[place]?.productId];
    const known = before.find(({ p1Id }) => p1Id !== null && ids.includes(p1Id));
    if (!known) return line;
    const { p1Id, productName, prescriptionRequired } = known;
    const name = sent[place]?.name ?? known.name;
    const isCoPayment = prescriptionRequired && sent[place]?.isCoPayment;
    return { ...line, name, p1Id, productName, prescriptionRequired, ...(isCoPayment && { isCoPayment }) };
  });
}

/** Product ids that the lines name, each once. */
export function namedProducts(lines: readonly RequestedLine[]): string[] {
  return [...new Set(lines.flatMap(({ p1Id, productId }) => [p1Id, productId]).filter((id) => id !== null))];
}
