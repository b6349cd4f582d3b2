import type { EventType, Metadata } from './event-types';

/** What the platform of an integration is told of what it sent. */
export const CALLBACK_EVENT_TYPES = [
  'order_request_approved',
  'order_request_rejected',
  'order_request_deleted',
  'order_request_needs_info',
  'order_updated',
  'order_status_updated',
] as const satisfies readonly EventType[];
/** Of `order_updated`, the changes that it is told of. */
const CALLBACK_FIELDS = ['carrier', 'tracking_number', 'tracking_url', 'withdrawal'];

/** Whether the platform of an integration is told of an event about what it sent. */
export function isForCallback(type: EventType, metadata: object): boolean {
  if (!(CALLBACK_EVENT_TYPES as readonly EventType[]).includes(type)) return false;
  if (type !== 'order_updated') return true;
  const { changed_fields: changed } = metadata as Metadata<'order_updated'>;
  return changed.some((name) => CALLBACK_FIELDS.includes(name));
}
