import { PRESCRIPTION_VALID_DAYS_MAX, RECIPIENT_LENGTH_MAX, THRESHOLD_MAX } from '../../tenants/limits';
import { texts } from '../http/language';

const YEAR_DAYS = 365.25;

/** Returns the days in this many years, rounded up to a whole day. */
export const daysOf = (years: number) => Math.ceil(years * YEAR_DAYS);

/** Texts of this area's pages, in the reader's language. */
export const messages = texts({
  firstSteps: ['Erste Schritte', 'First steps'],
  general: ['Allgemein', 'General'],
  name: ['Name der Apotheke', 'Name of the pharmacy'],
  iban: ['IBAN', 'IBAN'],
  ibanHint: [
    'Auf dieses Konto wird bezahlt. Ohne IBAN gibt es keine Zahlungslinks.',
    'The account that customers pay to. Without an IBAN there are no payment links.',
  ],
  recipient: ['Kontoinhaber', 'Account holder'],
  recipientHint: [
    'Steht auf der Zahlungsseite. Leer: der Name der Apotheke.',
    'Shown on the payment page. Left empty: the name of the pharmacy.',
  ],
  threshold: ['Meldebestand', 'Low stock threshold'],
  thresholdHint: [
    'Fällt der Bestand eines Produkts unter diese Zahl, melden wir es als knapp. Produkte können eine eigene haben.',
    'A product whose stock falls below this number is reported as low. Products may have a number of their own.',
  ],
  prescriptions: ['Rezepte', 'Prescriptions'],
  validDays: ['Rezept gültig: Tage ab Ausstellung', 'Prescription valid: days from its date of issue'],
  validDaysHint: [
    'Ein älteres wird nicht angenommen, wenn sein Ausstellungsdatum eingetragen ist.',
    'An older one is not accepted, where its date of issue is entered.',
  ],
  signatureCheck: ['Bei ungültiger Signatur', 'If a signature is invalid'],
  signatureChecks: {
    inform: ['Nur anzeigen', 'Show it only'],
    enforce: ['Annahme nur mit Begründung', 'Accept only with a reason'],
  },
  rules: ['Regeln für Lieferarten', 'Rules for delivery methods'],
  rulesLead: [
    'Was Ihre Apotheke auf einem Weg nicht oder nur mit Hinweis abgibt. Plattformen sehen es vorab, und beim Annehmen, bei einer anderen Lieferart und vor der Abgabe wird danach gefragt.',
    'What your pharmacy does not supply by some delivery method, or only with a note. Platforms see it beforehand, and your team is asked when it accepts, when it changes the delivery method and before the order leaves.',
  ],
  removeRule: ['Regel entfernen', 'Remove rule'],
  addRule: ['Regel hinzufügen', 'Add rule'],
  drafts: ['Vorschläge:', 'Proposals:'],
  category: ['Kategorie', 'Category'],
  categoryHint: ['Wie sie an den Produkten steht.', 'As on the products.'],
  shipping: ['Lieferart', 'Delivery method'],
  anyWay: ['Jede', 'Any'],
  ways: {
    Abholung: ['Abholung', 'Pickup'],
    bote: ['Botendienst', 'Own courier'],
    versand: ['Versand', 'Shipping'],
  },
  effect: ['Wirkung', 'Effect'],
  effects: {
    blocks: ['Nur mit Begründung', 'Only with a reason'],
    warns: ['Nur ein Hinweis', 'A note only'],
  },
  from: ['Ab', 'From'],
  to: ['Bis', 'Until'],
  ruleText: ['Text', 'Text'],
  ruleTextHint: ['Lesen Ihr Team und die Plattform.', 'Read by your team and the platform.'],
  retention: ['Aufbewahrung', 'Retention'],
  retentionLead: [
    'Jede Nacht löschen wir nach Ablauf der Frist alles zur Person: Name, Kontakt, Anschrift, Notizen, Rezept. Was wann zu welchem Preis verkauft wurde, bleibt. Was Sie als aufzubewahren markiert haben, bleibt ganz.',
    'Every night, once its time is over, we delete everything about the person: name, contact, address, notes, prescription. What was sold, when and at what price stays. What you put on legal hold is kept in full.',
  ],
  requestDays: ['Abgelehnte Bestellanfragen: Tage nach der Ablehnung', 'Rejected order requests: days after rejection'],
  orderDays: [
    'Beendete Bestellungen mit Rezept (§\u00a022 ApBetrO: fünf Jahre)',
    'Ended orders with their prescription (ApBetrO §\u00a022: five years)',
  ],
  fieldErrors: {
    category: ['Bitte eine Kategorie, höchstens 100 Zeichen.', 'A category of 100 characters at most, please.'],
    ruleText: ['Bitte einen Text, höchstens 200 Zeichen.', 'A text of 200 characters at most, please.'],
    day: ['Bitte einen Tag.', 'A day, please.'],
    rules: ['Höchstens 50 Regeln.', 'At most 50 rules.'],
    sameRule: ['Diese Regel gibt es schon.', 'This rule exists already.'],
    iban: ['Diese IBAN stimmt nicht. Bitte prüfen Sie jede Stelle.', 'This IBAN is wrong. Check every character.'],
    paymentRecipient: [
      `Höchstens ${RECIPIENT_LENGTH_MAX} Zeichen: Mehr passt nicht in den GiroCode.`,
      `At most ${RECIPIENT_LENGTH_MAX} characters: the GiroCode allows no more.`,
    ],
    lowStockThreshold: [
      `Eine ganze Zahl von 0 bis ${THRESHOLD_MAX}, ohne Punkt.`,
      `A whole number from 0 to ${THRESHOLD_MAX}, without a comma.`,
    ],
    prescriptionValidDays: [
      `Eine ganze Zahl von 1 bis ${PRESCRIPTION_VALID_DAYS_MAX}.`,
      `A whole number from 1 to ${PRESCRIPTION_VALID_DAYS_MAX}.`,
    ],
    signatureCheck: ['Bitte wählen Sie eine Wirkung.', 'Choose an effect, please.'],
    requestRetentionDays: (min: number, max: number) => [
      `Bestellanfragen: eine ganze Zahl von ${min} bis ${max}.`,
      `Order requests: a whole number from ${min} to ${max}.`,
    ],
    orderRetentionDays: (min: number, max: number) => [
      `Bestellungen: eine ganze Zahl von ${min} bis ${max}.`,
      `Orders: a whole number from ${min} to ${max}.`,
    ],
  },
  test: ['Testapotheke', 'Test pharmacy'],
  testLead: [
    'Zum Ausprobieren mit Ihrer Plattform oder Warenwirtschaft: dieselben Regeln, ein Sortiment mit Bestand, eine eigene Shop-Adresse und eigene Schlüssel (ofz_test_…). Was dort geschieht, berührt Ihre echte Apotheke nicht.',
    'For trying things out with your platform or ERP: the same rules, an inventory with stock, a shop address and keys of its own (ofz_test_…). What happens there does not touch your live pharmacy.',
  ],
  makeTest: ['Testapotheke anlegen', 'Create a test pharmacy'],
  enterTest: ['Zur Testapotheke', 'To the test pharmacy'],
  exportTitle: ['Alle Daten als Datei', 'All data as a file'],
  exportLead: [
    'Tabellen (CSV) und Rezepte (PDF) Ihrer Apotheke, verschlüsselt. Zum Öffnen brauchen Sie ein Programm, das Sie von uns erhalten, und Ihre Passphrase, ohne die auch wir sie nicht öffnen können. Alle Inhaber erhalten eine E-Mail.',
    'Tables (CSV) and prescriptions (PDF) of your pharmacy, encrypted. To open it you need a program, which you get from us, and your passphrase, without which not even we can open it. All owners get an e-mail.',
  ],
  exportNeedsFactor: ['Dafür brauchen Sie den zweiten Faktor.', 'You need the second factor for this.'],
  passphrase: ['Passphrase', 'Passphrase'],
  passphraseHint: [
    '16 Zeichen oder mehr, mehrere Wörter. Schreiben Sie sie auf.',
    '16 characters or more, several words. Write it down.',
  ],
  factorCode: ['Code des zweiten Faktors', 'Code of the second factor'],
  exportWrite: ['Datei schreiben', 'Write the file'],
  exportRunning: ['Wird geschrieben', 'Being written'],
  exportFailed: ['Nicht fertig geworden', 'Not finished'],
  exportFetch: ['Herunterladen', 'Download'],
  confirmTitle: ['Wirklich ändern?', 'Really change this?'],
  confirm: ['Ja, ändern', 'Yes, change it'],
  before: ['Bisher', 'Before'],
  after: ['Neu', 'New'],
  none: ['keine', 'none'],
  /** A period: in days, or in years if it is at least two years. */
  days: (days: number) => {
    const years = Math.floor(days / YEAR_DAYS);
    const rest = days - daysOf(years);
    if (years < 2) return [`${days} Tage`, `${days} days`];
    return [`${years} Jahre${rest ? ` und ${rest} Tage` : ''}`, `${years} years${rest ? ` and ${rest} days` : ''}`];
  },
  ibanChange: [
    'Zahlungsseiten nennen sofort das neue Konto, auch die schon verschickten Links.',
    'Payment pages name the new account at once, links that were sent already too.',
  ],
  ibanRemoval: [
    'Zahlungslinks sind dann nicht mehr möglich, und schon verschickte lassen sich nicht mehr öffnen.',
    'Payment links are no longer possible then, and those that were sent can no longer be opened.',
  ],
  retentionChange: [
    'Was älter ist, wird in der nächsten Nacht gelöscht. Das lässt sich nicht rückgängig machen.',
    'What is older is deleted the next night. That cannot be undone.',
  ],
});
