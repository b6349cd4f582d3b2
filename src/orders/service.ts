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
export { type Desk, type DeskSearch, exportDesk, readDesk } from './desk/list';
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
export { orderUpdated } from './news';
export {
  isBeingPacked,
  isPacked,
  type OpenLine,
  type Progress,
  packedOf,
  progressOf,
  waitsForPacking,
} from './packed';
export { type LabelledOrder, labelOf, orderOfLabel } from './packing/label';
export { packByHand, scanForOrder, unpackLine } from './packing/pack';
export { shelveOrder } from './packing/shelve';
export {
  type Compare,
  type PlannedSubstitution,
  PRESCRIPTION_CHECKED,
  previewSubstitution,
  SUBSTITUTION_REASONS,
  type Substitution,
  substituteProduct,
} from './packing/substitute';
export {
  inHouseLines,
  inHouseOf,
  isNothingHere,
  owedCount,
  packCount,
  restExpectedOn,
  suppliedCount,
  supplyKey,
  supplyOf,
} from './parts';
export type { OrderPatch } from './patch';
export { endPaymentLinkAgain } from './payments/ending';
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
export { overpaidOf, receivedOf } from './payments/overpaid';
export { type Refund, refundKey, refundOrder } from './payments/refund';
export { refundedOf } from './payments/refunded-lines';
export { addOrderPrescription } from './prescription';
export { findOrder, getOrder } from './read';
export { type ReturnedNow, returnableOf, returnedCount, returnOrder, takesReturns } from './return';
export {
  allowedTransitions,
  dueCents,
  handOverQuestions,
  isLeaving,
  isPickup,
  prescribedOf,
  quantitiesOf,
  REASON_CODES,
  type ReasonCode,
  TRACKING_URL,
  TRANSITIONS,
  totalOf,
  underpaidOf,
} from './rules';
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
export { selectWholeOrders } from './store-list';
export { SEARCHED_ORDERS } from './store-search';
export { arrive, scanArrival } from './supply/arrive';
export { cancelRest, moneyWithoutRest, restKey } from './supply/cancel-rest';
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
  UNPAID_REASONS,
  WITHDRAWALS,
  type Withdrawal,
} from './tables';
export { addOrderNote, noteEntry } from './timeline/notes';
export {
  answerQuestionRow,
  deleteWords,
  insertQuestion,
  ofOpenQuestion,
  selectNotes,
  selectOpenQuestion,
  selectQuestions,
  selectWords,
} from './timeline/store';
export { type OrderUpsert, stockMustSuffice, upsertOrder } from './upsert';
export { mayBeWithdrawn, WITHDRAWAL_HOLD, withdrawalEntries } from './withdrawal';
