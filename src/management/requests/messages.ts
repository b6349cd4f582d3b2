import { type Texts, texts } from '../http/language';
import { orders } from '../ui/order-messages';

/** Texts of the approval form. */
const formMessages = {
  tickMissing: [
    'Rezept: bitte prüfen und ankreuzen, oder beiseitelegen.',
    'Prescription: please check and tick it, or set it aside.',
  ],
  checkedAs: ['Nachweis', 'proof'],
  checkedAsTexts: {
    signed_file: ['QES geprüft', 'QES checked'],
    verified_elsewhere: ['Extern geprüft', 'Checked elsewhere'],
    original_present: ['Original liegt vor', 'Original is here'],
    original_follows: ['Original folgt', 'Original to follow'],
  },
  checkedAsPending: ['Signatur wird geprüft …', 'Checking the signature …'],
  checkedAsMissing: ['Bitte den Nachweis wählen.', 'Please choose the proof.'],
  verifiedWith: ['Programm, Ergebnis', 'program, result'],
  confirmAdded: [
    'Nach der Signatur ergänzt: die signierte Fassung gilt',
    'Content added after signing: the signed revision counts',
  ],
  confirmLater: ['Ohne Auskunft zur Sperrung annehmen', 'Accept without knowing about revocation'],
  confirmMissing: ['Bitte bestätigen, was bei der Signatur offen ist.', 'Confirm what is open about the signature.'],
  readingCopy: [
    'Lesekopie ohne Signatur: die signierte Datei zählt',
    'Copy to read without a signature: the signed file counts',
  ],
  issuedOn: ['ausgestellt am', 'issued on'],
  issuedOnHint: ['TT.MM.JJJJ', 'YYYY-MM-DD'],
  issuedOnWrong: [
    'Bitte ein Datum bis heute angeben, zum Beispiel 20.11.2026.',
    'Please enter a date up to today, for example 2026-11-20.',
  ],
  questionOpen: [
    'Bitte die Antwort eintragen, oder bestätigen, dass Sie ohne sie annehmen.',
    'Please write down the answer, or confirm that you accept without it.',
  ],
  acknowledgeMissing: [
    'Bitte die Abweichung bestätigen oder den Artikel ändern.',
    'Please acknowledge the difference, or change the item.',
  ],
  coPayment: ['Zuzahlung', 'Co-payment'],
  differences: {
    ...orders.differences,
    manufacturer: ['Anderer Hersteller', 'Another manufacturer'],
    words: ['Andere Wörter', 'Other words'],
    n_size: ['Andere Normgröße', 'Another N size'],
    quantity: ['Viele Packungen', 'Many packs'],
    unclear_unit: ['Einheit unklar', 'Unit unclear'],
    unit_step: ['Nicht in ganze Packungen teilbar', 'Not whole packs'],
    price: ['Preis weicht ab', 'Price differs'],
    sent_price: ['Gesendeter Preis', 'Sent price'],
  },
  units: orders.units,
  payment: (paid: string, total: string) => [`Bezahlt ${paid}, jetzt ${total}`, `Paid ${paid}, now ${total}`],
  remainder: (sent: string, computed: string) => [
    `Gesendet ${sent}, ohne Gebühr oder Abzug ${computed}`,
    `Sent ${sent}, without fee or discount ${computed}`,
  ],
  remainders: {
    fee: ['Gebühr', 'Fee'],
    ...orders.discounts,
    check_price: ['Preis prüfen', 'Check the price'],
  },
  checkedTotal: (total: string) => [`es gilt ${total}`, `the total is ${total}`],
  choose: (what: string) => [`${what}: bitte wählen.`, `${what}: please choose.`],
  paymentActions: {
    collect: ['Differenz kassieren', 'Collect the difference'],
    refund: ['Differenz erstatten', 'Refund the difference'],
    ask: ['Nachfragen', 'Ask the customer'],
  },
} satisfies Texts;

