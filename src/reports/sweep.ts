import { requireSystem } from '../platform/access';
import type { Context } from '../platform/context';
import { timeOfId } from '../platform/ids';
import { HOUR_MS } from '../platform/time';
import { addToTotals, type Step, selectUnsummed, type Unsummed } from './store';

/**
 * Deliveries are added to the totals so long after their hour. By then what takes its usual course has ended (three attempts within
 * 20 minutes), and no commit can still make one. The trigger that adds what ends later looks at no delivery that ends within an hour.
 */
const QUIET_MS = 2 * HOUR_MS;
/** Organizations of one statement, each with one hour. */
const PAGE = 50;
const PAGES_MAX = 10;
/** How many hours of an organization a run adds at most. One is due every hour; the others are what a missed run left. */
const HOURS_MAX = 12;

/**
 * Adds ended deliveries to the totals that reports read (`delivery_totals`), hour by hour, the oldest first: at most 500 organizations and
 * twelve hours of each a run. What is left over follows in the next run.
 */
export async function sumDeliveries(ctx: Context): Promise<void> {
  requireSystem(ctx);
  const before = hourOf(ctx.now() - QUIET_MS);
  for (let hour = 0; hour < HOURS_MAX; hour += 1) {
    const { unsummed } = await ctx.db.run({ unsummed: selectUnsummed(before, PAGE * PAGES_MAX) });
    const steps = unsummed.map(nextStep);
    for (let at = 0; at < steps.length; at += PAGE) {
      await ctx.db.run({ added: addToTotals(steps.slice(at, at + PAGE)) });
    }
    if (steps.length === 0) return;
  }
}

/** The hour of the first delivery that no total holds. */
function nextStep({ orgId, summedUntil, firstId }: Unsummed): Step {
  const from = hourOf(timeOfId(firstId));
  return { orgId, summedUntil, from, to: from + HOUR_MS };
}

function hourOf(at: number): number {
  return at - (at % HOUR_MS);
}
