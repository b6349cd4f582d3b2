import { byLanguage } from '../http/language';
import { de, type Messages } from './messages.de';
import { en } from './messages.en';

export type { Messages };

/** Texts of this area's pages, in the reader's language. */
export const messages = byLanguage({ de, en });
