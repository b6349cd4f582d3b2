import { PAYMENT_LINK_DAYS } from '../../orders/limits';
import { texts } from '../http/language';

/** Texts of this area's pages, in the reader's language. */
export const messages = texts({
  one: { de: (id: string) => `Bestellung ${id}`, en: (id: string) => `Order ${id}` },
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
  lineTotal: { de: 'Gesamt', en: 'Total' },
  way: { de: 'Stand der Bestellung', en: 'Progress of the order' },
  accepted: { de: 'Angenommen', en: 'Accepted' },
  created: { de: 'Angelegt', en: 'Created' },
  paysThen: { de: 'Zahlung bei Abholung', en: 'Pays at pickup' },
  born: { de: (day: string) => `geb. ${day}`, en: (day: string) => `born ${day}` },
  bornOn: { de: 'Geboren', en: 'Born' },
  customerData: { de: 'Kundendaten', en: 'Customer' },
  platformDetails: {
    de: (count: number) => `Angaben der Plattform (${count})`,
    en: (count: number) => `Details from the platform (${count})`,
  },
  purpose: { de: 'Zweck', en: 'Purpose' },
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
    de: 'Weder fertig melden noch abgeben oder versenden.',
    en: 'Neither make ready nor hand over or ship.',
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
  /** The amount stands for the sign. */
  refundSays: { de: '% € erstatten', en: 'Refund € %' },
  noRefund: { de: 'Nicht erstatten', en: 'Do not refund' },
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
  toOrder: { de: 'Zur Bestellung', en: 'To the order' },
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
  keep: { de: 'Nicht stornieren', en: 'Do not cancel' },
});
