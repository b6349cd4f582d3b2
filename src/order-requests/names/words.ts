/** Words of product names by what they mean. */

import { folded } from './tokens';

/**
 * Dosage forms by the endings of words: "Filmtabletten" is a tablet, "Augensalbe" an ointment. Containers of one dose
 * (sachets, ampoules, pens) count as forms.
 */
const ENDINGS_OF_FORM = {
  tablet: 'tablette tabletten tabl tablet tablets',
  dragee: 'dragee dragees pillen pills',
  pastille: 'pastille pastillen',
  capsule: 'kapsel kapseln capsule capsules',
  drops: 'tropfen drops',
  syrup: 'saft sirup syrup',
  solution: 'losung losungen solution',
  suspension: 'suspension emulsion',
  concentrate: 'konzentrat',
  ointment: 'salbe ointment',
  cream: 'creme cream',
  gel: 'nasengel augengel mundgel',
  lotion: 'lotion',
  paste: 'paste',
  foam: 'schaum',
  spray: 'spray aerosol',
  inhalation: 'inhalat inhalator',
  suppository: 'zapfchen suppositorien suppositories',
  powder: 'pulver powder',
  granules: 'granulat granules',
  sachet: 'beutel sachets',
  patch: 'pflaster patch patches',
  ampoule: 'ampulle ampullen',
  syringe: 'spritze spritzen fertigpen',
  injection: 'injektion infusion',
  globules: 'globuli',
  flower: 'bluten flos flower flowers',
  extract: 'extrakt extract',
  gum: 'kaugummi',
  shampoo: 'shampoo',
  effervescent: 'brause',
} as const;
/** Forms that are words of their own only, because other words end alike (Kugel, Nagel). */
const WORDS_OF_FORM = { gel: 'gel', tablet: 'filmtbl ftbl tbl' } as const;

export type Form = keyof typeof ENDINGS_OF_FORM;

/** How a medicine releases its substance, if not at once. */
const WORDS_OF_RELEASE = {
  prolonged: 'ret prolong prolongatum xr xl sr er cr mr',
  'gastro-resistant': 'msr magensaftresistent magensaftresistente',
} as const;
/** "Retardtabletten" begins, and "Diclofenac-Natriumretard" ends with it. */
const PARTS_OF_PROLONGED = ['retard', 'depot'];

export type Release = keyof typeof WORDS_OF_RELEASE;

const FORM_BY_ENDING = byWord<Form>(ENDINGS_OF_FORM);
const FORM_BY_WORD = byWord<Form>(WORDS_OF_FORM);
const RELEASE_BY_WORD = byWord<Release>(WORDS_OF_RELEASE);
const LENGTHS_OF_ENDINGS = [...new Set([...FORM_BY_ENDING.keys()].map((ending) => ending.length))];

/** Packs, ways of use and manufacturers that appear in the names of many medicines. */
const COMMON = new Set(
  listed(`
  packung packungen pack stuck dosen flasche tube dose hubs filmtbl ftbl akut forte plus comp mite lang
  erwachsene kinder sauglinge with fruchtgeschmack geschmack sach uber gegen oral direkt zuckerfrei cannabis
  rezept original generikum milligramm mikrogramm gramm einheiten prozent mmol mega ratiopharm hexal stada
  stadapharm heumann zentiva aristo sandoz teva aliud pharma basics denk puren mylan viatris krka accord
  aurobindo micro labs winthrop glenmark dura betapharm axcount axicorp kohlpharma emra eurim orifarm beragena
  hennig lindopharm actavis biomo cipla amneal fairmed healthcare arzneimittel bayer pfizer novartis sanofi
  bristol merck roche gsk
`),
);

/** Shorter words (AL, ASS, plus, mg) are common to many names. */
const DISTINCT_LETTERS_MIN = 4;

/** The dosage form that a folded word names, or null. */
export function formOf(word: string): Form | null {
  const form = FORM_BY_WORD.get(word);
  if (form) return form;
  const length = LENGTHS_OF_ENDINGS.find((each) => each <= word.length && FORM_BY_ENDING.has(word.slice(-each)));
  return length === undefined ? null : (FORM_BY_ENDING.get(word.slice(-length)) ?? null);
}

/** The release that a folded word names, or null. */
export function releaseOf(word: string): Release | null {
  if (PARTS_OF_PROLONGED.some((part) => word.startsWith(part) || word.endsWith(part))) return 'prolonged';
  return RELEASE_BY_WORD.get(word) ?? null;
}

/**
 * Whether a folded word tells one medicine from another: forms, packs and manufacturers do not, because they appear in the
 * names of different medicines.
 */
export function isDistinct(word: string): boolean {
  if (word.length < DISTINCT_LETTERS_MIN || COMMON.has(word)) return false;
  return formOf(word) === null && !PARTS_OF_PROLONGED.some((part) => word.endsWith(part));
}

function byWord<Meaning extends string>(words: Partial<Record<Meaning, string>>): Map<string, Meaning> {
  // SAFETY: the keys of a literal of that type are its meanings.
  const entries = Object.entries(words) as [Meaning, string][];
  return new Map(
    entries.flatMap(([meaning, texts]) => listed(texts).map((text): [string, Meaning] => [text, meaning])),
  );
}

function listed(words: string): string[] {
  return words.trim().split(/\s+/).map(folded);
}
