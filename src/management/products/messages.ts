import { byLanguage } from '../http/language';
import { de, type Messages } from './messages.de';
import { en } from './messages.en';

export type { Messages };

/** What the pages of this area say, in the reader's language. */
export const messages = byLanguage({ de, en });
