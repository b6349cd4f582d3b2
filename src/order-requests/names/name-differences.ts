/** The differences of two names, with the words to be underlined. */

import {
  type Compared,
  dosageFormsDiffer,
  onlyIn,
  releasesDiffer,
  releasesOf,
  saysSame,
  strengthDifference,
  substancesDiffer,
} from './compare';
import type { NameReading, Said } from './read';
import { type Span, spanIn } from './tokens';

/** `acknowledge` holds the approval back until staff tick it, `marked` is underlined, `told` is a sentence. */
export type Severity = 'acknowledge' | 'marked' | 'told';

export interface Found<Code extends string, Value> {
  code: Code;
  severity: Severity;
  /** The two values that its sentence names: what was asked for, and what is supplied. */
  values: readonly [asked: Value, supplied: Value];
  /** Where the differing words stand in the two names, to be underlined. */
  spans: { asked: Span[]; supplied: Span[] };
}

const TO_ACKNOWLEDGE = ['substance', 'strength', 'form', 'release'] as const;
const MARKED = ['manufacturer', 'words', 'n_size'] as const;
export type NameCode = (typeof TO_ACKNOWLEDGE)[number] | (typeof MARKED)[number];

/** The values are the words as they stand in the names; null where a name does not say it. */
export type NameDifference = Found<NameCode, string | null>;

const IS_SAID = /[\p{L}\d]/u;

/** One of the two names, and what is known of both. */
interface Side {
  name: NameReading;
  against: NameReading;
  isOtherSubstance: boolean;
  isOtherStrength: boolean;
}

/** What a name says of it: places in the folded text. */
const SAYS: Record<NameCode, (side: Side) => Span[]> = {
  // The sentence about another substance names the strength too.
  substance: ({ name }) => [...identityOf(name), ...strengthOf(name)],
  strength: ({ name }) => strengthOf(name),
  form: ({ name }) => placesOf(name.routes, name.forms),
  release: ({ name }) => placesOf(releasesOf(name)),
  manufacturer: ({ name, against }) => placesOf(onlyIn(name.manufacturers, against.manufacturers)),
  words: furtherOf,
  n_size: ({ name }) => placesOf(name.sizes),
};

/** @param compared what was asked for, and the product */
export function nameDifferences(compared: Compared): NameDifference[] {
  const { one, other } = compared;
  if (one.folded.text === other.folded.text) return [];
  const both = { isOtherSubstance: substancesDiffer(compared), isOtherStrength: strengthDifference(compared) !== null };
  const asked: Side = { name: one, against: other, ...both };
  const supplied: Side = { name: other, against: one, ...both };
  const differs: Record<NameCode, boolean> = {
    substance: both.isOtherSubstance,
    strength: both.isOtherStrength && !both.isOtherSubstance,
    form: dosageFormsDiffer(compared),
    // Of another substance only what the names say.
    release: releasesDiffer(compared) && !(both.isOtherSubstance && one.releases.size + other.releases.size === 0),
    manufacturer: onlyIn(one.manufacturers, other.manufacturers).size > 0,
    words: furtherOf(asked).length + furtherOf(supplied).length > 0,
    n_size: one.sizes.size > 0 && other.sizes.size > 0 && !saysSame(one.sizes, other.sizes),
  };
  return [...TO_ACKNOWLEDGE, ...MARKED]
    .filter((code) => differs[code])
    .map((code) => ({
      code,
      severity: MARKED.some((marked) => marked === code) ? 'marked' : 'acknowledge',
      values: [wordsOf(asked, code), wordsOf(supplied, code)],
      spans: { asked: underlined(asked, code), supplied: underlined(supplied, code) },
    }));
}

/** Where parts of a folded name stand in the name itself: in their order; as one, where nothing but marks is between them. */
export function spansOf({ folded }: NameReading, places: readonly Span[]): Span[] {
  const spans: Span[] = [];
  for (const { start, end } of places.map((place) => spanIn(folded, place)).sort((a, b) => a.start - b.start)) {
    const last = spans.at(-1);
    if (last && !IS_SAID.test(folded.name.slice(last.end, start))) last.end = Math.max(last.end, end);
    else spans.push({ start, end });
  }
  return spans;
}

function wordsOf(side: Side, code: NameCode): string | null {
  const spans = spansOf(side.name, SAYS[code](side));
  return spans.length === 0 ? null : spans.map(({ start, end }) => side.name.folded.name.slice(start, end)).join(' ');
}

function underlined(side: Side, code: NameCode): Span[] {
  return spansOf(side.name, code === 'substance' ? differingOf(side) : SAYS[code](side));
}

/** The words that name the medicine: those of the name that may do so, if no substance is known. */
function identityOf({ substances, names, combined, salts }: NameReading): Span[] {
  return placesOf(substances.size > 0 ? substances : names, combined, salts);
}

/** Of them, and of the strength, what the other name does not say. */
function differingOf({ name, against, isOtherStrength }: Side): Span[] {
  const identity =
    name.substances.size > 0 ? onlyIn(name.substances, against.substances) : onlyIn(name.names, against.names);
  const salts = against.salts.size > 0 ? onlyIn(name.salts, against.salts) : new Map();
  const combined = against.combined.size > 0 ? new Map() : name.combined;
  return [...placesOf(identity, salts, combined), ...(isOtherStrength ? strengthOf(name) : [])];
}

function strengthOf({ potencies, amounts, bare, grades }: NameReading): Span[] {
  if (amounts.length > 0) return [...placesOf(potencies), ...amounts];
  return potencies.size + bare.length > 0 ? [...placesOf(potencies), ...bare] : placesOf(grades);
}

function furtherOf({ name, against, isOtherSubstance, isOtherStrength }: Side): Span[] {
  const further = onlyIn(name.further, against.further);
  const names = isOtherSubstance && name.substances.size === 0 ? new Map() : onlyIn(name.names, against.names);
  return placesOf(further, names, isOtherStrength ? new Map() : onlyIn(name.grades, against.grades));
}

function placesOf(...said: Said[]): Span[] {
  return said.flatMap((each) => [...each.values()].flat());
}
