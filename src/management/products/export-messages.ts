import { texts } from '../http/language';

/** Texts of the file of the assortment, in the reader's language. */
export const exportMessages = texts({
  exportStock: { de: 'CSV', en: 'CSV' },
  exportFile: { de: 'sortiment', en: 'inventory' },
  exportColumns: {
    de: (): readonly string[] => [
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
    en: (): readonly string[] => [
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
    de: (count: number) => `Nur die ersten ${count} Produkte`,
    en: (count: number) => `Only the first ${count} products`,
  },
});
