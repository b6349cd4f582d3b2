import * as z from 'zod';
import { DELIVERY_SERVICE_LENGTH_MAX, NAME_LENGTH_MAX, RECIPIENT_LENGTH_MAX, THRESHOLD_MAX } from './limits';
import { isIban, isOwnShippingOption } from './rules';

const RETENTION_DAYS_MAX = 36_525;

const name = z.string().trim().min(1).max(NAME_LENGTH_MAX);
const retentionDays = z.int().min(1).max(RETENTION_DAYS_MAX);

/** The fields of an organization, each with its own rule; adapters map them to the names on the wire. */
export const organizationFields = {
  name,
  /** Stored without spaces. */
  iban: z
    .string()
    .transform((text) => text.replace(/\s/g, '').toUpperCase())
    .refine(isIban, { message: 'Send a valid IBAN.', params: { code: 'invalid_iban' } })
    .nullable(),
  paymentRecipient: z.string().trim().min(1).max(RECIPIENT_LENGTH_MAX).nullable(),
  lowStockThreshold: z.int().min(0).max(THRESHOLD_MAX),
  requestRetentionDays: retentionDays,
  orderRetentionDays: retentionDays,
};

export const shopFields = {
  name,
  deliveryServiceName: z
    .string()
    .trim()
    .min(1)
    .max(DELIVERY_SERVICE_LENGTH_MAX)
    .refine(isOwnShippingOption, {
      message: 'Choose another name: a shipping option already has this one.',
      params: { code: 'shipping_option_taken' },
    }),
};
