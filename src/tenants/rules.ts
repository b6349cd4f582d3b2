import { foldText } from '../platform/fold';
import { hostOf } from '../platform/http/outgoing';
import { RETENTION_DAYS } from './limits';

interface HostRules {
  baseHost: string;
  /** Whether `*.localhost` may be a shop's host, which is true only in development. */
  isDevelopment: boolean;
  /** The name to which the DNS records of shops point. It cannot itself be a shop's host. */
  shopCnameTarget?: string;
}

const HOST_LENGTH_MAX = 253;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Matches a bare host name, or an address in brackets. The URL parser alone would also accept `:443`, `/` and `@`. */
const BARE_HOST = /^(\[[^\]]*\]|[^\s/\\?#@:]+)$/;

/** Returns a shop's host as it is stored (lower case, punycode, no trailing dot), or the reason why it is refused. */
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

/** The shipping options that every shop has. A fourth one is the shop's own delivery service (contract 5.3). */
const SHIPPING_OPTIONS = ['Abholung', 'Versand', 'Express'];

/** The name of a shop's own delivery service, if the shop has not named it. */
export const DELIVERY_SERVICE_NAME_DEFAULT = 'Lieferdienst';

/** Whether the customer collects the goods. Also true for an order without a shipping option. */
export function isPickup(shippingOption: string | null): boolean {
  return (shippingOption ?? 'Abholung') === 'Abholung';
}

export function shippingOptionsOf(shop: { deliveryServiceName: string }): string[] {
  return [...SHIPPING_OPTIONS, shop.deliveryServiceName];
}

/**
 * A shop's fees in cents, by shipping option. The delivery service has the key `delivery`, because its name may change.
 */
export type ShopFees = Partial<Record<FeeKey, number>>;
export const FEE_KEYS = ['Abholung', 'Versand', 'Express', 'delivery'] as const;
export type FeeKey = (typeof FEE_KEYS)[number];

/** Other names under which platforms send a shop's options. Each leads to the key of its option. */
export type ShippingAliases = Readonly<Record<string, FeeKey>>;

/** Returns the key of an option's fee. @param option one of the shop's options */
export function feeKeyOf(option: string): FeeKey {
  return FEE_KEYS.find((key) => key === option) ?? 'delivery';
}

/** The name of a shop's option, by its key: the inverse of `feeKeyOf`. */
export function optionOf(key: FeeKey, shop: { deliveryServiceName: string }): string {
  return key === 'delivery' ? shop.deliveryServiceName : key;
}

/** Returns the shop's option that a text names, also by an alias; case does not matter. Undefined if it names none. */
export function shippingOptionIn(
  text: string,
  shop: { deliveryServiceName: string; shippingAliases: ShippingAliases },
): string | undefined {
  const sought = foldText(text.trim());
  const found = shippingOptionsOf(shop).find((option) => option === text || foldText(option) === sought);
  if (found !== undefined) return found;
  const named = Object.entries(shop.shippingAliases).find(([alias]) => foldText(alias) === sought)?.[1];
  return named && optionOf(named, shop);
}

/** Whether a delivery service may have this name. The name of another shipping option is not allowed. */
export function isOwnShippingOption(name: string): boolean {
  return !SHIPPING_OPTIONS.some((option) => option.toLowerCase() === name.toLowerCase());
}

/** The countries, by the length of their IBANs (SWIFT IBAN Registry, release 99). */
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
 * Whether a text without spaces is an IBAN (ISO 13616). The country must have IBANs of this length. The check digits
 * must be right, and from 02 to 98.
 */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false;
  if (!IBAN_LENGTHS[text.length]?.split(' ').includes(text.slice(0, 2)) || !/^(?!00|01|99)/.test(text.slice(2)))
    return false;
  const digits = (text.slice(4) + text.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
}

export type RetentionDays = Record<keyof typeof RETENTION_DAYS, number>;

/** Returns the names of the settings whose new value is too low or too high. */
export function forbiddenRetention(changes: Partial<RetentionDays>): (keyof RetentionDays)[] {
  // SAFETY: RETENTION_DAYS and RetentionDays have the same keys.
  const names = Object.keys(RETENTION_DAYS) as (keyof RetentionDays)[];
  return names.filter((name) => {
    const [days, [min, max]] = [changes[name], RETENTION_DAYS[name]];
    return days !== undefined && (days < min || days > max);
  });
}

/** Returns postal code and town with a space that does not break; empty if neither is known. */
export function townOf({ postalCode, city }: { postalCode?: string | null; city?: string | null }): string {
  return [postalCode, city].filter(Boolean).join('\u00a0');
}
