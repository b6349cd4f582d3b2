import type { Order } from '../../orders/service';
import { formatDate } from './format';
import type { View } from './view';

/** What platforms call the date of birth, without signs and in small letters. */
const NAMES = new Set(['birthdate', 'dateofbirth', 'dob', 'birthday', 'geburtsdatum', 'patientbirthdate']);

/**
 * The date of birth, where the platform sent one.
 * @returns what the platform calls it, and a day of the reader's calendar, else the text as it was sent
 */
export function birthDateOf(
  view: View,
  platformDetails: Order['platformDetails'],
): { name: string; text: string } | null {
  const [name, text] =
    Object.entries(platformDetails ?? {}).find(([each]) => NAMES.has(each.toLowerCase().replace(/[_-]/g, ''))) ?? [];
  if (name === undefined || text === undefined) return null;
  const day = /^\d{4}-\d\d-\d\d/.exec(text)?.[0];
  const at = Date.parse(`${day}T12:00Z`);
  return { name, text: Number.isNaN(at) ? text : formatDate(view.language, at) };
}
