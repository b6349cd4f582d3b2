import { business, type FieldsOf } from '../platform/fields';
import type { searchCursors, searchEntries } from './tables';

export const searchEntriesFields = {
  ...business('docid', 'orgId', 'kind', 'id', 'state'),
  words: { class: 'health', erased: 'the row is deleted, and its terms in the index' },
} as const satisfies FieldsOf<typeof searchEntries>;

export const searchCursorsFields = business('orgId', 'kind', 'position') satisfies FieldsOf<typeof searchCursors>;
