import type { ErrorCode } from '../../platform/error-codes';
import { AppError } from '../../platform/errors';
import type { Reader } from '../http/language';
import { textFor } from './lookup';
import { type SharedMessages, sharedMessages } from './messages';

/** Errors of a form by field, in the reader's language. */
export type FieldErrors = Record<string, string>;

/** Field names by the error code that they show. */
export type Refusals = { [C in ErrorCode & keyof SharedMessages['fieldErrors']]?: string };

/**
 * Runs a use case for a form.
 * @param fields the field that each error code belongs to
 * @returns the use case's result, or the errors to show beside the fields
 * @throws every error whose code is not in `fields`
 */
export async function tryForm<T>(
  reader: Reader,
  fields: Refusals,
  run: () => Promise<T>,
): Promise<{ value: T; fieldErrors?: never } | { value?: never; fieldErrors: FieldErrors }> {
  try {
    return { value: await run() };
  } catch (error) {
    const fieldErrors = error instanceof AppError ? fieldErrorsOf(reader, fields, error) : null;
    if (!fieldErrors) throw error;
    return { fieldErrors };
  }
}

/** What a use case refused, by field; null when no field of the form can say it. */
export function fieldErrorsOf(reader: Reader, fields: Refusals, error: AppError): FieldErrors | null {
  const fieldOf: Partial<Record<ErrorCode, string>> = fields;
  const field = fieldOf[error.code];
  if (field) return { [field]: messageOf(reader, error.code) };
  const { errors } = error.details;
  return errors ? Object.fromEntries(errors.map((e) => [e.pointer.slice(1), messageOf(reader, e.code)])) : null;
}

function messageOf(reader: Reader, code: string): string {
  const { fieldErrors } = sharedMessages(reader);
  return textFor(fieldErrors, code, fieldErrors.other);
}

export function hasFieldErrors(fieldErrors: FieldErrors): boolean {
  return Object.keys(fieldErrors).length > 0;
}
