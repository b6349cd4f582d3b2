import { toCents } from '../../platform/money';
import type { Language } from '../http/language';

/** Grouped thousands with decimals: `1.234,50`, `1'234.50`, `1'234,50`, or `1,234.50`. */
const GROUPED = /^\d{1,3}(?:(?:\.\d{3})+,|(?:['’]\d{3})+[.,]|(?:,\d{3})+\.)\d{1,2}$/;

/** `4,95`, `4.95`, `5` or `1.234,50`, with or without €. @returns cents; null for anything else */
export function parsePrice(text: string): number | null {
  const typed = text.replace(/[€\s]/g, '');
  const decimals = /[.,](\d{1,2})$/.exec(typed)?.[1];
  const plain = GROUPED.test(typed)
    ? `${typed.slice(0, -1 - (decimals?.length ?? 0)).replace(/\D/g, '')}.${decimals}`
    : typed.replace(',', '.');
  return /^\d{1,7}(\.\d{1,2})?$/.test(plain) ? toCents(Number(plain)) : null;
}

/** A price as people type it: `4,95`. */
export function priceText(cents: number, language: Language): string {
  const text = (cents / 100).toFixed(2);
  return language === 'de' ? text.replace('.', ',') : text;
}
