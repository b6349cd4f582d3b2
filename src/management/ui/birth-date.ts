import type { Order } from '../../orders/service';
import { formatDate } from './format';
import type { View } from './view';

/** What platforms call the date of birth, without signs and in small letters. */
const NAMES = new Set(['birthdate', 'dateofbirth', 'dob', 'birthday', 'geburtsdatum', 'patientbirthdate']);

/** The date of birth, where the platform sent one: as a day of the reader's calendar, else as it was sent. */
export function birthDateOf(view: View, platformDetails: Order['platformDetails']): string | null {
  const found = Object.entries(platformDetails ?? {}).find(([name]) =>
    NAMES.has(name.toLowerCase().replace(/[_-]/g, '')),
  );
  if (!found) return null;
  const [, text] = found;
  const day = /^\d{4}-\d\d-\d\d/.exec(text)?.[0];
  const at = Date.parse(`${day}T12:00Z`);
  return Number.isNaN(at) ? text : formatDate(view.language, at);
}
