import { NOTE_MAX } from '../../orders/limits';
import type { Reader } from '../http/language';
import type { FieldErrors } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';

/** What is wrong with a text that is needed. */
export function textFault(reader: Reader, name: string, text: string, label: string): FieldErrors {
  const { common, fieldErrors } = sharedMessages(reader);
  if (text === '') return { [name]: common.required(label) };
  return isTooLong(text) ? { [name]: fieldErrors.note_too_long } : {};
}

export function isTooLong(note = ''): boolean {
  return note.length > NOTE_MAX;
}
