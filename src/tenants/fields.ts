import * as z from 'zod';
import { business, type ChangedBy, type FieldsOf } from '../platform/fields';
import { fault, textOf } from '../platform/http/validation';
import { type organizations, SIGNATURE_CHECKS } from '../platform/tables';
import * as limits from './limits';
import { isIban, isOwnShippingOption } from './rules';
import type { pendingHosts, releasedHosts, shopHosts, shops } from './tables';

const setting = { class: 'business', changedBy: ['settings'] } as const;

export const organizationsFields = {
  ...business(
    'id',
    'state',
    'fencedBy',
    'suspendedAt',
    'orderNumberFloor',
    'isTest',
    'counterpartId',
    'createdAt',
    'updatedAt',
  ),
  name: { ...setting, wire: 'name' },
  iban: { ...setting, wire: 'iban' },
  paymentRecipient: { ...setting, wire: 'payment_recipient' },
  lowStockThreshold: { ...setting, wire: 'low_stock_threshold' },
  requestRetentionDays: { ...setting, wire: 'request_retention_days' },
  orderRetentionDays: { ...setting, wire: 'order_retention_days' },
  prescriptionValidDays: { ...setting, wire: 'prescription_valid_days' },
  signatureCheck: { ...setting, wire: 'signature_check' },
  shippingRules: { class: 'business', changedBy: ['rules'], wire: 'shipping_rules' },
} as const satisfies FieldsOf<typeof organizations>;

export const shopsFields = {
  ...business('id', 'orgId', 'listedCount', 'createdAt', 'updatedAt'),
  name: { ...setting, wire: 'name' },
  deliveryServiceName: { ...setting, wire: 'delivery_service_name' },
  street: { ...setting, wire: 'street' },
  postalCode: { ...setting, wire: 'postal_code' },
  city: { ...setting, wire: 'city' },
  phone: { ...setting, wire: 'phone' },
  openingHours: { ...setting, wire: 'opening_hours' },
  fees: { class: 'business', changedBy: ['fees'], wire: 'fees' },
  feeMaxCents: { class: 'business', changedBy: ['fees'], wire: 'fee_max', unit: 'cents' },
  reservePendingMinutes: { class: 'business', changedBy: ['reservation'], wire: 'reserve_minutes_pending' },
  reservePaidMinutes: { class: 'business', changedBy: ['reservation'], wire: 'reserve_minutes_paid' },
  isActive: { class: 'business', changedBy: ['switch'], wire: 'is_active' },
  expressKind: { class: 'business', changedBy: ['shipping'], wire: 'express_kind' },
  deliveryServiceKind: { class: 'business', changedBy: ['shipping'], wire: 'delivery_service_kind' },
  shippingAliases: { class: 'business', changedBy: ['shipping'], wire: 'shipping_aliases' },
} as const satisfies FieldsOf<typeof shops>;

export const shopHostsFields = business(
  'host',
  'orgId',
  'shopId',
  'createdAt',
  'customHostnameId',
  'movedAt',
  'nextCheckAt',
) satisfies FieldsOf<typeof shopHosts>;
export const pendingHostsFields = business(
  'id',
  'orgId',
  'shopId',
  'host',
  'createdAt',
  'status',
  'failure',
  'hasCname',
  'hasTxt',
  'checkedAt',
  'nextCheckAt',
  'customHostnameId',
) satisfies FieldsOf<typeof pendingHosts>;
export const releasedHostsFields = business('host', 'createdAt') satisfies FieldsOf<typeof releasedHosts>;

const name = textOf(limits.NAME_LENGTH_MAX);
const retentionDays = z.int().min(1).max(limits.OPERATOR_RETENTION_DAYS_MAX);

/** The settings of an organization, each with its own rule. */
export const organizationRules = {
  name,
  /** Stored without spaces. */
  iban: z
    .string()
    .transform((text) => text.replace(/\s/g, '').toUpperCase())
    .refine(isIban, fault('invalid_iban', 'Send an IBAN: a country that has them, its length and right check digits.'))
    .nullable(),
  paymentRecipient: textOf(limits.RECIPIENT_LENGTH_MAX).nullable(),
  lowStockThreshold: z.int().min(0).max(limits.THRESHOLD_MAX),
  requestRetentionDays: retentionDays,
  orderRetentionDays: retentionDays,
  prescriptionValidDays: z.int().min(1).max(limits.PRESCRIPTION_VALID_DAYS_MAX),
  signatureCheck: z.enum(SIGNATURE_CHECKS),
} satisfies Record<ChangedBy<typeof organizationsFields, 'settings'>, z.ZodType>;

type Values<Rules extends Record<string, z.ZodType>> = { [Key in keyof Rules]: z.output<Rules[Key]> };
export type OrganizationSettings = Values<typeof organizationRules>;

/** A phone number: digits, and characters that group them. */
const phone = z
  .string()
  .trim()
  .max(limits.PHONE_LENGTH_MAX)
  .regex(/^\+?[\d ()/.-]{4,}$/);

export const shopRules = {
  name,
  deliveryServiceName: textOf(limits.DELIVERY_SERVICE_LENGTH_MAX).refine(
    isOwnShippingOption,
    fault('shipping_option_taken', 'Choose another name: a shipping option already has this one.'),
  ),
  street: textOf(limits.ADDRESS_LINE_LENGTH_MAX).nullable(),
  postalCode: textOf(limits.POSTAL_CODE_LENGTH_MAX).nullable(),
  city: textOf(limits.ADDRESS_LINE_LENGTH_MAX).nullable(),
  phone: phone.nullable(),
  openingHours: textOf(limits.OPENING_HOURS_LENGTH_MAX).nullable(),
} satisfies Record<ChangedBy<typeof shopsFields, 'settings'>, z.ZodType>;

export type ShopSettings = Values<typeof shopRules>;
export type ShopFeeSettings = Pick<
  (typeof shops)['$inferSelect'],
  ChangedBy<typeof shopsFields, 'fees' | 'shipping' | 'reservation'>
>;
