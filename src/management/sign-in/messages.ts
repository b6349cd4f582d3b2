import { INVITATION_DAYS, RESET_HOURS } from '../../auth/limits';
import { texts } from '../http/language';

/** Texts of this area's pages, in the reader's language. */
export const messages = texts({
  password: ['Passwort', 'Password'],
  ended: [
    'Ihre Sitzung ist beendet. Das Formular wurde nicht gesendet, nichts wurde geändert. Melden Sie sich an und füllen Sie es noch einmal aus.',
    'Your session has ended. The form was not sent; nothing was changed. Sign in and fill it in again.',
  ],
  choosePharmacy: {
    title: ['Welche Apotheke?', 'Which pharmacy?'],
    lead: [
      'Ihr Passwort gilt in mehreren Apotheken. Wo möchten Sie arbeiten?',
      'Your password is valid at several pharmacies. Where do you want to work?',
    ],
    gone: [
      'Diese Auswahl gilt nicht mehr. Melden Sie sich bitte noch einmal an.',
      'This choice is no longer open. Please sign in again.',
    ],
  },
  resets: {
    pageTitle: ['Neues Passwort festlegen', 'Choose a new password'],
    pageLead: (organization: string) => [
      `Ihr Zugang bei ${organization}. Danach sind Sie überall abgemeldet.`,
      `Your access at ${organization}. After that you are signed out everywhere.`,
    ],
    factorStays: [
      'Beim Anmelden brauchen Sie weiterhin einen Code Ihres zweiten Faktors.',
      'Signing in still takes a code of your second factor.',
    ],
    factorEnds: [
      'Ihr zweiter Faktor wird dabei ausgeschaltet. Richten Sie ihn nach dem Anmelden neu ein.',
      'This turns your second factor off. Set it up again after signing in.',
    ],
    submit: ['Passwort festlegen', 'Save the password'],
    goneTitle: ['Dieser Link gilt nicht mehr', 'This link is no longer valid'],
    gone: [
      `Er wurde schon benutzt, durch einen neuen ersetzt oder ist älter als ${RESET_HOURS} Stunden. Bitten Sie um einen neuen.`,
      `It was used already, replaced by a new one, or is older than ${RESET_HOURS} hours. Ask for a new one.`,
    ],
    forgot: ['Passwort vergessen oder Gerät verloren?', 'Forgot your password or lost your device?'],
    forgotHow: [
      'Ein Inhaber Ihrer Apotheke erstellt Ihnen unter „Team“ einen Link. Wer sonst niemanden fragen kann, wendet sich an den Betreiber von Offizin.',
      'An owner of your pharmacy can create a link for you under “Team”. With nobody else to ask, turn to the operator of Offizin.',
    ],
  },
  signIn: {
    title: ['Anmelden', 'Sign in'],
    refused: ['E-Mail-Adresse oder Passwort stimmt nicht.', 'The e-mail address or the password is wrong.'],
    noAccount: [
      'Noch kein Zugang? Fragen Sie einen Inhaber Ihrer Apotheke nach einer Einladung.',
      'No access yet? Ask the owner of your pharmacy for an invitation.',
    ],
  },
  secondStep: {
    title: ['Code eingeben', 'Enter your code'],
    code: ['Code aus der Authenticator-App', 'Code from the authenticator app'],
    hint: [
      'Sechs Ziffern. Ohne Ihr Gerät: einer Ihrer Wiederherstellungscodes.',
      'Six digits. Without your device: one of your recovery codes.',
    ],
    submit: ['Bestätigen', 'Confirm'],
    refused: [
      'Der Code stimmt nicht, wurde schon benutzt, oder die Anmeldung liegt zu lange zurück.',
      'The code is wrong or was used before, or the sign-in was too long ago.',
    ],
    again: ['Neu anmelden', 'Sign in again'],
  },
  invitation: {
    title: ['Einladung annehmen', 'Accept your invitation'],
    lead: (organization: string, role: string) => [
      `${organization} lädt Sie ein. Ihre Rolle: ${role}.`,
      `${organization} invites you. Your role: ${role}.`,
    ],
    name: ['Ihr Name', 'Your name'],
    nameHint: [
      'So sehen Ihre Kolleginnen und Kollegen, wer etwas entschieden hat.',
      'This is how your colleagues see who decided something.',
    ],
    submit: ['Zugang einrichten', 'Set up access'],
    goneTitle: ['Diese Einladung gilt nicht mehr', 'This invitation is no longer valid'],
    gone: [
      `Sie wurde schon angenommen, zurückgezogen oder ist älter als ${INVITATION_DAYS} Tage. Bitten Sie um einen neuen Link.`,
      `It was accepted already, withdrawn, or is older than ${INVITATION_DAYS} days. Ask for a new link.`,
    ],
  },
});
