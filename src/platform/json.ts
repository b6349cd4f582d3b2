import { AppError, type FieldError, invalidInput } from './errors';

const DEPTH_MAX = 16;
export const ERRORS_MAX = 50;

/** C0 and C1 controls and DEL, but tab, line feed and carriage return: SQLite cuts a text at NUL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is what it is for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Parses a body and checks what no schema sees: Zod drops `__proto__` silently, SQLite rewrites lone surrogates.
 * @throws AppError `invalid_json`, or `validation_failed` naming every faulty place (50 at most)
 */
export function parseJson(bytes: Uint8Array): unknown {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch {
    throw new AppError('invalid', 'invalid_json', 'The body must be JSON in UTF-8 (RFC 8259).');
  }
  const errors: FieldError[] = [];
  walk(value, '', 0, errors);
  if (errors.length > 0) throw invalidInput(errors);
  return value;
}

function walk(value: unknown, pointer: string, depth: number, errors: FieldError[]): void {
  if (errors.length >= ERRORS_MAX) return;
  if (typeof value === 'string') {
    const fault = faultOfText(value);
    if (fault) errors.push({ pointer, ...fault });
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value))
      errors.push({ pointer, code: 'number_out_of_range', message: 'Send a finite number.' });
  } else if (typeof value === 'object' && value !== null) {
    if (depth >= DEPTH_MAX) {
      errors.push({ pointer, code: 'too_deep', message: `Nest at most ${DEPTH_MAX} levels.` });
      return;
    }
    for (const [key, child] of Object.entries(value)) {
      const at = `${pointer}/${escapePointer(key)}`;
      if (FORBIDDEN_KEYS.has(key)) {
        errors.push({ pointer: at, code: 'forbidden_key', message: 'Remove this key.' });
      } else if (faultOfText(key)) {
        errors.push({ pointer, code: 'invalid_key', message: 'A key holds characters that are not allowed.' });
      } else {
        walk(child, at, depth + 1, errors);
      }
    }
  }
}

/** What is wrong with a text wherever it stands, or null. */
export function faultOfText(text: string): Pick<FieldError, 'code' | 'message'> | null {
  if (!text.isWellFormed()) return { code: 'malformed_unicode', message: 'Remove the unpaired surrogate.' };
  if (CONTROL.test(text)) return { code: 'control_character', message: 'Remove control characters such as NUL.' };
  return null;
}

const POINTER_KEY_MAX = 100;

/** One reference token of a JSON Pointer (RFC 6901 §3). Long keys are cut: an error must not echo a body. */
export function escapePointer(key: string): string {
  return key.slice(0, POINTER_KEY_MAX).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1');
}
