import { DAY_MS } from '../../platform/time';
import type { Reader } from '../http/language';
import { sharedMessages } from './messages';

/** How long a secret or a key stays valid after it was replaced. */
export const OVERLAPS = { day: DAY_MS, week: 7 * DAY_MS, none: 0 } as const;
export type Overlap = keyof typeof OVERLAPS;

export function readOverlap(text: string): Overlap | undefined {
  // SAFETY: `hasOwn` found it among the overlaps.
  return Object.hasOwn(OVERLAPS, text) ? (text as Overlap) : undefined;
}

/** The options, each with a hint when to choose it. */
export function overlapOptions(reader: Reader) {
  const { overlaps, overlapHints } = sharedMessages(reader);
  return (['day', 'week', 'none'] as const).map((value) => ({
    value,
    label: overlaps[value],
    hint: overlapHints[value],
  }));
}
