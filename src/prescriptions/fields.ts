import { business, type FieldsOf } from '../platform/fields';
import type { fileDeletions, prescriptions } from './tables';

export const prescriptionsFields = {
  ...business('id', 'orgId', 'shopId', 'orderRequestId', 'orderId', 'origin', 'status', 'sizeBytes'),
  ...business('fetchAttempts', 'nextFetchAt'),
  ...business('fetchFailure', 'approvedAt', 'approvedBy', 'signatureProvider', 'signedAt', 'createdAt', 'updatedAt'),
  ...business('fileFault', 'checkedAs', 'setAsideAt', 'setAsideBy', 'checkAttempts', 'place'),
  reference: { class: 'person', erased: null },
  nextCheckAt: { class: 'business', erased: null },
  verifiedWith: { class: 'health', erased: null },
  signatureReport: { class: 'health', erased: null },
  fileKey: { class: 'health', erased: null },
  sha256: { class: 'health', erased: null },
  ...business('fileMark', 'signatureMark'),
  sourceUrl: { class: 'secret', erased: null },
  sourceHost: { class: 'business', erased: null },
  approvedLines: { class: 'health', erased: null },
  issuedOn: { class: 'health', erased: null },
  setAsideReason: { class: 'health', erased: null },
  signatureReference: { class: 'person', erased: null },
} as const satisfies FieldsOf<typeof prescriptions>;

/** The columns of the deletion list. A key identifies nobody, and the file is deleted soon after. */
export const fileDeletionsFields = business('fileKey', 'createdAt') satisfies FieldsOf<typeof fileDeletions>;
