/**
 * A text as search compares it: lower case, without accents, ß as ss. Both sides of a search are folded here, since
 * SQLite's lower() knows ASCII only and its LIKE takes 50 bytes.
 */
export function foldForSearch(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');
}
