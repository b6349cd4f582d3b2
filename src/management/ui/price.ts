import { toCents } from '../../platform/money';
import type { Language } from '../http/language';

/** `4,95`, `4.95` or `5`, with or without €. @returns cents; null for anything else */
export function parsePrice(text: string): number | null {
  const plain = text.replace(/[€\s]/g, '').replace(',', '.');
  return /^\d{1,7}(\.\d{1,2})?$/.test(plain) ? toCents(Number(plain)) : null;
}

/** A price as people type it: `4,95`. */
export function priceText(cents: number, language: Language): string {
  const text = (cents / 100).toFixed(2);
  return language === 'de' ? text.replace('.', ',') : text;
}
