import { PAYMENT_LINK_DAYS } from '../../orders/limits';
import { texts } from '../http/language';
import { orders } from '../ui/order-messages';

/** Texts of this area's pages, in the reader's language. */
export const messages = texts({
  one: { de: (id: string) => `Bestellung ${id}`, en: (id: string) => `Order ${id}` },
  erased: { de: 'Person gelöscht', en: 'Person erased' },
  erasedKept: {
    de: (date: string) => `Name und Verordner bleiben bis ${date}, nur für Chargenrückrufe (§ 22 ApBetrO).`,
    en: (date: string) => `Name and prescriber are kept until ${date}, for recalls of the batch alone (§ 22 ApBetrO).`,
  },
  allStatuses: { de: 'Alle Status', en: 'All statuses' },
  resetFilter: { de: 'Filter zurücksetzen', en: 'Reset the filter' },
  emptyTitle: { de: 'Noch keine Bestellungen', en: 'No orders yet' },
  empty: {
    de: 'Hier stehen angenommene Bestellanfragen und Bestellungen über die API.',
    en: 'Accepted order requests and orders by the API are listed here.',
  },
  noneTitle: { de: 'Keine Bestellung passt zu diesem Filter', en: 'No order matches this filter' },
  none: { de: 'Wählen Sie einen anderen Status oder Shop.', en: 'Choose another status or shop.' },
  article: { de: 'Artikel', en: 'Item' },
  way: { de: 'Stand der Bestellung', en: 'Progress of the order' },
  accepted: { de: 'Angenommen', en: 'Accepted' },
  created: { de: 'Angelegt', en: 'Created' },
  paysThen: { de: 'Zahlung bei Abholung', en: 'Pays at pickup' },
  born: { de: (day: string) => `geb. ${day}`, en: (day: string) => `born ${day}` },
  prescriber: { de: 'Verordnet von', en: 'Prescribed by' },
  bornOn: { de: 'Geboren', en: 'Born' },
  changeShipping: { de: 'Lieferart ändern', en: 'Change shipping' },
  customerData: { de: 'Kundendaten', en: 'Customer' },
  platformDetails: {
    de: (count: number) => `Angaben der Plattform (${count})`,
    en: (count: number) => `Details from the platform (${count})`,
  },
  purpose: { de: 'Verwendungszweck', en: 'Purpose' },
  toPay: { de: 'Zu zahlen', en: 'To pay' },
  externalId: { de: 'Nummer im Shop', en: 'Number in the shop' },
  request: { de: 'Bestellanfrage', en: 'Order request' },
  toRequest: { de: 'Anfrage ansehen', en: 'See the request' },
  historyAndNotes: { de: 'Verlauf und Notizen', en: 'History and notes' },
  noteForTeam: { de: 'Notiz für das Team', en: 'Note for the team' },
  byProgram: { de: 'Programm', en: 'Program' },
  asked: { de: (about: string) => `Rückfrage, ${about}`, en: (about: string) => `Question, ${about}` },
  answered: { de: 'Antwort', en: 'Answer' },
  noAddress: { de: 'Keine Adresse angegeben.', en: 'No address given.' },
  historyEmpty: {
    de: 'Hier steht, wer die Bestellung wann geändert hat.',
    en: 'Who changed the order, and when, is listed here.',
  },
  steps: {
    awaiting_prescription: { de: 'Auf Rezept warten', en: 'Wait for the prescription' },
    awaiting_payment: { de: 'Auf Zahlung warten', en: 'Wait for the payment' },
    awaiting_packing: { de: 'Zum Packen geben', en: 'Send to packing' },
    ready_pickup: { de: 'Abholbereit', en: 'Ready for pickup' },
    ready_shipping: { de: 'Versandbereit', en: 'Ready to ship' },
    shipped: { de: 'Versendet', en: 'Shipped' },
    delivered: { de: 'Zugestellt', en: 'Delivered' },
    picked_up: { de: 'Abgeben …', en: 'Hand over …' },
    returned: { de: 'Retoure erfassen …', en: 'Record a return …' },
    cancelled: { de: 'Stornieren …', en: 'Cancel the order …' },
  },
  moreSteps: { de: 'Weitere Schritte', en: 'More steps' },
  turnOn: {
    on_hold: { de: 'Anhalten …', en: 'Put on hold …' },
    express: { de: 'Als Express markieren', en: 'Mark as express' },
    archived: { de: 'Archivieren', en: 'Archive' },
  },
  turnOff: {
    on_hold: { de: 'Fortsetzen', en: 'Resume' },
    express: { de: 'Express aufheben', en: 'Remove express' },
    archived: { de: 'Aus dem Archiv holen', en: 'Unarchive' },
  },
  paidOn: { de: 'Bezahlt am', en: 'Paid on' },
  paymentReference: { de: 'Zahlungsreferenz', en: 'Transaction id' },
  markPaid: { de: 'Als bezahlt markieren', en: 'Mark as paid' },
  makeLink: { de: 'Zahlungslink erstellen', en: 'Make a payment link' },
  showLink: { de: 'Zahlungslink ansehen', en: 'Show the payment link' },
  replaceLink: { de: 'Durch einen neuen ersetzen', en: 'Replace it by a new one' },
  linkHint: {
    de: `Ein neuer Link ersetzt den bisherigen; er gilt ${PAYMENT_LINK_DAYS} Tage.`,
    en: `A new link replaces the previous one; it is valid for ${PAYMENT_LINK_DAYS} days.`,
  },
  by: { de: (name: string, at: string) => `von ${name}, ${at}`, en: (name: string, at: string) => `by ${name}, ${at}` },
  waitsForOriginal: { de: 'Wartet auf das Original.', en: 'Waits for the original.' },
  toFollow: {
    de: (by: string) => `Angenommen ${by}, mit „Original folgt“.`,
    en: (by: string) => `Accepted ${by}, with “original to follow”.`,
  },
  nothingLeaves: {
    de: 'Bis dahin wird nicht abgegeben und nicht versendet.',
    en: 'Until then it is neither handed over nor shipped.',
  },
  whoConfirms: {
    de: 'Bestätigen kann es, wer Rezepte prüfen darf.',
    en: 'Whoever may check prescriptions can confirm it.',
  },
  originalIsHere: { de: 'Original liegt vor …', en: 'The original is here …' },
  stopped: {
    de: 'Gesperrt bis zum Fortsetzen.',
    en: 'Locked until it is resumed.',
  },
  whyRefused: { de: 'Warum der Storno abgelehnt wird', en: 'Why the withdrawal is refused' },
  refuseWithdrawal: { de: 'Storno ablehnen', en: 'Refuse the withdrawal' },
  refund: { de: 'Erstatten …', en: 'Refund …' },
  refundTitle: {
    de: (id: string, customer: string) => `Bestellung ${id} von ${customer} erstatten?`,
    en: (id: string, customer: string) => `Refund order ${id} of ${customer}?`,
  },
  refundAbout: {
    de: (total: string, refunded: string) => `Bezahlt: ${total}. Davon bisher erstattet: ${refunded}.`,
    en: (total: string, refunded: string) => `Paid: ${total}. Refunded so far: ${refunded}.`,
  },
  refundLead: {
    de: 'Das wird nur vermerkt, nicht überwiesen oder ausgezahlt. Der Umsatz sinkt, der Bestand bleibt.',
    en: 'This is only recorded, not transferred or paid out. Revenue falls, stock stays.',
  },
  refundAmount: { de: 'Betrag in Euro', en: 'Amount in euros' },
  refundNow: { de: 'Erstattung vermerken', en: 'Record the refund' },
  /** `%` stands for the amount. */
  refundSays: { de: '% € erstatten', en: 'Refund € %' },
  linkOf: {
    de: (id: string, customer: string) => `Zahlungslink für Bestellung ${id} von ${customer}`,
    en: (id: string, customer: string) => `Payment link for order ${id} of ${customer}`,
  },
  linkValid: {
    de: (amount: string, until: string) =>
      `Über ${amount}, gültig bis ${until}. Er gilt, bis die Bestellung bezahlt oder geändert ist.`,
    en: (amount: string, until: string) =>
      `For ${amount}, valid until ${until}. It holds until the order is paid or changed.`,
  },
  linkTitle: { de: 'Zahlungslink', en: 'Payment link' },
  remove: { de: 'Bestellung löschen …', en: 'Delete the order …' },
  removeTitle: {
    de: (id: string, customer: string) => `Bestellung ${id} von ${customer} löschen?`,
    en: (id: string, customer: string) => `Delete order ${id} of ${customer}?`,
  },
  removeLead: {
    de: 'Sie verschwindet aus allen Listen, und alle Angaben zur Person werden gelöscht. Das lässt sich nicht zurücknehmen.',
    en: 'It disappears from every list, and all personal data are deleted. This cannot be undone.',
  },
  removeNow: { de: 'Endgültig löschen', en: 'Delete permanently' },
  cancelTitle: {
    de: (id: string, customer: string) => `Bestellung ${id} von ${customer} stornieren?`,
    en: (id: string, customer: string) => `Cancel order ${id} of ${customer}?`,
  },
  cancelLead: {
    de: 'Der Bestand wird zurückgebucht, offene Zahlungslinks enden. Das lässt sich nicht zurücknehmen.',
    en: 'The items go back into stock, and open payment links end. This cannot be undone.',
  },
  cancelNow: { de: 'Bestellung stornieren', en: 'Cancel the order' },
});

