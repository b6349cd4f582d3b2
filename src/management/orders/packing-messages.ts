import { BAGS_MAX, SHELF_MAX } from '../../orders/limits';
import { texts } from '../http/language';

/** Texts of packing, labels and slips. */
export const packingMessages = texts({
  title: { de: 'Packen', en: 'Packing' },
  progress: {
    de: (packed: number, packs: number) => `${packed} von ${packs} Packungen`,
    en: (packed: number, packs: number) => `${packed} of ${packs} packs`,
  },
  allPacked: {
    de: (byHand: number) => (byHand === 0 ? 'Alles gescannt.' : `Alles gepackt, ${byHand} von Hand abgehakt.`),
    en: (byHand: number) => (byHand === 0 ? 'All scanned.' : `All packed, ${byHand} ticked by hand.`),
  },
  scan: { de: 'Packung scannen', en: 'Scan a pack' },
  scanNow: { de: 'Packen', en: 'Pack' },
  byHand: { de: 'Von Hand abhaken', en: 'Tick by hand' },
  tickedByHand: { de: 'von Hand abgehakt', en: 'ticked by hand' },
  takeBack: { de: 'Zurücknehmen', en: 'Take back' },
  otherProduct: { de: 'Anderes Produkt …', en: 'Another product …' },
  item: { de: 'Artikel', en: 'Item' },
  packed: { de: 'Gepackt', en: 'Packed' },
  steps: { de: 'Schritte', en: 'Steps' },
  amount: { de: 'Menge', en: 'Quantity' },
  wrongPack: {
    de: (scanned: string, order: number, open: string) =>
      `Falsche Packung: ${scanned} gehört nicht zu ${order}. Noch offen: ${open}`,
    en: (scanned: string, order: number, open: string) =>
      `Wrong pack: ${scanned} does not belong to ${order}. Still open: ${open}`,
  },
  tooMany: {
    de: (scanned: string, open: string) =>
      `Eine Packung zu viel: ${scanned} ist schon vollständig. Noch offen: ${open}`,
    en: (scanned: string, open: string) => `One pack too many: ${scanned} is complete. Still open: ${open}`,
  },
  nothingOpen: { de: 'nichts', en: 'nothing' },
  expired: {
    de: (day: string) => `Verfallen: Die Packung war bis ${day} verwendbar. Nehmen Sie eine andere.`,
    en: (day: string) => `Expired: the pack could be used until ${day}. Take another one.`,
  },
  notPacked: {
    de: (packed: number, packs: number, open: string) => `Erst ${packed} von ${packs} Packungen. Noch offen: ${open}`,
    en: (packed: number, packs: number, open: string) => `Only ${packed} of ${packs} packs. Still open: ${open}`,
  },
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
