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

/** A line whose product may not be sent with the shipping option. The caller can override the blocker with a reason. */
export interface ShippingBlocker extends OfLine {
  code: 'not_available' | 'not_available_for_pickup' | 'not_available_for_shipping' | 'rule_blocks';
  /** The rule that blocks the line; only with the code `rule_blocks`. */
  rule?: ShippingRule;
}

/** A rule that warns about a line and blocks nothing. */
export interface RuleWarning extends OfLine {
  code: 'rule_warns';
  rule: ShippingRule;
}

type Products = ReadonlyMap<string, Shippable & { p1Id: string; name: string }>;

/**
 * Returns the blockers and warnings for these lines that follow from product flags and shipping rules.
 * @param only `rules` ignores the flags
 */
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
      // SAFETY: `found` has a rule exactly for the codes that have one.
      return { ...each, message: hindranceMessage(each), ...about } as ShippingBlocker | RuleWarning;
    });
  });
}

export function isBlocking<Notice extends ShippingBlocker | RuleWarning>(
  notice: Notice,
): notice is Exclude<Notice, RuleWarning> {
  return notice.code !== 'rule_warns';
}

/** The error for an order that product flags or shipping rules block. The caller can override it with a reason. */
export class ShippingBlocked extends AppError {
  constructor(readonly blockers: readonly ShippingBlocker[]) {
    super('shipping_blocked', 'Products of this order are not to be had so; `blockers` says which and why.');
  }
}

/**
 * Returns the blockers of a change of an order. If the shipping option changes, both product flags and shipping rules
 * can block the change. If the order only leaves, shipping rules alone can block it. A product that was taken offline
 * today must not stop an order of yesterday.
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
