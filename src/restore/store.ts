import { and, asc, eq, getTableColumns, getTableName, gt, gte, isNotNull, isNull, ne, or, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { auditLog } from '../audit/tables';
import { apiKeys, members, staffPageData, staffResets, staffSessions, staffVerifications } from '../auth/tables';
import { catalogProducts } from '../catalog/tables';
import { inventory } from '../inventory/tables';
import { messageSettings } from '../messages/tables';
import { orderRequests } from '../order-requests/tables';
import { customers, orders, paymentLinks } from '../orders/tables';
import { changeAt, has, unset } from '../platform/data/columns';
import { inList, insertSelect } from '../platform/data/db';
import { type Condition, jsonOf, numberedId, orm } from '../platform/data/statements';
import { firstIdAt } from '../platform/ids';
import { organizations } from '../platform/tables';
import { fileDeletions, prescriptions } from '../prescriptions/tables';
import { shopHosts, shops } from '../tenants/tables';
import type { markerOf } from '../webhooks/outbox';
import { events, subscriptions } from '../webhooks/tables';
import { VERSION_GAP } from './limits';

/** The highest event and order numbers of each organization, or only of `orgId`. */
export function selectHighest(orgId?: string) {
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
    .where(and(ne(organizations.state, 'gone'), orgId === undefined ? undefined : eq(organizations.id, orgId)));
}

/**
 * The event number of an organization's marker (`insertMarkers`), and the number that all new order numbers of the
 * organization exceed.
 */
export interface Mark {
  org_id: string;
  seq: number;
  number: number;
}

/**
 * Inserts a marker for each organization that has no event with the marker's number or a higher one. A marker is a test
 * event that is never delivered or shown.
 */
export function insertMarkers(marks: readonly Mark[], of: ReturnType<typeof markerOf> & { idPrefix: string }) {
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

/** Raises the numbers above which the new orders of each organization are numbered. */
export function raiseNumberFloors(marks: readonly Mark[]) {
  return orm.run(sql`update ${organizations}
    set order_number_floor = max(order_number_floor, cast(mark.value ->> 'number' as integer))
    from json_each(${jsonOf(marks)}) as mark where ${organizations}.id = mark.value ->> 'org_id'`);
}

/** Deletes all sessions and password links, because some of them had ended or been used in the lost period. */
export function endSignIns() {
  return [
    orm.delete(staffSessions),
    orm.delete(staffResets),
    orm.delete(staffVerifications),
    orm.delete(staffPageData),
  ];
}

/**
 * Gives orders that a restore has set back a new change number and a new version. Lists by change therefore include the
 * orders, and no caller has seen the version before.
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
      // `+` makes SQLite search by id instead of reading all rows of the organization.
      .where(and(sql`+${orderRequests.orgId} = ${orgId}`, sql`id in ${inList(ids)}`))
  );
}

/** Puts files back on the deletion list. */
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

type Held = typeof orderRequests | typeof customers;

/** Sets or lifts a legal hold again, as the journal (src/audit/journal.ts) says. */
export function holdAgain(table: Held, orgId: string, id: string, legalHold: boolean, now: number) {
  const isOther = ne(table.legalHold, legalHold);
  return orm
    .update(table)
    .set({ legalHold, updatedAt: now })
    .where(and(has(table, { orgId, id }), isOther));
}

/**
 * Suspends an organization and its test organization, or ends the suspension, as the journal says.
 * @param suspendedAt null to end it
 */
export function suspendAgain(orgId: string, suspendedAt: number | null) {
  const isOther = suspendedAt === null ? isNotNull(organizations.suspendedAt) : isNull(organizations.suspendedAt);
  return orm
    .update(organizations)
    .set({ suspendedAt })
    .where(and(or(eq(organizations.id, orgId), has(organizations, { counterpartId: orgId, isTest: true })), isOther));
}

/** The value of the table's sort key after which a page begins. */
type After = string | number | null;
export type Row = Record<string, unknown>;

export interface Part {
  name: string;
  page: number;
  table: SQLiteTable;
  /** Selects the organization's rows that have changed since `at`. */
  select: (of: { orgId: string; at: number; after: After; limit: number }) => ReturnType<typeof pageOf>;
  afterOf: (row: Row) => string | number;
  idOf: (row: Row) => string;
  /** Selects the organization's current rows with these ids. */
  selectNow: (orgId: string, ids: readonly string[]) => ReturnType<typeof pageOf>;
}

function pageOf(table: SQLiteTable, key: SQLiteColumn, where: Condition | undefined, limit: number) {
  return orm.select().from(table).where(where).orderBy(asc(key)).limit(limit);
}

/** Page size for tables whose rows often exceed 1 KB. */
const LONG = 40;
const SHORT = 400;

type Copied = SQLiteTable & { orgId: SQLiteColumn };

/** Makes the `Part` for a table that has an index of change numbers. Its changed rows are found by change number. */
function byChange(table: typeof orders | typeof orderRequests): Part {
  return partOf(table, 'id', { page: LONG, sortedBy: 'changeNumber' }, ({ at, after }) =>
    gt(table.changeNumber, Math.max(changeAt(at), Number(after ?? 0))),
  );
}

/**
 * Makes the `Part` for a table that has no change numbers. Its rows are read in the order of the key.
 * @param isChanged SQL for whether a row has changed. Without it, all rows are copied, because the table has few
 */
function byKey(table: Copied, keyName: string, isChanged?: (of: { orgId: string; at: number }) => Condition): Part {
  const key = sql.identifier(getTableColumns(table)[keyName]?.name ?? '');
  return partOf(table, keyName, { page: SHORT, sortedBy: keyName }, ({ after, ...of }) =>
    and(isChanged?.(of), after === null ? undefined : sql`${key} > ${after}`),
  );
}

function partOf(
  table: Copied,
  keyName: string,
  { page, sortedBy }: { page: number; sortedBy: string },
  isMeant: (of: { orgId: string; at: number; after: After }) => Condition | undefined,
): Part {
  // SAFETY: the names are those of columns.
  const [key, order] = [keyName, sortedBy].map((name) => getTableColumns(table)[name]) as [SQLiteColumn, SQLiteColumn];
  // If the key is unique without the organization, `+` makes SQLite search by key instead of reading all rows of the
  // organization.
  const isOf = (orgId: string) => (key.primary ? sql`+${table.orgId} = ${orgId}` : eq(table.orgId, orgId));
  return {
    name: getTableName(table),
    page,
    table,
    select: ({ limit, ...of }) => pageOf(table, order, and(eq(table.orgId, of.orgId), isMeant(of)), limit),
    afterOf: (row) => row[sortedBy] as string | number,
    idOf: (row) => String(row[keyName]),
    selectNow: (orgId, ids) => pageOf(table, key, and(isOf(orgId), sql`${key} in ${inList(ids)}`), page),
  };
}

/**
 * Columns that are not compared: every write changes them, the service updates them by itself, or a restore rewrites
 * them.
 */
const NOT_COMPARED = new Set(['version', 'changeNumber', 'updatedAt', 'lastUsedAt', 'nextCheckAt', 'nextFetchAt']);
/**
 * Times that the replay of the journal sets again, to other values. They count as equal if both or neither are null.
 */
const DONE_AGAIN = new Set(['erasedAt', 'revokedAt', 'deletedAt']);

/** Returns the names of the columns in which a copied row differs from the current row, sorted by name. */
export function fieldsThatDiffer({ table }: Part, was: Row, is: Row): string[] {
  const columns = Object.entries(getTableColumns(table));
  const compared = (row: Row, name: string) =>
    DONE_AGAIN.has(name) ? row[name] !== null : JSON.stringify(row[name] ?? null);
  return columns
    .filter(([name]) => name in was && !NOT_COMPARED.has(name) && compared(was, name) !== compared(is, name))
    .map(([, column]) => column.name)
    .sort();
}

const changedIds =
  (table: typeof orders | typeof orderRequests, column: string) => (of: { orgId: string; at: number }) =>
    sql`(select ${sql.identifier(column)} from ${table} where org_id = ${of.orgId} and change_number > ${changeAt(of.at)})`;
const changedRequests = changedIds(orderRequests, 'id');
const changedOrders = changedIds(orders, 'id');
const customersOfOrders = changedIds(orders, 'customer_id');

/** The parts of an organization's data that are copied, in this order. */
export const PARTS: readonly Part[] = [
  byChange(orders),
  byChange(orderRequests),
  byKey(prescriptions, 'id', (of) => {
    return sql`(order_request_id in ${changedRequests(of)} or order_id in ${changedOrders(of)})`;
  }),
  byKey(customers, 'id', (of) => sql`id in ${customersOfOrders(of)}`),
  byKey(members, 'id'),
  byKey(apiKeys, 'id'),
  byKey(subscriptions, 'id'),
  byKey(shops, 'id'),
  byKey(shopHosts, 'host'),
  byKey(catalogProducts, 'p1Id', ({ at }) => gte(catalogProducts.updatedAt, at)),
  byKey(inventory, 'p1Id', ({ at }) => gte(inventory.updatedAt, at)),
  byKey(paymentLinks, 'id', (of) => sql`order_id in ${changedOrders(of)}`),
  byKey(messageSettings, 'shopId'),
  byKey(auditLog, 'id', ({ at }) => sql`id >= ${firstIdAt(at)}`),
];

/**
 * The parts whose rows are compared with the current rows after the restore, by name. The audit log is left out,
 * because its rows never change.
 */
export const COMPARED: ReadonlyMap<string, Part> = new Map(
  PARTS.filter(({ table }) => table !== auditLog).map((part) => [part.name, part]),
);

/** The next organization after an id. */
export function selectNextOrganization(after: string) {
  return orm
    .select({ id: organizations.id })
    .from(organizations)
    .where(and(gt(organizations.id, after), sql`state <> 'gone'`))
    .orderBy(asc(organizations.id))
    .limit(1);
}

const GIVEN_UP_MAX = 10_000;

/** The R2 keys on the deletion list. */
export function selectGivenUp() {
  return orm.select({ fileKey: fileDeletions.fileKey }).from(fileDeletions).limit(GIVEN_UP_MAX);
}
