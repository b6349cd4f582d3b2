import { texts } from '../http/language';

/** Texts of the courier's tour. */
export const tourMessages = texts({
  title: { de: 'Botendienst, Tour heute', en: 'Courier, today’s tour' },
  titleOn: { de: (day: string) => `Botendienst, ${day}`, en: (day: string) => `Courier, ${day}` },
  lead: {
    de: (stops: number, bags: number) =>
      `${stops === 1 ? '1 Halt' : `${stops} Halte`}, ${bags === 1 ? '1 Beutel' : `${bags} Beutel`}`,
    en: (stops: number, bags: number) =>
      `${stops === 1 ? '1 stop' : `${stops} stops`}, ${bags === 1 ? '1 bag' : `${bags} bags`}`,
  },
  toCollect: { de: (sum: string) => `${sum} zu kassieren`, en: (sum: string) => `${sum} to collect` },
  stops: {
    de: (count: number) => (count === 1 ? '1 Halt' : `${count} Halte`),
    en: (count: number) => (count === 1 ? '1 stop' : `${count} stops`),
  },
  day: { de: 'Tag', en: 'Day' },
  noAddress: { de: 'Ohne Anschrift', en: 'Without an address' },
  shelf: { de: 'Fach', en: 'Shelf' },
  collect: { de: 'kassieren', en: 'collect' },
  nothing: { de: 'nichts zu kassieren', en: 'nothing to collect' },
  given: { de: 'Abgegeben …', en: 'Handed over …' },
  sign: { de: 'Uhrzeit, Unterschrift', en: 'Time, signature' },
  arrange: { de: 'Reihenfolge ändern', en: 'Change the order of stops' },
  arrangeHint: {
    de: 'Nummerieren Sie die Halte neu; bei gleicher Nummer bleibt die Reihenfolge.',
    en: 'Number the stops anew; with equal numbers they stay in order.',
  },
  place: { de: (customer: string) => `Halt für ${customer}`, en: (customer: string) => `Stop for ${customer}` },
  byAddress: { de: 'Nach Anschrift ordnen', en: 'Order by address' },
  empty: { de: 'Nichts auszufahren', en: 'Nothing to carry out' },
  emptyLead: {
    de: 'Fertig gepackte Bestellungen für den Botendienst stehen hier.',
    en: 'Packed orders for the courier are listed here.',
  },
  older: {
    de: (count: number) => `Gezeigt sind die neuesten ${count} Halte. Es warten mehr.`,
    en: (count: number) => `The newest ${count} stops are shown. More of them wait.`,
  },
  maybeOlder: {
    de: (count: number) => `Gezeigt sind die neuesten Halte dieses Shops (${count}). Es kann ältere geben.`,
    en: (count: number) => `The newest stops of this shop are shown (${count}). There may be older ones.`,
  },
  showOlder: { de: 'Ältere versandbereite Bestellungen', en: 'Older orders that are ready to ship' },
  chooseShop: {
    de: 'Oder wählen Sie oben einen Shop.',
    en: 'Or choose a shop above.',
  },
  carried: { de: (count: number) => `Abgegeben (${count})`, en: (count: number) => `Handed over (${count})` },
  noneCarried: { de: 'An diesem Tag wurde nichts abgegeben.', en: 'Nothing was handed over on this day.' },
  foot: {
    de: 'Fahrerin\u00a0oder\u00a0Fahrer:\u00a0______________ Wechselgeld:\u00a0______________ Zurück\u00a0um:\u00a0______________',
    en: 'Driver:\u00a0______________ Change:\u00a0______________ Back\u00a0at:\u00a0______________',
  },
  footAbsent: {
    de: 'Nicht angetroffen: anrufen, Beutel zurückbringen.',
    en: 'Nobody there: call, bring the bags back.',
  },
  stopped: { de: 'bleibt hier', en: 'stays here' },
  handOverTitle: {
    de: (number: number, customer: string) => `Bestellung ${number} abgegeben an ${customer}?`,
    en: (number: number, customer: string) => `Order ${number} handed over to ${customer}?`,
  },
  handOverLead: {
    de: (number: number, bags: number) =>
      `Bestellung ${number}, ${bags === 1 ? '1 Beutel' : `${bags} Beutel`}, abgegeben an`,
    en: (number: number, bags: number) => `Order ${number}, ${bags === 1 ? '1 bag' : `${bags} bags`}, handed over to`,
  },
  takenBy: { de: 'Angenommen von (freiwillig)', en: 'Accepted by (optional)' },
  yes: { de: 'Ja, abgegeben', en: 'Yes, handed over' },
  back: { de: 'Zur Tour', en: 'To the tour' },
  absent: { de: 'Nicht angetroffen …', en: 'Nobody there …' },
  absentNote: { de: 'Was ist vereinbart? (freiwillig)', en: 'What was agreed? (optional)' },
  noteAbsent: { de: 'Nicht angetroffen vermerken', en: 'Note that nobody was there' },
  absentText: { de: 'Botendienst: nicht angetroffen.', en: 'Courier: nobody there.' },
});
