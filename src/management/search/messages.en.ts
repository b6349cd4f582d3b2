import type { Messages } from './messages.de';

export const en: Messages = {
  state: 'State',
  title: 'Search',
  lead: 'Type a name, an e-mail address, a reference, an id or the purpose of a transfer above.',
  foundTitle: (text: string): string => `Search for “${text}”`,
  nothing: (count: string) => `Nothing found. The newest ${count} orders and requests of each state are searched.`,
};
