import { business, type FieldsOf } from '../platform/fields';
import type { idempotencyKeys } from './tables';

export const idempotencyKeysFields = {
  ...business('orgId', 'familyId', 'requestId', 'status', 'createdAt', 'about'),
  key: { class: 'secret', kept: 'for 24 hours: a MAC' },
  fingerprint: { class: 'secret', kept: 'for 24 hours: a MAC' },
  answer: { class: 'health', erased: 'an empty text; without one, deleted after 24 hours. Encrypted' },
} as const satisfies FieldsOf<typeof idempotencyKeys>;
