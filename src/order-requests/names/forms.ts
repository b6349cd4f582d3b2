/** Words of product names for the dosage form, the part of the body it is for, and the release. */

import { listed } from './tokens';

/**
 * Dosage forms by the endings of words: "Filmtabletten" is a tablet, "Augensalbe" an ointment. Containers of one dose
 * (sachets, ampoules, pens) count as forms.
 */
const ENDINGS_OF_FORM = {
  tablet: 'tablette tabletten tabl tbl tablet tablets dragee dragees pillen pills',
  effervescent: 'brausetablette brausetabletten brausetabl brausetbl brause',
  chewable: 'kautablette kautabletten kautabl kautbl',
  orodispersible: 'schmelztablette schmelztabletten schmelztabl schmelztbl',
  sublingual: 'sublingualtabletten',
  lozenge: 'lutschtablette lutschtabletten lutschtabl lutschtbl pastille pastillen',
  capsule: 'kapsel kapseln capsule capsules',
  drops: 'tropfen drops',
  syrup: 'saft sirup syrup',
  solution: 'lösung lösungen solution',
  suspension: 'suspension emulsion',
  concentrate: 'konzentrat',
  ointment: 'salbe ointment',
  cream: 'creme cream',
  gel: 'nasengel augengel mundgel zahngel schmerzgel wundgel heilgel emulgel',
  lotion: 'lotion',
  paste: 'paste',
  foam: 'schaum',
  spray: 'spray aerosol',
  inhalation: 'inhalat inhalator inhalation inhalationspulver inhalationskapseln haler diskus',
  suppository: 'zäpfchen suppositorien suppositories',
  enema: 'klistier klysma rektaltube',
  powder: 'pulver powder',
  granules: 'granulat granules',
  sachet: 'beutel sachets',
  patch: 'pflaster patch patches',
  ampoule: 'ampulle ampullen',
  syringe: 'spritze spritzen',
  pen: 'fertigpen fertigpens',
  injection: 'injektion infusion injektionslösung infusionslösung injektionssuspension',
  globules: 'globuli',
  flower: 'blüten flos flower flowers',
  extract: 'extrakt extract',
  tea: 'tee',
  gum: 'kaugummi kaugummis',
  shampoo: 'shampoo',
} as const;

/**
 * Forms that are words of their own only, because other words end alike (Kugel, Nagel), and the abbreviations of pharmacies'
 * programs.
 */
const WORDS_OF_FORM: Partial<Record<Form, string>> = {
  gel: 'gel nag',
  tablet: 'tab tabs fta uta lta mta tka tmr fmr tvw vta dra fda drm',
  effervescent: 'bta',
  chewable: 'kta',
  orodispersible: 'smt',
  sublingual: 'sut',
  lozenge: 'lut lup',
  capsule: 'kap kaps hkp wka rek kmr kmp hkm wkm hvw',
  drops: 'tro tei atr ato otr ntr dil dilution',
  syrup: 'saf sir tsa',
  solution: 'lse loe inl',
  suspension: 'sus emu',
  ointment: 'sal nsa asn',
  cream: 'cre vcr',
  spray: 'spr dos dss nas nds',
  inhalation: 'inh ihp ika hpi novolizer respimat turbohaler',
  suppository: 'sup ksu ssu ovula ovulum',
  powder: 'pul pud puder',
  granules: 'gra gse',
  sachet: 'beu btl',
  patch: 'pfl pft tts',
  ampoule: 'amp',
  syringe: 'fer ife',
  pen: 'pen pens kwikpen solostar flexpen',
  injection: 'ilo inf isu iim iil',
};

/** Forms under whose names one and the same medicine is sold. */
const ALIKE: Partial<Record<Form, readonly Form[]>> = {
  solution: ['drops', 'syrup', 'ampoule', 'concentrate', 'extract', 'powder'],
  suspension: ['drops', 'syrup', 'powder', 'granules'],
  injection: ['ampoule', 'syringe', 'pen', 'concentrate', 'powder'],
  sachet: ['powder', 'granules', 'solution', 'suspension', 'gel'],
  inhalation: ['capsule', 'powder'],
  syrup: ['powder', 'granules'],
  drops: ['extract'],
  granules: ['powder'],
};
/** Forms that are counted, as in "20 Tabletten". */
const COUNTED = new Set<Form | null>([
  ...(['tablet', 'effervescent', 'chewable', 'orodispersible', 'sublingual', 'lozenge', 'capsule', 'gum'] as const),
  ...(['suppository', 'sachet', 'patch', 'ampoule', 'syringe', 'pen'] as const),
]);
/** Forms of which a small weight is that of the pack: "Creme 2 g". */
const SPREAD = new Set<Form>(['ointment', 'cream', 'gel', 'lotion', 'paste', 'flower', 'extract']);
/** They are for the nose or the mouth, whether the name says so or not. */
const OF_ANY_ROUTE = new Set<Form>(['spray', 'foam']);

/** The part of the body, by the beginnings of words: "Augentropfen". */
const BEGINNINGS_OF_ROUTE = {
  eye: 'augen',
  ear: 'ohren',
  nose: 'nasen',
  vagina: 'vaginal',
  rectum: 'rektal',
} as const;
const WORDS_OF_ROUTE: Record<Route, string> = {
  eye: 'auge atr ato asn',
  ear: 'ohr otr ato',
  nose: 'nase ntr nas nds nag nsa asn',
  vagina: 'vta vcr ovula ovulum',
  rectum: '',
};

