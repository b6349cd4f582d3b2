import { INVITATION_DAYS, RESET_HOURS } from '../../auth/limits';
import { texts } from '../http/language';

/** Texts of this area's pages, in the reader's language. */
export const messages = texts({
  resets: {
    openUntil: (date: string) => [
      `Link für neues Passwort offen bis ${date}`,
      `Link for a new password open until ${date}`,
    ],
    title: (person: string) => [
      `Link für ein neues Passwort für ${person} erstellen?`,
      `Create a password reset link for ${person}?`,
    ],
    identity: [
      'Stellen Sie zuerst sicher, dass wirklich diese Person darum bittet: im Gespräch oder am Telefon unter einer Nummer, die Sie kennen.',
      'First make sure that it is really this person who asks: face to face, or by phone at a number that you know.',
    ],
    lead: [
      'Mit dem Link legt die Person selbst ein neues Passwort fest. Bis dahin ändert sich nichts; danach ist sie überall abgemeldet.',
      'With the link the person chooses a new password. Nothing changes until then; after that they are signed out everywhere.',
    ],
    what: ['Was hat die Person verloren?', 'What did the person lose?'],
    password: ['Passwort', 'Password'],
    passwordHint: [
      'Der zweite Faktor bleibt. Beim Anmelden braucht sie weiterhin einen Code.',
      'The second factor stays on. Signing in still needs a code.',
    ],
    both: ['Passwort und zweiten Faktor', 'Password and second factor'],
    bothHint: [
      'Auch der zweite Faktor wird ausgeschaltet, zum Beispiel weil das Telefon fehlt.',
      'The second factor is turned off as well, for example because the phone is gone.',
    ],
    submit: ['Link erstellen', 'Create the link'],
    linkTitle: (email: string) => [`Link für ein neues Passwort für ${email}`, `Link for a new password for ${email}`],
    linkHint: [
      `Geben Sie den Link nur dieser Person; er gilt ${RESET_HOURS} Stunden und nur einmal.`,
      `Give the link to this person only; it is valid for ${RESET_HOURS} hours and only once.`,
    ],
  },
  roleHints: {
    owner: ['Alles, auch Team, Schlüssel und Webhooks', 'Everything, including team, keys and webhooks'],
    pharmacist: [
      'Rezepte prüfen, Bestellungen annehmen, Sortiment pflegen',
      'Check prescriptions, accept orders, manage the inventory',
    ],
    staff: ['Bestellungen bearbeiten, ohne Rezepte', 'Work on orders, without prescriptions'],
  },
  person: ['Person', 'Person'],
  state: ['Zugang', 'Access'],
  you: ['Sie', 'You'],
  invitedUntil: (date: string) => [`Eingeladen bis ${date}`, `Invited until ${date}`],
  expired: ['Einladung abgelaufen', 'Invitation expired'],
  factorOn: ['mit zweitem Faktor', 'with a second factor'],
  changeRole: ['Ändern', 'Change'],
  roleOf: (person: string) => [`Rolle von ${person}`, `Role of ${person}`],
  newLink: ['Neuer Link', 'New link'],
  withdraw: ['Zurückziehen', 'Withdraw'],
  inviteTitle: ['Person einladen', 'Invite a person'],
  invite: ['Einladungslink erstellen', 'Create an invitation link'],
  linkTitle: (email: string) => [`Einladungslink für ${email}`, `Invitation link for ${email}`],
  linkHint: [
    `Schicken Sie den Link selbst; er gilt ${INVITATION_DAYS} Tage und nur einmal.`,
    `Send the link yourself; it is valid for ${INVITATION_DAYS} days and only once.`,
  ],
  revokeTitle: (person: string) => [`Zugang von ${person} widerrufen?`, `Revoke the access of ${person}?`],
  revokeLead: [
    'Die Person wird sofort abgemeldet. Was sie getan hat, bleibt im Protokoll.',
    'The person is signed out at once. What they did stays in the audit log.',
  ],
  withdrawTitle: (person: string) => [`Einladung von ${person} zurückziehen?`, `Withdraw the invitation of ${person}?`],
  withdrawLead: ['Der Link gilt dann nicht mehr.', 'The link stops working.'],
});
