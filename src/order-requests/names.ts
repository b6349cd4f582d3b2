/**
 * Whether a submitted name can be the name of the product with the submitted id. A wrong id with a right name would
 * hand out the wrong medicine, and only this check compares the two.
 */

/** Shorter words (AL, ASS, plus, mg) are common to many names. */
const SHARED_LETTERS_MIN = 4;
/** From this many grams, a plain weight is a pack size: tubes hold 5 g and more, tablets less. */
const PACK_GRAMS_MIN = 5;

/**
 * True when both names contain a strength and the strengths differ, or when the names share no word of at least four
 * letters. Dosage forms, packs and manufacturers do not count as words, because they appear in the names of different
 * medicines.
 */
export function isNameMismatch(submitted: string, product: string): boolean {
  if (submitted === product) return false;
  const [asked, matched] = [folded(submitted), folded(product)];
  if (asked === matched) return false;
  return strengthsDiffer(asked, matched) || !sharesWord(asked, matched);
}

/** Lowercase, with one spelling of umlauts (ä, ae, a), micro and spaces. */
function folded(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('μ', 'u')
    .replace(/([aou])e/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The unit of a strength; only amounts with the same measure can be compared. */
type Measure = 'mg' | 'IU' | 'mg/ml' | 'IU/ml' | 'mmol' | 'thc/cbd';

interface Strengths {
  byMeasure: Map<Measure, Set<number | string>>;
  /** The only amount is in grams, so it may be the size of a small pack. */
  isMaybePack: boolean;
  /** Numbers without a unit, as in "Ibuprofen 400": used as the strength if there is no other. */
  bare: number[];
  /** Every number of the name. */
  numbers: Set<number>;
}

function strengthsDiffer(asked: string, matched: string): boolean {
  const [a, b] = [strengthsOf(asked), strengthsOf(matched)];
  if (a.byMeasure.size === 0 || b.byMeasure.size === 0) return bareDiffers(a, b) || bareDiffers(b, a);
  const common = [...a.byMeasure.keys()].filter((measure) => b.byMeasure.has(measure));
  // The weight of a small pack is no strength, and cannabis names contain "22/1" or percentages.
  if (common.length === 0) return ![a, b].some(({ isMaybePack, byMeasure }) => isMaybePack || byMeasure.has('thc/cbd'));
  return common.some((measure) => {
    const [mine, theirs] = [a.byMeasure.get(measure), b.byMeasure.get(measure)];
    return mine?.size !== theirs?.size || [...(mine ?? [])].some((amount) => !theirs?.has(amount));
  });
}

/** Compares "Ibuprofen 400" with a name with 600 mg: the number must appear in a name that has a strength. */
function bareDiffers(one: Strengths, other: Strengths): boolean {
  if (one.byMeasure.size > 0 || other.byMeasure.size === 0 || other.isMaybePack) return false;
  return one.bare.length > 0 && !one.bare.some((number) => other.numbers.has(number));
}

const NUMBER = String.raw`\d{1,3}(?:[.,' ]000)+(?!\d)|\d{1,3}(?:\.\d{3})+(?!\d)|\d+(?:[.,]\d+)?`;
/** Milligrams, or units, per unit of measure. */
const MASS: Record<string, number> = { mg: 1, milligramm: 1, g: 1000, gramm: 1000 };
const MICRO = /^(?:ug|mcg|mikrogramm|mikrog|microgramm?s?)$/;
const UNIT = String.raw`mg|milligramm|ug|mcg|mikrogramm|microgram(?:m|s)?|g|gramm|(?:(?:mio|mill?|mega)\.? ?)?(?:i\. ?[eu]\.?|i[eu]\.?|einheiten)|e(?=\/)|%|prozent|mmol`;
/** One or more amounts with a unit ("5/25 mg"), and the quantity that contains them ("/5 ml", "/g"). */
const AMOUNT = new RegExp(
  String.raw`(?<![\p{L}\d.,])((?:${NUMBER})(?: ?[/+] ?(?:${NUMBER}))*) ?(${UNIT})(?![\p{L}\d])(?: ?(?:\/|pro|je) ?(${NUMBER})? ?(ml|g|l)(?![\p{L}\d]))?`,
  'gu',
);
/** Sizes of packs, and numbers that belong to a letter (N1, B12). */
const SIZE = new RegExp(
  String.raw`(?<![\p{L}\d.,])(?:${NUMBER}) ?(?:x ?(?:${NUMBER}) ?)?(?:st|stk|stck|stuck|pcs|ml|l|cl|kg|cm|mm|x|op|pack|packung(?:en)?|packs)(?![\p{L}\d])`,
  'gu',
);
const BARE = new RegExp(String.raw`(?<![\p{L}\d.,-])(${NUMBER})(?![\p{L}\d])`, 'gu');
/** THC and CBD of cannabis, as in "22/1". */
const CANNABIS = /cannabis|thc|cbd|bluten/;
const THC_CBD = /(?<![\p{L}\d.,])(\d{1,2}(?:[.,]\d+)?) ?[/:] ?<? ?(\d{1,2}(?:[.,]\d+)?)(?! ?[\p{L}\d%])/gu;

function strengthsOf(name: string): Strengths {
  const byMeasure = new Map<Measure, Set<number | string>>();
  const add = (measure: Measure, amount: number | string) => {
    byMeasure.set(measure, (byMeasure.get(measure) ?? new Set()).add(amount));
  };
  const grams: number[] = [];
  const rest = name.replace(AMOUNT, (_, amounts: string, unit: string, perText?: string, per?: string) => {
    const values = amounts.split(/ ?[/+] ?/).map(numberOf);
    for (const value of values) {
      const isPlainWeight = per === undefined && (unit === 'g' || unit === 'gramm');
      if (isPlainWeight) grams.push(value);
      else add(...strengthOf(value, unit, perText === undefined ? 1 : numberOf(perText), per));
    }
    return ' ';
  });
  // In "5 % Salbe, 20 g" the weight is that of the pack, in "Paracetamol 1 g" that of the tablet.
  const weights = byMeasure.size === 0 ? grams.filter((value) => value < PACK_GRAMS_MIN) : [];
  for (const value of weights) add('mg', rounded(value * 1000));
  if (CANNABIS.test(name))
    for (const [, thc = '', cbd = ''] of rest.matchAll(THC_CBD)) add('thc/cbd', ratioOf(thc, cbd));
  const bare = [...rest.replace(SIZE, ' ').matchAll(BARE)].map(([, number = '']) => numberOf(number));
  const numbers = new Set([...name.matchAll(new RegExp(NUMBER, 'g'))].map(([number]) => numberOf(number)));
  return { byMeasure, isMaybePack: weights.length > 0, bare, numbers };
}

function ratioOf(thc: string, cbd: string): string {
  return `${numberOf(thc)}/${numberOf(cbd)}`;
}

function strengthOf(value: number, unit: string, per: number, container: string | undefined): [Measure, number] {
  // A percentage is parts per hundred: 1 % is 10 mg per g or ml.
  if (unit === '%' || unit === 'prozent') return ['mg/ml', rounded(value * 10)];
  if (unit === 'mmol') return ['mmol', rounded(value)];
  const contained = per * (container === 'l' ? 1000 : 1);
  const mass = MICRO.test(unit) ? 0.001 : MASS[unit];
  if (mass !== undefined) {
    return container === undefined ? ['mg', rounded(value * mass)] : ['mg/ml', rounded((value * mass) / contained)];
  }
  const units = value * (/^m/.test(unit) ? 1_000_000 : 1);
  return container === undefined ? ['IU', rounded(units)] : ['IU/ml', rounded(units / contained)];
}

/** Removes floating-point noise. */
function rounded(amount: number): number {
  return Number(amount.toPrecision(6));
}

/** `1.000` and `1,000` are one thousand; `0,5`, `2.5` and `0,125` are decimals. */
function numberOf(text: string): number {
  const isGrouped = /^[1-9]\d{0,2}(?:[.,' ]000)+$|^[1-9]\d{0,2}(?:\.\d{3})+$/.test(text);
  return Number(isGrouped ? text.replace(/[.,' ]/g, '') : text.replace(',', '.'));
}

function sharesWord(asked: string, matched: string): boolean {
  const words = new Set(wordsOf(matched));
  return wordsOf(asked).some((word) => words.has(word));
}

/** The words that distinguish medicines; a vitamin includes its letter. */
function wordsOf(name: string): string[] {
  const joined = name.replace(/\bvitamine? ?-?(?:(d)3?|([a-z]\d{0,2}))(?![\p{L}\d])/gu, ' vitamin$1$2 ');
  const words = joined
    .split(/[^\p{L}\d]+/u)
    .flatMap((word) => (/^vitamin[a-z]\d*$/.test(word) ? [word] : word.split(/\d+/)));
  return words.filter(
    (word) => word.length >= SHARED_LETTERS_MIN && !COMMON.has(word) && !FORMS.some((form) => word.endsWith(form)),
  );
}

/** Dosage forms, which words end with: Filmtabletten, Augensalbe. Folded. */
const FORMS = listed(`
  tablette tabletten tabl tablet tablets dragee dragees pastille pastillen pillen pills kapsel kapseln capsule
  capsules tropfen drops saft sirup syrup losung losungen solution suspension emulsion konzentrat salbe ointment
  creme cream lotion paste schaum spray aerosol inhalat inhalator zapfchen suppositorien suppositories pulver
  powder granulat granules beutel sachets pflaster patch patches ampulle ampullen spritze spritzen fertigpen
  injektion infusion globuli bluten flos flower flowers extrakt extract kaugummi shampoo nasengel augengel
  mundgel brause retard depot
`);
/** Packs, ways of use and manufacturers that appear in the names of many medicines. Folded. */
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

function listed(words: string): string[] {
  return words.trim().split(/\s+/).map(folded);
}
