// Import paths have file extensions because scripts run this file directly in Node, which adds none.

import * as z from 'zod';
import type { FieldClass } from '../platform/fields.ts';
import { once } from '../platform/isolate-cache.ts';

/**
 * A field of the metadata: its schema, and its value in the example event. A field without `example` is not in the
 * example event.
 */
interface Member<S extends z.ZodType = z.ZodType> {
  schema: S;
  example?: z.infer<S>;
}

function member<S extends z.ZodType>(schema: S, example?: z.infer<S>): Member<S> {
  return { schema, example };
}

function optional<S extends z.ZodType>({ schema, example }: Member<S>): Member<z.ZodOptional<S>> {
  return { schema: schema.optional(), example };
}

const classes = z.registry<{ class: FieldClass }>();
const business = { class: 'business' } as const;

const idOf = (description: string) => z.string().min(1).max(100).describe(description).register(classes, business);
/**
 * A text that somebody outside this service wrote. If its class says that it is about a person, an erasure empties it.
 */
const text = (of: FieldClass, description: string) =>
  z.string().max(300).describe(description).register(classes, { class: of });
const word = (description: string, max = 40) => z.string().max(max).describe(description).register(classes, business);
const fieldNames = (description: string) => z.array(z.string().max(60)).max(60).describe(description);
const timestamp = (description: string) => z.iso.datetime().describe(description).register(classes, business);
/** An amount in EUR: a decimal number, as all amounts in the API. */
const amount = z.number().nonnegative();

const requestId = member(idOf('The order request.'), '019aa0b2-7c11-7d1e-9f3a-3f5a1c2b4d6e');
const order = member(idOf('The order.'), '019aa0c4-52f3-7b0c-b1de-90b7c1f0a2d4');
const shop = member(idOf('The shop.'), '019aa0b0-1f00-7aaa-8c01-0c9be1b2a301');
const prescription = member(idOf('The prescription.'), '019aa0b2-7c12-7a44-8d10-6a7b8c9d0e1f');
const product = member(idOf('Product id.'), 'P1-10001');
const source = member(text('business', 'The platform or program that it came from.'), 'telemed.example');
const reference = member(text('person', "The caller's reference; empty when none was sent."), 'RX-2026-0001');
const changed = fieldNames('Names of the fields that changed.');

/** The fields that an event about an order has if the order was created from a request. */
const ofRequest = {
  order_request_id: member(requestId.schema.optional()),
  external_reference: member(reference.schema.optional()),
};
const requestKeys = { order_request_id: requestId, external_reference: reference, shop_id: shop, source };
const unit = () => member(word('What quantities count: piece, g or ml.'), 'piece');
const stockKeys = (quantity: number) => ({
  p1_id: product,
  unit: unit(),
  stock_quantity: member(z.int().nonnegative().describe('What is left.'), quantity),
  threshold: member(z.int().nonnegative().describe('The threshold of the product.'), 5),
});
const productKeys = { p1_id: product, changed_fields: member(changed.optional()) };
const count = (description: string) => z.int().nonnegative().describe(description);
/** The fields with a product's state after the command. */
const productState = (changedFields: readonly string[]) => ({
  p1_id: product,
  changed_fields: member(
    fieldNames(
      'Names of the fields that changed, in the organization or in one of its shops; `shop_ids` where a shop began or ceased to offer it.',
    ),
    [...changedFields],
  ),
  unit: unit(),
  stock_quantity: member(count('What can still be promised, in `unit`.'), 20),
  on_hand: member(
    count(
      'What is in the house: `stock_quantity` + `committed_quantity` + `reserved_quantity`, less what a count missed.',
    ),
    24,
  ),
  committed_quantity: member(count('What is promised to orders and still in the house.'), 4),
  reserved_quantity: member(count('What is reserved for order requests, for a time.'), 0),
  stock_version: member(
    count('Raised by every change of the stock: of two events the one with the higher is newer.'),
    7,
  ),
  shop_ids: member(z.array(z.string().max(100)).describe('The shops that offer it.'), [
    '019aa0b0-1f00-7aaa-8c01-0c9be1b2a301',
  ]),
});

type Group = 'Orders' | 'Order requests' | 'Prescriptions' | 'Products and stock' | 'Payments';
type SchemaOf<M extends Record<string, Member>> = z.ZodObject<{ [K in keyof M]: M[K]['schema'] }, z.core.$strict>;

function object<M extends Record<string, Member>>(members: M) {
  const all = Object.entries(members);
  const shape = Object.fromEntries(all.map(([name, { schema }]) => [name, schema]));
  const example = Object.fromEntries(
    all.flatMap(([name, { example }]) => (example === undefined ? [] : [[name, example]])),
  );
  // SAFETY: each member has its schema, and its example matches the schema.
  return { schema: z.strictObject(shape) as unknown as SchemaOf<M>, example: example as z.infer<SchemaOf<M>> };
}

