import { BAGS_MAX, BATCH_MAX, SHELF_MAX } from '../../../orders/limits';
import { texts } from '../../http/language';

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
  dispensing: { de: 'Abgabevermerk (§ 17 Abs. 6 ApBetrO)', en: 'Dispensing record (§ 17 (6) ApBetrO)' },
  dispensingShort: { de: 'Abgabevermerk', en: 'Dispensing record' },
  dispensingOf: {
    de: (number: number) => `Abgabevermerk ${number}`,
    en: (number: number) => `Dispensing record ${number}`,
  },
  printRecord: { de: 'Abgabevermerk drucken', en: 'Print the record' },
  dispensedOn: { de: 'Abgegeben am', en: 'Dispensed on' },
  dispensedBy: { de: 'Abgegeben von', en: 'Dispensed by' },
  prescriptionOf: {
    de: (day: string) => `Rezept vom ${day}`,
    en: (day: string) => `Prescription of ${day}`,
  },
  batch: { de: 'Charge', en: 'Batch' },
  batchOfTicked: { de: 'Charge beim Abhaken', en: 'Batch of what is ticked' },
  saveBatch: { de: 'Charge eintragen', en: 'Enter the batch' },
  batchTooLong: {
    de: `Eine Charge hat höchstens ${BATCH_MAX} Zeichen.`,
    en: `A batch has ${BATCH_MAX} characters at most.`,
  },
  isOther: { de: 'anderes Produkt als angefragt', en: 'another product than requested' },
  signOther: {
    de: 'Es wird ein anderes Produkt abgegeben: Das ganze Dokument braucht die eigene Signatur der Apothekerin oder des Apothekers. Offizin erstellt sie nicht.',
    en: "Another product is supplied: the whole document needs the pharmacist's own signature, which Offizin does not make.",
  },
  scan: { de: 'Packung scannen', en: 'Scan a pack' },
  byHand: { de: 'Von Hand abhaken', en: 'Tick by hand' },
  byHandShort: { de: 'Abhaken', en: 'Tick' },
  weigh: { de: 'Einwaage in g', en: 'Weight in g' },
  weighedIn: {
    de: (grams: string, who: string, checkedBy: string | undefined) =>
      `Einwaage ${grams.replace('.', ',')} g: ${who}${checkedBy ? `, geprüft: ${checkedBy}` : ''}`,
    en: (grams: string, who: string, checkedBy: string | undefined) =>
      `Weighed ${grams} g: ${who}${checkedBy ? `, checked: ${checkedBy}` : ''}`,
  },
  weighingCheckedBy: { de: 'geprüft von', en: 'checked by' },
  tickedByHand: { de: 'von Hand abgehakt', en: 'ticked by hand' },
  takeBack: { de: 'Zurücknehmen', en: 'Take back' },
  otherProduct: { de: 'Anderes Produkt', en: 'Another product' },
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

const packs = {
  de: (count: number) => (count === 1 ? '1 Packung' : `${count} Packungen`),
  en: (count: number) => (count === 1 ? '1 pack' : `${count} packs`),
};

