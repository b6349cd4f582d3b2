import { business, type FieldsOf } from '../platform/fields';
import type { directory, moves } from './tables';

/** What leads to an organization. */
export const directoryFields = {
  ...business('kind', 'orgId', 'shard', 'createdAt'),
  key: { class: 'person', kept: 'while the member exists: a MAC of the e-mail address that somebody signs in with' },
} as const satisfies FieldsOf<typeof directory>;

export const movesFields = {
  ...business('orgId', 'fromShard', 'toShard', 'step', 'tableName', 'position', 'copied', 'round', 'digest'),
  ...business('fencedAt', 'lease', 'leaseUntil', 'startedAt', 'updatedAt', 'finishedAt', 'failure'),
} satisfies FieldsOf<typeof moves>;
