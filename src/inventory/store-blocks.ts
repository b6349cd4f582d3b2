import { and, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Condition } from '../platform/data/db';
import { encoded, type Value } from '../platform/data/statements';
import { productBlocks } from './tables';

/** Which products of a list are meant. Null: any. */
export interface EntryFilter {
  /** Folded for search: a part of the name or id. */
  q: string | null;
  category: string | null;
  available: boolean | null;
}

/** A filter whose values may be the places of values in a prepared statement. */
export type EntryFilterValues = { readonly [Name in keyof EntryFilter]: Value<EntryFilter[Name]> };

/** What a list of products is found by: the id of a shop or organization, which may be a subquery, or that of the catalog. */
export type ListId = Value<string> | Condition;
export const CATALOG_LIST = '';

const blocks = sql`${productBlocks} as block`;
const blocksWithEntries = sql`${blocks} cross join json_each(block.entries) as entry`;
const folded = sql`(entry.value ->> 0)`;

/** An id as `foldText` makes it of ASCII: a search is folded, and a UUID may have an "ae". */
export function foldedId(id: SQL | SQLWrapper): SQL {
  return sql`replace(replace(replace(lower(${id}), 'ae', 'a'), 'oe', 'o'), 'ue', 'u')`;
}

/** Of a block, before its entries are taken apart: whether a text is in it as it stands within JSON, behind what is before it. */
function holdsText(text: Value<string | null>, before = ''): SQL {
  const quoted = foldedId(sql`json_quote(${text})`);
  return sql`instr(${foldedId(sql`block.entries`)}, ${before} || substr(${quoted}, 2, length(${quoted}) - 2)) > 0`;
}

function mayHold({ q }: Pick<EntryFilterValues, 'q'>): SQL {
  return sql`(${q} is null or ${holdsText(q)})`;
}

function isMeant({ q, category, available }: EntryFilterValues): SQL {
  return sql`(${q} is null or instr(${folded}, ${q}) > 0 or instr(${foldedId(sql`entry.key`)}, ${q}) > 0)
    and (${category} is null or entry.value ->> 1 = ${category})
    and (${available} is null or entry.value ->> 2 = ${encoded(available, Number)})`;
}

/**
 * Begins a WITH clause whose `start` is the block with which a page begins, and how many products of the list stand before it.
 * It reads one row for each block up to there. Without a row: the page is behind the end.
 */
export function startOfPage(listId: ListId, offset: Value<number>): SQL {
  return sql`with start as materialized (${firstReaching(
    sql`select first_p1_id, product_count as hits from ${productBlocks} where list_id = ${listId}`,
    offset,
  )})`;
}

function firstReaching(counted: SQL, offset: Value<number>): SQL {
  return sql`select first_p1_id, upto - hits as skipped
    from (select first_p1_id, hits, sum(hits) over (order by first_p1_id rows unbounded preceding) as upto from (${counted}))
    where upto > ${offset} limit 1`;
}

/** What of the offset remains within the block `start`. */
export function offsetInStart(offset: Value<number>): SQL {
  return sql`coalesce(${offset} - (select skipped from start), 0)`;
}

/**
 * A page of the ids that are meant, in their order, each with the number of all that are meant; if the page is empty, one row
 * without an id. It takes each block apart once that may hold one, and those of the page again.
 */
export function pageOfEntries(
  listId: ListId,
  filter: EntryFilterValues,
  { limit, offset }: { limit: Value<number>; offset: Value<number> },
): SQL {
  return sql`(with counted as materialized (select block.first_p1_id,
      iif(${mayHold(filter)}, (select count(*) from json_each(block.entries) as entry where ${isMeant(filter)}), 0) as hits
      from ${blocks} where block.list_id = ${listId}),
    start as materialized (${firstReaching(sql`select first_p1_id, hits from counted`, offset)}),
    page as (select entry.key as p1_id from ${blocksWithEntries}
      where block.list_id = ${listId} and block.first_p1_id >= (select first_p1_id from start)
        and ${mayHold(filter)} and ${isMeant(filter)}
      order by block.first_p1_id, entry.key limit ${limit} offset ${offsetInStart(offset)})
    select page.p1_id, number.total from (select coalesce(sum(hits), 0) as total from counted) as number left join page on true)`;
}

interface Search {
  /** Folded for search; null for any name. */
  q: string | null;
  /** Further words that are to be found. */
  words?: readonly string[];
  category?: string | null;
  /** Only ids behind this one. */
  after?: string;
  /** The most to find, the first by their ids; without it all are found. */
  limit?: number;
  /** Only names that begin with the text. */
  isBeginning?: boolean;
}

/** Ids of the products of a list whose name or id contains a text, as a subquery. It reads blocks until it has enough. */
export function entriesNamed(
  listId: ListId,
  { q, words = [], category = null, after, limit, isBeginning }: Search,
): SQL {
  const filter = { q, category, available: null };
  const conditions = [
    sql`block.list_id = ${listId}`,
    after === undefined
      ? undefined
      : sql`block.first_p1_id >= coalesce((select max(first_p1_id) from ${productBlocks}
          where list_id = ${listId} and first_p1_id <= ${after}), '') and entry.key > ${after}`,
    isBeginning
      ? sql`${holdsText(q, '["')} and instr(${folded}, ${q}) = 1`
      : sql`${mayHold(filter)} and ${isMeant(filter)}`,
    ...words.map(
      (word) =>
        sql`${holdsText(word)} and (instr(${folded}, ${word}) > 0 or instr(${foldedId(sql`entry.key`)}, ${word}) > 0)`,
    ),
  ];
  return sql`(select entry.key as p1_id from ${blocksWithEntries} where ${and(...conditions)}
    ${limit === undefined ? sql`` : sql`order by block.first_p1_id, entry.key limit ${limit}`})`;
}
