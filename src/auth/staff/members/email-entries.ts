import { type Entry, emailKeys, rewriteEmailEntries as rewriteEntries, sweepEntries } from '../../../directory/service';
import type { Context } from '../../../platform/context';
import type { Database } from '../../../platform/data/db';
import { selectEmails } from './store-members';

/** Deletes the entries of addresses that have no membership left in the organization, invited or accepted. */
export async function sweepEmailEntries(ctx: Context): Promise<void> {
  await sweepEntries(ctx, 'email', async <E extends Entry>(db: Database, entries: readonly E[]) => {
    const orgIds = entries.map(({ orgId }) => orgId);
    const emails = await emailsOf(db, orgIds);
    const keys = await Promise.all(
      emails.map(async ({ orgId, email }) => (await emailKeys(ctx, email)).map((key) => `${orgId} ${key}`)),
    );
    const kept = new Set(keys.flat());
    return entries.filter(({ orgId, key }) => kept.has(`${orgId} ${key}`));
  });
}

/** Writes the entries of addresses anew that were made under an old pepper. */
export function rewriteEmailEntries(ctx: Context): Promise<void> {
  return rewriteEntries(ctx, emailsOf);
}

async function emailsOf(db: Database, orgIds: readonly string[]) {
  return db.rows(selectEmails([...new Set(orgIds)]));
}
