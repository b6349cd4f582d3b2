/**
 * Reads the numbers in the name of a product: strength and pack. Also reads its words for the dosage form, the part of
 * the body and the release. The time is linear in the length of the name.
 */

import { once } from '../../platform/isolate-cache';
import {
  type Amount,
  amountOf,
  CONTAINERS,
  type Folded,
  foldName,
  GRAM,
  IU,
  listed,
  MILLIONS,
  measured,
  type Pack,
  PER,
  SIZES,
  type Span,
  type Token,
  tokensOf,
  UNITS,
  type Unit,
} from './tokens';

/** Numbers without a unit, as in "Ibuprofen 400" and "comp 20/12,5". */
export interface Bare extends Span {
  values: number[];
  /** The factor before these numbers: 2 in "2 x 50"; otherwise 1. */
  count: number;
  /**
   * Whether a form that is counted follows the number. If so, the number may be a count ("20 Tabletten") or a strength
   * ("400 Filmtabletten").
   */
  isMaybeCount: boolean;
}

/** The parts of a name. Positions refer to the folded text. */
export interface ScannedName {
  folded: Folded;
  /** The tokens outside of amounts and packs. Each amount or pack is replaced by null. */
  rest: readonly (Token | null)[];
  /** At most `AMOUNTS_MAX`. */
  amounts: Amount[];
  packs: (Pack & Span)[];
  /**
   * True if the only amount is a small plain weight ("Creme 2 g"). It may be a strength or a pack, so it is in both
   * `amounts` and `packs`.
   */
  isMaybePack: boolean;
  bare: Bare[];
  /** Whether the name seems to be that of cannabis, whose contents are written like "22/1". */
  isCannabis: boolean;
}

/** The most amounts that are read from one name. */
export const AMOUNTS_MAX = 20;
/** From this many grams on, a weight alone ("20 g") is a pack size: tubes hold 5 g and more, tablets weigh less. */
export const PACK_GRAMS_MIN = 5;
/**
 * Numbers of this size or more are no percentages of THC or CBD. A pair such as `22/1` contains smaller numbers only.
 */
const PER_CENT_MAX = 100;

/** A number directly after a word with fewer letters than this is part of the word: B12, N2. */
export const LETTERS_BEFORE_NUMBER = 3;
/** The largest N size. */
export const SIZE_MAX = 3;
/** Words after which a number identifies the product and is no strength. */
const NUMBERING = new Set(['pzn', 'nr', 'no']);

/**
 * Reads the numbers of a name.
 * @param name the submitted name, or the product's name
 */
export function scanName(name: string): ScannedName {
  const folded = foldName(name);
  const tokens = tokensOf(folded.text);
  const isNamed = tokens.some(({ text }) => text.includes('cannabis') || text === 'thc' || text === 'cbd');
  const found = new Scanner(tokens).scan(isNamed || tokens.some(({ text }) => text.endsWith('bluten')));
  return { folded, isCannabis: isNamed || found.amounts.some(({ measure }) => measure === 'thc'), ...found };
}

/**
 * Scans the tokens of a name once. A list of numbers such as "5/25" is searched for its unit only once, not once per
 * number.
 */
class Scanner {
  private readonly strengths: Amount[] = [];
  /** Weights that stand alone, as in "20 g". */
  private readonly weights: (Pack & Span)[] = [];
  private readonly packs: (Pack & Span)[] = [];
  private readonly bare: Bare[] = [];
  /** Index of the token after the last number without a unit. */
  private bareEnd = 0;
  /** The tokens outside of amounts and packs. Each amount or pack is replaced by null. */
  private readonly rest: (Token | null)[] = [];
  /** Index of a token. `takeAmounts` found no number with a unit before it. */
  private withoutUnit = 0;
  /** The factor of a "2 x" that was just read, for the pack that follows; otherwise 1. */
  private times = 1;

  constructor(private readonly tokens: readonly Token[]) {}

  scan(isMaybeCannabis: boolean) {
    let at = 0;
    for (let token = this.tokens[at]; token; token = this.tokens[at]) {
      const times = this.times;
      this.times = 1;
      at = this.takeAmounts(at, times) ?? this.takeSize(at, times) ?? this.pass(token, at, times);
    }
    // In "5 % Salbe, 20 g" the weight is that of the pack, in "Paracetamol 1 g" that of the tablet.
    const small = this.strengths.length === 0 ? this.weights.filter(({ size }) => size < PACK_GRAMS_MIN) : [];
    const amounts = [
      ...this.strengths,
      ...small.map(({ size, ...span }) => amountOf('mg', size * GRAM.factor, size, span)),
      ...(isMaybeCannabis ? cannabisOf(this.rest) : []),
    ].slice(0, AMOUNTS_MAX);
    const bare = this.withoutCounts(amounts);
    return { amounts, packs: [...this.packs, ...this.weights], isMaybePack: small.length > 0, bare, rest: this.rest };
  }

