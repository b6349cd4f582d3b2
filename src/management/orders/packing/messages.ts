import { BAGS_MAX, BATCH_MAX, SHELF_MAX } from '../../../orders/limits';
import { type Both, texts } from '../../http/language';

const packs = (count: number): Both<string> =>
  count === 1 ? ['1 Packung', '1 pack'] : [`${count} Packungen`, `${count} packs`];

/** Texts of packing, labels and slips. */
export const packingMessages = texts({
  title: ['Packen', 'Packing'],
  progress: (packed: number, packs: number) => [`${packed} von ${packs} Packungen`, `${packed} of ${packs} packs`],
  left: (left: number) =>
    left === 1 ? ['noch 1 Packung', '1 pack to go'] : [`noch ${left} Packungen`, `${left} packs to go`],
  counted: (scanned: number, byHand: number) => [
    [scanned > 0 && `${scanned} gescannt`, byHand > 0 && `${byHand} von Hand abgehakt`].filter(Boolean).join(', '),
    [scanned > 0 && `${scanned} scanned`, byHand > 0 && `${byHand} ticked by hand`].filter(Boolean).join(', '),
  ],
  dispensing: [
    'Abgabevermerk (§\u00a017\u00a0Abs.\u00a06\u00a0ApBetrO)',
    'Dispensing record (§\u00a017\u00a0(6)\u00a0ApBetrO)',
  ],
  dispensingShort: ['Abgabevermerk', 'Dispensing record'],
  dispensingOf: (number: number) => [`Abgabevermerk ${number}`, `Dispensing record ${number}`],
  printRecord: ['Abgabevermerk drucken', 'Print the record'],
  packedOn: ['Gepackt am', 'Packed on'],
  dispensedOn: ['Abgegeben am', 'Dispensed on'],
  dispensedBy: ['Abgegeben von', 'Dispensed by'],
  prescriptionOf: (day: string) => [`Rezept vom ${day}`, `Prescription of ${day}`],
  fileHash: ['Prüfsumme der Datei (SHA-256):', 'Checksum of the file (SHA-256):'],
  batch: ['Charge', 'Batch'],
  batchOfTicked: ['Charge beim Abhaken', 'Batch of the ticked packs'],
  saveBatch: ['Charge eintragen', 'Enter the batch'],
  batchTooLong: [`Eine Charge hat höchstens ${BATCH_MAX} Zeichen.`, `A batch has ${BATCH_MAX} characters at most.`],
  isOther: ['anderes Produkt als angefragt', 'a different product than requested'],
  signOther: [
    'Es wird ein anderes Produkt abgegeben: Das ganze Dokument braucht die eigene Signatur eines Apothekers. Offizin erstellt sie nicht.',
    'Another product is supplied: the whole document needs the pharmacist’s own signature, which Offizin does not make.',
  ],
  scan: ['Packung scannen', 'Scan a pack'],
  byHand: ['Von Hand abhaken', 'Tick by hand'],
  byHandShort: ['Abhaken', 'Tick'],
  weigh: ['Einwaage in g', 'Weight in g'],
  weighedIn: (grams: string, who: string, checkedBy: string | undefined) => [
    `Einwaage ${grams.replace('.', ',')} g: ${who}${checkedBy ? `, geprüft: ${checkedBy}` : ''}`,
    `Weighed ${grams} g: ${who}${checkedBy ? `, checked: ${checkedBy}` : ''}`,
  ],
  weighingCheckedBy: ['geprüft von', 'checked by'],
  tickedByHand: ['von Hand abgehakt', 'ticked by hand'],
  takeBack: ['Zurücknehmen', 'Undo'],
  otherProduct: ['Anderes Produkt', 'Another product'],
  item: ['Artikel', 'Item'],
  packed: ['Gepackt', 'Packed'],
  steps: ['Schritte', 'Steps'],
  amount: ['Menge', 'Quantity'],
  coPayment: ['Zuzahlung', 'co-payment'],
  wrongPack: ['Falsche Packung', 'Wrong pack'],
  belongsNot: (order: number) => [`gehört nicht zu ${order}.`, `does not belong to ${order}.`],
  tooMany: ['Eine Packung zu viel', 'One pack too many'],
  isComplete: ['ist schon vollständig.', 'is complete.'],
  stillOpen: ['Noch offen', 'Still open'],
  expired: ['Verfallen', 'Expired'],
  expiredOn: (day: string) => [
    `Die Packung war bis ${day} verwendbar. Nehmen Sie eine andere.`,
    `The pack could be used until ${day}. Take another one.`,
  ],
  notPacked: ['Noch nicht fertig gepackt', 'Not fully packed yet'],
  soFar: (packed: number, all: number) => [`Erst ${packed} von ${all} Packungen.`, `Only ${packed} of ${all} packs.`],
  notCounted: ['Nicht gezählt', 'Not counted'],
  otherTitle: (number: number) => [`Etikett von Bestellung ${number}`, `Label for order ${number}`],
  otherLead: (other: number, own: number) => [
    `Das Etikett gehört zu Bestellung ${other}. Bestellung ${own} ist noch nicht fertig gepackt.`,
    `The label belongs to order ${other}. Order ${own} is not fully packed yet.`,
  ],
  toOther: (number: number) => [`Zu ${number} wechseln`, `Go to ${number}`],
  stay: (number: number) => [`Bei ${number} bleiben`, `Stay with ${number}`],
  shelfAndBags: ['Fach und Beutel', 'Shelf and bags'],
  shelf: ['Abholfach', 'Shelf'],
  inShelf: (shelf: string) => [`Fach ${shelf}`, `Shelf ${shelf}`],
  shelfTooLong: [`Höchstens ${SHELF_MAX} Zeichen.`, `At most ${SHELF_MAX} characters.`],
  bags: ['Beutel', 'Bags'],
  bagsRange: [`Eine Zahl von 1 bis ${BAGS_MAX}.`, `A number from 1 to ${BAGS_MAX}.`],
  bag: (bag: number, of: number) => [`Beutel ${bag}/${of}`, `Bag ${bag}/${of}`],
  bagCount: (count: number) => [`${count} Beutel`, count === 1 ? '1 bag' : `${count} bags`],
  packCount: packs,
  label: ['Etikett', 'Label'],
  labelsOf: (number: number) => [`Etiketten zu Bestellung ${number}`, `Labels for order ${number}`],
  printLabels: (count: number) =>
    count === 1 ? ['Etikett drucken', 'Print the label'] : [`${count} Etiketten drucken`, `Print ${count} labels`],
  printSlip: ['Drucken', 'Print'],
  slip: ['Packzettel', 'Packing slip'],
  slipOf: (number: number) => [`Packzettel ${number}`, `Packing slip ${number}`],
  paysAtPickup: (amount: string) => [`Zahlt bei Abholung ${amount}`, `Pays ${amount} at pickup`],
  accepted: ['Angenommen', 'Accepted'],
  packedBy: ['Gepackt\u00a0von', 'Packed\u00a0by'],
  checkedBy: ['Geprüft\u00a0von', 'Checked\u00a0by'],
});

