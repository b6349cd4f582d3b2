import { business, changedBy, type FieldsOf } from '../platform/fields';
import type { inboxChanges, orderRequests, sweepCursors } from './tables';

// Fields that a platform submits about a person. `changedBy: submission` means that the platform's call sets them.
const submitted = { changedBy: ['submission'] } as const;
const person = { ...submitted, class: 'person', erased: null } as const;

/** The columns of an order request, and the fields that its review computes. */
export const orderRequestsFields = {
  ...business('orgId', 'integrationId', 'legalHold', 'changeNumber', 'erasedAt', 'feeLimits'),
  id: { class: 'business', wire: 'id', says: 'Request id.', searched: 'id' },
  status: { class: 'business', wire: 'status', says: 'Status of the request.' },
  shopId: { class: 'business', wire: 'shop_id' },
  source: { class: 'business', wire: 'source', says: 'The platform that sent it.', example: 'telemed.example' },
  externalReference: {
    class: 'person',
    wire: 'external_reference',
    says: "The caller's reference.",
    example: 'RX-2026-0001',
    searched: 'reference',
    erased: null,
  },
  fingerprint: { class: 'person', erased: null },
  payload: { class: 'health', erased: null },
  prescriptionPdfUrl: { class: 'secret', erased: null },
  cashOnPickup: { class: 'business', erased: null },
  createdAt: { class: 'business', wire: 'created_at', says: 'When it was received.', unit: 'time' },
  updatedAt: { class: 'business', wire: 'updated_at', says: 'When it was last changed.', unit: 'time' },
  items: {
    ...submitted,
    class: 'health',
    wire: 'items',
    says: 'As submitted.',
    searched: 'items',
    erased: 'an empty list stays',
  },
  lines: { class: 'business', wire: 'lines', says: 'Lines matched to products; after approval, the approved lines.' },
  customerName: { ...person, wire: 'customer_name', says: 'Full name.', searched: 'words' },
  customerNameFolded: { class: 'person', erased: null },
  customerEmail: { ...person, wire: 'customer_email', says: 'E-mail address.', searched: 'email' },
  customerBirthDate: { ...person, wire: 'customer_birth_date', says: 'Date of birth, yyyy-mm-dd.' },
  prescriberName: { ...person, wire: 'prescriber_name', says: 'Who prescribed.' },
  customerId: { ...person, wire: 'customer_id', says: 'Customer id in the service, as submitted.' },
  addressStreet: { ...person, wire: 'address_street', says: 'Street and number.' },
  addressCity: { ...person, wire: 'address_city', says: 'City.', searched: 'words' },
  addressPostalCode: { ...person, wire: 'address_postal_code', says: 'Postal code.', searched: 'words' },
  addressPhone: { ...person, wire: 'address_phone', says: 'Phone number.', searched: 'phone' },
  shippingOption: {
    ...submitted,
    class: 'business',
    wire: 'shipping_option',
    says: 'How the customer wants to get it.',
    example: 'Abholung',
  },
  paymentStatus: { ...submitted, class: 'business', wire: 'payment_status', says: 'As submitted.' },
  paymentReference: {
    ...person,
    wire: 'payment_reference',
    says: 'Payment transaction id.',
    searched: 'reference',
  },
  totalCents: {
    ...submitted,
    class: 'business',
    wire: 'total_amount',
    says: 'Order total in EUR, as submitted.',
    unit: 'cents',
  },
  feeCents: { ...submitted, class: 'business', wire: 'fee_amount', says: 'Fee in EUR, as submitted.', unit: 'cents' },
  discountCents: {
    ...submitted,
    class: 'business',
    wire: 'discount_amount',
    says: 'Discount in EUR, as submitted.',
    unit: 'cents',
  },
  warnings: { class: 'business', wire: 'warnings', says: 'What staff should know.' },
  blockers: { class: 'business', wire: 'blockers', says: 'What prevents approval; empty once decided.' },
  prescriptions: { class: 'business', wire: 'prescriptions', says: 'The prescriptions that belong to it.' },
  reservedUntil: { class: 'business', wire: 'reserved_until', says: 'Until when stock is reserved; null: none is.' },
  needsInfo: { class: 'business', wire: 'needs_info', says: 'Whether staff wait for information.' },
  needsInfoNote: { class: 'health', wire: 'needs_info_note', says: 'What staff wait for.', erased: null },
  needsInfoCode: {
    class: 'business',
    wire: 'needs_info_code',
    says: 'What staff ask about; the newest open question.',
  },
  withdrawal: {
    class: 'business',
    wire: 'withdrawal',
    says: 'Whether its platform withdrew it; of an approved request, what became of that.',
  },
  supplements: { class: 'health', erased: null },
  reasonCode: { class: 'business', wire: 'reason_code', says: 'Why it was rejected.' },
  decidedBy: { class: 'business', wire: 'decided_by', says: 'Key or member who decided.' },
  decidedAt: { class: 'business', wire: 'decided_at', says: 'When it was decided.', unit: 'time' },
  supersedesId: {
    class: 'business',
    wire: 'supersedes_id',
    says: 'The earlier, rejected request with the same reference.',
  },
  orderId: { class: 'business', wire: 'order_id', says: 'The order that it became.' },
  platformDetails: {
    class: 'health',
    wire: 'platform_details',
    says: 'What else the platform sent in `payload`: texts by name. Links, files and diagnoses only with the scope `prescriptions.read`.',
    erased: null,
  },
  approvedItems: { class: 'health', searched: 'items', erased: null },
  acknowledged: { class: 'health', erased: null },
  draft: { class: 'health', erased: null },
  reasonNote: { class: 'health', erased: null },
  overrideReason: { class: 'health', erased: null },
} as const satisfies FieldsOf<
  typeof orderRequests,
  'lines' | 'warnings' | 'blockers' | 'prescriptions' | 'reservedUntil'
>;

/** The fields that a platform sets by a submission. */
export const SUBMITTED_FIELDS = changedBy(orderRequestsFields, 'submission');
export type SubmittedField = (typeof SUBMITTED_FIELDS)[number];

export const sweepCursorsFields = business('name', 'position', 'hasMore', 'doneNight') satisfies FieldsOf<
  typeof sweepCursors
>;

export const inboxChangesFields = business('orgId', 'changes') satisfies FieldsOf<typeof inboxChanges>;
