import { business, changedBy, type FieldsOf } from '../platform/fields';
import { NOTE_MAX, TEXT_MAX } from './limits';
import type {
  courierTours,
  customers,
  orderBatches,
  orders,
  paymentLinks,
  requestQuestions,
  staffNotes,
} from './tables';

// A text about a person; PATCH and the upsert change it.
const person = { class: 'person', max: TEXT_MAX, changedBy: ['patch', 'upsert'], erased: null } as const;
const customer = { ...person, within: 'customer' } as const;
const address = { ...person, within: 'address' } as const;
const sum = { class: 'business', within: 'totals', unit: 'cents' } as const;
const flag = { class: 'business', within: 'flags', changedBy: ['flag'] } as const;

/**
 * The columns of an order. `changedBy` names what can change a column: PATCH (`patch`, `flag`), the upsert of the API
 * (`upsert`), or another call such as a refund.
 * A change of the status or of a flag sends the event `order_status_updated`. Any other change sends `order_updated`.
 */
export const ordersFields = {
  ...business('orgId', 'holdsStock', 'version', 'changeNumber', 'erasedAt'),
  ...business(
    'bags',
    'unpaidReason',
    'returned',
    'integrationId',
    'supply',
    'expectedOn',
    'nothingHere',
    'refundedLines',
    'discountKind',
    'restrictedUntil',
  ),
  // Contains who packed, and hashes of serials until the hand-over. `supply` keeps the hashes of parts until everything
  // has left.
  packing: { class: 'business', erased: null },
  collectedBy: { class: 'person', erased: null },
  // Only a search by batch reads this column, and only for callers who may see prescriptions.
  restricted: {
    class: 'person',
    erased:
      'where packs of a known batch have left, the names of the person and the prescriber are kept here for five years (§ 22 ApBetrO), restricted to recalls',
  },
  // Free text of ten characters. Some pharmacies write a name.
  shelf: { class: 'person', erased: null },
  id: { class: 'business', wire: 'id', says: 'Order id.', searched: 'id' },
  number: {
    class: 'business',
    wire: 'number',
    says: 'Its number as people say it, counted in the organization.',
    searched: 'number',
  },
  externalId: {
    class: 'person',
    wire: 'external_id',
    says: 'Your own id of the order.',
    example: 'SHOP-1001',
    searched: 'reference',
    // The caller's id becomes free: its next upsert creates a new order instead of changing this one.
    erased: null,
  },
  status: {
    class: 'business',
    wire: 'status',
    says: 'Status of the order; 409 `invalid_transition` lists the possible steps.',
    changedBy: ['step'],
  },
  paymentStatus: { class: 'business', wire: 'payment_status', says: 'How it is paid.', changedBy: ['refund'] },
  paymentReference: {
    ...person,
    wire: 'payment_reference',
    says: 'Payment transaction id.',
    example: 'TX-4711',
    changedBy: ['upsert'],
    searched: 'reference',
  },
  onHold: {
    ...flag,
    wire: 'on_hold',
    says: 'Whether staff have put it on hold.',
    asks: 'Puts the order on hold, or lifts the hold.',
  },
  originalMissing: {
    ...flag,
    wire: 'original_missing',
    says: 'Whether the original of a prescription is still to come; until then it is neither shipped nor handed over.',
    asks: 'false confirms that the original is there; needs prescriptions.write.',
  },
  express: { ...flag, wire: 'express', says: 'High priority.' },
  archived: { ...flag, wire: 'archived', says: 'Hidden from the daily lists.' },
  holdReason: {
    class: 'health',
    wire: 'hold_reason',
    says: 'Why it is on hold.',
    max: TEXT_MAX,
    changedBy: ['patch'],
    erased: null,
  },
  withdrawal: {
    class: 'business',
    wire: 'withdrawal',
    says: 'Whether its platform withdrew it. `requested`: it is on hold until it is cancelled, which accepts that, or the withdrawal is refused.',
    asks: '`refused` refuses a requested withdrawal and lifts its hold; to accept it, cancel the order.',
    changedBy: ['patch'],
  },
  cancelReasonCode: { class: 'business', wire: 'cancel_reason_code', says: 'Why it was cancelled.' },
  shopId: { class: 'business', wire: 'shop_id' },
  source: { class: 'business', wire: 'source', says: 'The platform or program that it came from.' },
  externalReference: {
    class: 'person',
    wire: 'external_reference',
    says: 'Reference of the order request.',
    searched: 'reference',
    erased: null,
  },
  orderRequestId: { class: 'business', wire: 'order_request_id', says: 'The request that became this order.' },
  shippingOption: {
    class: 'business',
    wire: 'shipping_option',
    says: 'How the customer gets it.',
    asks: "Abholung, Versand, Express, or the name of the shop's delivery service.",
    example: 'Abholung',
    max: TEXT_MAX,
    changedBy: ['patch', 'upsert'],
  },
  carrier: {
    class: 'business',
    wire: 'carrier',
    says: 'Who carries the parcel.',
    example: 'DHL',
    max: TEXT_MAX,
    changedBy: ['patch'],
  },
  trackingNumber: {
    class: 'person',
    wire: 'tracking_number',
    says: "The carrier's number of the parcel.",
    example: '00340434161094042557',
    max: TEXT_MAX,
    changedBy: ['patch'],
    erased: null,
  },
  trackingUrl: {
    class: 'person',
    wire: 'tracking_url',
    says: 'The page on which the parcel can be followed: https.',
    example: 'https://track.example/00340434161094042557',
    changedBy: ['patch'],
    erased: null,
  },
  items: {
    class: 'health',
    wire: 'items',
    says: 'The lines.',
    changedBy: ['upsert'],
    searched: 'items',
    erased: 'products, quantities and prices stay, under the names of the catalog',
  },
  customerId: { class: 'business', wire: 'customer_id', within: 'customer', says: 'Customer id.' },
  customerName: { ...customer, wire: 'customer_name', says: 'Full name.', searched: 'words' },
  customerEmail: { ...customer, wire: 'customer_email', says: 'E-mail address.', searched: 'email' },
  customerBirthDate: {
    class: 'person',
    wire: 'customer_birth_date',
    within: 'customer',
    says: 'Date of birth, yyyy-mm-dd, as the platform sent it.',
    erased: null,
  },
  prescriberName: {
    class: 'person',
    wire: 'prescriber_name',
    says: 'Who prescribed, as the platform sent it.',
    erased: null,
  },
  addressStreet: { ...address, wire: 'address_street', says: 'Street and number.' },
  addressCity: { ...address, wire: 'address_city', says: 'City.', searched: 'words' },
  addressPostalCode: { ...address, wire: 'address_postal_code', says: 'Postal code.', searched: 'words' },
  addressPhone: { ...address, wire: 'address_phone', says: 'Phone number.', searched: 'phone' },
  itemsCents: { ...sum, wire: 'items_amount', says: 'Sum of the lines in EUR.' },
  feeCents: {
    ...sum,
    wire: 'fee_amount',
    says: 'Fee in EUR, such as shipping.',
    asks: 'Fee in EUR, such as shipping; it books no payment.',
    changedBy: ['patch', 'upsert'],
  },
  discountCents: {
    ...sum,
    wire: 'discount_amount',
    says: 'Discount in EUR.',
    asks: 'Discount in EUR, at most items and fee; it books no payment.',
    changedBy: ['patch', 'upsert'],
  },
  totalCents: { ...sum, wire: 'total_amount', says: 'Items and fee without the discount, in EUR.' },
  refundedCents: {
    class: 'business',
    wire: 'refunded_amount',
    says: 'Sum of all refunds, in EUR.',
    unit: 'cents',
    changedBy: ['refund'],
  },
  paymentAction: {
    class: 'business',
    wire: 'payment_action',
    says: 'What becomes of `payment_difference`: collect, refund or ask.',
  },
  paymentDifferenceCents: {
    class: 'business',
    wire: 'payment_difference',
    says: 'What was paid too little, or (negative) too much, in EUR.',
    unit: 'cents',
  },
  /** The note that staff wrote with the last refund. */
  refundNote: { class: 'health', erased: null },
  note: { class: 'health', wire: 'note', says: 'Note of staff.', max: NOTE_MAX, changedBy: ['patch'], erased: null },
  platformDetails: {
    class: 'health',
    wire: 'platform_details',
    says: 'What else the platform sent: texts by name. Links, files and diagnoses only with the scope `prescriptions.read`.',
    erased: null,
  },
  createdAt: { class: 'business', wire: 'created_at', says: 'When it was created.', unit: 'time' },
  updatedAt: { class: 'business', wire: 'updated_at', says: 'When it was last changed.', unit: 'time' },
  paidAt: { class: 'business', wire: 'paid_at', says: 'When it was marked as paid.', unit: 'time' },
  deletedAt: {
    class: 'business',
    wire: 'deleted_at',
    says: 'When it was deleted; only a list by `updated_after` shows such an order, so that you can delete your copy.',
    unit: 'time',
  },
} as const satisfies FieldsOf<typeof orders, 'itemsCents'>;

