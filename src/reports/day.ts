import { requireScope } from '../platform/access';
import type { Context } from '../platform/context';
import { addDays, dayOf, localTime, startOf } from '../platform/pharmacy-time';
import { DAY_MS } from '../platform/time';
import { UNCOLLECTED_DAYS, UNCOLLECTED_MAX } from './limits';
import { selectActsByHour, selectRequestsByHour, selectUncollected } from './store';

/** Sums of what happened within an hour or a day. */
const NONE = { requests: 0, decided: 0, packed: 0, left: 0, cashCents: 0 };

export type DaySums = typeof NONE;

/**
 * Returns what happened today, and what happened yesterday until the same time of day: in all, and by hour. One round
 * trip. `left` counts orders that were picked up, shipped, or handed over in part. `cashCents` is the total of those
 * orders that were paid in the same step.
 */
export async function readToday(ctx: Context) {
  const { orgId } = requireScope(ctx, 'reports.read');
  const now = ctx.now();
  const [today, yesterday] = [startOf(dayOf(now)), startOf(addDays(dayOf(now), -1))];
  const period = { orgId, from: yesterday, to: now + 1, sameTime: yesterday + (now - today) };
  const found = await ctx.db.run({
    acts: selectActsByHour(period),
    requests: selectRequestsByHour(period),
    open: selectUncollected(orgId, now - UNCOLLECTED_DAYS * DAY_MS, UNCOLLECTED_MAX + 1),
  });
  const [sums, before] = [{ ...NONE }, { ...NONE }];
  const hours = Array.from({ length: 24 }, () => ({ sums: { ...NONE }, before: { ...NONE } }));
  for (const { startsAt, isUntil, ...counted } of [...found.acts, ...found.requests]) {
    const hour = hours[Number(localTime(startsAt).slice(11, 13))];
    if (startsAt >= today) {
      add(sums, counted);
      if (hour) add(hour.sums, counted);
    } else {
      if (isUntil === 1) add(before, counted);
      if (hour) add(hour.before, counted);
    }
  }
  return {
    sums,
    before,
    /**
     * The sums of each of the 24 hours of the day, in the pharmacies' time zone; `before` has those of all of
     * yesterday.
     */
    hours,
    uncollected: found.open.slice(0, UNCOLLECTED_MAX),
    hasMoreUncollected: found.open.length > UNCOLLECTED_MAX,
  };
}

export type Today = Awaited<ReturnType<typeof readToday>>;

function add(sums: DaySums, counted: Partial<DaySums>): void {
  for (const name of Object.keys(NONE) as (keyof DaySums)[]) sums[name] += counted[name] ?? 0;
}
