import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { organizationId } from '../platform/tables';
import type { EventType } from './event-types';

/** The events, as they are sent to receivers. */
export const events = sqliteTable(
  'events',
  {
    /**
     * The number of the event within its organization, from 1. It is assigned at commit, so no event below n can appear
     * after a reader has seen n. The newest row of an organization is never deleted.
     */
    seq: integer('seq').notNull(),
    id: text('id').notNull().unique('events_id'),
    orgId: organizationId(),
    type: text('type').$type<EventType>().notNull(),
    /** The whole envelope as text. Every attempt sends exactly these bytes. */
    body: text('body').notNull(),
    /** Whether the event is a test. Only one subscription gets a test, and it is not in the pull feed. */
    isTest: integer('is_test', { mode: 'boolean' }).notNull().default(false),
    /**
     * If this `product_updated` repeats a part of a `products_updated`, the `seq` of that event; otherwise null. Such
     * an event goes only to subscriptions that do not take `products_updated`, and is not in the pull feed.
     */
    chunkSeq: integer('chunk_seq'),
    /**
     * The shop and the platform that the event is about, for the filters of subscriptions. Each is null if the event
     * has none.
     */
    shopId: text('shop_id'),
    source: text('source'),
    /** The integration (`apiKeys.familyId`) whose callback gets the event. */
    integrationId: text('integration_id'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.seq] }),
    // Serves a feed filtered by type. Accepting a request writes nothing to this index.
    index('events_by_type')
      .on(t.orgId, t.type, t.seq)
      .where(sql`type <> 'order_request_submitted' and is_test = 0 and chunk_seq is null`),
  ],
);

/**
 * The reason why a subscription is `holding`. `secret_unreadable`: this service cannot decrypt the signing secret.
 * `address_refused`: the address is no longer allowed. In these two cases, the receiver is not at fault and no attempt
 * is counted. `receiver_failing`: too many deliveries in a row have failed.
 */
export const HOLD_REASONS = ['secret_unreadable', 'address_refused', 'receiver_failing'] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

