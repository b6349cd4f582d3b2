/** What the name of a product says of the medicine, word by word. */

import { type Form, formOf, type Release, type Route, releaseOf, releaseUnderstood, routesOf } from './forms';
import { type Amount, LETTERS_BEFORE_NUMBER, type ScannedName, scanName } from './scan';
import { substancesOf } from './substances';
import type { Span, Token } from './tokens';
import { gradeOf, type Role, roleOf, saltOf } from './words';

/** What a name says of something, in one spelling, and where in the folded text. */
export type Said<Meaning extends string = string> = ReadonlyMap<Meaning, readonly Span[]>;

export interface NameReading extends ScannedName {
  substances: Said;
  salts: Said;
  /** Words that may name the medicine, if the table of substances does not know them. */
  names: Said;
  /** "plus", "comp". */
  combined: Said;
  /** "forte", "Kinder". */
  grades: Said;
  /** Of homeopathics: D6. */
  potencies: Said;
  forms: Said<Form>;
  routes: Said<Route>;
  releases: Said<Release>;
  /** The release that goes without saying. */
  understood: Said<Release>;
  manufacturers: Said;
  /** N1 to N3. */
  sizes: Said;
  /** Words that tell no medicine from another. */
  further: Said;
}

interface Word extends Span {
  text: string;
  /** The number that is joined to a short word: 12 in B12. */
  number: number | null;
}

const VITAMINS = new Set(['vitamin', 'vitamine', 'vit']);
/** Vitamins of the B group have numbers up to this one, sometimes behind a space. */
const VITAMIN_B_MAX = 12;
const POTENCIES = new Set(['c', 'd', 'lm', 'q']);
const SIZE_MAX = 3;
/** Compounds are not looked for in words that are longer: the time must stay linear in the length of the name. */
const COMPOUND_LETTERS_MAX = 40;
const PART_LETTERS_MIN = 4;
/** Shorter endings of unknown words are no salts. */
const SALT_LETTERS_MIN = 5;
/** 1 µg of vitamin D is 40 I.E. */
const VITAMIN_D_IU_PER_MG = 40_000;
/** Metals that are salts of other substances, and those that are for some of them. */
const METALS = ['natrium', 'kalium'];
const METALS_OF_FEW = ['calcium', 'magnesium'];
const SUBSTANCES_WITH_METALS = ['statin', 'prazol'];

/** Reads a name, as it was submitted or as the product is called. */
export function readName(name: string): NameReading {
  const scanned = scanName(name);
  const reader = new Reader();
  for (const word of wordsOf(scanned.rest)) reader.take(word);
  const said = reader.end();
  return {
    ...scanned,
    ...said,
    amounts: said.substances.has('colecalciferol') ? inIU(scanned.amounts) : scanned.amounts,
  };
}

function wordsOf(tokens: readonly (Token | null)[]): Word[] {
  const words: Word[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token?.isWord) continue;
    const letterAt = tokens[at + 1]?.text === '.' || tokens[at + 1]?.text === '-' ? at + 2 : at + 1;
    const letter = tokens[letterAt];
    if (VITAMINS.has(token.text) && letter?.isWord && letter.text.length === 1) {
      const number = tokens[letterAt + 1];
      const isNumbered = typeof number?.value === 'number' && (!number.isSpaced || isOfVitaminB(letter, number.value));
      const text = `vitamin-${letter.text}${isNumbered && letter.text !== 'd' ? number.value : ''}`;
      words.push({ text, number: null, start: token.start, end: isNumbered ? number.end : letter.end });
      at = isNumbered ? letterAt + 1 : letterAt;
      continue;
    }
    const next = tokens[at + 1];
    const isCode = token.text.length < LETTERS_BEFORE_NUMBER && typeof next?.value === 'number' && !next.isSpaced;
    words.push({
      text: token.text,
      number: isCode ? next.value : null,
      start: token.start,
      end: (isCode ? next : token).end,
    });
  }
  return words;
}

function isOfVitaminB(letter: Token, number: number): boolean {
  return letter.text === 'b' && number <= VITAMIN_B_MAX;
}

class Reader {
  private readonly said = {
    substances: new Map<string, Span[]>(),
    salts: new Map<string, Span[]>(),
    names: new Map<string, Span[]>(),
    combined: new Map<string, Span[]>(),
    grades: new Map<string, Span[]>(),
    potencies: new Map<string, Span[]>(),
    forms: new Map<Form, Span[]>(),
    routes: new Map<Route, Span[]>(),
    releases: new Map<Release, Span[]>(),
    understood: new Map<Release, Span[]>(),
    manufacturers: new Map<string, Span[]>(),
    sizes: new Map<string, Span[]>(),
    further: new Map<string, Span[]>(),
  };

  /** Words like "Nasenspray". */
  private readonly routed = new Map<string, Span[]>();

