import type { ErrorCode } from '../../platform/errors/error-codes';

/** The errors of submitting an order request. They are the same for the connector and the organization API. */
export const SUBMISSION_ERRORS: readonly ErrorCode[] = [
  'customer_required',
  'items_required',
  'item_identity_required',
  'unknown_shipping_option',
  'invalid_prescription_pdf',
  'prescription_too_large',
  'invalid_prescription_url',
  'erezept_token_refused',
  'payload_too_large',
  'shop_mismatch',
  'shop_inactive',
  'external_reference_conflict',
];
