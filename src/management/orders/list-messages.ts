import { texts } from '../http/language';

/** Texts of the list of orders and of its bulk steps. */
export const listMessages = texts({
  parts: {
    to_pack: ['Zu packen', 'To pack'],
    ready_pickup: ['Abholbereit', 'Ready for pickup'],
    ready_shipping: ['Versandbereit', 'Ready to ship'],
    waiting: ['Wartet', 'Waiting'],
    expected: ['Heute erwartet', 'Expected today'],
    courier: ['Botendienst', 'Courier'],
    all: ['Alle', 'All'],
  },
  lead: (packing: string, waiting: string) => [
    `${packing} zu packen, ${waiting} liegen zur Abholung`,
    `${packing} to pack, ${waiting} waiting for pickup`,
  ],
  number: ['Nr.', 'No.'],
  search: ['In dieser Liste suchen', 'Search in this list'],
  placeholder: ['Nr., Name, E-Mail', 'No., name, e-mail'],
  progress: (packed: number, packs: number) => [`${packed} von ${packs} gepackt`, `${packed} of ${packs} packed`],
  emptyPart: {
    to_pack: ['Nichts zu packen', 'Nothing to pack'],
    ready_pickup: ['Nichts liegt zur Abholung', 'Nothing is waiting for pickup'],
    ready_shipping: ['Nichts zu versenden', 'Nothing to ship'],
    waiting: ['Nichts wartet', 'Nothing is waiting'],
  },
  whatWaits: [
    'Hier steht, was auf Zahlung, Rezept, Original oder Nachlieferung wartet oder angehalten ist.',
    'Orders that are on hold or wait for a payment, a prescription, its original or the rest are listed here.',
  ],
  fileHint: ['Diese Liste als Datei, ohne Namen von Arzneimitteln', 'This list as a file, without names of medicines'],
  fileName: ['bestellungen', 'orders'],
  fileColumns: [
    'Nr.;Eingang;Name;Status;Zahlung;Lieferart;Packungen;Summe;davon Gebühr;Abzug;PLZ;Ort;Shop;Sendungsnummer;Geburtsdatum;Verordner;Chargen'.split(
      ';',
    ),
    'No.;Received;Name;Status;Payment;Shipping;Packs;Total;Fee included;Discount;Postal code;City;Shop;Tracking number;Date of birth;Prescriber;Batches'.split(
      ';',
    ),
  ],
  pick: (number: number) => [`Bestellung ${number} auswählen`, `Select order ${number}`],
  pickAll: ['Alle auf dieser Seite auswählen', 'Select all on this page'],
  picked: ['ausgewählt', 'selected'],
  selection: ['Ausgewählte Bestellungen', 'Selected orders'],
  slips: ['Packzettel', 'Packing slips'],
  labels: ['Etiketten', 'Labels'],
  ready: ['Als abholbereit markieren', 'Mark as ready'],
  readyHint: ['Abholbereit oder versandbereit', 'Ready for pickup or ready to ship'],
  shipped: ['Als versendet markieren', 'Mark as shipped'],
  unpick: ['Auswahl aufheben', 'Clear the selection'],
  done: {
    ready: (done: number, all: number) => [
      `${done} von ${all} als fertig markiert`,
      `${done} of ${all} marked as ready`,
    ],
    shipped: (done: number, all: number) => [
      `${done} von ${all} als versendet markiert`,
      `${done} of ${all} marked as shipped`,
    ],
  },
  left: ['Nicht markiert', 'Not marked'],
  notToMark: ['Nicht möglich', 'Not possible'],
  refusals: {
    withdrawn: ['Storno angefragt', 'cancellation requested'],
    on_hold: ['angehalten', 'on hold'],
    original_missing: ['Original fehlt', 'original missing'],
    not_covered: ['Rezept noch nicht geprüft', 'prescription not checked yet'],
    nothing_here: ['wartet auf die Nachlieferung', 'waits for the rest'],
    rest_owed: ['nur zum Teil da: einzeln abgeben', 'only part is here: hand it over individually'],
    payment_open: ['nicht bezahlt', 'not paid'],
    address_missing: ['ohne Anschrift', 'without an address'],
    prescription_expired: ['Rezept inzwischen abgelaufen', 'prescription expired by now'],
    rule_blocks: ['eine Regel spricht dagegen', 'a rule advises against it'],
    changed: ['noch nicht, bitte noch einmal', 'not yet, please try again'],
  },
  slipsOf: (count: number) => [`Packzettel (${count})`, `Packing slips (${count})`],
  labelsOf: (count: number) => [`Etiketten (${count})`, `Labels (${count})`],
  toList: ['Zur Liste', 'To the list'],
});

