import { type Compare, type Substitution, substituteProduct } from '../orders/service';
import type { Context } from '../platform/context';
import { acknowledgementKey, differencesOf } from './names/differences';

/** What was accepted is compared with what is handed out instead, as a submitted item is with its product. */
const compare: Compare = (accepted, now, product) => {
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
  return differencesOf(asked, supplied)
    .filter(({ severity }) => severity === 'acknowledge')
    .map((difference) => ({
      key: acknowledgementKey(product.p1Id, difference),
      code: difference.code,
      values: difference.values,
    }));
};

/** As `substituteProduct`, with the differences between both names, amounts and prices. */
export function exchangeProduct(ctx: Context, orderId: string, substitution: Substitution): Promise<void> {
  return substituteProduct(ctx, orderId, substitution, compare);
}