/** The columns that PATCH changes. `FLAG_FIELDS` are its yes/no columns. */
export const PATCHED_FIELDS = changedBy(ordersFields, 'patch');
export const FLAG_FIELDS = changedBy(ordersFields, 'flag');
/** The columns that an upsert changes. */
export const UPSERTED_FIELDS = changedBy(ordersFields, 'upsert');
export type PatchedField = (typeof PATCHED_FIELDS)[number];
export type FlagField = (typeof FLAG_FIELDS)[number];
export type UpsertedField = (typeof UPSERTED_FIELDS)[number];

export const customersFields = {
  ...business('orgId', 'updatedAt', 'erasedAt'),
  id: { class: 'business', wire: 'id', says: 'Customer id.' },
  name: { class: 'person', wire: 'name', says: 'Full name.', erased: null },
  nameFolded: { class: 'person', erased: null },
  email: { class: 'person', wire: 'email', says: 'E-mail address.', erased: null },
  legalHold: { class: 'business', wire: 'legal_hold', says: 'Whether the data must be kept.' },
  createdAt: { class: 'business', wire: 'created_at', says: 'When the customer was first known.', unit: 'time' },
} as const satisfies FieldsOf<typeof customers>;

const deleted = 'the row is deleted';

export const requestQuestionsFields = {
  ...business('id', 'orgId', 'orderRequestId', 'code', 'askedBy', 'askedAt', 'answeredBy', 'answeredAt'),
  text: { class: 'health', erased: deleted },
  answer: { class: 'health', erased: deleted },
} as const satisfies FieldsOf<typeof requestQuestions>;

export const staffNotesFields = {
  ...business('id', 'orgId', 'orderRequestId', 'orderId', 'writtenBy', 'writtenAt'),
  text: { class: 'health', erased: deleted },
} as const satisfies FieldsOf<typeof staffNotes>;

/** The columns of a payment link. The page behind the link shows the amount and the shop, and names nobody. */
export const paymentLinksFields = {
  ...business('id', 'orgId', 'orderId', 'amountCents', 'status', 'expiresAt', 'createdAt', 'rootId'),
} satisfies FieldsOf<typeof paymentLinks>;

export const orderBatchesFields = {
  ...business('orgId', 'orderId'),
  batch: { class: 'business' },
} satisfies FieldsOf<typeof orderBatches>;

export const courierToursFields = { ...business('orgId', 'sequence') } satisfies FieldsOf<typeof courierTours>;
