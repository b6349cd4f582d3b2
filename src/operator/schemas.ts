import * as z from 'zod';
import { SOURCE_MAX } from '../orders/limits';
import { ROLES, SCOPES } from '../platform/access';
import { byWireName, ofWireNames } from '../platform/fields';
import { organizationRules, organizationsFields, shopRules, shopsFields } from '../tenants/fields';
import { FILTERED_MAX } from '../webhooks/limits';
import { EVENT_TYPES } from '../webhooks/service';
import { momentSchema, notEmpty } from '../wire/schemas';

const HOSTS_MAX = 20;

const organization = z.strictObject(byWireName(organizationsFields, organizationRules)).partial();

export const organizationSchema = organization
  .extend({ name: organizationRules.name, shard: z.int().min(0).optional() })
  .transform((body) => ofWireNames(organizationsFields, body));

export const organizationPatchSchema = notEmpty(
  organization.extend({ status: z.enum(['active', 'suspended']).optional() }),
).transform(({ status, ...body }) => ({
  settings: ofWireNames(organizationsFields, body),
  isSuspended: status === undefined ? undefined : status === 'suspended',
}));

const shop = byWireName(shopsFields, shopRules);

export const shopSchema = z
  .strictObject({
    name: shop.name,
    hosts: z.array(z.string().max(300)).max(HOSTS_MAX),
    delivery_service_name: shop.delivery_service_name.optional(),
    street: shop.street.optional(),
    postal_code: shop.postal_code.optional(),
    city: shop.city.optional(),
    phone: shop.phone.optional(),
    opening_hours: shop.opening_hours.optional(),
  })
  .transform((body) => ofWireNames(shopsFields, body));

export const moveSchema = z.strictObject({ shard: z.int().nonnegative() });

export const hostSchema = z.strictObject({ host: z.string().max(300) });

const PENDING_PAGE_MAX = 200;

/** Hosts that are active have no list: nobody has to do anything about them. */
export const hostQuerySchema = z.strictObject({
  status: z.enum(['pending', 'verifying', 'failed', 'moved']),
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
    name: organizationRules.name,
    scopes: z.array(z.enum(SCOPES)).min(1),
    expires_at: momentSchema.optional(),
  })
  .transform(({ expires_at: expiresAt, ...rest }) => ({ ...rest, expiresAt }));

export const memberSchema = z.strictObject({
  email: z.string().trim().toLowerCase().max(254).pipe(z.email()),
  role: z.enum(ROLES),
});

export const subscriptionSchema = z
  .strictObject({
    url: z.string(),
    event_types: z.array(z.enum(EVENT_TYPES)).min(1),
    shop_ids: z.array(z.string().max(100)).min(1).max(FILTERED_MAX).optional(),
    sources: z.array(z.string().min(1).max(SOURCE_MAX)).min(1).max(FILTERED_MAX).optional(),
  })
  .transform(({ url, event_types, shop_ids, sources }) => ({
    url,
    eventTypes: event_types,
    shopIds: shop_ids,
    sources,
  }));
