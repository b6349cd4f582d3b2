import { rounded } from './figures.ts';
import type { Counts } from './tapped.ts';

/**
 * What Cloudflare asks for a million, in US dollars, beyond what the Workers Paid plan includes. As published in August 2026:
 * developers.cloudflare.com/workers/platform/pricing, /d1/platform/pricing, /queues/platform/pricing and /r2/pricing.
 * Storage is not in it; nor is CPU time (0.02 for a million ms), which locally cannot be told apart from the database's.
 */
const PER_MILLION = {
  requests: 0.3,
  rows_read: 0.001,
  rows_written: 1,
  queue_operations: 0.4,
  /** Class A operations. */
  r2_writes: 4.5,
  /** Class B operations. */
  r2_reads: 0.36,
};

/** What a million such requests cost, in US dollars. */
export function costOfMillion(counts: Counts): number {
  const each = { requests: 1, ...counts };
  // SAFETY: these are the keys of the object literal above.
  const names = Object.keys(PER_MILLION) as (keyof typeof PER_MILLION)[];
  return rounded(names.reduce((total, name) => total + each[name] * PER_MILLION[name], 0));
}
