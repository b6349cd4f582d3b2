import type { ErrorCode } from '../../platform/error-codes';
import { AppError } from '../../platform/errors';
import type { Reader } from '../http/language';
import { textFor } from './lookup';
import { type SharedMessages, sharedMessages } from './messages';

/** What is wrong with a form, by field, in the reader's words. */
export type FieldErrors = Record<string, string>;

/** Names of fields, by the codes whose texts they show. */
export type Refusals = { [C in ErrorCode & keyof SharedMessages['fieldErrors']]?: string };

/**
 * Runs a use case for a form.
 * @param fields which field of the form each refusal by code belongs to; such a code has a text
 * @returns what it gives, or the errors to show beside the fields
 * @throws whatever else it throws
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
