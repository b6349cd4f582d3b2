import { formatDate } from '../ui/format';
import type { View } from '../ui/view';
import { messages } from './messages';

/** `01.11.2026`. Noon is on the same day in every place that these pages know. */
export function dayText(view: View, day: string): string {
  return formatDate(view.language, Date.parse(`${day}T12:00:00Z`));
}

/** `1.234`. */
export function countText(view: View, count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, messages(view).thousands);
}
