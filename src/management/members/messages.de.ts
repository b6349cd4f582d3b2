import * as accounts from '../../auth/limits';
import { RESET_HOURS } from '../../auth/limits';

/** German texts of this area's pages. Their keys are the keys of every language. */
export const de = {
  resets: {
    action: 'Neues Passwort',
    openUntil: (date: string) => `Link für neues Passwort offen bis ${date}`,
    title: (person: string) => `Link für ein neues Passwort für ${person} erstellen?`,
    identity:
      'Stellen Sie zuerst sicher, dass wirklich diese Person darum bittet: im Gespräch oder am Telefon unter einer Nummer, die Sie kennen.',
    lead: 'Mit dem Link legt die Person selbst ein neues Passwort fest. Bis dahin ändert sich nichts; danach ist sie überall abgemeldet.',
    what: 'Was hat die Person verloren?',
    password: 'Passwort',
    passwordHint: 'Der zweite Faktor bleibt. Beim Anmelden braucht sie weiterhin einen Code.',
    both: 'Passwort und zweiten Faktor',
    bothHint: 'Auch der zweite Faktor wird ausgeschaltet, zum Beispiel weil das Telefon fehlt.',
    submit: 'Link erstellen',
    linkTitle: (email: string) => `Link für ein neues Passwort für ${email}`,
    linkHint: `Geben Sie den Link nur dieser Person; er gilt ${RESET_HOURS} Stunden und nur einmal.`,
  },
  roleHints: {
    owner: 'Alles, auch Team, Schlüssel und Webhooks',
    pharmacist: 'Rezepte prüfen, Anfragen freigeben, Sortiment pflegen',
    staff: 'Bestellungen bearbeiten, ohne Rezepte',
  },
  lead: 'Wer bei Ihnen arbeitet und was jede Person darf.',
  person: 'Person',
  role: 'Rolle',
  state: 'Zugang',
  you: 'Sie',
  invitedUntil: (date: string) => `Eingeladen bis ${date}`,
  expired: 'Einladung abgelaufen',
  factorOn: 'mit zweitem Faktor',
  changeRole: 'Ändern',
  roleOf: (person: string) => `Rolle von ${person}`,
  newLink: 'Neuer Link',
  withdraw: 'Zurückziehen',
  inviteTitle: 'Person einladen',
  invite: 'Einladungslink erstellen',
  linkTitle: (email: string) => `Einladungslink für ${email}`,
  linkHint: `Schicken Sie den Link selbst; er gilt ${accounts.INVITATION_DAYS} Tage und nur einmal.`,
  revokeTitle: (person: string) => `Zugang von ${person} widerrufen?`,
  revokeLead: 'Die Person wird sofort abgemeldet. Was sie getan hat, bleibt im Protokoll.',
  withdrawTitle: (person: string) => `Einladung von ${person} zurückziehen?`,
  withdrawLead: 'Der Link gilt dann nicht mehr.',
};

export type Messages = typeof de;