  /**
   * Adds to `packs` the numbers without a unit that are counts. "20 Tabletten" is a count if the name has an amount, or
   * an earlier number without a unit. In "400 mg, 20" the 20 is a count, because it follows all amounts and no pack is
   * named.
   * @returns the other numbers without a unit
   */
  private withoutCounts(amounts: readonly Amount[]): Bare[] {
    const amountsEnd = Math.max(...amounts.map(({ end }) => end));
    const hasPack = this.packs.length + this.weights.length > 0;
    return this.bare.filter(({ values, count, isMaybeCount, start, end }, place) => {
      const isBehind = amounts.length > 0 && start > amountsEnd && !hasPack;
      const isCount = isBehind || (isMaybeCount && (amounts.length > 0 || place > 0));
      if (isCount) this.packs.push({ count, size: values.at(-1) ?? 1, unit: 'piece', start, end });
      return !isCount;
    });
  }

  /**
   * Reads one or more numbers with one unit, such as "5/25 mg". Also reads the volume or weight that contains them, as
   * in "3 mg/5 ml".
   * @returns the index of the token after them; null if there are no amounts at `at`
   */
  private takeAmounts(at: number, times: number): number | null {
    const first = this.valueAt(at);
    if (first === null || at < this.withoutUnit || (this.isJoined(at) && !this.isMultiplied(at))) return null;
    const values = [first];
    let end = at + 1;
    while (this.isText(end, '/') || this.isText(end, '+')) {
      const value = this.valueAt(end + 1);
      if (value === null) break;
      values.push(value);
      end += 2;
    }
    const found = this.unitAt(end) ?? (this.isText(end, '-') ? this.unitAt(end + 1) : null);
    if (!found) {
      this.withoutUnit = end;
      return null;
    }
    const per = this.containerAt(found.end);
    const last = per?.end ?? found.end;
    for (const value of values) this.add(value, found.unit, per?.size ?? null, times, this.spanOf(at, last));
    this.rest.push(null);
    return last;
  }

  private add(value: number, { of, factor }: Unit, per: number | null, times: number, span: Span): void {
    if (this.strengths.length + this.weights.length >= AMOUNTS_MAX) return;
    if (of === 'mass' && factor === GRAM.factor && per === null) {
      this.weights.push({ count: times, size: value, unit: 'g', ...span });
      return;
    }
    // For "15 mg/0,3 ml", the content of a syringe, the mg are a strength too.
    for (const container of per !== null && per < 1 ? [per, null] : [per]) {
      this.strengths.push(amountOf(...measured(of, value * factor, container), value, span));
    }
  }

  /**
   * Reads the size of a pack: "20 St", "2 x 50 ml", "3 x".
   * @returns the index of the token at which the scan continues; null if there is no size at `at`
   */
  private takeSize(at: number, times: number): number | null {
    let value = this.valueAt(at);
    if (value === null || this.isJoined(at)) return null;
    let [count, last] = [times, at];
    for (let next = this.valueAt(at + 2); next !== null && this.isText(last + 1, 'x'); next = this.valueAt(last + 2)) {
      [count, value, last] = [count * value, next, last + 2];
    }
    const size = this.sizeAt(last + 1);
    if (size === undefined && last > at) {
      this.times = count;
      this.rest.push(null);
      return last;
    }
    if (size === undefined && !this.isText(last + 1, 'x')) return null;
    const span = this.spanOf(at, last + 2);
    const isPacks = size === undefined || size?.unit === 'pack';
    if (isPacks) this.packs.push({ count: count * value, size: 1, unit: 'pack', ...span });
    else if (size) this.packs.push({ count, size: value * size.size, unit: size.unit, ...span });
    this.rest.push(null);
    return last + 2;
  }

  /**
   * Returns the unit of a pack size, for "St", "ml", or the "er" of "20er". Null for a unit of length; undefined if
   * there is no unit.
   */
  private sizeAt(at: number) {
    if (!this.endsWord(at)) return undefined;
    return this.isText(at, 'er') && !this.tokens[at]?.isSpaced ? SIZES.get('st') : SIZES.get(this.textAt(at));
  }

