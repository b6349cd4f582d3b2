import { DAY_MS } from '../../platform/time';
import type { Reader } from '../http/language';
import { sharedMessages } from './messages';

/** How long a secret or a key stays valid beside the one that replaces it. */
export const OVERLAPS = { day: DAY_MS, week: 7 * DAY_MS, none: 0 } as const;
export type Overlap = keyof typeof OVERLAPS;

export function readOverlap(text: string): Overlap | undefined {
  // SAFETY: `hasOwn` found it among the overlaps.
  return Object.hasOwn(OVERLAPS, text) ? (text as Overlap) : undefined;
}

/** The options of the choice, each with a word on when it is the right one. */
export function overlapOptions(reader: Reader) {
  const { overlaps, overlapHints } = sharedMessages(reader);
  return (['day', 'week', 'none'] as const).map((value) => ({
    value,
    label: overlaps[value],
    hint: overlapHints[value],
  }));
}