/** Texts of a request's page other than its items: prescriptions, open points, and the decision. */
const reviewMessages = {
  previous: ['Vorige Anfrage', 'Previous request'],
  next: ['Nächste Anfrage', 'Next request'],
  place: (place: number, of: string) => [`${place} von ${of}`, `${place} of ${of}`],
  prescription: (number: number) => [`Rezept ${number}`, `Prescription ${number}`],
  whichPrescription: ['Rezept anzeigen', 'Show prescription'],
  wider: ['Rezept breiter', 'Prescription wider'],
  noneSent: ['Kein Rezept mitgeschickt', 'No prescription was sent'],
  noneSentHint: [
    'Laden Sie das Rezept hoch, oder bitten Sie mit einer Rückfrage darum.',
    'Upload the prescription, or ask for it with a question.',
  ],
  fetching: ['Das Rezept wird gerade abgerufen.', 'The prescription is being fetched.'],
  thereAre: (count: number) =>
    count === 1
      ? ['Ein Rezept liegt vor', 'There is a prescription']
      : [`${count} Rezepte liegen vor`, `There are ${count} prescriptions`],
  whoMayCheck: (names: string) => [
    `Rezepte sehen und prüfen Apotheker und Inhaber${names === '' ? '.' : `, bei Ihnen ${names}.`}`,
    `Pharmacists and owners see and check prescriptions${names === '' ? '.' : `; at your pharmacy, ${names}.`}`,
  ],
  whoMayApprove: ['Annehmen kann, wer das Rezept prüft.', 'Whoever checks the prescription can accept.'],
  saveReview: ['Änderungen speichern', 'Save changes'],
  prepared: (who: string, when: string) => [`Vorbereitet von ${who}, ${when}.`, `Prepared by ${who}, ${when}.`],
  somebody: ['einer ehemaligen Person', 'a former team member'],
  discardDraft: ['Vorbereitung verwerfen', 'Discard the preparation'],
  redeemed: {
    stops: ['Dasselbe Rezept liegt schon vor:', 'The same prescription came before:'],
    told: ['Dasselbe Rezept kam auch mit:', 'The same prescription also came with:'],
    order: (number: number) => [`Bestellung ${number}`, `Order ${number}`],
    pending: ['wartet', 'waiting'],
    deleted: ['gelöscht', 'deleted'],
    reasons: [
      ['Teillieferung', 'Wiederholung laut Rezept'],
      ['Partial supply', 'Repeat as prescribed'],
    ],
    reject: ['Ablehnen: Rezept liegt schon vor', 'Reject: prescription came before'],
  },
  viewer: {
    bar: ['Ansicht des Rezepts', 'View of the prescription'],
    page: ['Seite % von %', 'Page % of %'],
    waits: ['Wird geladen …', 'Loading …'],
    back: ['Vorige Seite', 'Previous page'],
    on: ['Nächste Seite', 'Next page'],
    smaller: ['Kleiner', 'Smaller'],
    larger: ['Größer', 'Larger'],
    turn: ['Drehen', 'Rotate'],
    seen: ['% von % gesehen', '% of % seen'],
    locked: ['Die Datei ist mit einem Kennwort gesperrt.', 'The file is locked with a password.'],
    damaged: ['Die Datei ist beschädigt oder hat keine Seiten.', 'The file is damaged or has no pages.'],
    unreached: [
      'Der Abruf des Rezepts ist fehlgeschlagen. Bitte die Seite neu laden.',
      'The prescription could not be loaded. Please reload the page.',
    ],
    unopened: ['Datei nicht zu öffnen, bitte neu senden.', 'The file cannot be opened, please send it again.'],
    askUnreadable: ['Rückfrage: Rezept unleserlich', 'Ask: prescription unreadable'],
  },
  asideShort: ['Gehört nicht dazu …', 'Not part of it …'],
  asideTitle: (which: string) => [`${which} gehört nicht zu dieser Bestellung`, `${which} is not part of this order`],
  asideHint: [
    'Es bleibt bei der Anfrage und gilt nicht als geprüft.',
    'It stays with the request and does not count as checked.',
  ],
  asideReasons: [
    ['Andere Person', 'Andere Bestellung', 'Doppelt geschickt', 'Kein Rezept'],
    ['Another person', 'Another order', 'Sent twice', 'No prescription'],
  ],
  asideNow: ['Beiseitelegen', 'Set aside'],
  aside: (which: string) => [`${which} beiseitegelegt:`, `${which} set aside:`],
  takeBack: ['Zurückholen', 'Restore'],
  checkedOne: (which: string) => [`${which} geprüft`, `${which.replace('Prescription', 'Rx')} checked`],
  checkedBefore: (which: string, when: string) => [`${which} geprüft am ${when}`, `${which} checked on ${when}`],
  noneNeeded: ['Kein Rezept nötig: alle Artikel sind rezeptfrei.', 'No prescription needed: no item requires one.'],
  onlyOverTheCounter: [
    'Ohne Rezept lässt sich nur annehmen, was rezeptfrei ist.',
    'Without a prescription you can accept only what requires none.',
  ],
  decisionLabel: ['Entscheidung', 'Decision'],
  leftToSettle: (count: number) => [`${count} zu klären:`, `${count} to settle:`],
  toAcknowledge: (count: number) => [`${count} zu bestätigen:`, `${count} to confirm:`],
  more: (count: number) => [`und ${count} weitere`, `and ${count} more`],
  line: (number: number) => [`Pos. ${number}`, `Item ${number}`],
  withReason: ['mit Begründung annehmen', 'accept with a reason'],
  askForNew: ['Neues Rezept erbitten', 'Ask for a new prescription'],
  packs: (count: number) => (count === 1 ? ['1 Packung', '1 pack'] : [`${count} Packungen`, `${count} packs`]),
  askTitle: ['Rückfrage stellen', 'Ask a question'],
  askHint: [
    'Wird nur vermerkt, und die Anfrage wartet auf die Antwort. An den Kunden schreiben Sie danach unter „Nachricht“.',
    'Only noted, and the request waits for the answer. You write to the customer afterwards, under “Message”.',
  ],
  rejectTitle: (person: string) => [`Anfrage von ${person} ablehnen?`, `Reject the request from ${person}?`],
} satisfies Texts;

