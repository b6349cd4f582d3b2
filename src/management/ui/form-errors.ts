import type { ErrorCode } from '../../platform/error-codes';
import { AppError } from '../../platform/errors';
import type { Reader } from '../http/language';
import { textFor } from './lookup';
import { type SharedMessages, sharedMessages } from './messages';

/** What is wrong with a form, by field, in the reader's words. */
export type Faults = Record<string, string>;

/** Names of fields, by the codes whose texts they show. */
export type Refusals = { [C in ErrorCode & keyof SharedMessages['fieldErrors']]?: string };

/**
 * Runs a use case for a form.
 * @param fields which field of the form each refusal by code belongs to; such a code has a text among the faults
 * @returns what it gives, or the faults to show beside the fields
 * @throws whatever else it throws
 */
export async function tryForm<T>(
  reader: Reader,
  fields: Refusals,
  run: () => Promise<T>,
): Promise<{ value: T; faults?: never } | { value?: never; faults: Faults }> {
  try {
    return { value: await run() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const fieldOf: Partial<Record<ErrorCode, string>> = fields;
    const field = fieldOf[error.code];
    if (field) return { faults: { [field]: messageOf(reader, error.code) } };
    const { errors } = error.details;
    if (!errors) throw error;
    return { faults: Object.fromEntries(errors.map((e) => [e.pointer.slice(1), messageOf(reader, e.code)])) };
  }
}

function messageOf(reader: Reader, code: string): string {
  const { fieldErrors } = sharedMessages(reader);
  return textFor(fieldErrors, code, fieldErrors.other);
}

export function hasFaults(faults: Faults): boolean {
  return Object.keys(faults).length > 0;
}
