import { sql } from 'drizzle-orm';
import type { Context } from '../platform/context';
import { type Condition, insertSelect, type Statement } from '../platform/db';
import { newId } from '../platform/ids';
import { type EventType, envelopeText, type Metadata } from './events';
import { rowOfRun, SUBSCRIPTIONS_MAX } from './runs';
import { deliveries, events, subscriptions } from './tables';

export interface NewEvent<T extends EventType> {
  type: T;
  orgId: string;
  metadata: Metadata<T>;
  /** Written only if this holds when the batch reaches it, for example "the new row exists". */
  onlyIf?: Condition;
  /** False keeps the event for the pull feed and sends it to nobody. */
  isSent?: boolean;
}

export interface OutboxStatements {
  /** The event's row. */
  event: Statement;
  /** One delivery row for each matching subscription; its rows are the ids to ring for. */
  deliveries: ReturnType<typeof fanOut> | undefined;
}

/**
 * The statements that make an event and its deliveries, for the batch that makes the news itself: whoever has news
 * puts them there, after its own writes. Subscriptions are matched inside the batch, never read before it.
 * @throws ZodError when the metadata breaks the catalogue's schema
 */
export function announce<T extends EventType>(ctx: Context, event: NewEvent<T>): OutboxStatements {
  const id = newId();
  const createdAt = ctx.now();
  const row = {
    seq: null as unknown as number, // SAFETY: SQLite gives a NULL integer primary key its next value.
    id,
    orgId: event.orgId,
    type: event.type,
    body: envelopeText(event.type, { id, orgId: event.orgId, createdAt, metadata: event.metadata }),
    createdAt,
  };
  return {
    event: insertSelect(ctx.db, events, row, sql`where ${event.onlyIf ?? sql`1`}`).onConflictDoNothing(),
    deliveries:
      event.isSent === false ? undefined : fanOut(ctx, { id, orgId: event.orgId, type: event.type, createdAt }),
  };
}

/** One run for each subscription that wants the event: due at once when active, held when holding or paused. */
function fanOut(ctx: Context, event: { id: string; orgId: string; type: EventType; createdAt: number }) {
  const ids = JSON.stringify(Array.from({ length: SUBSCRIPTIONS_MAX }, newId));
  const row = rowOfRun({
    id: sql`ids.value`,
    orgId: event.orgId,
    eventId: event.id,
    subscriptionId: sql`matching.id`,
    trigger: 'event',
    status: sql`case matching.status when 'active' then 'pending' else 'held' end`,
    createdAt: event.createdAt,
  });
  const matching = sql`from (
      select ${subscriptions.id} as id, ${subscriptions.status} as status,
        row_number() over (order by ${subscriptions.id}) - 1 as position
      from ${subscriptions}
      where ${subscriptions.orgId} = ${event.orgId} and ${subscriptions.deletedAt} is null
        and ${subscriptions.status} <> 'disabled'
        and exists (select 1 from json_each(${subscriptions.eventTypes}) where value = ${event.type})
    ) as matching
    join json_each(${ids}) as ids on ids.key = matching.position
    where exists (select 1 from ${events} where ${events.id} = ${event.id})`;
  return insertSelect(ctx.db, deliveries, row, matching).onConflictDoNothing().returning({ id: deliveries.id });
}
