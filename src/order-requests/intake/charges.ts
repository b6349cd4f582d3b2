import { totalOf } from '../../orders/rules';
import type { DiscountKind } from '../../orders/tables';
import { FEE_MAX_CENTS_DEFAULT } from '../../tenants/limits';
import { feeKeyOf } from '../../tenants/rules';
import type { ShopAtHost } from '../../tenants/store';
import { roundingOf } from '../envelope';
import type { RequestRow } from '../store';
import type { FeeLimits, RemainderChoice } from '../tables';

export type Charged = Pick<
  RequestRow,
  'items' | 'totalCents' | 'paymentStatus' | 'feeCents' | 'discountCents' | 'feeLimits'
>;

/** Fee and discount of a request, in cents. */
export interface Charges {
  feeCents: number;
  discountCents: number;
  discountKind: DiscountKind | null;
  /** The sent total minus items and sent fee, plus the sent discount; 0 if items or total are missing. */
  remainderCents: number;
  /** The choices that staff have for the remainder; empty if there is nothing to ask. */
  choices: readonly RemainderChoice[];
}

export function feeLimitsOf(shop: ShopAtHost, shippingOption: string | null): FeeLimits {
  const fees = shop.fees[feeKeyOf(shippingOption ?? 'Abholung')];
  return { maxCents: shop.feeMaxCents, usualCents: fees ?? null };
}

/**
 * Computes the fee and the discount of a request. A positive remainder (`remainderCents`) adds to the fee, a negative
 * one to the discount.
 * @param choice the choice of staff for the remainder; null keeps the sent total
 */
export function chargesOf(request: Charged, choice: RemainderChoice | null = null): Charges {
  const { items, totalCents } = request;
  const [fee, discount] = [request.feeCents ?? 0, request.discountCents ?? 0];
  const isComparable = totalCents !== null && items.length > 0;
  const remainderCents = isComparable ? totalCents - (totalOf(items) + fee - discount) : 0;
  const choices = choicesOf(request, remainderCents);
  const chosen = choices.find((each) => each === choice) ?? null;
  const isRefused = chosen === 'check_price';
  const { usualCents } = limitsOf(request);
  const added = fee + Math.max(0, remainderCents);
  return {
    feeCents: isRefused ? Math.min(added, usualCents ?? fee) : added,
    discountCents: isRefused ? discount : discount + Math.max(0, -remainderCents),
    discountKind: chosen === 'co_payment' || chosen === 'voucher' ? chosen : null,
    remainderCents,
    choices,
  };
}

function choicesOf(request: Charged, remainderCents: number): readonly RemainderChoice[] {
  const { items, feeCents, discountCents, paymentStatus } = request;
  const { maxCents, usualCents } = limitsOf(request);
  const isRounding = Math.abs(remainderCents) <= roundingOf(items);
  const isSent = feeCents !== null || discountCents !== null;
  if (!isRounding && remainderCents < 0) return ['co_payment', 'voucher', 'check_price'];
  if (!isRounding && (isSent || remainderCents > maxCents)) return ['fee', 'co_payment', 'check_price'];
  const fee = (feeCents ?? 0) + (isRounding ? 0 : remainderCents);
  return paymentStatus !== 'paid' && fee > (usualCents ?? maxCents) ? ['fee', 'check_price'] : [];
}

function limitsOf({ feeLimits }: Charged): FeeLimits {
  return feeLimits ?? { maxCents: FEE_MAX_CENTS_DEFAULT, usualCents: null };
}
