export { EVENT_TYPES, EVENTS, type EventType, envelopeSchema } from './event-types';
export { listEvents } from './events/feed';
export { takesEachProduct } from './events/store';
export {
  type Health,
  readHealth,
  readSubscription,
  readWebhooks,
  type StatusChange,
  stopReasonOf,
} from './log/health';
export {
  getDelivery,
  type LoggedDelivery,
  listDeliveries,
  readTestDelivery,
  type ShownAttempt,
} from './log/log';
export { redeliver } from './log/redelivery';
export {
  DELIVERIES_COUNTED_MAX,
  DELIVERIES_LOOKED_AT,
  EVENTS_LOOKED_AT,
  STOP_REASONS,
  type StoppedSubscription,
  selectStopped,
} from './log/store-health';
export { LOG_STATUSES, type LogFilter, type LogStatus } from './log/store-log';
export { postWebhook } from './posting/post';
export { sendTestEvent } from './posting/test-event';
export { countUndelivered, recover } from './recovery/recover';
export { signatureHeaders } from './signing/sign';
export { SNIPPETS } from './signing/snippets';
export { refusalOfUrl } from './subscriptions/address';
export { createCallback, createSubscription } from './subscriptions/create';
export { endingCallback } from './subscriptions/end-callback';
export {
  deleteSubscription,
  deleteSubscriptionAgain,
  getSubscription,
  pauseSubscription,
  resumeSubscription,
  type Subscription,
} from './subscriptions/manage';
export { endOverlap, readSettings, rotateSecret, updateSubscription } from './subscriptions/settings';
export { selectCallbackOf, selectCallbacks } from './subscriptions/store';
export { DELIVERY_STATUSES, FAILURE_CLASSES, type FailureClass } from './tables';
