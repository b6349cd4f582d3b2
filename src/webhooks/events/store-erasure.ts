import { sql } from 'drizzle-orm';
import { auditByEntity } from '../../audit/service';
import type { Condition } from '../../platform/data/db';
import { orm } from '../../platform/data/statements';
import { once } from '../../platform/once';
import { EVENT_TYPES, textClasses } from '../event-types';
import { deliveries, deliveryAttempts, events } from '../tables';

/** The rows whose events an erasure clears. Each member is a subquery of ids. */
export interface ErasedSubjects {
  orgId: string;
  requestIds: Condition;
  orderIds: Condition;
  prescriptionIds: Condition;
  /** When they were created, epoch ms: a subquery. */
  createdAt: Condition;
  /** Epoch ms: there are no earlier events about any of them. */
  since: number;
}

/** The texts in metadata that an erasure empties, and the event types that have any. */
const erasedTexts = once(() => {
  const found = EVENT_TYPES.flatMap((type) =>
    [...textClasses(type)].flatMap(([name, of]) => (of === 'person' || of === 'health' ? [{ type, name }] : [])),
  );
  return {
    types: `('${[...new Set(found.map(({ type }) => type))].join("', '")}')`,
    names: [...new Set(found.map(({ name }) => name))],
  };
});

/**
 * An event is made in the request that creates the row or writes the audit row, some time after (a PDF is stored in between), and
 * the clocks of isolates differ a little. In minutes.
 */
const [MINUTES_BEFORE, MINUTES_AFTER] = [1, 5];

/** The beginning of every id of a minute (`firstIdAt`). */
function idsFrom(minute: Condition): Condition {
  return sql`printf('%08x-%04x', (${minute}) * 60000 >> 16, (${minute}) * 60000 & 65535)`;
}

/**
 * Ids of the events about the erased rows, as a subquery. No index leads to them: each was made when the row was created or
 * with an audit row about it, so that the events of these minutes are looked through, by their ids.
 */
function eventsAbout({ orgId, requestIds, orderIds, prescriptionIds, createdAt, since }: ErasedSubjects): Condition {
  const entities = sql`select * from ${requestIds} union all select * from ${orderIds} union all select * from ${prescriptionIds}`;
  const times = sql`select at from ${auditByEntity} where org_id = ${orgId} and entity_id in (${entities})
    union all select * from ${createdAt}`;
  const minutes = sql`select distinct at / 60000 as minute from (${times}) where at >= ${since}`;
  return sql`(select event.id from (${minutes}) as touched cross join ${events} as event indexed by events_id
    where event.id >= ${idsFrom(sql`touched.minute - ${sql.raw(`${MINUTES_BEFORE}`)}`)}
      and event.id < ${idsFrom(sql`touched.minute + ${sql.raw(`${MINUTES_AFTER + 1}`)}`)}
      and event.org_id = ${orgId} and event.type in ${sql.raw(erasedTexts().types)}
      and (json_extract(event.body, '$.metadata.order_request_id') in ${requestIds}
        or json_extract(event.body, '$.metadata.order_id') in ${orderIds}
        or json_extract(event.body, '$.metadata.prescription_id') in ${prescriptionIds}))`;
}

/**
 * Clears the references in stored envelopes; every other byte stays. The pull feed, the log and open deliveries then
 * send the cleared text, because the signature is computed at the time of sending.
 */
export function emptyReferences(erased: ErasedSubjects) {
  // json_replace changes only members that exist and writes the rest as JSON.stringify did: in order, compact.
  const emptied = erasedTexts().names.map((name) => sql`${`$.metadata.${name}`}, ''`);
  const body = sql`json_replace(events.body, ${sql.join(emptied, sql`, `)})`;
  return orm
    .update(events)
    .set({ body })
    .where(sql`events.id in ${eventsAbout(erased)}`);
}

/** Clears the responses of receivers to those events, because a response may repeat the request. */
export function emptyAnswers(erased: ErasedSubjects) {
  const affected = sql`(select delivery.id from ${deliveries} as delivery where delivery.event_id in ${eventsAbout(erased)})`;
  return orm
    .update(deliveryAttempts)
    .set({ answerExcerpt: null })
    .where(sql`answer_excerpt is not null and delivery_id in ${affected}`);
}