  /**
   * Records a token that belongs to no amount or pack.
   * @returns the index of the next token
   */
  private pass(token: Token, at: number, times: number): number {
    this.rest.push(token);
    if (token.value === null || !this.isBare(at)) return at + 1;
    const last = this.bare.at(-1);
    const isMaybeCount = isCounted(formOf(this.textAt(at + 1)));
    if (last && this.bareEnd === at - 1 && (this.isText(at - 1, '/') || this.isText(at - 1, '+'))) {
      last.values.push(token.value);
      Object.assign(last, { end: token.end, isMaybeCount });
    } else {
      this.bare.push({ values: [token.value], count: times, isMaybeCount, start: token.start, end: token.end });
    }
    this.bareEnd = at + 1;
    return at + 1;
  }

  /**
   * Whether the number at `at` may be a strength or count without a unit. These are not: the first token of "2
   * Ibuprofen", the 12 of "B-12", a number after "PZN", the 1 of "1 A Pharma".
   */
  private isBare(at: number): boolean {
    if (at === 0 || this.isJoined(at) || !this.endsWord(at) || this.isText(at + 1, 'a')) return false;
    const before = this.isText(at - 1, '.') || this.isText(at - 1, ':') ? at - 2 : at - 1;
    if (NUMBERING.has(this.textAt(before)) || this.isSize(at)) return false;
    const isAfterHyphen = this.isText(at - 1, '-') && !this.tokens[at]?.isSpaced;
    return !isAfterHyphen || (!this.tokens[at - 1]?.isSpaced && this.textAt(at - 2).length >= LETTERS_BEFORE_NUMBER);
  }

  /** Whether a number is an N size, like the 3 of "N 3". */
  private isSize(at: number): boolean {
    return this.isText(at - 1, 'n') && (this.valueAt(at) ?? 0) <= SIZE_MAX;
  }

  private unitAt(at: number): { unit: Unit; end: number } | null {
    if (MILLIONS.has(this.textAt(at))) {
      const end = this.endOfIU(this.isText(at + 1, '.') ? at + 2 : at + 1);
      return end === null ? null : { unit: { ...IU, factor: 1_000_000 }, end };
    }
    const end = this.endOfIU(at);
    if (end !== null) return { unit: IU, end };
    const unit = UNITS.get(this.textAt(at));
    return unit && this.endsWord(at) ? { unit, end: at + 1 } : null;
  }

  /**
   * Returns the index of the token after a word for international units that begins at `at`; null if there is none. The
   * words are "IE", "IU", "I.E.", "I. U.", "Einheiten", and "E" if a slash follows.
   */
  private endOfIU(at: number): number | null {
    if (this.isText(at, 'e')) return this.isText(at + 1, '/') ? at + 1 : null;
    const isLettered = this.isText(at, 'i') && this.isText(at + 1, '.');
    const last = isLettered ? at + 2 : at;
    const ends = isLettered ? ['e', 'u'] : ['ie', 'iu', 'einheiten'];
    if (!ends.some((text) => this.isText(last, text)) || !this.endsWord(last)) return null;
    return this.isText(last + 1, '.') ? last + 2 : last + 1;
  }

  /**
   * Returns the volume or weight that contains an amount, as in "/ml" or "pro 5 ml"; null if none is at `at`. `size` is
   * in ml or g. `end` is the index of the next token.
   */
  private containerAt(at: number): { size: number; end: number } | null {
    if (!PER.has(this.textAt(at))) return null;
    const value = this.valueAt(at + 1);
    const last = value === null ? at + 1 : at + 2;
    const factor = CONTAINERS.get(this.textAt(last));
    return factor !== undefined && this.endsWord(last) ? { size: (value ?? 1) * factor, end: last + 1 } : null;
  }

  private spanOf(first: number, end: number): Span {
    return { start: this.tokens[first]?.start ?? 0, end: this.tokens[end - 1]?.end ?? 0 };
  }

  private valueAt(at: number): number | null {
    return this.tokens[at]?.value ?? null;
  }

  private textAt(at: number): string {
    return this.tokens[at]?.text ?? '';
  }

  private isText(at: number, text: string): boolean {
    return this.textAt(at) === text;
  }

