import { texts } from '../http/language';

/** Texts of handing over, sending and taking back. */
export const leavingMessages = texts({
  handOverTitle: {
    de: (number: number, customer: string) => `Bestellung ${number} abgeben an ${customer}?`,
    en: (number: number, customer: string) => `Hand order ${number} over to ${customer}?`,
  },
  handOverLead: {
    de: (number: number, packs: number) =>
      `Bestellung ${number}, ${packs === 1 ? '1 Packung' : `${packs} Packungen`}, abgeben an`,
    en: (number: number, packs: number) =>
      `Hand over order ${number}, ${packs === 1 ? '1 pack' : `${packs} packs`}, to`,
  },
  shipLead: {
    de: (number: number, packs: number) =>
      `Bestellung ${number}, ${packs === 1 ? '1 Packung' : `${packs} Packungen`}, versenden an`,
    en: (number: number, packs: number) => `Ship order ${number}, ${packs === 1 ? '1 pack' : `${packs} packs`}, to`,
  },
  born: { de: 'geb.', en: 'born' },
  unknownPerson: {
    de: 'Weder Geburtsdatum noch Anschrift bekannt.',
    en: 'Neither date of birth nor address is known.',
  },
  expired: {
    de: (days: string) => `Ein Rezept ist inzwischen zu alt. Ausgestellt am ${days}.`,
    en: (days: string) => `A prescription is too old by now. Issued on ${days}.`,
  },
  expiryAccepted: { de: 'Trotzdem noch beliefern', en: 'Supply it all the same' },
  expiryOpen: {
    de: 'Ein Rezept ist inzwischen zu alt. Bitte bestätigen.',
    en: 'A prescription is too old by now. Please confirm.',
  },
  counsel: { de: 'An die Beratung denken', en: 'Remember the counseling' },
  collectedBy: { de: 'Abgeholt von (freiwillig)', en: 'Collected by (optional)' },
  collectedByTooLong: { de: 'Höchstens 200 Zeichen.', en: 'At most 200 characters.' },
  handOver: { de: 'Ja, abgeben', en: 'Yes, hand over' },
  received: {
    de: (amount: string) => `Ja, ${amount} erhalten`,
    en: (amount: string) => `Yes, ${amount} received`,
  },
  withoutPayment: { de: 'Ohne Zahlung …', en: 'Without payment …' },
  notNow: { de: 'Nicht abgeben', en: 'Do not hand over' },
  whyUnpaid: { de: 'Warum ohne Zahlung?', en: 'Why without payment?' },
  handOverUnpaid: { de: 'Ohne Zahlung abgeben', en: 'Hand over without payment' },
  shipTitle: {
    de: (number: number, customer: string) => `Bestellung ${number} an ${customer} versenden?`,
    en: (number: number, customer: string) => `Ship order ${number} to ${customer}?`,
  },
  noAddress: {
    de: 'Die Bestellung hat keine vollständige Anschrift.',
    en: 'The order has no complete address.',
  },
  addressKnown: {
    de: 'Die Anschrift ist bekannt und steht auf dem Paket',
    en: 'The address is known and stands on the parcel',
  },
  addressUnknown: {
    de: 'Ohne Anschrift kommt das Paket nicht an. Bitte bestätigen.',
    en: 'Without an address the parcel arrives nowhere. Please confirm.',
  },
  unpaid: {
    de: (amount: string) => `Noch nicht bezahlt: ${amount}.`,
    en: (amount: string) => `Not paid yet: ${amount}.`,
  },
  parcel: { de: 'Sendung', en: 'Parcel' },
  trackingUrlWrong: {
    de: 'Bitte eine Adresse angeben, die mit https:// beginnt und keine Leerzeichen oder Umlaute enthält.',
    en: 'Please give an address that begins with https:// and has neither spaces nor accented letters.',
  },
  ship: { de: 'Ja, versenden', en: 'Yes, ship' },
  notShipped: { de: 'Nicht versenden', en: 'Do not ship' },
  holdTitle: {
    de: (number: number) => `Bestellung ${number} anhalten?`,
    en: (number: number) => `Put order ${number} on hold?`,
  },
  holdLead: {
    de: 'Sie wird weder fertig gemeldet noch abgegeben oder versendet, bis jemand fortsetzt.',
    en: 'It is neither made ready nor handed over nor shipped until somebody resumes it.',
  },
  hold: { de: 'Anhalten', en: 'Put on hold' },
  holdForOriginal: {
    de: 'Das Original stimmt nicht mit der geprüften Datei überein.',
    en: 'The original is not the same as the file that was checked.',
  },
  originalTitle: {
    de: (number: number) => `Original zu Bestellung ${number}`,
    en: (number: number) => `Original for order ${number}`,
  },
  originalLead: {
    de: 'Stimmt es mit der Datei überein, die geprüft wurde?',
    en: 'Is it the same as the file that was checked?',
  },
  originalFor: {
    de: 'Bestätigen kann, wer Rezepte prüfen darf.',
    en: 'Whoever may check prescriptions can confirm it.',
  },
  issuedOn: { de: 'Ausgestellt am', en: 'Issued on' },
  issuedWrong: {
    de: 'Bitte einen Tag angeben, der nicht in der Zukunft liegt.',
    en: 'Please give a day that is not in the future.',
  },
  originalChecked: { de: 'Original geprüft', en: 'Original checked' },
  originalDiffers: { de: 'Stimmt nicht …', en: 'Not the same …' },
  returnTitle: {
    de: (number: number, customer: string) => `Retoure zu Bestellung ${number} von ${customer}`,
    en: (number: number, customer: string) => `Return for order ${number} of ${customer}`,
  },
  returnLead: {
    de: 'Der Bestand ändert sich nur, wo Sie es ankreuzen. Geld erstatten Sie getrennt.',
    en: 'Stock changes only where you tick it. Money is refunded separately.',
  },
  returnWhole: {
    de: 'Die Bestellung hat das Haus nicht verlassen: Es kommt alles zurück.',
    en: 'The order has not left the house: all of it comes back.',
  },
  item: { de: 'Artikel', en: 'Item' },
  back: { de: 'Zurück', en: 'Comes back' },
  backOf: { de: (name: string) => `Menge zurück: ${name}`, en: (name: string) => `Quantity that comes back: ${name}` },
  of: { de: (count: number) => `von ${count}`, en: (count: number) => `of ${count}` },
  restock: { de: 'Wieder in den Bestand', en: 'Back into stock' },
  restockYes: { de: 'ja', en: 'yes' },
  restockNo: { de: 'nein, Rezept', en: 'no, prescription' },
  noProduct: { de: 'nicht im Sortiment', en: 'not in the inventory' },
  quantityRange: {
    de: (count: number) => `Eine ganze Zahl von 0 bis ${count}.`,
    en: (count: number) => `A whole number from 0 to ${count}.`,
  },
  nothingBack: { de: 'Bitte angeben, was zurückkommt.', en: 'Please say what comes back.' },
  returnNow: { de: 'Retoure erfassen', en: 'Record the return' },
  noReturn: { de: 'Keine Retoure', en: 'No return' },
});
