import { texts } from '../http/language';

/** Texts of the files of the assortment and of a product's movements. */
export const exportMessages = texts({
  exportStock: { de: 'CSV', en: 'CSV' },
  exportFile: { de: 'sortiment', en: 'inventory' },
  exportColumns: {
    de: [
      'P1-ID',
      'PZN',
      'Name',
      'Kategorie',
      'Eigener Preis',
      'Katalogpreis',
      'Im Haus',
      'Zugesagt',
      'Verfügbar',
      'Fehlt',
      'Meldebestand',
      'Shops',
    ],
    en: [
      'P1-ID',
      'PZN',
      'Name',
      'Category',
      'Own price',
      'Catalog price',
      'On hand',
      'Promised',
      'Available',
      'Missing',
      'Threshold',
      'Shops',
    ],
  },
  exportCut: {
    de: (count: number) => `Nur die ersten ${count} Zeilen`,
    en: (count: number) => `Only the first ${count} rows`,
  },
  movementsFile: { de: 'bestandsbewegungen', en: 'stock-movements' },
});
