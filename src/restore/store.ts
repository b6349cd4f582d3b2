import { and, eq, isNotNull, isNull, ne, or, sql } from 'drizzle-orm';
import { members, staffPageData, staffResets, staffSessions, staffVerifications } from '../auth/tables';
import { orderRequests } from '../order-requests/tables';
import { customers, orders } from '../orders/tables';
import { unset } from '../platform/data/columns';
import { type Condition, inList, insertSelect } from '../platform/data/db';
import { jsonOf, numberedId, orm } from '../platform/data/statements';
import { fileDeletions } from '../prescriptions/tables';
import { organizations } from '../tenants/tables';
import type { markerOf } from '../webhooks/outbox';
import { events } from '../webhooks/tables';
import { VERSION_GAP } from './limits';

/** The highest numbers that the events and orders of each organization have. */
export function selectHighest() {
  return orm
    .select({
      orgId: organizations.id,
      events: sql<number>`coalesce((select max(seq) from ${events} where org_id = ${organizations}.id), 0)`.as(
        'last_event',
      ),
      orders: sql<number>`coalesce((select max(number) from ${orders} where org_id = ${organizations}.id), 0)`.as(
        'last_order',
      ),
    })
    .from(organizations)
    .where(ne(organizations.state, 'gone'));
}

/** Where an organization goes on: the number of its marker, and the one that its next order is above. */
export interface Mark {
  org_id: string;
  seq: number;
  number: number;
}

interface Marker extends ReturnType<typeof markerOf> {
  idPrefix: string;
}

/** A test event for each, which is delivered and shown to nobody. One that has an event so high has its marker. */
export function insertMarkers(marks: readonly Mark[], of: Marker) {
  const id = numberedId(of.idPrefix, sql`mark.key`);
  const body = sql`json_object('id', ${id}, 'org_id', home.id, 'event_type', ${of.type}, 'title', ${of.title},
    'description', ${of.description}, 'metadata', json('{}'), 'created_at', ${of.createdAtText})`;
  const highest = sql`(select coalesce(max(seq), 0) from ${events} as last where last.org_id = home.id)`;
  return insertSelect(
    events,
    {
      ...unset(events),
      id,
      seq: seqOf,
      orgId: sql`home.id`,
      type: of.type,
      body,
      isTest: true,
      createdAt: of.createdAt,
    },
    sql`from json_each(${jsonOf(marks)}) as mark join ${organizations} as home on home.id = mark.value ->> 'org_id'
      where home.state <> 'gone' and ${highest} < ${seqOf}`,
  );
}

const seqOf: Condition = sql`cast(mark.value ->> 'seq' as integer)`;

/** Orders are numbered above these from now on. */
export function raiseNumberFloors(marks: readonly Mark[]) {
  return orm.run(sql`update ${organizations}
    set order_number_floor = max(order_number_floor, cast(mark.value ->> 'number' as integer))
    from json_each(${jsonOf(marks)}) as mark where ${organizations}.id = mark.value ->> 'org_id'`);
}

/** Nobody is signed in, and no link sets a password: some of them were over or used in the time that is lost. */
export function endSignIns() {
  return [
    orm.delete(staffSessions),
    orm.delete(staffResets),
    orm.delete(staffVerifications),
    orm.delete(staffPageData),
  ];
}

/**
 * Gives orders that were set back a change number above those that callers have seen, so that lists by change tell them, and a
 * version that nobody has seen.
 */
export function touchOrders(orgId: string, ids: readonly string[], now: number) {
  return orm
    .update(orders)
    .set({ version: sql`version + ${sql.raw(String(VERSION_GAP))}`, updatedAt: now })
    .where(and(eq(orders.orgId, orgId), sql`id in ${inList(ids)}`));
}

export function touchRequests(orgId: string, ids: readonly string[], now: number) {
  return (
    orm
      .update(orderRequests)
      .set({ updatedAt: now })
      // `+` keeps SQLite from reading all of the organization.
      .where(and(sql`+${orderRequests.orgId} = ${orgId}`, sql`id in ${inList(ids)}`))
  );
}

/** Puts files back on the list of deletions. */
export function insertGivenUp(fileKeys: readonly string[], now: number) {
  const row = { fileKey: sql`given_up.value`, createdAt: now };
  return insertSelect(
    fileDeletions,
    row,
    sql`from json_each(${jsonOf(fileKeys)}) as given_up where true`,
  ).onConflictDoNothing();
}

export function selectOrganizationNow(orgId: string) {
  const owner = sql`select 1 from ${members} where org_id = ${orgId} and role = 'owner' and accepted_at is not null
    and revoked_at is null`;
  return orm
    .select({ name: organizations.name, hasOwner: sql<number>`exists (${owner})`.as('has_owner') })
    .from(organizations)
    .where(eq(organizations.id, orgId));
}

/** Sets or lifts a legal hold again. */
export function holdRequestAgain(orgId: string, id: string, legalHold: boolean, now: number) {
  return orm
    .update(orderRequests)
    .set({ legalHold, updatedAt: now })
    .where(and(eq(orderRequests.orgId, orgId), eq(orderRequests.id, id), ne(orderRequests.legalHold, legalHold)));
}

export function holdCustomerAgain(orgId: string, id: string, legalHold: boolean, now: number) {
  return orm
    .update(customers)
    .set({ legalHold, updatedAt: now })
    .where(and(eq(customers.orgId, orgId), eq(customers.id, id), ne(customers.legalHold, legalHold)));
}

/** Suspends an organization and its test organization again, or lets them work. @param suspendedAt null lets it work */
export function suspendAgain(orgId: string, suspendedAt: number | null) {
  const isOther = suspendedAt === null ? isNotNull(organizations.suspendedAt) : isNull(organizations.suspendedAt);
  return orm
    .update(organizations)
    .set({ suspendedAt })
    .where(
      and(
        or(eq(organizations.id, orgId), and(eq(organizations.counterpartId, orgId), eq(organizations.isTest, true))),
        isOther,
      ),
    );
}
