import { BAGS_MAX, SHELF_MAX } from '../../orders/limits';
import { texts } from '../http/language';

/** Texts of packing, labels and slips. */
export const packingMessages = texts({
  title: { de: 'Packen', en: 'Packing' },
  progress: {
    de: (packed: number, packs: number) => `${packed} von ${packs} Packungen`,
    en: (packed: number, packs: number) => `${packed} of ${packs} packs`,
  },
  left: {
    de: (left: number) => (left === 1 ? 'noch 1 Packung' : `noch ${left} Packungen`),
    en: (left: number) => (left === 1 ? '1 pack to go' : `${left} packs to go`),
  },
  counted: {
    de: (scanned: number, byHand: number) =>
      [scanned > 0 && `${scanned} gescannt`, byHand > 0 && `${byHand} von Hand abgehakt`].filter(Boolean).join(', '),
    en: (scanned: number, byHand: number) =>
      [scanned > 0 && `${scanned} scanned`, byHand > 0 && `${byHand} ticked by hand`].filter(Boolean).join(', '),
  },
  scan: { de: 'Packung scannen', en: 'Scan a pack' },
  byHand: { de: 'Von Hand abhaken', en: 'Tick by hand' },
  byHandShort: { de: 'Abhaken', en: 'Tick' },
  tickedByHand: { de: 'von Hand abgehakt', en: 'ticked by hand' },
  takeBack: { de: 'Zurücknehmen', en: 'Take back' },
  otherProduct: { de: 'Anderes Produkt für', en: 'Another product for' },
  item: { de: 'Artikel', en: 'Item' },
  packed: { de: 'Gepackt', en: 'Packed' },
  steps: { de: 'Schritte', en: 'Steps' },
  amount: { de: 'Menge', en: 'Quantity' },
  coPayment: { de: 'Zuzahlung', en: 'co-payment' },
  wrongPack: { de: 'Falsche Packung', en: 'Wrong pack' },
  belongsNot: {
    de: (order: number) => `gehört nicht zu ${order}.`,
    en: (order: number) => `does not belong to ${order}.`,
  },
  tooMany: { de: 'Eine Packung zu viel', en: 'One pack too many' },
  isComplete: { de: 'ist schon vollständig.', en: 'is complete.' },
  stillOpen: { de: 'Noch offen', en: 'Still open' },
  expired: { de: 'Verfallen', en: 'Expired' },
  expiredOn: {
    de: (day: string) => `Die Packung war bis ${day} verwendbar. Nehmen Sie eine andere.`,
    en: (day: string) => `The pack could be used until ${day}. Take another one.`,
  },
  notPacked: { de: 'Noch nicht fertig gepackt', en: 'Not packed yet' },
  soFar: {
    de: (packed: number, packs: number) => `Erst ${packed} von ${packs} Packungen.`,
    en: (packed: number, packs: number) => `Only ${packed} of ${packs} packs.`,
  },
  notCounted: { de: 'Nicht gezählt', en: 'Not counted' },
  otherTitle: {
    de: (number: number) => `Etikett von Bestellung ${number}`,
    en: (number: number) => `Label of order ${number}`,
  },
  otherLead: {
    de: (other: number, own: number) =>
      `Das Etikett gehört zu Bestellung ${other}. Bestellung ${own} ist noch nicht fertig gepackt.`,
    en: (other: number, own: number) => `The label belongs to order ${other}. Order ${own} is not packed yet.`,
  },
  toOther: { de: (number: number) => `Zu ${number} wechseln`, en: (number: number) => `Go to ${number}` },
  stay: { de: (number: number) => `Bei ${number} bleiben`, en: (number: number) => `Stay with ${number}` },
  shelfAndBags: { de: 'Fach und Beutel', en: 'Shelf and bags' },
  shelf: { de: 'Abholfach', en: 'Shelf' },
  inShelf: { de: (shelf: string) => `Fach ${shelf}`, en: (shelf: string) => `Shelf ${shelf}` },
  shelfTooLong: { de: `Höchstens ${SHELF_MAX} Zeichen.`, en: `At most ${SHELF_MAX} characters.` },
  bags: { de: 'Beutel', en: 'Bags' },
  bagsRange: { de: `Eine Zahl von 1 bis ${BAGS_MAX}.`, en: `A number from 1 to ${BAGS_MAX}.` },
  bag: { de: (bag: number, of: number) => `Beutel ${bag}/${of}`, en: (bag: number, of: number) => `Bag ${bag}/${of}` },
  bagCount: {
    de: (count: number) => `${count} Beutel`,
    en: (count: number) => (count === 1 ? '1 bag' : `${count} bags`),
  },
  packCount: {
    de: (count: number) => (count === 1 ? '1 Packung' : `${count} Packungen`),
    en: (count: number) => (count === 1 ? '1 pack' : `${count} packs`),
  },
  label: { de: 'Etikett', en: 'Label' },
  labelsOf: {
    de: (number: number) => `Etiketten zu Bestellung ${number}`,
    en: (number: number) => `Labels of order ${number}`,
  },
  printLabels: {
    de: (count: number) => (count === 1 ? 'Etikett drucken' : `${count} Etiketten drucken`),
    en: (count: number) => (count === 1 ? 'Print the label' : `Print ${count} labels`),
  },
  printSlip: { de: 'Drucken', en: 'Print' },
  slip: { de: 'Packzettel', en: 'Packing slip' },
  slipOf: { de: (number: number) => `Packzettel ${number}`, en: (number: number) => `Packing slip ${number}` },
  paysAtPickup: {
    de: (amount: string) => `Zahlt bei Abholung ${amount}`,
    en: (amount: string) => `Pays ${amount} at pickup`,
  },
  accepted: { de: 'Angenommen', en: 'Accepted' },
  packedBy: { de: 'Gepackt von', en: 'Packed by' },
  checkedBy: { de: 'Geprüft von', en: 'Checked by' },
});
