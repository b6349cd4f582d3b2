export { approveOrderRequest, type Decision } from './approve';
export { addPrescription, deleteOrderRequest, markNeedsInfo, rejectOrderRequest, reopenOrderRequest } from './decide';
export { type DecidedRequest, readDecided } from './decided';
export { envelopeSchema, type RequestItem } from './envelope';
export { eraseCustomerData, exportCustomer, setLegalHold } from './erasure';
export {
  type Inbox,
  type InboxEntry,
  nextOpenRequest,
  type Review,
  readInbox,
  readReview,
  waitingRequests,
} from './inbox';
export {
  acknowledgementOf,
  createOrderRequest,
  type Integration,
  type SubmitInput,
  type SubmittedRequest,
  submitOrderRequest,
} from './intake';
export { isNameMismatch } from './names';
export { getOrderRequest, listOrderRequests, type OrderRequestView } from './read';
export { type Replayed, replayErasures } from './replay';
export { type DeskFindings, findProductsFor, globalSearch } from './search';
export { INBOX_TABS, type InboxFilter, type InboxTab, WAITING_COUNTED_MAX } from './store-inbox';
export { isPriceOff } from './warnings';
