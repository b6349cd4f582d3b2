import { getTableColumns, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { catalogProducts } from '../catalog/tables';
import { assertInBatch, inList } from '../platform/data/db';
import { type Condition, orm, type Statement } from '../platform/data/statements';
import { type Fields, searched } from '../platform/fields';
import { organizations } from '../platform/tables';
import { type SearchKind, searchCursors, searchEntries } from './tables';
import { isMatched, matchText, type Query, type SearchedRow, TAIL_MAX, type Term, termsOf } from './words';

/** A kind of row that is searched. Its slice describes it. */
export interface Searchable {
  kind: SearchKind;
  /** Has the columns `org_id`, `id`, `items`, `created_at` and `change_number`. */
  table: SQLiteTable;
  /** Name of the unique index of its change numbers. */
  changes: string;
  fields: Fields;
  /** SQL for whether the row was deleted, or its person was erased. */
  isGone: Condition;
  /** SQL for the row's state terms, as one text (`stateTerm`). */
  state: Condition;
}

/** A row that has changed since it was indexed. */
export interface TailRow extends SearchedRow {
  id: string;
  changeNumber: number;
  createdAt: number;
  isGone: number;
  state: string;
}

/** Returns the term for a value by which lists filter. It has only letters and digits. */
export function stateTerm(value: string): Term {
  return `s${value.replace(/[^a-z\d]/gi, '').toLowerCase()}`;
}

/** Returns the term for a shop. It has only letters and digits, because a caller's shop id may contain anything. */
export function shopTerm(shopId: string): Term {
  return `h${shopId
    .slice(-12)
    .replace(/[^a-z\d]/gi, '')
    .toLowerCase()}`;
}

function positionOf(orgId: string, kind: SearchKind): Condition {
  return sql`coalesce((select position from ${searchCursors} where org_id = ${orgId} and kind = ${kind}), 0)`;
}

/** Rows that changed since they were indexed: the newest for a search, the oldest for indexing. */
export function selectTail(of: Searchable, orgId: string, limit: number, from: 'newest' | 'oldest') {
  const columns = getTableColumns(of.table);
  const names = searched(of.fields).map(
    ({ key }) => sql`${sql.identifier(columns[key]?.name ?? key)} as ${sql.identifier(key)}`,
  );
  const pzns = sql`(select group_concat(pzn, ' ') from ${catalogProducts}
    where p1_id in (select value ->> '$.p1Id' from json_each(items)))`;
  return orm.all<TailRow>(sql`select ${sql.join(names, sql`, `)}, change_number as "changeNumber", created_at as "createdAt",
      (${of.isGone}) as "isGone", ${of.state} as "state", ${pzns} as "pzns"
    from ${of.table} indexed by ${sql.identifier(of.changes)}
    where org_id = ${orgId} and change_number > ${positionOf(orgId, of.kind)}
    order by change_number ${sql.raw(from === 'newest' ? 'desc' : 'asc')} limit ${limit}`);
}

/** The cursor: the highest change number that is indexed. */
export function selectPosition(orgId: string, kind: SearchKind) {
  return orm.all<{ position: number }>(sql`select ${positionOf(orgId, kind)} as position`);
}

interface NewEntry extends Pick<TailRow, 'id' | 'changeNumber' | 'createdAt' | 'state'> {
  words: string;
}

/**
 * Indexes rows and advances the cursor. If the cursor has moved since it was read, the batch is undone. So only one of
 * two concurrent runs writes. A row that has changed again (for example, was erased) is left to the next run.
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

/** Active organizations with rows that are not indexed yet; reads one row per organization and kind. */
export function selectBehind(searchables: readonly Searchable[], limit: number) {
  const isBehind = searchables.map(
    ({ kind, table }) => sql`coalesce((select max(change_number) from ${table} where org_id = organizations.id), 0)
      > coalesce((select position from ${searchCursors} where org_id = organizations.id and kind = ${kind}), 0)`,
  );
  return orm.all<{ id: string }>(
    sql`select id from ${organizations} where state = 'active' and (${sql.join(isBehind, sql` or `)}) limit ${limit}`,
  );
}

/** A search in the rows of one kind, with its matches among rows that are not indexed yet. */
export interface Sought {
  orgId: string;
  kind: SearchKind;
  query: Query;
  /** The ids of rows that have no entry in the index, or an outdated one. */
  tail: readonly string[];
  /** The ids in `tail` that the query finds. */
  tailFound: readonly string[];
  /** Whether there may be more unindexed rows than were read, because the index is still being built. */
  isBehind: boolean;
}

interface FoundPage {
  /** Groups of state terms. A found row has at least one term of each group. */
  states?: readonly (readonly Term[])[];
  /** The id of the last row of the previous page. */
  after?: string | null;
  /** Oldest first. */
  isAscending?: boolean;
  limit: number;
}

/**
 * SQL for a list of found ids: up to `limit` from the index, in list order, and every match that is not indexed yet.
 * The caller filters, sorts and limits again.
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

/** Number of index positions (`docid`) per millisecond. A database writes far fewer rows in that time. */
const PLACES = 4096;
const places = sql.raw(String(PLACES));

/** The `created_at` of a row may be later than the time at the start of its id, but by less than this. */
const SOON_MS = 10_000;

/**
 * Returns a `docid` at which the search for a page of results may begin. All entries that follow the row `id` in list
 * order come after it.
 */
function boundOf(id: string, isAscending: boolean): number {
  const at = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) || 0;
  return (isAscending ? at - SOON_MS : at + SOON_MS) * PLACES;
}

/** How many rows a search finds, counted up to the limit. */
export function countFound(sought: Sought, limit: number) {
  return orm.all<{ count: number }>(
    sql`select count(*) as count from (select 1 from ${foundIds(sought, { limit })} limit ${limit})`,
  );
}

/**
 * Returns what a query finds in rows that are not indexed yet, as input of `foundIds`.
 * @param tail the newest of these rows, up to `TAIL_MAX`
 */
export function soughtIn({ kind, fields }: Searchable, orgId: string, query: Query, tail: readonly TailRow[]): Sought {
  const { wanted } = query;
  const found = tail.filter((row) => wanted !== null && !row.isGone && isMatched(wanted, termsOf(fields, row)));
  return {
    orgId,
    kind,
    query,
    tail: tail.map(({ id }) => id),
    tailFound: found.map(({ id }) => id),
    isBehind: tail.length >= TAIL_MAX,
  };
}
