import { and, eq, sql } from 'drizzle-orm';
import type { Condition, Statement } from '../platform/data/db';
import { orm } from '../platform/data/statements';
import { emptied } from '../platform/fields';
import { emailsFields } from './fields';
import { emails } from './tables';

/** What has not left is not wanted any more. */
const ENDED = sql<'dropped'>`case when state in ('waiting', 'sending') then 'dropped' else state end`;

/** Takes the person out of e-mails about orders. @param orderIds a subquery of ids */
export function eraseEmails(orgId: string, orderIds: Condition, now: number): Statement {
  return orm
    .update(emails)
    .set({ ...emptied(emailsFields), state: ENDED, updatedAt: now })
    .where(and(eq(emails.orgId, orgId), sql`${emails.about} in ${orderIds}`));
}
