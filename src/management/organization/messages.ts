import { PRESCRIPTION_VALID_DAYS_MAX, RECIPIENT_LENGTH_MAX, THRESHOLD_MAX } from '../../tenants/limits';
import { texts } from '../http/language';

/** Texts of this area's pages, in the reader's language. */
export const messages = texts({
  firstSteps: { de: 'Erste Schritte', en: 'First steps' },
  name: { de: 'Name der Apotheke', en: 'Name of the pharmacy' },
  iban: { de: 'IBAN', en: 'IBAN' },
  ibanHint: {
    de: 'Auf dieses Konto wird bezahlt. Ohne IBAN gibt es keine Zahlungslinks.',
    en: 'The account that customers pay to. Without an IBAN there are no payment links.',
  },
  recipient: { de: 'Kontoinhaber', en: 'Account holder' },
  recipientHint: {
    de: 'Steht auf der Zahlungsseite. Leer: der Name der Apotheke.',
    en: 'Stands on the payment page. Left empty: the name of the pharmacy.',
  },
  threshold: { de: 'Meldebestand', en: 'Low stock threshold' },
  thresholdHint: {
    de: 'Fällt der Bestand eines Produkts unter diese Zahl, melden wir es als knapp. Produkte können eine eigene haben.',
    en: 'A product whose stock falls below this number is reported as low. Products may have a number of their own.',
  },
  prescriptions: { de: 'Rezepte', en: 'Prescriptions' },
  validDays: { de: 'Rezept gültig: Tage ab Ausstellung', en: 'Prescription valid: days from its date of issue' },
  validDaysHint: {
    de: 'Ein älteres wird nicht angenommen, wenn sein Ausstellungsdatum eingetragen ist.',
    en: 'An older one is not accepted, where its date of issue is entered.',
  },
  signatureCheck: { de: 'Wenn eine Signatur nicht hält', en: 'When a signature does not hold' },
  signatureChecks: {
    inform: { de: 'Nur anzeigen', en: 'Show it only' },
    enforce: { de: 'Annahme nur mit Begründung', en: 'Approve only with a reason' },
  },
  rules: { de: 'Regeln für Versandwege', en: 'Rules for shipping' },
  rulesLead: {
    de: 'Was Ihre Apotheke auf einem Weg nicht oder nur mit Hinweis abgibt. Plattformen sehen es vorab, und beim Annehmen, bei einer anderen Versandart und vor der Abgabe wird danach gefragt.',
    en: 'What your pharmacy does not supply in some way, or only with a note. Platforms see it beforehand, and it is asked at the approval, at another shipping option and before it leaves.',
  },
  removeRule: { de: 'Regel entfernen', en: 'Remove rule' },
  addRule: { de: 'Regel hinzufügen', en: 'Add rule' },
  drafts: { de: 'Vorschläge:', en: 'Proposals:' },
  category: { de: 'Kategorie', en: 'Category' },
  categoryHint: { de: 'Wie sie an den Produkten steht.', en: 'As it stands on the products.' },
  shipping: { de: 'Versandweg', en: 'Way of shipping' },
  anyWay: { de: 'Jeder', en: 'Any' },
  ways: {
    Abholung: { de: 'Abholung', en: 'Pickup' },
    bote: { de: 'Botendienst', en: 'Own courier' },
    versand: { de: 'Versand', en: 'Mail order' },
  },
  effect: { de: 'Wirkung', en: 'Effect' },
  effects: {
    blocks: { de: 'Nur mit Begründung', en: 'Only with a reason' },
    warns: { de: 'Nur ein Hinweis', en: 'A note only' },
  },
  from: { de: 'Ab', en: 'From' },
  to: { de: 'Bis', en: 'Until' },
  ruleText: { de: 'Text', en: 'Text' },
  ruleTextHint: { de: 'Lesen Ihr Team und die Plattform.', en: 'Read by your team and the platform.' },
  retention: { de: 'Aufbewahrung', en: 'Retention' },
  retentionLead: {
    de: 'Jede Nacht löschen wir nach Ablauf der Frist alles zur Person: Name, Kontakt, Anschrift, Notizen, Rezept. Was wann zu welchem Preis verkauft wurde, bleibt. Was Sie als aufzubewahren markiert haben, bleibt ganz.',
    en: 'Every night, once its time is over, we delete everything about the person: name, contact, address, notes, prescription. What was sold, when and at what price stays. What you marked as to be kept stays whole.',
  },
  requestDays: {
    de: 'Abgelehnte Bestellanfragen: Tage nach der Ablehnung',
    en: 'Rejected order requests: days after the rejection',
  },
  requestDaysHint: {
    de: (min: number, max: number) => `${min} bis ${max} Tage.`,
    en: (min: number, max: number) => `${min} to ${max} days.`,
  },
  orderDays: {
    de: 'Beendete Bestellungen mit Rezept: Tage seit der letzten Änderung',
    en: 'Ended orders with their prescription: days since the last change',
  },
  orderDaysHint: {
    de: (min: number, max: number) =>
      `Fünf bis dreißig Jahre: ${min} bis ${max} Tage. § 22 ApBetrO verlangt fünf Jahre.`,
    en: (min: number, max: number) =>
      `Five to thirty years: ${min} to ${max} days. German law (ApBetrO § 22) asks for five.`,
  },
  fieldErrors: {
    category: {
      de: 'Bitte eine Kategorie, höchstens 100 Zeichen.',
      en: 'A category of 100 characters at most, please.',
    },
    ruleText: { de: 'Bitte einen Text, höchstens 200 Zeichen.', en: 'A text of 200 characters at most, please.' },
    day: { de: 'Bitte einen Tag.', en: 'A day, please.' },
    rules: { de: 'Höchstens 50 Regeln.', en: 'At most 50 rules.' },
    iban: {
      de: 'Diese IBAN stimmt nicht. Bitte prüfen Sie jede Stelle.',
      en: 'This IBAN is not right. Please check every character.',
    },
    paymentRecipient: {
      de: `Höchstens ${RECIPIENT_LENGTH_MAX} Zeichen: Mehr passt nicht in den GiroCode.`,
      en: `At most ${RECIPIENT_LENGTH_MAX} characters: the GiroCode allows no more.`,
    },
    lowStockThreshold: {
      de: `Eine ganze Zahl von 0 bis ${THRESHOLD_MAX}, ohne Punkt.`,
      en: `A whole number from 0 to ${THRESHOLD_MAX}, without a comma.`,
    },
    prescriptionValidDays: {
      de: `Eine ganze Zahl von 1 bis ${PRESCRIPTION_VALID_DAYS_MAX}.`,
      en: `A whole number from 1 to ${PRESCRIPTION_VALID_DAYS_MAX}.`,
    },
    signatureCheck: { de: 'Bitte wählen Sie eine Wirkung.', en: 'Choose an effect, please.' },
    requestRetentionDays: {
      de: (min: number, max: number) => `Bestellanfragen: eine ganze Zahl von ${min} bis ${max}.`,
      en: (min: number, max: number) => `Order requests: a whole number from ${min} to ${max}.`,
    },
    orderRetentionDays: {
      de: (min: number, max: number) => `Bestellungen: eine ganze Zahl von ${min} bis ${max}.`,
      en: (min: number, max: number) => `Orders: a whole number from ${min} to ${max}.`,
    },
  },
  test: { de: 'Testapotheke', en: 'Test pharmacy' },
  testLead: {
    de: 'Zum Ausprobieren mit Ihrer Plattform oder Warenwirtschaft: dieselben Regeln, ein Sortiment mit Bestand, eine eigene Shop-Adresse und eigene Schlüssel (ofz_test_…). Was dort geschieht, berührt Ihre echte Apotheke nicht.',
    en: 'For trying things with your platform or ERP: the same rules, an assortment with stock, a shop address and keys of its own (ofz_test_…). What happens there does not touch your live pharmacy.',
  },
  makeTest: { de: 'Testapotheke anlegen', en: 'Make a test pharmacy' },
  enterTest: { de: 'Zur Testapotheke', en: 'To the test pharmacy' },
  exportTitle: { de: 'Alle Daten als Datei', en: 'All data as a file' },
  exportLead: {
    de: 'Tabellen (CSV) und Rezepte (PDF) Ihrer Apotheke, verschlüsselt. Geöffnet wird sie mit „npm run open-export“ und Ihrer Passphrase, ohne die auch wir sie nicht öffnen können. Alle Inhaber erhalten eine E-Mail.',
    en: 'Tables (CSV) and prescriptions (PDF) of your pharmacy, encrypted. It is opened by “npm run open-export” and your passphrase, without which not even we can open it. All owners get an e-mail.',
  },
  exportNeedsFactor: {
    de: 'Dafür brauchen Sie den zweiten Faktor.',
    en: 'You need the second factor for this.',
  },
  passphrase: { de: 'Passphrase', en: 'Passphrase' },
  passphraseHint: {
    de: '16 Zeichen oder mehr, mehrere Wörter. Schreiben Sie sie auf.',
    en: '16 characters or more, several words. Write it down.',
  },
  factorCode: { de: 'Code des zweiten Faktors', en: 'Code of the second factor' },
  exportWrite: { de: 'Datei schreiben', en: 'Write the file' },
  exportRunning: { de: 'Wird geschrieben', en: 'Being written' },
  exportFailed: { de: 'Nicht fertig geworden', en: 'Was not finished' },
  exportFetch: { de: 'Herunterladen', en: 'Download' },
  confirmTitle: { de: 'Wirklich ändern?', en: 'Really change this?' },
  confirm: { de: 'Ja, ändern', en: 'Yes, change it' },
  before: { de: 'Bisher', en: 'Before' },
  after: { de: 'Neu', en: 'New' },
  none: { de: 'keine', en: 'none' },
  days: { de: (days: number) => `${days} Tage`, en: (days: number) => `${days} days` },
  ibanChange: {
    de: 'Zahlungsseiten nennen sofort das neue Konto, auch die schon verschickten Links.',
    en: 'Payment pages name the new account at once, links that were sent already too.',
  },
  ibanRemoval: {
    de: 'Zahlungslinks sind dann nicht mehr möglich, und schon verschickte lassen sich nicht mehr öffnen.',
    en: 'Payment links are no longer possible then, and those that were sent can no longer be opened.',
  },
  retentionChange: {
    de: 'Was älter ist, wird in der nächsten Nacht gelöscht. Das lässt sich nicht rückgängig machen.',
    en: 'What is older is deleted the next night. That cannot be undone.',
  },
});