export const subscriptions = sqliteTable(
  'subscriptions',
  {
    id: text('id').primaryKey(),
    orgId: organizationId(),
    url: text('url').notNull(),
    /** The host in `url`. It is stored to check whether it is a shop's host. */
    host: text('host').notNull(),
    eventTypes: text('event_types', { mode: 'json' }).$type<EventType[]>().notNull(),
    /** The integration (`apiKeys.familyId`) whose callback this is; null for a subscription. */
    integrationId: text('integration_id'),
    /**
     * The filters of a subscription: it gets events about these shops only, and from these platforms only. Null for
     * all. An event without a shop passes the filter of shops. An event without a platform passes the filter of
     * platforms.
     */
    shopIds: text('shop_ids', { mode: 'json' }).$type<string[]>(),
    sources: text('sources', { mode: 'json' }).$type<string[]>(),
    /**
     * Deliveries of an active subscription are due at once. While it is `holding` or `paused`, they wait as `held`.
     * While it is `disabled`, events get no deliveries.
     */
    status: text('status', { enum: ['active', 'holding', 'paused', 'disabled'] }).notNull(),
    /**
     * The reason why the subscription is `holding`. The sweep checks whether the reason still applies. A subscription
     * that was disabled because its receiver failed for days keeps its reason.
     */
    holdReason: text('hold_reason', { enum: HOLD_REASONS }),
    /** The time since which the subscription is `holding`, or disabled for `holdReason`. */
    heldSince: integer('held_since'),
    /** The time when a failing receiver is tried next, and the id of the held delivery with which it was last tried. */
    nextProbeAt: integer('next_probe_at'),
    probeId: text('probe_id'),
    /**
     * Whether some deliveries do not match the subscription's status yet, because the last status change had too many
     * for one batch. The sweep moves them.
     */
    isSettling: integer('is_settling', { mode: 'boolean' }).notNull().default(false),
    /**
     * Whether the last attempt succeeded. To a healthy receiver, first attempts start right after the commit, without
     * the queue.
     */
    isHealthy: integer('is_healthy', { mode: 'boolean' }).notNull().default(true),
    /** Number of deliveries that have ended without success since the last successful attempt. */
    exhaustedInRow: integer('exhausted_in_row').notNull().default(0),
    /**
     * The time when the first of the deliveries in `exhaustedInRow` ended. The value stays while nothing is posted.
     * When the subscription resumes, the deliveries that were given up since then are repeated.
     */
    failingSince: integer('failing_since'),
    /** Nothing is posted before this time, because the receiver asked for a wait (`Retry-After`). */
    waitUntil: integer('wait_until'),
    /**
     * The range of events that have no deliveries, because the subscription was disabled then. The range begins after
     * the number `skippedAfter` and ends with `skippedUntil`, which is null while the subscription is still disabled.
     */
    skippedAfter: integer('skipped_after'),
    skippedUntil: integer('skipped_until'),
    /**
     * How far a recovery has come. `recoverFailedAfter`: the id of the last failed delivery that was checked; null when
     * all have been checked. `recoverAfter`: the number of the last event that was checked for a missing delivery; null
     * while no recovery is running.
     */
    recoverFailedAfter: text('recover_failed_after'),
    recoverAfter: integer('recover_after'),
    /** The time when the last recovery was asked for, and the period whose events it sends. */
    recoverStartedAt: integer('recover_started_at'),
    recoverSince: integer('recover_since'),
    recoverUntil: integer('recover_until'),
    /** The signing secret, encrypted with the row's id as context. */
    secretCiphertext: text('secret_ciphertext').notNull(),
    /**
     * The secret before the last rotation, encrypted like the current one. Until the time in the next column, both
     * sign.
     */
    previousSecretCiphertext: text('previous_secret_ciphertext'),
    previousSecretUntil: integer('previous_secret_until'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    deletedAt: integer('deleted_at'),
  },
  (t) => [
    index('subscriptions_by_org').on(t.orgId),
    // Read for each event, without reading the callbacks of other integrations.
    index('subscriptions_live').on(t.orgId, t.integrationId).where(sql`deleted_at is null`),
    uniqueIndex('subscriptions_one_callback')
      .on(t.integrationId)
      .where(sql`integration_id is not null and deleted_at is null`),
    // The sweep reads these two indexes.
    index('subscriptions_on_hold').on(t.id).where(sql`hold_reason is not null`),
    index('subscriptions_unfinished').on(t.id).where(sql`is_settling = 1 or recover_after is not null`),
    check('subscriptions_status', sql`${t.status} in ('active', 'holding', 'paused', 'disabled')`),
    check('subscriptions_event_types', sql`json_valid(${t.eventTypes})`),
  ],
);

export const DELIVERY_STATUSES = ['pending', 'delivering', 'succeeded', 'exhausted', 'held', 'cancelled'] as const;

/** A delivery sends one event to one subscription, in at most three attempts. */
export const deliveries = sqliteTable(
  'deliveries',
  {
    id: text('id').primaryKey(),
    orgId: text('org_id').notNull(),
    eventId: text('event_id')
      .notNull()
      .references(() => events.id),
    subscriptionId: text('subscription_id')
      .notNull()
      .references(() => subscriptions.id),
    /**
     * 0 for orders, requests, prescriptions and payments. 1 for products and stock, which are delivered after the
     * others.
     */
    priority: integer('priority').notNull().default(0),
    /** The type of the event; null if an earlier version of this service made the delivery. */
    eventType: text('event_type').$type<EventType>(),
    /** The reason why this delivery exists. */
    trigger: text('trigger', { enum: ['event', 'redelivery', 'recovery', 'test', 'probe'] }).notNull(),
    status: text('status', { enum: DELIVERY_STATUSES }).notNull(),
    /** Number of attempts. The claim raises it before the post, so every post is counted. */
    attemptCount: integer('attempt_count').notNull(),
    /**
     * The time when the next attempt of a pending delivery is due, epoch ms. It is 0 for a first attempt, and
     * `BEFORE_OTHERS` for one that comes before first attempts.
     */
    nextAttemptAt: integer('next_attempt_at').notNull(),
    /**
     * Epoch ms. While the delivery is `delivering`, only its claimer may post it until this time. While it is
     * `pending`, the sweep sends no message for it until this time.
     */
    leaseUntil: integer('lease_until').notNull(),
    createdAt: integer('created_at').notNull(),
    finishedAt: integer('finished_at'),
  },
  (t) => [
    // Ids grow with time, so this index serves a subscription's log, newest first, and a period of it.
    index('deliveries_by_subscription').on(t.subscriptionId, t.id),
    // Tells whether an event arrived at a subscription. Also used when events are deleted: the foreign key makes SQLite
    // look for the deliveries of each event.
    index('deliveries_by_event').on(t.eventId, t.subscriptionId),
    // Serves a subscription's log filtered by type. Accepting a request writes nothing to this index.
    index('deliveries_by_type')
      .on(t.subscriptionId, t.eventType, t.id)
      .where(sql`event_type <> 'order_request_submitted'`),
    // A row is in at most one of the next four indexes, and in none once it was delivered.
    index('deliveries_waiting').on(t.subscriptionId, t.priority, t.nextAttemptAt).where(sql`status = 'pending'`),
    index('deliveries_leased').on(t.subscriptionId, t.leaseUntil).where(sql`status = 'delivering'`),
    index('deliveries_held').on(t.subscriptionId, t.id).where(sql`status = 'held'`),
    index('deliveries_exhausted').on(t.subscriptionId, t.id).where(sql`status = 'exhausted'`),
    // An event gets at most one automatic recovery delivery per subscription.
    uniqueIndex('deliveries_one_recovery').on(t.eventId, t.subscriptionId).where(sql`"trigger" = 'recovery'`),
    check('deliveries_three_attempts', sql`${t.attemptCount} between 0 and 3`),
    check(
      'deliveries_status',
      sql`${t.status} in ('pending', 'delivering', 'succeeded', 'exhausted', 'held', 'cancelled')`,
    ),
    check('deliveries_trigger', sql`${t.trigger} in ('event', 'redelivery', 'recovery', 'test', 'probe')`),
  ],
);

/**
 * The MAC of a fixed text under each root secret that was once the current one. The rows show whether ROOT_SECRETS
 * still contain the root secrets with which this database was written. If they do not, no delivery is claimed.
 */
export const secretCanaries = sqliteTable('secret_canaries', {
  keyId: text('key_id').primaryKey(),
  fingerprint: text('fingerprint').notNull(),
  createdAt: integer('created_at').notNull(),
});

export const FAILURE_CLASSES = [
  'dns',
  'tls',
  'connect',
  'timeout',
  'redirect',
  'blocked',
  'interrupted',
  'http',
] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

export const deliveryAttempts = sqliteTable(
  'delivery_attempts',
  {
    deliveryId: text('delivery_id')
      .notNull()
      .references(() => deliveries.id),
    attempt: integer('attempt').notNull(),
    trigger: text('trigger', { enum: ['event', 'retry', 'redelivery', 'recovery', 'test', 'probe'] }).notNull(),
    startedAt: integer('started_at').notNull(),
    durationMs: integer('duration_ms').notNull(),
    /** Null if there was no response. */
    httpStatus: integer('http_status'),
    /** Null if the attempt succeeded. */
    failureClass: text('failure_class', { enum: FAILURE_CLASSES }),
    /** The first 2 KB of the response, as text. */
    answerExcerpt: text('answer_excerpt'),
  },
  (t) => [
    primaryKey({ columns: [t.deliveryId, t.attempt] }),
    check('delivery_attempts_number', sql`${t.attempt} between 1 and 3`),
  ],
);
