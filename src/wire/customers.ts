import * as z from 'zod';
import type { CustomerExport, ExportedRequest, KeptRecord } from '../order-requests/erasure/erase';
import { customersFields } from '../orders/fields';
import type { FoundCustomer } from '../orders/read';
import type { Order } from '../orders/store';
import { customers } from '../orders/tables';
import type { Context } from '../platform/context';
import { responder, responseShape } from './fields';
import { deletedSchema, orderRequestSchema, orderSchema, prescriptionSchema, wireOrder } from './orders';
import { wirePrescription, wireRequest } from './requests';
import { idSchema, objectOf, timestampSchema, wireTime, wireTimeOrNull } from './schemas';

const exportedRequestSchema = orderRequestSchema.omit({ warnings: true, blockers: true }).extend({
  prescriptions: z
    .array(
      prescriptionSchema.extend({
        issued_on: z.string().nullable().describe('The day that it bears, if that was noted.'),
        set_aside_reason: z.string().nullable().describe('Why staff set it aside.'),
      }),
    )
    .describe('The prescriptions that belong to it.'),
  acknowledged: z.array(z.unknown()).describe('How lines differed from what was asked for, when it was approved.'),
  reason_note: z.string().nullable().describe('The reason in words.'),
  override_reason: z.string().nullable().describe('Why the request was approved despite blockers.'),
  submitted: z.record(z.string(), z.unknown()).nullable().describe('The body as it was sent, without the PDF.'),
});

const exportedOrderSchema = orderSchema.extend({
  collected_by: z.string().nullable().describe('Who collected it instead of the person.'),
  shelf: z.string().nullable().describe('Where it waited, in the words of staff.'),
  refund_note: z.string().nullable().describe('What staff wrote about the last refund.'),
});

/**
 * The fields of an erased order that the law requires to keep, if packs of a known batch have left (`restricted` in
 * orders/fields.ts).
 */
const KEPT_FIELDS = ['customer_name', 'prescriber_name', 'batches'];

export const erasedCustomerSchema = deletedSchema
  .extend({
    kept: z
      .array(
        z.object({
          order_id: idSchema.describe('The order.'),
          fields: z.array(z.string()).describe('What stays.'),
          law: z.string().describe('Why.'),
          until: timestampSchema.describe('Until when.'),
        }),
      )
      .describe('Restricted records, for recalls of a batch alone.'),
  })
  .meta({ id: 'ErasedCustomer', description: 'A person who was erased.' });

export function wireErased(id: string, kept: readonly KeptRecord[]): z.input<typeof erasedCustomerSchema> {
  const records = kept.map(({ orderId, until }) => ({
    ...{ order_id: orderId, fields: KEPT_FIELDS, law: '§ 22 ApBetrO', until: wireTime(until) },
  }));
  return { id, deleted: true, kept: records };
}

export const customerExportSchema = objectOf('CustomerExport', 'Everything that is kept about a person.', {
  customer: z.object(responseShape(customers, customersFields, { id: idSchema })).describe('The person.'),
  orders: z.array(exportedOrderSchema).describe('All orders.'),
  order_requests: z.array(exportedRequestSchema).describe('All order requests.'),
  questions: z
    .array(
      z.object({
        order_request_id: z.string().describe('The request.'),
        code: z.string().describe('What it is about.'),
        text: z.string().describe('What was asked.'),
        asked_at: timestampSchema,
        answer: z.string().nullable().describe('What staff learned.'),
        answered_at: timestampSchema.nullable(),
      }),
    )
    .describe('What staff asked about the requests, and what they learned.'),
  notes: z
    .array(
      z.object({
        order_request_id: z.string().nullable().describe('The request that it is about.'),
        order_id: z.string().nullable().describe('The order that it is about.'),
        text: z.string().describe('What was written.'),
        written_at: timestampSchema,
      }),
    )
    .describe('What staff wrote about requests and orders.'),
});

export const foundCustomerSchema = objectOf('Customer', 'A customer.', {
  id: idSchema.describe(customersFields.id.says),
  name: z.string().nullable().describe(customersFields.name.says),
  email: z.string().describe(customersFields.email.says),
  created_at: timestampSchema.describe(customersFields.createdAt.says),
  orders: z.int().min(0).describe('How many orders the person has; deleted ones do not count.'),
});

export function wireFoundCustomer(found: FoundCustomer): z.input<typeof foundCustomerSchema> {
  const { id, name, email, createdAt, orders } = found;
  return { id, name, email: email ?? '', created_at: wireTime(createdAt), orders };
}

const respondCustomer = responder(customersFields);

/**
 * Writes the export of a person as JSON, in the order of its schema. It is streamed, because it may be larger than a
 * Worker's memory.
 */
export async function* writeCustomerExport(
  ctx: Context,
  { customer, orders, requests, questions, notes }: CustomerExport,
): AsyncGenerator<string> {
  yield `{"customer":${JSON.stringify(respondCustomer(customer))},"orders":[`;
  yield* listed(orders, (order) => wireExportedOrder(ctx, order));
  yield '],"order_requests":[';
  yield* listed(requests, (each) => wireExportedRequest(ctx, each));
  const words: Pick<z.input<typeof customerExportSchema>, 'questions' | 'notes'> = {
    questions: questions.map((question) => ({
      order_request_id: question.orderRequestId,
      code: question.code,
      text: question.text,
      asked_at: wireTime(question.askedAt),
      answer: question.answer,
      answered_at: wireTimeOrNull(question.answeredAt),
    })),
    notes: notes.map((note) => ({
      order_request_id: note.orderRequestId,
      order_id: note.orderId,
      text: note.text,
      written_at: wireTime(note.writtenAt),
    })),
  };
  yield `],${JSON.stringify(words).slice(1)}`;
}

/** Returns the entries of a list one by one as JSON, with commas between them. */
async function* listed<T>(parts: AsyncIterable<T[]>, wire: (entry: T) => object): AsyncGenerator<string> {
  let before = '';
  for await (const part of parts) {
    for (const entry of part) {
      yield before + JSON.stringify(wire(entry));
      before = ',';
    }
  }
}

function wireExportedOrder(ctx: Context, order: Order): z.input<typeof exportedOrderSchema> {
  return {
    ...wireOrder(ctx, order),
    // The export has all details, regardless of the key's scopes.
    platform_details: order.platformDetails,
    collected_by: order.collectedBy,
    shelf: order.shelf,
    refund_note: order.refundNote,
  };
}

function wireExportedRequest(ctx: Context, reviewed: ExportedRequest): z.input<typeof exportedRequestSchema> {
  const { warnings: _, blockers: __, ...kept } = wireRequest(ctx, reviewed);
  const { reasonNote, overrideReason, payload, acknowledged } = reviewed.request;
  return {
    ...kept,
    platform_details: reviewed.request.platformDetails,
    prescriptions: reviewed.prescriptions.map((row) => ({
      ...wirePrescription(row),
      issued_on: row.issuedOn,
      set_aside_reason: row.setAsideReason,
    })),
    acknowledged: acknowledged ?? [],
    reason_note: reasonNote,
    override_reason: overrideReason,
    // SAFETY: the body was validated against the schema of submissions before it was stored.
    submitted: payload === null ? null : (JSON.parse(payload) as Record<string, unknown>),
  };
}
