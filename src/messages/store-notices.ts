import { and, eq, sql } from 'drizzle-orm';
import { members } from '../auth/tables';
import { type Condition, inList, insertSelect, type Statement } from '../platform/data/db';
import { orm } from '../platform/data/statements';
import { organizations } from '../platform/tables';
import { isAtWork } from '../tenants/tables';
import { subscriptions } from '../webhooks/tables';
import { NOTICE_PAUSE_MS } from './limits';
import type { EmailRow } from './store';
import { emails, type NoticeKind, noticeReaders, toldSubscriptions } from './tables';

/** Owners of live organizations who want notices. Without a column `reader`: named `reader` and `owner`. */
const readersOf = (orgId: Condition): Condition => sql`${noticeReaders} as reader
  join ${members} as owner on owner.id = reader.member_id and owner.role = 'owner' and owner.accepted_at is not null
    and owner.revoked_at is null
  where reader.org_id = ${orgId}`;

/** What the subscription is now; null for what nobody is told about: a person paused it, or its receiver did. */
const IS_NOW = sql`case when deleted_at is not null then null when status = 'holding' then 'webhook_held'
  when status = 'disabled' then 'webhook_disabled' when status = 'active' then 'webhook_recovered' end`;

/**
 * Subscriptions whose state is another than the one told last. One that stops again soon after it recovered is told when
 * `NOTICE_PAUSE_MS` are over and it still stands, so of each kind there is at most one in that time. Reads what has stopped and what
 * was told lately, never all subscriptions.
 */
export function selectUntold(now: number, limit: number) {
  const stopped = sql`select held.id from ${subscriptions} as held indexed by subscriptions_on_hold
    left join ${toldSubscriptions} as told on told.subscription_id = held.id
    where held.hold_reason is not null and held.status in ('holding', 'disabled') and held.deleted_at is null
      and (told.kind is null or (told.kind = 'webhook_held' and held.status = 'disabled')
        or (told.kind = 'webhook_recovered' and told.updated_at <= ${now - NOTICE_PAUSE_MS}))
      and exists (select 1 from ${readersOf(sql`held.org_id`)})
      and exists (select 1 from ${organizations} as live where live.id = held.org_id and live.is_test = 0)
      and ${isAtWork(sql`held.org_id`)}`;
  const recovered = sql`select told.subscription_id from ${toldSubscriptions} as told
    join ${subscriptions} as again on again.id = told.subscription_id
    where told.kind <> 'webhook_recovered' and again.status = 'active' and again.deleted_at is null
      and ${isAtWork(sql`again.org_id`)}`;
  return orm
    .select({
      id: subscriptions.id,
      orgId: subscriptions.orgId,
      host: subscriptions.host,
      kind: sql<NoticeKind>`${IS_NOW}`.as('notice_kind'),
      told: sql<NoticeKind | null>`(select kind from ${toldSubscriptions} as told where told.subscription_id = subscriptions.id)`.as(
        'told_kind',
      ),
    })
    .from(subscriptions)
    .where(sql`${subscriptions.id} in (${stopped} union all ${recovered} limit ${limit})`);
}

export type Untold = Awaited<ReturnType<typeof selectUntold>>[number];

/** Whom to tell. */
export function selectReaders(orgIds: readonly string[]) {
  return orm
    .select({
      orgId: sql<string>`reader.org_id`.as('reader_org'),
      memberId: sql<string>`owner.id`.as('reader_id'),
      email: sql<string>`owner.email`.as('reader_email'),
    })
    .from(sql`${readersOf(sql`reader.org_id`)} and reader.org_id in ${inList(orgIds)}`);
}

/** It is still so, and nobody else has told it. */
function isUntold({ id, kind, told }: Untold): Condition {
  return sql`exists (select 1 from ${subscriptions} where ${subscriptions.id} = ${id} and ${IS_NOW} = ${kind})
    and (select kind from ${toldSubscriptions} where subscription_id = ${id}) is ${told}`;
}

/** Only before `markTold` of the same batch. */
export function insertNotice(row: EmailRow, of: Untold): Statement {
  return insertSelect(emails, row, sql`where ${isUntold(of)}`).onConflictDoNothing();
}

export function markTold(of: Untold, now: number): Statement {
  const row = { subscriptionId: of.id, orgId: of.orgId, kind: of.kind, updatedAt: now };
  return insertSelect(toldSubscriptions, row, sql`where ${isUntold(of)}`).onConflictDoUpdate({
    target: toldSubscriptions.subscriptionId,
    set: { kind: of.kind, updatedAt: now },
  });
}

/** Subscriptions of which the row says no more than a missing one: they have been running for long, or are gone. */
const saysNothing = (now: number): Condition => sql`(select told.subscription_id from ${toldSubscriptions} as told
  where (told.kind = 'webhook_recovered' and told.updated_at <= ${now - NOTICE_PAUSE_MS})
    or exists (select 1 from ${subscriptions} as gone where gone.id = told.subscription_id and gone.deleted_at is not null))`;

export function forgetTold(now: number): Statement {
  return orm.delete(toldSubscriptions).where(sql`subscription_id in ${saysNothing(now)}`);
}

/** The notices about what `forgetTold` forgets, if they have ended: nothing reads them any more. Before it in the batch. */
export function deleteNotices(now: number): Statement {
  const ended = sql`(select notice.id from ${toldSubscriptions} as last
    cross join ${emails} as notice indexed by emails_once on notice.org_id = last.org_id
      and notice.about > last.subscription_id || ' ' and notice.about < last.subscription_id || '!'
    where last.subscription_id in ${saysNothing(now)} and notice.state not in ('waiting', 'sending'))`;
  return orm.delete(emails).where(sql`${emails.id} in ${ended}`);
}

export function selectReader(memberId: string) {
  return orm.select({ since: noticeReaders.createdAt }).from(noticeReaders).where(eq(noticeReaders.memberId, memberId));
}

export function insertReader(of: { memberId: string; orgId: string; now: number }): Statement {
  return orm
    .insert(noticeReaders)
    .values({ memberId: of.memberId, orgId: of.orgId, createdAt: of.now })
    .onConflictDoNothing();
}

export function deleteReader(of: { memberId: string; orgId: string }): Statement {
  return orm
    .delete(noticeReaders)
    .where(and(eq(noticeReaders.memberId, of.memberId), eq(noticeReaders.orgId, of.orgId)));
}
