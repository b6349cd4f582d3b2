import * as z from 'zod';
import { foldText } from '../platform/fold';
import { textOf } from '../platform/http/validation';
import { type Day, readDay } from '../platform/pharmacy-time';
import { isPickup } from './rules';

/** `bote`: somebody brings it who is bound by the pharmacy's instructions. `versand`: anybody else does. */
export const SHIPPING_KINDS = ['bote', 'versand'] as const;
export type ShippingKind = (typeof SHIPPING_KINDS)[number];

/** What rules distinguish: collected, or brought by either kind. */
const WAYS = ['Abholung', ...SHIPPING_KINDS] as const;
export type ShippingWay = (typeof WAYS)[number];

/** What a shop says of its options that are not `Abholung` and `Versand`. */
export interface ShippingShop {
  deliveryServiceName: string;
  expressKind: ShippingKind;
  deliveryServiceKind: ShippingKind;
}

/** @param option one of the shop's; null: it is collected */
export function wayOf(option: string | null, shop: ShippingShop): ShippingWay {
  if (isPickup(option)) return 'Abholung';
  if (option === 'Express') return shop.expressKind;
  return option === shop.deliveryServiceName ? shop.deliveryServiceKind : 'versand';
}

/** What an organization does not send so, or only with a warning. */
export interface ShippingRule {
  /** Category of the products that the rule applies to. */
  category: string;
  /** Null: any way. */
  shipping: ShippingWay | null;
  /** The first and the last day; null: without one. */
  from: Day | null;
  to: Day | null;
  effect: 'blocks' | 'warns';
  /** What staff and platforms read. */
  text: string;
}

/** The rules that hold for a product of this category on a day. */
export function rulesFor(
  rules: readonly ShippingRule[],
  of: { category: string; way: ShippingWay; today: Day },
): ShippingRule[] {
  // Lists ask for each product and option: names are folded last, and that of the product once.
  const held = rules.filter(
    ({ shipping, from, to }) =>
      (shipping ?? of.way) === of.way && (from ?? of.today) <= of.today && of.today <= (to ?? of.today),
  );
  if (held.length === 0) return held;
  const category = foldText(of.category);
  return held.filter((rule) => foldText(rule.category) === category);
}

const RULES_MAX = 50;
const RULE_TEXT_MAX = 200;
const day = z
  .string()
  .refine((text) => readDay(text) !== null, { message: 'Send a day: yyyy-mm-dd.', params: { code: 'invalid_date' } })
  .nullable()
  .default(null);

export const shippingRuleSchema = z.strictObject({
  category: textOf(100),
  shipping: z.enum(WAYS).nullable().default(null),
  from: day,
  to: day,
  effect: z.enum(['blocks', 'warns']),
  text: textOf(RULE_TEXT_MAX),
});

export const shippingRulesSchema = z.array(shippingRuleSchema).max(RULES_MAX);

/** Proposals for the rules that most pharmacies need; the owner chooses the category and, for the last, the day. */
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

export const ALIASES_MAX = 50;
