import { texts } from '../http/language';

/** Texts of the page that imports stocks, in the reader's language. */
export const importMessages = texts({
  importLead: {
    de: (lines: string, mib: number) =>
      `CSV mit einer Kopfzeile, höchstens ${lines} Zeilen und ${mib} MiB. Vor dem Übernehmen sehen Sie, was sich ändert.`,
    en: (lines: string, mib: number) =>
      `CSV with a header, ${lines} lines and ${mib} MiB at most. You see what changes before anything is taken over.`,
  },
  importPaste: { de: 'Oder hier einfügen', en: 'Or paste it here' },
  importPasteHint: {
    de: 'Aus einer Tabelle kopiert, mit der Kopfzeile; bis 60.000 Zeichen.',
    en: 'Copied from a spreadsheet, with the header; up to 60,000 characters.',
  },
  importExample: { de: 'PZN;Bestand;Preis\n01126619;12;4,95', en: 'pzn,on_hand,price\n01126619,12,4.95' },
  importLook: { de: 'Vorschau ansehen', en: 'Look at the preview' },
  importHeadings: {
    de: 'Auch die Kopfzeile des CSV-Exports und die Namen der API (on_hand, delta, price …) werden erkannt. Andere Spalten bleiben ungelesen.',
    en: 'The headings of the CSV export are known, too. Other columns are not read.',
  },
  importNewest: { de: 'Letzte Importe', en: 'Latest imports' },
  importLines: { de: (lines: string) => `${lines} Zeilen`, en: (lines: string) => `${lines} lines` },
  importNotYet: { de: 'nicht übernommen', en: 'not taken over' },
  importUnderWay: { de: 'angehalten oder läuft', en: 'stopped or under way' },
  importDone: { de: 'übernommen', en: 'taken over' },
  importKept: {
    de: (days: number) => `Vorschau und Bericht bleiben ${days} Tage.`,
    en: (days: number) => `Preview and report are kept for ${days} days.`,
  },
  importUntil: {
    de: (date: string) => `Vorschau und Bericht bleiben bis ${date}.`,
    en: (date: string) => `Preview and report are kept until ${date}.`,
  },
  importPreviewTitle: { de: 'Vorschau des Imports', en: 'Preview of the import' },
  importRunningTitle: { de: 'Import läuft', en: 'Import under way' },
  importReportTitle: { de: 'Bericht des Imports', en: 'Report of the import' },
  importNothingYet: {
    de: 'Noch ist nichts geändert. „Übernehmen“ prüft jede Zeile noch einmal.',
    en: 'Nothing is changed yet. “Take over” checks each line once more.',
  },
  importIgnored: {
    de: (columns: string) => `Nicht gelesene Spalten: ${columns}`,
    en: (columns: string) => `Columns that are not read: ${columns}`,
  },
  importProgress: {
    de: (done: string, all: string) => `${done} von ${all} Zeilen sind übernommen.`,
    en: (done: string, all: string) => `${done} of ${all} lines are taken over.`,
  },
  importGoesOn: {
    de: (lines: number) =>
      `Es geht von selbst weiter, ${lines} Zeilen auf einmal, auch wenn die Seite geschlossen und wieder geöffnet wird. Keine Zeile wird doppelt gebucht.`,
    en: (lines: number) =>
      `It goes on by itself, ${lines} lines at a time, also after the page was closed and opened again. No line is booked twice.`,
  },
  importNext: { de: 'Weiter', en: 'Go on' },
  importAnother: { de: 'Weitere Datei', en: 'Another file' },
  importToProducts: { de: 'Zu den Produkten', en: 'To the products' },
  importFailedAct: { de: 'Nicht übernommene Zeilen (CSV)', en: 'Lines not taken (CSV)' },
  importNothing: { de: 'Keine Zeile würde etwas ändern.', en: 'No line would change anything.' },
  importFailedFile: { de: 'nicht-uebernommen', en: 'not-taken' },
  importWould: {
    failed: { de: 'Abgelehnt', en: 'Refused' },
    updated: { de: 'Ändert sich', en: 'Will change' },
    created: { de: 'Kommt ins Sortiment', en: 'Will be added' },
    unchanged: { de: 'Bleibt', en: 'Stays' },
  },
  importBecame: {
    failed: { de: 'Nicht übernommen', en: 'Not taken' },
    updated: { de: 'Geändert', en: 'Changed' },
    created: { de: 'Aufgenommen', en: 'Added' },
    unchanged: { de: 'Unverändert', en: 'Unchanged' },
  },
  importFigures: {
    onHand: { de: 'Lagerbestand', en: 'On hand' },
    stockQuantity: { de: 'Verfügbar', en: 'Available' },
    priceCents: { de: 'Eigener Preis', en: 'Own price' },
    lowStockThreshold: { de: 'Meldebestand', en: 'Threshold' },
    unitStep: { de: 'Schritt', en: 'Step' },
  },
  importTo: { de: 'wird', en: 'becomes' },
  importChange: { de: 'Änderung', en: 'Change' },
  importNone: { de: 'Keine Zeile.', en: 'No line.' },
  importColumns: { de: 'Spalten', en: 'Columns' },
  /** A heading of each column, and what the column says. */
  importColumnOf: {
    product: { de: ['PZN', 'oder p1_id: welches Produkt'], en: ['p1_id', 'or pzn: which product'] },
    onHand: {
      de: ['Bestand', 'was im Lager liegt, Reserviertes eingeschlossen'],
      en: ['on_hand', 'what lies in the house, promised pieces included'],
    },
    available: {
      de: ['stock_quantity', 'statt Bestand: was noch verkauft werden kann'],
      en: ['stock_quantity', 'instead of on_hand: what can still be promised'],
    },
    delta: { de: ['Änderung', 'was dazukam oder wegging'], en: ['delta', 'what came or went'] },
    price: { de: ['Preis', 'eigener Preis'], en: ['price', 'own price'] },
    threshold: { de: ['Meldebestand', 'ab wann es knapp ist'], en: ['low_stock_threshold', 'threshold'] },
    unit: {
      de: ['Einheit', 'st, g oder ml; eine andere als die des Produkts wird abgelehnt'],
      en: ['unit', 'piece, g or ml; another than its product’s is refused'],
    },
    step: {
      de: ['Gebinde', 'verkauft in Schritten von so vielen: 5 bei Dosen zu 5 g'],
      en: ['unit_step', 'sold in steps of so many: 5 for tins of 5 g'],
    },
    add: { de: ['Aufnehmen', 'ja: ins Sortiment aufnehmen'], en: ['add', 'yes: add to the inventory'] },
    create: {
      de: [
        'Anlegen',
        'ja: als eigenes Produkt anlegen, falls der Katalog es nicht hat; mit Bezeichnung und Preis, auf Wunsch Beschreibung, Kategorie, Einheit, Gebinde, THC, CBD, Rezeptpflichtig',
      ],
      en: [
        'create',
        'yes: add as an own product where the catalog lacks it; with name and price, if you like description, category, unit, unit_step, thc_percent, cbd_percent, prescription_required',
      ],
    },
    reference: { de: ['reference', 'Ihre Bezeichnung der Bewegung'], en: ['reference', 'your word for the movement'] },
  },
  importFile: { de: 'Datei', en: 'File' },
  importAct: { de: 'Übernehmen', en: 'Take over' },
  importFaults: {
    none: { de: 'Bitte eine Datei wählen.', en: 'Please choose a file.' },
    size: { de: 'Die Datei ist zu groß.', en: 'The file is too large.' },
    lines: { de: 'Die Datei hat zu viele Zeilen.', en: 'The file has too many lines.' },
    empty: { de: 'Die Datei hat keine Zeile unter der Kopfzeile.', en: 'The file has no line below its header.' },
    binary: {
      de: 'Das ist keine CSV-Datei. Speichern Sie die Tabelle als „CSV“.',
      en: 'This is no CSV file. Please save the spreadsheet as “CSV”.',
    },
    header: {
      de: 'Die erste Zeile nennt die Spalten nicht: PZN oder p1_id und eine, die etwas ändert, jede einmal; höchstens 100 Spalten.',
      en: 'The first line does not name the columns: pzn or p1_id and one that changes something, each once; 100 columns at most.',
    },
  },
  importResult: { de: 'Ergebnis', en: 'Result' },
  importLine: { de: 'Zeile', en: 'Line' },
  importWhy: { de: 'Warum nicht', en: 'Why not' },
  importCounts: {
    created: { de: 'aufgenommen', en: 'added' },
    updated: { de: 'geändert', en: 'changed' },
    unchanged: { de: 'unverändert', en: 'unchanged' },
    failed: { de: 'nicht übernommen', en: 'not taken' },
  },
  importMore: {
    de: (count: string) => `und ${count} weitere Zeilen`,
    en: (count: string) => `and ${count} more lines`,
  },
  itemFaults: {
    unreadable: { de: 'nicht lesbar', en: 'cannot be read' },
    columns: { de: 'andere Zahl von Spalten als die Kopfzeile', en: 'not as many columns as the header' },
    too_long: { de: 'Die Zeile ist zu lang.', en: 'The line is too long.' },
    identifiers_differ: {
      de: 'P1-ID und PZN gehören zu verschiedenen Produkten.',
      en: 'P1-ID and PZN belong to different products.',
    },
    not_allowed: {
      de: 'Preise und Schritte ändern und Produkte aufnehmen dürfen Inhaber und Apotheker.',
      en: 'Owners and pharmacists may change prices and steps, and add products.',
    },
    catalog_product_not_found: { de: 'Der Katalog kennt das Produkt nicht.', en: 'The catalog has no such product.' },
    ambiguous_pzn: {
      de: 'Mehrere Produkte haben diese PZN: bitte die P1-ID angeben.',
      en: 'Several products have this PZN: please give the P1-ID.',
    },
    duplicate_product: { de: 'Das Produkt steht schon in einer Zeile davor.', en: 'An earlier line has the product.' },
    product_not_in_inventory: { de: 'Das Produkt ist nicht im Sortiment.', en: 'The product is not in the inventory.' },
    version_mismatch: { de: 'Der Bestand ist inzwischen ein anderer.', en: 'The stock has changed since.' },
    insufficient_stock: { de: 'Der Bestand fiele unter 0.', en: 'The stock would go below 0.' },
    shop_not_found: { de: 'Den Shop gibt es nicht.', en: 'There is no such shop.' },
    out_of_stock: { de: 'Ohne Bestand kann es nicht angeboten werden.', en: 'Without stock it cannot be offered.' },
    product_not_attached: { de: 'Der Shop bietet es nicht an.', en: 'The shop does not offer it.' },
    unit_fixed: {
      de: 'Das Produkt zählt in einer anderen Einheit. Wechseln Sie sie auf seiner Seite („Einheit wechseln“).',
      en: 'The product is counted in another unit. Change it on its page (“Change the unit”).',
    },
    slug_taken: { de: 'Der Kurzname ist vergeben.', en: 'The short name is taken.' },
    overrides_too_large: { de: 'Die Angaben des Shops würden zu groß.', en: 'The shop’s values would be too large.' },
  },
});
