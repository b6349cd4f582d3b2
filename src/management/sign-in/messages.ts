import { INVITATION_DAYS, RESET_HOURS } from '../../auth/limits';
import { texts } from '../http/language';

/** Texts of this area's pages, in the reader's language. */
export const messages = texts({
  password: { de: 'Passwort', en: 'Password' },
  ended: {
    de: 'Ihre Sitzung ist beendet. Das Formular wurde nicht gesendet, nichts wurde geändert. Melden Sie sich an und füllen Sie es noch einmal aus.',
    en: 'Your session has ended. The form was not sent; nothing was changed. Sign in and fill it in again.',
  },
  choosePharmacy: {
    title: { de: 'Welche Apotheke?', en: 'Which pharmacy?' },
    lead: {
      de: 'Ihr Passwort gilt in mehreren Apotheken. Wo möchten Sie arbeiten?',
      en: 'Your password is valid at several pharmacies. Where do you want to work?',
    },
    gone: {
      de: 'Diese Auswahl gilt nicht mehr. Melden Sie sich bitte noch einmal an.',
      en: 'This choice is no longer open. Please sign in again.',
    },
  },
  resets: {
    pageTitle: { de: 'Neues Passwort festlegen', en: 'Choose a new password' },
    pageLead: {
      de: (organization: string) => `Ihr Zugang bei ${organization}. Danach sind Sie überall abgemeldet.`,
      en: (organization: string) => `Your access at ${organization}. After that you are signed out everywhere.`,
    },
    factorStays: {
      de: 'Beim Anmelden brauchen Sie weiterhin einen Code Ihres zweiten Faktors.',
      en: 'Signing in still takes a code of your second factor.',
    },
    factorEnds: {
      de: 'Ihr zweiter Faktor wird dabei ausgeschaltet. Richten Sie ihn nach dem Anmelden neu ein.',
      en: 'This turns your second factor off. Set it up again after signing in.',
    },
    submit: { de: 'Passwort festlegen', en: 'Save the password' },
    goneTitle: { de: 'Dieser Link gilt nicht mehr', en: 'This link is no longer valid' },
    gone: {
      de: `Er wurde schon benutzt, durch einen neuen ersetzt oder ist älter als ${RESET_HOURS} Stunden. Bitten Sie um einen neuen.`,
      en: `It was used already, replaced by a new one, or is older than ${RESET_HOURS} hours. Ask for a new one.`,
    },
    forgot: { de: 'Passwort vergessen oder Gerät verloren?', en: 'Forgot your password or lost your device?' },
    forgotHow: {
      de: 'Eine Inhaberin oder ein Inhaber Ihrer Apotheke erstellt Ihnen unter „Team“ einen Link. Wer sonst niemanden fragen kann, wendet sich an den Betreiber von Offizin.',
      en: 'An owner of your pharmacy can create a link for you under “Members”. With nobody else to ask, turn to the operator of Offizin.',
    },
  },
  signIn: {
    title: { de: 'Anmelden', en: 'Sign in' },
    refused: { de: 'E-Mail-Adresse oder Passwort stimmt nicht.', en: 'The e-mail address or the password is wrong.' },
    noAccount: {
      de: 'Noch kein Zugang? Fragen Sie die Inhaberin oder den Inhaber Ihrer Apotheke nach einer Einladung.',
      en: 'No access yet? Ask the owner of your pharmacy for an invitation.',
    },
  },
  secondStep: {
    title: { de: 'Code eingeben', en: 'Enter your code' },
    code: { de: 'Code aus der Authenticator-App', en: 'Code from the authenticator app' },
    hint: {
      de: 'Sechs Ziffern. Ohne Ihr Gerät: einer Ihrer Wiederherstellungscodes.',
      en: 'Six digits. Without your device: one of your recovery codes.',
    },
    submit: { de: 'Bestätigen', en: 'Confirm' },
    refused: {
      de: 'Der Code stimmt nicht, wurde schon benutzt, oder die Anmeldung liegt zu lange zurück.',
      en: 'The code is wrong or was used before, or the sign-in is too long ago.',
    },
    again: { de: 'Neu anmelden', en: 'Sign in again' },
  },
  invitation: {
    title: { de: 'Einladung annehmen', en: 'Accept your invitation' },
    lead: {
      de: (organization: string, role: string) => `${organization} lädt Sie ein. Ihre Rolle: ${role}.`,
      en: (organization: string, role: string) => `${organization} invites you. Your role: ${role}.`,
    },
    name: { de: 'Ihr Name', en: 'Your name' },
    nameHint: {
      de: 'So sehen Ihre Kolleginnen und Kollegen, wer etwas entschieden hat.',
      en: 'This is how your colleagues see who decided something.',
    },
    submit: { de: 'Zugang einrichten', en: 'Set up access' },
    goneTitle: { de: 'Diese Einladung gilt nicht mehr', en: 'This invitation is no longer valid' },
    gone: {
      de: `Sie wurde schon angenommen, zurückgezogen oder ist älter als ${INVITATION_DAYS} Tage. Bitten Sie um einen neuen Link.`,
      en: `It was accepted already, taken back, or is older than ${INVITATION_DAYS} days. Ask for a new link.`,
    },
  },
});