/**
 * Returns the definition of an event type.
 * @param members a function, because all schemas together take milliseconds to build and an isolate needs only a few
 * @param isOptIn whether the type is newer than the contract. Nobody gets such a type by default
 */
function define<M extends Record<string, Member>>(
  group: Group,
  title: string,
  description: string,
  members: () => M,
  { isOptIn = false } = {},
) {
  const made = once(() => object(members()));
  return {
    group,
    title,
    description,
    isOptIn,
    get metadata() {
      return made().schema;
    },
    get example() {
      return made().example;
    },
  };
}

/**
 * All event types (contract 6.2), each with its group, title, description, and the fields of its metadata. Metadata
 * never contains a name, an address, or anything else about a patient.
 */
export const EVENTS = {
  order_created: define('Orders', 'Order created', 'A new order exists.', () => ({
    order_id: order,
    shop_id: shop,
    source,
    external_reference: reference,
    status: member(word('Status of the order.'), 'awaiting_packing'),
    payment_status: member(word('How it is paid.'), 'cash_on_pickup'),
    order_request_id: optional(requestId),
  })),
  order_updated: define('Orders', 'Order updated', 'Fields of an order changed.', () => ({
    order_id: order,
    changed_fields: member(changed, ['shipping_option']),
    ...ofRequest,
  })),
  order_status_updated: define('Orders', 'Order status updated', 'The status or a flag of an order changed.', () => ({
    order_id: order,
    old_status: member(word('Where it stood.'), 'awaiting_packing'),
    new_status: member(word('Where it stands; the same when only a flag changed.'), 'ready_pickup'),
    changed_flags: member(fieldNames('Names of the flags that changed.').optional()),
    ...ofRequest,
  })),
  order_marked_paid: define('Orders', 'Order marked as paid', 'An order was marked as paid.', () => ({
    order_id: order,
    payment_reference: member(text('person', 'Payment transaction id; empty when none was given.'), 'TX-4711'),
    total_amount: member(amount.describe('What was paid, in EUR.'), 24.9),
  })),
  order_deleted: define('Orders', 'Order deleted', 'An order was deleted.', () => ({ order_id: order })),
  order_request_submitted: define(
    'Order requests',
    'Order request submitted',
    'An external platform submitted an order request.',
    () => requestKeys,
  ),
  order_request_approved: define(
    'Order requests',
    'Order request approved',
    'Staff approved an order request; it is an order now.',
    () => ({ ...requestKeys, order_id: order }),
  ),
  order_request_rejected: define(
    'Order requests',
    'Order request rejected',
    'Staff rejected an order request.',
    () => ({ ...requestKeys, reason_code: member(word('Why it was rejected.', 60), 'prescription_unreadable') }),
  ),
  order_request_deleted: define(
    'Order requests',
    'Order request deleted',
    'An order request was deleted.',
    () => requestKeys,
  ),
  order_request_needs_info: define(
    'Order requests',
    'Order request needs information',
    'Staff have a question about an order request.',
    () => ({
      ...requestKeys,
      code: member(word('What the question is about, as `needs_info_code` of the request.'), 'dosage'),
    }),
    { isOptIn: true },
  ),
  prescription_approved: define('Prescriptions', 'Prescription approved', 'A prescription was approved.', () => ({
    prescription_id: prescription,
    order_request_id: optional(requestId),
    order_id: member(order.schema.optional()),
  })),
  paperless_signature_completed: define(
    'Prescriptions',
    'Signature completed',
    'A qualified electronic signature was completed.',
    () => ({
      prescription_id: prescription,
      provider: member(text('business', 'Who made the signature.'), 'qes.example'),
      signature_reference: member(text('person', "The provider's id of the signature."), 'SIG-2026-77'),
      signed_at: member(timestamp('When it was signed.'), '2026-11-20T09:30:00.000Z'),
    }),
  ),
  product_created: define('Products and stock', 'Product created', 'A product entered the inventory.', () =>
    productState([]),
  ),
  product_updated: define('Products and stock', 'Product updated', 'A product of the inventory changed.', () =>
    productState(['stock_quantity', 'on_hand']),
  ),
  products_updated: define(
    'Products and stock',
    'Products updated',
    'Many products of the inventory changed together.',
    () => {
      const { schema, example } = object(productState(['price']));
      return {
        products: member(z.array(schema).min(1).max(500).describe('Each product once, as in `product_updated`.'), [
          example,
        ]),
      };
    },
    { isOptIn: true },
  ),
  product_deleted: define('Products and stock', 'Product deleted', 'A product left the inventory.', () => productKeys),
  low_stock: define('Products and stock', 'Low stock', 'The stock of a product fell below its threshold.', () =>
    stockKeys(4),
  ),
  out_of_stock: define('Products and stock', 'Out of stock', 'The stock of a product is zero.', () => stockKeys(0)),
  payment_link_created: define('Payments', 'Payment link created', 'A payment link was created for an order.', () => ({
    order_id: order,
    payment_link_id: member(idOf('The link.'), '019aa0d1-0a0b-7c0d-8e0f-101112131415'),
    url: member(
      // An erasure invalidates the link, so the URL is useless afterwards.
      z.url().max(500).describe('The page on which the customer pays.').register(classes, { class: 'secret' }),
      'https://rx.pharmacy.example/pay/4kT9',
    ),
    amount: member(amount.describe('What is to be paid, in EUR.'), 24.9),
    expires_at: member(timestamp('Until when the link can be used.'), '2026-12-04T09:30:00.000Z'),
  })),
} as const;

