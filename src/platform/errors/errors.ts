import { RETRY_MISSING_SECONDS, RETRY_MOVING_SECONDS, RETRY_UNAVAILABLE_SECONDS } from '../limits';
import { type CodeOf, ERROR_KINDS, type ErrorCode, type ErrorKind } from './error-codes';

/**
 * One fault of the input: its place (JSON Pointer, RFC 6901), its code, and what to change. It never contains the
 * submitted value.
 */
export interface FieldError {
  pointer: string;
  code: string;
  message: string;
}

/**
 * An error that the caller may read. `code` is stable, and `detail` says what to change. Never put a submitted value
 * into `detail`. An error with more data, for example the allowed steps, is a class of its own in its slice.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly kind: ErrorKind;

  constructor(
    readonly code: ErrorCode,
    readonly detail: string,
    readonly details: { errors?: FieldError[]; headers?: Record<string, string> } = {},
  ) {
    super(code);
    this.kind = ERROR_KINDS[code];
  }
}

/**
 * Returns the error for a request during which D1 or R2 could not be reached, or refused because of load. The caller
 * may send the same request again.
 */
export function unavailable(): AppError {
  return new AppError(
    'backend_unreachable',
    'The service could not reach its storage. Nothing was lost; send the same request again.',
    { headers: { 'Retry-After': String(RETRY_UNAVAILABLE_SECONDS) } },
  );
}

/**
 * Returns the error for a request while the organization is being copied to another database. Requests succeed again
 * when the copy is complete.
 */
export function organizationMoving(): AppError {
  const why = 'This pharmacy is being moved to another database. Nothing was done; send the same request again.';
  return new AppError('organization_moving', why, { headers: { 'Retry-After': String(RETRY_MOVING_SECONDS) } });
}

/**
 * Returns the error for a request whose organization is not on the database that the directory names. Either the
 * binding is wrong, or a database was lost.
 */
export function organizationUnavailable(): AppError {
  const why =
    "This pharmacy's data cannot be found at present; the operator is told. Nothing was done; send the same request again.";
  return new AppError('organization_unavailable', why, { headers: { 'Retry-After': String(RETRY_MISSING_SECONDS) } });
}

/** The default details of some codes. For each other code, the detail is made from the code's name. */
const MISSING: Partial<Record<CodeOf<'not_found'>, string>> = {
  not_found: 'There is nothing at this address.',
  api_key_not_found: 'There is no such API key.',
  subscription_not_found: 'There is no such webhook subscription.',
};

/** Returns the error for a missing entity. An entity of another organization counts as missing. */
export function notFound(code: CodeOf<'not_found'> = 'not_found', detail = MISSING[code]): AppError {
  const entity = code.slice(0, -'_not_found'.length).replaceAll('_', ' ');
  return new AppError(code, detail ?? `There is no such ${entity}.`);
}

/**
 * Returns the error for a request to an organization that the operator has suspended. No data is lost, and the
 * organization works again after the suspension.
 */
export function organizationSuspended(): AppError {
  return new AppError('organization_suspended', 'This organization is suspended. Ask whoever runs the service.');
}

/**
 * Returns the error for these faults of the input. If all faults have the same code, and it is one of `RULE_CODES`, the
 * error has this code. Clients can then branch on it. Otherwise the error's code is `validation_failed`, and clients
 * read `errors`.
 */
export function invalidInput(errors: FieldError[]): AppError {
  const [first, ...others] = errors;
  const rule = RULE_CODES.find((code) => code === first?.code);
  if (first && rule && others.every(({ code }) => code === rule)) return new AppError(rule, first.message, { errors });
  return new AppError('validation_failed', 'The request has faults; `errors` names each one and what to change.', {
    errors,
  });
}

/** Returns the error for input that has one fault. */
export function invalidField(pointer: string, code: string, message: string): AppError {
  return invalidInput([{ pointer, code, message }]);
}

/** Codes of rules. If a request breaks only one of these rules, the rule's code is the `code` of the whole error. */
export const RULE_CODES = [
  'customer_required',
  'items_required',
  'item_identity_required',
  'invalid_prescription_pdf',
  'invalid_prescription_url',
  'prescription_too_large',
  'unknown_shipping_option',
] as const satisfies readonly CodeOf<'invalid'>[];
