import { SEARCHED_MAX } from '../../orders/limits';
import type { Messages } from './messages.de';

const SEARCHED = SEARCHED_MAX.toLocaleString('en-GB');

export const en: Messages = {
  state: 'State',
  title: 'Search',
  lead: 'Type a name, an e-mail address, a reference, an id or the purpose of a transfer above.',
  foundTitle: (text: string): string => `Search for “${text}”`,
  nothing: `Nothing found. The newest ${SEARCHED} orders and requests of each state are searched.`,
};
