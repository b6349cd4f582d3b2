import { AppError } from '../platform/errors/errors';
import type { Day } from '../platform/pharmacy-time';
import type { ShippingRule } from '../tenants/shipping';
import { hindranceMessage, rulesAgainst, type Sent, type Shippable, shippingHindrances } from '../tenants/shipping';
import { isLeaving } from './rules';
import type { OrderLine, OrderStatus } from './tables';

interface OfLine {
  message: string;
  /** JSON pointer of the line. */
  pointer: string;
  p1Id: string;
  productName: string;
}

/** A line whose product is not to be had by the shipping option, unless somebody gives a reason. */
export interface ShippingBlocker extends OfLine {
  code: 'not_available' | 'not_available_for_pickup' | 'not_available_for_shipping' | 'rule_blocks';
  /** The rule that blocks the line; only with the code `rule_blocks`. */
  rule?: ShippingRule;
}

/** A rule about a line that stops nothing. */
export interface RuleWarning extends OfLine {
  code: 'rule_warns';
  rule: ShippingRule;
}

type Products = ReadonlyMap<string, Shippable & { p1Id: string; name: string }>;

/** What the flags and rules say of these lines. @param only `rules` leaves the flags out */
export function shippingNotices(
  lines: readonly Pick<OrderLine, 'p1Id'>[],
  products: Products,
  sent: Sent,
  only?: 'rules',
): (ShippingBlocker | RuleWarning)[] {
  return lines.flatMap(({ p1Id }, place) => {
    const product = products.get(p1Id ?? '');
    if (!product) return [];
    const found = only === 'rules' ? rulesAgainst(product, sent) : shippingHindrances(product, sent);
    return found.map((each) => {
      const about = { pointer: `/lines/${place}`, p1Id: product.p1Id, productName: product.name };
      // SAFETY: a rule belongs to the codes that have one.
      return { ...each, message: hindranceMessage(each), ...about } as ShippingBlocker | RuleWarning;
    });
  });
}

export function isBlocking<Notice extends ShippingBlocker | RuleWarning>(
  notice: Notice,
): notice is Exclude<Notice, RuleWarning> {
  return notice.code !== 'rule_warns';
}

/** Neither flags nor rules let the order go so; a reason does. */
export class ShippingBlocked extends AppError {
  constructor(readonly blockers: readonly ShippingBlocker[]) {
    super('shipping_blocked', 'Products of this order are not to be had so; `blockers` says which and why.');
  }
}

/**
 * What stands against a change of an order: against another shipping option flags and rules, against its leaving the
 * rules alone, since a product that was taken offline today stops no order of yesterday.
 * @param after the order as the change leaves it
 */
export function blockersOfStep(
  after: { items: readonly OrderLine[]; shopId: string; shippingOption: string | null },
  change: { isOtherOption: boolean; status: OrderStatus | undefined },
  products: Products,
  today: Day,
): ShippingBlocker[] {
  const isLeft = change.status !== undefined && isLeaving(change.status);
  if (!change.isOtherOption && !isLeft) return [];
  const sent = { shopId: after.shopId, option: after.shippingOption, today };
  return shippingNotices(after.items, products, sent, change.isOtherOption ? undefined : 'rules').filter(isBlocking);
}
