export { approveOrderRequest } from './approve';
export { approvePrescriptionFor, type LineToCover } from './approve-prescription';
export type { Blocker, StaffWarning } from './assessment';
export { addPrescription, deleteOrderRequest, markNeedsInfo, rejectOrderRequest, reopenOrderRequest } from './decide';
export { type DecidedRequest, readDecided } from './decided';
export type { Decision } from './decision';
export { envelopeSchema, type RequestItem } from './envelope';
export { type CustomerExport, eraseCustomerData, exportCustomer, setLegalHold } from './erasure';
export { AlreadyDecided, NotApprovable, OpenOrders, ReferenceConflict } from './errors';
export {
  type Inbox,
  type InboxEntry,
  nextOpenRequest,
  type Review,
  readInbox,
  readReview,
} from './inbox';
export {
  createOrderRequest,
  type Integration,
  type SubmitInput,
  type SubmittedRequest,
  submitOrderRequest,
} from './intake';
export { isNameMismatch } from './names';
export { getOrderRequest, listOrderRequests } from './read';
export { type Replayed, replayErasures } from './replay';
export type { ReviewedRequest } from './reviewed';
export { areFingerprintsRewritten } from './rewrite-fingerprints';
export { type DeskFindings, findProductsFor, globalSearch } from './search';
export {
  countWaiting,
  INBOX_TABS,
  type InboxFilter,
  type InboxTab,
  selectInboxVersion,
  WAITING_COUNTED_MAX,
} from './store-inbox';
export { isPriceOff } from './warnings';