  take(word: Word): void {
    if (word.number !== null) this.takeCode(word, `${word.text}${word.number}`);
    else if (!this.takeSubstances(word, word.text)) this.takeOther(word);
  }

  /** What the words say together. */
  end() {
    const { substances, salts, names, grades, manufacturers, understood } = this.said;
    for (const metal of metalsOfSalts([...substances.keys()])) {
      salts.set(metal, substances.get(metal) ?? []);
      substances.delete(metal);
    }
    for (const [substance, places] of substances) {
      const release = releaseUnderstood(substance, [...salts.keys(), ...grades.keys()]);
      if (release !== null) understood.set(release, places);
    }
    // "Nasenspray-ratiopharm" is the whole name of a medicine.
    if (substances.size === 0 && names.size === 0 && this.routed.size > 0) {
      for (const [word, places] of [...this.routed, ...manufacturers]) names.set(word, places);
    }
    return this.said;
  }

  private takeCode(word: Word, code: string): void {
    if (this.takeSubstances(word, code)) return;
    if (word.text === 'n' && Number(word.number) <= SIZE_MAX) add(this.said.sizes, code, word);
    else if (POTENCIES.has(word.text)) add(this.said.potencies, code, word);
    else add(this.said.further, code, word);
  }

  private takeSubstances(span: Span, word: string): boolean {
    const substances = substancesOf(word);
    for (const substance of substances) add(this.said.substances, substance, span);
    return substances.length > 0;
  }

  private takeOther(word: Word): void {
    const compound = saltOf(word.text) === null ? compoundOf(word.text) : null;
    if (compound) {
      if (!this.takeSubstances(word, compound.name)) add(this.said.names, compound.name, word);
      if (!this.takeMeaning(word, compound.rest)) this.takeSubstances(word, compound.rest);
    } else if (!this.takeMeaning(word, word.text)) {
      const said: Record<Role, Map<string, Span[]> | null> = {
        name: this.said.names,
        combined: this.said.combined,
        manufacturer: this.said.manufacturers,
        further: this.said.further,
        noise: null,
      };
      const into = said[roleOf(word.text)];
      if (into) add(into, word.text, word);
    }
  }

  /** A form, a release, a salt or a grade. @returns whether the word is one */
  private takeMeaning(span: Span, word: string): boolean {
    const [form, release, routes] = [formOf(word), releaseOf(word), routesOf(word)];
    const [salt, grade] = [saltOf(word), gradeOf(word)];
    if (form !== null) add(this.said.forms, form, span);
    if (release !== null) add(this.said.releases, release, span);
    for (const route of routes) add(this.said.routes, route, span);
    if (routes.length > 0 && form !== null) add(this.routed, word, span);
    if (salt !== null) add(this.said.salts, salt, span);
    if (grade !== null) add(this.said.grades, grade, span);
    return routes.length > 0 || [form, release, salt, grade].some((meaning) => meaning !== null);
  }
}

function add<Meaning extends string>(said: Map<Meaning, Span[]>, meaning: Meaning, { start, end }: Span): void {
  const places = said.get(meaning) ?? [];
  places.push({ start, end });
  said.set(meaning, places);
}

/** "Metoprololsuccinat", "Cannabisblüten", "DiclofenacHEXAL", and unknown names of salts. */
function compoundOf(word: string): { name: string; rest: string } | null {
  if (word.length > COMPOUND_LETTERS_MAX) return null;
  let unknown: { name: string; rest: string } | null = null;
  for (let end = PART_LETTERS_MIN; end <= word.length - PART_LETTERS_MIN; end += 1) {
    const [name, rest] = [word.slice(0, end), word.slice(end)];
    const isSalt = saltOf(rest) !== null || METALS.includes(rest);
    if (substancesOf(name).length > 0 && (isSalt || isEnding(rest))) return { name, rest };
    if (isSalt && rest.length >= SALT_LETTERS_MIN) unknown ??= { name, rest };
  }
  return unknown;
}

function isEnding(rest: string): boolean {
  return formOf(rest) !== null || releaseOf(rest) !== null || roleOf(rest) === 'manufacturer';
}

/** The metals among the substances that are part of another one: the sodium of "Diclofenac-Natrium". */
function metalsOfSalts(substances: readonly string[]): string[] {
  const others = substances.filter((substance) => !METALS.includes(substance));
  const hasMetal = others.some((substance) => SUBSTANCES_WITH_METALS.some((ending) => substance.endsWith(ending)));
  return substances.filter(
    (substance) => (METALS.includes(substance) && others.length > 0) || (METALS_OF_FEW.includes(substance) && hasMetal),
  );
}

function inIU(amounts: readonly Amount[]): Amount[] {
  return amounts.map((amount) =>
    amount.measure === 'mg' && amount.value < 1
      ? { ...amount, measure: 'IU', value: amount.value * VITAMIN_D_IU_PER_MG }
      : amount,
  );
}
