import { foldText } from '../platform/fold';
import { hostOf } from '../platform/http/outgoing';

interface HostRules {
  baseHost: string;
  /** In development only, `*.localhost` may be a shop's host. */
  isDevelopment: boolean;
  /** The name to which the DNS records of shops point; it cannot be a shop's host. */
  shopCnameTarget?: string;
}

const HOST_LENGTH_MAX = 253;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** A bare host name or an address in brackets, because the URL parser also accepts `:443`, `/` and `@`. */
const BARE_HOST = /^(\[[^\]]*\]|[^\s/\\?#@:]+)$/;

/** A shop's host as it is stored (lower case, punycode, no trailing dot), or the reason why it is not valid. */
export function normalizeHost(input: string, rules: HostRules): { host: string } | { fault: HostFault } {
  const text = input.trim();
  const url = BARE_HOST.test(text) ? URL.parse(`https://${text}`) : null;
  if (!url) return { fault: 'not_a_host' };
  const host = hostOf(url);
  if (host.startsWith('[') || /^\d+(\.\d+){3}$/.test(host)) return { fault: 'ip_address' };
  const labels = host.split('.');
  if (host.length > HOST_LENGTH_MAX || !labels.every((label) => LABEL.test(label))) return { fault: 'not_a_host' };
  if (labels.length < 2) return { fault: 'single_label' };
  if (host === rules.shopCnameTarget) return { fault: 'base_host' };
  const isLocalShop = rules.isDevelopment && host.endsWith('.localhost');
  if (host.endsWith('.localhost') && !isLocalShop) return { fault: 'single_label' };
  if (!isLocalShop && (host === rules.baseHost || host.endsWith(`.${rules.baseHost}`))) return { fault: 'base_host' };
  return { host };
}

export const HOST_FAULT_MESSAGES = {
  not_a_host: 'Send a host name only, for example rx.pharmacy.example: no scheme, port or path.',
  ip_address: 'Use a DNS name, not an IP address.',
  single_label: 'Use a name that is on the public internet.',
  base_host: "The service's own host and its subdomains cannot name a shop.",
};
type HostFault = keyof typeof HOST_FAULT_MESSAGES;

/** Shipping options that every shop has; the fourth is the shop's own delivery service (contract 5.3). */
const SHIPPING_OPTIONS = ['Abholung', 'Versand', 'Express'];

/** The name of the fourth shipping option, for a shop that has not named its delivery service. */
export const DELIVERY_SERVICE_NAME_DEFAULT = 'Lieferdienst';

/** Without a shipping option the customer collects the goods. */
export function isPickup(shippingOption: string | null): boolean {
  return (shippingOption ?? 'Abholung') === 'Abholung';
}

export function shippingOptionsOf(shop: { deliveryServiceName: string }): string[] {
  return [...SHIPPING_OPTIONS, shop.deliveryServiceName];
}

/**
 * A shop's fees in cents, by shipping option. The key of the delivery service is `delivery`, because its name may
 * change.
 */
export type ShopFees = Partial<Record<FeeKey, number>>;
export const FEE_KEYS = ['Abholung', 'Versand', 'Express', 'delivery'] as const;
export type FeeKey = (typeof FEE_KEYS)[number];

/** Other names of a shop's options, as platforms send them, each with the key of its option. */
export type ShippingAliases = Readonly<Record<string, FeeKey>>;

/** @param option one of the shop's options @returns the key of the option's fee */
export function feeKeyOf(option: string): FeeKey {
  return FEE_KEYS.find((key) => key === option) ?? 'delivery';
}

/** The name of a shop's option, by its key: the inverse of `feeKeyOf`. */
export function optionOf(key: FeeKey, shop: { deliveryServiceName: string }): string {
  return key === 'delivery' ? shop.deliveryServiceName : key;
}

/** The shop's option that a text names, in upper or lower case, or by an alias; undefined if it names none. */
export function shippingOptionIn(
  text: string,
  shop: { deliveryServiceName: string; shippingAliases: ShippingAliases },
): string | undefined {
  const sought = foldText(text.trim());
  const found = shippingOptionsOf(shop).find((option) => foldText(option) === sought);
  if (found !== undefined) return found;
  const named = Object.entries(shop.shippingAliases).find(([alias]) => foldText(alias) === sought)?.[1];
  return named && optionOf(named, shop);
}

/** Whether a delivery service may have this name: false if another shipping option has it. */
export function isOwnShippingOption(name: string): boolean {
  return !SHIPPING_OPTIONS.some((option) => option.toLowerCase() === name.toLowerCase());
}

/** Lengths of IBANs by country (SWIFT IBAN Registry, release 99). */
const IBAN_LENGTHS: Readonly<Record<string, string>> = {
  15: 'NO',
  16: 'BE',
  18: 'DK FI FK FO GL NL SD',
  19: 'MK SI',
  20: 'AT BA EE KZ LT LU MN XK',
  21: 'CH HR LI LV',
  22: 'BG BH CR DE GB GE IE ME RS VA',
  23: 'AE GI IL IQ OM SO TL',
  24: 'AD CZ ES MD PK RO SA SE SK TN VG',
  25: 'LY PT ST',
  26: 'IS TR',
  27: 'BI DJ FR GR IT MC MR SM',
  28: 'AL AZ BY CY DO GT HU LB NI PL SV',
  29: 'BR EG PS QA UA',
  30: 'JO KW MU YE',
  31: 'LC MT SC',
  33: 'RU',
};

/**
 * Whether a text without spaces is an IBAN (ISO 13616): its country has IBANs of this length, and its check digits,
 * from 02 to 98, are right.
 */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false;
  if (!IBAN_LENGTHS[text.length]?.split(' ').includes(text.slice(0, 2)) || !/^(?!00|01|99)/.test(text.slice(2)))
    return false;
  const digits = (text.slice(4) + text.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
}

/**
 * The retention days that an owner may choose. Orders: at least the five years of ApBetrO § 22 (1), with two leap days,
 * and at most the thirty years of § 22 (4). Rejected requests: at least a week, so that staff can look at a request
 * again, and at most ten years.
 */
export const RETENTION_DAYS = {
  requestRetentionDays: [7, 3653],
  orderRetentionDays: [1827, 10_958],
} as const satisfies Record<string, readonly [min: number, max: number]>;
export type RetentionDays = Record<keyof typeof RETENTION_DAYS, number>;

/** The names of the changes that an owner may not make. */
export function forbiddenRetention(changes: Partial<RetentionDays>): (keyof RetentionDays)[] {
  // SAFETY: RETENTION_DAYS and RetentionDays have the same keys.
  const names = Object.keys(RETENTION_DAYS) as (keyof RetentionDays)[];
  return names.filter((name) => {
    const [days, [min, max]] = [changes[name], RETENTION_DAYS[name]];
    return days !== undefined && (days < min || days > max);
  });
}

/** Postal code and town, which stay on one line; empty if neither is known. */
export function townOf({ postalCode, city }: { postalCode?: string | null; city?: string | null }): string {
  return [postalCode, city].filter(Boolean).join('\u00a0');
}
