import * as z from 'zod';
import { business, type ChangedBy, type FieldsOf } from '../platform/fields';
import { REPLY_TO_MAX } from './limits';
import type { emailOptOuts, emails, messageSettings, noticeReaders, toldSubscriptions } from './tables';

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
