import { dayOf, endOf, readDay } from '../../platform/pharmacy-time';
import type { Reader } from '../http/language';
import { DayField } from '../ui/filters';
import type { FieldErrors } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import type { View } from '../ui/view';
import { messages } from './messages';

/** Reads the typed last day: its end in epoch ms, null for a key that never expires, or the field's error. */
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

/** Field for the last day on which a key is valid; empty for no expiry. */
export function ExpiryField({ view, value, fieldErrors }: { view: View; value?: string; fieldErrors?: FieldErrors }) {
  const t = messages(view);
  const props = { name: 'expires_at', label: t.expires, hint: t.expiresHint, value, fieldErrors };
  return <DayField {...props} min={dayOf(view.now)} />;
}
