import * as z from 'zod';
import { listPrescriptions } from '../order-requests/inbox/inbox';
import { approvePrescriptionFor, completeSignature } from '../order-requests/review/approve';
import { LINES_MAX, QUANTITY_MAX } from '../orders/limits';
import type { Context } from '../platform/context';
import { textOf } from '../platform/http/validation';
import { getPrescription, readPrescription, readPrescriptionFile } from '../prescriptions/review';
import { VERIFICATIONS } from '../prescriptions/tables';
import { prescriptionDetailSchema, prescriptionSchema } from '../wire/orders';
import { wirePrescription, wirePrescriptionDetail } from '../wire/requests';
import { momentSchema, p1IdSchema } from '../wire/schemas';
import { endpointsOf } from './endpoint/endpoint';

const api = endpointsOf({ tag: 'Prescriptions', scopes: 'prescriptions', id: 'Prescription id.' });

const pdfSchema = z.string().meta({ description: 'The file.', override: { type: 'string', format: 'binary' } });
const prescriptionListSchema = z.object({
  data: z.array(prescriptionDetailSchema).describe('Prescriptions, the oldest first.'),
});

const prescriptionAgain = async (ctx: Context, { about }: { about: string }) => ({
  body: wirePrescription(await getPrescription(ctx, about)),
});

const ofRequests = endpointsOf({ tag: 'Prescriptions', scopes: 'prescriptions', id: 'Order request id.' });
const REPORT_READ = 'Each report that is read is an entry in the audit log.';
const LIMITED = 'A key that is limited to some shops gets 404 for those of others.';

export const prescriptionEndpoints = [
  api.get('/prescriptions/:id', {
    id: 'getPrescription',
    summary: 'Get prescription',
    description: `What is known of a prescription: its file, its approval, its signature. ${REPORT_READ} ${LIMITED}`,
    answers: { 200: { description: 'The prescription.', schema: prescriptionDetailSchema } },
    errors: ['prescription_not_found'],
    handle: async (ctx, { params: { id } }) => ({
      body: wirePrescriptionDetail(await readPrescription(ctx, id)),
    }),
  }),
  api.get('/prescriptions/:id/file', {
    id: 'getPrescriptionFile',
    summary: 'Download prescription',
    description: `The PDF, byte for byte as it was filed. \`ETag\` is its SHA-256 in hex, between quotation marks. With \`part=signed\`: the revision that the signature that counts covers, without what came later. Each download is an entry in the audit log of the organization; 304 is none. ${LIMITED}`,
    query: z.object({
      part: z.literal('signed').optional().describe('The signed revision alone.'),
    }),
    reads: 'If-None-Match',
    answers: { 200: { description: 'The PDF.', schema: pdfSchema, headers: ['ETag'], mediaType: 'application/pdf' } },
    errors: [
      'prescription_not_found',
      'prescription_not_stored',
      'signature_check_pending',
      'signed_revision_not_found',
    ],
    handle: async (ctx, { params: { id }, query }) => {
      const { tag, open } = await readPrescriptionFile(ctx, id, query.part);
      return { headers: { 'Content-Type': 'application/pdf', ETag: `"${tag}"` }, body: open };
    },
  }),
  ofRequests.get('/order-requests/:id/prescriptions', {
    id: 'listPrescriptions',
    summary: 'List prescriptions of a request',
    description: `The prescriptions of an order request, the oldest first, those that were set aside included. ${REPORT_READ} ${LIMITED}`,
    answers: { 200: { description: 'All of them.', schema: prescriptionListSchema } },
    errors: ['order_request_not_found'],
    handle: async (ctx, { params: { id } }) => ({
      body: { data: (await listPrescriptions(ctx, id)).map(wirePrescriptionDetail) },
    }),
  }),
  api.post('/prescriptions/:id/approve', {
    id: 'approvePrescription',
    summary: 'Approve prescription',
    description:
      "Records a pharmacist's decision that it is valid, and the products and quantities that it covers. The lines of a request or an order that require a prescription must be covered, by several prescriptions together where there are several; else `prescription_not_covering` stands in the way. Repeated with other lines, it covers those instead; with the same ones, nothing changes.",
    body: z.strictObject({
      lines: z
        .array(
          z.strictObject({
            p1_id: p1IdSchema,
            quantity: z.int().min(1).max(QUANTITY_MAX).meta({ description: 'Pieces.', example: 2 }),
          }),
        )
        .min(1)
        .max(LINES_MAX)
        .nullish()
        .describe(
          'What it covers; when missing, the lines of its request or order as they stand, without those that its platform put on another prescription.',
        ),
      verification: z
        .enum(VERIFICATIONS)
        .optional()
        .describe(
          'What was looked at. With `original_follows` the order does not leave before the original is there. When missing: `signed_file` where the check of the signature passed.',
        ),
    }),
    answers: { 200: { description: 'Approved.', schema: prescriptionSchema } },
    errors: ['prescription_not_found', 'prescription_not_stored'],
    handle: async (ctx, { params: { id }, body }) => {
      const lines = body.lines?.map(({ p1_id, quantity }) => ({ p1Id: p1_id, quantity }));
      const { verification } = body;
      return { body: wirePrescription(await approvePrescriptionFor(ctx, id, { lines, verification })) };
    },
    again: prescriptionAgain,
  }),
  api.post('/prescriptions/:id/signature', {
    id: 'completeSignature',
    summary: 'Report a completed signature',
    description:
      'Reports a qualified electronic signature that was completed at its provider. Repeating the same report changes nothing.',
    body: z.strictObject({
      provider: textOf(200).describe('Who made the signature.'),
      signature_reference: textOf(200).describe("The provider's id of the signature."),
      signed_at: momentSchema.describe('When it was signed: ISO 8601 with an offset.'),
    }),
    answers: { 200: { description: 'Recorded.', schema: prescriptionSchema } },
    errors: ['prescription_not_found', 'prescription_not_stored'],
    handle: async (ctx, { params: { id }, body }) => {
      const { provider, signature_reference: signatureReference, signed_at: signedAt } = body;
      const signature = { provider, signatureReference, signedAt };
      return { body: wirePrescription(await completeSignature(ctx, id, signature)) };
    },
    again: prescriptionAgain,
  }),
];
