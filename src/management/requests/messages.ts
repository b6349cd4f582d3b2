import { texts } from '../http/language';
import { orders } from '../ui/order-messages';

/** Texts of the approval form. */
const formMessages = {
  tickMissing: {
    de: 'Bitte prüfen und ankreuzen, oder beiseitelegen.',
    en: 'Please check and tick it, or set it aside.',
  },
  checkedAs: { de: 'geprüft wurde', en: 'what was checked' },
  checkedAsTexts: {
    signed_file: { de: 'QES geprüft', en: 'QES checked' },
    verified_elsewhere: { de: 'Extern geprüft', en: 'Checked elsewhere' },
    original_present: { de: 'Papieroriginal liegt vor', en: 'Paper original is here' },
    original_follows: { de: 'Papieroriginal folgt', en: 'Paper original follows' },
  },
  checkedAsPending: { de: 'Signatur wird geprüft …', en: 'Checking the signature …' },
  checkedAsMissing: { de: 'Bitte wählen, was geprüft wurde.', en: 'Please choose what was checked.' },
  verifiedWith: { de: 'Programm, Ergebnis', en: 'program, result' },
  confirmAdded: {
    de: 'Nach der Signatur ergänzt: die signierte Fassung gilt',
    en: 'Added to after the signature: the signed revision counts',
  },
  confirmLater: {
    de: 'Ohne Auskunft zur Sperrung annehmen',
    en: 'Accept without knowing about revocation',
  },
  confirmMissing: {
    de: 'Bitte bestätigen, was bei der Signatur offen ist.',
    en: 'Please confirm what is open about the signature.',
  },
  readingCopy: {
    de: 'Lesekopie ohne Signatur: die signierte Datei zählt',
    en: 'Copy to read without a signature: the signed file counts',
  },
  issuedOn: { de: 'ausgestellt am', en: 'issued on' },
  issuedOnHint: { de: 'TT.MM.JJJJ', en: 'DD/MM/YYYY' },
  issuedOnWrong: {
    de: 'Bitte ein Datum bis heute angeben, zum Beispiel 20.11.2026.',
    en: 'Please give a date up to today, for example 20/11/2026.',
  },
  questionOpen: {
    de: 'Bitte die Antwort eintragen, oder bestätigen, dass Sie ohne sie annehmen.',
    en: 'Please write down the answer, or confirm that you accept without it.',
  },
  acknowledgeMissing: {
    de: 'Bitte die Abweichung bestätigen oder den Artikel ändern.',
    en: 'Please acknowledge the difference, or change the line.',
  },
  coPayment: { de: 'Zuzahlung', en: 'Co-payment' },
  differences: {
    ...orders.differences,
    manufacturer: { de: 'Anderer Hersteller', en: 'Another manufacturer' },
    words: { de: 'Andere Wörter', en: 'Other words' },
    n_size: { de: 'Andere Normgröße', en: 'Another N size' },
    quantity: { de: 'Viele Packungen', en: 'Many packs' },
    unclear_unit: { de: 'Einheit unklar', en: 'Unit unclear' },
    unit_step: { de: 'Nicht in ganze Packungen teilbar', en: 'No whole packs' },
    price: { de: 'Preis weicht ab', en: 'Price differs' },
    sent_price: { de: 'Gesendeter Preis', en: 'Sent price' },
  },
  units: orders.units,
  payment: {
    de: (paid: string, total: string): string => `Bezahlt ${paid}, jetzt ${total}`,
    en: (paid: string, total: string): string => `Paid ${paid}, now ${total}`,
  },
  remainder: {
    de: (sent: string, computed: string): string => `Gesendet ${sent}, ohne Gebühr oder Abzug ${computed}`,
    en: (sent: string, computed: string): string => `Sent ${sent}, without fee or discount ${computed}`,
  },
  remainders: {
    fee: { de: 'Gebühr', en: 'Fee' },
    co_payment: { de: 'Zuzahlung', en: 'Co-payment' },
    voucher: { de: 'Gutschein/Abzug (trägt die Plattform)', en: 'Voucher (the platform bears it)' },
    check_price: { de: 'Preis prüfen', en: 'Check the price' },
  },
  checkedTotal: {
    de: (total: string): string => `es gilt ${total}`,
    en: (total: string): string => `the total is ${total}`,
  },
  paymentMissing: { de: 'Bitte wählen.', en: 'Please choose.' },
  paymentActions: {
    collect: { de: 'Differenz kassieren', en: 'Collect the difference' },
    refund: { de: 'Differenz erstatten', en: 'Refund the difference' },
    ask: { de: 'Nachfragen', en: 'Ask the customer' },
  },
};

