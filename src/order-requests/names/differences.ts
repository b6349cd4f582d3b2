/** How what is supplied differs from what was asked for, line by line: what staff must acknowledge before it is approved. */

import { isNameMismatch } from './match';

/** An item as it was submitted; null where it says nothing. */
export interface AskedItem {
  name: string | null;
  quantity: number | null;
  priceCents: number | null;
}

/** A line as it will be approved. */
export interface SuppliedLine {
  /** The product's. */
  name: string;
  quantity: number;
  priceCents: number;
  /** The product's in the shop. */
  productPriceCents: number;
  prescriptionRequired: boolean;
  /** What one pack contains, if the product says it in more than its name. */
  content: null;
}

/** `acknowledge` holds the approval back until staff tick it, `marked` is underlined, `told` is a sentence. */
export interface Difference {
  code: string;
  severity: 'acknowledge' | 'marked' | 'told';
  /** The two values that its sentence names: what was asked for, and what is supplied. */
  values: readonly [asked: unknown, supplied: unknown];
}

/** In the order in which they are told. */
export function differencesOf(asked: AskedItem, supplied: SuppliedLine): Difference[] {
  const found: Difference[] = [];
  if (asked.name !== null && isNameMismatch(asked.name, supplied.name)) {
    found.push({ code: 'substance', severity: 'acknowledge', values: [asked.name, supplied.name] });
  }
  if (asked.quantity !== null && asked.quantity !== supplied.quantity) {
    found.push({ code: 'quantity', severity: 'acknowledge', values: [asked.quantity, supplied.quantity] });
  }
  return found;
}

/** What a form posts to acknowledge a difference. It holds the two values. */
export function acknowledgementKey(line: string | number, { code, values }: Difference): string {
  return JSON.stringify([line, code, ...values]);
}
