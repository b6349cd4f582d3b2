import { texts } from '../http/language';

/** Texts of this area's pages, in the reader's language. */
export const messages = texts({
  person: { de: 'Angaben zur Person', en: 'About you' },
  ofLive: {
    de: 'In der Testapotheke haben Sie kein eigenes Passwort: Sie kommen aus Ihrer echten Apotheke herein. Passwort und zweiten Faktor ändern Sie dort.',
    en: 'In the test pharmacy you have no password of your own: you come in from your live pharmacy. Change password and second factor there.',
  },
  passwordLead: { de: 'Danach sind Sie nur noch hier angemeldet.', en: 'After that you are signed in here only.' },
  current: { de: 'Bisheriges Passwort', en: 'Current password' },
  change: { de: 'Passwort ändern', en: 'Change password' },
  factorTitle: { de: 'Zweiter Faktor', en: 'Second factor' },
  factorOn: { de: 'Eingeschaltet', en: 'On' },
  factorOff: { de: 'Ausgeschaltet', en: 'Off' },
  factorLead: {
    de: 'Beim Anmelden fragen wir zusätzlich nach einem Code aus einer Authenticator-App auf Ihrem Telefon.',
    en: 'When you sign in, we also ask for a code from an authenticator app on your phone.',
  },
  confirmPassword: { de: 'Ihr Passwort zur Bestätigung', en: 'Your password, to confirm' },
  setupTitle: { de: 'Zweiten Faktor einrichten', en: 'Set up a second factor' },
  setupScan: {
    de: 'Scannen Sie den QR-Code mit einer Authenticator-App.',
    en: 'Scan the QR code with an authenticator app.',
  },
  setupQr: { de: 'QR-Code für die Authenticator-App', en: 'QR code for the authenticator app' },
  setupType: { de: 'Oder geben Sie diesen Schlüssel ein:', en: 'Or type in this key:' },
  setupCodes: { de: 'Wiederherstellungscodes', en: 'Recovery codes' },
  setupCodesHint: {
    de: 'Jeder ersetzt einmal den Code, wenn Ihr Gerät fehlt. Bewahren Sie sie getrennt von ihm auf.',
    en: 'Each stands in for a code once, when your device is not at hand. Keep them apart from it.',
  },
  setupCode: { de: 'Code aus der App', en: 'Code from the app' },
  setupConfirm: { de: 'Bestätigen und einschalten', en: 'Confirm and turn on' },
  setupAgain: {
    de: 'Die App zeigt alle 30 Sekunden einen neuen Code. Nichts gescannt? Beginnen Sie von vorn.',
    en: 'The app shows a new code every 30 seconds. Nothing scanned? Start again.',
  },
  notices: { de: 'Benachrichtigungen', en: 'Notices' },
  wantsNotices: {
    de: 'E-Mail, wenn ein Webhook steht oder wieder läuft',
    en: 'E-mail when a webhook stops or runs again',
  },
  noticesHint: {
    de: 'An Ihre E-Mail-Adresse. Sie nennt nur den Server des Empfängers.',
    en: 'To your e-mail address. It names the receiver’s host only.',
  },
  everywhereLead: {
    de: 'Beendet alle Anmeldungen, auch auf anderen Geräten und diese hier.',
    en: 'Ends every session, on other devices and here.',
  },
  everywhere: { de: 'Überall abmelden', en: 'Sign out everywhere' },
});
