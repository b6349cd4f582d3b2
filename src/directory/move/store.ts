import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import { has } from '../../platform/data/columns';
import { assertInBatch, inList, updateOneRow } from '../../platform/data/db';
import { type Condition, orm, type Statement } from '../../platform/data/statements';
import { type OrganizationState, organizations } from '../../platform/tables';
import { directory } from '../tables';
import type { Belonging } from './belongings';

/**
 * Changes the database of all directory entries of an organization to `shard`, including those of its hosts and e-mail
 * addresses.
 */
export function leadTo(orgId: string, shard: number) {
  return orm
    .update(directory)
    .set({ shard })
    .where(and(eq(directory.orgId, orgId), ne(directory.shard, shard)));
}

/** Selects those organizations that the directory assigns to another database than `shard`. */
export function selectElsewhere(orgIds: readonly string[], shard: number) {
  return orm
    .select({ orgId: directory.orgId })
    .from(directory)
    .where(
      and(eq(directory.kind, 'organization'), sql`${directory.key} in ${inList(orgIds)}`, ne(directory.shard, shard)),
    );
}

export type Value = string | number | null;
export type Row = Record<string, Value>;

const PAGE = 200;
/** The most characters of a bound text. D1 allows 2 MB. */
const CHUNK_CHARACTERS = 400_000;

export function pageSizeOf({ page }: Belonging): number {
  return page ?? PAGE;
}

/** Returns the SQL of a text from a `Belonging`, with `$org` and `$now` bound. */
function filled(text: string, orgId: string, now: number): SQL {
  const values = { $org: orgId, $now: now };
  const parts = text.split(/(\$org|\$now)/).map((part) => {
    return part in values ? sql`${values[part as keyof typeof values]}` : sql.raw(part);
  });
  return sql.join(parts);
}

function named(columns: readonly string[], alias?: string): SQL {
  return sql.raw(columns.map((column) => `${alias ? `${alias}.` : ''}"${column}"`).join(', '));
}

function rowsOf(belonging: Belonging, orgId: string, now: number): SQL {
  const { table, from = `"${table}" as t`, where = 't.org_id = $org' } = belonging;
  return sql`from ${sql.raw(from)} where ${filled(where, orgId, now)}`;
}

/**
 * SQL that counts the rows of an organization. It reads only the tables that have an index by organization. These are
 * the tables that grow with the organization's work.
 * @param max counting stops at this number in each table
 */
export function countRows(belongings: readonly Belonging[], orgId: string, max: number): SQL<number> {
  const grown = belongings.filter(({ key, order }) => order !== undefined || key[0] === 'org_id');
  const counts = grown.map((each) => sql`(select count(*) from (select 1 ${rowsOf(each, orgId, 0)} limit ${max}))`);
  return sql`(${sql.join(counts, sql` + `)})`;
}

function orderOf({ key, order }: Belonging): readonly string[] {
  return order ?? key.map((column) => `t."${column}"`);
}

/** The column alias of one part of the sort key. */
const placeOf = (index: number) => `place ${index}`;

/**
 * One page of an organization's rows, in the order of the sort key.
 * @param after `last` from `readPage`; null for the first page
 */
export function selectPage(
  belonging: Belonging,
  { orgId, after, now }: { orgId: string; after: readonly Value[] | null; now: number },
) {
  const order = orderOf(belonging);
  const places = order.map((each, index) => `${each} as "${placeOf(index)}"`).join(', ');
  const first = sql.raw(order[0] ?? '');
  const behind = after
    ? sql`and ${first} >= ${after[0]} and (${sql.raw(order.join(', '))}) > (${sql.join(
        after.map((value) => sql`${value}`),
        sql`, `,
      )})`
    : sql``;
  return orm.all<Row>(sql`select t.*, ${sql.raw(places)} ${rowsOf(belonging, orgId, now)} ${behind}
      order by ${sql.raw(order.join(', '))} limit ${pageSizeOf(belonging)}`);
}

/**
 * Separates the rows of a page from their sort keys.
 * @returns the rows as they are stored, and the sort key of the last row
 */
export function readPage(belonging: Belonging, page: readonly Row[]): { rows: Row[]; last: Value[] | null } {
  const places = orderOf(belonging).map((_, index) => placeOf(index));
  const rows = page.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([column]) => !places.includes(column))),
  );
  const end = page.at(-1);
  return { rows, last: end ? places.map((place) => end[place] ?? null) : null };
}

/**
 * Statements that insert the rows of a page that are not in the table yet. Sending a page twice therefore changes
 * nothing. The batch is rolled back unless the organization is moving to this database.
 */
