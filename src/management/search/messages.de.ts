/** German texts of this area's pages. Their keys are the keys of every language. */
export const de = {
  state: 'Status',
  title: 'Suche',
  lead: 'Geben Sie oben einen Namen, eine E-Mail-Adresse, eine Referenz, eine Nummer oder einen Verwendungszweck ein.',
  foundTitle: (text: string): string => `Suche nach „${text}“`,
  nothing: (count: string) =>
    `Nichts gefunden. Gesucht wird unter den neuesten ${count} Bestellungen und Anfragen jedes Stands.`,
};

export type Messages = typeof de;
