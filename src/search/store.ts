import { getTableColumns, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { catalogProducts } from '../catalog/tables';
import { assertInBatch, inList } from '../platform/data/db';
import { type Condition, orm, type Statement } from '../platform/data/statements';
import { type Fields, searched } from '../platform/fields';
import { organizations } from '../platform/tables';
import { type SearchKind, searchCursors, searchEntries } from './tables';
import { matchText, type Query, type SearchedRow, type Term } from './words';

/** The rows of one kind, as their slice describes them. */
export interface Searchable {
  kind: SearchKind;
  /** With `org_id`, `id`, `items`, `created_at` and `change_number`. */
  table: SQLiteTable;
  /** The unique index of its change numbers. */
  changes: string;
  fields: Fields;
  /** Of a row: its person was erased, or it was deleted. */
  isGone: Condition;
  /** Of a row: its terms of state, as text (`stateTerm`). */
  state: Condition;
}

/** A row behind the cursor. */
export interface TailRow extends SearchedRow {
  id: string;
  changeNumber: number;
  createdAt: number;
  isGone: number;
  state: string;
}

/** A value that lists filter by, as a term: letters and digits alone. */
export function stateTerm(value: string): Term {
  return `s${value.replace(/[^a-z\d]/gi, '').toLowerCase()}`;
}

/** A shop, likewise: whoever asks for it may have written anything. */
export function shopTerm(shopId: string): Term {
  return `h${shopId
    .slice(-12)
    .replace(/[^a-z\d]/gi, '')
    .toLowerCase()}`;
}

function positionOf(orgId: string, kind: SearchKind): Condition {
  return sql`coalesce((select position from ${searchCursors} where org_id = ${orgId} and kind = ${kind}), 0)`;
}

/** Rows that were changed since they came into the index: the newest for a search, the oldest for the index. */
export function selectTail(of: Searchable, orgId: string, limit: number, from: 'newest' | 'oldest') {
  const columns = getTableColumns(of.table);
  const names = searched(of.fields).map(
    (key) => sql`${sql.identifier(columns[key]?.name ?? key)} as ${sql.identifier(key)}`,
  );
  const pzns = sql`(select group_concat(pzn, ' ') from ${catalogProducts}
    where p1_id in (select value ->> '$.p1Id' from json_each(items)))`;
  return orm.all<TailRow>(sql`select ${sql.join(names, sql`, `)}, change_number as "changeNumber", created_at as "createdAt",
      (${of.isGone}) as "isGone", ${of.state} as "state", ${pzns} as "pzns"
    from ${of.table} indexed by ${sql.identifier(of.changes)}
    where org_id = ${orgId} and change_number > ${positionOf(orgId, of.kind)}
    order by change_number ${sql.raw(from === 'newest' ? 'desc' : 'asc')} limit ${limit}`);
}

/** Where the cursor stands. */
export function selectPosition(orgId: string, kind: SearchKind) {
  return orm.all<{ position: number }>(sql`select ${positionOf(orgId, kind)} as position`);
}

interface NewEntry {
  id: string;
  changeNumber: number;
  createdAt: number;
  state: string;
  words: string;
}

/**
 * Takes rows into the index and moves the cursor. The batch is undone unless the cursor still stands where it was read, so that of
 * two runs one writes; a row that was changed since (erased, perhaps) is left to the next run.
 * @param to the highest change number that was read
 */
export function insertEntries(
  { kind, table }: Searchable,
  orgId: string,
  entries: readonly NewEntry[],
  { from, to }: { from: number; to: number },
): Statement[] {
  const rows = JSON.stringify(
    entries.map((each) => [each.id, each.changeNumber, each.createdAt, each.state, each.words]),
  );
  const known = sql`(select docid from ${searchEntries} where org_id = ${orgId} and id = doc.id)`;
  const free = sql`coalesce((select max(docid) + 1 from ${searchEntries}
    where docid >= doc.at * ${places} and docid < (doc.at + 1) * ${places}), doc.at * ${places})`;
  return [
    assertInBatch(sql`${positionOf(orgId, kind)} = ${from}`),
    orm.run(sql`insert into ${searchEntries} (docid, org_id, kind, id, state, words)
      select coalesce(${known}, ${free} + row_number() over (partition by doc.at order by doc.id) - 1) as place,
        ${orgId}, ${kind}, doc.id, doc.state, doc.words
      from (select value ->> 0 as id, value ->> 1 as number, value ->> 2 as at, value ->> 3 as state, value ->> 4 as words
        from json_each(${rows})) as doc
      where exists (select 1 from ${table} as still
        where still.org_id = ${orgId} and still.change_number = doc.number and still.id = doc.id)
      order by place
      on conflict (docid) do update set state = excluded.state, words = excluded.words
        where search_entries.id = excluded.id
          and (search_entries.state <> excluded.state or search_entries.words <> excluded.words)`),
    orm.run(sql`insert into ${searchCursors} (org_id, kind, position) values (${orgId}, ${kind}, ${to})
      on conflict (org_id, kind) do update set position = excluded.position`),
  ];
}

/** Active organizations with rows that are not in the index, one row for each kind of row that is read. */
export function selectBehind(searchables: readonly Searchable[], limit: number) {
  const isBehind = searchables.map(
    ({ kind, table }) => sql`coalesce((select max(change_number) from ${table} where org_id = organizations.id), 0)
      > coalesce((select position from ${searchCursors} where org_id = organizations.id and kind = ${kind}), 0)`,
  );
  return orm.all<{ id: string }>(
    sql`select id from ${organizations} where state = 'active' and (${sql.join(isBehind, sql` or `)}) limit ${limit}`,
  );
}

/** What a text finds among the rows of one kind, once those behind the cursor were looked at. */
export interface Sought {
  orgId: string;
  kind: SearchKind;
  query: Query;
  /** Rows behind the cursor: what the index says of them is old. */
  tail: readonly string[];
  /** Those of them that the text finds. */
  tailFound: readonly string[];
  /** There are more behind the cursor than were looked at: the index is being made. */
  isBehind: boolean;
}

interface FoundPage {
  /** Groups of terms of state: of each group one has to be there. */
  states?: readonly (readonly Term[])[];
  /** The id of the last row of the page before. */
  after?: string | null;
  /** Oldest first. */
  isAscending?: boolean;
  limit: number;
}

/**
 * Ids of what a text finds, as a subquery: the newest, or the oldest, up to a limit, and beside them what is not in the index yet, so that the
 * caller filters, orders and limits once more. It reads as many rows as the limit says, and those behind the cursor.
 */
export function foundIds({ orgId, kind, query, tail, tailFound }: Sought, page: FoundPage): Condition {
  const { states = [], after = null, isAscending = false, limit } = page;
  if (query.wanted === null) return inList([]);
  const before = orgId.slice(-12) + kind;
  const ofStates = states.map((group) => `(${group.map((term) => `"${before}${term}"`).join(' OR ')})`);
  const match = [matchText(query.wanted, before), ...ofStates].join(' AND ');
  const [behind, order] = isAscending ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`];
  const bound =
    after === null
      ? sql``
      : sql`and search_words.rowid ${behind} ${boundOf(after, isAscending)} and entry.id ${behind} ${after}`;
  return sql`(select id from (select entry.id as id from search_words
      cross join ${searchEntries} as entry on entry.docid = search_words.rowid
      where search_words match ${match} and entry.org_id = ${orgId} and entry.id not in ${inList(tail)} ${bound}
      order by search_words.rowid ${order} limit ${limit})
    union all select value from json_each(${JSON.stringify(tailFound)}))`;
}

/** Rows that can be made in one ms: far more than a database writes. */
const PLACES = 4096;
const places = sql.raw(String(PLACES));

/** An id begins with the time of its making, which that of the row follows soon. */
const SOON_MS = 10_000;

/** Nothing behind a row is beyond this place in the index. */
function boundOf(id: string, isAscending: boolean): number {
  const at = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) || 0;
  return (isAscending ? at - SOON_MS : at + SOON_MS) * PLACES;
}

/** How many rows a text finds, counted up to the limit. */
export function countFound(sought: Sought, limit: number) {
  return orm.all<{ count: number }>(
    sql`select count(*) as count from (select 1 from ${foundIds(sought, { limit })} limit ${limit})`,
  );
}