/** Texts of a request's page other than its items: prescriptions, open points, and the decision. */
const reviewMessages = {
  previous: { de: 'Vorige Anfrage', en: 'Previous request' },
  next: { de: 'Nächste Anfrage', en: 'Next request' },
  place: {
    de: (place: number, of: string): string => `${place} von ${of}`,
    en: (place: number, of: string): string => `${place} of ${of}`,
  },
  prescription: {
    de: (number: number): string => `Rezept ${number}`,
    en: (number: number): string => `Prescription ${number}`,
  },
  whichPrescription: { de: 'Rezept anzeigen', en: 'Show prescription' },
  wider: { de: 'Rezept breiter', en: 'Prescription wider' },
  noneSent: { de: 'Kein Rezept mitgeschickt', en: 'No prescription was sent' },
  noneSentHint: {
    de: 'Laden Sie das Rezept hoch, oder bitten Sie mit einer Rückfrage darum.',
    en: 'Upload the prescription, or ask for it with a question.',
  },
  fetching: { de: 'Das Rezept wird gerade abgerufen.', en: 'The prescription is being fetched.' },
  fetchFailed: { de: 'Der Abruf des Rezepts ist fehlgeschlagen.', en: 'The prescription could not be fetched.' },
  thereAre: {
    de: (count: number): string => (count === 1 ? 'Ein Rezept liegt vor' : `${count} Rezepte liegen vor`),
    en: (count: number): string => (count === 1 ? 'There is a prescription' : `There are ${count} prescriptions`),
  },
  whoMayCheck: {
    de: (names: string): string =>
      `Rezepte sehen und prüfen Apotheker und Inhaber${names === '' ? '.' : `, bei Ihnen ${names}.`}`,
    en: (names: string): string =>
      `Pharmacists and owners see and check prescriptions${names === '' ? '.' : `: with you ${names}.`}`,
  },
  whoMayApprove: {
    de: 'Annehmen kann, wer das Rezept prüft.',
    en: 'Whoever checks the prescription can accept.',
  },
  saveReview: { de: 'Änderungen speichern', en: 'Save changes' },
  prepared: {
    de: (who: string, when: string): string => `Vorbereitet von ${who}, ${when}.`,
    en: (who: string, when: string): string => `Prepared by ${who}, ${when}.`,
  },
  somebody: { de: 'einem früheren Mitglied', en: 'a former member' },
  discardDraft: { de: 'Vorbereitung verwerfen', en: 'Discard the preparation' },
  redeemed: {
    stops: { de: 'Dasselbe Rezept liegt schon vor:', en: 'The same prescription came before:' },
    told: {
      de: 'Dasselbe Rezept kam auch mit einer anderen Anfrage:',
      en: 'The same prescription also came with another request:',
    },
    order: {
      de: (number: number): string => `Bestellung ${number}`,
      en: (number: number): string => `Order ${number}`,
    },
    pending: { de: 'wartet', en: 'waiting' },
    deleted: { de: 'gelöscht', en: 'deleted' },
    reasons: { de: ['Teillieferung', 'Wiederholung laut Rezept'], en: ['Partial supply', 'Repeat as prescribed'] },
    reject: { de: 'Ablehnen: Schon eingelöst', en: 'Reject: already redeemed' },
  },
  viewer: {
    bar: { de: 'Ansicht des Rezepts', en: 'View of the prescription' },
    page: { de: 'Seite % von %', en: 'Page % of %' },
    waits: { de: 'Wird geladen …', en: 'Loading …' },
    back: { de: 'Vorige Seite', en: 'Previous page' },
    on: { de: 'Nächste Seite', en: 'Next page' },
    smaller: { de: 'Kleiner', en: 'Smaller' },
    larger: { de: 'Größer', en: 'Larger' },
    turn: { de: 'Drehen', en: 'Rotate' },
    seen: { de: '% von % Seiten gesehen', en: '% of % pages seen' },
    locked: {
      de: 'Die Datei ist mit einem Kennwort gesperrt.',
      en: 'The file is locked with a password.',
    },
    damaged: {
      de: 'Die Datei ist beschädigt oder hat keine Seiten.',
      en: 'The file is damaged or has no pages.',
    },
    unreached: {
      de: 'Der Abruf des Rezepts ist fehlgeschlagen. Bitte die Seite neu laden.',
      en: 'The prescription could not be loaded. Please reload the page.',
    },
    unopened: {
      de: 'Datei nicht zu öffnen, bitte neu senden.',
      en: 'The file cannot be opened, please send it again.',
    },
    askUnreadable: { de: 'Rückfrage: Rezept unleserlich', en: 'Ask: prescription unreadable' },
  },
  asideShort: { de: 'Gehört nicht dazu …', en: 'Not part of it …' },
  asideTitle: {
    de: (which: string): string => `${which} gehört nicht zu dieser Bestellung`,
    en: (which: string): string => `${which} is not part of this order`,
  },
  asideHint: {
    de: 'Es bleibt bei der Anfrage und gilt nicht als geprüft.',
    en: 'It stays with the request and does not count as checked.',
  },
  asideReasons: {
    de: ['Andere Person', 'Andere Bestellung', 'Doppelt geschickt', 'Kein Rezept'],
    en: ['Another person', 'Another order', 'Sent twice', 'No prescription'],
  },
  asideNow: { de: 'Beiseitelegen', en: 'Set aside' },
  aside: {
    de: (which: string): string => `${which} beiseitegelegt:`,
    en: (which: string): string => `${which} set aside:`,
  },
  takeBack: { de: 'Zurückholen', en: 'Take back' },
  checkedOne: {
    de: (which: string): string => `${which} geprüft`,
    en: (which: string): string => `${which} checked`,
  },
  checkedBefore: {
    de: (which: string, when: string): string => `${which} geprüft am ${when}`,
    en: (which: string, when: string): string => `${which} checked on ${when}`,
  },
  noneNeeded: {
    de: 'Kein Rezept nötig: alle Artikel sind rezeptfrei.',
    en: 'No prescription needed: nothing requires one.',
  },
  onlyOverTheCounter: {
    de: 'Ohne Rezept lässt sich nur annehmen, was rezeptfrei ist.',
    en: 'Without a prescription you can accept only what requires none.',
  },
  decisionLabel: { de: 'Entscheidung', en: 'Decision' },
  obstacles: {
    de: (count: number): string => (count === 1 ? '1 Hindernis:' : `${count} Hindernisse:`),
    en: (count: number): string => (count === 1 ? '1 blocker:' : `${count} blockers:`),
  },
  toAcknowledge: {
    de: (count: number): string => `${count} zu bestätigen:`,
    en: (count: number): string => `${count} to confirm:`,
  },
  more: { de: (count: number): string => `und ${count} weitere`, en: (count: number): string => `and ${count} more` },
  line: { de: (number: number): string => `Pos. ${number}`, en: (number: number): string => `Line ${number}` },
  withReason: { de: 'mit Begründung annehmen', en: 'accept with a reason' },
  askForNew: { de: 'Neues Rezept erbitten', en: 'Ask for a new prescription' },
  packs: {
    de: (count: number): string => (count === 1 ? '1 Packung' : `${count} Packungen`),
    en: (count: number): string => (count === 1 ? '1 pack' : `${count} packs`),
  },
  askTitle: { de: 'Rückfrage stellen', en: 'Ask a question' },
  askHint: {
    de: 'Steht in der Liste und im Verlauf; die Anfrage wartet dann auf die Antwort.',
    en: 'Shown in the list and the timeline; the request then waits for the answer.',
  },
  rejectTitle: {
    de: (person: string): string => `Anfrage von ${person} ablehnen?`,
    en: (person: string): string => `Reject the request from ${person}?`,
  },
};

