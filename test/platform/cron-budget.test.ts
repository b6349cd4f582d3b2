import { expect, it } from 'vitest';
import { cronAt } from '../support/invocations';
import { meteredDb } from '../support/probe';
import { ONE_DATABASE } from '../support/world';

/** D1 allows 1,000 queries an invocation, and the cron does the work of all databases in one (docs/operating.md). */
it.each([
  ['in most minutes', '2026-11-22T12:33:00Z', 9],
  ['at the minute of hourly jobs', '2026-11-22T12:17:00Z', 15],
  ['at the minute of the trash', '2026-11-22T12:47:00Z', 15],
  ['at night', '2026-11-23T02:33:00Z', 15],
])('%s a database without work takes few statements of the cron', async (_, time, most) => {
  const { DB, trips } = meteredDb();
  // The first run of all notes what the later ones find.
  await cronAt(time, { ...ONE_DATABASE, DB });
  trips.splice(0);
  await cronAt(time, { ...ONE_DATABASE, DB });
  const statements = trips.reduce((sum, trip) => sum + trip.statements, 0);
  expect(statements).toBeGreaterThan(0);
  expect(statements).toBeLessThanOrEqual(most);
});
