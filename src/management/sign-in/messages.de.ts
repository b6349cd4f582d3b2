import * as accounts from '../../auth/limits';
import { RESET_HOURS } from '../../auth/limits';

/** German texts of this area's pages. Their keys are the keys of every language. */
export const de = {
  resume: {
    ended: 'Ihre Sitzung ist beendet. Das Formular wurde nicht gesendet, nichts wurde geändert.',
    kept: 'Melden Sie sich an, dann steht alles wieder da, was Sie eingegeben haben. Passwörter geben Sie neu ein.',
    tooMuch: 'Was Sie eingegeben haben, ist zu umfangreich und kann nicht übernommen werden.',
    file: 'Eine Datei wird nicht übernommen: Wählen Sie sie bitte noch einmal.',
    back: 'Ihre Eingaben sind wieder da. Gesendet wurde nichts: Prüfen Sie sie und senden Sie das Formular noch einmal ab.',
    toForm: 'Zum Formular',
    noForm: 'Diese Seite hat sich geändert: Das Formular, das Sie ausgefüllt hatten, gibt es hier nicht mehr.',
    left: 'Das haben Sie eingegeben, es hat auf der Seite aber keinen Platz mehr:',
  },
  choosePharmacy: {
    title: 'Welche Apotheke?',
    lead: 'Ihr Passwort gilt in mehreren Apotheken. Wo möchten Sie arbeiten?',
    gone: 'Diese Auswahl gilt nicht mehr. Melden Sie sich bitte noch einmal an.',
  },
  resets: {
    pageTitle: 'Neues Passwort festlegen',
    pageLead: (organization: string) => `Ihr Zugang bei ${organization}. Danach sind Sie überall abgemeldet.`,
    factorStays: 'Beim Anmelden brauchen Sie weiterhin einen Code Ihres zweiten Faktors.',
    factorEnds: 'Ihr zweiter Faktor wird dabei ausgeschaltet. Richten Sie ihn nach dem Anmelden neu ein.',
    next: 'Neues Passwort',
    save: 'Passwort festlegen',
    goneTitle: 'Dieser Link gilt nicht mehr',
    gone: `Er wurde schon benutzt, durch einen neuen ersetzt oder ist älter als ${RESET_HOURS} Stunden. Bitten Sie um einen neuen.`,
    forgot:
      'Passwort vergessen oder Gerät verloren? Eine Inhaberin oder ein Inhaber Ihrer Apotheke erstellt Ihnen unter „Team“ einen Link. Wer sonst niemanden fragen kann, wendet sich an den Betreiber von Offizin.',
  },
  signIn: {
    title: 'Anmelden',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    submit: 'Anmelden',
    refused: 'E-Mail-Adresse oder Passwort stimmt nicht.',
    noAccount: 'Noch kein Zugang? Fragen Sie die Inhaberin oder den Inhaber Ihrer Apotheke nach einer Einladung.',
  },
  secondStep: {
    title: 'Code eingeben',
    code: 'Code aus der Authenticator-App',
    hint: 'Sechs Ziffern. Ohne Ihr Gerät: einer Ihrer Wiederherstellungscodes.',
    submit: 'Bestätigen',
    refused: 'Der Code stimmt nicht, wurde schon benutzt, oder die Anmeldung liegt zu lange zurück.',
    again: 'Neu anmelden',
  },
  invitation: {
    title: 'Einladung annehmen',
    lead: (organization: string, role: string) => `${organization} lädt Sie ein. Ihre Rolle: ${role}.`,
    email: 'E-Mail-Adresse',
    name: 'Ihr Name',
    nameHint: 'So sehen Ihre Kolleginnen und Kollegen, wer etwas entschieden hat.',
    password: 'Passwort',
    submit: 'Zugang einrichten',
    goneTitle: 'Diese Einladung gilt nicht mehr',
    gone: `Sie wurde schon angenommen, zurückgezogen oder ist älter als ${accounts.INVITATION_DAYS} Tage. Bitten Sie um einen neuen Link.`,
  },
};

export type Messages = typeof de;
