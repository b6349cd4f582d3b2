/** What went wrong, in terms of the domain. `platform/http.ts` alone knows which HTTP status each kind becomes. */
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
  | 'unavailable';

/** One fault of the input: where (JSON Pointer, RFC 6901), which, and what to change. Never holds the submitted value. */
export interface FieldError {
  pointer: string;
  code: string;
  message: string;
}

export interface ErrorDetails {
  errors?: FieldError[];
  headers?: Record<string, string>;
}

/**
 * An error that the caller may read: `code` is stable, `detail` says what to change. Never put a submitted value in it.
 * One that says more, as which steps are allowed instead, is a class of its slice (`errors.ts`) with values of the domain.
 */
export class AppError extends Error {
  override readonly name = 'AppError';

  constructor(
    readonly kind: ErrorKind,
    readonly code: string,
    readonly detail: string,
    readonly details: ErrorDetails = {},
  ) {
    super(code);
  }
}

const RETRY_UNAVAILABLE_SECONDS = 5;

/** D1 or R2 could not be reached or refused for load: the caller may send the same request again. */
export function unavailable(): AppError {
  return new AppError(
    'unavailable',
    'backend_unreachable',
    'The service could not reach its storage. Nothing was lost; send the same request again.',
    { headers: { 'Retry-After': String(RETRY_UNAVAILABLE_SECONDS) } },
  );
}

/** The one answer for what is not there and for what is not yours. */
export function notFound(code = 'not_found', detail = 'There is nothing at this address.'): AppError {
  return new AppError('not_found', code, detail);
}

/** Several faults share a code: clients may switch on it. Otherwise they read `errors`. */
export function invalidInput(errors: FieldError[]): AppError {
  const [first, ...others] = errors;
  const specific = first && others.every((error) => error.code === first.code) && RULE_CODES.has(first.code);
  return new AppError(
    'invalid',
    specific ? first.code : 'validation_failed',
    specific ? first.message : 'The request has faults; `errors` names each one and what to change.',
    { errors },
  );
}

/** Rules with a name of their own: an answer that breaks only one of them carries its name as `code`. */
const RULE_CODES = new Set([
  'customer_required',
  'items_required',
  'item_identity_required',
  'invalid_prescription_pdf',
  'invalid_prescription_url',
  'prescription_too_large',
  'unknown_shipping_option',
]);