export type EventType = keyof typeof EVENTS;
export const EVENT_TYPES = Object.keys(EVENTS) as [EventType, ...EventType[]];
/** The types that a subscription gets by default: those of the contract. All others must be chosen. */
export const DEFAULT_EVENT_TYPES = EVENT_TYPES.filter((type) => !EVENTS[type].isOptIn);
/** The types of products and stock. Such events come by the thousand, so they are delivered after events of orders. */
export const BULK_EVENTS = EVENT_TYPES.filter((type) => EVENTS[type].group === 'Products and stock');
export type Metadata<T extends EventType> = z.infer<(typeof EVENTS)[T]['metadata']>;

/**
 * Returns the field class of each text in the metadata of an event type, by the name of the field. Undefined for a text
 * without a class.
 */
export function textClasses(type: EventType): Map<string, FieldClass | undefined> {
  const members = Object.entries<z.ZodType>(EVENTS[type].metadata.shape).map(
    ([name, schema]) => [name, schema instanceof z.ZodOptional ? schema.unwrap() : schema] as const,
  );
  const texts = members.filter(([, schema]) => schema._zod.def.type === 'string');
  return new Map(texts.map(([name, schema]) => [name, classes.get(schema as z.ZodType)?.class]));
}

/** The envelope of an event (contract 6.3). It has exactly these seven fields. */
export const envelopeSchema = z.strictObject({
  id: z.uuid().describe('Event id: what to recognize a repetition by.'),
  org_id: z.string().describe('The organization.'),
  event_type: z.enum(EVENT_TYPES).describe('What happened.'),
  title: z.string().describe('Short text.'),
  description: z.string().describe('What happened, in a sentence.'),
  metadata: z.record(z.string(), z.unknown()).describe('Keys of this event type.'),
  created_at: timestamp('When it happened: ISO 8601, UTC.'),
});
export type Envelope = z.infer<typeof envelopeSchema>;

/**
 * Returns the envelope of an event as the text that is stored and sent.
 * @throws ZodError if the metadata does not match its schema. This is a bug of this service, found before anything is
 *   written
 */
export function envelopeText<T extends EventType>(
  type: T,
  event: { id: string; orgId: string; createdAt: number; metadata: Metadata<T> },
): string {
  const { title, description, metadata } = EVENTS[type];
  const envelope: Envelope = {
    id: event.id,
    org_id: event.orgId,
    event_type: type,
    title,
    description,
    metadata: metadata.parse(event.metadata) as Record<string, unknown>,
    created_at: new Date(event.createdAt).toISOString(),
  };
  return JSON.stringify(envelope);
}

/** The types of events that the platform of an integration gets about the requests that it sent. */
export const CALLBACK_EVENT_TYPES = [
  'order_request_approved',
  'order_request_rejected',
  'order_request_deleted',
  'order_request_needs_info',
  'order_updated',
  'order_status_updated',
] as const satisfies readonly EventType[];
/**
 * The fields of an order that matter to the platform of an integration. An `order_updated` is sent to the platform only
 * if one of these fields has changed.
 */
const CALLBACK_FIELDS = ['carrier', 'tracking_number', 'tracking_url', 'withdrawal'];

/**
 * Whether an event is one for the platform of an integration. If the event is about a request from such a platform, the
 * event is sent to this platform.
 */
export function isForCallback(type: EventType, metadata: object): boolean {
  if (!(CALLBACK_EVENT_TYPES as readonly EventType[]).includes(type)) return false;
  if (type !== 'order_updated') return true;
  const { changed_fields: changed } = metadata as Metadata<'order_updated'>;
  return changed.some((name) => CALLBACK_FIELDS.includes(name));
}