/** Texts of "Anderes Produkt" while packing. */
export const otherProductMessages = texts({
  title: {
    de: (number: number) => `Anderes Produkt für Bestellung ${number}`,
    en: (number: number) => `Another product for order ${number}`,
  },
  heading: { de: 'Anderes Produkt', en: 'Another product' },
  accepted: { de: 'angenommen', en: 'accepted' },
  now: { de: 'jetzt', en: 'now' },
  choose: { de: 'Wählen', en: 'Choose' },
  checking: { de: 'Wird geprüft …', en: 'Being checked …' },
  search: { de: 'Anderes Produkt: scannen, Name oder PZN', en: 'Another product: scan, name or PZN' },
  nothing: { de: 'Kein Produkt Ihres Sortiments passt dazu.', en: 'No product of your inventory matches.' },
  same: { de: 'Das ist das angenommene Produkt.', en: 'This is the accepted product.' },
  differences: { de: 'Bitte bestätigen', en: 'Please acknowledge' },
  insteadOf: {
    de: (now: string, accepted: string) => `${now} statt ${accepted}`,
    en: (now: string, accepted: string) => `${now} instead of ${accepted}`,
  },
  codes: {
    ...orders.differences,
    quantity: { de: 'Andere Menge', en: 'Another quantity' },
    price: { de: 'Anderer Preis', en: 'Another price' },
    total: { de: 'Andere Summe der Bestellung', en: 'Another total of the order' },
  },
  covers: { de: 'Es deckt auch dieses Produkt.', en: 'It covers this product, too.' },
  seePrescription: { de: 'Rezept ansehen', en: 'See the prescription' },
  approveAnew: { de: 'Tauschen und neu annehmen', en: 'Exchange and accept anew' },
  reasons: {
    not_deliverable: { de: 'Nicht lieferbar', en: 'Not deliverable' },
    other_pack_in_stock: { de: 'Import oder andere Größe vorrätig', en: 'Import or other size in stock' },
    pack_damaged: { de: 'Packung beschädigt', en: 'Pack damaged' },
    customer_wish: { de: 'Auf Wunsch', en: 'As the customer wishes' },
  },
  exchange: { de: 'Tauschen', en: 'Exchange' },
  whoChecks: {
    de: 'Es braucht ein Rezept: Tauschen und neu annehmen kann es nur, wer Rezepte prüfen darf.',
    en: 'It needs a prescription: only whoever may check prescriptions can exchange it and accept it anew.',
  },
  keep: { de: 'Beim angenommenen Produkt bleiben', en: 'Keep the accepted product' },
});

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
  rulesAccepted: { de: 'Trotzdem so abgeben', en: 'Let it leave so all the same' },
  rulesOpen: {
    de: 'Eine Regel spricht dagegen. Bitte bestätigen.',
    en: 'A rule speaks against it. Please confirm.',
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
  holdTitle: {
    de: (number: number) => `Bestellung ${number} anhalten?`,
    en: (number: number) => `Put order ${number} on hold?`,
  },
  holdLead: {
    de: 'Gesperrt bis zum Fortsetzen: Sie wird weder abholbereit noch abgegeben oder versendet.',
    en: 'Blocked until it is resumed: it is neither made ready nor handed over nor shipped.',
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
  of: { de: (amount: string) => `von ${amount}`, en: (amount: string) => `of ${amount}` },
  restock: { de: 'Wieder in den Bestand', en: 'Back into stock' },
  restockYes: { de: 'ja', en: 'yes' },
  restockWeighed: { de: 'nein, eingewogen', en: 'no, weighed' },
  restockNo: { de: 'nein, Rezept', en: 'no, prescription' },
  noProduct: { de: 'nicht im Sortiment', en: 'not in the inventory' },
  quantityRange: {
    de: (count: number) => `Eine ganze Zahl von 0 bis ${count}.`,
    en: (count: number) => `A whole number from 0 to ${count}.`,
  },
  nothingBack: { de: 'Bitte angeben, was zurückkommt.', en: 'Please say what comes back.' },
  returnNow: { de: 'Retoure erfassen', en: 'Record the return' },
});
