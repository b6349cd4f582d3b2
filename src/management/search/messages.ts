import { texts } from '../http/language';

/** Texts of this area's pages, in the reader's language. */
export const messages = texts({
  items: { de: 'Artikel', en: 'Items' },
  productWith: {
    de: (pzn: string): string => `Produkt mit der PZN ${pzn} ansehen`,
    en: (pzn: string): string => `See the product with the PZN ${pzn}`,
  },
  title: { de: 'Suche', en: 'Search' },
  lead: {
    de: 'Geben Sie oben einen Namen, eine E-Mail-Adresse, eine Referenz, eine Nummer oder einen Verwendungszweck ein.',
    en: 'Type a name, an e-mail address, a reference, an id or the purpose of a transfer above.',
  },
  foundTitle: {
    de: (text: string): string => `Suche nach „${text}“`,
    en: (text: string): string => `Search for “${text}”`,
  },
  nothing: {
    de: (count: string) =>
      `Nichts gefunden. Gesucht wird unter den neuesten ${count} Bestellungen und Anfragen jedes Stands.`,
    en: (count: string) => `Nothing found. The newest ${count} orders and requests of each state are searched.`,
  },
});