/** Texts of supply in parts (Nachlieferung). */
export const supplyMessages = texts({
  expected: { de: 'Heute erwartet', en: 'Expected today' },
  allExpected: { de: 'Alle Nachlieferungen', en: 'All that is to come' },
  onlyToday: { de: 'Nur heute', en: 'Today only' },
  expectedLead: {
    de: (count: number, day: string) =>
      count === 1 ? `1 Nachlieferung für ${day}` : `${count} Nachlieferungen für ${day}`,
    en: (count: number, day: string) => `${count} expected for ${day}`,
  },
  laterLead: {
    de: (count: number) => (count === 1 ? '1 Nachlieferung' : `${count} Nachlieferungen`),
    en: (count: number) => `${count} to come`,
  },
  nothingExpected: { de: 'Heute wird nichts erwartet.', en: 'Nothing is expected today.' },
  nothingLater: { de: 'Es steht nichts aus.', en: 'Nothing is to come.' },
  more: { de: 'Die 200 Bestellungen, die am längsten warten.', en: 'The 200 orders that wait longest.' },
  printList: { de: 'Liste drucken', en: 'Print the list' },
  scanHint: {
    de: 'Ein Scan bucht die Packung auf die älteste Bestellung, die darauf wartet, und zeigt ihr Fach.',
    en: 'A scan books the pack on the oldest order that waits for it, and shows its shelf.',
  },
  product: { de: 'Produkt', en: 'Product' },
  forWhom: { de: 'Für', en: 'For' },
  state: { de: 'Stand', en: 'State' },
  step: { de: 'Schritt', en: 'Step' },
  ordered: { de: 'bestellt', en: 'ordered' },
  inStock: { de: 'schon im Bestand', en: 'in stock already' },
  dueSince: {
    de: (days: number) => (days === 1 ? 'seit gestern fällig' : `seit ${days} Tagen fällig`),
    en: (days: number) => (days === 1 ? 'due since yesterday' : `due for ${days} days`),
  },
  onDay: { de: (day: string) => `am ${day}`, en: (day: string) => `on ${day}` },
  here: { de: 'Eingetroffen', en: 'Arrived' },
  hereOf: {
    de: (name: string, order: number) => `Eingetroffen: ${name} für ${order}`,
    en: (name: string, order: number) => `Is here: ${name} for ${order}`,
  },
  arrivedFor: {
    de: (order: number) => `Für Bestellung ${order}`,
    en: (order: number) => `For order ${order}`,
  },
  putInto: { de: (shelf: string) => `Fach ${shelf}`, en: (shelf: string) => `Shelf ${shelf}` },
  noShelf: { de: 'Noch kein Fach: zur Bestellung', en: 'No shelf yet: to the order' },
  comesOn: {
    de: (count: number, day: string, unit?: string) =>
      unit ? `${count} ${unit} kommen am ${day}` : count === 1 ? `1 kommt am ${day}` : `${count} kommen am ${day}`,
    en: (count: number, day: string, unit?: string) =>
      unit ? `${count} ${unit} come on ${day}` : count === 1 ? `1 comes on ${day}` : `${count} come on ${day}`,
  },
  giveSlip: { de: 'Abholschein mitgeben', en: 'give the collection slip' },
  ships: { de: 'wird nachgeliefert', en: 'follows later' },
  packsOn: {
    de: (count: number, day: string) => `${packs.de(count)} ${count === 1 ? 'kommt' : 'kommen'} am ${day}`,
    en: (count: number, day: string) => `${packs.en(count)} ${count === 1 ? 'comes' : 'come'} on ${day}`,
  },
  comesLater: {
    de: (count: number) => `${count} in Nachlieferung`,
    en: (count: number) => (count === 1 ? '1 comes later' : `${count} come later`),
  },
  orderedBy: {
    de: (at: string, who: string) =>
      who ? `Nachlieferung, vermerkt ${at} von ${who}` : `Nachlieferung, vermerkt ${at}`,
    en: (at: string, who: string) => (who ? `To come later, noted ${at} by ${who}` : `To come later, noted ${at}`),
  },
  leftBefore: {
    de: (amount: string) => `${amount} schon abgegeben`,
    en: (amount: string) => `${amount} handed over before`,
  },
  partPacked: { de: 'Zum Teil gepackt', en: 'Packed in part' },
  waits: { de: 'Wartet auf die Nachlieferung', en: 'Waits for the rest' },
  handOverPart: {
    de: (part: number, all: number) => `${part} von ${packs.de(all)} abgeben`,
    en: (part: number, all: number) => `Hand over ${part} of ${packs.en(all)}`,
  },
  shipPart: {
    de: (part: number, all: number) => `${part} von ${packs.de(all)} versenden`,
    en: (part: number, all: number) => `Ship ${part} of ${packs.en(all)}`,
  },
  split: { de: 'Teil nachliefern', en: 'Supply a part later' },
  splitTitle: {
    de: (order: number) => `Teil nachliefern, Bestellung ${order}`,
    en: (order: number) => `Supply a part later, order ${order}`,
  },
  splitLead: {
    de: 'Was später kommt, wird nicht gepackt und nicht aus dem Bestand reserviert. Die Bestellung bleibt offen.',
    en: 'What comes later is not packed and not reserved from stock. The order stays open.',
  },
  splitNow: { de: 'Nachliefern', en: 'Supply later' },
  howMany: { de: 'So viele kommen später', en: 'So many come later' },
  ofOpen: { de: (open: string) => `Noch nicht gepackt: ${open}.`, en: (open: string) => `Not packed yet: ${open}.` },
  expectedOn: { de: 'Kommt am', en: 'Expected on' },
  range: {
    de: (max: number, step: number) => `Eine Zahl von 1 bis ${max}${step > 1 ? `, ein Vielfaches von ${step}` : ''}.`,
    en: (max: number, step: number) => `A number from 1 to ${max}${step > 1 ? `, a multiple of ${step}` : ''}.`,
  },
  nothingToSplit: {
    de: 'Alle Packungen dieses Artikels sind gepackt: Nachliefern lässt sich nur, was noch nicht gepackt ist.',
    en: 'All packs of this item are packed: only what is not packed yet can be supplied later.',
  },
  stillToCome: { de: 'Noch zu liefern', en: 'Still to come' },
  changeDay: { de: 'Termin ändern', en: 'Change the day' },
  hasCome: { de: 'Eingetroffen', en: 'Arrived' },
  howManyCame: { de: 'Angekommen', en: 'Arrived' },
  manage: { de: 'Nachlieferung …', en: 'Rest …' },
  cancelRest: { de: 'Rest stornieren …', en: 'Cancel the rest …' },
  cancelTitle: {
    de: (order: number) => `Rest von Bestellung ${order} stornieren?`,
    en: (order: number) => `Cancel the rest of order ${order}?`,
  },
  cancelLead: {
    de: 'Was da ist oder schon abgegeben wurde, bleibt. Der Rest entfällt, und der Betrag sinkt.',
    en: 'What is here or was handed over stays. The rest goes, and the amount falls.',
  },
  cancelNow: { de: 'Rest stornieren', en: 'Cancel the rest' },
  totalFalls: {
    de: (from: string, to: string) => `Summe: ${to} statt ${from}.`,
    en: (from: string, to: string) => `Total: ${to} instead of ${from}.`,
  },
  thenOver: {
    de: (amount: string) => `Bezahlt ist mehr: ${amount} sind danach zu erstatten.`,
    en: (amount: string) => `More was paid: ${amount} are to be refunded then.`,
  },
  thenEnds: { de: 'Die Bestellung ist damit abgeschlossen.', en: 'The order ends with that.' },
  slip: { de: 'Abholschein', en: 'Collection slip' },
  slipOf: { de: (order: number) => `Abholschein ${order}`, en: (order: number) => `Collection slip ${order}` },
  slipLead: {
    de: 'Dieser Teil Ihrer Bestellung kommt noch. Bringen Sie den Schein bitte mit.',
    en: 'This part of your order is still to come. Please bring this slip.',
  },
  packs,
  overpaid: { de: 'Zu viel bezahlt', en: 'Paid too much' },
  underpaid: { de: 'Noch offen', en: 'Still due' },
  settleUnderpaid: { de: 'Rest als bezahlt markieren', en: 'Mark the rest as paid' },
  refundOverpaid: { de: 'Erstattung vermerken', en: 'Note the refund' },
  refundLines: { de: 'Für welche Packungen', en: 'For which packs' },
  refundLinesHint: {
    de: 'Mit Packungen gilt ihr Preis oder ein Betrag darunter, ohne Packungen der Betrag allein.',
    en: 'With packs their price or less applies, without packs the amount alone.',
  },
  refundedPacks: {
    de: (amount: string) => `${amount} erstattet`,
    en: (amount: string) => `${amount} refunded`,
  },
  refundFee: {
    de: (fee: string) => `mit Gebühr (${fee}); mit der letzten Position immer`,
    en: (fee: string) => `with the fee (${fee}); always with the last line`,
  },
  amountTooHigh: {
    de: (max: string) => `Diese Packungen kosten ${max}.`,
    en: (max: string) => `These packs cost ${max}.`,
  },
});
