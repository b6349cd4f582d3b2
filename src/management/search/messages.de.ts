import { SEARCHED_MAX } from '../../orders/limits';

const SEARCHED = SEARCHED_MAX.toLocaleString('de-DE');

/** German texts of this area's pages. Their keys are the keys of every language. */
export const de = {
  state: 'Status',
  title: 'Suche',
  lead: 'Geben Sie oben einen Namen, eine E-Mail-Adresse, eine Referenz, eine Nummer oder einen Verwendungszweck ein.',
  foundTitle: (text: string): string => `Suche nach „${text}“`,
  nothing: `Nichts gefunden. Gesucht wird unter den neuesten ${SEARCHED} Bestellungen und Anfragen jedes Stands.`,
};

export type Messages = typeof de;
