import { type Entry, emailKey, sweepEntries } from '../../directory/service';
import type { Context } from '../../platform/context';
import type { Database } from '../../platform/db';
import { selectEmails } from './store-members';

/** Deletes the entries of addresses that have no membership left in the organization, invited or accepted. */
export async function sweepEmailEntries(ctx: Context): Promise<void> {
  await sweepEntries(ctx, 'email', async <E extends Entry>(db: Database, entries: readonly E[]) => {
    const orgIds = [...new Set(entries.map(({ orgId }) => orgId))];
    const { emails } = await db.run({ emails: selectEmails(db, orgIds) });
    const keys = await Promise.all(emails.map(async ({ orgId, email }) => `${orgId} ${await emailKey(ctx, email)}`));
    const kept = new Set(keys);
    return entries.filter(({ orgId, key }) => kept.has(`${orgId} ${key}`));
  });
}
