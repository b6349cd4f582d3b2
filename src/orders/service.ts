export { changeOrder, type OrderPatch } from './change';
export { createOrder, type OrderDraft } from './create';
export { findCustomer } from './customers';
export { deleteOrder } from './delete';
export { getOrderDetail, listOrders, listOrdersAndShops, type OrderDetail } from './detail';
export {
  customerNotFound,
  eraseCustomer,
  eraseDeletedOrders,
  eraseIdleCustomersOf,
  eraseOrdersIn,
  eraseReferencesOfOrders,
  holdCustomer,
  loadCustomer,
  noOrderIsOpen,
  openOrdersOf,
  ordersCreatedAt,
  ordersOf,
  requestsOf,
} from './erasure';
export { InvalidTransition } from './errors';
export {
  customersFields,
  FLAG_FIELDS,
  type OrderFieldName,
  ordersFields,
  PATCHED_FIELDS,
  UPSERTED_FIELDS,
} from './fields';
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
export { getOrder, linesOfOrder, ordersHolding } from './read';
export {
  allowedTransitions,
  initialStatus,
  prescribedOf,
  quantitiesOf,
  REASON_CODES,
  type ReasonCode,
  TRANSITIONS,
} from './rules';
export type { Order } from './store';
export { ordersEndedBefore } from './store-erasure';
export {
  ORDER_PAYMENT_STATUSES,
  ORDER_STATUSES,
  type OrderLine,
  type OrderPaymentStatus,
  type OrderStatus,
} from './tables';
export { type OrderUpsert, stockMustSuffice, upsertOrder } from './upsert';
