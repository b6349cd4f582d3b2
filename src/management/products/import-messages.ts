import { texts } from '../http/language';

/** Texts of the page that imports stocks, in the reader's language. */
export const importMessages = texts({
  importLead: {
    de: (lines: number, kib: number) =>
      `Eine CSV-Datei mit einer Kopfzeile, höchstens ${lines} Zeilen und ${kib} KiB. Komma oder Semikolon trennen die Spalten.`,
    en: (lines: number, kib: number) =>
      `A CSV file with a header, ${lines} lines and ${kib} KiB at most. Commas or semicolons separate the columns.`,
  },
  importColumns: { de: 'Spalten', en: 'Columns' },
  importColumnOf: {
    p1_id: { de: 'oder pzn: welches Produkt', en: 'or pzn: which product' },
    stock_quantity: { de: 'was noch zugesagt werden kann', en: 'what can still be promised' },
    on_hand: { de: 'was im Haus liegt, auch das Zugesagte', en: 'what lies in the house, promised pieces included' },
    delta: { de: 'was dazukam oder wegging', en: 'what came or went' },
    price: { de: 'eigener Preis', en: 'own price' },
    low_stock_threshold: { de: 'Meldebestand', en: 'threshold' },
    add: { de: 'ja: ins Sortiment aufnehmen', en: 'yes: add to the inventory' },
    reference: { de: 'Ihre Bezeichnung der Bewegung', en: 'your word for the movement' },
  },
  importFile: { de: 'Datei', en: 'File' },
  importAct: { de: 'Importieren', en: 'Import' },
  importFaults: {
    none: { de: 'Bitte eine Datei wählen.', en: 'Please choose a file.' },
    size: { de: 'Die Datei ist zu groß.', en: 'The file is too large.' },
    lines: { de: 'Die Datei hat zu viele Zeilen.', en: 'The file has too many lines.' },
    encoding: { de: 'Die Datei ist nicht in UTF-8.', en: 'The file is not in UTF-8.' },
    header: {
      de: 'Die erste Zeile nennt die Spalten nicht, oder eine davon ist unbekannt.',
      en: 'The first line does not name the columns, or one of them is unknown.',
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
  importGone: {
    de: 'Das Ergebnis wurde schon einmal gezeigt. Was sich geändert hat, steht beim Produkt.',
    en: 'The result was shown already. Products show what has changed.',
  },
  importMore: {
    de: (count: number) => `und ${count} weitere Zeilen`,
    en: (count: number) => `and ${count} more lines`,
  },
  importStopped: {
    de: (line: number) =>
      `Ab Zeile ${line} ist nichts übernommen: Der Speicher antwortete nicht. Bitte diese Zeilen noch einmal importieren.`,
    en: (line: number) =>
      `From line ${line} on nothing is taken: the storage did not answer. Please import these lines again.`,
  },
  itemFaults: {
    unreadable: { de: 'nicht lesbar', en: 'cannot be read' },
    columns: { de: 'andere Zahl von Spalten als die Kopfzeile', en: 'not as many columns as the header' },
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
    slug_taken: { de: 'Der Kurzname ist vergeben.', en: 'The short name is taken.' },
    overrides_too_large: { de: 'Die Angaben des Shops würden zu groß.', en: 'The shop’s values would be too large.' },
  },
});
