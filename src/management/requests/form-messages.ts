import { orders } from '../ui/order-messages';

/** Texts of the form of an approval, among those of this area. */
export const formMessages = {
  tickMissing: {
    de: 'Bitte prüfen und ankreuzen, oder beiseitelegen.',
    en: 'Please check and tick it, or set it aside.',
  },
  checkedAs: { de: 'geprüft wurde', en: 'what was checked' },
  checkedAsTexts: {
    signed_file: { de: 'signierte Datei', en: 'signed file' },
    original_present: { de: 'Original liegt vor', en: 'original is here' },
    original_follows: { de: 'Original folgt', en: 'original follows' },
  },
  issuedOn: { de: 'ausgestellt am', en: 'issued on' },
  issuedOnHint: { de: 'TT.MM.JJJJ', en: 'DD/MM/YYYY' },
  issuedOnWrong: {
    de: 'Bitte ein Datum bis heute angeben, zum Beispiel 20.11.2026.',
    en: 'Please give a date up to today, for example 20/11/2026.',
  },
  acknowledgeMissing: {
    de: 'Bitte die Abweichung bestätigen oder den Artikel ändern.',
    en: 'Please acknowledge the difference, or change the line.',
  },
  coPayment: { de: 'Zuzahlung', en: 'Co-payment' },
  differences: {
    ...orders.differences,
    manufacturer: { de: 'Anderer Hersteller', en: 'Another manufacturer' },
    words: { de: 'Andere Wörter', en: 'Other words' },
    n_size: { de: 'Andere Normgröße', en: 'Another N size' },
    quantity: { de: 'Viele Packungen', en: 'Many packs' },
    price: { de: 'Preis weicht ab', en: 'Price differs' },
    sent_price: { de: 'Gesendeter Preis', en: 'Sent price' },
  },
  units: orders.units,
  payment: {
    de: (paid: string, total: string): string => `Bezahlt ${paid}, jetzt ${total}`,
    en: (paid: string, total: string): string => `Paid ${paid}, now ${total}`,
  },
  paymentMissing: { de: 'Bitte wählen.', en: 'Please choose.' },
  paymentActions: {
    collect: { de: 'Differenz kassieren', en: 'Collect the difference' },
    refund: { de: 'Differenz erstatten', en: 'Refund the difference' },
    ask: { de: 'Nachfragen', en: 'Ask the customer' },
  },
};
