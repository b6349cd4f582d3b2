import type { OrderableProduct } from '../inventory/browse';
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

/** What was accepted is compared with what is handed out instead, as a submitted item is with its product. */
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

/** More packs than this are proposed only where as many were accepted. */
const PROPOSED_MAX = 20;

/** As many packs as hold what was accepted; as many as were, where the names do not tell. */
function propose(accepted: OrderLine, product: OrderableProduct): number {
  const counts = [accepted.quantity, ...Array.from({ length: PROPOSED_MAX }, (_, index) => index + 1)];
  const holdsTheSame = (quantity: number) =>
    !differencesBetween(accepted, { ...accepted, quantity }, product).some(({ code }) => code === 'total_amount');
  return counts.find(holdsTheSame) ?? accepted.quantity;
}

/** As `substituteProduct`, with the differences between both names, amounts and prices. */
export function exchangeProduct(ctx: Context, orderId: string, substitution: Substitution): Promise<void> {
  return substituteProduct(ctx, orderId, substitution, compare);
}

/** What such an exchange would come to, and what must be acknowledged. Without a quantity it proposes one. */
export function previewExchange(
  ctx: Context,
  orderId: string,
  input: { line: string; p1Id: string; quantity: number | null },
): Promise<PlannedSubstitution> {
  return previewSubstitution(ctx, orderId, input, { compare, propose });
}
