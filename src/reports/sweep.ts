import { requireSystem } from '../platform/access';
import type { Context } from '../platform/context';
import { timeOfId } from '../platform/ids';
import { HOUR_MS } from '../platform/time';
import { addToTotals, type Step, selectUnsummed, type Unsummed } from './store';

/**
 * The time from the end of an hour until its deliveries are added to the totals. By then, the usual three attempts
 * (within 20 minutes) have ended, and no commit can still create a delivery of that hour. A trigger adds deliveries
 * that end later. The trigger skips deliveries that end within an hour after their creation, because the job always
 * counts those.
 */
const QUIET_MS = 2 * HOUR_MS;
/** The most organizations in one statement, which adds one hour of each. */
const PAGE = 50;
const PAGES_MAX = 10;
/**
 * The most hours that one run adds for an organization. One hour is due every hour. More are due only after missed
 * runs.
 */
const HOURS_MAX = 12;

/**
 * Adds ended deliveries to the totals that reports read (`delivery_totals`), oldest first. A run has at most twelve
 * rounds. Each round adds one hour of at most 500 organizations. The next run adds the rest.
 */
export async function sumDeliveries(ctx: Context): Promise<void> {
  requireSystem(ctx);
  const before = hourOf(ctx.now() - QUIET_MS);
  for (let hour = 0; hour < HOURS_MAX; hour += 1) {
    const unsummed = await ctx.db.rows(selectUnsummed(before, PAGE * PAGES_MAX));
    const steps = unsummed.map(nextStep);
    for (let at = 0; at < steps.length; at += PAGE) {
      await ctx.db.run({ added: addToTotals(steps.slice(at, at + PAGE)) });
    }
    if (steps.length === 0) return;
  }
}

/** Returns the step that adds the hour of the first delivery that is not in the totals. */
function nextStep({ orgId, summedUntil, firstId }: Unsummed): Step {
  const from = hourOf(timeOfId(firstId));
  return { orgId, summedUntil, from, to: from + HOUR_MS };
}

function hourOf(at: number): number {
  return at - (at % HOUR_MS);
}
