import { dayOf, endOf, readDay } from '../../platform/pharmacy-time';
import type { Reader } from '../http/language';
import { Labeled } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import type { View } from '../ui/view';
import { messages } from './messages';

/** What a typed last day means: the moment after which the key is not valid, null for never, or a fault. */
export function readExpiry(
  text: string,
  now: number,
  reader: Reader,
): { expiresAt: number | null; fieldErrors: FieldErrors } {
  const { fieldErrors } = sharedMessages(reader);
  if (text === '') return { expiresAt: null, fieldErrors: {} };
  const day = readDay(text);
  if (day === null) return { expiresAt: null, fieldErrors: { expires_at: fieldErrors.date } };
  const expiresAt = endOf(day);
  return { expiresAt, fieldErrors: expiresAt > now ? {} : { expires_at: fieldErrors.date_past } };
}

/** The last day of a key, if it has one. */
export function ExpiryField({ view, value, fieldErrors }: { view: View; value?: string; fieldErrors: FieldErrors }) {
  const t = messages(view);
  return (
    <Labeled
      name="expires_at"
      label={t.expires}
      hint={t.expiresHint}
      error={fieldErrors.expires_at}
      control={(attributes) => <input {...attributes} type="date" min={dayOf(view.now)} value={value} />}
    />
  );
}
