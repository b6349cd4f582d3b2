import { integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { business, type FieldsOf } from '../platform/fields';

/** Kinds of search results: orders (`o`) and order requests (`r`). The letter is part of each term in the index. */
export const SEARCH_KINDS = ['o', 'r'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

/**
 * The search index: terms by row. Triggers (migrations) keep the FTS5 index `search_words` in sync, which holds only
 * the terms. Each term begins with its organization and kind, so that organizations share no terms. Entries are written
 * after commits (`order-requests/search`), never in the same batch. Triggers delete an entry in the batch that deletes
 * or erases its row. Entries are not copied when an organization moves: the new database makes its own. They are
 * deleted with the organization.
 */
export const searchEntries = sqliteTable(
  'search_entries',
  {
    /** Sorts by creation: epoch ms × 4096, plus a position within the millisecond. */
    docid: integer('docid').primaryKey(),
    orgId: text('org_id').notNull(),
    kind: text('kind', { enum: SEARCH_KINDS }).notNull(),
    /** Id of the order or request. */
    id: text('id').notNull(),
    /** The values by which lists filter besides the text, as terms. */
    state: text('state').notNull(),
    /** The row's terms (`termsOf`), folded. */
    words: text('words').notNull(),
  },
  (t) => [uniqueIndex('search_entries_by_id').on(t.orgId, t.id)],
);

/** The highest indexed change number per organization and kind. Rows with higher ones are not indexed yet. */
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