/** How a medicine releases its substance, if not at once. */
const WORDS_OF_RELEASE = {
  prolonged: 'ret prolong prolongatum xr xl sr er cr mr pr zok oros veränderter rr hvw tvw rek',
  'gastro-resistant': 'msr tmr fmr kmr kmp hkm wkm drm',
} as const;
/** "Retardtabletten" begins, and "Diclofenac-Natriumretard" ends with it. */
const PARTS_OF_PROLONGED = ['retard', 'depot'];
const GASTRO_RESISTANT = 'magensaftresistent';
/** What releases its substance only in this way, so that names leave it out; with a word, what does so if its name has it. */
const RELEASES_UNDERSTOOD: Record<Release, string> = {
  prolonged: 'tamsulosin bupropion metoprolol+succinat',
  'gastro-resistant':
    'omeprazol esomeprazol pantoprazol lansoprazol rabeprazol duloxetin pankreatin bisacodyl acetylsalicylsäure+protect',
};

export type Form = keyof typeof ENDINGS_OF_FORM;
export type Route = keyof typeof BEGINNINGS_OF_ROUTE;
export type Release = keyof typeof WORDS_OF_RELEASE;

const FORM_BY_ENDING = byWord<Form>(ENDINGS_OF_FORM);
const FORM_BY_WORD = byWord<Form>(WORDS_OF_FORM);
/** The longest first: an "Injektionslösung" is more than a "Lösung". */
const LENGTHS_OF_ENDINGS = [...new Set([...FORM_BY_ENDING.keys()].map(({ length }) => length))].sort((a, b) => b - a);
const ROUTES = Object.entries(BEGINNINGS_OF_ROUTE).map(([route, beginning]) => ({
  // SAFETY: the keys of a literal of that type are its routes.
  route: route as Route,
  beginning,
  words: new Set(listed(WORDS_OF_ROUTE[route as Route])),
}));
const RELEASE_BY_WORD = byWord<Release>(WORDS_OF_RELEASE);
const RELEASE_UNDERSTOOD = byWord<Release>(RELEASES_UNDERSTOOD);

/** The dosage form that a folded word names, or null. */
export function formOf(word: string): Form | null {
  const form = FORM_BY_WORD.get(word);
  if (form) return form;
  const length = LENGTHS_OF_ENDINGS.find((each) => each <= word.length && FORM_BY_ENDING.has(word.slice(-each)));
  return length === undefined ? null : (FORM_BY_ENDING.get(word.slice(-length)) ?? null);
}

/** Where a folded word says that the medicine is used: "ATO", "Augen- und Ohrentropfen", are for both. */
export function routesOf(word: string): Route[] {
  return ROUTES.filter(({ beginning, words }) => word.startsWith(beginning) || words.has(word)).map(
    ({ route }) => route,
  );
}

/** The release that a folded word names, or null. */
export function releaseOf(word: string): Release | null {
  if (PARTS_OF_PROLONGED.some((part) => word.startsWith(part) || word.endsWith(part))) return 'prolonged';
  if (word.startsWith(GASTRO_RESISTANT)) return 'gastro-resistant';
  return RELEASE_BY_WORD.get(word) ?? null;
}

/** The release that goes without saying for a substance, alone or with another word of the name. */
export function releaseUnderstood(substance: string, words: Iterable<string>): Release | null {
  const alone = RELEASE_UNDERSTOOD.get(substance);
  if (alone) return alone;
  for (const word of words) {
    const release = RELEASE_UNDERSTOOD.get(`${substance}+${word}`);
    if (release) return release;
  }
  return null;
}

/** Whether a number before the form is a count, as in "20 Tabletten". */
export function isCounted(form: Form | null): boolean {
  return COUNTED.has(form);
}

/** Whether the forms that two names mention are not those of one medicine. */
export function formsDiffer(one: readonly Form[], other: readonly Form[]): boolean {
  if (one.length === 0 || other.length === 0) return false;
  return !one.some((form) => other.some((each) => areAlike(form, each)));
}

/** Whether names with these forms are of a weight that is the pack's: "Creme 2 g". */
export function isSpread(forms: readonly Form[]): boolean {
  return forms.some((form) => SPREAD.has(form));
}

/** Whether a name with these forms may leave out where they are used. */
export function isOfAnyRoute(forms: readonly Form[]): boolean {
  return forms.some((form) => OF_ANY_ROUTE.has(form));
}

function areAlike(one: Form, other: Form): boolean {
  return one === other || ALIKE[one]?.includes(other) === true || ALIKE[other]?.includes(one) === true;
}

function byWord<Meaning extends string>(words: Partial<Record<Meaning, string>>): Map<string, Meaning> {
  // SAFETY: the keys of a literal of that type are its meanings.
  const entries = Object.entries(words) as [Meaning, string][];
  return new Map(
    entries.flatMap(([meaning, texts]) => listed(texts).map((text): [string, Meaning] => [text, meaning])),
  );
}
