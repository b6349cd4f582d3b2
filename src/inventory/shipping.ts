import type { Day } from '../platform/pharmacy-time';
import { isPickup, shippingOptionsOf } from '../tenants/rules';
import { rulesFor, type ShippingRule, type ShippingShop, wayOf } from '../tenants/shipping';

/** What says whether a product may be had by a shipping option: the values that apply in its shop, and the rules. */
export interface Shippable {
  category: string;
  available: boolean;
  availableForPickup: boolean;
  availableForShipping: boolean;
  policy: ShippingPolicy;
}

/** An organization's rules, and its shops by id. */
export interface ShippingPolicy {
  rules: readonly ShippingRule[];
  shops: Readonly<Record<string, ShippingShop>>;
}

/** Why a product is not to be had by a shipping option. */
export type ShippingHindrance =
  | { code: 'not_available' | 'not_available_for_pickup' | 'not_available_for_shipping' }
  | { code: 'rule_blocks' | 'rule_warns'; rule: ShippingRule };

/** Where, how and when a product is to be had. */
export interface Sent {
  shopId: string;
  /** Null: it is collected. */
  option: string | null;
  today: Day;
}

/** The flags that stand against it, then the rules. */
export function shippingHindrances(product: Shippable, sent: Sent): ShippingHindrance[] {
  return [...flagsAgainst(product, sent), ...rulesAgainst(product, sent)];
}

function flagsAgainst(product: Shippable, { option }: Sent): ShippingHindrance[] {
  if (!product.available) return [{ code: 'not_available' }];
  if (isPickup(option)) return product.availableForPickup ? [] : [{ code: 'not_available_for_pickup' }];
  return product.availableForShipping ? [] : [{ code: 'not_available_for_shipping' }];
}

/** The rules that stand against it, or say something about it. */
export function rulesAgainst({ category, policy }: Shippable, { shopId, option, today }: Sent): ShippingHindrance[] {
  const shop = policy.shops[shopId];
  if (!shop) return [];
  return rulesFor(policy.rules, { category, way: wayOf(option, shop), today }).map((rule) => {
    return { code: rule.effect === 'blocks' ? 'rule_blocks' : 'rule_warns', rule };
  });
}

/** The options by which a shop's customers may have the product today. */
export function optionsOf(product: Shippable, { shopId, today }: Omit<Sent, 'option'>): string[] {
  const shop = product.policy.shops[shopId];
  const isOpen = (option: string) =>
    shippingHindrances(product, { shopId, option, today }).every(({ code }) => code === 'rule_warns');
  return shop ? shippingOptionsOf(shop).filter(isOpen) : [];
}

export const HINDRANCE_MESSAGES = {
  not_available: 'The pharmacy does not offer this product at present.',
  not_available_for_pickup: 'The pharmacy does not offer this product for pickup.',
  not_available_for_shipping: 'The pharmacy does not send this product.',
} as const;

/** What a hindrance says to programs. */
export function hindranceMessage(hindrance: ShippingHindrance): string {
  return 'rule' in hindrance ? hindrance.rule.text : HINDRANCE_MESSAGES[hindrance.code];
}

export interface ShippableRow {
  category: string;
  available: number;
  availableForPickup: number;
  availableForShipping: number;
  /** JSON of `ShippingPolicy`. */
  policy: string;
}

export function shippableOf(row: ShippableRow): Shippable {
  return {
    category: row.category,
    available: row.available === 1,
    availableForPickup: row.availableForPickup === 1,
    availableForShipping: row.availableForShipping === 1,
    policy: policyOf(row.policy),
  };
}

/** The found products by id. */
export function shippableById<Row extends ShippableRow & { p1Id: string; name: string }>(rows: readonly Row[]) {
  return new Map(rows.map((row) => [row.p1Id, { p1Id: row.p1Id, name: row.name, ...shippableOf(row) }]));
}

const POLICIES_MAX = 200;
const policies = new Map<string, ShippingPolicy>();

/** Lists repeat the policy in each row: it is parsed once. */
export function policyOf(text: string): ShippingPolicy {
  const known = policies.get(text);
  if (known) return known;
  // SAFETY: `policyColumn` makes it.
  const policy = JSON.parse(text) as ShippingPolicy;
  if (policies.size >= POLICIES_MAX) policies.clear();
  policies.set(text, policy);
  return policy;
}
