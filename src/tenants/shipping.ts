import * as z from 'zod';
import { foldText } from '../platform/fold';
import { fault, textOf } from '../platform/http/validation';
import { IsolateCache } from '../platform/isolate-cache';
import { type Day, readDay } from '../platform/pharmacy-time';
import { SHIPPING_RULE_TEXT_MAX, SHIPPING_RULES_MAX } from './limits';
import { isPickup, shippingOptionsOf } from './rules';

/** Who brings the goods. `bote`: a courier who is bound by the pharmacy's instructions. `versand`: anybody else. */
export const SHIPPING_KINDS = ['bote', 'versand'] as const;
export type ShippingKind = (typeof SHIPPING_KINDS)[number];

/**
 * How goods reach the customer, as shipping rules distinguish it: collected by the customer, or brought in one of the
 * two kinds.
 */
const WAYS = ['Abholung', ...SHIPPING_KINDS] as const;
export type ShippingWay = (typeof WAYS)[number];

/** Who brings a shop's `Express` orders, and the orders of its delivery service. All other options are fixed. */
export interface ShippingShop {
  deliveryServiceName: string;
  expressKind: ShippingKind;
  deliveryServiceKind: ShippingKind;
}

/**
 * Returns how goods reach the customer with a shipping option of a shop.
 * @param option one of the shop's options; null if the customer collects the goods
 */
export function wayOf(option: string | null, shop: ShippingShop): ShippingWay {
  if (isPickup(option)) return 'Abholung';
  if (option === 'Express') return shop.expressKind;
  return option === shop.deliveryServiceName ? shop.deliveryServiceKind : 'versand';
}

/** A rule: products of a category must not reach the customer in this way, or only with a warning. */
export interface ShippingRule {
  /** The category of the products to which the rule applies. */
  category: string;
  /** How the goods reach the customer; null if the rule holds for every way. */
  shipping: ShippingWay | null;
  /** The first and the last day on which the rule holds. Null if it holds from the beginning, or without end. */
  from: Day | null;
  to: Day | null;
  effect: 'blocks' | 'warns';
  /** The text that staff and platforms read. */
  text: string;
}

/** Returns the rules that hold today for a category of products and a way to the customer. */
export function rulesFor(
  rules: readonly ShippingRule[],
  of: { category: string; way: ShippingWay; today: Day },
): ShippingRule[] {
  // Lists call this function for each product and option. Therefore, names of categories are folded only if a rule is
  // left, and the product's category is folded only once.
  const held = rules.filter(
    ({ shipping, from, to }) =>
      (shipping ?? of.way) === of.way && (from ?? of.today) <= of.today && of.today <= (to ?? of.today),
  );
  if (held.length === 0) return held;
  const category = foldText(of.category);
  return held.filter((rule) => foldText(rule.category) === category);
}

const day = z
  .string()
  .refine((text) => readDay(text) !== null, fault('invalid_date', 'Send a day: yyyy-mm-dd.'))
  .nullable()
  .default(null);

export const shippingRuleSchema = z
  .strictObject({
    category: textOf(100),
    shipping: z.enum(WAYS).nullable().default(null),
    from: day,
    to: day,
    effect: z.enum(['blocks', 'warns']),
    text: textOf(SHIPPING_RULE_TEXT_MAX),
  })
  .refine(
    ({ from, to }) => from === null || to === null || from <= to,
    fault('invalid_date', 'It ends before it begins.', ['to']),
  );

export const shippingRulesSchema = z.array(shippingRuleSchema).max(SHIPPING_RULES_MAX);

/** Proposals for rules that most pharmacies need. The owner may change the category, and add days. */
export const RULE_DRAFTS: readonly Omit<ShippingRule, 'from' | 'to'>[] = [
  {
    category: 'Notfallkontrazeptiva',
    shipping: 'versand',
    effect: 'blocks',
    text: 'Notfallkontrazeptiva dürfen nicht versendet werden (§ 17 Abs. 2b ApBetrO).',
  },
  {
    category: 'Thalidomid, Lenalidomid, Pomalidomid',
    shipping: 'versand',
    effect: 'blocks',
    text: 'Diese Wirkstoffe dürfen nicht versendet werden (§ 17 Abs. 2b ApBetrO).',
  },
  { category: 'Cannabisblüten', shipping: 'versand', effect: 'blocks', text: 'Cannabisblüten werden nicht versendet.' },
];

/**
 * The facts that decide by which shipping options a customer may have a product: the product's values in the shop, and
 * the organization's rules.
 */
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

/** The reason why a customer cannot have a product by a shipping option, or only with a warning. */
export type ShippingHindrance =
  | { code: 'not_available' | 'not_available_for_pickup' | 'not_available_for_shipping' }
  | { code: 'rule_blocks' | 'rule_warns'; rule: ShippingRule };

/** The shop, the option and the day for which a product is checked. */
export interface Sent {
  shopId: string;
  /** Null if the customer collects the goods. */
  option: string | null;
  today: Day;
}

/** Returns all hindrances of a product for a shipping option: first the product's own values, then the rules. */
export function shippingHindrances(product: Shippable, sent: Sent): ShippingHindrance[] {
  return [...flagsAgainst(product, sent), ...rulesAgainst(product, sent)];
}

function flagsAgainst(product: Shippable, { option }: Sent): ShippingHindrance[] {
  if (!product.available) return [{ code: 'not_available' }];
  if (isPickup(option)) return product.availableForPickup ? [] : [{ code: 'not_available_for_pickup' }];
  return product.availableForShipping ? [] : [{ code: 'not_available_for_shipping' }];
}

/** Returns the rules that block a product for a shipping option, or that warn of it. */
export function rulesAgainst({ category, policy }: Shippable, { shopId, option, today }: Sent): ShippingHindrance[] {
  const shop = policy.shops[shopId];
  if (!shop) return [];
  return rulesFor(policy.rules, { category, way: wayOf(option, shop), today }).map((rule) => {
    return { code: rule.effect === 'blocks' ? 'rule_blocks' : 'rule_warns', rule };
  });
}

/**
 * Returns the shop's shipping options for which nothing blocks the product today. A rule that only warns does not
 * count.
 */
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

/** Returns the message of a hindrance, for callers of the API. */
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

/** Returns the products of the rows, by id. */
export function shippableById<Row extends ShippableRow & { p1Id: string; name: string }>(rows: readonly Row[]) {
  return new Map(rows.map((row) => [row.p1Id, { p1Id: row.p1Id, name: row.name, ...shippableOf(row) }]));
}

const POLICIES_MAX = 200;
const policies = new IsolateCache<ShippingPolicy>(POLICIES_MAX);

/** Parses the JSON of a policy. The result is cached, because each row of a list repeats the same policy. */
export function policyOf(text: string): ShippingPolicy {
  // SAFETY: `policyColumn` makes it.
  return policies.made(text, () => JSON.parse(text) as ShippingPolicy);
}
