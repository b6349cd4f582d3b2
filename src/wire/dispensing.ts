import * as z from 'zod';
import { UNITS } from '../catalog/tables';
import type { Dispensing } from '../order-requests/dispensing';
import { idSchema, objectOf, timestampSchema, wireAmount, wireTimeOrNull } from './schemas';

const text = (description: string) => z.string().describe(description);
const said = (description: string) => z.string().nullable().describe(description);

export const dispensingSchema = objectOf('DispensingRecord', 'What was supplied on prescription, and by whom.', {
  order_id: idSchema.describe('The order.'),
  order_number: z.int().describe('Its number.'),
  pharmacy: z
    .object({
      name: text('The organization.'),
      shop: said('The shop.'),
      street: said('Of the shop.'),
      postal_code: said('Of the shop.'),
      city: said('Of the shop.'),
      phone: said('Of the shop.'),
    })
    .describe('Who supplied it.'),
  dispensed_at: timestampSchema
    .nullable()
    .describe('When it was packed; null until it is, and if staff did not pack it here.'),
  dispensed_by: said('Who packed it; null until it is packed, and if staff did not pack it here.'),
  lines: z
    .array(
      z.object({
        name: text('What was supplied.'),
        pzn: said('Its PZN.'),
        quantity: z.int().describe('How many of `unit`.'),
        unit: z.enum(UNITS).describe('What quantity and price are of.'),
        price: z.number().describe('EUR for one of `unit`.'),
        batch: said('Its batch; null while none is recorded.'),
        other_product: z.boolean().describe('Whether another product than requested is supplied.'),
      }),
    )
    .describe('The lines that require a prescription.'),
  prescriptions: z
    .array(
      z.object({
        id: idSchema.describe('The prescription.'),
        sha256: said('SHA-256 of its PDF, hex.'),
        issued_on: said('The day that it bears, where staff recorded it.'),
      }),
    )
    .describe('The approved prescriptions; none for a key without `prescriptions.read`.'),
});

export function wireDispensing(record: Dispensing): z.input<typeof dispensingSchema> {
  const { order, pharmacy, lines, prescriptions, dispensedAt, dispensedBy } = record;
  const { name, shop } = pharmacy;
  const { street = null, postalCode = null, city = null, phone = null } = shop ?? {};
  return {
    order_id: order.id,
    order_number: order.number,
    pharmacy: { name, shop: shop?.name ?? null, street, postal_code: postalCode, city, phone },
    dispensed_at: wireTimeOrNull(dispensedAt),
    dispensed_by: dispensedBy,
    lines: lines.map(({ priceCents, isOther, unit, ...line }) => {
      return { ...line, unit: unit ?? ('piece' as const), price: wireAmount(priceCents), other_product: isOther };
    }),
    prescriptions: prescriptions.map(({ id, sha256, issuedOn }) => ({ id, sha256, issued_on: issuedOn })),
  };
}
