import { and, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { apiKeys, members, staffResets, staffSecondFactors, staffSessions } from '../auth/tables';
import { directory } from '../directory/tables';
import { inventory, reservations } from '../inventory/tables';
import { sweepCursors } from '../order-requests/tables';
import { paymentLinks } from '../orders/tables';
import { isUnder } from '../platform/data/columns';
import { jsonOf, type Named, orm, prepared } from '../platform/data/statements';
import { installation, organizations } from '../platform/tables';
import { prescriptions } from '../prescriptions/tables';
import { shopHosts } from '../tenants/tables';
import { deliveries, subscriptions } from '../webhooks/tables';
import { DELIVERIES_LOOKED_AT, RESERVATIONS_LOOKED_AT } from './limits';

/** Counts of the directory entries that point to one database. */
interface Entries {
  shard: number;
  /** The number of entries, without those that were reserved in the last `RESERVED_SECONDS`. */
  count: number;
  /** The number of entries that are so old that their organization must exist. */
  settled: number;
}

/**
 * Selects the figures of one database for the checks, as one row. The number of rows read grows only with the number of
 * organizations and with the number of subscriptions that have waiting or given up deliveries. Some hundred
 * reservations are read, too. Deliveries of test organizations are left out.
 * @param at times in epoch ms: directory entries that were created after `reserved` do not count, and the organization
 *   of an entry that was created before `settled` must exist
 */
export const selectFigures = prepared(
  ({ now, reserved, settled }: Named<{ now: number; reserved: number; settled: number }>) =>
    orm
      .select({
        organizations: sql<number>`organizations`,
        /** The number of organizations that are not test organizations. */
        live: sql<number>`live`,
        active: sql<number>`active`,
        settled: sql<number>`settled`,
        moving: sql<number>`moving`,
        installation: sql<string | null>`installation`,
        // SAFETY: the statement below makes this JSON.
        entries: sql<Entries[]>`entries`.mapWith((json: string) => JSON.parse(json) as Entries[]),
        /**
         * Times (epoch ms) of unfinished deliveries about orders. `oldestAt` is when the oldest of them was created.
         * `dueAt` is the earliest time at which one of them was due.
         */
        oldestAt: sql<number | null>`oldest_at`,
        dueAt: sql<number | null>`due_at`,
        /**
         * The number of failing subscriptions, and the number of their organizations. A subscription fails if it has
         * accepted nothing since a delivery to it was given up.
         */
        failing: sql<number>`failing`,
        failingOrganizations: sql<number>`failing_organizations`,
        /**
         * Counts of the newest deliveries of the `failing` subscriptions: how many ended, and how many of those were
         * given up.
         */
        ended: sql<number>`ended`,
        exhausted: sql<number>`exhausted`,
        onHold: sql<number>`on_hold`,
        /** Number of shop hosts whose DNS points elsewhere. */
        moved: sql<number>`moved`,
        doneNight: sql<string | null>`done_night`,
        /**
         * The number of products for which the sum of the reservations differs from the reserved quantity in the
         * inventory.
         */
        unbalanced: sql<number>`unbalanced`,
      })
      .from(
        sql`(with recursive
          waiting(id) as (
            select * from (select min(subscription_id) from ${deliveries} where status = 'pending')
            union all select (select min(subscription_id) from ${deliveries}
              where status = 'pending' and subscription_id > waiting.id) from waiting where waiting.id is not null),
          given_up(id) as (
            select * from (select min(subscription_id) from ${deliveries} where status = 'exhausted')
            union all select (select min(subscription_id) from ${deliveries}
              where status = 'exhausted' and subscription_id > given_up.id) from given_up where given_up.id is not null),
          live(id) as materialized (select id from ${organizations} where state <> 'gone' and is_test = 0),
          due as materialized (
            select run.created_at, max(run.created_at, run.next_attempt_at) as due_at
            from waiting join ${subscriptions} as target on target.id = waiting.id
            join ${deliveries} as run on run.id in (select id from ${deliveries} as next
              where next.subscription_id = waiting.id and next.status = 'pending' and next.priority = 0
              order by next.next_attempt_at limit ${DELIVERIES_LOOKED_AT})
            where target.status = 'active' and target.deleted_at is null and coalesce(target.wait_until, 0) <= ${now}
              and target.org_id in (select id from live)
              and target.org_id not in (select id from ${organizations} where suspended_at is not null)
              and target.org_id not in (select id from ${organizations} where state <> 'active')),
          failing as materialized (
            select target.id, target.org_id from given_up join ${subscriptions} as target on target.id = given_up.id
            where target.exhausted_in_row > 0 and target.deleted_at is null and target.status in ('active', 'holding')
              and target.org_id in (select id from live)),
          newest as materialized (
            select run.status = 'exhausted' as is_exhausted from failing join ${deliveries} as run on run.id in (
              select id from ${deliveries} as last where last.subscription_id = failing.id
              order by id desc limit ${DELIVERIES_LOOKED_AT})
            where run.status in ('succeeded', 'exhausted'))
        select
          (select count(*) from ${organizations} where state <> 'gone') as organizations,
          (select count(*) from live) as live,
          (select count(*) from ${organizations} where state = 'active' and created_at <= ${reserved}) as active,
          (select count(*) from ${organizations} where state <> 'gone' and created_at <= ${settled} + 60000) as settled,
          (select count(*) from ${organizations} where state = 'moving') as moving,
          (select id from ${installation}) as installation,
          (select json_group_array(json_object('shard', shard, 'count', count, 'settled', settled)) from (
            select shard, sum(created_at <= ${reserved}) as count, sum(created_at <= ${settled}) as settled
            from ${directory} where kind = 'organization' group by shard)) as entries,
          (select min(created_at) from (select created_at from due
            union all select created_at from ${deliveries} where status = 'delivering' and priority = 0 and org_id in (select id from live))) as oldest_at,
          (select min(due_at) from due where due_at <= ${now}) as due_at,
          (select count(*) from failing) as failing,
          (select count(distinct org_id) from failing) as failing_organizations,
          (select count(*) from newest) as ended,
          (select coalesce(sum(is_exhausted), 0) from newest) as exhausted,
          (select count(*) from ${subscriptions} where hold_reason is not null and status = 'holding'
            and deleted_at is null and org_id in (select id from live)) as on_hold,
          (select count(*) from ${shopHosts} where moved_at is not null and org_id in (select id from live)) as moved,
          (select done_night from ${sweepCursors} where name = 'retention') as done_night,
          (select count(*) from (select distinct org_id, p1_id from (select org_id, p1_id from ${reservations}
              order by until limit ${RESERVATIONS_LOOKED_AT})) as held
            where (select sum(quantity) from ${reservations} as each where each.org_id = held.org_id and each.p1_id = held.p1_id)
              <> coalesce((select reserved_quantity from ${inventory} as stock where stock.org_id = held.org_id
                and stock.p1_id = held.p1_id), 0)) as unbalanced)`,
      ),
);

export type Figures = Awaited<ReturnType<typeof selectFigures>>[number];

/**
 * Selects the columns (`table.column`) and other objects (`trigger name`) that the migrations create but the database
 * lacks.
 */
export const selectMissing = prepared(
  ({ columns, objects }: Named<{ columns: readonly string[]; objects: readonly string[] }>) =>
    orm.select({ name: sql<string>`missing` }).from(
      sql`(select * from (select value as missing from json_each(${jsonOf(objects)})
            except select type || ' ' || name from sqlite_master)
          union all select * from (select value from json_each(${jsonOf(columns)})
            except select named.name || '.' || has.name from (select distinct substr(value, 1, instr(value, '.') - 1) as name
              from json_each(${jsonOf(columns)})) as named join pragma_table_xinfo(named.name) as has))`,
    ),
);

/**
 * Selects one row. For each purpose, the row has the number of rows of a database that would become invalid or
 * unfindable without a root secret.
 * @param round name of the cursor of `rewriteFingerprints`. Requests are checked one by one: `order_requests` is null
 *   until a round has ended without finding a request under this root secret
 */
export function selectLeftUnder(rootId: string, { now, round }: { now: number; round: string }) {
  const count = (name: string, table: SQLiteTable, where: SQL | undefined) =>
    sql<number>`(select count(*) from ${table} where ${where})`.as(name);
  const until = (column: SQLiteColumn, expiresAt: SQLiteColumn) => and(isUnder(column, rootId), gt(expiresAt, now));
  const { status, expiresAt } = paymentLinks;
  const openLinks = sql`${eq(paymentLinks.rootId, rootId)} and ${status} = 'open' and ${gt(expiresAt, now)}`;
  const { secretCiphertext, previousSecretCiphertext, deletedAt } = subscriptions;
  const secrets = or(isUnder(secretCiphertext, rootId), isUnder(previousSecretCiphertext, rootId));
  const here = sql`(select id from ${organizations} where state <> 'gone')`;
  const endless = or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now));
  return orm
    .select({
      api_keys: count('api_keys', apiKeys, and(isUnder(apiKeys.hash, rootId), isNull(apiKeys.revokedAt), endless)),
      sessions: count('sessions', staffSessions, until(staffSessions.tokenHash, staffSessions.expiresAt)),
      invitations: count('invitations', members, until(members.invitationHash, members.invitationExpiresAt)),
      reset_links: count('reset_links', staffResets, until(staffResets.hash, staffResets.expiresAt)),
      payment_links: count('payment_links', paymentLinks, openLinks),
      second_factors: count('second_factors', staffSecondFactors, isUnder(staffSecondFactors.secret, rootId)),
      signing_secrets: count('signing_secrets', subscriptions, and(secrets, isNull(deletedAt))),
      email_entries: count(
        'email_entries',
        directory,
        and(eq(directory.kind, 'email'), isUnder(directory.key, rootId)),
      ),
      prescription_marks: count(
        'prescription_marks',
        prescriptions,
        sql`org_id in ${here} and ${isUnder(prescriptions.fileMark, rootId)}
          or org_id in ${here} and ${isUnder(prescriptions.signatureMark, rootId)}`,
      ),
      order_requests: sql<
        0 | null
      >`(select iif(done_night is null, null, 0) from ${sweepCursors} where name = ${round})`.as('order_requests'),
    })
    .from(sql`(select 1)`);
}
