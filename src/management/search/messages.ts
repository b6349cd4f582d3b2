import { texts } from '../http/language';

/** Texts of this area's pages, in the reader's language. */
export const messages = texts({
  batchTitle: { de: (batch: string) => `Charge ${batch}`, en: (batch: string) => `Batch ${batch}` },
  batchNothing: { de: 'In keiner Bestellung ist diese Charge eingetragen.', en: 'No order has this batch.' },
  batchPerson: { de: 'Wer sie bekam', en: 'Who got it' },
  batchLeft: { de: 'abgegeben', en: 'has left' },
  batchHere: { de: 'noch in der Apotheke', en: 'still in the pharmacy' },
  batchMore: { de: 'Ältere Bestellungen', en: 'Older orders' },
  batchPrescriber: { de: (name: string) => `verordnet von ${name}`, en: (name: string) => `prescribed by ${name}` },
  batchErased: {
    de: 'gelöscht; nur für Chargenrückrufe aufbewahrt (§ 22 ApBetrO)',
    en: 'erased; kept for recalls alone (§ 22 ApBetrO)',
  },
  productWith: {
    de: (pzn: string): string => `Produkt mit der PZN ${pzn} ansehen`,
    en: (pzn: string): string => `See the product with the PZN ${pzn}`,
  },
  title: { de: 'Suche', en: 'Search' },
  foundTitle: {
    de: (text: string): string => `Suche: „${text}“`,
    en: (text: string): string => `Search: “${text}”`,
  },
  narrow: { de: 'Ergebnisse eingrenzen', en: 'Narrow the results' },
  all: { de: 'Alles', en: 'All' },
  allOf: {
    de: (count: string) => `Alle ${count} ansehen`,
    en: (count: string) => `See all ${count}`,
  },
  newest: {
    de: (count: string) => `Die neuesten ${count}. Ein Wort mehr grenzt ein.`,
    en: (count: string) => `The newest ${count}. One more word narrows them down.`,
  },
  nothing: { de: 'Nichts gefunden', en: 'Nothing found' },
  nothingLead: {
    de: 'Versuchen Sie es mit weniger: nur der Nachname, nur der Wortanfang, die letzten fünf Ziffern der Telefonnummer.',
    en: 'Try with less: the last name alone, the beginning of a word, the last five digits of the phone number.',
  },
  isBehind: {
    de: 'Die Suche nimmt gerade viele Bestellungen auf: Ältere werden vielleicht erst in einigen Minuten gefunden.',
    en: 'The search is taking in many orders: older ones may be found only in some minutes.',
  },
  how: {
    de: 'Gesucht wird in Namen, Ort, Postleitzahl, Telefon (letzte fünf Ziffern genügen), E-Mail, Bestellnummer, Referenz, Artikeln und PZN. „Charge AB12“ zeigt, wer diese Charge bekam. Wortanfänge genügen, ä und ae sind gleich, die Reihenfolge der Wörter ist egal.',
    en: 'Searched are names, city, postal code, phone (the last five digits will do), e-mail, order number, reference, items and PZN. “Batch AB12” shows who got this batch. The beginnings of words will do, ä and ae are the same, and so is any order of words.',
  },
  /** When the rest of an order comes. @param day `yyyy-mm-dd` */
  rest: {
    de: (day: string) => `Rest am ${day.slice(8)}.${day.slice(5, 7)}.`,
    en: (day: string) => `rest on ${day}`,
  },
  stock: {
    de: (count: number) => (count === 0 ? 'nicht vorrätig' : `${count} vorrätig`),
    en: (count: number) => (count === 0 ? 'out of stock' : `${count} in stock`),
  },
});