/** Texts of supply in parts (Nachlieferung). */
export const supplyMessages = texts({
  expected: ['Heute erwartet', 'Expected today'],
  allExpected: ['Alle Nachlieferungen', 'All that is still to come'],
  onlyToday: ['Nur heute', 'Today only'],
  expectedLead: (count: number, day: string) => [
    count === 1 ? `1 Nachlieferung für ${day}` : `${count} Nachlieferungen für ${day}`,
    `${count} expected for ${day}`,
  ],
  laterLead: (count: number) => [count === 1 ? '1 Nachlieferung' : `${count} Nachlieferungen`, `${count} expected`],
  nothingExpected: ['Heute wird nichts erwartet.', 'Nothing is expected today.'],
  nothingLater: ['Es steht nichts aus.', 'Nothing is outstanding.'],
  more: ['Die 200 Bestellungen, die am längsten warten.', 'The 200 orders that have waited longest.'],
  printList: ['Liste drucken', 'Print the list'],
  scanHint: [
    'Ein Scan bucht die Packung auf die älteste Bestellung, die darauf wartet, und zeigt ihr Fach.',
    'A scan assigns the pack to the oldest order that waits for it, and shows its shelf.',
  ],
  product: ['Produkt', 'Product'],
  forWhom: ['Für', 'For'],
  state: ['Stand', 'State'],
  step: ['Schritt', 'Step'],
  ordered: ['bestellt', 'ordered'],
  inStock: ['schon im Bestand', 'in stock already'],
  dueSince: (days: number) =>
    days === 1 ? ['seit gestern fällig', 'due since yesterday'] : [`seit ${days} Tagen fällig`, `due for ${days} days`],
  here: ['Eingetroffen', 'Arrived'],
  hereOf: (name: string, order: number) => [`Eingetroffen: ${name} für ${order}`, `Arrived: ${name} for ${order}`],
  arrivedFor: (order: number) => [`Für Bestellung ${order}`, `For order ${order}`],
  noShelf: ['Noch kein Fach: zur Bestellung', 'No shelf yet: to the order'],
  comesOn: (count: number, day: string, unit?: string) => [
    unit ? `${count} ${unit} kommen noch ${day}` : count === 1 ? `1 kommt noch ${day}` : `${count} kommen noch ${day}`,
    unit ? `${count} ${unit} still to come ${day}` : `${count} still to come ${day}`,
  ],
  giveSlip: ['Abholschein mitgeben', 'give the collection slip'],
  ships: ['wird nachgeliefert', 'will be sent later'],
  packsOn: (count: number, day: string) => [
    `${packs(count)[0]} ${count === 1 ? 'kommt' : 'kommen'} ${day}`,
    `${packs(count)[1]} ${count === 1 ? 'arrives' : 'arrive'} ${day}`,
  ],
  comesLater: (count: number) => [`${count} in Nachlieferung`, `${packs(count)[1]} to follow`],
  orderedBy: (at: string, who: string) =>
    who
      ? [`Nachlieferung, vermerkt ${at} von ${who}`, `To follow, noted ${at} by ${who}`]
      : [`Nachlieferung, vermerkt ${at}`, `To follow, noted ${at}`],
  leftBefore: (amount: string) => [`${amount} schon abgegeben`, `${amount} handed over before`],
  partPacked: ['Zum Teil gepackt', 'Partly packed'],
  waits: ['Wartet auf die Nachlieferung', 'Waiting for the rest'],
  handOverPart: (part: number, all: number) => [
    `${part} von ${packs(all)[0]} abgeben`,
    `Hand over ${part} of ${packs(all)[1]}`,
  ],
  shipPart: (part: number, all: number) => [
    `${part} von ${packs(all)[0]} versenden`,
    `Ship ${part} of ${packs(all)[1]}`,
  ],
  split: ['Teil nachliefern', 'Supply later'],
  splitTitle: (order: number) => [`Teil nachliefern, Bestellung ${order}`, `Supply later, order ${order}`],
  splitLead: [
    'Was später kommt, wird nicht gepackt und nicht aus dem Bestand reserviert. Die Bestellung bleibt offen.',
    'What comes later is not packed and not reserved from stock. The order stays open.',
  ],
  splitNow: ['Nachliefern', 'Supply later'],
  howMany: ['Davon später', 'To supply later'],
  ofOpen: (open: string) => [`Noch nicht gepackt: ${open}.`, `Not packed yet: ${open}.`],
  expectedOn: ['Kommt am', 'Expected on'],
  range: (max: number, step: number) => {
    if (max === 1) return ['Möglich ist nur 1.', 'Only 1 is possible.'];
    const [de, en] = step > 1 ? [`, ein Vielfaches von ${step}`, `, a multiple of ${step}`] : ['', ''];
    return [`Eine Zahl von 1 bis ${max}${de}.`, `A number from 1 to ${max}${en}.`];
  },
  nothingToSplit: [
    'Alle Packungen dieses Artikels sind gepackt: Nachliefern lässt sich nur, was noch nicht gepackt ist.',
    'All packs of this item are packed: only what is not packed yet can be supplied later.',
  ],
  stillToCome: ['Nachlieferung', 'Still to come'],
  changeDay: ['Termin ändern', 'Change the day'],
  howManyCame: ['Angekommen', 'Arrived'],
  manage: ['Nachlieferung …', 'Still to come …'],
  cancelRest: ['Nachlieferung stornieren …', 'Cancel the rest …'],
  cancelTitle: (order: number) => [
    `Nachlieferung von Bestellung ${order} stornieren?`,
    `Cancel the rest of order ${order}?`,
  ],
  cancelLead: [
    'Was da ist oder schon abgegeben wurde, bleibt. Die Nachlieferung entfällt, und der Betrag sinkt.',
    'What is here or was handed over stays. The rest is dropped, and the total is reduced.',
  ],
  cancelNow: ['Nachlieferung stornieren', 'Cancel the rest'],
  totalFalls: (from: string, to: string) => [`Summe: ${to} statt ${from}.`, `Total: ${to} instead of ${from}.`],
  thenOver: (amount: string) => [
    `Bezahlt ist mehr: ${amount} sind danach zu erstatten.`,
    `More was paid: ${amount} must then be refunded.`,
  ],
  thenEnds: ['Die Bestellung ist damit abgeschlossen.', 'That completes the order.'],
  slip: (isPickup: boolean) => (isPickup ? ['Abholschein', 'Collection slip'] : ['Nachlieferschein', 'Delivery slip']),
  slipLead: ['Der Rest Ihrer Bestellung kommt noch.', 'The rest of your order is still to come.'],
  bringSlip: ['Bringen Sie den Schein bitte mit.', 'Please bring this slip.'],
  packs,
  overpaid: ['Zu viel bezahlt', 'Paid too much'],
  underpaid: ['Noch offen', 'Still due'],
  settleUnderpaid: ['Rest als bezahlt markieren', 'Mark what is due as paid'],
  refundOverpaid: ['Erstattung vermerken', 'Record the refund'],
  refundLines: ['Für welche Packungen', 'For which packs'],
  refundLinesHint: [
    'Tragen Sie Packungen ein, gilt höchstens deren Preis. Ohne Packungen zählt nur der Betrag.',
    'If you enter packs, their price is the maximum. Without packs, only the amount counts.',
  ],
  refundedPacks: (amount: string) => [`${amount} erstattet`, `${amount} refunded`],
  refundFee: (fee: string) => [
    `mit Gebühr (${fee}); mit der letzten Position immer`,
    `with the fee (${fee}); always with the last item`,
  ],
  amountTooHigh: (max: string) => [`Diese Packungen kosten ${max}.`, `These packs cost ${max}.`],
});
