/**
 * A text as search compares it: lowercase, without accents, ß as ss. Both sides of a search are folded here, because
 * SQLite's lower() knows only ASCII and its LIKE takes at most 50 bytes.
 */
export function foldForSearch(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');
}
