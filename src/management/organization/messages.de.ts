import { RECIPIENT_LENGTH_MAX, THRESHOLD_MAX } from '../../tenants/limits';

/** German texts of this area's pages. Their keys are the keys of every language. */
export const de = {
  name: 'Name der Apotheke',
  iban: 'IBAN',
  ibanHint: 'Auf dieses Konto zahlen Kundinnen und Kunden. Ohne IBAN gibt es keine Zahlungslinks.',
  recipient: 'Kontoinhaber',
  recipientHint: 'Steht auf der Zahlungsseite. Leer: der Name der Apotheke.',
  threshold: 'Meldebestand',
  thresholdHint:
    'Fällt der Bestand eines Produkts unter diese Zahl, melden wir es als knapp. Produkte können eine eigene haben.',
  retention: 'Aufbewahrung',
  retentionLead:
    'Jede Nacht löschen wir nach Ablauf der Frist alles zur Person: Name, Kontakt, Anschrift, Notizen, Rezept. Was wann zu welchem Preis verkauft wurde, bleibt. Was Sie als aufzubewahren markiert haben, bleibt ganz.',
  requestDays: 'Abgelehnte Bestellanfragen: Tage nach der Ablehnung',
  requestDaysHint: (min: number, max: number) => `${min} bis ${max} Tage.`,
  orderDays: 'Beendete Bestellungen mit Rezept: Tage seit der letzten Änderung',
  orderDaysHint: (min: number, max: number) => `${min} bis ${max} Tage. ApBetrO § 22 verlangt mindestens fünf Jahre.`,
  fieldErrors: {
    iban: 'Diese IBAN stimmt nicht. Bitte prüfen Sie jede Stelle.',
    paymentRecipient: `Höchstens ${RECIPIENT_LENGTH_MAX} Zeichen: Mehr passt nicht in den GiroCode.`,
    lowStockThreshold: `Eine ganze Zahl von 0 bis ${THRESHOLD_MAX}, ohne Punkt.`,
    requestRetentionDays: (min: number, max: number) => `Bestellanfragen: eine ganze Zahl von ${min} bis ${max}.`,
    orderRetentionDays: (min: number, max: number) => `Bestellungen: eine ganze Zahl von ${min} bis ${max}.`,
  },
  confirmTitle: 'Wirklich ändern?',
  confirm: 'Ja, ändern',
  before: 'Bisher',
  after: 'Neu',
  none: 'keine',
  days: (days: number) => `${days} Tage`,
  ibanChange: 'Zahlungsseiten nennen sofort das neue Konto, auch die schon verschickten Links.',
  ibanRemoval: 'Zahlungslinks sind dann nicht mehr möglich, und schon verschickte lassen sich nicht mehr öffnen.',
  retentionChange: 'Was älter ist, wird in der nächsten Nacht gelöscht. Das lässt sich nicht rückgängig machen.',
};

export type Messages = typeof de;
