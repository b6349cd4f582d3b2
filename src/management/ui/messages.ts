import { DUPLICATE_DAYS } from '../../order-requests/limits';
import { flashMessages } from '../http/flash-messages';
import { texts } from '../http/language';
import { errorMessages } from './error-messages';
import { orders, prescriptions, products } from './order-messages';

/** Texts of the frame: navigation, search, keyboard shortcuts. */
const frameMessages = {
  nav: {
    orderRequests: { de: 'Bestellanfragen', en: 'Order requests' },
    orders: { de: 'Bestellungen', en: 'Orders' },
    products: { de: 'Produkte', en: 'Products' },
    reports: { de: 'Berichte', en: 'Reports' },
    settings: { de: 'Einstellungen', en: 'Settings' },
    account: { de: 'Mein Konto', en: 'My account' },
    members: { de: 'Team', en: 'Members' },
    keys: { de: 'API-Schlüssel', en: 'API keys' },
    webhooks: { de: 'Webhooks', en: 'Webhooks' },
    shops: { de: 'Shops', en: 'Shops' },
    organization: { de: 'Apotheke', en: 'Organization' },
    audit: { de: 'Protokoll', en: 'Audit log' },
  },
  /** Short names below the icons of a phone's navigation. */
  navShort: {
    orderRequests: { de: 'Anfragen', en: 'Requests' },
    orders: { de: 'Bestellungen', en: 'Orders' },
    products: { de: 'Produkte', en: 'Products' },
    reports: { de: 'Berichte', en: 'Reports' },
    settings: { de: 'Mehr', en: 'More' },
  },
  frame: {
    current: { de: 'aktuell {time}', en: 'current {time}' },
    lost: { de: 'keine Verbindung seit {time}', en: 'no connection since {time}' },
    signedOut: { de: 'abgemeldet', en: 'signed out' },
    signIn: { de: 'anmelden', en: 'sign in' },
    old: { de: 'Seite von einem früheren Tag:', en: 'page of an earlier day:' },
    reload: { de: 'neu laden', en: 'reload' },
    toPack: { de: 'zu packen', en: 'to pack' },
    testLead: { de: 'Testapotheke: Nichts hier ist echt.', en: 'Test pharmacy: nothing here is real.' },
    leaveTest: { de: 'Zur echten Apotheke', en: 'To the live pharmacy' },
  },
  search: {
    camera: { de: 'Mit der Kamera scannen', en: 'Scan with the camera' },
    tooLong: {
      de: (max: number): string => `Höchstens ${max} Zeichen.`,
      en: (max: number): string => `${max} characters at most.`,
    },
    label: {
      de: 'Anfragen, Bestellungen und Produkte suchen',
      en: 'Search order requests, orders and products',
    },
    hint: { de: 'Name, Bestellung, PZN …', en: 'Name, order, PZN …' },
    open: { de: 'Suchen', en: 'Search' },
    everywhere: {
      de: (typed: string): string => `Überall nach „${typed}“ suchen`,
      en: (typed: string): string => `Search everything for “${typed}”`,
    },
  },
  shortcuts: {
    title: { de: 'Tastenkürzel', en: 'Keyboard shortcuts' },
    keys: {
      de: [
        ['/', 'Alles durchsuchen'],
        ['f', 'Diese Liste durchsuchen'],
        ['j · k', 'In Listen eine Zeile hinunter · hinauf'],
        ['Eingabe', 'Zeile öffnen, Schaltfläche auslösen'],
        ['a', 'Zum nächsten Häkchen, das fehlt, dann zur Entscheidung oder zum Bestätigen; die Eingabetaste bestätigt'],
        ['Leertaste', 'Setzt ein Häkchen und führt zum nächsten'],
        ['s', 'Zum Scanfeld'],
        ['r', 'Zum Ablehnen oder Stornieren: erst der Grund'],
        ['i', 'Zur Rückfrage'],
        ['n', 'Zur nächsten offenen Anfrage; die Eingabetaste öffnet sie'],
        ['?', 'Diese Übersicht'],
      ],
      en: [
        ['/', 'Search everything'],
        ['f', 'Search this list'],
        ['j · k', 'One row down · up in lists'],
        ['Enter', 'Open the row, press the button'],
        ['a', 'To the next tick that is missing, then to the decision or the yes; Enter confirms'],
        ['Space', 'Sets a tick and leads to the next one'],
        ['s', 'To the scan field'],
        ['r', 'To the rejection or cancellation: the reason comes first'],
        ['i', 'To the question'],
        ['n', 'To the next open request; Enter opens it'],
        ['?', 'This list'],
      ],
    },
    hint: {
      de: 'Tasten und Scans lösen nichts aus, erst die Eingabetaste. Solange Sie in ein Feld tippen, gelten die Kürzel nicht.',
      en: 'No key decides by itself, and no scan decides. While you type in a field, the shortcuts are off.',
    },
    areOn: { de: 'Die Kürzel sind eingeschaltet, für diesen Browser.', en: 'The shortcuts are on, for this browser.' },
    areOff: {
      de: 'Die Kürzel sind ausgeschaltet, für diesen Browser.',
      en: 'The shortcuts are off, for this browser.',
    },
    turnOff: { de: 'Kürzel ausschalten', en: 'Turn shortcuts off' },
    turnOn: { de: 'Kürzel einschalten', en: 'Turn shortcuts on' },
    close: { de: 'Schließen', en: 'Close' },
  },
  scripts: {
    again: { de: 'Noch nicht ausgeführt: noch einmal Enter.', en: 'Not carried out yet: press Enter again.' },
    unsaved: {
      de: 'Auf dieser Seite ist etwas nicht gespeichert. Der Code steht in der Suche, Enter öffnet ihn.',
      en: 'Something on this page is not saved. The code is in the search, Enter opens it.',
    },
    barred: {
      de: 'Die Kamera ist nicht freigegeben: in den Einstellungen des Browsers erlauben.',
      en: 'The camera is not allowed: allow it in the settings of the browser.',
    },
    unseen: {
      de: 'Erst ansehen: Jede Seite muss eine Sekunde lang zur Hälfte zu sehen sein.',
      en: 'Look at it first: half of each page has to be in view for a second.',
    },
    unreached: {
      de: 'Der Dienst ist nicht erreichbar. Ihre Eingaben bleiben hier und werden gesendet, sobald er antwortet.',
      en: 'The service cannot be reached. Your entries stay here and are sent as soon as it answers.',
    },
    ended: {
      de: 'Nicht gesendet: Ihre Sitzung ist beendet. Melden Sie sich in einem anderen Tab an und senden Sie dann noch einmal.',
      en: 'Not sent: your session has ended. Sign in in another tab, then send again.',
    },
    other: {
      de: 'Nicht gesendet: Angemeldet ist jetzt {name}. Noch einmal senden, dann geschieht es in diesem Namen.',
      en: 'Not sent: {name} is signed in now. Send again to do it in that name.',
    },
    unsent: {
      de: 'Nicht gesendet, weil Sie etwas geändert haben. Bitte noch einmal auslösen.',
      en: 'Not sent, because you changed something. Please press the button again.',
    },
  },
};

