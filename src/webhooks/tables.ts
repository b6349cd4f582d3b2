import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { organizations } from '../tenants/tables';
import type { EventType } from './events';

/** What happened, as it is sent. */
export const events = sqliteTable(
  'events',
  {
    /** Given at commit, so a reader that has seen n never misses an event below n. The newest row is never deleted. */
    seq: integer('seq').primaryKey(),
    id: text('id').notNull().unique('events_id'),
    orgId: text('org_id')
      .notNull()
      .references(() => organizations.id),
    type: text('type').$type<EventType>().notNull(),
    /** The whole envelope as text, stored once: every attempt sends these bytes. */
    body: text('body').notNull(),
    /** Made by somebody who tries a subscription out: goes to that one alone, and the pull feed leaves it out. */
    isTest: integer('is_test', { mode: 'boolean' }).notNull().default(false),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [index('events_by_org').on(t.orgId)],
);

/**
 * What keeps this service itself from posting to a subscription: no signing secret that it can decrypt and sign with, or
 * an address that the outbound guard refuses by now. Neither is the receiver's doing, so neither costs an attempt.
 */
export const HOLD_REASONS = ['secret_unreadable', 'address_refused'] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

export const subscriptions = sqliteTable(
  'subscriptions',
  {
    id: text('id').primaryKey(),
    orgId: text('org_id')
      .notNull()
      .references(() => organizations.id),
    url: text('url').notNull(),
    /** Host of `url`: lets a claim see whether it has become a shop's host since. */
    host: text('host').notNull(),
    eventTypes: text('event_types', { mode: 'json' }).$type<EventType[]>().notNull(),
    /** Deliveries of an active subscription are due at once; those of a holding or paused one wait as `held`. */
    status: text('status', { enum: ['active', 'holding', 'paused', 'disabled'] }).notNull(),
    /** Why this service cannot post to it, while it is `holding` for that. The sweep looks whether it can again. */
    holdReason: text('hold_reason', { enum: HOLD_REASONS }),
    /** Encrypted for this row's id. */
    secretCiphertext: text('secret_ciphertext').notNull(),
    /** The secret before the last rotation, encrypted alike: signs beside the new one until the time that follows. */
    previousSecretCiphertext: text('previous_secret_ciphertext'),
    previousSecretUntil: integer('previous_secret_until'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    deletedAt: integer('deleted_at'),
  },
  (t) => [
    index('subscriptions_by_org').on(t.orgId),
    // The sweep's list.
    index('subscriptions_on_hold').on(t.id).where(sql`hold_reason is not null`),
    check('subscriptions_status', sql`${t.status} in ('active', 'holding', 'paused', 'disabled')`),
    check('subscriptions_event_types', sql`json_valid(${t.eventTypes})`),
  ],
);

/** One run of at most three attempts to bring one event to one subscription. */
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
    /** Why this run exists. */
    trigger: text('trigger', { enum: ['event', 'redelivery', 'recovery', 'test', 'probe'] }).notNull(),
    status: text('status', {
      enum: ['pending', 'delivering', 'succeeded', 'exhausted', 'held', 'cancelled'],
    }).notNull(),
    /** Raised by the claim, before the post: nothing is ever posted uncounted. */
    attemptCount: integer('attempt_count').notNull(),
    /** 0 for a first attempt. Meaningful while pending. */
    nextAttemptAt: integer('next_attempt_at').notNull(),
    /** Until then the claimer alone may post. Meaningful while delivering. */
    leaseUntil: integer('lease_until').notNull(),
    createdAt: integer('created_at').notNull(),
    finishedAt: integer('finished_at'),
  },
  (t) => [
    // Ids grow with time: a subscription's log, newest first, and a period of it.
    index('deliveries_by_subscription').on(t.subscriptionId, t.id),
    // Ending an event looks for its runs: SQLite does so for the foreign key of each row that is deleted.
    index('deliveries_by_event').on(t.eventId),
    // A row stands in at most one of the next two: the sweep's lists.
    index('deliveries_due').on(t.nextAttemptAt).where(sql`status = 'pending'`),
    index('deliveries_leased').on(t.leaseUntil).where(sql`status = 'delivering'`),
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
 * Tells whether ENCRYPTION_KEYS are still the keys that this database was written with, before a claim rests on them:
 * for each key that was the current one, what it makes of a fixed text (canary.ts).
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
    /** Null when no answer came. */
    httpStatus: integer('http_status'),
    /** Null for a success. */
    failureClass: text('failure_class', { enum: FAILURE_CLASSES }),
    /** The first 2 KB of the answer, as text. */
    answerExcerpt: text('answer_excerpt'),
  },
  (t) => [
    primaryKey({ columns: [t.deliveryId, t.attempt] }),
    check('delivery_attempts_number', sql`${t.attempt} between 1 and 3`),
  ],
);
