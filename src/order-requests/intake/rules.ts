import { wireNames } from '../../platform/fields';
import { withoutSigning } from '../../platform/http/outgoing';
import type { ShopAtHost } from '../../tenants/store';
import { type Envelope, emailIn } from '../envelope';
import { orderRequestsFields, SUBMITTED_FIELDS, type SubmittedField } from '../fields';
import type { orderRequests } from '../tables';

/**
 * The fields that a repeated submission may not change, as they are stored: defaults applied, texts trimmed, amounts in
 * cents.
 */
export type Compared = Pick<typeof orderRequests.$inferSelect, SubmittedField>;

/** A submission as it is stored. */
export type Submission = Compared & { source: string; externalReference: string | null };

/** Applies the contract's defaults: the source, and the payment status when only `cash_on_pickup` was sent. */
export function normalize({ external_reference, source, payload }: Envelope, shop: ShopAtHost): Submission {
  return {
    // Source and reference are the same in every Unicode composition.
    source: source?.normalize('NFC') ?? `shop:${shop.id}`,
    externalReference: external_reference?.normalize('NFC') ?? null,
    customerName: payload.customer_name ?? null,
    customerEmail: emailIn(payload),
    customerBirthDate: payload.customer_birth_date ?? null,
    prescriberName: payload.prescriber_name ?? null,
    customerId: payload.customer_id ?? null,
    addressStreet: payload.address_street ?? null,
    addressCity: payload.address_city ?? null,
    addressPostalCode: payload.address_postal_code ?? null,
    addressPhone: payload.address_phone ?? null,
    shippingOption: payload.shipping_option ?? null,
    paymentStatus: payload.payment_status ?? ((payload.cash_on_pickup ?? true) ? 'cash_on_pickup' : 'pending'),
    paymentReference: payload.payment_reference ?? null,
    totalCents: payload.total_amount ?? null,
    feeCents: payload.fee_amount ?? null,
    discountCents: payload.discount_amount ?? null,
    items: payload.items ?? [],
  };
}

/** The fields that the first release compared, in the sequence in which it compared them. */
const FIRST_FIELDS: readonly SubmittedField[] = [
  ...(['items', 'customerName', 'customerEmail', 'customerId'] as const),
  ...(['addressStreet', 'addressCity', 'addressPostalCode', 'addressPhone'] as const),
  ...(['shippingOption', 'paymentStatus', 'paymentReference', 'totalCents'] as const),
];

const LATER_FIELDS = SUBMITTED_FIELDS.filter((field) => !FIRST_FIELDS.includes(field)).toSorted();

/**
 * Returns the text that a fingerprint is computed from: the compared fields in a fixed order, and the hash or address
 * of the prescription. A field that a later release added is in the text only if it was sent. Submissions from before
 * that release therefore keep their text. Unknown fields are left out, because a platform may put the time of each try
 * into them. The text is in Unicode NFC, because a platform may send a letter composed or decomposed.
 */
export function comparableText(submission: Compared, prescription: string | null): string {
  const sent = LATER_FIELDS.filter((field) => submission[field] !== null).map((field) => [field, submission[field]]);
  const values = [...FIRST_FIELDS.map((field) => submission[field]), fileOf(prescription), ...sent];
  return JSON.stringify(values).normalize('NFC');
}

/** Removes the signatures from links, so that all links to one file are equal. */
function fileOf(prescription: string | null): string | null {
  if (!prescription?.includes('https:')) return prescription;
  return prescription
    .split('\n')
    .map((file) => (file.startsWith('https:') ? withoutSigning(file) : file))
    .join('\n');
}

type Comparable = Compared & { prescription: string | null };

/**
 * Returns the names of the fields in which a submission differs from the stored one with the same reference. Never
 * returns values.
 */
export function differingFields(submitted: Comparable, stored: Comparable): string[] {
  const keys = Object.keys(submitted) as SubmittedField[];
  const differing = keys.filter(
    (key) => SUBMITTED_FIELDS.includes(key) && JSON.stringify(submitted[key]) !== JSON.stringify(stored[key]),
  );
  const names = wireNames(orderRequestsFields, differing);
  return fileOf(submitted.prescription) === fileOf(stored.prescription) ? names : [...names, 'prescription'];
}

const PAYMENT_FIELDS: readonly string[] = [
  orderRequestsFields.paymentStatus.wire,
  orderRequestsFields.paymentReference.wire,
];

/**
 * Whether a submission only says that a stored request is paid now: the request is pending and unpaid, and nothing else
 * differs.
 * @param differing the names that `differingFields` returned
 */
export function isPaidSince(
  submitted: Pick<Submission, 'paymentStatus'>,
  stored: Pick<Submission, 'paymentStatus'> & { status: string },
  differing: readonly string[],
): boolean {
  const isPayment = stored.paymentStatus === 'pending' && submitted.paymentStatus === 'paid';
  return stored.status === 'pending' && isPayment && differing.every((name) => PAYMENT_FIELDS.includes(name));
}
