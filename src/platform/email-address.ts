/** Separators, brackets, quotes and controls: with one of them a mail program reads two addresses, none, or another one. */
const SEPARATOR = /[\s,;:<>()[\]\\"\p{Cc}\p{Cs}]/u;
/** Characters that are not seen, such as marks of direction. The two joiners belong to names in some scripts (RFC 5892, A.1 and A.2). */
const UNSEEN = /(?![\u200c\u200d])\p{Cf}/u;

/** Whether a text is the address of one mailbox. Letters of every script pass (RFC 6531). */
export function isOneAddress(text: string): boolean {
  const { length } = text.split('@');
  return length === 2 && !text.startsWith('@') && !text.endsWith('@') && !SEPARATOR.test(text) && !UNSEEN.test(text);
}
