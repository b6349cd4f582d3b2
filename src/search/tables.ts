import { integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { business, type FieldsOf } from '../platform/fields';

/** What is found: an order, or an order request. The letter is part of each of its terms in the index. */
export const SEARCH_KINDS = ['o', 'r'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

/**
 * What a search finds rows by. Triggers (migrations) keep `search_words` in step, an index of FTS5 that holds each term behind the
 * organization and the kind, so that a term of one organization is none of another, and nothing else. An entry goes with its row, with an
 * erasure and with a deletion, in their batch, by triggers too. Written after commits (`order-requests/search`), never in their batch. Stays
 * when an organization moves, since it is made anew there, and goes with it.
 */
export const searchEntries = sqliteTable(
  'search_entries',
  {
    /** In the order in which the rows were made: their ms × 4096, and a place among those of the ms. */
    docid: integer('docid').primaryKey(),
    orgId: text('org_id').notNull(),
    kind: text('kind', { enum: SEARCH_KINDS }).notNull(),
    /** Of the order or request. */
    id: text('id').notNull(),
    /** What lists filter by beside a text, as terms. */
    state: text('state').notNull(),
    /** Its terms, folded. */
    words: text('words').notNull(),
  },
  (t) => [uniqueIndex('search_entries_by_id').on(t.orgId, t.id)],
);

/** How far the rows of an organization are in the index: those with higher change numbers are not. */
export const searchCursors = sqliteTable(
  'search_cursors',
  {
    orgId: text('org_id').notNull(),
    kind: text('kind', { enum: SEARCH_KINDS }).notNull(),
    position: integer('position').notNull(),
  },
  (t) => [primaryKey({ columns: [t.orgId, t.kind] })],
);

export const searchEntriesFields = {
  ...business('docid', 'orgId', 'kind', 'id', 'state'),
  words: { class: 'health', erased: 'the row is deleted, and its terms in the index' },
} as const satisfies FieldsOf<typeof searchEntries>;

export const searchCursorsFields = business('orgId', 'kind', 'position') satisfies FieldsOf<typeof searchCursors>;
