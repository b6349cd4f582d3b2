import { z } from 'zod';
import { ROLES, SCOPES } from '../platform/access';
import type { OrganizationFields } from '../tenants/service';
import { EVENT_TYPES } from '../webhooks/service';

const name = z.string().trim().min(1).max(200);
const HOSTS_MAX = 20;
const THRESHOLD_MAX = 1_000_000;
const RETENTION_DAYS_MIN = 1;
const RETENTION_DAYS_MAX = 36_525;

/** ISO 13616: country, check digits, up to 30 characters, and a remainder of 1 modulo 97. Spaces are dropped. */
const iban = z
  .string()
  .transform((text) => text.replaceAll(' ', '').toUpperCase())
  .refine(isIban, { message: 'Send a valid IBAN.', params: { code: 'invalid_iban' } });

export const organizationSchema = z
  .strictObject({
    name,
    iban: iban.nullish(),
    payment_recipient: z.string().trim().min(1).max(70).nullish(),
    low_stock_threshold: z.int().min(0).max(THRESHOLD_MAX).optional(),
    request_retention_days: z.int().min(RETENTION_DAYS_MIN).max(RETENTION_DAYS_MAX).optional(),
    order_retention_days: z.int().min(RETENTION_DAYS_MIN).max(RETENTION_DAYS_MAX).optional(),
  })
  .transform(toFields);

export const organizationPatchSchema = z
  .strictObject({
    name: name.optional(),
    iban: iban.nullable().optional(),
    payment_recipient: z.string().trim().min(1).max(70).nullable().optional(),
    low_stock_threshold: z.int().min(0).max(THRESHOLD_MAX).optional(),
    request_retention_days: z.int().min(RETENTION_DAYS_MIN).max(RETENTION_DAYS_MAX).optional(),
    order_retention_days: z.int().min(RETENTION_DAYS_MIN).max(RETENTION_DAYS_MAX).optional(),
  })
  .refine((patch) => Object.keys(patch).length > 0, {
    message: 'Send at least one field.',
    params: { code: 'no_fields' },
  })
  .transform(toFields);

const FIELD_NAMES: Record<string, string> = {
  payment_recipient: 'paymentRecipient',
  low_stock_threshold: 'lowStockThreshold',
  request_retention_days: 'requestRetentionDays',
  order_retention_days: 'orderRetentionDays',
};

/** Wire names to the use case's; what was not sent stays away. */
function toFields<T extends object>(body: T): T & Partial<OrganizationFields> {
  const entries = Object.entries(body).filter(([, value]) => value !== undefined);
  // SAFETY: the schemas above hold exactly these names, with the types that OrganizationFields has.
  return Object.fromEntries(entries.map(([name, value]) => [FIELD_NAMES[name] ?? name, value])) as T &
    Partial<OrganizationFields>;
}

export const shopSchema = z
  .strictObject({
    name,
    hosts: z.array(z.string().max(300)).max(HOSTS_MAX),
    delivery_service_name: z.string().trim().min(1).max(60).optional(),
  })
  .transform(({ delivery_service_name, ...rest }) => ({ ...rest, deliveryServiceName: delivery_service_name }));

export const hostSchema = z.strictObject({ host: z.string().max(300) });

export const apiKeySchema = z
  .strictObject({
    name,
    scopes: z.array(z.enum(SCOPES)).min(1),
    expires_at: z.iso.datetime({ offset: true }).optional(),
  })
  .transform(({ expires_at, ...rest }) => ({
    ...rest,
    expiresAt: expires_at === undefined ? undefined : Date.parse(expires_at),
  }));

export const memberSchema = z.strictObject({
  email: z.string().trim().toLowerCase().max(254).pipe(z.email()),
  role: z.enum(ROLES),
});

export const subscriptionSchema = z
  .strictObject({ url: z.string(), event_types: z.array(z.enum(EVENT_TYPES)).min(1) })
  .transform(({ url, event_types }) => ({ url, eventTypes: event_types }));

function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false;
  const digits = (text.slice(4) + text.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
}
