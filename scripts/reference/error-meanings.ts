import { API_KEYS_MAX, MEMBERS_MAX } from '../../src/auth/limits';
import { KEY_HOURS } from '../../src/idempotency/limits';
import { OVERRIDES_BYTES_MAX } from '../../src/inventory/limits';
import { PAYLOAD_BYTES_MAX, SUPPLEMENTS_MAX } from '../../src/order-requests/limits';
import type { ProblemCode } from '../../src/platform/errors/error-codes';
import { IDEMPOTENCY_KEY_CHARACTERS_MAX, PDF_BYTES_MAX, STRUCTURE_MAX } from '../../src/platform/limits';
import { grouped } from '../../src/platform/map-concurrent';
import { SUBSCRIPTIONS_MAX, TESTS_A_MINUTE } from '../../src/webhooks/limits';

const KIB = 1024;

/** `64 KiB`, `10 MiB`. */
export function sizeOf(bytes: number): string {
  return bytes >= KIB * KIB ? `${bytes / KIB / KIB} MiB` : `${bytes / KIB} KiB`;
}

/** `50,000`. Avoids the runtime's formatter, which takes ten milliseconds to load. */
function inEnglish(count: number): string {
  return grouped(count, ',');
}

/** Meaning of codes that no API client gets. The pages for staff explain them. */
const ONLY_STAFF = 'Only for staff.';

