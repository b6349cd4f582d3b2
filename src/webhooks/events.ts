import * as z from 'zod';
// With their endings: scripts run this file in Node itself, which adds none.
import type { FieldClass } from '../platform/fields.ts';
import { once } from '../platform/once.ts';

/**
 * The event catalog: every event type (contract 6.2) with its description, the schema of its metadata and an example.
 * Metadata never contain a name, an address or anything else about a patient.
 */
const classes = z.registry<{ class: FieldClass }>();
const business = { class: 'business' } as const;

const idOf = (description: string) => z.string().min(1).max(100).meta({ description }).register(classes, business);
/** What somebody outside wrote. What tells of a person is emptied with them. */
const text = (of: FieldClass, description: string) =>
  z.string().max(300).meta({ description }).register(classes, { class: of });
const word = (description: string, max = 40) => z.string().max(max).meta({ description }).register(classes, business);
const fieldNames = (description: string) => z.array(z.string().max(60)).max(60).meta({ description });
const timestamp = (description: string) => z.iso.datetime().meta({ description }).register(classes, business);
const requestId = idOf('The order request.');
const order = idOf('The order.');
const shop = idOf('The shop.');
const prescription = idOf('The prescription.');
const product = idOf('Catalog product id.');
const source = text('business', 'The platform or program that it came from.');
const reference = text('person', "The caller's reference; empty when none was sent.");
/** EUR, a decimal number like all amounts on the wire. */
const amount = z.number().nonnegative();

const requestKeys = { order_request_id: requestId, external_reference: reference, shop_id: shop, source };
const requestExample = {
  order_request_id: '019aa0b2-7c11-7d1e-9f3a-3f5a1c2b4d6e',
  external_reference: 'RX-2026-0001',
  shop_id: '019aa0b0-1f00-7aaa-8c01-0c9be1b2a301',
  source: 'telemed.example',
};
const orderId = '019aa0c4-52f3-7b0c-b1de-90b7c1f0a2d4';
const prescriptionId = '019aa0b2-7c12-7a44-8d10-6a7b8c9d0e1f';
const changedFields = fieldNames('Names of the fields that changed.');
const stockKeys = {
  p1_id: product,
  stock_quantity: z.int().nonnegative().meta({ description: 'Pieces that are left.' }),
  threshold: z.int().nonnegative().meta({ description: 'The threshold of the product.' }),
};
const productKeys = { p1_id: product, changed_fields: changedFields.optional() };

interface EventDefinition<M extends z.ZodObject = z.ZodObject> {
  group: 'Orders' | 'Order requests' | 'Prescriptions' | 'Products and stock' | 'Payments';
  title: string;
  description: string;
  metadata: M;
  example: z.infer<M>;
}

/** @param definition with a function that makes the schema: an isolate needs few of them, and all at once take milliseconds */
function define<M extends z.ZodObject>(
  definition: Omit<EventDefinition<M>, 'metadata'> & { metadata: () => M },
): EventDefinition<M> {
  const metadata = once(definition.metadata);
  return {
    ...definition,
    get metadata() {
      return metadata();
    },
  };
}

