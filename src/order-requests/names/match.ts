/**
 * Whether a submitted name can be the name of the product with the submitted id. A wrong id with a right name would
 * hand out the wrong medicine, and only this check compares the two.
 */

import { type Measure, type ScannedName, scanName } from './scan';
import { isDistinct } from './words';

/**
 * True when both names contain a strength and the strengths differ, or when the names share no word of at least four
 * letters. Dosage forms, packs and manufacturers do not count as words, because they appear in the names of different
 * medicines.
 */
export function isNameMismatch(submitted: string, product: string): boolean {
  if (submitted === product) return false;
  const [asked, matched] = [scanName(submitted), scanName(product)];
  if (asked.text === matched.text) return false;
  return strengthsDiffer(asked, matched) || !sharesWord(asked, matched);
}

function strengthsDiffer(asked: ScannedName, matched: ScannedName): boolean {
  if (asked.amounts.length === 0 || matched.amounts.length === 0) {
    return bareDiffers(asked, matched) || bareDiffers(matched, asked);
  }
  const [a, b] = [byMeasure(asked), byMeasure(matched)];
  const common = [...a.keys()].filter((measure) => b.has(measure));
  // The weight of a small pack is no strength, and cannabis names contain "22/1" or percentages.
  if (common.length === 0) return !(asked.isMaybePack || matched.isMaybePack || a.has('thc') || b.has('thc'));
  return common.some((measure) => !isSameSet(a.get(measure), b.get(measure)));
}

function byMeasure({ amounts }: ScannedName): Map<Measure, Set<number>> {
  const values = new Map<Measure, Set<number>>();
  for (const { measure, value } of amounts) values.set(measure, (values.get(measure) ?? new Set()).add(value));
  return values;
}

function isSameSet(one = new Set<number>(), other = new Set<number>()): boolean {
  return one.size === other.size && [...one].every((value) => other.has(value));
}

/** Compares "Ibuprofen 400" with a name with 600 mg: the number must appear in a name that has a strength. */
function bareDiffers(one: ScannedName, other: ScannedName): boolean {
  if (one.amounts.length > 0 || other.amounts.length === 0 || other.isMaybePack) return false;
  return one.bare.length > 0 && !one.bare.some((number) => other.numbers.has(number));
}

function sharesWord(asked: ScannedName, matched: ScannedName): boolean {
  const words = new Set(matched.words);
  return asked.words.some((word) => words.has(word) && isDistinct(word));
}
