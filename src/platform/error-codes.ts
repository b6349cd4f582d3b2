/** What went wrong, in domain terms. Only `platform/http/http.ts` knows which HTTP status each kind becomes. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'too_slow'
  | 'too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'unavailable'
  | 'moving';

/**
 * Every code that an `AppError` can have, with its kind. A new code is entered here first; the compiler then asks for
 * its meaning in the reference (`public-api/errors.ts`).
 */
export const ERROR_KINDS = {
  invalid_json: 'invalid',
  invalid_request: 'invalid',
  validation_failed: 'invalid',
  body_incomplete: 'invalid',
  too_complex: 'invalid',
  invalid_header: 'invalid',
  invalid_encoding: 'invalid',
  invalid_scope: 'invalid',
  unsupported_grant_type: 'invalid',
  overrides_too_large: 'invalid',
  customer_required: 'invalid',
  items_required: 'invalid',
  item_identity_required: 'invalid',
  unknown_shipping_option: 'invalid',
  invalid_prescription_pdf: 'invalid',
  prescription_too_large: 'invalid',
  invalid_prescription_url: 'invalid',
  payload_too_large: 'invalid',
  shop_mismatch: 'invalid',
  shop_inactive: 'invalid',
  ambiguous_credentials: 'invalid',
  missing_api_key: 'unauthenticated',
  invalid_api_key: 'unauthenticated',
  invalid_client: 'unauthenticated',
  missing_token: 'unauthenticated',
  invalid_token: 'unauthenticated',
  insufficient_scope: 'forbidden',
  stale_form: 'forbidden',
  org_mismatch: 'forbidden',
  not_found: 'not_found',
  shop_not_found: 'not_found',
  organization_not_found: 'not_found',
  api_key_not_found: 'not_found',
  member_not_found: 'not_found',
  invitation_not_found: 'not_found',
  reset_not_found: 'not_found',
  order_request_not_found: 'not_found',
  order_not_found: 'not_found',
  prescription_not_found: 'not_found',
  subscription_not_found: 'not_found',
  delivery_not_found: 'not_found',
  customer_not_found: 'not_found',
  catalog_product_not_found: 'not_found',
  product_not_attached: 'not_found',
  method_not_allowed: 'method_not_allowed',
  product_not_in_inventory: 'conflict',
  out_of_stock: 'conflict',
  insufficient_stock: 'conflict',
  conflict: 'conflict',
  changed_meanwhile: 'conflict',
  slug_taken: 'conflict',
  already_decided: 'conflict',
  not_approvable: 'conflict',
  superseded: 'conflict',
  request_has_order: 'conflict',
  not_redeliverable: 'conflict',
  legal_hold: 'conflict',
  open_orders: 'conflict',
  invalid_transition: 'conflict',
  prescription_not_approved: 'conflict',
  prescription_not_covering: 'conflict',
  on_hold: 'conflict',
  not_paid: 'conflict',
  refund_exceeds_paid: 'conflict',
  order_locked: 'conflict',
  order_not_deletable: 'conflict',
  order_not_payable: 'conflict',
  iban_missing: 'conflict',
  shop_host_missing: 'conflict',
  prescription_not_stored: 'conflict',
  not_fetchable: 'conflict',
  host_taken: 'conflict',
  host_limit_reached: 'conflict',
  pending_host_limit_reached: 'conflict',
  last_host: 'conflict',
  shop_limit_reached: 'conflict',
  external_reference_conflict: 'conflict',
  member_exists: 'conflict',
  second_factor_on: 'conflict',
  member_limit_reached: 'conflict',
  last_owner: 'conflict',
  own_reset: 'conflict',
  subscription_limit_reached: 'conflict',
  subscription_changed: 'conflict',
  secret_overlap_running: 'conflict',
  api_key_not_rotatable: 'conflict',
  key_overlap_running: 'conflict',
  api_key_limit_reached: 'conflict',
  body_too_slow: 'too_slow',
  body_too_large: 'too_large',
  unsupported_media_type: 'unsupported_media_type',
  unsupported_content_encoding: 'unsupported_media_type',
  rate_limited: 'rate_limited',
  too_many_tests: 'rate_limited',
  busy: 'rate_limited',
  backend_unreachable: 'unavailable',
  organization_moving: 'moving',
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERROR_KINDS;

/** Every code of a problem document. An error without a public code is sent as `internal_error`. */
export type ProblemCode = ErrorCode | 'internal_error';

/** The codes of one kind: `CodeOf<'not_found'>` are the codes of everything that can be missing. */
export type CodeOf<K extends ErrorKind> = {
  [C in ErrorCode]: (typeof ERROR_KINDS)[C] extends K ? C : never;
}[ErrorCode];