/** The meaning of each code, in the order of the reference. The `type` of a problem document links to it. */
export const ERROR_MEANINGS: Record<ProblemCode, string> = {
  invalid_json: 'The body is not JSON in UTF-8.',
  invalid_request: 'The request could not be read.',
  validation_failed: 'Fields are missing or wrong; `errors` names each one and what to change.',
  body_incomplete: 'The body is shorter or longer than its Content-Length.',
  too_complex: `The JSON has too many members and entries: ${inEnglish(STRUCTURE_MAX.connector)} of \`{\`, \`[\`, \`,\` and \`:\` at most in an order request of the connector and in a bulk command, ${inEnglish(STRUCTURE_MAX.elsewhere)} elsewhere.`,
  invalid_header: 'The first line of an import does not name the columns.',
  invalid_idempotency_key: `The header Idempotency-Key is empty, longer than ${IDEMPOTENCY_KEY_CHARACTERS_MAX} characters, or has others than printable ASCII.`,
  invalid_encoding: 'An import is not in UTF-8.',
  invalid_scope: 'The requested scope is not a scope of the key.',
  unsupported_grant_type: 'The token endpoint supports only the grant type client_credentials.',
  overrides_too_large: `The overrides of one shop and product hold ${sizeOf(OVERRIDES_BYTES_MAX)} of JSON at most.`,
  customer_required: 'Neither customer_name nor customer_email was sent.',
  items_required: 'Neither items nor a prescription was sent.',
  item_identity_required: 'An item has none of name, p1_id and product_id.',
  unknown_shipping_option: 'The shipping option is not one that this shop offers.',
  invalid_prescription_pdf: 'The prescription is not a PDF in base64 without line breaks.',
  prescription_too_large: `The prescription is larger than ${sizeOf(PDF_BYTES_MAX)}.`,
  invalid_prescription_url: 'The prescription URL is not allowed.',
  erezept_token_refused:
    'The body holds an access code of the telematics infrastructure (E-Rezept), which must not be sent outside of it. Nothing was stored.',
  payload_too_large: `Without the PDF, an order request holds ${sizeOf(PAYLOAD_BYTES_MAX)} at most.`,
  shop_mismatch: 'The key or the body belongs to another organization or shop than the address.',
  shop_inactive: 'The shop does not accept order requests at present, or its organization is suspended.',
  ambiguous_credentials: 'The request carries different API keys.',
  missing_api_key: 'No API key was sent.',
  invalid_api_key:
    'The API key is unknown, revoked, expired or lacks the scope for order requests; or it is a test key at a live address, or the reverse.',
  invalid_client: 'The API key is missing or not valid for this organization.',
  missing_token: 'No access token was sent.',
  invalid_token:
    'The access token is not valid: it is malformed or expired, its key was revoked, or it is one of a test organization at a live one, or the reverse.',
  insufficient_scope: 'The token lacks the scope that the call needs.',
  https_required: 'The request came by plain HTTP. Every address is reached by HTTPS.',
  stale_form: ONLY_STAFF,
  org_mismatch: 'The token belongs to another organization than the path.',
  organization_suspended:
    'The operator has suspended the organization. Nothing is lost; it goes on once that is lifted.',
  not_found: 'There is nothing at this address.',
  shop_not_found: 'The organization has no such shop.',
  organization_not_found: 'There is no such organization.',
  api_key_not_found: 'There is no such API key.',
  member_not_found: 'The organization has no such member.',
  invitation_not_found: ONLY_STAFF,
  reset_not_found: ONLY_STAFF,
  order_request_not_found: 'There is no such order request.',
  order_not_found: 'There is no such order.',
  question_not_found: 'There is no such open question about the order request.',
  prescription_not_found: 'There is no such prescription.',
  signed_revision_not_found: 'The PDF has no revision that a signature covers.',
  subscription_not_found: 'There is no such webhook subscription.',
  delivery_not_found: 'There is no such webhook delivery.',
  customer_not_found: 'There is no such customer.',
  catalog_product_not_found: 'The catalog has no such product.',
  product_not_attached: 'The shop does not offer this product.',
  method_not_allowed: 'The address does not support this method; the header Allow lists the methods that it supports.',
  product_not_in_inventory: 'The product is not in the inventory.',
  version_mismatch:
    'What the change was decided on (`If-Match`, `if_stock_version`) has another version by now: read it again, then decide anew.',
  out_of_stock: 'A product can be attached only when its stock is above 0.',
  insufficient_stock: 'The stock would go below 0.',
  conflict: 'Other requests changed the same data at the same time, several times in a row; send the request again.',
  changed_meanwhile:
    'Somebody else changed the same fields in the meantime. Only the management interface checks this.',
  slug_taken: 'Another product of the organization has this slug.',
  pzn_taken: 'Another own product of the organization has this PZN.',
  weighing_needed: ONLY_STAFF,
  unit_fixed: 'The unit changes only while nothing is in stock, promised or reserved: `detail` has the steps.',
  already_decided: 'The order request was already decided; the response says by whom, when and how.',
  not_approvable: 'The order request cannot be approved yet; `blockers` says why.',
  prescriptions_changed: ONLY_STAFF,
  superseded: 'A later request with the same external_reference exists.',
  request_has_order: 'An approved request is an order and cannot be deleted; cancel the order.',
  not_redeliverable: 'The delivery is on its way, or its subscription takes none: resume it, or wait.',
  legal_hold: 'The data are kept for legal reasons.',
  open_orders: 'The customer has open orders; `order_ids` names them.',
  invalid_transition: 'The order cannot take this step; `allowed` lists the possible ones.',
  prescription_not_approved: 'The order needs an approved prescription first.',
  prescription_not_covering: 'The approved prescriptions do not cover the lines.',
  original_missing:
    'The original of a prescription is still to come: the order cannot be handed over or shipped before it is confirmed.',
  rest_owed: 'A part is still to come (`later`): staff hand over what is there, or cancel the rest.',
  not_packed: 'Not every pack of the order is ticked. Only for staff: a program answers for its own packing.',
  not_being_packed: ONLY_STAFF,
  unknown_code: ONLY_STAFF,
  wrong_pack: ONLY_STAFF,
  nothing_expected: ONLY_STAFF,
  pack_already_scanned: ONLY_STAFF,
  pack_already_left: ONLY_STAFF,
  pack_expired: ONLY_STAFF,
  differences_open: ONLY_STAFF,
  total_is_paid: ONLY_STAFF,
  payment_open: ONLY_STAFF,
  address_missing: ONLY_STAFF,
  shipping_blocked:
    'A flag or a rule speaks against the new shipping option, or a rule against its leaving; `blockers` says which. Send `override_reason`.',
  prescription_expired: ONLY_STAFF,
  on_hold: 'The order is on hold: it cannot be handed over or shipped until the hold is lifted.',
  withdrawal_undecided:
    'The platform withdrew the order: it is cancelled, or the withdrawal refused, before its hold is lifted.',
  withdrawal_decided: 'No withdrawal of the order is requested, or it is decided already.',
  supplement_limit_reached: `An order request takes ${SUPPLEMENTS_MAX} supplements at most.`,
  not_paid: 'Only a paid order can be refunded.',
  refund_exceeds_paid: 'The refund is larger than the paid amount that is left.',
  order_locked:
    'The order is completed or cancelled, and its content can no longer change; or it is shipped, and its lines cannot.',
  order_not_deletable: 'Only a cancelled order of which nothing has left can be deleted.',
  order_not_payable:
    'The order is paid (for mark-paid: under another reference), cancelled, returned, refunded or costs nothing.',
  iban_missing: 'The organization has no IBAN to pay to.',
  shop_host_missing: 'The shop has no active host for a payment page.',
  prescription_not_stored: 'The PDF of the prescription is not stored yet, or no longer.',
  signature_check_pending: 'The signatures of the PDF are not checked yet; repeat in some seconds.',
  not_fetchable: 'Only a prescription whose download failed can be fetched again.',
  host_taken: 'The host already belongs to a shop.',
  host_limit_reached: ONLY_STAFF,
  pending_host_limit_reached: ONLY_STAFF,
  last_host: 'An active shop needs at least one active host.',
  shop_limit_reached: ONLY_STAFF,
  external_reference_conflict: 'The external_reference belongs to another submission; `differs` names the fields.',
  member_exists: 'The person is already a member of the organization.',
  second_factor_on: ONLY_STAFF,
  member_limit_reached: `An organization has ${MEMBERS_MAX} members at most.`,
  last_owner: ONLY_STAFF,
  own_reset: ONLY_STAFF,
  callback_limit_reached: ONLY_STAFF,
  subscription_limit_reached: `An organization has ${SUBSCRIPTIONS_MAX} webhook subscriptions at most.`,
  subscription_changed: ONLY_STAFF,
  secret_overlap_running: 'The overlap of the last rotation of the signing secret still runs.',
  api_key_not_rotatable: ONLY_STAFF,
  key_overlap_running: ONLY_STAFF,
  api_key_limit_reached: `An organization has ${API_KEYS_MAX} active API keys at most.`,
  idempotency_key_reused: `The Idempotency-Key was used within ${KEY_HOURS} hours for a request with another method, path or body.`,
  body_too_slow: 'The body arrived too slowly; send it again.',
  body_too_large: 'The body is larger than this address accepts.',
  unsupported_media_type: 'The Content-Type is not one that this address accepts.',
  unsupported_content_encoding: 'The body is compressed; send it without Content-Encoding.',
  rate_limited: 'Too many requests; wait as long as Retry-After says.',
  too_many_tests: `A subscription gets ${TESTS_A_MINUTE} test events a minute at most.`,
  busy: 'Many large requests are under way; send this one again in a second.',
  internal_error: 'An internal error occurred; nothing was stored.',
  backend_unreachable: 'The storage could not be reached; send the same request again.',
  organization_moving:
    'The pharmacy is being moved to another database, for some minutes; send the same request again after Retry-After.',
  organization_unavailable:
    "The pharmacy's data cannot be found at present, and the operator is told; send the same request again after Retry-After.",
  intake_off: 'The operator takes nothing in for some minutes; send the same request again after Retry-After.',
};
