import { and, asc, desc, eq, getTableColumns, gt, gte, inArray, lt, lte, ne, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Condition } from '../../platform/db';
import { orm } from '../../platform/statements';
import { type OrganizationState, organizations } from '../../tenants/tables';
import { members, staffAccounts, staffSecondFactors, staffSessions, staffVerifications } from '../tables';
import { isActiveMember } from './store-memberships';

/** The tables of better-auth's models. */
const TABLES = {
  user: members,
  session: staffSessions,
  account: staffAccounts,
  verification: staffVerifications,
  twoFactor: staffSecondFactors,
} as const;
export type StaffModel = keyof typeof TABLES;

export type StaffRow = Record<string, unknown>;

/** One condition; in a list, all of them must hold. */
export interface StaffCondition {
  field: string;
  operator: string;
  value: unknown;
}

const COMPARISONS: Record<string, (column: SQLiteColumn, value: unknown) => SQL> = {
  eq: (column, value) => (value === null ? sql`${column} is null` : eq(column, value)),
  lt: (column, value) => lt(column, value),
  lte: (column, value) => lte(column, value),
  gt: (column, value) => gt(column, value),
  gte: (column, value) => gte(column, value),
  // SAFETY: better-auth checks that the value of `in` is a list.
  in: (column, value) => inArray(column, value as unknown[]),
};

export function isStaffModel(model: string): model is StaffModel {
  return model in TABLES;
}

/**
 * The fields of a row for which its table has a column; better-auth passes more than is stored (addresses, browsers,
 * pictures).
 */
export function knownFields(model: StaffModel, row: StaffRow): StaffRow {
  const columns = getTableColumns(TABLES[model]);
  return Object.fromEntries(Object.entries(row).filter(([field]) => field in columns));
}

export function insertStaffRow(model: StaffModel, row: StaffRow) {
  // SAFETY: better-auth's schema and these columns have the same names; a missing value fails as NOT NULL.
  return orm
    .insert(TABLES[model])
    .values(row as never)
    .returning();
}

/** Everybody who matches a condition and may sign in, unless the organization has moved to another database. */
export function selectPeople(who: Condition) {
  return orm
    .select({
      ...getTableColumns(members),
      // D1 tells columns apart by their names alone.
      organizationName: sql<string>`${organizations.name}`.as('organization_name'),
      organizationState: sql<OrganizationState>`${organizations.state}`.as('organization_state'),
    })
    .from(members)
    .innerJoin(organizations, eq(organizations.id, members.orgId))
    .where(and(who, isActiveMember, ne(organizations.state, 'gone')));
}

export interface StaffSelection {
  limit: number;
  offset?: number;
  order?: { field: string; direction: 'asc' | 'desc' };
}

export function selectStaffRows(model: StaffModel, where: StaffCondition[], selection: StaffSelection) {
  const { limit, offset = 0, order } = selection;
  const direction = order?.direction === 'desc' ? desc : asc;
  return orm
    .select(columnsOf(model))
    .from(TABLES[model])
    .where(allOf(model, where))
    .orderBy(direction(columnOf(model, order?.field ?? 'id')))
    .limit(limit)
    .offset(offset);
}

/** The rows of another model that belong to the rows that match a condition. */
export function selectJoinedRows(
  base: { model: StaffModel; where: StaffCondition[]; field: string },
  joined: { model: StaffModel; field: string },
) {
  const keys = orm
    .select({ key: columnOf(base.model, base.field) })
    .from(TABLES[base.model])
    .where(allOf(base.model, base.where));
  return orm
    .select(columnsOf(joined.model))
    .from(TABLES[joined.model])
    .where(and(inArray(columnOf(joined.model, joined.field), keys), allOf(joined.model, [])));
}

export function updateStaffRows(
  model: StaffModel,
  where: StaffCondition[],
  changes: StaffRow,
  increment: Record<string, number> = {},
) {
  const sums = Object.entries(increment).map(([field, by]) => [field, sql`${columnOf(model, field)} + ${by}`]);
  return (
    orm
      .update(TABLES[model])
      // SAFETY: as in insertStaffRow.
      .set({ ...changes, ...Object.fromEntries(sums) } as never)
      .where(allOf(model, where))
      .returning()
  );
}

export function deleteStaffRows(model: StaffModel, where: StaffCondition[]) {
  return orm.delete(TABLES[model]).where(allOf(model, where)).returning();
}

/** Deletes at most one row, so that only one of two requests can use it up. */
export function deleteOneStaffRow(model: StaffModel, where: StaffCondition[]) {
  const { id } = TABLES[model];
  const one = orm.select({ id }).from(TABLES[model]).where(allOf(model, where)).limit(1);
  return orm.delete(TABLES[model]).where(inArray(id, one)).returning();
}

function allOf(model: StaffModel, where: StaffCondition[]): SQL | undefined {
  const conditions = where.map(({ field, operator, value }) => {
    const compare = COMPARISONS[operator];
    if (!compare) throw new Error(`no comparison ${operator}`);
    return compare(columnOf(model, field), value);
  });
  return and(...conditions, model === 'user' ? isActiveMember : undefined);
}

function columnsOf(model: StaffModel): Record<string, SQLiteColumn | SQL.Aliased> {
  const columns = getTableColumns(TABLES[model]);
  if (model !== 'user') return columns;
  const name = sql<string>`(select ${organizations.name} from ${organizations} where ${organizations.id} = ${members.orgId})`;
  return { ...columns, organizationName: name.as('organization_name') };
}

function columnOf(model: StaffModel, field: string): SQLiteColumn {
  const column = (getTableColumns(TABLES[model]) as Record<string, SQLiteColumn>)[field];
  if (!column) throw new Error(`no column ${model}.${field}`);
  return column;
}
