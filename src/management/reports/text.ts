import { grouped } from '../../platform/grouped';
import { formatDate } from '../ui/format';
import type { View } from '../ui/view';
import { messages } from './messages';

/** `01.11.2026`. Formatted at noon UTC, which is the same day in every time zone that the pages use. */
export function dayText(view: View, day: string): string {
  return formatDate(view.language, Date.parse(`${day}T12:00:00Z`));
}

/** `1.234`. */
export function countText(view: View, count: number): string {
  return grouped(count, messages(view).thousands);
}

/** A day, or the first and the last of several. */
export function stepText(view: View, { from, to }: { from: string; to: string }): string {
  return from === to ? dayText(view, from) : messages(view).range(dayText(view, from), dayText(view, to));
}
