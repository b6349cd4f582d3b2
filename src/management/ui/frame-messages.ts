/** Texts of the frame: navigation, search, keyboard shortcuts. */
export const frameMessages = {
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
  /** Below the icons of a phone's navigation, where there is no room for more. */
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
    toPack: { de: 'zu packen', en: 'to pack' },
    testLead: { de: 'Testapotheke: Nichts hier ist echt.', en: 'Test pharmacy: nothing here is real.' },
    leaveTest: { de: 'Zur echten Apotheke', en: 'To the live pharmacy' },
  },
  search: {
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
        ['a', 'Zum nächsten Häkchen, das fehlt, dann zur Entscheidung oder zum Ja; die Eingabetaste bestätigt'],
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