/** Texts of this area's pages, in the reader's language. */
export const messages = texts({
  tabsLabel: ['Status der Anfragen', 'Status of the requests'],
  waits: ['Wartet', 'Waits'],
  oldest: (wait: string) => [`Die älteste wartet seit ${wait}`, `The oldest has waited for ${wait}`],
  late: ['wartet lange', 'waiting long'],
  overdue: ['überfällig', 'overdue'],
  warningShort: {
    fee_differs: ['Gesamtbetrag weicht ab', 'Total differs'],
    payment_method_conflict: ['Zahlung ungeklärt', 'Payment unclear'],
    product_id_conflict: ['Zwei Produktnummern', 'Two product IDs'],
  },
  /** The platform's latest supplement to its request. */
  supplemented: {
    note: ['Antwort der Plattform', 'Platform answered'],
    file: ['Rezept nachgereicht', 'Prescription sent later'],
  },
  toSettle: ['Zu klären', 'To settle'],
  byPrescription: ['Nach Rezept, keine Artikel genannt', 'By prescription, no items named'],
  further: ['weitere', 'more'],
  search: ['In dieser Liste suchen', 'Search this list'],
  inThisList: ['In dieser Liste', 'In this list'],
  nextPage: ['Weitere anzeigen', 'Show more'],
  nothingFound: ['Keine Anfrage passt zu diesem Filter', 'No request matches this filter'],
  emptyTab: ['Hier steht noch nichts.', 'Nothing here yet.'],
  emptyTitle: ['Keine Anfrage wartet', 'No request is waiting'],
  allDecided: ['Alles entschieden', 'All decided'],
  emptyLead: [
    'Neue Anfragen erscheinen hier von selbst, die älteste oben.',
    'New requests appear here by themselves, the oldest on top.',
  ],
  today: (
    { requests, decided, packed, left }: Record<'requests' | 'decided' | 'packed' | 'left', number>,
    cash: string,
  ) => [
    `Heute: ${requests} Anfragen, ${decided} entschieden, ${packed} gepackt, ${left} abgegeben, ${cash} kassiert`,
    `Today: ${requests} requests, ${decided} decided, ${packed} packed, ${left} handed over, ${cash} taken`,
  ],
  emptyTry: ['Eine Testanfrage senden', 'Send a test request'],
  pack: (count: number) =>
    count === 1 ? ['1 Bestellung packen', 'Pack 1 order'] : [`${count} Bestellungen packen`, `Pack ${count} orders`],
  openQuestions: (count: number) =>
    count === 1 ? ['1 Rückfrage offen', '1 question open'] : [`${count} Rückfragen offen`, `${count} questions open`],
  emptyWithoutShop: [
    'Neue Anfragen erscheinen hier, sobald Ihr Shop eine Adresse hat.',
    'New requests appear here as soon as your shop has an address.',
  ],
  paymentsShort: {
    cash_on_pickup: ['bei Abholung', 'on pickup'],
    paid: ['bezahlt', 'paid'],
    pending: ['offen', 'unpaid'],
  },
  refund: (sum: string) => [`${sum} erstatten`, `Refund ${sum}`],
  expires: (day: string) => [`Anfrage verfällt am ${day}`, `Request expires on ${day}`],
  payments: {
    cash_on_pickup: ['Zahlung bei Abholung', 'Cash on pickup'],
    paid: ['Bezahlt', 'Paid'],
    pending: ['Zahlung offen', 'Unpaid'],
  },
  reviewTitle: (person: string) => [`Bestellanfrage von ${person}`, `Order request from ${person}`],
  backToInbox: ['Alle Anfragen', 'All requests'],
  unitPrice: ['Einzelpreis in €', 'Unit price in €'],
  reservedUntil: (time: string, items: string) => [
    `Vorgemerkt bis ${time}: ${items}`,
    `Reserved until ${time}: ${items}`,
  ],
  shortage: (requested: number, stock: number) => [
    `${requested} angefragt, ${stock} vorrätig`,
    `${requested} requested, ${stock} in stock`,
  ],
  blockerTexts: {
    no_lines: ['Tragen Sie die Artikel aus dem Rezept ein.', 'Add the items of the prescription.'],
    unmatched_line: [
      'Ohne Produkt ändert sich der Bestand nicht. Wählen Sie eines, oder begründen Sie es.',
      'Without a product, stock does not change. Choose one, or give a reason.',
    ],
    address_missing: [
      'Soll gebracht oder verschickt werden, aber die Anschrift fehlt. Fragen Sie nach, oder begründen Sie es.',
      'It is to be delivered or shipped, but there is no address. Ask for it, or give a reason.',
    ],
    payment_missing: [
      'Soll gebracht oder verschickt werden, aber bezahlt wird bei Abholung. Fragen Sie nach, oder begründen Sie es.',
      'It is to be delivered or shipped, but payment is at pickup. Ask, or give a reason.',
    ],
    prescription_fetch_failed: ['Der Abruf des Rezepts ist fehlgeschlagen.', 'The prescription could not be fetched.'],
    signature_failed: [
      'Die Signatur des Rezepts ist ungültig: Legen Sie die Datei beiseite und fragen Sie nach einer neuen, oder begründen Sie es.',
      'The signature of the prescription is invalid: set the file aside and ask for another one, or give a reason.',
    ],
    prescription_expired: [
      'Das Rezept ist nach seinem Ausstellungsdatum zu alt. Lehnen Sie ab, oder fragen Sie nach einem neuen.',
      'By its date of issue the prescription is too old. Reject, or ask for a new one.',
    ],
    prescription_price: [
      'Der Preis eines verordneten Artikels weicht von Ihrem ab: Kennzeichnen Sie ihn als Zuzahlung, oder begründen Sie ihn.',
      'The price of a prescribed item differs from yours: mark it as a co-payment, or give a reason.',
    ],
    prescription_redeemed: [
      'Dasselbe Rezept liegt schon mit einer früheren Anfrage vor.',
      'An earlier request has the same prescription.',
    ],
    not_available: [
      'Wird derzeit nicht angeboten. Nehmen Sie ein anderes Produkt, oder begründen Sie es.',
      'Is not offered at present. Choose another product, or give a reason.',
    ],
    not_available_for_pickup: [
      'Wird nicht zur Abholung angeboten. Fragen Sie nach, oder begründen Sie es.',
      'Is not offered for pickup. Ask, or give a reason.',
    ],
    not_available_for_shipping: [
      'Wird nicht verschickt oder gebracht. Fragen Sie nach, oder begründen Sie es.',
      'Cannot be shipped. Ask, or give a reason.',
    ],
    rule_blocks: [
      'Eine Regel Ihrer Apotheke spricht gegen diese Lieferart. Fragen Sie nach, oder begründen Sie es.',
      'A rule of your pharmacy advises against this delivery method. Ask, or give a reason.',
    ],
  },
  blockerShort: {
    no_lines: ['Artikel fehlen', 'Items missing'],
    unmatched_line: ['Nicht zugeordnet', 'Not matched'],
    insufficient_stock: ['Bestand reicht nicht', 'Not enough in stock'],
    address_missing: ['Anschrift fehlt', 'No address'],
    payment_missing: ['Zahlung ungeklärt', 'Payment unclear'],
    prescription_missing: ['Rezept fehlt', 'No prescription'],
    prescription_not_reviewed: ['Rezept prüfen', 'Review prescription'],
    prescription_not_covering: ['Rezept deckt das nicht', 'Not covered by prescription'],
    erezept_token: [
      'E-Rezept-Ausdruck: bitte über die TI einlösen',
      'Printout of an E-Rezept: please redeem it through the TI',
    ],
    signature_failed: ['Signatur ungültig', 'Signature is invalid'],
    signature_unconfirmed: ['Signatur bestätigen', 'Confirm the signature'],
    prescription_fetching: ['Rezept wird abgerufen', 'Fetching prescription'],
    prescription_fetch_failed: ['Rezept nicht abrufbar', 'Prescription not fetched'],
    prescription_expired: ['Rezept abgelaufen', 'Prescription expired'],
    prescription_price: ['Anderer Preis', 'Another price'],
    payment_undecided: ['Betrag weicht ab', 'Amount differs'],
    prescription_redeemed: ['Rezept liegt schon vor', 'Prescription came before'],
    question_open: ['Rückfrage offen', 'Open question'],
    not_available: ['Nicht angeboten', 'Not offered'],
    not_available_for_pickup: ['Nicht zur Abholung', 'Not for pickup'],
    not_available_for_shipping: ['Nicht zum Versand', 'Not for shipping'],
    rule_blocks: ['Regel gegen die Lieferart', 'Rule against this shipping'],
    fee_differs: ['Gesamtbetrag weicht ab', 'Total differs'],
    unclear_unit: ['Einheit unklar', 'Unit unclear'],
    difference: ['Abweichung', 'Difference'],
  },
  /** For the role `staff`, which may not see prescriptions. */
  staffTexts: {
    prescription_price: [
      'Der Preis eines verordneten Artikels weicht von Ihrem ab. Apotheker und Inhaber können ihn übernehmen.',
      'The price of a prescribed item differs from yours. Pharmacists and owners can accept it.',
    ],
  },
  ...formMessages,
  ...reviewMessages,
  productId: ['Produkt', 'Product'],
  foundProducts: (count: number) =>
    count === 0
      ? ['Kein Produkt Ihres Sortiments gefunden.', 'No product in your inventory found.']
      : count === 1
        ? ['1 Produkt gefunden', '1 product found']
        : [`${count} Produkte gefunden`, `${count} products found`],
  override: ['Trotzdem annehmen, mit Begründung', 'Accept anyway, with a reason'],
  approve: ['Bestellung annehmen', 'Accept order'],
  unchecked: ['neu zu prüfen', 'to be checked again'],
  reject: ['Ablehnen', 'Reject'],
  rejectNoteHint: ['Nötig bei „Anderer Grund“.', 'Needed for “Another reason”.'],
  needsInfo: ['Rückfrage', 'Question'],
  infoNote: ['Was fehlt?', 'What is missing?'],
  saveInfo: ['Rückfrage vermerken', 'Save the question'],
  questionAbout: ['Worum geht es?', 'What is it about?'],
  questionCodes: orders.questionCodes,
  answer: ['Antwort', 'Answer'],
  note: ['Notiz', 'Note'],
  delete: ['Anfrage löschen', 'Delete request'],
  setHold: ['Aufbewahrung anordnen …', 'Set a legal hold …'],
  releaseHold: ['Aufbewahrung aufheben …', 'Release the legal hold …'],
  holdTitle: (person: string) => [
    `Bestellanfrage von ${person} aus rechtlichen Gründen aufbewahren?`,
    `Keep the order request from ${person} for legal reasons?`,
  ],
  holdLead: [
    'Solange das gilt, kann die Anfrage nicht gelöscht werden: nicht von Hand, nicht auf Verlangen der Person und nicht nach Ablauf der Frist.',
    'Until you release the hold, the request cannot be deleted: not by hand, not when the person asks for it and not at the end of retention.',
  ],
  holdNow: ['Aufbewahrung anordnen', 'Set the legal hold'],
  releaseTitle: (person: string) => [
    `Aufbewahrung der Bestellanfrage von ${person} aufheben?`,
    `Release the legal hold on the order request from ${person}?`,
  ],
  releaseLead: [
    'Danach kann die Anfrage gelöscht werden, und nach Ablauf der Frist geschieht das von selbst.',
    'The request can then be deleted; at the end of retention this happens automatically.',
  ],
  releaseNow: ['Aufbewahrung aufheben', 'Release the legal hold'],
  deleteTitle: (person: string) => [`Bestellanfrage von ${person} löschen?`, `Delete the order request of ${person}?`],
  deleteLead: [
    'Alle Angaben zur Person und das Rezept werden entfernt. Das lässt sich nicht zurücknehmen.',
    'Everything about the person and the prescription is removed. This cannot be undone.',
  ],
  byProgram: ['einem Programm über die API', 'a program through the API'],
  decided: (what: string, who: string, when: string) => [
    `${what} von ${who} am ${when}.`,
    `${what} by ${who} on ${when}.`,
  ],
  newOne: ['1 neue Anfrage', '1 new request'],
  notify: ['Benachrichtigen', 'Notify me'],
  notifyHint: [
    'Dieser Browser meldet neue Anfragen, wenn ein anderes Fenster vorn ist: nur ihre Zahl, keine Namen.',
    'This browser notifies you of new requests while another window is in front: only the number, no names.',
  ],
  notifyOne: ['Neue Bestellanfrage', 'New order request'],
  notifyMany: ['{n} neue Bestellanfragen', '{n} new order requests'],
  newMany: ['{n} neue Anfragen', '{n} new requests'],
});

