import type { ShopAtHost } from '../tenants/service';
import type { Envelope, RequestItem } from './envelope';

/** A submission as it is stored and compared: defaults applied, texts trimmed, amounts in cents. */
export interface Submission {
  source: string;
  externalReference: string | null;
  customerName: string | null;
  customerEmail: string | null;
  customerId: string | null;
  addressStreet: string | null;
  addressCity: string | null;
  addressPostalCode: string | null;
  addressPhone: string | null;
  shippingOption: string | null;
  paymentStatus: 'cash_on_pickup' | 'paid' | 'pending';
  paymentReference: string | null;
  totalCents: number | null;
  items: RequestItem[];
}

/** Applies the contract's defaults: the source, and the payment status when only `cash_on_pickup` was sent. */
export function normalize({ external_reference, source, payload }: Envelope, shop: ShopAtHost): Submission {
  return {
    source: source ?? `shop:${shop.id}`,
    externalReference: external_reference ?? null,
    customerName: payload.customer_name ?? null,
    customerEmail: payload.customer_email ?? null,
    customerId: payload.customer_id ?? null,
    addressStreet: payload.address_street ?? null,
    addressCity: payload.address_city ?? null,
    addressPostalCode: payload.address_postal_code ?? null,
    addressPhone: payload.address_phone ?? null,
    shippingOption: payload.shipping_option ?? null,
    paymentStatus: payload.payment_status ?? ((payload.cash_on_pickup ?? true) ? 'cash_on_pickup' : 'pending'),
    paymentReference: payload.payment_reference ?? null,
    totalCents: payload.total_amount ?? null,
    items: payload.items ?? [],
  };
}

/** What a repeated submission may not change. */
export type Compared = Omit<Submission, 'source' | 'externalReference'>;

/** Wire fields that a repeated submission may not change, by the name under which they are stored. */
const COMPARED: Record<keyof Compared, string> = {
  customerName: 'customer_name',
  customerEmail: 'customer_email',
  customerId: 'customer_id',
  addressStreet: 'address_street',
  addressCity: 'address_city',
  addressPostalCode: 'address_postal_code',
  addressPhone: 'address_phone',
  shippingOption: 'shipping_option',
  paymentStatus: 'payment_status',
  paymentReference: 'payment_reference',
  totalCents: 'total_amount',
  items: 'items',
};

/**
 * The text that a fingerprint is computed from: the compared fields in a fixed order, and the prescription by its hash
 * or address. Unknown fields are left out, because a platform may add the time of each try.
 */
export function comparableText(submission: Compared, prescription: string | null): string {
  const fields = Object.keys(COMPARED) as (keyof typeof COMPARED)[];
  return JSON.stringify([...fields.map((field) => submission[field]), prescription]);
}

type Comparable = Compared & { prescription: string | null };

/** Names, never values, of the fields in which a submission differs from the stored one with the same reference. */
export function differingFields(submitted: Comparable, stored: Comparable): string[] {
  const fields = Object.keys(COMPARED) as (keyof typeof COMPARED)[];
  const names = fields
    .filter((field) => JSON.stringify(submitted[field]) !== JSON.stringify(stored[field]))
    .map((field) => COMPARED[field]);
  return submitted.prescription === stored.prescription ? names : [...names, 'prescription'];
}
