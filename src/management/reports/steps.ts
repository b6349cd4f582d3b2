import type { DayFigures } from '../../reports/service';

/** So many days are shown one by one; more as weeks, so that no page grows with its period. */
const DAYS_SHOWN = 92;
const WEEK = 7;

/** The figures of a day or a week. */
export type Step = Omit<DayFigures, 'day'> & { from: string; to: string };

/** One by one, or added up to weeks from the first day on; the last one may be shorter. */
export function stepsOf(days: readonly DayFigures[]): Step[] {
  const size = days.length > DAYS_SHOWN ? WEEK : 1;
  return Array.from({ length: Math.ceil(days.length / size) }, (_, index) => {
    const part = days.slice(index * size, (index + 1) * size);
    const sum = (name: keyof Omit<DayFigures, 'day'>) => part.reduce((all, day) => all + day[name], 0);
    return {
      from: part[0]?.day ?? '',
      to: part.at(-1)?.day ?? '',
      requests: sum('requests'),
      approved: sum('approved'),
      rejected: sum('rejected'),
      orders: sum('orders'),
      cancelledOrReturned: sum('cancelledOrReturned'),
      revenueCents: sum('revenueCents'),
    };
  });
}
