/** Reads which medicine the name of a product describes, word by word. */

import { once } from '../../platform/isolate-cache';
import {
  type Form,
  formOf,
  LETTERS_BEFORE_NUMBER,
  type Release,
  type Route,
  releaseOf,
  releaseUnderstood,
  routesOf,
  type ScannedName,
  SIZE_MAX,
  scanName,
} from './scan';
import { type Amount, gradeOf, listed, type Role, roleOf, type Span, saltOf, type Token, withoutE } from './tokens';

/**
 * The meanings that a name states, each in one spelling. For each meaning, the positions of its words in the folded
 * text.
 */
export type Said<Meaning extends string = string> = ReadonlyMap<Meaning, readonly Span[]>;

export interface NameReading extends ScannedName {
  /** The product is sold by weight or volume. */
  isByUnit?: boolean;
  substances: Said;
  salts: Said;
  /** Words that may be the name of the medicine, because the table of substances does not have them. */
  names: Said;
  /** Words for a further, unnamed substance: "plus", "comp". */
  combined: Said;
  /** Words for a strength or a group of patients: "forte", "Kinder". */
  grades: Said;
  /** Potencies of homeopathic medicines: D6. */
  potencies: Said;
  forms: Said<Form>;
  routes: Said<Route>;
  releases: Said<Release>;
  /** The release that the substance implies, whether or not the name states it. */
  understood: Said<Release>;
  manufacturers: Said;
  /** N1 to N3. */
  sizes: Said;
  /** Words that are common to many medicines, so they do not tell medicines apart. */
  further: Said;
}

interface Word extends Span {
  text: string;
  /** The number that directly follows a short word: 12 in B12. Null if there is none. */
  number: number | null;
}

