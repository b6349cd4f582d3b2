import { formatDate } from './format';
import type { View } from './view';

/** Names under which platforms send it, without case, `_` and `-`. */
const NAMES = new Set(['birthdate', 'dateofbirth', 'birthday', 'dob', 'geburtsdatum', 'patientbirthdate']);
const SHOWN_MAX = 40;

/** A person's date of birth, as far as the platform sent it beside the fields of the contract; null if it did not. */
export function birthDateOf(
  { language }: Pick<View, 'language'>,
  details: Readonly<Record<string, string>> | null,
): string | null {
  const [, sent] =
    Object.entries(details ?? {}).find(([name]) => NAMES.has(name.toLowerCase().replace(/[_-]/g, ''))) ?? [];
  if (!sent) return null;
  const day = /^\d{4}-\d\d-\d\d(?!\d)/.exec(sent)?.[0];
  const at = day ? Date.parse(`${day}T12:00:00Z`) : Number.NaN;
  return Number.isNaN(at) ? sent.slice(0, SHOWN_MAX) : formatDate(language, at);
}
