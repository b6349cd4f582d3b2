import { business, type FieldsOf } from '../platform/fields';
import type { auditLog } from './tables';

/** Ids, names of fields and codes. */
export const auditLogFields = {
  ...business('id', 'orgId', 'at', 'actorKind', 'action', 'entityId', 'fields', 'reasonCode', 'requestId', 'formId'),
  actorId: {
    class: 'person',
    kept: 'for ten years: the id of a member or key, whose name is not here, or the name of an operator',
  },
} as const satisfies FieldsOf<typeof auditLog>;