/** Texts of the courier's tour. */
export const tourMessages = texts({
  title: ['Botendienst, Tour heute', 'Courier, today’s tour'],
  titleOn: (day: string) => [`Botendienst, ${day}`, `Courier, ${day}`],
  lead: (stops: number, bags: number) => [
    `${stops === 1 ? '1 Stopp' : `${stops} Stopps`}, ${bags} Beutel`,
    `${stops === 1 ? '1 stop' : `${stops} stops`}, ${bags === 1 ? '1 bag' : `${bags} bags`}`,
  ],
  toCollect: (sum: string) => [`${sum} zu kassieren`, `${sum} to collect`],
  stops: (count: number) => [count === 1 ? '1 Stopp' : `${count} Stopps`, count === 1 ? '1 stop' : `${count} stops`],
  day: ['Tag', 'Day'],
  noAddress: ['Ohne Anschrift', 'Without an address'],
  shelf: ['Fach', 'Shelf'],
  collect: ['kassieren', 'collect'],
  nothing: ['nichts zu kassieren', 'nothing to collect'],
  map: ['Karte', 'Map'],
  given: ['Abgabe erfassen …', 'Record hand-over …'],
  sign: ['Uhrzeit, Unterschrift', 'Time, signature'],
  arrange: ['Reihenfolge ändern', 'Change the order of stops'],
  arrangeHint: [
    'Nummerieren Sie die Stopps neu; bei gleicher Nummer bleibt die Reihenfolge.',
    'Renumber the stops; those with the same number keep their order.',
  ],
  place: (customer: string) => [`Stopp für ${customer}`, `Stop for ${customer}`],
  byAddress: ['Nach Anschrift ordnen', 'Order by address'],
  empty: ['Nichts auszufahren', 'Nothing to deliver'],
  emptyLead: [
    'Fertig gepackte Bestellungen für den Botendienst stehen hier.',
    'Packed orders for the courier are listed here.',
  ],
  older: (count: number) => [
    `Gezeigt sind die neuesten ${count} Stopps. Es warten mehr.`,
    `The newest ${count} stops are shown. More are waiting.`,
  ],
  maybeOlder: (count: number) => [
    `Gezeigt sind die neuesten Stopps dieses Shops (${count}). Es kann ältere geben.`,
    `The newest stops of this shop are shown (${count}). There may be older ones.`,
  ],
  showOlder: ['Ältere versandbereite Bestellungen', 'Older orders that are ready to ship'],
  chooseShop: ['Oder wählen Sie oben einen Shop.', 'Or choose a shop above.'],
  carried: (count: number) => [`Abgegeben (${count})`, `Handed over (${count})`],
  noneCarried: ['An diesem Tag wurde nichts abgegeben.', 'Nothing was handed over on this day.'],
  foot: [
    'Fahrerin\u00a0oder\u00a0Fahrer:\u00a0______________ Wechselgeld:\u00a0______________ Zurück\u00a0um:\u00a0______________',
    'Driver:\u00a0______________ Change:\u00a0______________ Back\u00a0at:\u00a0______________',
  ],
  footAbsent: ['Nicht angetroffen: anrufen, Beutel zurückbringen.', 'Nobody there: call, bring the bags back.'],
  stopped: ['bleibt hier', 'stays here'],
  handOverTitle: (number: number, customer: string) => [
    `Bestellung ${number} abgegeben an ${customer}?`,
    `Order ${number} handed over to ${customer}?`,
  ],
  handOverLead: (number: number, bags: number) => [
    `Bestellung ${number}, ${bags === 1 ? '1 Beutel' : `${bags} Beutel`}, abgegeben an`,
    `Order ${number}, ${bags === 1 ? '1 bag' : `${bags} bags`}, handed over to`,
  ],
  takenBy: ['Entgegengenommen von (freiwillig)', 'Received by (optional)'],
  yes: ['Ja, abgegeben', 'Yes, handed over'],
  absent: ['Nicht angetroffen …', 'Nobody there …'],
  absentNote: ['Was ist vereinbart? (freiwillig)', 'What was agreed? (optional)'],
  noteAbsent: ['Nicht angetroffen vermerken', 'Note that nobody was there'],
  absentText: ['Botendienst: nicht angetroffen.', 'Courier: nobody there.'],
});
