import type { OrderableProduct } from '../inventory/browse';
import { unitOf } from '../orders/create';
import {
  type Compare,
  type PlannedSubstitution,
  previewSubstitution,
  type Substitution,
  substituteProduct,
} from '../orders/packing/substitute';
import type { OrderLine } from '../orders/tables';
import type { Context } from '../platform/context';
import { acknowledgementKey, differencesOf } from './names/differences';

/**
 * Returns the differences between the accepted line and the line that replaces it. They follow the same rules as the
 * differences between a submitted item and its product.
 */
function differencesBetween(accepted: OrderLine, now: OrderLine, product: OrderableProduct) {
  const asked = {
    name: accepted.productName ?? accepted.name,
    quantity: accepted.quantity,
    priceCents: accepted.priceCents,
  };
  const supplied = {
    name: product.name,
    quantity: now.quantity,
    priceCents: now.priceCents,
    productPriceCents: product.priceCents,
    prescriptionRequired: now.prescriptionRequired,
    content: null,
    ...unitOf(product),
  };
  return differencesOf(asked, supplied);
}

const compare: Compare = (accepted, now, product) =>
  differencesBetween(accepted, now, product)
    .filter(({ severity }) => severity === 'acknowledge')
    .map((difference) => ({
      key: acknowledgementKey(product.p1Id, difference),
      code: difference.code,
      values: difference.values,
    }));

/** The highest quantity that `propose` tries. It tries the accepted quantity even if that is higher. */
const PROPOSED_MAX = 20;

/**
 * Returns the quantity of the product with the same total amount as the accepted line. Tries the accepted quantity
 * first, then 1 to `PROPOSED_MAX`. If none of them fits, returns the accepted quantity.
 */
function propose(accepted: OrderLine, product: OrderableProduct): number {
  const counts = [accepted.quantity, ...Array.from({ length: PROPOSED_MAX }, (_, index) => index + 1)];
  const holdsTheSame = (quantity: number) =>
    !differencesBetween(accepted, { ...accepted, quantity }, product).some(({ code }) => code === 'total_amount');
  return counts.find(holdsTheSame) ?? accepted.quantity;
}

/**
 * Replaces the product of a line, like `substituteProduct`. Staff must acknowledge the differences between the names,
 * amounts and prices of both products.
 */
export function exchangeProduct(ctx: Context, orderId: string, substitution: Substitution): Promise<void> {
  return substituteProduct(ctx, orderId, substitution, compare);
}

/**
 * Returns the changes that a substitution would make, and the differences that must be acknowledged. Changes nothing.
 * Proposes a quantity if none is given.
 */
export function previewExchange(
  ctx: Context,
  orderId: string,
  input: { line: string; p1Id: string; quantity: number | null },
): Promise<PlannedSubstitution> {
  return previewSubstitution(ctx, orderId, input, { compare, propose });
}
