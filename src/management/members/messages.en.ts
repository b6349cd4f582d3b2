import * as accounts from '../../auth/limits';
import { RESET_HOURS } from '../../auth/limits';
import type { Messages } from './messages.de';

export const en: Messages = {
  resets: {
    action: 'New password',
    openUntil: (date) => `Link for a new password open until ${date}`,
    title: (person) => `Create a password reset link for ${person}?`,
    identity:
      'First make sure that it is really this person who asks: face to face, or by phone under a number that you know.',
    lead: 'With the link the person chooses a new password. Nothing changes until then; after that they are signed out everywhere.',
    what: 'What did the person lose?',
    password: 'Password',
    passwordHint: 'The second factor stays on. Signing in still needs a code.',
    both: 'Password and second factor',
    bothHint: 'The second factor is turned off as well, for example because the phone is gone.',
    submit: 'Create the link',
    linkTitle: (email) => `Link for a new password for ${email}`,
    linkHint: `Give the link to this person only; it is valid for ${RESET_HOURS} hours and only once.`,
  },
  roleHints: {
    owner: 'Everything, including members, keys and webhooks',
    pharmacist: 'Check prescriptions, approve requests, keep the inventory',
    staff: 'Work on orders, without prescriptions',
  },
  lead: 'Who works with you, and what each person may do.',
  person: 'Person',
  role: 'Role',
  state: 'Access',
  you: 'You',
  invitedUntil: (date) => `Invited until ${date}`,
  expired: 'Invitation expired',
  factorOn: 'with a second factor',
  changeRole: 'Change',
  roleOf: (person) => `Role of ${person}`,
  newLink: 'New link',
  withdraw: 'Take back',
  inviteTitle: 'Invite a person',
  invite: 'Create an invitation link',
  linkTitle: (email) => `Invitation link for ${email}`,
  linkHint: `Send the link yourself; it is valid for ${accounts.INVITATION_DAYS} days and only once.`,
  revokeTitle: (person) => `Revoke the access of ${person}?`,
  revokeLead: 'The person is signed out at once. What they did stays in the audit log.',
  withdrawTitle: (person) => `Take back the invitation of ${person}?`,
  withdrawLead: 'The link stops working.',
};