/** Texts about signatures. None says "gültig" (valid): this is no qualified validation service (Art. 33 eIDAS). */
export const signatureMessages = texts({
  words: {
    pending: ['Signatur wird geprüft …', 'The signature is being checked …'],
    passed: ['QES geprüft, unverändert', 'QES checked, unchanged'],
    later: ['QES, Sperrstatus noch nicht geprüft', 'QES, revocation not checked yet'],
    notQualified: ['Keine QES: reicht für dieses Rezept nicht', 'No QES: not enough for this prescription'],
    seal: ['Siegel, keine Arztsignatur', 'A seal, no doctor’s signature'],
    notListed: ['Aussteller nicht auf der EU-Vertrauensliste', 'Issuer is not on the EU trusted list'],
    failed: ['Signatur ungültig: Datei passt nicht zur Signatur', 'Signature invalid: the file does not match it'],
    added: ['Nach der Signatur ergänzt', 'Content added after signing'],
    none: ['Keine elektronische Signatur', 'No electronic signature'],
    unchecked: ['Signatur konnte nicht geprüft werden', 'The signature could not be checked'],
  },
  sealOf: (who: string) => [`Siegel von ${who}, keine Arztsignatur`, `Seal of ${who}, no doctor’s signature`],
  shown: ['Maßgeblich ist die signierte Fassung (gezeigt).', 'The signed revision counts (shown).'],
  reported: (who: string) => [`von ${who} gemeldet, hier nicht geprüft`, `reported by ${who}, not checked here`],
  unknown: ['unbekannt', 'unknown'],
  noProfession: ['Beruf nicht im Zertifikat', 'Profession not in the certificate'],
  facts: {
    signer: ['Signiert von', 'Signed by'],
    prescriber: ['Verordnet von (Plattform)', 'Prescribed by (platform)'],
    profession: ['Beruf', 'Profession'],
    issuer: ['Aussteller des Zertifikats', 'Issuer of the certificate'],
    signedAt: ['Signiert am', 'Signed on'],
    qualification: ['Art der Signatur', 'Type of signature'],
    revocation: ['Sperrstatus', 'Revocation'],
    later: ['Spätere Änderungen', 'Later changes'],
    algorithm: ['Verfahren', 'Algorithm'],
    code: ['Ergebnis (ETSI)', 'Result (ETSI)'],
    checkedAt: ['Geprüft am', 'Checked on'],
  },
  qualifications: {
    qualified: ['qualifiziert (Zertifikat und Gerät)', 'qualified (certificate and device)'],
    qualified_certificate: ['qualifiziertes Zertifikat, ohne Gerät', 'qualified certificate, without a device'],
    advanced: ['fortgeschritten', 'advanced'],
    seal: ['Siegel', 'seal'],
    not_listed: ['Aussteller nicht auf der Liste', 'issuer not listed'],
  },
  revocations: {
    good: ['nicht gesperrt', 'not revoked'],
    revoked: ['gesperrt', 'revoked'],
    not_checked: ['nicht geprüft', 'not checked'],
    not_applicable: ['entfällt (kurzlebiges Zertifikat)', 'does not apply (short-term certificate)'],
  },
  changes: {
    none: ['keine', 'none'],
    metadata: ['nur Angaben zur Datei', 'only the file’s properties'],
    validation_data: ['nur Prüfdaten und Zeitstempel', 'only validation data and time stamps'],
    signatures: ['nur weitere Signaturen', 'only further signatures'],
    other: ['andere', 'other'],
  },
  weak: {
    sha1: ['SHA-1 (schwach)', 'SHA-1 (weak)'],
    rsa_short: ['RSA unter 2.048 Bit (schwach)', 'RSA below 2,048 bits (weak)'],
  },
  askSigned: ['Signierte Datei anfordern', 'Ask for the signed file'],
  pendingHint: [
    'Dauert wenige Sekunden. Ansehen können Sie das Rezept schon.',
    'It takes a few seconds. You can look at the prescription already.',
  ],
  notChecked: [
    'Technische Hilfe, kein qualifizierter Validierungsdienst. Nicht geprüft: Einlösung in anderen Apotheken.',
    'Technical aid, not a qualified validation service. Not checked: redemption in other pharmacies.',
  ],
});
