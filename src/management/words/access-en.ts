import { RESET_HOURS } from '../../auth/limits';
import type { accessDe } from './access-de';

export const accessEn: typeof accessDe = {
  resume: {
    ended: 'Your session has ended. The form was not sent; nothing was changed.',
    kept: 'Sign in, and everything you entered is there again. Passwords have to be entered anew.',
    tooMuch: 'What you entered is too long to be carried over.',
    file: 'A file is not carried over: please choose it once more.',
    back: 'What you entered is there again. Nothing was sent: check it and send the form once more.',
    toForm: 'To the form',
    noForm: 'This page has changed: the form that you had filled in is no longer here.',
    left: 'You entered this, but the page has no place for it any more:',
  },
  conflicts: {
    second_factor_on: 'The second factor is on already. For another device, first turn it off under “My account”.',
    own_reset: 'Change your own password under “My account”. If you lost it, another owner can help.',
    not_redeliverable: 'Only what has ended and whose subscription is active is delivered again.',
    secret_overlap_running:
      'The signing secret before this one still counts. End it first, or let all earlier ones end at once.',
    product_not_in_inventory: 'This product is not in your inventory any more.',
  },
  choosePharmacy: {
    title: 'Which pharmacy?',
    lead: 'Your password is valid at several pharmacies. Where do you want to work?',
    gone: 'This choice is no longer open. Please sign in again.',
  },
  resets: {
    action: 'New password',
    openUntil: (date) => `Link for a new password open until ${date}`,
    title: (person) => `Make a link for a new password for ${person}?`,
    identity:
      'First make sure that it is really this person who asks: face to face, or by phone under a number that you know.',
    lead: 'With the link the person chooses a new password. Nothing changes until then; after that they are signed out everywhere.',
    what: 'What did the person lose?',
    password: 'Password',
    passwordHint: 'The second factor stays. Signing in still takes a code.',
    both: 'Password and second factor',
    bothHint: 'The second factor is turned off as well, for example because the phone is gone.',
    submit: 'Make the link',
    linkTitle: (email) => `Link for a new password for ${email}`,
    linkHint: `Give the link to this person only; it is good for ${RESET_HOURS} hours and only once.`,
    pageTitle: 'Choose a new password',
    pageLead: (organization) => `Your access at ${organization}. After that you are signed out everywhere.`,
    factorStays: 'Signing in still takes a code of your second factor.',
    factorEnds: 'This turns your second factor off. Set it up again after signing in.',
    next: 'New password',
    save: 'Save the password',
    goneTitle: 'This link is no longer valid',
    gone: `It was used already, replaced by a new one, or is older than ${RESET_HOURS} hours. Ask for a new one.`,
    forgot:
      'Forgot your password or lost your device? An owner of your pharmacy can make a link for you under “Members”. With nobody else to ask, turn to the operator of Offizin.',
  },
};
