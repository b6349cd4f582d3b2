/** Words of product names that name no medicine. */

import { listed, withoutE } from './tokens';

/** Manufacturers, importers, and brands of many medicines. */
const MANUFACTURERS = new Set(
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
);

/** Another substance is in it, whichever that is. */
const COMBINED = new Set(listed('plus comp compositum comb mix duo complex komplex profil kombi'));

/** How strong it is, where no number says so, or whom it is for. */
const GRADES = firstsOf(`
  forte, mite, semi, extra, intens, strong, max, junior, kinder kind kindersaft kdr, kleinkinder, säuglinge säugling babys,
  erwachsene erw, jugendliche, frauen, gs, protect
`);

/** Salts and esters, which follow the name of the substance. */
const SALTS = firstsOf(`
  hydrochlorid hcl, hydrobromid, besilat besylat, mesilat, maleat, tartrat tart hydrogentartrat, succinat succ,
  fumarat hemifumarat, acetat, sulfat hydrogensulfat, phosphat, citrat, lysinat lysin, medoxomil,
  cilexetil, proxetil, axetil, etexilat, dipropionat, propionat, furoat, valerat, butyrat, tosilat, arginin, erbumin, gluconat,
  orotat, aspartat, oxid, carbonat, chlorid, bromid, nitrat, lactat, enantat, undecanoat, pivalat
`);

/** What tells nothing. */
const NOISE = new Set(
  listed(`
  und mit für zum zur bei gegen der die das dem den des von vom im in ins aus oder nach vor als auf an zu je pro ca circa
  einer einem einen with for of and the bzw inkl
  mg g ug mcg ml l st stk stück ie iu mio mega milligramm mikrogramm gramm einheiten prozent hub hübe dosis dosen dose std
  stunde stunden tag tage pzn nr no op x
  packung packungen pack flasche tube glas rezept original generikum import einnehmen anwendung herstellung wirkstofffreisetzung
  film coated filmcoated transdermales transdermal hart weich cannabis thc cbd insulin vitamin vitamine vit salz
`),
);

/** Further words that are common to the names of many medicines. */
const COMMON = new Set(
  listed(`
  akut lang oral direkt classic zuckerfrei geschmack fruchtgeschmack sach über fieber schmerzen magenfreundlich neu sanft
  wund heil sensitiv konservierungsmittelfrei konservierungsfrei ohne
`),
);

/** Shorter words are common to many names. */
const DISTINCT_LETTERS_MIN = 4;

/** What a folded word is that names neither a substance nor a form. `name` may be the name of a medicine. */
export type Role = 'manufacturer' | 'combined' | 'noise' | 'further' | 'name';

export function roleOf(word: string): Role {
  if (NOISE.has(word) || word.length === 1) return 'noise';
  if (MANUFACTURERS.has(word)) return 'manufacturer';
  if (COMBINED.has(word)) return 'combined';
  return word.length < DISTINCT_LETTERS_MIN || COMMON.has(word) ? 'further' : 'name';
}

/** The grade that a folded word names, in one spelling, or null. */
export function gradeOf(word: string): string | null {
  return GRADES.get(word) ?? null;
}

/** The salt that a folded word names, in one spelling (besilate is besilat), or null. */
export function saltOf(word: string): string | null {
  return SALTS.get(word) ?? SALTS.get(withoutE(word)) ?? null;
}

/** Spellings by word: those of one thing stand together, the first of them is its name. */
function firstsOf(entries: string): ReadonlyMap<string, string> {
  return new Map(
    entries
      .split(',')
      .flatMap((entry) => listed(entry).map((word, _, [first = '']): [string, string] => [word, first])),
  );
}
