import { type BatchEntry, outboxEntry } from '../platform/commit';
import type { Context } from '../platform/context';
import type { Condition } from '../platform/data/statements';
import { newId } from '../platform/ids';
import { EVENTS, type EventType, envelopeText, isForCallback, type Metadata } from './event-types';
import * as eventsStore from './events/store';
import { PRODUCT_CHUNKS_MAX } from './limits';
import { fanOut } from './posting/deliver';

/** The subject of an event. It decides which subscriptions and which callback of an integration get the event. */
export interface About {
  shopId: string;
  source: string;
  /** The integration that sent the request (`apiKeys.familyId`); null if no integration did. */
  integrationId: string | null;
}

export interface NewEvent<T extends EventType> {
  type: T;
  orgId: string;
  metadata: Metadata<T>;
  /** Missing for events of products and stock, which belong to no shop. */
  about?: About;
  /** SQL that must hold within the batch, for example "the new row exists". Otherwise, the event is not written. */
  onlyIf?: Condition;
  /** False if the event is only in the pull feed, and no subscription gets it. */
  isSent?: boolean;
}

/**
 * Returns the batch entry that writes an event and its deliveries. The entry belongs to the batch of the change that
 * the event reports, after the caller's own writes. Which subscriptions get the event is decided within the batch.
 * Deliveries start after the commit.
 * @throws ZodError if the metadata does not match its schema in `EVENTS`
 */
export function outboxEvent<T extends EventType>(ctx: Context, event: NewEvent<T>) {
  const id = newId();
  const createdAt = ctx.now();
  const { type, orgId, metadata, about } = event;
  const body = envelopeText(type, { id, orgId, createdAt, metadata });
  const subject = {
    shopId: about?.shopId ?? null,
    source: about?.source ?? null,
    integrationId: about && isForCallback(type, metadata) ? about.integrationId : null,
  };
  const inserted = eventsStore.insertEvent({ id, orgId, type, body, createdAt, ...subject }, event.onlyIf);
  return outboxEntry([inserted], { items: event.isSent === false ? [] : [id], close: fanOut });
}

interface EventsFromRows {
  type: 'low_stock' | 'out_of_stock' | 'order_request_deleted' | 'product_created' | 'product_updated';
  orgId: string;
  /** The most rows that `rows` may find. */
  rowsMax: number;
  /**
   * A SELECT with the column `metadata`: JSON objects that match the schema in `EVENTS` (tests check this). For
   * requests, it also has the column `integration_id`.
   */
  rows: Condition;
}

/** As `outboxEvent`, for events whose metadata comes from rows that the batch has just written. */
export function outboxEventsFromRows(ctx: Context, { type, orgId, rowsMax, rows }: EventsFromRows) {
  const ids = newIds(rowsMax);
  const insert = type === 'order_request_deleted' ? eventsStore.insertRequestEvents : eventsStore.insertEvents;
  return outboxEntry([insert({ ids, ...envelopeOf(ctx, type, orgId) }, rows)], { items: ids, close: fanOut });
}

/**
 * Returns the batch entry that writes the events about many products of one command. Their metadata comes from rows
 * that the batch has just written. The entry writes one `products_updated` with all products, or several if one would
 * be too large. If a subscription takes only `product_updated`, a `product_updated` is also written for each product,
 * with the number of the `products_updated` that contains the product. The pull feed leaves this `product_updated` out,
 * so nobody gets a change twice.
 * @param of.rows metadata of `product_updated`, at most 500 rows
 * @param of.isEachTaken false if it is known that no subscription takes only `product_updated`
 */
export function outboxProducts(
  ctx: Context,
  { orgId, rowsMax, rows, isEachTaken = true }: Omit<EventsFromRows, 'type'> & { isEachTaken?: boolean },
) {
  const chunkIds = newIds(Math.min(rowsMax, PRODUCT_CHUNKS_MAX));
  const ids = newIds(isEachTaken ? rowsMax : 0);
  const writes = [
    eventsStore.insertChunks({ ids: chunkIds, ...envelopeOf(ctx, 'products_updated', orgId) }, rows),
    eventsStore.insertBeside({ ids, chunkIds, ...envelopeOf(ctx, 'product_updated', orgId) }, rows),
  ] as const;
  return outboxEntry(writes, { items: [...chunkIds, ...ids], close: fanOut });
}

/** Returns the content of a marker. A marker is a test event that is never delivered or shown. */
export function markerOf(ctx: Context) {
  const { orgId: _, ...marker } = envelopeOf(ctx, 'order_updated', '');
  return marker;
}

function newIds(count: number): string[] {
  return Array.from({ length: count }, newId);
}

function envelopeOf(ctx: Context, type: EventType, orgId: string) {
  const createdAt = ctx.now();
  const { title, description } = EVENTS[type];
  return { orgId, type, title, description, createdAt, createdAtText: new Date(createdAt).toISOString() };
}

/**
 * Returns the statements of an erasure: first those that empty the texts about people in all events about the erased
 * rows, then `rows`.
 * @param rows the statements that erase the rows themselves
 */
export function withReferences(erased: eventsStore.ErasedSubjects, rows: readonly BatchEntry[]): BatchEntry[] {
  return [eventsStore.emptyAnswers(erased), eventsStore.emptyReferences(erased), ...rows];
}
