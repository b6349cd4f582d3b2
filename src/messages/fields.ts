import * as z from 'zod';
import { business, type ChangedBy, type FieldsOf } from '../platform/fields';
import type { emailOptOuts, emails, messageSettings, noticeReaders, toldSubscriptions } from './tables';

/** The most characters of a reply address. */
export const REPLY_TO_MAX = 200;
/** The most attempts of one e-mail; a CHECK constraint enforces it. */
export const EMAIL_ATTEMPTS_MAX = 3;
/** Delays before the second and the third attempt. */
export const EMAIL_RETRY_MS: readonly number[] = [5 * 60_000, 30 * 60_000];
/** How long an attempt may take before it counts as interrupted, with a margin for differing clocks. */
export const EMAIL_LEASE_MS = 90_000;
/** Minimum time between the notice that a subscription recovered and the notice that it stopped again. */
export const NOTICE_PAUSE_MS = 60 * 60_000;
/** In one invocation, notices are created about at most this many subscriptions of a database. */
export const NOTICES_AT_ONCE = 40;
/** In one invocation, at most this many e-mails of a database are sent. */
export const EMAILS_AT_ONCE = 40;

const setting = { class: 'business', changedBy: ['settings'] } as const;

export const messageSettingsFields = {
  ...business('shopId', 'orgId', 'updatedAt'),
  replyTo: { ...setting, wire: 'message_reply_to' },
  isSending: { ...setting, wire: 'message_sending' },
} as const satisfies FieldsOf<typeof messageSettings>;

export const emailsFields = {
  ...business('id', 'orgId', 'shopId', 'about', 'kind', 'language', 'customerId', 'state', 'attempts', 'dueAt'),
  ...business('providerId', 'createdAt', 'updatedAt'),
  recipient: { class: 'person', erased: null },
  facts: { class: 'person', erased: null },
} as const satisfies FieldsOf<typeof emails>;

export const emailOptOutsFields = business('orgId', 'customerId', 'createdAt') satisfies FieldsOf<typeof emailOptOuts>;

export const toldSubscriptionsFields = business('subscriptionId', 'orgId', 'kind', 'updatedAt') satisfies FieldsOf<
  typeof toldSubscriptions
>;

export const noticeReadersFields = business('memberId', 'orgId', 'createdAt') satisfies FieldsOf<typeof noticeReaders>;

/** The message settings of a shop that an owner can change, each with its validation rule. */
export const messageRules = {
  replyTo: z.email().max(REPLY_TO_MAX).nullable(),
  isSending: z.boolean(),
} satisfies Record<ChangedBy<typeof messageSettingsFields, 'settings'>, z.ZodType>;
export type MessageSettings = { [Key in keyof typeof messageRules]: z.output<(typeof messageRules)[Key]> };
