export { envelopeSchema, type RequestItem } from './envelope';
export { deleteOrderRequest } from './erasure/delete-request';
export { type CustomerExport, eraseCustomerData, exportCustomer, setLegalHold } from './erasure/erase-person';
export { type Replayed, replayErasures } from './erasure/replay';
export { AlreadyDecided, OpenOrders, ReferenceConflict } from './errors';
export { exchangeProduct } from './exchange';
export {
  type Inbox,
  type InboxEntry,
  nextOpenRequest,
  type Review,
  readInbox,
  readReview,
} from './inbox/inbox';
export { getOrderRequest, listOrderRequests } from './inbox/list';
export { type DeskFindings, findProductsFor, globalSearch } from './inbox/search';
export {
  countWaiting,
  INBOX_TABS,
  type InboxFilter,
  type InboxTab,
  selectInboxVersion,
  WAITING_COUNTED_MAX,
} from './inbox/store';
export {
  createOrderRequest,
  type Integration,
  type SubmittedRequest,
  submitOrderRequest,
} from './intake/intake';
export { areFingerprintsRewritten } from './intake/rewrite-fingerprints';
export { isPriceOff } from './intake/warnings';
export { isNameMismatch } from './names/match';
export { approveOrderRequest } from './review/approve';
export { approvePrescriptionFor } from './review/approve-prescription';
export { type Blocker, NotApprovable, type StaffWarning } from './review/assessment';
export type { Decision } from './review/decision-guards';
export { readDecided } from './review/last-decision';
export { addPrescription, markNeedsInfo, rejectOrderRequest, reopenOrderRequest } from './review/reject-and-reopen';
export type { ReviewedRequest } from './review/review-of';
export type { DecidedRequest } from './review/store-decision';
