import { sql } from 'drizzle-orm';
import type { Condition, Database } from '../../platform/db';
import { firstIdAt } from '../../platform/ids';
import { deliveries, deliveryAttempts, events, subscriptions } from '../tables';
import { lastSeqBefore } from './store';

/** The rows whose events an erasure clears. Each member is a subquery of ids. */
export interface ErasedSubjects {
  orgId: string;
  requestIds: Condition;
  orderIds: Condition;
  prescriptionIds: Condition;
  /** Epoch ms: there are no earlier events about any of them. */
  since: number;
}

/** Event types whose metadata contain a reference that the caller chose freely (src/webhooks/events.ts). */
const TYPES_WITH_REFERENCE = `('order_created', 'order_marked_paid', 'order_request_submitted', 'order_request_approved',
  'order_request_rejected', 'order_request_deleted', 'paperless_signature_completed')`;

/** An event gets its id before the commit that gives it its number, and the clocks of isolates differ a little. */
const CLOCK_SLACK_MS = 600_000;

/** Events about the erased rows. No index leads to them, so the organization's events since then are looked through. */
function isAbout({ orgId, requestIds, orderIds, prescriptionIds, since }: ErasedSubjects): Condition {
  return sql`events.org_id = ${orgId} and events.seq > ${lastSeqBefore(orgId, since)}
    and events.type in ${sql.raw(TYPES_WITH_REFERENCE)}
    and (json_extract(events.body, '$.metadata.order_request_id') in ${requestIds}
      or json_extract(events.body, '$.metadata.order_id') in ${orderIds}
      or json_extract(events.body, '$.metadata.prescription_id') in ${prescriptionIds})`;
}

/**
 * Clears the references in stored envelopes; every other byte stays. The pull feed, the log and open deliveries then
 * send the cleared text, because the signature is computed at the time of sending.
 */
export function emptyReferences(db: Database, erased: ErasedSubjects) {
  // json_replace changes only members that exist and writes the rest as JSON.stringify did: in order, compact.
  const body = sql`json_replace(events.body, '$.metadata.external_reference', '', '$.metadata.payment_reference', '',
    '$.metadata.signature_reference', '')`;
  return db.orm.update(events).set({ body }).where(isAbout(erased));
}

/** Clears the responses of receivers to those events, because a response may repeat the request. */
export function emptyAnswers(db: Database, erased: ErasedSubjects) {
  const affected = sql`(select delivery.id from ${subscriptions} join ${deliveries} as delivery on delivery.subscription_id = subscriptions.id
    where subscriptions.org_id = ${erased.orgId} and delivery.id >= ${firstIdAt(erased.since - CLOCK_SLACK_MS)}
      and delivery.event_id in (select events.id from ${events} where ${isAbout(erased)}))`;
  return db.orm
    .update(deliveryAttempts)
    .set({ answerExcerpt: null })
    .where(sql`answer_excerpt is not null and delivery_id in ${affected}`);
}
