/**
 * Substances by the words that name them: the German name first, then abbreviations, other spellings and brands as they are
 * publicly used in Germany. A brand that is sold with different substances is none of them. A word that is missing here is
 * compared as it stands.
 */

import { listed, withoutE } from './tokens';

const SUBSTANCES = `
  acetylcystein acc nac fluimucil bromuc, acetylsalicylsäure ass aspirin azetylsalizylsäure godamed acesal,
  aciclovir acyclovir zovirax, alendronsäure alendronat fosamax, allopurinol zyloric, alprazolam tafil xanax,
  ambroxol mucosolvan mucoangin, amiloridin, amiodaron cordarex, amisulprid solian, amitriptylin saroten,
  amlodipin norvasc amlo, amoxicillin amoxi amoxihexal, anastrozol arimidex, apixaban eliquis, aripiprazol abilify,
  atenolol tenormin, atomoxetin strattera, atorvastatin sortis atorva, azathioprin imurek, azelastin allergodil,
  azithromycin zithromax azi, baclofen lioresal, baldrian baldriparan, beclometason beclomet junik, benserazid,
  betahistin vasomotal, betamethason betnesol celestan, bimatoprost lumigan, bisacodyl dulcolax,
  bisoprolol concor bisop biso bisohexal, brimonidin alphagan, bromazepam lexotanil, budesonid pulmicort budenofalk,
  bupropion elontril wellbutrin zyban, butylscopolamin buscopan butylscopolaminium, calcium kalzium,
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
  escitalopram cipralex, esomeprazol nexium, estradiol estradot gynokadin estrifam, etoricoxib arcoxia,
  ezetimib ezetrol, famotidin pepdul, febuxostat adenuric, felodipin modip, fenofibrat lipidil, fenoterol,
  fentanyl durogesic, fexofenadin telfast, finasterid proscar propecia, flecainid tambocor, fluconazol diflucan,
  fluoxetin fluctin, flupentixol fluanxol, flurbiprofen, fluticason flutide avamys, fluvastatin locol,
  fluvoxamin fevarin, folsäure folat, formoterol foradil, fosfomycin monuril, furosemid lasix furo,
  gabapentin neurontin, galantamin reminyl, ginkgo tebonin gingium, glibenclamid euglucon, gliclazid diamicron,
  glimepirid amaryl, haloperidol haldol, heparin hepathromb, humaninsulin huminsulin actrapid insuman,
  hydrochlorothiazid hct esidrix, hydrocortison hydrocort hydrocutan ebenol fenihydrocort,
  hydromorphon palladon jurnista, hydroxyzin atarax, ibandronsäure bonviva,
  ibuprofen ibu ibuflam nurofen dolormin ibuhexal ibudolor eudorlin dolgit, indapamid natrilix,
  insulinaspart aspart novorapid fiasp, insulindegludec degludec tresiba, insulindetemir detemir levemir,
  insulinglargin glargin lantus toujeo abasaglar, insulinglulisin glulisin apidra,
  insulinlispro lispro humalog liprolog, insulinnph nph basal protaphan, ipratropium atrovent,
  irbesartan aprovel karvea, isosorbiddinitrat isdn isoket, isosorbidmononitrat ismn corangin, isotretinoin aknenormin,
  itraconazol sempera, ivabradin procoralan, ivermectin soolantra, kalium, kaliumchlorid rekawan,
  kaliumiodid kaliumjodid jodid iodid, ketoconazol nizoral, lacosamid vimpat, lactulose bifiteral, lamotrigin lamictal,
  lansoprazol agopton, latanoprost xalatan, leflunomid arava, lercanidipin carmen, letrozol femara,
  levetiracetam keppra, levocetirizin xusal, levodopa dopa, levofloxacin tavanic, levonorgestrel pidana,
  levothyroxin thyroxin thyrox euthyrox eferox berlthyrox levothyrox, linagliptin trajenta, liothyronin thybon,
  liraglutid victoza saxenda, lisinopril acerbon, lithium quilonum hypnorex, loperamid imodium lopedium,
  loratadin lorano, lorazepam tavor temesta, lormetazepam noctamid, losartan lorzaar, macrogol movicol laxofalk,
  magnesium magnetrans, melatonin circadin, melperon melneurin, memantin axura ebixa,
  mesalazin salofalk pentasa claversal, metamizol novaminsulfon novalgin berlosin novamin analgin,
  metformin glucophage metfor, methocarbamol ortoton, methotrexat mtx lantarel metex,
  methylphenidat ritalin medikinet concerta, methylprednisolon urbason, metoclopramid mcp paspertin,
  metoprolol beloc metohexal, metronidazol clont, miconazol daktar, minoxidil regaine, mirtazapin remergil,
  mometason nasonex momeallerg momegalen, montelukast singulair, morphin mst sevredol, moxifloxacin avalox,
  moxonidin cynt physiotens, naloxon, naproxen proxen aleve, naratriptan formigran, natrium,
  natriumchlorid nacl kochsalz, natriumpicosulfat laxoberal picosulfat, nebivolol nebilet, nifedipin adalat,
  nikotin nicotin nicorette nicotinell, nitrendipin bayotensin, nitrofurantoin furadantin nifuretten,
  nitroglycerin glyceroltrinitrat nitrolingual, nortriptylin nortrilen, nystatin mykundex adiclair,
  ofloxacin tarivid floxal, olanzapin zyprexa, olmesartan votum olmetec, omeprazol antra omep ome, ondansetron zofran,
  opipramol insidon, oseltamivir tamiflu, oxazepam adumbran, oxcarbazepin trileptal, oxybutynin dridase,
  oxycodon oxygesic, oxymetazolin nasivin, pankreatin kreon pangrol, pantoprazol panto pantozol rifun,
  paracetamol pcm para acetaminophen benuron, paroxetin seroxat, penicillin phenoxymethylpenicillin isocillin,
  perindopril coversum, phenprocoumon marcumar falithrom, pioglitazon actos, piroxicam felden, povidon betaisodona,
  pramipexol sifrol, prasugrel efient, pravastatin pravasin, prednicarbat dermatop, prednisolon prednihexal,
  prednison rectodelt, pregabalin lyrica, progesteron utrogest famenita, promethazin atosil, propranolol dociton,
  propyphenazon, pyridoxin vitamin-b6 b6, quetiapin seroquel, quinapril accupro, rabeprazol pariet,
  ramipril delix rami, ranitidin sostril, rasagilin azilect, risedronsäure actonel, risperidon risperdal,
  rivaroxaban xarelto, rizatriptan maxalt, ropinirol requip, rosuvastatin crestor, salbutamol sultanol salbu apsomol,
  salmeterol serevent, semaglutid ozempic wegovy rybelsus, sertralin zoloft, sildenafil viagra revatio,
  simeticon lefax sab simethicon espumisan, simvastatin zocor simva, sitagliptin januvia xelevia, solifenacin vesicare,
  sotalol sotalex, spironolacton aldactone spiro, sulfamethoxazol, sulpirid dogmatil, sumatriptan imigran,
  tacrolimus prograf protopic, tadalafil cialis, tamoxifen nolvadex, tamsulosin alna omnic, telmisartan micardis,
  terbinafin lamisil, testosteron testogel nebido, theophyllin bronchoretard euphylong, thiamazol favistan,
  thiamin vitamin-b1 b1, ticagrelor brilique, tilidin, timolol, tiotropium spiriva braltus, tizanidin sirdalud,
  tofacitinib xeljanz, tolterodin detrusitol, topiramat topamax, torasemid torem unat tora, tramadol tramal trama,
  travoprost travatan, trazodon thombran, triamcinolon volon, trimethoprim infectotrimet, trimipramin stangyl,
  trospium spasmex, ubidecarenon q10 ubichinon, valaciclovir valtrex, valproinsäure valproat ergenyl orfiril,
  valsartan diovan, vardenafil levitra, venlafaxin trevilor, verapamil isoptin, vitamin-a retinol,
  vitamin-c ascorbinsäure c cetebe, vitamin-e tocopherol, vitamin-k2 menachinon k2, warfarin coumadin,
  xylometazolin otriven olynth snup xylo, zink zinc zinkorotat, ziprasidon zeldox, zolmitriptan ascotop,
  zolpidem stilnox, zopiclon ximovan
`;

/** Brands of several substances. */
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

const BY_WORD: ReadonlyMap<string, readonly string[]> = new Map([
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
]);

/** The substances that a folded word names, also in its English spelling (cetirizine); none if it is not known. */
export function substancesOf(word: string): readonly string[] {
  return BY_WORD.get(word) ?? BY_WORD.get(withoutE(word)) ?? [];
}