/** Texts of this area's pages, in the reader's language. */
export const messages = texts({
  tabsLabel: { de: 'Status der Anfragen', en: 'Status of the requests' },
  waits: { de: 'Wartet', en: 'Waits' },
  since: { de: 'Alter', en: 'Age' },
  openSince: {
    de: (count: string, wait: string): string => `${count} offen, die älteste seit ${wait}`,
    en: (count: string, wait: string): string => `${count} pending, the oldest for ${wait}`,
  },
  late: { de: 'wartet lange', en: 'waiting long' },
  overdue: { de: 'überfällig', en: 'overdue' },
  warningShort: {
    fee_differs: { de: 'Gesamtbetrag weicht ab', en: 'Total differs' },
    payment_method_conflict: { de: 'Zahlung ungeklärt', en: 'Payment unclear' },
    product_id_conflict: { de: 'Zwei Produktnummern', en: 'Two product ids' },
  },
  /** The platform's latest supplement to its request. */
  supplemented: {
    note: { de: 'Antwort der Plattform', en: 'Platform answered' },
    file: { de: 'Rezept nachgereicht', en: 'Prescription sent later' },
  },
  toSettle: { de: 'Zu klären', en: 'To settle' },
  byPrescription: { de: 'Nach Rezept, keine Artikel genannt', en: 'By prescription, no items named' },
  further: { de: 'weitere', en: 'more' },
  search: { de: 'In dieser Liste suchen', en: 'Search this list' },
  inThisList: { de: 'In dieser Liste', en: 'In this list' },
  nextPage: { de: 'Weitere anzeigen', en: 'Show more' },
  nothingFound: { de: 'Nichts gefunden in dieser Liste.', en: 'Nothing found in this list.' },
  emptyTab: { de: 'Hier steht noch nichts.', en: 'Nothing here yet.' },
  emptyTitle: { de: 'Keine Anfrage wartet', en: 'No request is waiting' },
  allDecided: { de: 'Alles entschieden', en: 'All decided' },
  emptyLead: {
    de: 'Neue Anfragen erscheinen hier von selbst, die älteste oben.',
    en: 'New requests appear here by themselves, the oldest on top.',
  },
  today: {
    de: (
      { requests, decided, packed, left }: Record<'requests' | 'decided' | 'packed' | 'left', number>,
      cash: string,
    ): string =>
      `Heute: ${requests} Anfragen, ${decided} entschieden, ${packed} gepackt, ${left} abgegeben, ${cash} kassiert`,
    en: (
      { requests, decided, packed, left }: Record<'requests' | 'decided' | 'packed' | 'left', number>,
      cash: string,
    ): string =>
      `Today: ${requests} requests, ${decided} decided, ${packed} packed, ${left} handed over, ${cash} taken`,
  },
  emptyTry: { de: 'Eine Testanfrage senden', en: 'Send a test request' },
  pack: {
    de: (count: number): string => (count === 1 ? '1 Bestellung packen' : `${count} Bestellungen packen`),
    en: (count: number): string => (count === 1 ? 'Pack 1 order' : `Pack ${count} orders`),
  },
  openQuestions: {
    de: (count: number): string => (count === 1 ? '1 Rückfrage offen' : `${count} Rückfragen offen`),
    en: (count: number): string => (count === 1 ? '1 question open' : `${count} questions open`),
  },
  emptyWithoutShop: {
    de: 'Neue Anfragen erscheinen hier, sobald Ihr Shop eine Adresse hat.',
    en: 'New requests appear here as soon as your shop has an address.',
  },
  keyPlaceholder: { de: 'IHR_INTEGRATIONSSCHLÜSSEL', en: 'YOUR_INTEGRATION_KEY' },
  paymentsShort: {
    cash_on_pickup: { de: 'bei Abholung', en: 'on pickup' },
    paid: { de: 'bezahlt', en: 'paid' },
    pending: { de: 'offen', en: 'open' },
  },
  refund: { de: (sum: string): string => `${sum} erstatten`, en: (sum: string): string => `Refund ${sum}` },
  expires: { de: (day: string): string => `verfällt ${day}`, en: (day: string): string => `expires ${day}` },
  payments: {
    cash_on_pickup: { de: 'Zahlung bei Abholung', en: 'Cash on pickup' },
    paid: { de: 'Bezahlt', en: 'Paid' },
    pending: { de: 'Zahlung offen', en: 'Payment open' },
  },
  reviewTitle: {
    de: (person: string): string => `Bestellanfrage von ${person}`,
    en: (person: string): string => `Order request from ${person}`,
  },
  backToInbox: { de: 'Alle Anfragen', en: 'All requests' },
  unitPrice: { de: 'Einzelpreis in €', en: 'Unit price in €' },
  reservedUntil: {
    de: (time: string, items: string) => `Vorgemerkt bis ${time}: ${items}`,
    en: (time: string, items: string) => `Reserved until ${time}: ${items}`,
  },
  shortage: {
    de: (requested: number, stock: number): string => `${requested} angefragt, ${stock} vorrätig`,
    en: (requested: number, stock: number): string => `${requested} requested, ${stock} in stock`,
  },
  blockerTexts: {
    no_lines: { de: 'Tragen Sie die Artikel aus dem Rezept ein.', en: 'Add the items of the prescription.' },
    unmatched_line: {
      de: 'Keinem Produkt Ihres Sortiments zugeordnet; der Bestand ändert sich nicht.',
      en: 'Matches no product of your inventory; stock will not change.',
    },
    insufficient_stock: {
      de: 'Der Bestand reicht nicht. Ändern Sie die Menge oder berichtigen Sie den Bestand.',
      en: 'There is not enough in stock. Change the quantity or correct the stock.',
    },
    address_missing: {
      de: 'Soll gebracht oder verschickt werden, aber die Anschrift fehlt. Fragen Sie nach, oder begründen Sie es.',
      en: 'It is to be sent, but there is no address. Ask for it, or give a reason.',
    },
    payment_missing: {
      de: 'Soll gebracht oder verschickt werden, aber bezahlt wird bei Abholung. Fragen Sie nach, oder begründen Sie es.',
      en: 'It is to be sent, but paid when it is collected. Ask, or give a reason.',
    },
    prescription_missing: {
      de: 'Rezeptpflichtig, aber das Rezept fehlt.',
      en: 'Requires a prescription, but there is none.',
    },
    prescription_not_reviewed: {
      de: 'Ein mitgeschicktes Rezept ist noch nicht geprüft. Prüfen Sie es, oder legen Sie es beiseite.',
      en: 'A prescription that was sent is not checked yet. Check it, or set it aside.',
    },
    prescription_not_covering: {
      de: 'Dafür ist das Rezept nicht geprüft. Ändern Sie den Artikel, oder prüfen Sie das Rezept erneut.',
      en: 'The prescription is not checked for this. Change the line, or check the prescription again.',
    },
    prescription_fetching: {
      de: 'Das Rezept wird noch abgerufen.',
      en: 'The prescription is still being fetched.',
    },
    prescription_fetch_failed: {
      de: 'Der Abruf des Rezepts ist fehlgeschlagen.',
      en: 'The prescription could not be fetched.',
    },
    erezept_token: {
      de: 'E-Rezept-Ausdruck: bitte über die TI einlösen. Die Datei ist gelöscht; legen Sie sie beiseite, oder lehnen Sie ab.',
      en: 'Print-out of an E-Rezept: redeem it through the telematics infrastructure. The file is deleted; set it aside, or reject.',
    },
    signature_failed: {
      de: 'Die Signatur des Rezepts hält nicht: Legen Sie die Datei beiseite und fragen Sie nach einer neuen, oder begründen Sie es.',
      en: 'The signature of the prescription does not hold: set the file aside and ask for another one, or give a reason.',
    },
    signature_unconfirmed: {
      de: 'Bei der Signatur des Rezepts ist etwas offen: Bestätigen Sie es am Rezept.',
      en: 'Something about the signature of the prescription is open: confirm it at the prescription.',
    },
    prescription_expired: {
      de: 'Das Rezept ist nach seinem Ausstellungsdatum zu alt. Lehnen Sie ab, oder fragen Sie nach einem neuen.',
      en: 'By its date of issue the prescription is too old. Reject, or ask for a new one.',
    },
    prescription_price: {
      de: 'Der Preis eines verordneten Artikels weicht von Ihrem ab: Kennzeichnen Sie ihn als Zuzahlung, oder begründen Sie ihn.',
      en: 'The price of a prescribed item is not yours: mark it as a co-payment, or give a reason.',
    },
    unclear_unit: {
      de: 'Menge oder Packungen? Wählen Sie, was gemeint ist.',
      en: 'Amount or packs? Choose what is meant.',
    },
    fee_differs: {
      de: 'Der Gesamtbetrag passt nicht zu Artikeln und Gebühr. Wählen Sie, was der Unterschied ist.',
      en: 'The total does not fit the items and the fee. Choose what the difference is.',
    },
    prescription_redeemed: {
      de: 'Dasselbe Rezept liegt schon mit einer früheren Anfrage vor. Nur mit Begründung.',
      en: 'An earlier request has the same prescription. Only with a reason.',
    },
    question_open: {
      de: 'Eine Rückfrage ist offen. Tragen Sie die Antwort ein, oder bestätigen Sie, dass Sie ohne sie annehmen.',
      en: 'A question is open. Write down the answer, or confirm that you accept without it.',
    },
    payment_undecided: {
      de: 'Bezahlt ist ein anderer Betrag. Wählen Sie, was mit dem Unterschied geschieht.',
      en: 'Another amount was paid. Choose what becomes of the difference.',
    },
    not_available: {
      de: 'Ist derzeit nicht im Angebot. Nehmen Sie ein anderes Produkt, oder begründen Sie es.',
      en: 'Is not on offer at present. Take another product, or give a reason.',
    },
    not_available_for_pickup: {
      de: 'Wird nicht zur Abholung angeboten. Fragen Sie nach, oder begründen Sie es.',
      en: 'Is not offered for pickup. Ask, or give a reason.',
    },
    not_available_for_shipping: {
      de: 'Wird nicht verschickt oder gebracht. Fragen Sie nach, oder begründen Sie es.',
      en: 'Is not sent. Ask, or give a reason.',
    },
    rule_blocks: {
      de: 'Eine Regel Ihrer Apotheke spricht gegen diesen Versandweg. Fragen Sie nach, oder begründen Sie es.',
      en: 'A rule of your pharmacy speaks against this way of shipping. Ask, or give a reason.',
    },
    difference: {
      de: 'Weicht von der Anfrage ab: Bestätigen Sie es am Artikel, oder ändern Sie ihn.',
      en: 'Differs from what was asked for: acknowledge it at the line, or change the line.',
    },
  },
  blockerShort: {
    no_lines: { de: 'Artikel fehlen', en: 'Items missing' },
    unmatched_line: { de: 'Nicht zugeordnet', en: 'Not matched' },
    insufficient_stock: { de: 'Bestand reicht nicht', en: 'Not enough in stock' },
    address_missing: { de: 'Anschrift fehlt', en: 'No address' },
    payment_missing: { de: 'Zahlung ungeklärt', en: 'Payment unclear' },
    prescription_missing: { de: 'Rezept fehlt', en: 'No prescription' },
    prescription_not_reviewed: { de: 'Rezept prüfen', en: 'Review prescription' },
    prescription_not_covering: { de: 'Rezept deckt das nicht', en: 'Not covered by prescription' },
    erezept_token: { de: 'E-Rezept-Ausdruck', en: 'Print-out of an E-Rezept' },
    signature_failed: { de: 'Signatur hält nicht', en: 'Signature does not hold' },
    signature_unconfirmed: { de: 'Signatur bestätigen', en: 'Confirm the signature' },
    prescription_fetching: { de: 'Rezept wird abgerufen', en: 'Fetching prescription' },
    prescription_fetch_failed: { de: 'Abruf fehlgeschlagen', en: 'Prescription not fetched' },
    prescription_expired: { de: 'Rezept abgelaufen', en: 'Prescription expired' },
    prescription_price: { de: 'Anderer Preis', en: 'Another price' },
    payment_undecided: { de: 'Betrag weicht ab', en: 'Amount differs' },
    prescription_redeemed: { de: 'Rezept schon eingelöst', en: 'Prescription redeemed before' },
    question_open: { de: 'Rückfrage offen', en: 'Question open' },
    not_available: { de: 'Nicht im Angebot', en: 'Not on offer' },
    not_available_for_pickup: { de: 'Nicht zur Abholung', en: 'Not for pickup' },
    not_available_for_shipping: { de: 'Nicht zum Versand', en: 'Not for shipping' },
    rule_blocks: { de: 'Regel gegen den Versandweg', en: 'Rule against this shipping' },
    fee_differs: { de: 'Gesamtbetrag weicht ab', en: 'Total differs' },
    unclear_unit: { de: 'Einheit unklar', en: 'Unit unclear' },
    difference: { de: 'Abweichung', en: 'Difference' },
  },
  /** For the role `staff`, which may not see prescriptions. */
  staff: {
    blockerTexts: {
      prescription_missing: {
        de: 'Rezeptpflichtig, aber das Rezept fehlt. Apotheker und Inhaber können es hochladen.',
        en: 'Requires a prescription, but there is none. Pharmacists and owners can upload it.',
      },
      prescription_not_reviewed: {
        de: 'Das Rezept ist noch nicht geprüft. Apotheker und Inhaber können es ansehen und prüfen.',
        en: 'The prescription is not checked yet. Pharmacists and owners can see and check it.',
      },
      prescription_not_covering: {
        de: 'Dafür ist das Rezept nicht geprüft. Ändern Sie den Artikel; Apotheker und Inhaber können das Rezept erneut prüfen.',
        en: 'The prescription is not checked for this. Change the line; pharmacists and owners can check the prescription again.',
      },
      prescription_price: {
        de: 'Der Preis eines verordneten Artikels weicht von Ihrem ab. Apotheker und Inhaber können ihn übernehmen.',
        en: 'The price of a prescribed item is not yours. Pharmacists and owners can take it over.',
      },
      prescription_fetch_failed: {
        de: 'Der Abruf des Rezepts ist fehlgeschlagen. Apotheker und Inhaber können es erneut abrufen oder hochladen.',
        en: 'The prescription could not be fetched. Pharmacists and owners can fetch or upload it.',
      },
    },
    blockerShort: {
      prescription_not_reviewed: { de: 'Rezept: Apotheker prüft', en: 'A pharmacist reviews' },
    },
  },
  ...formMessages,
  ...reviewMessages,
  productId: { de: 'Produkt', en: 'Product' },
  foundProducts: {
    de: (count: number): string =>
      count === 0
        ? 'Kein Produkt Ihres Sortiments gefunden.'
        : count === 1
          ? '1 Produkt gefunden'
          : `${count} Produkte gefunden`,
    en: (count: number): string =>
      count === 0 ? 'No product of your inventory found.' : count === 1 ? '1 product found' : `${count} products found`,
  },
  override: { de: 'Trotzdem annehmen, mit Begründung', en: 'Accept anyway, with a reason' },
  approve: { de: 'Bestellung annehmen', en: 'Accept order' },
  unchecked: { de: 'neu zu prüfen', en: 'to be checked again' },
  reject: { de: 'Ablehnen', en: 'Reject' },
  rejectNoteHint: { de: 'Nötig bei „Anderer Grund“.', en: 'Needed for “Another reason”.' },
  needsInfo: { de: 'Rückfrage', en: 'Needs info' },
  infoNote: { de: 'Was fehlt?', en: 'What is missing?' },
  saveInfo: { de: 'Rückfrage vermerken', en: 'Save the question' },
  questionAbout: { de: 'Worum geht es?', en: 'What is it about?' },
  questionCodes: orders.questionCodes,
  answer: { de: 'Antwort', en: 'Answer' },
  note: { de: 'Notiz', en: 'Note' },
  delete: { de: 'Anfrage löschen', en: 'Delete request' },
  setHold: { de: 'Aufbewahrung anordnen …', en: 'Set a legal hold …' },
  releaseHold: { de: 'Aufbewahrung aufheben …', en: 'Release the legal hold …' },
  holdTitle: {
    de: (person: string): string => `Bestellanfrage von ${person} aus rechtlichen Gründen aufbewahren?`,
    en: (person: string): string => `Keep the order request from ${person} for legal reasons?`,
  },
  holdLead: {
    de: 'Solange das gilt, kann die Anfrage nicht gelöscht werden: nicht von Hand, nicht auf Verlangen der Person und nicht nach Ablauf der Frist.',
    en: 'Until you release the hold, the request cannot be deleted: not by hand, not when the person asks for it and not at the end of retention.',
  },
  holdNow: { de: 'Aufbewahrung anordnen', en: 'Set the legal hold' },
  releaseTitle: {
    de: (person: string): string => `Aufbewahrung der Bestellanfrage von ${person} aufheben?`,
    en: (person: string): string => `Release the legal hold on the order request from ${person}?`,
  },
  releaseLead: {
    de: 'Danach kann die Anfrage gelöscht werden, und nach Ablauf der Frist geschieht das von selbst.',
    en: 'The request can then be deleted; at the end of retention this happens automatically.',
  },
  releaseNow: { de: 'Aufbewahrung aufheben', en: 'Release the legal hold' },
  deleteTitle: {
    de: (person: string): string => `Bestellanfrage von ${person} löschen?`,
    en: (person: string): string => `Delete the order request from ${person}?`,
  },
  deleteLead: {
    de: 'Alle Angaben zur Person und das Rezept werden entfernt. Das lässt sich nicht zurücknehmen.',
    en: 'Everything about the person and the prescription is removed. This cannot be undone.',
  },
  approvedStays: { de: 'Aus der Anfrage ist eine Bestellung geworden.', en: 'The request has become an order.' },
  byProgram: { de: 'einem Programm über die API', en: 'a program through the API' },
  decided: {
    de: (what: string, who: string, when: string): string => `${what} von ${who} am ${when}.`,
    en: (what: string, who: string, when: string): string => `${what} by ${who} on ${when}.`,
  },
  newOne: { de: '1 neue Anfrage', en: '1 new request' },
  notify: { de: 'Benachrichtigen', en: 'Notify me' },
  notifyHint: {
    de: 'Dieser Browser meldet neue Anfragen, wenn ein anderes Fenster vorn ist: nur ihre Zahl, keine Namen.',
    en: 'This browser tells of new requests while another window is in front: only how many, no names.',
  },
  notifyOne: { de: 'Neue Bestellanfrage', en: 'New order request' },
  notifyMany: { de: '{n} neue Bestellanfragen', en: '{n} new order requests' },
  newMany: { de: '{n} neue Anfragen', en: '{n} new requests' },
});
