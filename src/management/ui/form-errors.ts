import type { ErrorCode } from '../../platform/error-codes';
import { AppError } from '../../platform/errors';
import type { Words } from '../words/de';

/** What is wrong with a form, by field, in the reader's words. */
export type Faults = Record<string, string>;

/** Names of fields, by the codes whose texts they show. */
export type Refusals = { [C in ErrorCode & keyof Words['faults']]?: string };

/**
 * Runs a use case for a form.
 * @param fields which field of the form each refusal by code belongs to; such a code has a text among the faults
 * @returns what it gives, or the faults to show beside the fields
 * @throws whatever else it throws
 */
export async function tryForm<T>(
  words: Words,
  fields: Refusals,
  run: () => Promise<T>,
): Promise<{ value: T; faults?: never } | { value?: never; faults: Faults }> {
  try {
    return { value: await run() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const fieldOf: Partial<Record<ErrorCode, string>> = fields;
    const field = fieldOf[error.code];
    if (field) return { faults: { [field]: messageOf(words, error.code) } };
    const { errors } = error.details;
    if (!errors) throw error;
    return { faults: Object.fromEntries(errors.map((e) => [e.pointer.slice(1), messageOf(words, e.code)])) };
  }
}

function messageOf(words: Words, code: string): string {
  // SAFETY: `in` found the code among the texts.
  return code in words.faults ? words.faults[code as keyof Words['faults']] : words.faults.other;
}

export function hasFaults(faults: Faults): boolean {
  return Object.keys(faults).length > 0;
}
