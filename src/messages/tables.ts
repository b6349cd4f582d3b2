import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { members } from '../auth/tables';
import { shops } from '../tenants/tables';

/** Whether the service itself sends a shop's messages as e-mails. Without a row it does not. */
export const messageSettings = sqliteTable(
  'message_settings',
  {
    shopId: text('shop_id')
      .primaryKey()
      .references(() => shops.id),
    orgId: text('org_id').notNull(),
    /** Where answers go. */
    replyTo: text('reply_to'),
    isSending: integer('is_sending', { mode: 'boolean' }).notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [index('message_settings_by_org').on(t.orgId)],
);

/** What customers are told: about an order, then about an order request. */
export const MESSAGE_KINDS = ['ready', 'later', 'shipped', 'question', 'rejected'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** What owners are told about a webhook subscription. */
export const NOTICE_KINDS = ['webhook_held', 'webhook_disabled', 'webhook_recovered'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** The languages of messages to customers, the usual one first. */
export const MESSAGE_LANGUAGES = ['de', 'en', 'tr', 'ar', 'ru', 'pl', 'uk'] as const;
export type MessageLanguage = (typeof MESSAGE_LANGUAGES)[number];

/**
 * `waiting`: to be sent, also once more. `sending`: handed to the mail service, its answer not known yet. `sent`: taken by it.
 * `bounced`: it came back. `failed`: given up, or nobody knows whether it left. `dropped`: not wanted any more before it left.
 */
export const EMAIL_STATES = ['waiting', 'sending', 'sent', 'bounced', 'failed', 'dropped'] as const;
export type EmailState = (typeof EMAIL_STATES)[number];

/** What a message says beside the shop: no items, no reason. */
export interface EmailFacts {
  number?: string;
  /** As in `Day`. */
  day?: string;
  trackingUrl?: string;
  /** Of a receiver of webhooks. */
  host?: string;
  subscriptionId?: string;
}

/** E-mails that the service sends: each wish is a row of the batch that gives the occasion. */
export const emails = sqliteTable(
  'emails',
  {
    id: text('id').primaryKey(),
    orgId: text('org_id').notNull(),
    /** Null for a notice to an owner. */
    shopId: text('shop_id'),
    /** The id of the order; of a notice: the subscription, when it was told, and whom it is for. Each kind is sent once about it. */
    about: text('about').notNull(),
    kind: text('kind', { enum: [...MESSAGE_KINDS, ...NOTICE_KINDS] }).notNull(),
    language: text('language', { enum: MESSAGE_LANGUAGES }).notNull(),
    /** Until it is sent or given up. */
    recipient: text('recipient'),
    facts: text('facts', { mode: 'json' }).$type<EmailFacts>(),
    customerId: text('customer_id'),
    state: text('state', { enum: EMAIL_STATES }).notNull(),
    attempts: integer('attempts').notNull(),
    /** When it is tried next; of one that is `sending`: until when its outcome is waited for. */
    dueAt: integer('due_at').notNull(),
    /** What the mail service calls it: bounces name it. */
    providerId: text('provider_id'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('emails_once').on(t.orgId, t.about, t.kind),
    index('emails_due').on(t.dueAt).where(sql`state in ('waiting', 'sending')`),
    index('emails_by_provider_id').on(t.providerId).where(sql`provider_id is not null`),
    check('emails_state', sql`${t.state} in ('waiting', 'sending', 'sent', 'bounced', 'failed', 'dropped')`),
    check('emails_attempts', sql`${t.attempts} between 0 and 3`),
    // What has ended keeps no address.
    check('emails_recipient', sql`${t.recipient} is null or ${t.state} in ('waiting', 'sending')`),
  ],
);

/** Customers who want no e-mail from an organization any more. */
export const emailOptOuts = sqliteTable(
  'email_opt_outs',
  {
    orgId: text('org_id').notNull(),
    customerId: text('customer_id').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.orgId, t.customerId] })],
);

/** What owners were told last about a webhook subscription; without a row: that it runs. */
export const toldSubscriptions = sqliteTable(
  'told_subscriptions',
  {
    subscriptionId: text('subscription_id').primaryKey(),
    orgId: text('org_id').notNull(),
    kind: text('kind', { enum: NOTICE_KINDS }).notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    index('told_subscriptions_by_org').on(t.orgId),
    check('told_subscriptions_kind', sql`${t.kind} in ('webhook_held', 'webhook_disabled', 'webhook_recovered')`),
  ],
);

/** Owners who want to be told about their subscriptions by e-mail. */
export const noticeReaders = sqliteTable(
  'notice_readers',
  {
    memberId: text('member_id')
      .primaryKey()
      .references(() => members.id),
    orgId: text('org_id').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [index('notice_readers_by_org').on(t.orgId)],
);
