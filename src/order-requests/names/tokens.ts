/**
 * Splits product names into numbers, words and marks. Also lists the units of strengths and packs, and the words that
 * do not name a medicine.
 */

import { once } from '../../platform/isolate-cache';

/** A part of a text: from the character at `start` up to the one before `end`. */
export interface Span {
  start: number;
  end: number;
}

export interface Token extends Span {
  /** The word or the mark. For a number, its first group of digits. */
  text: string;
  /** Null unless it is a number. */
  value: number | null;
  isWord: boolean;
  /** Whether a space comes before it. */
  isSpaced: boolean;
}

/** A name, and the same name in the one spelling in which names are compared. */
export interface Folded {
  /** As it was written. */
  name: string;
  text: string;
  /**
   * For each character of `text`, the index in `name` at which it begins. The last entry is the index in `name` after
   * the last character.
   */
  origins: number[];
}

/** Matches a run of letters, a run of digits, or any other single character. */
const LEXEME = /\p{L}+|\d+|[^\p{L}\d]/gu;
const IS_WORD = /^\p{L}/u;
const IS_DIGITS = /^\d/;
/** How many digits follow each separator in a number such as 1.000.000. */
const GROUP_DIGITS = 3;
const GROUPING_MARKS = [',', ' ', "'"];

/**
 * The most characters of a folded name. The folded name itself is limited, because folding can turn one character into
 * eighteen.
 */
const TEXT_MAX = 200;
/** Matches diacritics, the trademark sign and invisible characters such as soft hyphens. */
const UNSEEN = /[\p{M}\p{Cf}\u2122]/gu;
const SPELLINGS: Readonly<Record<string, string>> = { ß: 'ss', μ: 'u' };

/**
 * Folds a name: returns it in lower case, with one spelling of umlauts (ä, ae, a), micro signs and spaces. The folded
 * text is cut off after `TEXT_MAX` characters.
 */
export function foldName(name: string): Folded {
  const origins: number[] = [];
  let [text, at, end, hasLostE] = ['', 0, 0, false];
  for (const character of name) {
    for (const letter of lettersOf(character)) {
      const last = text.at(-1);
      const isSpace = letter.trim() === '';
      if (isSpace && (last === undefined || last === ' ')) continue;
      hasLostE = letter === 'e' && !hasLostE && (last === 'a' || last === 'o' || last === 'u');
      if (!hasLostE) {
        if (text.length >= TEXT_MAX) return { name, text, origins: [...origins, at + character.length] };
        text += isSpace ? ' ' : letter;
        while (origins.length < text.length) origins.push(at);
      }
      if (!isSpace) end = at + character.length;
    }
    at += character.length;
  }
  text = text.trimEnd();
  return { name, text, origins: [...origins.slice(0, text.length), end] };
}

/** @see foldName */
export function folded(name: string): string {
  return foldName(name).text;
}

/** Returns the words of a list, folded. In `words`, spaces or line breaks separate them. */
export function listed(words: string): string[] {
  return words.trim().split(/\s+/).map(folded);
}

/**
 * Returns the word without a final e. English names of substances and salts often end with it, where German ones do
 * not.
 */
export function withoutE(word: string): string {
  return word.endsWith('e') ? word.slice(0, -1) : word;
}

function lettersOf(character: string): string {
  if (character <= '\u007f') return character.toLowerCase();
  const plain = character.replace(UNSEEN, '').normalize('NFKD').replace(UNSEEN, '').toLowerCase();
  return SPELLINGS[plain] ?? plain;
}

/**
 * Splits a folded text into tokens.
 * @param text folded by `foldName`
 */
export function tokensOf(text: string): Token[] {
  const lexemes = text.match(LEXEME) ?? [];
  const tokens: Token[] = [];
  let [at, start] = [0, 0];
  for (let lexeme = lexemes[at]; lexeme !== undefined; lexeme = lexemes[at]) {
    const number = IS_DIGITS.test(lexeme) ? numberAt(lexemes, at) : null;
    const next = at + (number?.lexemes ?? 1);
    const end = lexemes.slice(at, next).reduce((sum, { length }) => sum + length, start);
    if (lexeme !== ' ') {
      const isSpaced = lexemes[at - 1] === ' ';
      tokens.push({ text: lexeme, value: number?.value ?? null, isWord: IS_WORD.test(lexeme), isSpaced, start, end });
    }
    [at, start] = [next, end];
  }
  return tokens;
}

/**
 * Reads a number. `1.000`, `1,000` and `1 000` are one thousand, `1.500` is 1,500; `0,5`, `2.5` and `0,125` are
 * decimals.
 */
