export {
  getDelivery,
  type LoggedDelivery,
  listAllDeliveries,
  listDeliveries,
  type SentRequest,
  type ShownAttempt,
} from './deliveries/log';
export { countUndelivered, recover } from './deliveries/recover';
export { redeliver } from './deliveries/redelivery';
export { LOG_STATUSES, type LogFilter, type LogStatus } from './deliveries/store-log';
export { EVENT_TYPES, EVENTS, type EventType, envelopeSchema } from './events';
export { listEvents } from './feed';
export { SNIPPETS, type Snippet } from './signing/snippets';
export { createSubscription, type NewSubscription } from './subscriptions/create';
export {
  type Health,
  readHealth,
  readSubscription,
  type StatusChange,
  stopReasonOf,
} from './subscriptions/health';
export {
  deleteSubscription,
  getSubscription,
  listSubscriptions,
  pauseSubscription,
  resumeSubscription,
  type Subscription,
} from './subscriptions/manage';
export { endOverlap, rotateSecret, updateSubscription } from './subscriptions/settings';
export {
  DELIVERIES_COUNTED_MAX,
  DELIVERIES_LOOKED_AT,
  STOP_REASONS,
  type StoppedSubscription,
  type StopReason,
  selectStopped,
} from './subscriptions/store-health';
export { sendTestEvent } from './subscriptions/test-event';
export { DELIVERY_STATUSES, FAILURE_CLASSES, type FailureClass } from './tables';