/** Texts that several areas share, in the reader's language. */
export const sharedMessages = texts({
  ...errorMessages,
  ...frameMessages,
  flash: flashMessages,
  overlaps: {
    day: { de: 'noch 24 Stunden', en: 'for 24 more hours' },
    week: { de: 'noch 7 Tage', en: 'for 7 more days' },
    none: { de: 'ab sofort nicht mehr', en: 'no longer, from now on' },
  },
  overlapHints: {
    day: { de: 'Genug, um den neuen in Ruhe einzutragen.', en: 'Enough time to enter the new one.' },
    week: { de: 'Wenn jemand anderes ihn eintragen muss.', en: 'If somebody else has to enter it.' },
    none: { de: 'Wenn er in falsche Hände geraten ist.', en: 'If it fell into the wrong hands.' },
  },
  dates: {
    anyTime: { de: 'Jederzeit', en: 'Any time' },
    spans: {
      today: { de: 'Heute', en: 'Today' },
      week: { de: 'Letzte 7 Tage', en: 'Last 7 days' },
      between: { de: 'Von – bis …', en: 'From – to …' },
    },
    noDate: {
      de: 'Bitte ein Datum angeben, zum Beispiel 27.11.2026.',
      en: 'Please give a date, for example 27/11/2026.',
    },
    endsBefore: { de: 'Das Ende liegt vor dem Anfang.', en: 'The end is before the beginning.' },
    tooLong: {
      de: (days: number) => `Höchstens ${days} Tage auf einmal.`,
      en: (days: number) => `At most ${days} days.`,
    },
  },
  product: { de: 'Offizin', en: 'Offizin' },
  /** Names of actors by kind. */
  actors: {
    operator: { de: 'Betreiber von Offizin', en: 'Operator of Offizin' },
    system: { de: 'Offizin (automatisch)', en: 'Offizin (automatic)' },
    api_key: { de: 'API-Schlüssel', en: 'API key' },
    staff: { de: 'Ehemalige Person', en: 'Former member' },
    anonymous: { de: 'Unbekannt', en: 'Unknown' },
  },
  common: {
    skip: { de: 'Zum Inhalt springen', en: 'Skip to the content' },
    menu: { de: 'Bereiche', en: 'Areas' },
    save: { de: 'Speichern', en: 'Save' },
    cancel: { de: 'Abbrechen', en: 'Cancel' },
    back: { de: 'Zurück', en: 'Back' },
    copy: { de: 'Kopieren', en: 'Copy' },
    items: { de: 'Artikel', en: 'Items' },
    toOrder: { de: 'Bestellung ansehen', en: 'View the order' },
    export: { de: 'Exportieren', en: 'Export' },
    copied: { de: 'Kopiert', en: 'Copied' },
    shownOnce: { de: 'Wird nur einmal angezeigt: jetzt kopieren', en: 'Shown once: copy it now' },
    shownBefore: {
      de: 'Das wurde schon einmal angezeigt und ist nicht mehr zu sehen. Nicht kopiert? Dann erstellen Sie es neu oder erneuern es.',
      en: 'This was already shown once and cannot be shown again. Not copied? Create a new one or rotate it.',
    },
    fieldErrors: {
      de: (count: number): string =>
        count === 1 ? 'Bitte korrigieren Sie eine Angabe' : 'Bitte korrigieren Sie die Angaben',
      en: (count: number): string => (count === 1 ? 'Please correct one entry' : 'Please correct the entries'),
    },
    signOut: { de: 'Abmelden', en: 'Sign out' },
    optional: { de: (label: string) => `${label} (freiwillig)`, en: (label: string) => `${label} (optional)` },
    name: { de: 'Name', en: 'Name' },
    status: { de: 'Status', en: 'Status' },
    active: { de: 'Aktiv', en: 'Active' },
    actions: { de: 'Aktionen', en: 'Actions' },
    edit: { de: 'Bearbeiten', en: 'Edit' },
    time: { de: 'Zeit', en: 'Time' },
    who: { de: 'Wer', en: 'Who' },
    from: { de: 'Vom', en: 'From' },
    to: { de: 'Bis', en: 'To' },
    show: { de: 'Anzeigen', en: 'Show' },
    older: { de: 'Ältere', en: 'Older' },
    newest: { de: 'Zu den neuesten', en: 'To the newest' },
    quantity: { de: 'Menge', en: 'Quantity' },
    price: { de: 'Preis', en: 'Price' },
    stock: { de: 'Bestand', en: 'Stock' },
    threshold: { de: 'Meldebestand', en: 'Threshold' },
    reason: { de: 'Grund', en: 'Reason' },
    email: { de: 'E-Mail-Adresse', en: 'E-mail address' },
    newPassword: { de: 'Neues Passwort', en: 'New password' },
    role: { de: 'Rolle', en: 'Role' },
    turnOn: { de: 'Einschalten', en: 'Turn on' },
    turnOff: { de: 'Ausschalten', en: 'Turn off' },
    kind: { de: 'Art', en: 'Kind' },
    revoke: { de: 'Widerrufen', en: 'Revoke' },
    history: { de: 'Verlauf', en: 'History' },
    period: { de: 'Zeitraum', en: 'Period' },
    allShops: { de: 'Alle Shops', en: 'All shops' },
    filter: { de: 'Filter', en: 'Filter' },
    required: {
      de: (label: string) => `Bitte ausfüllen: ${label}.`,
      en: (label: string) => `Please fill in: ${label}.`,
    },
  },
  intakeOff: {
    title: { de: 'Zurzeit kommen keine Bestellanfragen an', en: 'No order requests arrive at present' },
    text: {
      de: 'Der Betreiber hat die Annahme angehalten. Die Plattformen senden später noch einmal, es geht nichts verloren.',
      en: 'The operator has stopped the intake. Platforms send again later, and nothing is lost.',
    },
  },
  messages: {
    title: { de: 'Nachricht', en: 'Message' },
    language: { de: 'Sprache der Nachricht', en: 'Language of the message' },
    text: { de: 'Fertiger Text', en: 'Ready text' },
    email: { de: 'E-Mail', en: 'E-mail' },
    sms: { de: 'SMS', en: 'Text message' },
    optedOut: { de: 'Will keine automatischen E-Mails.', en: 'Wants no automatic e-mails.' },
    tellByPhone: {
      de: 'Die E-Mail kam nicht an. Bitte anrufen.',
      en: 'The e-mail did not arrive. Please call.',
    },
    states: {
      waiting: { de: 'E-Mail wird gesendet', en: 'E-mail is being sent' },
      sending: { de: 'E-Mail wird gesendet', en: 'E-mail is being sent' },
      sent: { de: 'E-Mail gesendet', en: 'E-mail sent' },
      bounced: { de: 'E-Mail kam zurück', en: 'E-mail came back' },
      failed: { de: 'E-Mail nicht zugestellt', en: 'E-mail not delivered' },
      dropped: { de: 'E-Mail nicht mehr nötig', en: 'E-mail not needed any more' },
    },
    kinds: {
      ready: { de: 'Abholbereit', en: 'Ready for pickup' },
      later: { de: 'Teil abholbereit', en: 'Part ready' },
      shipped: { de: 'Unterwegs', en: 'On its way' },
      question: { de: 'Rückfrage', en: 'Question' },
      rejected: { de: 'Absage', en: 'Not possible' },
    },
  },
  stopped: {
    title: { de: 'Webhooks, die nicht ankommen', en: 'Webhooks that do not arrive' },
    failing: {
      de: (host: string) => `Webhooks warten: ${host} nimmt keine an.`,
      en: (host: string) => `Webhooks wait: ${host} accepts none.`,
    },
    ours: {
      de: (host: string) => `Webhooks warten: Wir können zurzeit nicht an ${host} senden.`,
      en: (host: string) => `Webhooks wait: we cannot send to ${host} at present.`,
    },
    disabled: {
      de: (host: string) => `Webhooks abgeschaltet: ${host} nahm tagelang nichts an.`,
      en: (host: string) => `Webhooks disabled: ${host} accepted nothing for days.`,
    },
    gone: {
      de: (host: string) => `Webhooks angehalten: ${host} möchte keine mehr (410).`,
      en: (host: string) => `Webhooks paused: ${host} wants no more of them (410).`,
    },
    link: { de: 'Was\u00a0tun?', en: 'What\u00a0to\u00a0do' },
  },
  roles: {
    owner: { de: 'Inhaber', en: 'Owner' },
    pharmacist: { de: 'Apotheker', en: 'Pharmacist' },
    staff: { de: 'PTA/PKA (Team)', en: 'Staff' },
  },
  passwordHint: {
    de: (min: number) => `Mindestens ${min} Zeichen. Mehrere Wörter sind gut zu merken.`,
    en: (min: number) => `At least ${min} characters. Several words are easy to remember.`,
  },
  products,
  orders,
  decided: {
    title: { de: 'Vorige Anfrage', en: 'Previous request' },
    did: {
      request_approved: { de: 'angenommen', en: 'accepted' },
      request_rejected: { de: 'abgelehnt', en: 'rejected' },
      request_deleted: { de: 'gelöscht', en: 'deleted' },
      info_noted: { de: 'zurückgestellt, Rückfrage vermerkt', en: 'put aside, question noted' },
    },
    toRequest: { de: 'Anfrage ansehen', en: 'View the request' },
    nameless: { de: 'Anfrage', en: 'Request' },
    reopen: { de: 'Wieder öffnen', en: 'Reopen' },
  },
  requests: {
    tabs: {
      open: { de: 'Offen', en: 'Pending' },
      needs_info: { de: 'Rückfrage offen', en: 'Needs info' },
      approved: { de: 'Angenommen', en: 'Accepted' },
      rejected: { de: 'Abgelehnt', en: 'Rejected' },
    },
    reference: { de: 'Referenz', en: 'Reference' },
    warningTexts: {
      fee_differs: { de: 'Gesamtbetrag passt nicht zu den Artikeln', en: 'Total does not fit the items' },
      payment_method_conflict: { de: 'Zahlungsart passt nicht zum Versand', en: 'Payment does not fit the shipping' },
      unmatched_item: { de: 'Artikel ohne Produkt im Sortiment', en: 'Item without a product in the inventory' },
      product_id_conflict: { de: 'Zwei verschiedene Produktnummern', en: 'Two different product ids' },
      name_mismatch: {
        de: 'Name oder Stärke passt nicht zum Produkt',
        en: 'Name or strength does not fit the product',
      },
      prescription_unreadable: { de: 'Rezept nicht zu öffnen', en: 'Prescription cannot be opened' },
      email_unusable: { de: 'E-Mail-Adresse nicht verwendbar', en: 'E-mail address cannot be used' },
      price_mismatch: { de: 'Preis weicht ab', en: 'Price differs' },
      unclear_unit: { de: 'Menge oder Packungen unklar', en: 'Amount or packs unclear' },
      unknown_customer: { de: 'Erstbestellung', en: 'First order' },
      possible_duplicate: {
        de: `Mögliche Dublette: ähnliche Anfrage in ${DUPLICATE_DAYS} Tagen`,
        en: `Possible duplicate: similar request within ${DUPLICATE_DAYS} days`,
      },
      insufficient_stock: { de: 'Bestand reicht nicht', en: 'Not enough in stock' },
      not_available: { de: 'Nicht im Angebot', en: 'Not on offer' },
      not_available_for_pickup: { de: 'Nicht zur Abholung', en: 'Not for pickup' },
      not_available_for_shipping: { de: 'Nicht zum Versand', en: 'Not for shipping' },
      rule_blocks: { de: 'Regel gegen den Versandweg', en: 'Rule against this shipping' },
      prescription_redeemed: { de: 'Dasselbe Rezept in anderer Anfrage', en: 'Same prescription in another request' },
      question_open: { de: 'Rückfrage offen', en: 'Question open' },
      rule_warns: { de: 'Hinweis zum Versandweg', en: 'Note on this shipping' },
    },
    askedAs: { de: 'Angefragt als', en: 'Requested as' },
    nameDiffers: { de: 'Name oder Stärke weicht ab', en: 'Name or strength differs' },
    more: { de: (count: number): string => `+ ${count} weitere`, en: (count: number): string => `+ ${count} more` },
    inStock: { de: (count: number): string => `${count} vorrätig`, en: (count: number): string => `${count} in stock` },
    waiting: { de: 'offen', en: 'pending' },
    conflicts: {
      already_decided: { de: 'Diese Anfrage ist schon entschieden.', en: 'This request has been decided already.' },
      not_approvable: {
        de: 'Noch nicht angenommen: Bitte sehen Sie sich an, was noch offen ist.',
        en: 'Not accepted yet: please look at the blockers.',
      },
      insufficient_stock: {
        de: 'Noch nicht angenommen: Der Bestand reicht nicht mehr.',
        en: 'Not accepted yet: there is no longer enough in stock.',
      },
      prescriptions_changed: {
        de: 'Noch nicht angenommen: Es ist ein weiteres Rezept gekommen, oder eines hat sich geändert. Bitte prüfen Sie die Rezepte neu; alles andere ist noch da.',
        en: 'Not accepted yet: another prescription has come, or one has changed. Please check the prescriptions again; all else is still here.',
      },
      changed_meanwhile: {
        de: 'Nicht gespeichert: Jemand hat diese Anfrage inzwischen vorbereitet oder die Vorbereitung verworfen. Ihre Eingaben stehen noch hier; noch einmal gespeichert, ersetzen sie die andere Vorbereitung.',
        en: 'Not saved: somebody has prepared this request meanwhile, or discarded the preparation. What you entered is still here; saved again, it replaces the other preparation.',
      },
      superseded: {
        de: 'Zu dieser Referenz gibt es inzwischen eine neuere Anfrage.',
        en: 'There is now a later request with this reference.',
      },
      request_has_order: {
        de: 'Eine angenommene Anfrage ist eine Bestellung. Stornieren Sie die Bestellung.',
        en: 'An accepted request is an order. Cancel the order instead.',
      },
      legal_hold: {
        de: 'Diese Anfrage wird aus rechtlichen Gründen aufbewahrt.',
        en: 'This request is kept for legal reasons.',
      },
      prescription_not_stored: { de: 'Das Rezept liegt nicht mehr vor.', en: 'The prescription is not here any more.' },
      not_fetchable: {
        de: 'Das Rezept wird schon abgerufen oder liegt vor.',
        en: 'The prescription is being fetched already, or it is here.',
      },
      other: { de: 'Inzwischen hat sich etwas geändert.', en: 'Something has changed meanwhile.' },
    },
  },
  prescriptions,
});

export type SharedMessages = ReturnType<typeof sharedMessages>;
