export { envelopeSchema, PAYMENT_STATUSES, type RequestItem } from './envelope';
export { deleteOrderRequest } from './erasure/delete-request';
export {
  type CustomerExport,
  type ExportedRequest,
  eraseCustomerData,
  exportCustomer,
  setLegalHold,
} from './erasure/erase-person';
export { type Replayed, replayErasures } from './erasure/replay';
export { AlreadyDecided, OpenOrders, ReferenceConflict } from './errors';
export { exchangeProduct, previewExchange } from './exchange';
export {
  type Inbox,
  type InboxEntry,
  nextOpenRequest,
  type Review,
  readInbox,
  readReview,
} from './inbox/inbox';
export { getOrderRequest, listOrderRequests } from './inbox/list';
export { findProductsFor } from './inbox/search';
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
  referenceIn,
  type SubmittedRequest,
  submitOrderRequest,
} from './intake/intake';
export { areFingerprintsRewritten } from './intake/rewrite-fingerprints';
export { sendSample } from './intake/sample';
export { type Difference, differencesOf } from './names/differences';
export { isNameMismatch } from './names/match';
export { type ApproveInput, approveOrderRequest } from './review/approve';
export { approvePrescriptionFor, completeSignature } from './review/approve-prescription';
export { getDecision, getSubmitted } from './review/as-it-stands';
export { type Blocker, NotApprovable, type ToldWarning } from './review/assessment';
export type { Decision } from './review/decision-guards';
export { discardDraft, type PreparedReview, saveReview } from './review/draft';
export { readDecided } from './review/last-decision';
export type { LineDifference } from './review/line-differences';
export type { EditedLine } from './review/lines';
export type { PaymentDifference } from './review/payment';
export { addRequestNote, answerQuestion, askQuestion } from './review/questions';
export { addPrescription, rejectOrderRequest, reopenOrderRequest } from './review/reject-and-reopen';
export type { ReviewedRequest } from './review/review-of';
export { setAsidePrescription, undoSetAside } from './review/set-aside';
export type { DecidedRequest } from './review/store-decision';
export { type DeskFindings, globalSearch, SEARCH_TABS, type SearchTab } from './search/global-search';
export { noteSearchedWrite } from './search/index-rows';
export { type Asking, readSentRequest, type SentRequest, type Sought } from './sender/status';
export { supplementOrderRequest, supplementSchema } from './sender/supplement';
export { type Withdrawn, withdrawOrderRequest } from './sender/withdraw';
