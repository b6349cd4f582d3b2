import * as accounts from '../../auth/limits';
import { RESET_HOURS } from '../../auth/limits';
import type { Messages } from './messages.de';

export const en: Messages = {
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
  choosePharmacy: {
    title: 'Which pharmacy?',
    lead: 'Your password is valid at several pharmacies. Where do you want to work?',
    gone: 'This choice is no longer open. Please sign in again.',
  },
  resets: {
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
  signIn: {
    title: 'Sign in',
    email: 'E-mail address',
    password: 'Password',
    submit: 'Sign in',
    refused: 'The e-mail address or the password is wrong.',
    noAccount: 'No access yet? Ask the owner of your pharmacy for an invitation.',
  },
  secondStep: {
    title: 'Enter your code',
    code: 'Code from the authenticator app',
    hint: 'Six digits. Without your device: one of your recovery codes.',
    submit: 'Confirm',
    refused: 'The code is wrong or was used before, or the sign-in is too long ago.',
    again: 'Sign in again',
  },
  invitation: {
    title: 'Accept your invitation',
    lead: (organization, role) => `${organization} invites you. Your role: ${role}.`,
    email: 'E-mail address',
    name: 'Your name',
    nameHint: 'This is how your colleagues see who decided something.',
    password: 'Password',
    submit: 'Set up access',
    goneTitle: 'This invitation is no longer valid',
    gone: `It was accepted already, taken back, or is older than ${accounts.INVITATION_DAYS} days. Ask for a new link.`,
  },
};
