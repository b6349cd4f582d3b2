import { texts } from '../http/language';

/** Texts of the list of orders, and of what is done to several at once. */
export const deskMessages = texts({
  parts: {
    to_pack: { de: 'Zu packen', en: 'To pack' },
    ready_pickup: { de: 'Abholbereit', en: 'Ready for pickup' },
    ready_shipping: { de: 'Versandbereit', en: 'Ready to ship' },
    waiting: { de: 'Wartet', en: 'Waiting' },
    expected: { de: 'Heute erwartet', en: 'Expected today' },
    courier: { de: 'Botendienst', en: 'Courier' },
    all: { de: 'Alle', en: 'All' },
  },
  lead: {
    de: (packing: string, waiting: string) => `${packing} zu packen, ${waiting} liegen zur Abholung`,
    en: (packing: string, waiting: string) => `${packing} to pack, ${waiting} wait to be picked up`,
  },
  number: { de: 'Nr.', en: 'No.' },
  items: { de: 'Artikel', en: 'Items' },
  search: { de: 'In dieser Liste suchen', en: 'Search in this list' },
  placeholder: { de: 'Nr., Name, E-Mail', en: 'No., name, e-mail' },
  progress: {
    de: (packed: number, packs: number) => `${packed} von ${packs} gepackt`,
    en: (packed: number, packs: number) => `${packed} of ${packs} packed`,
  },
  emptyPart: {
    to_pack: { de: 'Nichts zu packen', en: 'Nothing to pack' },
    ready_pickup: { de: 'Nichts liegt zur Abholung', en: 'Nothing waits to be picked up' },
    ready_shipping: { de: 'Nichts zu versenden', en: 'Nothing to ship' },
    waiting: { de: 'Nichts wartet', en: 'Nothing waits' },
  },
  whatWaits: {
    de: 'Hier steht, was auf Zahlung, Rezept, Original oder Nachlieferung wartet oder angehalten ist.',
    en: 'What waits for a payment, a prescription, its original or the rest is listed here, and what is on hold.',
  },
  file: { de: 'CSV', en: 'CSV' },
  fileHint: {
    de: 'Diese Liste als Datei, ohne Namen von Arzneimitteln',
    en: 'This list as a file, without names of medicines',
  },
  fileName: { de: 'bestellungen', en: 'orders' },
  fileColumns: {
    de: [
      'Nr.',
      'Eingang',
      'Name',
      'Status',
      'Zahlung',
      'Lieferart',
      'Packungen',
      'Summe',
      'PLZ',
      'Ort',
      'Shop',
      'Sendungsnummer',
    ],
    en: [
      'No.',
      'Received',
      'Name',
      'Status',
      'Payment',
      'Shipping',
      'Packs',
      'Total',
      'Postal code',
      'City',
      'Shop',
      'Tracking number',
    ],
  },
  pick: { de: (number: number) => `Bestellung ${number} auswählen`, en: (number: number) => `Select order ${number}` },
  pickAll: { de: 'Alle auf dieser Seite auswählen', en: 'Select all on this page' },
  picked: { de: 'ausgewählt', en: 'selected' },
  selection: { de: 'Ausgewählte Bestellungen', en: 'Selected orders' },
  slips: { de: 'Packzettel', en: 'Packing slips' },
  labels: { de: 'Etiketten', en: 'Labels' },
  ready: { de: 'Fertig melden', en: 'Mark as ready' },
  readyHint: { de: 'Abholbereit oder versandbereit', en: 'Ready for pickup or ready to ship' },
  shipped: { de: 'Versendet melden', en: 'Mark as shipped' },
  unpick: { de: 'Auswahl aufheben', en: 'Clear the selection' },
  done: {
    ready: {
      de: (done: number, all: number) => `${done} von ${all} fertig gemeldet`,
      en: (done: number, all: number) => `${done} of ${all} marked as ready`,
    },
    shipped: {
      de: (done: number, all: number) => `${done} von ${all} versendet gemeldet`,
      en: (done: number, all: number) => `${done} of ${all} marked as shipped`,
    },
  },
  left: { de: 'Nicht gemeldet', en: 'Not marked' },
  notToMark: { de: 'Nicht zu melden', en: 'Cannot be marked' },
  refusals: {
    withdrawn: { de: 'Storno angefragt', en: 'withdrawal requested' },
    on_hold: { de: 'angehalten', en: 'on hold' },
    original_missing: { de: 'Original fehlt', en: 'original missing' },
    not_covered: { de: 'Rezept noch nicht geprüft', en: 'prescription not checked yet' },
    nothing_here: { de: 'wartet auf die Nachlieferung', en: 'waits for the rest' },
    rest_owed: { de: 'nur zum Teil da: einzeln abgeben', en: 'only a part is here: hand it over alone' },
    payment_open: { de: 'nicht bezahlt', en: 'not paid' },
    address_missing: { de: 'ohne Anschrift', en: 'without an address' },
    prescription_expired: { de: 'Rezept inzwischen zu alt', en: 'prescription too old by now' },
    changed: { de: 'noch nicht, bitte noch einmal', en: 'not yet, please try again' },
  },
  slipsOf: {
    de: (count: number) => `Packzettel (${count})`,
    en: (count: number) => `Packing slips (${count})`,
  },
  labelsOf: { de: (count: number) => `Etiketten (${count})`, en: (count: number) => `Labels (${count})` },
  toList: { de: 'Zur Liste', en: 'To the list' },
});

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
