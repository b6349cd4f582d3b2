import type { OrderableProduct } from '../../inventory/browse';
import { isParcel, totalOf } from '../../orders/rules';
import { type RuleWarning, type ShippingBlocker, shippingNotices } from '../../orders/shipping';
import type { PlatformDetails } from '../../orders/tables';
import type { Day } from '../../platform/pharmacy-time';
import type { PrescriptionRow } from '../../prescriptions/store';
import type { FileFault } from '../../prescriptions/tables';
import type { Shippable } from '../../tenants/shipping';
import { isNameMismatch, isPriceOff, unitsMeant } from '../names/differences';
import { type Counted, inUnits } from '../names/units';
import { type Charged, chargesOf } from './charges';
import type { Submission } from './rules';

/** A problem that the platform is told about although its request was accepted. */
export type Warning =
  | Notice<
      | 'payment_method_conflict'
      | 'unmatched_item'
      | 'product_id_conflict'
      | 'prescription_unreadable'
      | 'email_unusable'
    >
  | FeeDiffers
  /** `p1Id` is the product that the item names by id. */
  | (Notice<'name_mismatch'> & { p1Id: string })
  | NotReserved
  /** `values` are two quantities in units: the sent quantity read as units, and the sent quantity read as packs. */
  | (Notice<'unclear_unit'> & { values: [number, number] })
  /** The product is not available with the shipping option. */
  | ((ShippingBlocker | RuleWarning) & { pointer: string });

/** The sent total is not the sum of items, fee and discount, or the fee is higher than the shop's. */
export interface FeeDiffers extends Notice<'fee_differs'> {
  sentCents: number;
  /**
   * The items plus the sent fee minus the sent discount. If this sum equals the sent total, the fee itself is in
   * question, and `computedCents` leaves the fee out.
   */
  computedCents: number;
}

/** Less of a product is reserved than the item asks for. */
export interface NotReserved extends Notice<'insufficient_stock'> {
  p1Id: string;
  productName: string | null;
  requested: number;
  reservedQuantity: number;
}

type Named = Pick<OrderableProduct, 'name' | 'unit'>;

interface Notice<Code extends string> {
  code: Code;
  message: string;
  /** JSON Pointer into the body as it was sent. */
  pointer: string;
}

/**
 * A warning that a submitted price differs from the shop's. It is shown to staff only, because it reveals the
 * pharmacy's price.
 */
export interface PriceWarning extends Notice<'price_mismatch'> {
  p1Id: string;
  /** As submitted. */
  priceCents: number;
  /** The price of the product in the request's shop. */
  productPriceCents: number;
}

/**
 * Problems that a platform should know about although its request was accepted.
 * @param products the organization's products that the items name, by id, as the shop sells them
 */
export function warningsOf(
  submission: Charged & Pick<Submission, 'shippingOption'>,
  cashOnPickup: boolean | null,
  products: ReadonlyMap<string, Named>,
): Warning[] {
  return [
    ...feeWarnings(submission),
    ...paymentWarnings(submission, cashOnPickup),
    ...submission.items.flatMap((item, index) => itemWarnings(item, `/payload/items/${index}`, products)),
  ];
}

/**
 * Warnings about items whose product is not available with the shipping option.
 * @param products the organization's products that the items name, by id, as the shop sells them
 */
export function shippingWarnings(
  { items, shippingOption: option }: Pick<Submission, 'items' | 'shippingOption'>,
  products: ReadonlyMap<string, Shippable & { p1Id: string; name: string }>,
  at: { shopId: string; today: Day },
): Warning[] {
  const lines = items.map(({ p1Id, productId }) => ({ p1Id: products.has(p1Id ?? '') ? p1Id : productId }));
  return shippingNotices(lines, products, { option, ...at }).map((notice) => {
    return { ...notice, pointer: notice.pointer.replace('/lines/', '/payload/items/') };
  });
}

/**
 * Warnings about items whose price does not say whether the quantity counts units or packs.
 * @param products the organization's products that the items name, by id, as the shop sells them
 */
export function unitWarnings(items: Submission['items'], products: ReadonlyMap<string, Counted>): Warning[] {
  return items.flatMap((item, index): Warning[] => {
    const { quantity, orQuantity } = inUnits(item, products.get(item.p1Id ?? '') ?? products.get(item.productId ?? ''));
    if (orQuantity === undefined) return [];
    const message = `The price does not say whether this is ${quantity} or, counted in packs, ${orQuantity}. Staff will check it.`;
    return [{ code: 'unclear_unit', pointer: `/payload/items/${index}`, message, values: [quantity, orQuantity] }];
  });
}

/** Name of the platform detail for a sent `customer_email` that is not an e-mail address. */
export const UNUSABLE_EMAIL = 'customer_email';

/**
 * Warns that the sent `customer_email` is not an e-mail address.
 * @param details the members that the platform sent and the contract does not define
 */