export function insertPage(belonging: Belonging, orgId: string, rows: readonly Row[]): Statement[] {
  const { table, key, written = {} } = belonging;
  if (rows.length === 0) return [];
  const columns = Object.keys(rows[0] ?? {});
  const cellOf = (column: string) => sql.raw(written[column] ?? `value ->> ${columns.indexOf(column)}`);
  const isThere = sql.join(
    key.map((column) => sql`there.${sql.raw(`"${column}"`)} = ${sql.raw(`value ->> ${columns.indexOf(column)}`)}`),
    sql` and `,
  );
  const inserts = chunksOf(rows.map((row) => JSON.stringify(columns.map((column) => row[column])))).map((chunk) =>
    orm.run(sql`insert into ${sql.raw(`"${table}"`)} (${named(columns)})
        select ${sql.join(columns.map(cellOf), sql`, `)} from json_each(${`[${chunk.join(',')}]`})
        where not exists (select 1 from ${sql.raw(`"${table}"`)} as there where ${isThere})`),
  );
  return table === 'organizations' ? inserts : [assertInBatch(isIn(orgId, ['moving'])), ...inserts];
}

/** A statement that rolls the batch back unless each of these rows exists and belongs to the organization. */
export function assertBelong(belonging: Belonging, orgId: string, rows: readonly Row[]): Statement {
  const { key, from } = belonging;
  // A `cross join` would make SQLite begin a page at the organization. Here the rows are found by their keys, so SQLite
  // may choose the order of the joined tables.
  const free = from === undefined ? belonging : { ...belonging, from: from.replace('cross join', 'join') };
  const keys = JSON.stringify(rows.map((row) => key.map((column) => row[column])));
  const isIt = sql.join(
    key.map((column, index) => sql.raw(`t."${column}" = given.value ->> ${index}`)),
    sql` and `,
  );
  return assertInBatch(sql`not exists (select 1 from json_each(${keys}) as given
    where not exists (select 1 ${rowsOf(free, orgId, 0)} and ${isIt}))`);
}

function chunksOf(texts: readonly string[]): string[][] {
  const chunks: string[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const text of texts) {
    if (length + text.length > CHUNK_CHARACTERS) {
      chunks.push([]);
      length = 0;
    }
    chunks.at(-1)?.push(text);
    length += text.length;
  }
  return chunks;
}

/** Deletes a page of rows. The batch is undone if the organization is active in this database or is moving to it. */
export function deletePage(belonging: Belonging, orgId: string) {
  const { table, key } = belonging;
  // With the time 0, expired rows are deleted too.
  const rows = rowsOf(belonging, orgId, 0);
  return {
    guard: assertInBatch(sql`not ${isIn(orgId, ['active', 'moving'])}`),
    deleted:
      orm.run(sql`delete from ${sql.raw(`"${table}"`)} where (${named(key)}) in (select ${named(key, 't')} ${rows}
        limit ${pageSizeOf(belonging)})`),
  };
}

function isIn(orgId: string, states: readonly OrganizationState[]): Condition {
  return sql`exists (select 1 from ${organizations} where id = ${orgId} and state in ${inList(states)})`;
}

/**
 * A change of an organization's state for a move. `startedAt` is the time when the move blocked the organization's
 * writes (its fence). This time identifies the move.
 */
interface StateChange {
  orgId: string;
  startedAt: number;
  from: OrganizationState;
  to: OrganizationState;
  now: number;
}

/**
 * Changes the state of an organization in this database if it has the state `from`. Otherwise changes nothing. Also
 * changes nothing after a later move has fenced the organization, so that an earlier move that still runs cannot undo
 * the later one.
 */
export function setState({ orgId, startedAt, from, to, now }: StateChange) {
  // Rows that are left behind are never read again, so `updated_at` can store when they were left behind.
  const left = to === 'gone' ? sql`, updated_at = ${now}` : sql``;
  const isFirst = from === 'active' ? sql`< ${startedAt}` : sql`<= ${startedAt}`;
  const fenced = from === 'active' ? sql`, fenced_by = ${startedAt}` : sql``;
  return orm.run(sql`update ${organizations} set state = ${to}${left}${fenced}
    where id = ${orgId} and state = ${from} and coalesce(fenced_by, 0) ${isFirst}`);
}

/**
 * Like `setState`, but undoes the batch unless this move has brought the organization into the state `to`, now or in
 * an earlier call.
 */
export function changeState(change: StateChange) {
  const { orgId, startedAt, to } = change;
  const isDone = sql`exists (select 1 from ${organizations} where id = ${orgId} and state = ${to} and fenced_by = ${startedAt})`;
  return { changed: setState(change), guard: assertInBatch(isDone) };
}

/** Makes a moving organization active. @param suspendedAt epoch ms; null if it is not suspended */
export function settle(orgId: string, suspendedAt: number | null) {
  return updateOneRow(
    organizations,
    { state: 'active', suspendedAt },
    has(organizations, { id: orgId, state: 'moving' }),
  );
}

/** The state of the organization in this database; no row if it is not there. */
export function selectState(orgId: string) {
  return orm.all<{ state: OrganizationState }>(sql`select state from ${organizations} where id = ${orgId}`);
}

/** The organizations that left this database before a time (epoch ms), the earliest first. */
export function selectLeft(before: number, limit: number) {
  return orm.all<{ id: string }>(
    sql`select id from ${organizations} where state <> 'active' and state = 'gone' and updated_at <= ${before}
      order by updated_at, id limit ${limit}`,
  );
}