function numberAt(all: readonly string[], at: number): { value: number; lexemes: number } {
  const textAt = (index: number) => all[index] ?? '';
  const [first, mark, next] = [textAt(at), textAt(at + 1), textAt(at + 2)];
  const groups: string[] = [];
  if (first.length <= GROUP_DIGITS && !first.startsWith('0')) {
    for (let end = at + 1; textAt(end) === mark && isGroup(mark, textAt(end + 1)); end += 2)
      groups.push(textAt(end + 1));
  }
  if (groups.length > 0) return { value: Number(first + groups.join('')), lexemes: 1 + 2 * groups.length };
  if ((mark === '.' || mark === ',') && IS_DIGITS.test(next)) return { value: Number(`${first}.${next}`), lexemes: 3 };
  return { value: Number(first), lexemes: 1 };
}

/**
 * Whether `digits` after `mark` is a group of a number, as in 1.000. After a point, any three digits are a group. After
 * any other mark, only `000` is a group, so `0,125` and `20 100` contain no group.
 */
function isGroup(mark: string, digits: string): boolean {
  if (mark === '.') return digits.length === GROUP_DIGITS && IS_DIGITS.test(digits);
  return GROUPING_MARKS.includes(mark) && digits === '000';
}

/**
 * Converts a span of the folded text to a span of the name. If one character of the name became several ("½"), the span
 * includes that character as a whole.
 */
export function spanIn({ origins }: Folded, { start, end }: Span): Span {
  const begin = origins[start] ?? 0;
  let at = end;
  while (at < origins.length - 1 && (origins[at] ?? 0) <= begin) at += 1;
  return { start: begin, end: origins[at] ?? begin };
}

/** The measure of an amount of substance. Only amounts with the same measure can be compared. */
export type Measure = 'mg' | 'IU' | 'mg/ml' | 'IU/ml' | 'mmol' | 'thc' | 'cbd';

/**
 * How much substance one piece, or each ml or g, contains. `thc` and `cbd` are the two numbers of cannabis, as in
 * "22/1" (percent).
 */
export interface Amount extends Span {
  measure: Measure;
  value: number;
  /** The number as the name states it, in the unit of the name. */
  written: number;
}

/** The unit that counts the content of a pack. A dose is a puff of a spray. */
export type ContentUnit = 'piece' | 'ml' | 'g' | 'dose';

/** A pack size: "2 x 50 St" is two times 50 pieces, "3 Packungen" three times one pack. */
export interface Pack {
  count: number;
  size: number;
  unit: ContentUnit | 'pack';
}

/** An amount of the content of a pack: 100 pieces, 20 g. */
export interface Content {
  size: number;
  unit: ContentUnit;
}

/**
 * A unit of amounts: its measure, and its factor to the base unit. The base unit of mass is mg, so the factor of g is
 * 1,000.
 */
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
/**
 * Units of the amount that contains a strength, such as the ml in "20 mg/5 ml". The value is the number of ml or g in
 * one unit.
 */
export const CONTAINERS = unitsBy<number>([
  ['ml g', 1],
  ['l', 1000],
]);
/** Units of pack sizes. The value is null for a unit of length, such as that of a plaster. */
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

/**
 * Returns the measure and the value of an amount.
 * @param amount the amount in the base unit
 * @param per how many ml or g contain the amount; null if the name does not say so
 */
export function measured(of: Unit['of'], amount: number, per: number | null): [Measure, number] {
  if (of === 'per cent') return ['mg/ml', amount];
  if (of === 'mmol') return ['mmol', amount];
  const measure = of === 'mass' ? 'mg' : 'IU';
  return per === null ? [measure, amount] : [`${measure}/ml`, amount / per];
}

/** Makes an amount. Its value is rounded to 6 digits, which removes floating-point noise. */
export function amountOf(measure: Measure, value: number, written: number, { start, end }: Span): Amount {
  return { measure, value: Number(value.toPrecision(6)), written, start, end };
}

function unitsBy<Meaning>(entries: readonly [string, Meaning][]): ReadonlyMap<string, Meaning> {
  return new Map(
    entries.flatMap(([texts, meaning]) => texts.split(' ').map((text): [string, Meaning] => [text, meaning])),
  );
}

