import { texts } from '../http/language';

/** Texts of this area's pages, in the reader's language. */
export const messages = texts({
  person: ['Angaben zur Person', 'About you'],
  ofLive: [
    'In der Testapotheke haben Sie kein eigenes Passwort: Sie kommen aus Ihrer echten Apotheke herein. Passwort und zweiten Faktor ändern Sie dort.',
    'In the test pharmacy you have no password of your own: you come in from your live pharmacy. Change password and second factor there.',
  ],
  passwordLead: ['Danach sind Sie nur noch hier angemeldet.', 'After that you are signed in here only.'],
  current: ['Bisheriges Passwort', 'Current password'],
  change: ['Passwort ändern', 'Change password'],
  factorTitle: ['Zweiter Faktor', 'Second factor'],
  factorOn: ['Eingeschaltet', 'On'],
  factorOff: ['Ausgeschaltet', 'Off'],
  factorLead: [
    'Beim Anmelden fragen wir zusätzlich nach einem Code aus einer Authenticator-App auf Ihrem Telefon.',
    'When you sign in, we also ask for a code from an authenticator app on your phone.',
  ],
  confirmPassword: ['Ihr Passwort zur Bestätigung', 'Your password, to confirm'],
  setupTitle: ['Zweiten Faktor einrichten', 'Set up a second factor'],
  setupScan: ['Scannen Sie den QR-Code mit einer Authenticator-App.', 'Scan the QR code with an authenticator app.'],
  setupQr: ['QR-Code für die Authenticator-App', 'QR code for the authenticator app'],
  setupType: ['Oder geben Sie diesen Schlüssel ein:', 'Or type in this key:'],
  setupCodes: ['Wiederherstellungscodes', 'Recovery codes'],
  setupCodesHint: [
    'Jeder ersetzt einmal den Code, wenn Ihr Gerät fehlt. Bewahren Sie sie getrennt von ihm auf.',
    'Each replaces a code once if you do not have your device. Keep them apart from it.',
  ],
  setupCode: ['Code aus der App', 'Code from the app'],
  setupConfirm: ['Bestätigen und einschalten', 'Confirm and turn on'],
  setupAgain: [
    'Die App zeigt alle 30 Sekunden einen neuen Code. Nichts gescannt? Beginnen Sie von vorn.',
    'The app shows a new code every 30 seconds. Nothing scanned? Start again.',
  ],
  notices: ['Benachrichtigungen', 'Notifications'],
  wantsNotices: ['E-Mail, wenn ein Webhook steht oder wieder läuft', 'E-mail when a webhook stops or runs again'],
  noticesHint: [
    'An Ihre E-Mail-Adresse. Sie nennt nur den Server des Empfängers.',
    'To your e-mail address. It names the receiver’s host only.',
  ],
  everywhereLead: [
    'Beendet alle Anmeldungen, auch auf anderen Geräten und diese hier.',
    'Ends every session, on other devices and here.',
  ],
  everywhere: ['Überall abmelden', 'Sign out everywhere'],
});
