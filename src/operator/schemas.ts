import * as z from 'zod';
import { ROLES, SCOPES } from '../platform/access';
import { type OrganizationFields, organizationFields, shopFields } from '../tenants/service';
import { EVENT_TYPES } from '../webhooks/service';

const HOSTS_MAX = 20;

const { name, iban, paymentRecipient, lowStockThreshold, requestRetentionDays, orderRetentionDays } =
  organizationFields;
const optional = {
  iban: iban.optional(),
  payment_recipient: paymentRecipient.optional(),
  low_stock_threshold: lowStockThreshold.optional(),
  request_retention_days: requestRetentionDays.optional(),
  order_retention_days: orderRetentionDays.optional(),
};

export const organizationSchema = z
  .strictObject({ name, ...optional, shard: z.int().min(0).optional() })
  .transform(toFields);

export const organizationPatchSchema = z
  .strictObject({ name: name.optional(), ...optional })
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

/** Maps names on the wire to those of the use case; fields that were not sent stay missing. */
function toFields<T extends object>(body: T): T & Partial<OrganizationFields> {
  const entries = Object.entries(body).filter(([, value]) => value !== undefined);
  // SAFETY: the schemas above have exactly these names, with the types of OrganizationFields.
  return Object.fromEntries(entries.map(([name, value]) => [FIELD_NAMES[name] ?? name, value])) as T &
    Partial<OrganizationFields>;
}

export const shopSchema = z
  .strictObject({
    name,
    hosts: z.array(z.string().max(300)).max(HOSTS_MAX),
    delivery_service_name: shopFields.deliveryServiceName.optional(),
  })
  .transform(({ delivery_service_name, ...rest }) => ({ ...rest, deliveryServiceName: delivery_service_name }));

export const moveSchema = z.strictObject({ shard: z.int().nonnegative() });

export const hostSchema = z.strictObject({ host: z.string().max(300) });

const PENDING_PAGE_MAX = 200;

/** Only pending hosts need the operator, so no other status can be listed. */
export const hostQuerySchema = z.strictObject({
  status: z.literal('pending'),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, `Send a number from 1 to ${PENDING_PAGE_MAX}.`)
    .default('100')
    .transform(Number)
    .pipe(z.int().max(PENDING_PAGE_MAX)),
  cursor: z
    .string()
    .regex(/^[\da-f-]{36}$/, 'Send the next_cursor of an earlier answer.')
    .default(''),
});

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