export function emailWarnings(details: PlatformDetails | null): Warning[] {
  if (details?.[UNUSABLE_EMAIL] === undefined) return [];
  const message = 'This is no e-mail address. It is kept as a text, and no e-mail is sent.';
  return [{ code: 'email_unusable', pointer: '/payload/customer_email', message }];
}

const FILE_FAULT_MESSAGES = {
  truncated: 'The end of the PDF is missing: it may not open.',
  empty: 'The PDF has no pages.',
  locked: 'The PDF opens with a password only.',
} satisfies Record<FileFault, string>;

/** Warnings about prescriptions that a platform sent and that staff cannot open. */
export function fileWarnings(files: readonly Pick<PrescriptionRow, 'origin' | 'fileFault' | 'place'>[]): Warning[] {
  return files.flatMap(({ origin, fileFault, place }) => {
    if (fileFault === null || origin === 'staff') return [];
    const pointer =
      place === null ? `/payload/prescription_pdf_${origin}` : `/payload/prescriptions/${place}/pdf_${origin}`;
    const message = `${FILE_FAULT_MESSAGES[fileFault]} Send the file again as a supplement.`;
    return [{ code: 'prescription_unreadable' as const, pointer, message }];
  });
}

/** Warns about a sent total or fee that staff must decide about. Returns no warning if there is nothing to decide. */
export function feeWarnings(request: Charged): FeeDiffers[] {
  const { remainderCents, choices, feeCents, discountCents } = chargesOf(request);
  if (choices.length === 0) return [];
  const items = totalOf(request.items);
  const sentCents = request.totalCents ?? items + feeCents - discountCents;
  const computedCents = sentCents - (remainderCents || feeCents);
  const [sent, computed] = [sentCents, computedCents].map((cents) => (cents / 100).toFixed(2));
  const pointer = remainderCents === 0 ? '/payload/fee_amount' : '/payload/total_amount';
  const message = `The total is EUR ${sent}, without its fee or discount EUR ${computed}. Staff will check it.`;
  return [{ code: 'fee_differs', pointer, message, sentCents, computedCents }];
}

function paymentWarnings(
  { paymentStatus, shippingOption }: Pick<Submission, 'paymentStatus' | 'shippingOption'>,
  cashOnPickup: boolean | null,
): Warning[] {
  const code = 'payment_method_conflict';
  if (paymentStatus === 'cash_on_pickup' && isParcel(shippingOption)) {
    const message =
      'A parcel is paid before it is sent, but this request says cash on pickup, as it does without payment_status.';
    return [{ code, pointer: '/payload/shipping_option', message }];
  }
  if (cashOnPickup !== true || paymentStatus === 'cash_on_pickup') return [];
  const message = 'payment_status takes precedence over cash_on_pickup, which says something else.';
  return [{ code, pointer: '/payload/payment_status', message }];
}

function itemWarnings(
  item: Submission['items'][number],
  pointer: string,
  products: ReadonlyMap<string, Named>,
): Warning[] {
  const warnings: Warning[] = [];
  if (item.p1Id !== item.productId && products.has(item.p1Id ?? '') && products.has(item.productId ?? '')) {
    const message = 'p1_id and product_id of this item name two products of the pharmacy. The one of p1_id counts.';
    warnings.push({ code: 'product_id_conflict', pointer, message });
  }
  const p1Id = [item.p1Id, item.productId].find((id) => id !== null && products.has(id));
  const product = products.get(p1Id ?? '');
  if (!p1Id || !product) {
    const message = 'This item names no product of the pharmacy by p1_id. Staff will match it by hand.';
    return [...warnings, { code: 'unmatched_item', pointer, message }];
  }
  if (item.name === null || !isNameMismatch(item.name, product.name, product.unit !== 'piece')) return warnings;
  const message =
    'The name of this item does not match the product with its id: the substance or the strength differs. Staff will check it.';
  return [...warnings, { code: 'name_mismatch', pointer, message, p1Id }];
}

/**
 * Warnings about submitted prices that differ from the shop's by more than 10 % and EUR 1. Products that require a
 * prescription are left out: the price sent for those may be a co-payment.
 */
export function priceWarnings(
  items: Submission['items'],
  products: ReadonlyMap<string, OrderableProduct>,
): PriceWarning[] {
  return items.flatMap((item, index): PriceWarning[] => {
    const product = products.get(item.p1Id ?? '') ?? products.get(item.productId ?? '');
    if (!product || product.prescriptionRequired || !isPriceOff(item.priceCents, product.priceCents)) return [];
    if (product.unitStep > 1 && unitsMeant(item, product) !== null) return [];
    return [
      {
        code: 'price_mismatch',
        pointer: `/payload/items/${index}`,
        message: 'The price of this item differs strongly from the price of the product in this shop.',
        p1Id: product.p1Id,
        priceCents: item.priceCents,
        productPriceCents: product.priceCents,
      },
    ];
  });
}
