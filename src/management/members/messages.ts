import { INVITATION_DAYS, RESET_HOURS } from '../../auth/limits';
import { texts } from '../http/language';

/** Texts of this area's pages, in the reader's language. */
export const messages = texts({
  resets: {
    openUntil: {
      de: (date: string) => `Link für neues Passwort offen bis ${date}`,
      en: (date: string) => `Link for a new password open until ${date}`,
    },
    title: {
      de: (person: string) => `Link für ein neues Passwort für ${person} erstellen?`,
      en: (person: string) => `Create a password reset link for ${person}?`,
    },
    identity: {
      de: 'Stellen Sie zuerst sicher, dass wirklich diese Person darum bittet: im Gespräch oder am Telefon unter einer Nummer, die Sie kennen.',
      en: 'First make sure that it is really this person who asks: face to face, or by phone under a number that you know.',
    },
    lead: {
      de: 'Mit dem Link legt die Person selbst ein neues Passwort fest. Bis dahin ändert sich nichts; danach ist sie überall abgemeldet.',
      en: 'With the link the person chooses a new password. Nothing changes until then; after that they are signed out everywhere.',
    },
    what: { de: 'Was hat die Person verloren?', en: 'What did the person lose?' },
    password: { de: 'Passwort', en: 'Password' },
    passwordHint: {
      de: 'Der zweite Faktor bleibt. Beim Anmelden braucht sie weiterhin einen Code.',
      en: 'The second factor stays on. Signing in still needs a code.',
    },
    both: { de: 'Passwort und zweiten Faktor', en: 'Password and second factor' },
    bothHint: {
      de: 'Auch der zweite Faktor wird ausgeschaltet, zum Beispiel weil das Telefon fehlt.',
      en: 'The second factor is turned off as well, for example because the phone is gone.',
    },
    submit: { de: 'Link erstellen', en: 'Create the link' },
    linkTitle: {
      de: (email: string) => `Link für ein neues Passwort für ${email}`,
      en: (email: string) => `Link for a new password for ${email}`,
    },
    linkHint: {
      de: `Geben Sie den Link nur dieser Person; er gilt ${RESET_HOURS} Stunden und nur einmal.`,
      en: `Give the link to this person only; it is valid for ${RESET_HOURS} hours and only once.`,
    },
  },
  roleHints: {
    owner: { de: 'Alles, auch Team, Schlüssel und Webhooks', en: 'Everything, including members, keys and webhooks' },
    pharmacist: {
      de: 'Rezepte prüfen, Bestellungen annehmen, Sortiment pflegen',
      en: 'Check prescriptions, accept orders, keep the inventory',
    },
    staff: { de: 'Bestellungen bearbeiten, ohne Rezepte', en: 'Work on orders, without prescriptions' },
  },
  person: { de: 'Person', en: 'Person' },
  state: { de: 'Zugang', en: 'Access' },
  you: { de: 'Sie', en: 'You' },
  invitedUntil: { de: (date: string) => `Eingeladen bis ${date}`, en: (date: string) => `Invited until ${date}` },
  expired: { de: 'Einladung abgelaufen', en: 'Invitation expired' },
  factorOn: { de: 'mit zweitem Faktor', en: 'with a second factor' },
  changeRole: { de: 'Ändern', en: 'Change' },
  roleOf: { de: (person: string) => `Rolle von ${person}`, en: (person: string) => `Role of ${person}` },
  newLink: { de: 'Neuer Link', en: 'New link' },
  withdraw: { de: 'Zurückziehen', en: 'Take back' },
  inviteTitle: { de: 'Person einladen', en: 'Invite a person' },
  invite: { de: 'Einladungslink erstellen', en: 'Create an invitation link' },
  linkTitle: {
    de: (email: string) => `Einladungslink für ${email}`,
    en: (email: string) => `Invitation link for ${email}`,
  },
  linkHint: {
    de: `Schicken Sie den Link selbst; er gilt ${INVITATION_DAYS} Tage und nur einmal.`,
    en: `Send the link yourself; it is valid for ${INVITATION_DAYS} days and only once.`,
  },
  revokeTitle: {
    de: (person: string) => `Zugang von ${person} widerrufen?`,
    en: (person: string) => `Revoke the access of ${person}?`,
  },
  revokeLead: {
    de: 'Die Person wird sofort abgemeldet. Was sie getan hat, bleibt im Protokoll.',
    en: 'The person is signed out at once. What they did stays in the audit log.',
  },
  withdrawTitle: {
    de: (person: string) => `Einladung von ${person} zurückziehen?`,
    en: (person: string) => `Take back the invitation of ${person}?`,
  },
  withdrawLead: { de: 'Der Link gilt dann nicht mehr.', en: 'The link stops working.' },
});
