export { changeOrder } from './change';
export { createOrder } from './create';
export { deleteOrder } from './delete';
export {
  BULK_MAX,
  BULK_STEPS,
  type BulkOrder,
  type BulkRefusal,
  type BulkStep,
  bulkRefusal,
  type Papers,
  readBulk,
  readPapers,
  stepOrders,
} from './desk/bulk';
export { DESK_FILE_MAX, type Desk, type DeskSearch, readDesk, readDeskFile } from './desk/list';
export { DESK_COUNTED_MAX, DESK_PARTS, type DeskPart } from './desk/store';
export { arrangeTour, deliverOrder, readTour, TOUR_MAX, type Tour } from './desk/tour';
export { findProductsForOrder, getOrderDetail, type OrderDetail } from './detail';
export {
  customerNotFound,
  eraseOrdersAndCustomers,
  eraseOrdersIn,
  holdCustomer,
  withReferencesOfOrders,
} from './erasure';
export { DifferencesOpen, InvalidTransition, NotPacked, PackExpired, WrongPack } from './errors';
export { type FoundCustomer, findCustomers } from './find-customers';
export { getLeavingOrder, type LeavingOrder } from './leaving';
export { matchLines, namedProducts, type RequestedLine } from './lines';
export { listOrders } from './list';
export { orderStatusUpdated, orderUpdated } from './news';
export {
  isBeingPacked,
  isPacked,
  type OpenLine,
  type Progress,
  packedOf,
  progressOf,
  waitsForPacking,
} from './packed';
export { type Label, type LabelledOrder, labelOf, orderOfLabel } from './packing/label';
export { lineKey, packByHand, type Scanned, scanForOrder, unpackLine } from './packing/pack';
export { shelveOrder } from './packing/shelve';
export {
  type Compare,
  type PlannedSubstitution,
  PRESCRIPTION_CHECKED,
  previewSubstitution,
  SUBSTITUTION_REASONS,
  type Substitution,
  type SubstitutionReason,
  substituteProduct,
} from './packing/substitute';
export {
  inHouseLines,
  inHouseOf,
  isNothingHere,
  owedCount,
  restExpectedOn,
  suppliedCount,
  supplyKey,
  supplyOf,
} from './parts';
export type { OrderPatch } from './patch';
export {
  countOldPaymentLinks,
  createPaymentLink,
  getOpenPaymentLink,
  getPaymentLink,
  getPaymentPage,
  markOrderPaid,
  type PaymentLink,
  type PaymentPage,
  whyNotPayable,
} from './payments/links';
export { overpaidOf } from './payments/overpaid';
export { type Refund, refundKey, refundOrder } from './payments/refund';
export { refundedOf } from './payments/refunded-lines';
export { addOrderPrescription } from './prescription';
export { findOrder, getOrder } from './read';
export { type ReturnedNow, returnableOf, returnedCount, returnOrder, takesReturns } from './return';
export {
  allowedTransitions,
  handOverQuestions,
  initialStatus,
  isLeaving,
  isPickup,
  prescribedOf,
  quantitiesOf,
  REASON_CODES,
  type ReasonCode,
  TRACKING_URL,
  TRANSITIONS,
  totalOf,
} from './rules';
export { searchOrders } from './search';
export {
  countToPack,
  type Order,
  type OrderRow,
  selectCustomer,
  selectFoundOrders,
  selectOrderOfRequest,
  selectOrdersNumbered,
  TO_PACK_COUNTED_MAX,
  type VersionedOrder,
} from './store';
export {
  eraseCustomer,
  eraseDeletedOrders,
  noOrderIsOpen,
  openOrdersOf,
  ordersCreatedAt,
  ordersEndedBefore,
  ordersOf,
  requestsOf,
  selectCustomerRow,
  selectOrdersOfCustomer,
} from './store-erasure';
export { SEARCHED_ORDERS } from './store-search';
export { arrive, type ScannedArrival, scanArrival } from './supply/arrive';
export { cancelRest, restKey } from './supply/cancel-rest';
export { type ExpectedLine, listExpected } from './supply/expected';
export { expectOn, faultOfExpected, type Later, plannedSupply, splitLine } from './supply/split';
export {
  ORDER_PAYMENT_STATUSES,
  ORDER_STATUSES,
  type OrderLine,
  type OrderPaymentStatus,
  type OrderStatus,
  PAYMENT_ACTIONS,
  type PaymentAction,
  type PlatformDetails,
  QUESTION_CODES,
  type QuestionCode,
  type SupplyLine,
  UNPAID_REASONS,
  type UnpaidReason,
  WITHDRAWALS,
  type Withdrawal,
} from './tables';
export { addOrderNote, noteEntry } from './timeline/notes';
export {
  answerQuestionRow,
  deleteWords,
  insertQuestion,
  type Note,
  ofOpenQuestion,
  type Question,
  selectNotes,
  selectOpenQuestion,
  selectQuestions,
  selectWords,
} from './timeline/store';
export { type OrderUpsert, stockMustSuffice, upsertOrder } from './upsert';
export { mayBeWithdrawn, WITHDRAWAL_HOLD, withdrawalEntries } from './withdrawal';