export const EVENTS = {
  order_created: define({
    group: 'Orders',
    title: 'Order created',
    description: 'A new order exists.',
    metadata: () =>
      z.strictObject({
        order_id: order,
        shop_id: shop,
        source,
        external_reference: reference,
        status: word('Status of the order.'),
        payment_status: word('How it is paid.'),
        order_request_id: requestId.optional(),
      }),
    example: {
      order_id: orderId,
      shop_id: requestExample.shop_id,
      source: requestExample.source,
      external_reference: requestExample.external_reference,
      status: 'awaiting_packing',
      payment_status: 'cash_on_pickup',
      order_request_id: requestExample.order_request_id,
    },
  }),
  order_updated: define({
    group: 'Orders',
    title: 'Order updated',
    description: 'Fields of an order changed.',
    metadata: () => z.strictObject({ order_id: order, changed_fields: changedFields }),
    example: { order_id: orderId, changed_fields: ['shipping_option'] },
  }),
  order_status_updated: define({
    group: 'Orders',
    title: 'Order status updated',
    description: 'The status or a flag of an order changed.',
    metadata: () =>
      z.strictObject({
        order_id: order,
        old_status: word('Where it stood.'),
        new_status: word('Where it stands; the same when only a flag changed.'),
        changed_flags: fieldNames('Names of the flags that changed.').optional(),
      }),
    example: { order_id: orderId, old_status: 'awaiting_packing', new_status: 'ready_pickup' },
  }),
  order_marked_paid: define({
    group: 'Orders',
    title: 'Order marked as paid',
    description: 'An order was marked as paid.',
    metadata: () =>
      z.strictObject({
        order_id: order,
        payment_reference: text('person', 'Payment transaction id; empty when none was given.'),
        total_amount: amount.meta({ description: 'What was paid, in EUR.' }),
      }),
    example: { order_id: orderId, payment_reference: 'TX-4711', total_amount: 24.9 },
  }),
  order_deleted: define({
    group: 'Orders',
    title: 'Order deleted',
    description: 'An order was deleted.',
    metadata: () => z.strictObject({ order_id: order }),
    example: { order_id: orderId },
  }),
  order_request_submitted: define({
    group: 'Order requests',
    title: 'Order request submitted',
    description: 'An external platform submitted an order request.',
    metadata: () => z.strictObject(requestKeys),
    example: requestExample,
  }),
  order_request_approved: define({
    group: 'Order requests',
    title: 'Order request approved',
    description: 'Staff approved an order request; it is an order now.',
    metadata: () => z.strictObject({ ...requestKeys, order_id: order }),
    example: { ...requestExample, order_id: orderId },
  }),
  order_request_rejected: define({
    group: 'Order requests',
    title: 'Order request rejected',
    description: 'Staff rejected an order request.',
    metadata: () => z.strictObject({ ...requestKeys, reason_code: word('Why it was rejected.', 60) }),
    example: { ...requestExample, reason_code: 'prescription_unreadable' },
  }),
  order_request_deleted: define({
    group: 'Order requests',
    title: 'Order request deleted',
    description: 'An order request was deleted.',
    metadata: () => z.strictObject(requestKeys),
    example: requestExample,
  }),
  prescription_approved: define({
    group: 'Prescriptions',
    title: 'Prescription approved',
    description: 'A prescription was approved.',
    metadata: () =>
      z.strictObject({
        prescription_id: prescription,
        order_request_id: requestId.optional(),
        order_id: order.optional(),
      }),
    example: { prescription_id: prescriptionId, order_request_id: requestExample.order_request_id },
  }),
  paperless_signature_completed: define({
    group: 'Prescriptions',
    title: 'Signature completed',
    description: 'A qualified electronic signature was completed.',
    metadata: () =>
      z.strictObject({
        prescription_id: prescription,
        provider: text('business', 'Who made the signature.'),
        signature_reference: text('person', "The provider's id of the signature."),
        signed_at: timestamp('When it was signed.'),
      }),
    example: {
      prescription_id: prescriptionId,
      provider: 'qes.example',
      signature_reference: 'SIG-2026-77',
      signed_at: '2026-11-20T09:30:00.000Z',
    },
  }),
  product_created: define({
    group: 'Products and stock',
    title: 'Product created',
    description: 'A product entered the inventory.',
    metadata: () => z.strictObject(productKeys),
    example: { p1_id: 'P1-10001' },
  }),
  product_updated: define({
    group: 'Products and stock',
    title: 'Product updated',
    description: 'A product of the inventory changed.',
    metadata: () => z.strictObject(productKeys),
    example: { p1_id: 'P1-10001', changed_fields: ['price'] },
  }),
  product_deleted: define({
    group: 'Products and stock',
    title: 'Product deleted',
    description: 'A product left the inventory.',
    metadata: () => z.strictObject(productKeys),
    example: { p1_id: 'P1-10001' },
  }),
  low_stock: define({
    group: 'Products and stock',
    title: 'Low stock',
    description: 'The stock of a product fell below its threshold.',
    metadata: () => z.strictObject(stockKeys),
    example: { p1_id: 'P1-10001', stock_quantity: 4, threshold: 5 },
  }),
  out_of_stock: define({
    group: 'Products and stock',
    title: 'Out of stock',
    description: 'The stock of a product is zero.',
    metadata: () => z.strictObject(stockKeys),
    example: { p1_id: 'P1-10001', stock_quantity: 0, threshold: 5 },
  }),
  payment_link_created: define({
    group: 'Payments',
    title: 'Payment link created',
    description: 'A payment link was created for an order.',
    metadata: () =>
      z.strictObject({
        order_id: order,
        payment_link_id: idOf('The link.'),
        // Ends with the link, which an erasure voids.
        url: z
          .url()
          .max(500)
          .meta({ description: 'The page on which the customer pays.' })
          .register(classes, { class: 'secret' }),
        amount: amount.meta({ description: 'What is to be paid, in EUR.' }),
        expires_at: timestamp('Until when the link can be used.'),
      }),
    example: {
      order_id: orderId,
      payment_link_id: '019aa0d1-0a0b-7c0d-8e0f-101112131415',
      url: 'https://rx.pharmacy.example/pay/4kT9',
      amount: 24.9,
      expires_at: '2026-12-04T09:30:00.000Z',
    },
  }),
} as const;

export type EventType = keyof typeof EVENTS;
export const EVENT_TYPES = Object.keys(EVENTS) as [EventType, ...EventType[]];
/** Events of products and stock come by the thousand, and wait for those of orders. */
export const BULK_EVENTS = EVENT_TYPES.filter((type) => EVENTS[type].group === 'Products and stock');
export type Metadata<T extends EventType> = z.infer<(typeof EVENTS)[T]['metadata']>;

/** What the texts in the metadata of an event type can tell, by their names; undefined for one that says nothing of it. */
export function textClasses(type: EventType): Map<string, FieldClass | undefined> {
  const members = Object.entries<z.ZodType>(EVENTS[type].metadata.shape).map(
    ([name, schema]) => [name, schema instanceof z.ZodOptional ? schema.unwrap() : schema] as const,
  );
  const texts = members.filter(([, schema]) => schema._zod.def.type === 'string');
  return new Map(texts.map(([name, schema]) => [name, classes.get(schema as z.ZodType)?.class]));
}

/** The envelope (contract 6.3) has exactly these seven fields. */
export const envelopeSchema = z.strictObject({
  id: z.uuid().meta({ description: 'Event id: what to recognize a repetition by.' }),
  org_id: z.string().meta({ description: 'The organization.' }),
  event_type: z.enum(EVENT_TYPES).meta({ description: 'What happened.' }),
  title: z.string().meta({ description: 'Short text.' }),
  description: z.string().meta({ description: 'What happened, in a sentence.' }),
  metadata: z.record(z.string(), z.unknown()).meta({ description: 'Keys of this event type.' }),
  created_at: timestamp('When it happened: ISO 8601, UTC.'),
});
export type Envelope = z.infer<typeof envelopeSchema>;

/**
 * The envelope of an event, as the text that is stored and sent.
 * @throws ZodError when the metadata do not match their schema: a bug of this service, found before anything is written
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