const VITAMINS = new Set(['vitamin', 'vitamine', 'vit']);
/** The highest number of a B vitamin. A space may precede the number. */
const VITAMIN_B_MAX = 12;
const POTENCIES = new Set(['c', 'd', 'lm', 'q']);
const CANNABIS = 'cannabis';
/** The longest word that is searched for compounds. The limit keeps the time linear in the length of the name. */
const COMPOUND_LETTERS_MAX = 40;
const PART_LETTERS_MIN = 4;
/** The shortest ending that counts as a salt in a word whose beginning is unknown. */
const SALT_LETTERS_MIN = 5;
/** How many IU are 1 mg of vitamin D; 1 µg is 40 IU. */
const VITAMIN_D_IU_PER_MG = 40_000;
/**
 * Metals that form salts of other substances. `METALS` do so with any substance, `METALS_OF_FEW` only with a substance
 * that has one of the endings in `SUBSTANCES_WITH_METALS`.
 */
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
    const isSize = token.text === 'n' && typeof next?.value === 'number' && next.value <= SIZE_MAX;
    const isJoined = token.text.length < LETTERS_BEFORE_NUMBER && typeof next?.value === 'number' && !next.isSpaced;
    const isCode = isSize || isJoined;
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

  /** Words that count as the name of the medicine only if no other word names it: "Nasenspray", "Cannabis". */
  private readonly instead = new Map<string, Span[]>();
  /**
   * Words of one letter. They name a substance only if another word does: the C of "Aspirin plus C" is a substance, the
   * C of "Grippostad C" is not.
   */
  private readonly letters: Word[] = [];

  take(word: Word): void {
    if (word.number !== null) this.takeCode(word, `${word.text}${word.number}`);
    else if (word.text.length === 1) this.letters.push(word);
    else if (!this.takeSubstances(word, word.text)) this.takeOther(word);
  }

  /** Returns the reading of all words. Call it once, after `take` was called for each word. */
  end() {
    const { substances, salts, names, grades, manufacturers, understood } = this.said;
    if (substances.size > 0) for (const letter of this.letters) this.takeSubstances(letter, letter.text);
    for (const metal of metalsOfSalts([...substances.keys()])) {
      salts.set(metal, substances.get(metal) ?? []);
      substances.delete(metal);
    }
    for (const [substance, places] of substances) {
      const release = releaseUnderstood(substance, [...salts.keys(), ...grades.keys()]);
      if (release !== null) understood.set(release, places);
    }
    if (substances.size === 0 && names.size === 0 && this.instead.size > 0) {
      for (const [word, places] of [...this.instead, ...manufacturers]) names.set(word, places);
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
    if (word.text.startsWith(CANNABIS)) add(this.instead, CANNABIS, word);
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

  /**
   * Records the form, release, body part, salt and grade that a word names.
   * @returns false if the word names none of them
   */
  private takeMeaning(span: Span, word: string): boolean {
    const [form, release, routes] = [formOf(word), releaseOf(word), routesOf(word)];
    const [salt, grade] = [saltOf(word), gradeOf(word)];
    if (form !== null) add(this.said.forms, form, span);
    if (release !== null) add(this.said.releases, release, span);
    for (const route of routes) add(this.said.routes, route, span);
    if (routes.length > 0 && form !== null) add(this.instead, word, span);
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

/**
 * Splits a compound into a name and the rest: "Metoprololsuccinat", "Cannabisblüten", "DiclofenacHEXAL". An unknown
 * name must be followed by a salt. Null if the word is no compound.
 */
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

/** The metals that form the salt of another substance: the sodium of "Diclofenac-Natrium". */
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

/**
 * The words that name each substance. The German name is first, then abbreviations, other spellings and brands as
 * publicly used in Germany. The table has no brands that are sold with different substances, and no brands with a
 * release or a device of their own. A word that is not in the table is compared as written.
 */
const SUBSTANCES = `
  acetylcystein acc nac fluimucil bromuc, acetylsalicylsäure ass aspirin azetylsalizylsäure godamed acesal,
  aciclovir acyclovir zovirax, alendronsäure alendronat fosamax, allopurinol zyloric, alprazolam tafil xanax,
  ambroxol mucosolvan mucoangin, amiloridin, amiodaron cordarex, amisulprid solian, amitriptylin saroten,
  amlodipin norvasc amlo, amoxicillin amoxi amoxihexal, anastrozol arimidex, apixaban eliquis, aripiprazol abilify,
  atenolol tenormin, atomoxetin strattera, atorvastatin sortis atorva, azathioprin imurek, azelastin allergodil,
  azithromycin zithromax azi, baclofen lioresal, baldrian baldriparan, beclometason beclomet, benserazid,
  betahistin vasomotal, betamethason betnesol celestan, bimatoprost lumigan, bisacodyl dulcolax,
  bisoprolol concor bisop biso bisohexal, brimonidin alphagan, bromazepam lexotanil, budesonid pulmicort,
  bupropion elontril wellbutrin, butylscopolamin buscopan butylscopolaminium, calcium kalzium,
  candesartan atacand blopress, captopril lopirin, carbamazepin tegretal timonil, carbidopa,
  carvedilol dilatrend querto, cefaclor infectocef, cefixim suprax, cefpodoxim podomexef, cefuroxim elobact zinnat,
  celecoxib celebrex, cetirizin zyrtec reactine, chlorhexidin chlorhexamed, ciclopirox ciclopoli,
  ciclosporin sandimmun, cinnarizin, ciprofloxacin cipro ciprobay, citalopram cipramil,
  clarithromycin klacid clarithro, clavulansäure clavulan clav, clindamycin sobelin clinda, clobazam frisium,
  clonazepam rivotril, clonidin catapresan, clopidogrel plavix iscover, clotrimazol canesten canifug kadefungin,
  clozapin leponex, codein paracodin, coffein koffein, colchicin colchysat,
  colecalciferol vitamin-d cholecalciferol dekristol vigantol vigantoletten d3,
  cyanocobalamin vitamin-b12 cobalamin b12, cyproteron androcur, dabigatran pradaxa, dapagliflozin forxiga,
  desloratadin aerius, desogestrel cerazette, dexamethason fortecortin dexa,
  dexpanthenol bepanthen panthenol pantothenylalkohol, diazepam valium faustan,
  diclofenac voltaren diclo diclac rewodina, digitoxin digimerck, digoxin lanicor lenoxin, dimenhydrinat vomex vomacur,
  dimetinden fenistil, diphenhydramin betadorm, domperidon motilium, donepezil aricept, dorzolamid trusopt,
  doxazosin cardular, doxepin aponal, doxycyclin doxy doxyhexal, doxylamin hoggar schlafsterne, dronabinol marinol,
  duloxetin cymbalta, dutasterid avodart, ebastin ebastel, edoxaban lixiana, eisen ferrum ferro,
  empagliflozin jardiance, enalapril xanef, enoxaparin clexane, eplerenon inspra, erythromycin ery paediathrocin,
  escitalopram cipralex, esomeprazol nexium, estradiol estrifam, etoricoxib arcoxia,
  ezetimib ezetrol, famotidin pepdul, febuxostat adenuric, felodipin modip, fenofibrat lipidil, fenoterol,
  fentanyl durogesic, fexofenadin telfast, finasterid proscar propecia, flecainid tambocor, fluconazol diflucan,
  fluoxetin fluctin, flupentixol fluanxol, flurbiprofen, fluticason flutide, fluvastatin locol,
  fluvoxamin fevarin, folsäure folat, formoterol foradil, fosfomycin monuril, furosemid lasix furo,
  gabapentin neurontin, galantamin reminyl, ginkgo tebonin gingium, glibenclamid euglucon, gliclazid diamicron,
  glimepirid amaryl, haloperidol haldol, heparin hepathromb, humaninsulin huminsulin actrapid insuman,
  hydrochlorothiazid hct esidrix, hydrocortison hydrocort hydrocutan ebenol fenihydrocort,
  hydromorphon, hydroxyzin atarax, ibandronsäure bonviva,
  ibuprofen ibu ibuflam nurofen dolormin ibuhexal ibudolor eudorlin dolgit, indapamid natrilix,
  insulinaspart aspart novorapid, insulindegludec degludec tresiba, insulindetemir detemir levemir,
  insulinglargin glargin lantus abasaglar, insulinglulisin glulisin apidra,
  insulinlispro lispro humalog liprolog, insulinnph nph basal protaphan, ipratropium atrovent,
  irbesartan aprovel karvea, isosorbiddinitrat isdn isoket, isosorbidmononitrat ismn, isotretinoin aknenormin,
  itraconazol sempera, ivabradin procoralan, ivermectin soolantra, kalium, kaliumchlorid rekawan,
  kaliumiodid kaliumjodid jodid iodid, ketoconazol nizoral, lacosamid vimpat, lactulose bifiteral, lamotrigin lamictal,
  lansoprazol agopton, latanoprost xalatan, leflunomid arava, lercanidipin carmen, letrozol femara,
  levetiracetam keppra, levocetirizin xusal, levodopa dopa, levofloxacin tavanic, levonorgestrel pidana,
  levothyroxin thyroxin thyrox euthyrox eferox berlthyrox levothyrox, linagliptin trajenta, liothyronin thybon,
  liraglutid victoza, lisinopril acerbon, lithium quilonum hypnorex, loperamid imodium lopedium,
  loratadin lorano, lorazepam tavor temesta, lormetazepam noctamid, losartan lorzaar, macrogol movicol laxofalk,
  magnesium magnetrans, melatonin, melperon melneurin, memantin axura ebixa,
  mesalazin, metamizol novaminsulfon novalgin berlosin novamin analgin,
  metformin glucophage metfor, methocarbamol ortoton, methotrexat mtx lantarel metex,
  methylphenidat ritalin medikinet, methylprednisolon urbason, metoclopramid mcp paspertin,
  metoprolol beloc metohexal, metronidazol clont, miconazol daktar, minoxidil regaine, mirtazapin remergil,
  mometason nasonex momeallerg momegalen, montelukast singulair, morphin sevredol, moxifloxacin avalox,
  moxonidin cynt physiotens, naloxon, naproxen proxen aleve, naratriptan formigran, natrium,
  natriumchlorid nacl kochsalz, natriumpicosulfat laxoberal picosulfat, nebivolol nebilet, nifedipin adalat,
  nikotin nicotin nicorette nicotinell, nitrendipin bayotensin, nitrofurantoin furadantin nifuretten,
  nitroglycerin glyceroltrinitrat nitrolingual, nortriptylin nortrilen, nystatin mykundex adiclair,
  ofloxacin tarivid floxal, olanzapin zyprexa, olmesartan votum olmetec, omeprazol antra omep ome, ondansetron zofran,
  opipramol insidon, oseltamivir tamiflu, oxazepam adumbran, oxcarbazepin trileptal, oxybutynin dridase,
  oxycodon, oxymetazolin nasivin, pankreatin kreon pangrol, pantoprazol panto pantozol rifun,
  paracetamol pcm para acetaminophen benuron, paroxetin seroxat, penicillin phenoxymethylpenicillin isocillin,
  perindopril coversum, phenprocoumon marcumar falithrom, pioglitazon actos, piroxicam felden, povidon betaisodona,
  pramipexol sifrol, prasugrel efient, pravastatin pravasin, prednicarbat dermatop, prednisolon prednihexal,
  prednison rectodelt, pregabalin lyrica, progesteron utrogest famenita, promethazin atosil, propranolol dociton,
  propyphenazon, pyridoxin vitamin-b6 b6, quetiapin seroquel, quinapril accupro, rabeprazol pariet,
  ramipril delix rami, ranitidin sostril, rasagilin azilect, risedronsäure actonel, risperidon risperdal,
  rivaroxaban xarelto, rizatriptan maxalt, ropinirol requip, rosuvastatin crestor, salbutamol sultanol salbu apsomol,
  salmeterol serevent, semaglutid ozempic, sertralin zoloft, sildenafil viagra revatio,
  simeticon lefax sab simethicon espumisan, simvastatin zocor simva, sitagliptin januvia xelevia, solifenacin vesicare,
  sotalol sotalex, spironolacton aldactone spiro, sulfamethoxazol, sulpirid dogmatil, sumatriptan imigran,
  tacrolimus prograf protopic, tadalafil cialis, tamoxifen nolvadex, tamsulosin alna omnic, telmisartan micardis,
  terbinafin lamisil, testosteron testogel, theophyllin, thiamazol favistan,
  thiamin vitamin-b1 b1, ticagrelor brilique, tilidin, timolol, tiotropium spiriva, tizanidin sirdalud,
  tofacitinib xeljanz, tolterodin detrusitol, topiramat topamax, torasemid torem unat tora, tramadol tramal trama,
  travoprost travatan, trazodon thombran, triamcinolon volon, trimethoprim infectotrimet, trimipramin stangyl,
  trospium spasmex, ubidecarenon q10 ubichinon, valaciclovir valtrex, valproinsäure valproat ergenyl orfiril,
  valsartan diovan, vardenafil levitra, venlafaxin trevilor, verapamil isoptin, vitamin-a retinol,
  vitamin-c ascorbinsäure c cetebe, vitamin-e tocopherol, vitamin-k2 menachinon k2, warfarin coumadin,
  xylometazolin otriven olynth snup xylo, zink zinc zinkorotat, ziprasidon zeldox, zolmitriptan ascotop,
  zolpidem stilnox, zopiclon ximovan
`;

/** Brands of medicines with several substances. */
const COMBINATIONS = `
  amoxiclav augmentin augmentan amclav: amoxicillin clavulansäure
  berodual: fenoterol ipratropium
  codiovan: valsartan hydrochlorothiazid
  cosopt: dorzolamid timolol
  cotrim cotrimoxazol trimoxazol: sulfamethoxazol trimethoprim
  exforge: amlodipin valsartan
  foster: beclometason formoterol
  inegy: ezetimib simvastatin
  janumet velmetia: metformin sitagliptin
  jodthyrox: levothyroxin kaliumiodid
  madopar: levodopa benserazid
  nacom: levodopa carbidopa
  seretide viani: salmeterol fluticason
  symbicort: budesonid formoterol
  targin: oxycodon naloxon
  valoron: tilidin naloxon
`;

const BY_WORD = once(
  () =>
    new Map<string, readonly string[]>([
      ...SUBSTANCES.split(',').flatMap((entry) => {
        const words = listed(entry);
        return words.map((word): [string, string[]] => [word, words.slice(0, 1)]);
      }),
      ...COMBINATIONS.trim()
        .split('\n')
        .flatMap((line) => {
          const [brands = '', substances = ''] = line.split(':');
          return listed(brands).map((word): [string, string[]] => [word, listed(substances)]);
        }),
    ]),
);

/** The substances that a folded word names, also in its English spelling (cetirizine); none if it is not known. */
function substancesOf(word: string): readonly string[] {
  return BY_WORD().get(word) ?? BY_WORD().get(withoutE(word)) ?? [];
}
