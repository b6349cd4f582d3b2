import { byLanguage } from '../http/language';
import { de, type SharedMessages } from './messages.de';
import { en } from './messages.en';

export type { SharedMessages };

/** Texts that several areas share, in the reader's language. */
export const sharedMessages = byLanguage({ de, en });
