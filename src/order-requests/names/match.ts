/**
 * Whether a submitted name can be the name of the product with the submitted id. A wrong id with a right name would
 * hand out the wrong medicine, and only this check compares the two.
 */

import { readPair, strengthDifference, substancesDiffer } from './compare';

/**
 * True when the names are of different substances, or when both say a strength and the strengths differ. Each is a difference
 * that staff must acknowledge (differences.ts), where a strength that only one name says is one too, but no mismatch: a platform
 * may leave it out.
 */
export function isNameMismatch(submitted: string, product: string): boolean {
  if (submitted === product) return false;
  const compared = readPair(submitted, product);
  if (compared.one.folded.text === compared.other.folded.text) return false;
  return substancesDiffer(compared) || strengthDifference(compared) === 'measured';
}
