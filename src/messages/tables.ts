import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { members } from '../auth/tables';
import { shops } from '../tenants/tables';

/**
 * Message settings of shops, such as whether the service sends a shop's messages as e-mails. For a shop without a row,
 * it sends none.
 */
export const messageSettings = sqliteTable(
  'message_settings',
  {
    shopId: text('shop_id')
      .primaryKey()
      .references(() => shops.id),
    orgId: text('org_id').notNull(),
    /** E-mail address for replies. */
    replyTo: text('reply_to'),
    isSending: integer('is_sending', { mode: 'boolean' }).notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [index('message_settings_by_org').on(t.orgId)],
);

/** Kinds of messages to customers: three about an order, then two about an order request. */
export const MESSAGE_KINDS = ['ready', 'later', 'shipped', 'question', 'rejected'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** Kinds of notices to owners about a webhook subscription. */
export const NOTICE_KINDS = ['webhook_held', 'webhook_disabled', 'webhook_recovered'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];
/** The notice to owners about order requests that expire in a week. */
export const EXPIRY_NOTICE = 'requests_expiring';
/** The notice to owners that the operator has begun a file of all their data. */
export const EXPORT_NOTICE = 'data_exported';
/** The notice to owners that their organization ends, with the link to its file. */
export const END_NOTICE = 'organization_ending';

/** The languages of messages to customers, the default first. */
export const MESSAGE_LANGUAGES = ['de', 'en', 'tr', 'ar', 'ru', 'pl', 'uk'] as const;
export type MessageLanguage = (typeof MESSAGE_LANGUAGES)[number];

/**
 * State of an e-mail. `waiting`: to be sent or retried. `sending`: handed to the mail service, which has not answered
 * yet. `sent`: the mail service accepted it. `bounced`: returned. `failed`: given up, or unknown whether it was sent.
 * `dropped`: not sent, because it was no longer wanted.
 */
export const EMAIL_STATES = ['waiting', 'sending', 'sent', 'bounced', 'failed', 'dropped'] as const;
export type EmailState = (typeof EMAIL_STATES)[number];

/** The facts in a message besides those of the shop: no items and no reasons. */
export interface EmailFacts {
  number?: string;
  /** `yyyy-mm-dd`. */
  day?: string;
  trackingUrl?: string;
  /** Host of the webhook receiver, in a notice. */
  host?: string;
  subscriptionId?: string;
  /** Number of requests that expire on `day`. */
  count?: number;
}

/** E-mails that the service sends. Each row is inserted in the batch of the change that it reports. */
export const emails = sqliteTable(
  'emails',
  {
    id: text('id').primaryKey(),
    orgId: text('org_id').notNull(),
    /** Null for a notice to an owner. */
    shopId: text('shop_id'),
    /**
     * The order's id. For a notice: `<subscription id> <time> <member id>`, `expiring <day> <member id>`, `export <id>
     * <member id>` or `ending <number> <member id>`. Each kind is sent once per value.
     */
    about: text('about').notNull(),
    kind: text('kind', {
      enum: [...MESSAGE_KINDS, ...NOTICE_KINDS, EXPIRY_NOTICE, EXPORT_NOTICE, END_NOTICE],
    }).notNull(),
    language: text('language', { enum: MESSAGE_LANGUAGES }).notNull(),
    /** Address of the recipient. Null once the e-mail is neither `waiting` nor `sending`. */
    recipient: text('recipient'),
    facts: text('facts', { mode: 'json' }).$type<EmailFacts>(),
    customerId: text('customer_id'),
    state: text('state', { enum: EMAIL_STATES }).notNull(),
    attempts: integer('attempts').notNull(),
    /** When an attempt is due, epoch ms. For `sending`: when the attempt counts as interrupted. */
    dueAt: integer('due_at').notNull(),
    /** The mail service's id of the e-mail; a bounce contains it. While `sending`, the id of the claim. */
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
    // An e-mail that has ended keeps no address.
    check('emails_recipient', sql`${t.recipient} is null or ${t.state} in ('waiting', 'sending')`),
  ],
);

/** Customers who have opted out of e-mails from an organization. */
export const emailOptOuts = sqliteTable(
  'email_opt_outs',
  {
    orgId: text('org_id').notNull(),
    customerId: text('customer_id').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.orgId, t.customerId] })],
);

/** The last notice about a webhook subscription. The row is deleted some time after the subscription recovered. */
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

/** Owners who want e-mail notices about their subscriptions. */
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
