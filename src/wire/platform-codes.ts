import type { ReasonCode } from '../orders/service';

/** Why a request was rejected or its order cancelled, as platforms are told: what they can act on. */
export const PLATFORM_REASONS = [
  'prescription_missing',
  'prescription_invalid',
  'prescription_expired',
  'prescription_used',
  'out_of_stock',
  'not_available',
  'address_invalid',
  'outside_delivery_area',
  'customer_withdrew',
  'duplicate',
  'expired',
  'other',
] as const;
type PlatformReason = (typeof PLATFORM_REASONS)[number];

const OF_REASON: Record<ReasonCode, PlatformReason> = {
  prescription_missing: 'prescription_missing',
  prescription_unreadable: 'prescription_invalid',
  prescription_expired: 'prescription_expired',
  prescription_signature_invalid: 'prescription_invalid',
  prescription_incomplete: 'prescription_invalid',
  prescription_already_used: 'prescription_used',
  patient_mismatch: 'prescription_invalid',
  item_mismatch: 'prescription_invalid',
  quantity_exceeds_prescription: 'prescription_invalid',
  clinical_concern: 'other',
  out_of_stock: 'out_of_stock',
  not_available: 'not_available',
  address_invalid: 'address_invalid',
  outside_delivery_area: 'outside_delivery_area',
  shipping_not_allowed: 'not_available',
  underage: 'other',
  duplicate_order: 'duplicate',
  payment_problem: 'other',
  suspected_fraud: 'other',
  customer_withdrew: 'customer_withdrew',
  expired: 'expired',
  test: 'other',
  other: 'other',
};

/** @param code as it is stored; null where there is none. One that was never given to staff is `other`. */
export function platformReason(code: string | null): PlatformReason | null {
  if (code === null) return null;
  return Object.hasOwn(OF_REASON, code) ? OF_REASON[code as ReasonCode] : 'other';
}