  private isJoined(at: number): boolean {
    const isDecimal = this.tokens[at - 1]?.isWord !== false || this.valueAt(at - 2) !== null;
    return isDecimal && isJoinedTo(this.tokens[at - 1], this.tokens[at]);
  }

  /** Whether the number directly follows a sign of multiplication, as in "2x100". */
  private isMultiplied(at: number): boolean {
    return this.isText(at - 1, 'x') && this.valueAt(at - 2) !== null;
  }

  /** Whether neither a letter nor a digit follows the token directly. */
  private endsWord(at: number): boolean {
    const next = this.tokens[at + 1];
    return !next || next.isSpaced || (!next.isWord && next.value === null);
  }
}

/** Whether a token is part of the one before it, like the 12 of "B12" and the 3 of "1.2.3". */
function isJoinedTo(before: Token | null | undefined, token: Token | null | undefined): boolean {
  if (!before || token?.isSpaced !== false) return false;
  return before.isWord ? before.text.length < LETTERS_BEFORE_NUMBER : before.text === '.' || before.text === ',';
}

/**
 * Returns THC and CBD from pairs such as "22/1" and "22:<1". A pair that a word or a number follows is skipped, because
 * it means something else.
 */
function cannabisOf(rest: readonly (Token | null)[]): Amount[] {
  const found: Amount[] = [];
  let end = 0;
  for (const [at, first] of rest.entries()) {
    const second = rest[at + 2]?.text === '<' ? at + 3 : at + 2;
    const [thc, cbd] = [perCentOf(first), perCentOf(rest[second])];
    const [mark, next] = [rest[at + 1]?.text, rest[second + 1]];
    if (at < end || thc === null || cbd === null || isJoinedTo(rest[at - 1], first)) continue;
    if ((mark !== '/' && mark !== ':') || next?.isWord || typeof next?.value === 'number') continue;
    const span = { start: first?.start ?? 0, end: rest[second]?.end ?? 0 };
    found.push(amountOf('thc', thc, thc, span), amountOf('cbd', cbd, cbd, span));
    end = second + 1;
  }
  return found;
}

function perCentOf(token: Token | null | undefined): number | null {
  const value = token?.value ?? null;
  return value !== null && value < PER_CENT_MAX ? value : null;
}

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
  cartridge: 'patrone patronen',
  vial: 'durchstechflasche durchstechflaschen',
  injection: 'injektion infusion injektionslösung infusionslösung injektionssuspension',
  globules: 'globuli',
  flower: 'blüten flos flower flowers',
  extract: 'extrakt extract',
  tea: 'tee',
  gum: 'kaugummi kaugummis',
  shampoo: 'shampoo',
} as const;

/**
 * Forms that match only as whole words, because other words have the same ending (Kugel, Nagel), and abbreviations from
 * pharmacy software.
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
  cartridge: 'penfill',
  vial: 'dfl',
  injection: 'ilo inf isu iim iil',
};

/** For each form, other forms under which the same medicine is sold. */
const ALIKE: Partial<Record<Form, readonly Form[]>> = {
  solution: ['drops', 'syrup', 'ampoule', 'concentrate', 'extract', 'powder'],
  suspension: ['drops', 'syrup', 'powder', 'granules'],
  injection: ['ampoule', 'syringe', 'pen', 'cartridge', 'vial', 'concentrate', 'powder'],
  sachet: ['powder', 'granules', 'solution', 'suspension', 'gel'],
  inhalation: ['capsule', 'powder'],
  syrup: ['powder', 'granules'],
  drops: ['extract'],
  granules: ['powder'],
};
/** Forms that are counted, as in "20 Tabletten". */
const COUNTED = new Set<Form | null>([
  ...(['tablet', 'effervescent', 'chewable', 'orodispersible', 'sublingual', 'lozenge', 'capsule', 'gum'] as const),
  ...(['suppository', 'sachet', 'patch', 'ampoule', 'syringe', 'pen', 'cartridge', 'vial'] as const),
]);
/** If a name has one of these forms, a small weight is the content of the pack, not a strength: "Creme 2 g". */
const SPREAD = new Set<Form>(['ointment', 'cream', 'gel', 'lotion', 'paste', 'flower', 'extract']);
/** Forms that may be for the nose or the mouth even if the name does not say so. */
const OF_ANY_ROUTE = new Set<Form>(['spray', 'foam']);

/** The parts of the body, each with the beginning of the words for it: "Augentropfen". */
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

