import { texts } from '../http/language';

/** Texts of the page that imports stocks, in the reader's language. */
export const importMessages = texts({
  importLead: (lines: string, mib: number) => [
    `CSV mit einer Kopfzeile, höchstens ${lines} Zeilen und ${mib} MiB. Vor dem Übernehmen sehen Sie, was sich ändert.`,
    `CSV with a header, ${lines} lines and ${mib} MiB at most. You see what changes before anything is applied.`,
  ],
  importPaste: ['Oder hier einfügen', 'Or paste it here'],
  importExample: ['PZN;Bestand;Preis\n01126619;12;4,95', 'pzn,on_hand,price\n01126619,12,4.95'],
  importLook: ['Vorschau ansehen', 'Show the preview'],
  importHeadings: [
    'Auch die Kopfzeile des CSV-Exports und die Namen der API (on_hand, delta, price …) werden erkannt. Andere Spalten bleiben ungelesen.',
    'The headings of the CSV export are known, too. Other columns are not read.',
  ],
  importNewest: ['Letzte Importe', 'Latest imports'],
  importLines: (lines: string) => (lines === '1' ? ['1 Zeile', '1 line'] : [`${lines} Zeilen`, `${lines} lines`]),
  importNotYet: ['nicht übernommen', 'not applied'],
  importUnderWay: ['angehalten oder läuft', 'stopped or under way'],
  importDone: ['übernommen', 'applied'],
  importKept: (days: number) => [`Vorschau und Bericht bleiben ${days} Tage.`, `Preview and report stay ${days} days.`],
  importUntil: (date: string) => [
    `Vorschau und Bericht bleiben bis ${date}.`,
    `Preview and report stay until ${date}.`,
  ],
  importPreviewTitle: ['Vorschau des Imports', 'Preview of the import'],
  importRunningTitle: ['Import läuft', 'Import under way'],
  importReportTitle: ['Bericht des Imports', 'Report of the import'],
  importNothingYet: [
    'Noch ist nichts geändert. Beim Übernehmen wird jede Zeile noch einmal geprüft.',
    'Nothing is changed yet. Each line is checked once more when you apply it.',
  ],
  importIgnored: (columns: string) => [`Nicht gelesene Spalten: ${columns}`, `Columns that are not read: ${columns}`],
  importProgress: (done: string, all: string) => [
    `${done} von ${all} Zeilen sind übernommen.`,
    `${done} of ${all} lines are applied.`,
  ],
  importGoesOn: (lines: number) => [
    `Es geht von selbst weiter, ${lines} Zeilen auf einmal, auch wenn die Seite geschlossen und wieder geöffnet wird. Keine Zeile wird doppelt gebucht.`,
    `It goes on by itself, ${lines} lines at a time, even if the page is closed and opened again. No line is applied twice.`,
  ],
  importNext: ['Weiter', 'Continue'],
  importAnother: ['Weitere Datei', 'Another file'],
  importToProducts: ['Zu den Produkten', 'To the products'],
  importFailedAct: ['Nicht übernommene Zeilen (CSV)', 'Lines not applied (CSV)'],
  importNothing: ['Keine Zeile würde etwas ändern.', 'No line would change anything.'],
  importFailedFile: ['nicht-uebernommen', 'not-applied'],
  importWould: {
    failed: ['Abgelehnt', 'Refused'],
    updated: ['Ändert sich', 'Will change'],
    created: ['Kommt dazu', 'Will be added'],
    unchanged: ['Bleibt', 'Stays'],
  },
  importBecame: {
    failed: ['Nicht übernommen', 'Not applied'],
    updated: ['Geändert', 'Changed'],
    created: ['Aufgenommen', 'Added'],
    unchanged: ['Unverändert', 'Unchanged'],
  },
  importFigures: {
    onHand: ['Lagerbestand', 'On hand'],
    stockQuantity: ['Verfügbar', 'Available'],
    priceCents: ['Eigener Preis', 'Own price'],
    lowStockThreshold: ['Meldebestand', 'Threshold'],
    unitStep: ['Schritt', 'Step'],
  },
  importTo: ['wird', 'becomes'],
  importChange: ['Änderung', 'Change'],
  importChanged: ['Geplant', 'Planned'],
  importNone: ['Keine Zeile.', 'No line.'],
  importColumns: ['Spalten', 'Columns'],
  /** The heading of each column, and what the column means. */
  importColumnOf: {
    product: [
      ['PZN', 'oder p1_id: welches Produkt'],
      ['p1_id', 'or pzn: which product'],
    ],
    onHand: [
      ['Bestand', 'vorrätig, mit Reserviertem'],
      ['on_hand', 'in stock, including what is reserved'],
    ],
    available: [
      ['Verkaufbar', 'statt Bestand: was noch verkauft werden kann'],
      ['stock_quantity', 'instead of on_hand: what can still be sold'],
    ],
    delta: [
      ['Änderung', 'Zugang (+) oder Abgang (−)'],
      ['delta', 'received (+) or removed (−)'],
    ],
    price: [
      ['Preis', 'eigener Preis'],
      ['price', 'own price'],
    ],
    threshold: [
      ['Meldebestand', 'ab diesem Bestand nachbestellen'],
      ['low_stock_threshold', 'reorder below this stock'],
    ],
    unit: [
      ['Einheit', 'st, g oder ml, wie beim Produkt'],
      ['unit', 'piece, g or ml, as for the product'],
    ],
    step: [
      ['Gebinde', 'Verkaufsschritt: 5 bei Dosen zu 5 g'],
      ['unit_step', 'step in which it is sold: 5 for tins of 5 g'],
    ],
    add: [
      ['Aufnehmen', 'ja: ins Sortiment aufnehmen'],
      ['add', 'yes: add to the inventory'],
    ],
    create: [
      [
        'Anlegen',
        'ja: als eigenes Produkt anlegen, wenn es im Katalog fehlt; mit Bezeichnung und Preis, auf Wunsch Beschreibung, Kategorie, Einheit, Gebinde, THC, CBD, Rezeptpflichtig',
      ],
      [
        'create',
        'yes: add as your own product if the catalog lacks it; with name and price, optionally description, category, unit, unit_step, thc_percent, cbd_percent, prescription_required',
      ],
    ],
    reference: [
      ['Vermerk', 'Ihre Bezeichnung der Bewegung'],
      ['reference', 'your own note on the movement'],
    ],
  },
  importFile: ['Datei', 'File'],
  importAct: (count: string) =>
    count === '1' ? ['1 Zeile übernehmen', 'Apply 1 line'] : [`${count} Zeilen übernehmen`, `Apply ${count} lines`],
  importFaults: {
    none: ['Bitte eine Datei wählen.', 'Please choose a file.'],
    size: ['Die Datei ist zu groß.', 'The file is too large.'],
    lines: ['Die Datei hat zu viele Zeilen.', 'The file has too many lines.'],
    empty: ['Die Datei hat keine Zeile unter der Kopfzeile.', 'The file has no line below its header.'],
    binary: [
      'Das ist keine CSV-Datei. Speichern Sie die Tabelle als „CSV“.',
      'This is not a CSV file. Please save the spreadsheet as “CSV”.',
    ],
    header: [
      'Die erste Zeile nennt die Spalten nicht richtig. Sie braucht PZN oder p1_id und eine Spalte mit neuen Werten, etwa Preis. Keine Spalte darf doppelt sein; höchstens 100.',
      'The first line does not name the columns correctly. It needs pzn or p1_id, and a column with new values, for example price. No column may appear twice; 100 at most.',
    ],
  },
  importResult: ['Ergebnis', 'Result'],
  importLine: ['Zeile', 'Line'],
  importWhy: ['Warum nicht', 'Why not'],
  importCounts: {
    created: ['aufgenommen', 'added'],
    updated: ['geändert', 'changed'],
    unchanged: ['unverändert', 'unchanged'],
    failed: ['nicht übernommen', 'not applied'],
  },
  importMore: (count: string) => [`und ${count} weitere Zeilen`, `and ${count} more lines`],
  itemFaults: {
    unreadable: ['nicht lesbar', 'cannot be read'],
    columns: ['andere Zahl von Spalten als die Kopfzeile', 'not as many columns as the header'],
    too_long: ['Die Zeile ist zu lang.', 'The line is too long.'],
    identifiers_differ: [
      'P1-ID und PZN gehören zu verschiedenen Produkten.',
      'P1-ID and PZN belong to different products.',
    ],
    not_allowed: [
      'Preise und Schritte ändern und Produkte aufnehmen dürfen Inhaber und Apotheker.',
      'Owners and pharmacists may change prices and steps, and add products.',
    ],
    catalog_product_not_found: ['Der Katalog kennt das Produkt nicht.', 'The catalog has no such product.'],
    ambiguous_pzn: [
      'Mehrere Produkte haben diese PZN: bitte die P1-ID angeben.',
      'Several products have this PZN: please give the P1-ID.',
    ],
    duplicate_product: ['Das Produkt steht schon in einer Zeile davor.', 'An earlier line has the product.'],
    product_not_in_inventory: ['Das Produkt ist nicht im Sortiment.', 'The product is not in the inventory.'],
    version_mismatch: ['Der Bestand ist inzwischen ein anderer.', 'The stock has changed since.'],
    insufficient_stock: ['Der Bestand fiele unter 0.', 'The stock would go below 0.'],
    shop_not_found: ['Den Shop gibt es nicht.', 'There is no such shop.'],
    out_of_stock: ['Ohne Bestand kann es nicht angeboten werden.', 'Without stock it cannot be offered.'],
    product_not_attached: ['Der Shop bietet es nicht an.', 'The shop does not offer it.'],
    unit_fixed: [
      'Das Produkt zählt in einer anderen Einheit. Wechseln Sie sie auf seiner Seite („Einheit wechseln“).',
      'The product is counted in another unit. Change it on its page (“Change the unit”).',
    ],
    slug_taken: ['Der Kurzname ist vergeben.', 'The short name is taken.'],
    overrides_too_large: ['Die Angaben des Shops würden zu groß.', 'The shop’s values would be too large.'],
  },
});
