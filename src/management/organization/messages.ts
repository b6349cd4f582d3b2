import { byLanguage } from '../http/language';
import { de } from './messages.de';
import { en } from './messages.en';

/** Texts of this area's pages, in the reader's language. */
export const messages = byLanguage({ de, en });