/** Words for how a medicine releases its substance, if it does not do so at once. */
const WORDS_OF_RELEASE = {
  prolonged: 'ret prolong prolongatum xr xl sr er cr mr pr zok oros veränderter rr hvw tvw rek',
  'gastro-resistant': 'msr tmr fmr kmr kmp hkm wkm drm',
} as const;
/** Beginnings or endings of words that mean a prolonged release: "Retardtabletten", "Diclofenac-Natriumretard". */
const PARTS_OF_PROLONGED = ['retard', 'depot'];
const GASTRO_RESISTANT = 'magensaftresistent';
/**
 * For each release, the substances that are sold only with this release. A name with such a substance may leave out the
 * release. The word after `+` must also be in the name.
 */
const RELEASES_UNDERSTOOD: Record<Release, string> = {
  prolonged: 'tamsulosin bupropion metoprolol+succinat',
  'gastro-resistant':
    'omeprazol esomeprazol pantoprazol lansoprazol rabeprazol duloxetin pankreatin bisacodyl acetylsalicylsäure+protect',
};

export type Form = keyof typeof ENDINGS_OF_FORM;
export type Route = keyof typeof BEGINNINGS_OF_ROUTE;
export type Release = keyof typeof WORDS_OF_RELEASE;

const FORM_BY_ENDING = once(() => byWord<Form>(ENDINGS_OF_FORM));
const FORM_BY_WORD = once(() => byWord<Form>(WORDS_OF_FORM));
/**
 * The lengths of the endings, the longest first, because the longest ending that fits is taken: an "Injektionslösung"
 * is more than a "Lösung".
 */
const LENGTHS_OF_ENDINGS = once(() =>
  [...new Set([...FORM_BY_ENDING().keys()].map(({ length }) => length))].sort((a, b) => b - a),
);
const ROUTES = once(() =>
  Object.entries(BEGINNINGS_OF_ROUTE).map(([route, beginning]) => ({
    // SAFETY: the keys of a literal of that type are its routes.
    route: route as Route,
    beginning,
    words: new Set(listed(WORDS_OF_ROUTE[route as Route])),
  })),
);
const RELEASE_BY_WORD = once(() => byWord<Release>(WORDS_OF_RELEASE));
const RELEASE_UNDERSTOOD = once(() => byWord<Release>(RELEASES_UNDERSTOOD));

/** The dosage form that a folded word names, or null. */
export function formOf(word: string): Form | null {
  const form = FORM_BY_WORD().get(word);
  if (form) return form;
  const length = LENGTHS_OF_ENDINGS().find((each) => each <= word.length && FORM_BY_ENDING().has(word.slice(-each)));
  return length === undefined ? null : (FORM_BY_ENDING().get(word.slice(-length)) ?? null);
}

/** The parts of the body that a folded word names. "ATO", "Augen- und Ohrentropfen", names two. */
export function routesOf(word: string): Route[] {
  return ROUTES()
    .filter(({ beginning, words }) => word.startsWith(beginning) || words.has(word))
    .map(({ route }) => route);
}

/** The release that a folded word names, or null. */
export function releaseOf(word: string): Release | null {
  if (PARTS_OF_PROLONGED.some((part) => word.startsWith(part) || word.endsWith(part))) return 'prolonged';
  if (word.startsWith(GASTRO_RESISTANT)) return 'gastro-resistant';
  return RELEASE_BY_WORD().get(word) ?? null;
}

/**
 * Returns the release that a substance implies, alone or together with another word of the name. Null if it implies
 * none.
 */
export function releaseUnderstood(substance: string, words: Iterable<string>): Release | null {
  const alone = RELEASE_UNDERSTOOD().get(substance);
  if (alone) return alone;
  for (const word of words) {
    const release = RELEASE_UNDERSTOOD().get(`${substance}+${word}`);
    if (release) return release;
  }
  return null;
}

/** Whether a number before the form is a count, as in "20 Tabletten". */
export function isCounted(form: Form | null): boolean {
  return COUNTED.has(form);
}

/** Whether the forms of two names show that they are different medicines. */
export function formsDiffer(one: readonly Form[], other: readonly Form[]): boolean {
  if (one.length === 0 || other.length === 0) return false;
  return !one.some((form) => other.some((each) => areAlike(form, each)));
}

/** Whether a small weight in a name with these forms is the content of the pack, not a strength: "Creme 2 g". */
export function isSpread(forms: readonly Form[]): boolean {
  return forms.some((form) => SPREAD.has(form));
}

/** Whether names with one of these forms may lack the body part. */
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
