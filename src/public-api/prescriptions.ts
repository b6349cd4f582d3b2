import * as z from 'zod';
import { approvePrescription, recordSignature } from '../prescriptions/service';
import { endpoint } from './endpoint';
import { prescriptionSchema } from './wire/order-schemas';
import { wirePrescription } from './wire/requests';
import { idSchema } from './wire/schemas';

const params = z.object({ id: idSchema.meta({ description: 'Prescription id.' }) });

export const prescriptionEndpoints = [
  endpoint({
    id: 'approvePrescription',
    method: 'post',
    path: '/prescriptions/:id/approve',
    scope: 'prescriptions.write',
    tag: 'Prescriptions',
    summary: 'Approve prescription',
    description: "Records a pharmacist's decision that it is valid. Safe to repeat.",
    params,
    body: z.strictObject({}),
    answers: { 200: { description: 'Approved.', schema: prescriptionSchema } },
    errors: ['prescription_not_found', 'prescription_not_stored'],
    handle: async (ctx, { params: { id } }) => ({ body: wirePrescription(await approvePrescription(ctx, id)) }),
  }),
  endpoint({
    id: 'completeSignature',
    method: 'post',
    path: '/prescriptions/:id/signature',
    scope: 'prescriptions.write',
    tag: 'Prescriptions',
    summary: 'Report a completed signature',
    description:
      'Reports a qualified electronic signature that was completed at its provider. Repeating the same report changes nothing.',
    params,
    body: z.strictObject({
      provider: z.string().trim().min(1).max(200).meta({ description: 'Who made the signature.' }),
      signature_reference: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .meta({ description: "The provider's id of the signature." }),
      signed_at: z.iso.datetime({ offset: true }).meta({ description: 'When it was signed: ISO 8601 with an offset.' }),
    }),
    answers: { 200: { description: 'Recorded.', schema: prescriptionSchema } },
    errors: ['prescription_not_found', 'prescription_not_stored'],
    handle: async (ctx, { params: { id }, body }) => {
      const signature = {
        provider: body.provider,
        signatureReference: body.signature_reference,
        signedAt: Date.parse(body.signed_at),
      };
      return { body: wirePrescription(await recordSignature(ctx, id, signature)) };
    },
  }),
];
