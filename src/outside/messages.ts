/** Texts of the page at `/` of the service's own host, by language. */
export const START = {
  de: {
    title: 'Die Apotheke hinter dem Online-Rezept',
    lead: 'Bestellanfragen mit Rezept kommen an, werden geprüft, gepackt und abgegeben. Was geschieht, erfahren Ihre Systeme sofort.',
    signIn: 'Anmelden',
    docs: 'API-Referenz',
    status: 'Status',
    imprint: 'Impressum',
    privacy: 'Datenschutz',
    parts: [
      ['Prüfen', 'Rezept und Artikel stehen nebeneinander. Offenes steht an der Position. Entschieden wird einmal.'],
      ['Packen', 'Jede Packung wird gescannt. Die falsche fällt auf, bevor sie im Beutel liegt.'],
      ['Anbinden', 'Signierte Webhooks mit Wiederholung und Protokoll, eine offene API.'],
    ],
  },
  en: {
    title: 'The pharmacy behind the online prescription',
    lead: 'Order requests with their prescriptions come in, are checked, packed and handed over. Your systems learn at once what happens.',
    signIn: 'Sign in',
    docs: 'API reference',
    status: 'Status',
    imprint: 'Imprint',
    privacy: 'Privacy',
    parts: [
      ['Check', 'Prescription and items are side by side. Open points are at their line. You decide once.'],
      ['Pack', 'Every pack is scanned. The wrong one is noticed before it is in the bag.'],
      ['Connect', 'Signed webhooks with retries and a log, an open API.'],
    ],
  },
} as const;

export const SHOP = {
  de: {
    what: 'Bestellungen nimmt diese Apotheke über Plattformen entgegen, mit denen sie zusammenarbeitet. Zahlungslinks, die sie verschickt, öffnen sich unter dieser Adresse.',
    ask: 'Fragen zu einer Bestellung beantwortet die Apotheke selbst.',
    hours: 'Öffnungszeiten',
    team: 'Für das Team: anmelden',
    test: 'TEST: Diese Apotheke dient nur zum Testen.',
  },
  en: {
    what: 'This pharmacy takes orders through the platforms that it works with. Payment links that it sends open at this address.',
    ask: 'Questions about an order are answered by the pharmacy itself.',
    hours: 'Opening hours',
    team: 'For its team: sign in',
    test: 'TEST: this pharmacy is for testing only.',
  },
} as const;

/** Texts of the page that owners open by a link when their organization ends, by language. */
export const LEAVING = {
  de: {
    title: 'Ihre Apotheke verlässt Offizin',
    until: (day: string) => `Am ${day} werden alle Daten Ihrer Apotheke gelöscht.`,
    file: 'Datei mit allen Daten herunterladen',
    noFile: 'Die Datei ist noch nicht fertig oder nach sieben Tagen gelöscht.',
    key: 'Die Datei ist verschlüsselt. Öffnen Sie sie mit dem Schlüssel, den Sie dem Betreiber genannt haben.',
    confirm: 'Die Datei lässt sich öffnen',
    effect: 'Wenn Sie das bestätigen, werden die Daten in 30 Tagen gelöscht.',
  },
  en: {
    title: 'Your pharmacy leaves Offizin',
    until: (day: string) => `All data of your pharmacy are erased on ${day}.`,
    file: 'Download the file with all data',
    noFile: 'The file is not ready yet, or was deleted after seven days.',
    key: 'The file is encrypted. Open it with the key that you gave the operator.',
    confirm: 'The file opens',
    effect: 'When you confirm this, the data are erased in 30 days.',
  },
} as const;

/** Texts of error pages, by language and status. The texts of 500 are for all statuses from 500. */
export const ERRORS = {
  de: {
    number: 'Fehlernummer',
    start: 'Zur Startseite',
    docs: 'API-Referenz',
    404: {
      title: 'Diese Seite gibt es nicht',
      base: 'Vielleicht ist der Link unvollständig. Prüfen Sie die Adresse, oder beginnen Sie auf der Startseite.',
      shop: 'Vielleicht ist der Link unvollständig: Öffnen Sie ihn noch einmal aus der Nachricht, mit der er kam. Geht es dann nicht, fragen Sie Ihre Apotheke.',
    },
    405: {
      title: 'Diese Adresse ist für Programme',
      base: 'Ein Browser kann hier nichts öffnen. Wie Programme sie benutzen, steht in der API-Referenz.',
      shop: 'Ein Browser kann hier nichts öffnen. Wenn Sie einen Link bekommen haben, öffnen Sie ihn noch einmal aus der Nachricht.',
    },
    429: {
      title: 'Zu viele Anfragen',
      base: 'Warten Sie bitte eine Minute und laden Sie die Seite dann neu.',
      shop: 'Warten Sie bitte eine Minute und laden Sie die Seite dann neu.',
    },
    500: {
      title: 'Da ist etwas schiefgegangen',
      base: 'Es liegt an uns. Laden Sie die Seite in einer Minute neu. Bleibt es dabei, nennen Sie uns die Fehlernummer.',
      shop: 'Es liegt an uns. Laden Sie die Seite in einer Minute neu. Bleibt es dabei, fragen Sie Ihre Apotheke und nennen ihr die Fehlernummer.',
    },
  },
  en: {
    number: 'Error number',
    start: 'To the start page',
    docs: 'API reference',
    404: {
      title: 'There is no such page',
      base: 'The link may be incomplete. Check the address, or begin at the start page.',
      shop: 'The link may be incomplete: open it once more from the message it came with. If that does not help, ask your pharmacy.',
    },
    405: {
      title: 'This address is for programs',
      base: 'There is nothing here for a browser. The API reference says how programs use it.',
      shop: 'There is nothing here for a browser. If you were sent a link, open it once more from the message.',
    },
    429: {
      title: 'Too many requests',
      base: 'Please wait a minute, then reload the page.',
      shop: 'Please wait a minute, then reload the page.',
    },
    500: {
      title: 'Something went wrong',
      base: 'It is our fault. Reload the page in a minute. If the problem persists, tell us the error number.',
      shop: 'It is our fault. Reload the page in a minute. If the problem persists, ask your pharmacy and tell it the error number.',
    },
  },
} as const;
