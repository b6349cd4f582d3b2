/** Units of strengths and of packs in product names, folded (tokens.ts). */

/** What a pack contains. A dose is a puff of a spray. */
export type ContentUnit = 'piece' | 'ml' | 'g' | 'dose';

/** "2 x 50 St" is two times 50 pieces, "3 Packungen" three times one pack. */
export interface Pack {
  count: number;
  size: number;
  unit: ContentUnit | 'pack';
}

/** How much of something: 100 pieces, 20 g. */
export interface Content {
  size: number;
  unit: ContentUnit;
}

/** An amount per unit: 1 g is 1,000 mg. */
export interface Unit {
  of: 'mass' | 'IU' | 'mmol' | 'per cent';
  factor: number;
}

export const GRAM: Unit = { of: 'mass', factor: 1000 };
export const IU: Unit = { of: 'IU', factor: 1 };
export const UNITS = unitsBy<Unit>([
  ['mg milligramm', { of: 'mass', factor: 1 }],
  ['g gramm', GRAM],
  ['ug mcg mikrogramm microgram microgramm micrograms', { of: 'mass', factor: 0.001 }],
  ['mmol', { of: 'mmol', factor: 1 }],
  // 1 % is 10 mg in each g or ml.
  ['% prozent', { of: 'per cent', factor: 10 }],
]);
export const MILLIONS = new Set(['mio', 'mil', 'mill', 'mega']);
export const PER = new Set(['/', 'pro', 'je']);
/** What contains an amount ("/5 ml"), in ml or g. */
export const CONTAINERS = unitsBy<number>([
  ['ml g', 1],
  ['l', 1000],
]);
/** Sizes of packs; null is a length, as of a plaster. */
export const SIZES = unitsBy<Pick<Pack, 'size' | 'unit'> | null>([
  ['st stk stck stuck pcs', { size: 1, unit: 'piece' }],
  ['ml', { size: 1, unit: 'ml' }],
  ['cl', { size: 10, unit: 'ml' }],
  ['l', { size: 1000, unit: 'ml' }],
  ['kg', { size: 1000, unit: 'g' }],
  ['hub hube dosis dosen spruhstosse', { size: 1, unit: 'dose' }],
  ['op pack packung packungen packs', { size: 1, unit: 'pack' }],
  ['cm mm', null],
]);

function unitsBy<Meaning>(entries: readonly [string, Meaning][]): ReadonlyMap<string, Meaning> {
  return new Map(
    entries.flatMap(([texts, meaning]) => texts.split(' ').map((text): [string, Meaning] => [text, meaning])),
  );
}
