export { setNotices, wantsNotices } from './notices';
export { getOptOut, optOut, optOutAgain } from './opt-out';
export { messageSettingsOf, saveMessageSettings } from './settings';
export { deleteEmails, dropEmails, eraseEmails, type SentEmail, selectEmails, selectOptOut } from './store';
export { selectMessageSettings } from './store-settings';
export {
  MESSAGE_KINDS,
  MESSAGE_LANGUAGES,
  type MessageKind,
  type MessageLanguage,
} from './tables';
export { MESSAGE_WORDS, type MessageFacts, mailtoLink, messageLanguageOf, messageText, smsLink } from './texts';
export { emailWish } from './wish';
