import { texts } from '../http/language';

/** Texts of this area's pages, in the reader's language. */
export const messages = texts({
  batchTitle: (batch: string) => [`Charge ${batch}`, `Batch ${batch}`],
  batchNothing: ['In keiner Bestellung ist diese Charge eingetragen.', 'No order has this batch.'],
  batchPerson: ['Wer sie bekam', 'Who received it'],
  batchLeft: ['abgegeben', 'has left'],
  batchHere: ['noch in der Apotheke', 'still in the pharmacy'],
  batchMore: ['Ältere Bestellungen', 'Older orders'],
  batchPrescriber: (name: string) => [`verordnet von ${name}`, `prescribed by ${name}`],
  batchErased: [
    'gelöscht; nur für Chargenrückrufe aufbewahrt (§\u00a022 ApBetrO)',
    'erased; kept only for recalls (§\u00a022 ApBetrO)',
  ],
  productWith: (pzn: string) => [`Produkt mit der PZN ${pzn} ansehen`, `View the product with the PZN ${pzn}`],
  title: ['Suche', 'Search'],
  foundTitle: (text: string) => [`Suche: „${text}“`, `Search: “${text}”`],
  narrow: ['Ergebnisse eingrenzen', 'Narrow the results'],
  all: ['Alles', 'All'],
  allOf: (count: string) => [`Alle ${count} ansehen`, `View all ${count}`],
  newest: (count: string) => [
    `Die neuesten ${count}. Ein Wort mehr grenzt ein.`,
    `The newest ${count}. One more word narrows them down.`,
  ],
  nothing: ['Nichts gefunden', 'Nothing found'],
  nothingLead: [
    'Versuchen Sie es mit weniger: nur der Nachname, nur der Wortanfang, die letzten fünf Ziffern der Telefonnummer.',
    'Try less: the last name alone, the beginning of a word, the last five digits of the phone number.',
  ],
  isBehind: [
    'Die Suche nimmt gerade viele Bestellungen auf: Ältere werden vielleicht erst in einigen Minuten gefunden.',
    'The search is taking in many orders: older ones may be found only in a few minutes.',
  ],
  how: [
    'Gesucht wird in Namen, Ort, Postleitzahl, Telefon (letzte fünf Ziffern genügen), E-Mail, Bestellnummer, Referenz, Artikeln und PZN. „Charge AB12“ zeigt, wer diese Charge bekam. Wortanfänge genügen, ä und ae sind gleich, die Reihenfolge der Wörter ist egal.',
    'Search by name, city, postal code, phone (the last five digits will do), e-mail, order number, reference, item or PZN. “Batch AB12” shows who received this batch. The beginning of a word will do, ä and ae are the same, and words may come in any order.',
  ],
  rest: (day: string) => [`Nachlieferung ${day}`, `more on ${day}`],
  stock: (count: number) =>
    count === 0 ? ['nicht vorrätig', 'out of stock'] : [`${count} vorrätig`, `${count} in stock`],
});
