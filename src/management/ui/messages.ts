import { DUPLICATE_DAYS } from '../../order-requests/limits';
import { PDF_BYTES_MAX } from '../../prescriptions/limits';
import { flashMessages } from '../http/flash-messages';
import { texts } from '../http/language';
import { errorMessages } from './error-messages';
import { orders } from './order-messages';
import { products } from './product-messages';

const MIB = 1024 * 1024;

/** Texts that several areas share, in the reader's language. */
export const sharedMessages = texts({
  ...errorMessages,
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
    noDate: {
      de: 'Bitte ein Datum angeben, zum Beispiel 2026-11-27.',
      en: 'Please give a date, for example 2026-11-27.',
    },
    endsBefore: { de: 'Das Ende liegt vor dem Anfang.', en: 'The end is before the beginning.' },
    tooLong: {
      de: (days: number) => `Höchstens ${days} Tage auf einmal.`,
      en: (days: number) => `At most ${days} days.`,
    },
  },
  product: { de: 'Offizin', en: 'Offizin' },
  common: {
    skip: { de: 'Zum Inhalt springen', en: 'Skip to the content' },
    menu: { de: 'Bereiche', en: 'Areas' },
    save: { de: 'Speichern', en: 'Save' },
    cancel: { de: 'Abbrechen', en: 'Cancel' },
    back: { de: 'Zurück', en: 'Back' },
    copy: { de: 'Kopieren', en: 'Copy' },
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
    filter: { de: 'Filtern', en: 'Filter' },
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
    required: {
      de: (label: string) => `Bitte ausfüllen: ${label}.`,
      en: (label: string) => `Please fill in: ${label}.`,
    },
  },
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
  stopped: {
    title: { de: 'Webhooks, die nicht ankommen', en: 'Webhooks that do not arrive' },
    failing: {
      de: (host: string) =>
        `${host} nimmt keine Webhooks mehr an. Was geschieht, wartet, und wir versuchen es immer wieder.`,
      en: (host: string) => `${host} no longer accepts webhooks. Events wait, and we keep trying.`,
    },
    ours: {
      de: (host: string) => `Webhooks an ${host} warten: Wir können zurzeit nicht senden.`,
      en: (host: string) => `Webhooks to ${host} are waiting: we cannot send at present.`,
    },
    disabled: {
      de: (host: string) => `Webhooks an ${host} sind abgeschaltet, weil der Server tagelang nichts annahm.`,
      en: (host: string) => `Webhooks to ${host} are disabled because the server accepted nothing for days.`,
    },
    gone: {
      de: (host: string) => `Webhooks an ${host} sind angehalten, weil der Server keine mehr möchte (410).`,
      en: (host: string) => `Webhooks to ${host} are paused because the server wants no more of them (410).`,
    },
    link: { de: 'Was Sie tun können', en: 'What you can do' },
  },
  roles: {
    owner: { de: 'Inhaber', en: 'Owner' },
    pharmacist: { de: 'Apotheker', en: 'Pharmacist' },
    staff: { de: 'Personal', en: 'Staff' },
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
      request_approved: { de: 'freigegeben', en: 'approved' },
      request_rejected: { de: 'abgelehnt', en: 'rejected' },
      request_deleted: { de: 'gelöscht', en: 'deleted' },
      info_noted: { de: 'zurückgestellt, Rückfrage vermerkt', en: 'put aside, question noted' },
    },
    toOrder: { de: 'Bestellung ansehen', en: 'View the order' },
    toRequest: { de: 'Anfrage ansehen', en: 'View the request' },
    nameless: { de: 'Anfrage', en: 'Request' },
    reopen: { de: 'Wieder öffnen', en: 'Reopen' },
  },
  requests: {
    tabs: {
      open: { de: 'Offen', en: 'Pending' },
      needs_info: { de: 'Rückfrage offen', en: 'Needs info' },
      approved: { de: 'Freigegeben', en: 'Approved' },
      rejected: { de: 'Abgelehnt', en: 'Rejected' },
    },
    reference: { de: 'Referenz', en: 'Reference' },
    email: { de: 'E-Mail', en: 'E-mail' },
    warningTexts: {
      total_mismatch: { de: 'Summe passt nicht zu den Artikeln', en: 'Total is not the sum of the items' },
      payment_method_conflict: { de: 'Zahlungsart passt nicht zum Versand', en: 'Payment does not fit the shipping' },
      unmatched_item: { de: 'Artikel ohne Produkt im Sortiment', en: 'Item without a product in the inventory' },
      product_id_conflict: { de: 'Zwei verschiedene Produktnummern', en: 'Two different product ids' },
      name_mismatch: {
        de: 'Name oder Stärke passt nicht zum Produkt',
        en: 'Name or strength does not fit the product',
      },
      price_mismatch: { de: 'Preis weicht ab', en: 'Price differs' },
      unknown_customer: { de: 'Hat noch nie bestellt', en: 'Has never ordered before' },
      possible_duplicate: {
        de: `Vielleicht doppelt: ähnliche Anfrage in ${DUPLICATE_DAYS} Tagen`,
        en: `Possible duplicate: similar request within ${DUPLICATE_DAYS} days`,
      },
      insufficient_stock: { de: 'Bestand reicht nicht', en: 'Not enough in stock' },
    },
    askedAs: { de: 'Angefragt als', en: 'Requested as' },
    nameDiffers: { de: 'Name oder Stärke weicht ab', en: 'Name or strength differs' },
    more: { de: (count: number): string => `+ ${count} weitere`, en: (count: number): string => `+ ${count} more` },
    inStock: { de: (count: number): string => `${count} vorrätig`, en: (count: number): string => `${count} in stock` },
    waiting: { de: 'offen', en: 'pending' },
    conflicts: {
      already_decided: { de: 'Diese Anfrage ist schon entschieden.', en: 'This request has been decided already.' },
      not_approvable: {
        de: 'Noch nicht freigegeben: Bitte sehen Sie sich die Hindernisse an.',
        en: 'Not approved yet: please look at the blockers.',
      },
      insufficient_stock: {
        de: 'Noch nicht freigegeben: Der Bestand reicht nicht mehr.',
        en: 'Not approved yet: there is no longer enough in stock.',
      },
      superseded: {
        de: 'Zu dieser Referenz gibt es inzwischen eine neuere Anfrage.',
        en: 'There is now a later request with this reference.',
      },
      request_has_order: {
        de: 'Eine freigegebene Anfrage ist eine Bestellung. Stornieren Sie die Bestellung.',
        en: 'An approved request is an order. Cancel the order instead.',
      },
      legal_hold: {
        de: 'Diese Anfrage wird aus rechtlichen Gründen aufbewahrt.',
        en: 'This request is kept for legal reasons.',
      },
      prescription_not_stored: { de: 'Das Rezept liegt nicht mehr vor.', en: 'The prescription is not here any more.' },
      not_fetchable: {
        de: 'Das Rezept wird schon geholt oder liegt vor.',
        en: 'The prescription is being fetched already, or it is here.',
      },
      other: { de: 'Inzwischen hat sich etwas geändert.', en: 'Something has changed meanwhile.' },
    },
  },
  prescriptions: {
    title: { de: 'Rezept', en: 'Prescription' },
    states: {
      stored: { de: 'PDF', en: 'PDF' },
      fetching: { de: 'wird geholt', en: 'being fetched' },
      fetch_failed: { de: 'fehlgeschlagen', en: 'failed' },
      erased: { de: 'gelöscht', en: 'deleted' },
      none: { de: 'keins', en: 'none' },
    },
    none: { de: 'Es wurde kein Rezept mitgeschickt.', en: 'No prescription was sent along.' },
    hidden: {
      de: 'Ein Rezept liegt vor. Ansehen, prüfen und freigeben können es nur Apotheker und Inhaber.',
      en: 'There is a prescription. Only pharmacists and owners can see, review and approve it.',
    },
    toReview: { de: 'Noch nicht geprüft', en: 'Not reviewed yet' },
    approved: {
      de: (when: string): string => `Rezept freigegeben am ${when}`,
      en: (when: string): string => `Prescription approved on ${when}`,
    },
    signatureChecked: { de: 'Signatur geprüft', en: 'Signature checked' },
    newTab: { de: 'In neuem Tab öffnen', en: 'Open in a new tab' },
    approve: { de: 'Rezept freigeben', en: 'Approve prescription' },
    approveAgain: { de: 'Für diese Artikel erneut freigeben', en: 'Approve again for these items' },
    covers: { de: 'Das Rezept deckt', en: 'The prescription covers' },
    coversNothing: { de: 'Das Rezept deckt noch keinen Artikel.', en: 'The prescription covers no item yet.' },
    fetchAgain: { de: 'Erneut holen', en: 'Fetch again' },
    uploadLabel: { de: 'Rezept als PDF hochladen', en: 'File a prescription as PDF' },
    uploadHint: {
      de: `Höchstens ${PDF_BYTES_MAX / MIB} MiB. Danach prüfen und freigeben Sie es wie jedes andere.`,
      en: `${PDF_BYTES_MAX / MIB} MiB at most. Then review and approve it like any other.`,
    },
    upload: { de: 'Rezept hochladen', en: 'File the prescription' },
    uploadErrors: {
      none: { de: 'Bitte eine PDF-Datei wählen.', en: 'Choose a PDF file.' },
      invalid_prescription_pdf: { de: 'Das ist keine PDF-Datei.', en: 'This is not a PDF file.' },
      prescription_too_large: {
        de: `Die Datei ist zu groß: höchstens ${PDF_BYTES_MAX / MIB} MiB.`,
        en: `The file is too large: ${PDF_BYTES_MAX / MIB} MiB at most.`,
      },
    },
  },
  search: {
    tooLong: {
      de: (max: number): string => `Höchstens ${max} Zeichen.`,
      en: (max: number): string => `${max} characters at most.`,
    },
    label: { de: 'Bestellanfragen und Bestellungen suchen', en: 'Search order requests and orders' },
    hint: { de: 'Name, E-Mail, Referenz, Nr.', en: 'Name, e-mail, reference, id' },
  },
  shortcuts: {
    title: { de: 'Tastenkürzel', en: 'Keyboard shortcuts' },
    keys: {
      de: [
        ['/', 'Suchen'],
        ['j · k', 'In Listen eine Zeile hinunter · hinauf'],
        ['Eingabe', 'Zeile öffnen, Schaltfläche auslösen'],
        ['a', 'Zum nächsten Häkchen, das fehlt, dann zur Entscheidung oder zum Ja; die Eingabetaste bestätigt'],
        ['Leertaste', 'Setzt ein Häkchen und führt zum nächsten'],
        ['s', 'Zum Scanfeld'],
        ['r', 'Zum Ablehnen oder Stornieren: erst der Grund'],
        ['i', 'Zur Rückfrage'],
        ['n', 'Zur nächsten offenen Anfrage; die Eingabetaste öffnet sie'],
        ['?', 'Diese Übersicht'],
      ],
      en: [
        ['/', 'Search'],
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
      de: 'Keine Taste entscheidet allein, und kein Scan entscheidet. Solange Sie in ein Feld tippen, gelten die Kürzel nicht.',
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
    unseen: {
      de: 'Erst ansehen: Das Rezept muss eine Sekunde lang zur Hälfte zu sehen sein.',
      en: 'Look at it first: half of the prescription has to be in view for a second.',
    },
    unreached: {
      de: 'Der Dienst ist nicht erreichbar. Ihre Eingaben bleiben hier und werden gesendet, sobald er antwortet.',
      en: 'The service cannot be reached. Your entries stay here and are sent as soon as it answers.',
    },
    unsent: {
      de: 'Nicht gesendet, weil Sie etwas geändert haben. Bitte noch einmal auslösen.',
      en: 'Not sent, because you changed something. Please press the button again.',
    },
  },
});

export type SharedMessages = ReturnType<typeof sharedMessages>;