/** Names of manufacturers and importers, and brands that many different medicines have. */
const MANUFACTURERS = once(
  () =>
    new Set(
      listed(`
  abacus abbott abbvie abtei abz accord actavis al aliud alcon altapharma amneal aristo aris arzneimittel astrazeneca
  aurobindo aventis axcount axicorp basics bausch baxter bayer beragena beta betapharm biomo bluefish boehringer bombastus
  braun bristol cheplapharm cipla ct denk dermapharm desitin dhu docpharm doppelherz dura emra engelhard eurim eurimpharm
  fairmed fresenius gal galen galenpharma glenmark gsk healthcare heel hennig henning hermes heumann hevert hexal hikma
  hormosan infectopharm janssen jenapharm kade klosterfrau kohlpharma krewel krka labs lichtenstein lich licht lilly lindopharm
  lupin macleods medice medicopharm menarini merck meuselbach mibe micro milinda msd mylan neuraxpharm nordisk novartis
  novo orifarm orthomol pascoe pfizer pharma pohl boskamp puren queisser ratio ratiopharm riemser ritsert roche rotexmedica
  salus sandoz sanofi santen schwabe servier sidroga sivash stada stadapharm sun tad takeda tetesept teva tillomed torrent
  ucb unichem upjohn ursapharm veron verla viatris wala weleda wepa winthrop worwag zentiva zydus gmbh kg ag
`),
    ),
);

/** Words that stand for a further, unnamed substance. */
const COMBINED = once(() => new Set(listed('plus comp compositum comb mix duo complex komplex profil kombi')));

/** Words for a strength that no number states, or for the group of patients. */
const GRADES = once(() =>
  firstsOf(`
  forte, mite, semi, extra, intens, strong, max, junior, kinder kind kindersaft kdr, kleinkinder, säuglinge säugling babys,
  erwachsene erw, jugendliche, frauen, gs, protect
`),
);

/** Salts and esters, which follow the name of the substance. */
const SALTS = once(() =>
  firstsOf(`
  hydrochlorid hcl, hydrobromid, besilat besylat, mesilat, maleat, tartrat tart hydrogentartrat, succinat succ,
  fumarat hemifumarat, acetat, sulfat hydrogensulfat, phosphat, citrat, lysinat lysin, medoxomil,
  cilexetil, proxetil, axetil, etexilat, dipropionat, propionat, furoat, valerat, butyrat, tosilat, arginin, erbumin, gluconat,
  orotat, aspartat, oxid, carbonat, chlorid, bromid, nitrat, lactat, enantat, undecanoat, pivalat
`),
);

/** Words that say nothing about a medicine. */
const NOISE = once(
  () =>
    new Set(
      listed(`
  und mit für zum zur bei gegen der die das dem den des von vom im in ins aus oder nach vor als auf an zu je pro ca circa
  einer einem einen with for of and the bzw inkl
  mg g ug mcg ml l st stk stück ie iu mio mega milligramm mikrogramm gramm einheiten prozent hub hübe dosis dosen dose std
  stunde stunden tag tage pzn nr no op x
  packung packungen pack flasche tube glas rezept original generikum import einnehmen anwendung herstellung wirkstofffreisetzung
  film coated filmcoated transdermales transdermal hart weich cannabis thc cbd insulin vitamin vitamine vit salz
`),
    ),
);

/** Words that are common to the names of many medicines, besides those in `NOISE`. */
const COMMON = once(
  () =>
    new Set(
      listed(`
  akut lang oral direkt classic zuckerfrei geschmack fruchtgeschmack sach über fieber schmerzen magenfreundlich neu sanft
  wund heil sensitiv konservierungsmittelfrei konservierungsfrei ohne
`),
    ),
);

/** The fewest letters of a word that may name a medicine. Shorter words are common to many names. */
const DISTINCT_LETTERS_MIN = 4;

/** The role of a folded word that names neither a substance nor a form. `name`: it may be the name of a medicine. */
export type Role = 'manufacturer' | 'combined' | 'noise' | 'further' | 'name';

export function roleOf(word: string): Role {
  if (NOISE().has(word)) return 'noise';
  if (MANUFACTURERS().has(word)) return 'manufacturer';
  if (COMBINED().has(word)) return 'combined';
  return word.length < DISTINCT_LETTERS_MIN || COMMON().has(word) ? 'further' : 'name';
}

/** The grade that a folded word names, in one spelling, or null. */
export function gradeOf(word: string): string | null {
  return GRADES().get(word) ?? null;
}

/** The salt that a folded word names, in one spelling (besilate is besilat), or null. */
export function saltOf(word: string): string | null {
  return SALTS().get(word) ?? SALTS().get(withoutE(word)) ?? null;
}

/**
 * Returns a map from each spelling to the first spelling of its entry. In `entries`, commas separate entries and spaces
 * separate spellings.
 */
function firstsOf(entries: string): ReadonlyMap<string, string> {
  return new Map(
    entries
      .split(',')
      .flatMap((entry) => listed(entry).map((word, _, [first = '']): [string, string] => [word, first])),
  );
}
