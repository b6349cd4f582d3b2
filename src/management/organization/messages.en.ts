import { RECIPIENT_LENGTH_MAX, THRESHOLD_MAX } from '../../tenants/limits';
import type { Messages } from './messages.de';

export const en: Messages = {
  name: 'Name of the pharmacy',
  iban: 'IBAN',
  ibanHint: 'The account that customers pay to. Without an IBAN there are no payment links.',
  recipient: 'Account holder',
  recipientHint: 'Stands on the payment page. Left empty: the name of the pharmacy.',
  threshold: 'Low stock threshold',
  thresholdHint:
    'A product whose stock falls below this number is reported as low. Products may have a number of their own.',
  retention: 'Retention',
  retentionLead:
    'Every night, once its time is over, we delete everything about the person: name, contact, address, notes, prescription. What was sold, when and at what price stays. What you marked as to be kept stays whole.',
  requestDays: 'Rejected order requests: days after the rejection',
  requestDaysHint: (min, max) => `${min} to ${max} days.`,
  orderDays: 'Ended orders with their prescription: days since the last change',
  orderDaysHint: (min, max) => `${min} to ${max} days. German law (ApBetrO § 22) asks for five years at least.`,
  fieldErrors: {
    iban: 'This IBAN is not right. Please check every character.',
    paymentRecipient: `At most ${RECIPIENT_LENGTH_MAX} characters: the GiroCode allows no more.`,
    lowStockThreshold: `A whole number from 0 to ${THRESHOLD_MAX}, without a comma.`,
    requestRetentionDays: (min, max) => `Order requests: a whole number from ${min} to ${max}.`,
    orderRetentionDays: (min, max) => `Orders: a whole number from ${min} to ${max}.`,
  },
  confirmTitle: 'Really change this?',
  confirm: 'Yes, change it',
  before: 'Before',
  after: 'New',
  none: 'none',
  days: (days) => `${days} days`,
  ibanChange: 'Payment pages name the new account at once, links that were sent already too.',
  ibanRemoval: 'Payment links are no longer possible then, and those that were sent can no longer be opened.',
  retentionChange: 'What is older is deleted the next night. That cannot be undone.',
};
