export { changeOrder, type OrderPatch } from './change';
export { createOrder } from './create';
export { deleteOrder } from './delete';
export { getOrderDetail, listOrders, listOrdersAndShops, type OrderDetail } from './detail';
export {
  customerNotFound,
  eraseOrdersAndCustomers,
  eraseOrdersIn,
  holdCustomer,
  withReferencesOfOrders,
} from './erasure';
export { InvalidTransition } from './errors';
export { matchLines, namedProducts, type RequestedLine } from './lines';
export {
  countOldPaymentLinks,
  createPaymentLink,
  getPaymentPage,
  markOrderPaid,
  type PaymentLink,
  type PaymentPage,
  whyNotPayable,
} from './payments/links';
export { type Refund, refundOrder } from './payments/refund';
export { addOrderPrescription } from './prescription';
export { getOrder, linesOfOrder } from './read';
export {
  allowedTransitions,
  initialStatus,
  isPickup,
  prescribedOf,
  quantitiesOf,
  REASON_CODES,
  type ReasonCode,
  TRANSITIONS,
  totalOf,
} from './rules';
export { countToPack, type Order, selectCustomer, selectOrdersHolding, TO_PACK_COUNTED_MAX } from './store';
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
  selectQuestions,
  selectWords,
} from './timeline/store';
export { type OrderUpsert, stockMustSuffice, upsertOrder } from './upsert';
