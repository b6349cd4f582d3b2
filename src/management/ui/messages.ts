import { byLanguage } from '../http/language';
import { de, type SharedMessages } from './messages.de';
import { en } from './messages.en';

export type { SharedMessages };

/** What the areas say alike, in the reader's language. */
export const sharedMessages = byLanguage({ de, en });
