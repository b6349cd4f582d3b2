import { expect, test } from 'vitest';
import { type NameReading, readName } from '../../src/order-requests/names/read';

/** What a reading says, without the places, and without what it says nothing of. */
function told(name: string): Record<string, string[]> {
  const { substances, salts, names, combined, grades, potencies, forms, routes, releases, ...rest } = readName(name);
  const { understood, manufacturers, sizes, further } = rest;
  const said = { substances, salts, names, combined, grades, potencies, forms, routes, releases, understood };
  return Object.fromEntries(
    Object.entries({ ...said, manufacturers, sizes, further })
      .filter(([, { size }]) => size > 0)
      .map(([what, meanings]) => [what, [...meanings.keys()]]),
  );
}

function saidOf(what: keyof NameReading, name: string): string[] {
  return told(name)[what] ?? [];
}

test('a name is read word by word', () => {
  expect(told('Ramipril comp Heumann 5 mg/25 mg Retardtabletten für Kinder neu N3')).toEqual({
    substances: ['ramipril'],
    combined: ['comp'],
    manufacturers: ['heumann'],
    forms: ['tablet'],
    releases: ['prolonged'],
    grades: ['kinder'],
    further: ['neu'],
    sizes: ['n3'],
  });
  expect(told('')).toEqual({});
});

test('each thing is told with all its places in the name', () => {
  const { substances, folded } = readName('IBU  und Ibuprofen');
  expect(substances.get('ibuprofen')).toEqual([
    { start: 0, end: 3 },
    { start: 8, end: 17 },
  ]);
  expect(folded.text.slice(8, 17)).toBe('ibuprofen');
});

test.each([
  ['Aspirin', ['acetylsalicylsaure']],
  ['ASS', ['acetylsalicylsaure']],
  ['Acetylsalicylsaeure', ['acetylsalicylsaure']],
  ['Augmentin', ['amoxicillin', 'clavulansaure']],
  ['Valsartan/HCT', ['valsartan', 'hydrochlorothiazid']],
  ['cetirizine', ['cetirizin']],
  ['Vitamin D', ['colecalciferol']],
  ['Vitamin D3', ['colecalciferol']],
  ['Vitamine-D3', ['colecalciferol']],
  ['Vit. D3', ['colecalciferol']],
  ['D3', ['colecalciferol']],
  ['Vitamin B12', ['cyanocobalamin']],
  ['Vitamin B 12', ['cyanocobalamin']],
  ['Vitamin B 13', []],
  ['Vitamin C 12', ['vitamin-c']],
  ['Vitamin E', ['vitamin-e']],
  ['Vitamine', []],
  ['Vitamin BX', []],
  ['Aspirin plus C', ['acetylsalicylsaure', 'vitamin-c']],
  ['C Aspirin', ['acetylsalicylsaure', 'vitamin-c']],
  ['Grippostad C', []],
  ['Metoprololsuccinat', ['metoprolol']],
  ['Amlodipine besilate', ['amlodipin']],
  ['Cannabisblüten', []],
  ['Baldriandragees', ['baldrian']],
  ['DiclofenacHEXAL', ['diclofenac']],
  ['Diclofenacretard', ['diclofenac']],
  ['Diclofenacnatrium', ['diclofenac']],
  ['Diclofenacstrasse', []],
  ['Diclofenac-Natrium', ['diclofenac']],
  ['Natrium', ['natrium']],
  ['Natrium Kalium', ['natrium', 'kalium']],
  ['Kaliumcitrat', ['kalium']],
  ['Magnesium Calcium', ['magnesium', 'calcium']],
  ['Atorvastatin-Calcium', ['atorvastatin']],
  ['Esomeprazol Magnesium', ['esomeprazol']],
  ['Ramipril Magnesium', ['ramipril', 'magnesium']],
  ['Ibuprofin', []],
])('the substances of "%s" are %j', (name, substances) => {
  expect(saidOf('substances', name)).toEqual(substances);
});

test.each([
  ['Metoprolol succ', ['succinat']],
  ['Metoprololtartrat', ['tartrat']],
  ['Sertralin HCl', ['hydrochlorid']],
  ['Sertraline hydrochloride', ['hydrochlorid']],
  ['Diclofenac-Natrium', ['natrium']],
  ['Foomycinhydrochlorid', ['hydrochlorid']],
  ['Ibuprofen', []],
])('the salts of "%s" are %j', (name, salts) => {
  expect(saidOf('salts', name)).toEqual(salts);
});

test.each([
  ['Foomycin', ['foomycin']],
  ['Foomycinhydrochlorid', ['foomycin']],
  ['Foohcl', ['foohcl']],
  ['Fo', []],
  ['Foo', []],
  ['Fooo', ['fooo']],
  ['Ibuprofen Foomycin', ['foomycin']],
  ['Cannabisblüten Aurora', ['aurora']],
  ['Nasenspray-ratiopharm', ['nasenspray', 'ratiopharm']],
  ['Nasic Nasenspray', ['nasic']],
  ['Cannabisblüten', ['cannabis']],
  ['Cannabis flos 22/1', ['cannabis']],
  ['Xylometazolin Nasenspray', []],
  ['Filmtabletten ratiopharm', []],
  ['Augen ratiopharm', []],
  ['x'.repeat(30).concat('hydrochlorid'), ['x'.repeat(30).concat('hydrochlorid')]],
])('the words of "%s" that may name a medicine are %j', (name, names) => {
  expect(saidOf('names', name)).toEqual(names);
});

test.each([
  ['Ibuprofen Filmtabletten', ['tablet']],
  ['Ibuprofen FTBL', ['tablet']],
  ['Ibuprofen FTA', ['tablet']],
  ['Schmelztabletten', ['orodispersible']],
  ['Diclofenac Gel', ['gel']],
  ['Diclofenac Schmerzgel', ['gel']],
  ['Vitamin D Kugel', []],
  ['Bepanthen Augensalbe', ['ointment']],
  ['Novaminsulfon Tropfen 20 ml Flasche', ['drops']],
  ['Salbutamol Dosieraerosol', ['spray']],
  ['Tramadol Retardtabletten', ['tablet']],
  ['Tramadol RET', []],
  ['Tramadol REK', ['capsule']],
  ['Injektionslösung', ['injection']],
  ['Infusionslösung', ['injection']],
  ['Lösung', ['solution']],
  ['Inhalationskapseln', ['inhalation']],
  ['Pulver zur Herstellung einer Lösung', ['powder', 'solution']],
  ['Cannabisblüten', ['flower']],
])('the forms of "%s" are %j', (name, forms) => {
  expect(saidOf('forms', name)).toEqual(forms);
});

test.each([
  ['Augen- und Ohrentropfen', ['eye', 'ear']],
  ['ATO', ['eye', 'ear']],
  ['Nasenspray', ['nose']],
  ['Vaginalcreme', ['vagina']],
  ['Rektaltube', ['rectum']],
  ['Salbe', []],
])('"%s" is for %j', (name, routes) => {
  expect(saidOf('routes', name)).toEqual(routes);
});

test.each([
  ['Diclofenac-Natriumretard', ['prolonged'], []],
  ['Tramadol Retardtabletten', ['prolonged'], []],
  ['Tramadol RET', ['prolonged'], []],
  ['Pantoprazol magensaftresistente Tabletten', ['gastro-resistant'], ['gastro-resistant']],
  ['Diclofenac TMR', ['gastro-resistant'], []],
  ['Pantoprazol', [], ['gastro-resistant']],
  ['Tamsulosin', [], ['prolonged']],
  ['Metoprolol', [], []],
  ['Metoprololsuccinat', [], ['prolonged']],
  ['Metoprololtartrat', [], []],
  ['Aspirin protect', [], ['gastro-resistant']],
  ['Ibuprofen protect', [], []],
  ['Ibuprofen 20er', [], []],
  ['Ibuprofen 20 er', ['prolonged'], []],
])('"%s" says the release %j, and %j goes without saying', (name, releases, understood) => {
  expect(saidOf('releases', name)).toEqual(releases);
  expect(saidOf('understood', name)).toEqual(understood);
});

test.each([
  ['Arnica D6', { potencies: ['d6'] }],
  ['Arnica C30', { potencies: ['c30'] }],
  ['Arnica LM6', { potencies: ['lm6'] }],
  ['Arnica N1', { sizes: ['n1'] }],
  ['Arnica N3', { sizes: ['n3'] }],
  ['Arnica N4', { further: ['n4'] }],
  ['Arnica N 3', { sizes: ['n3'] }],
  ['Arnica N 4', {}],
  ['Arnica E45', { further: ['e45'] }],
  ['Arnica abc45', { further: ['abc'] }],
  ['Arnica Erw.', { grades: ['erwachsene'] }],
  ['Arnica AbZ', { manufacturers: ['abz'] }],
  ['Arnica mg und X', {}],
])('"%s" says besides %j', (name, rest) => {
  const { names, ...others } = told(name);
  expect(names).toEqual(['arnica']);
  expect(others).toEqual(rest);
});

test('micrograms of vitamin D are its units, and milligrams are not', () => {
  const valuesIn = (name: string) => readName(name).amounts.map(({ measure, value }) => `${value} ${measure}`);
  expect(valuesIn('Vitamin D3 25 µg')).toEqual(['1000 IU']);
  expect(valuesIn('Calcium 500 mg Vitamin D3 400 I.E.')).toEqual(['500 mg', '400 IU']);
  expect(valuesIn('Vitamin D3 1 mg')).toEqual(['1 mg']);
  expect(valuesIn('Levothyroxin 25 µg')).toEqual(['0.025 mg']);
});

/** What a reading says, with the text that says it. */
function placed(name: string): Record<string, string[]> {
  const { substances, salts, names, potencies, forms } = readName(name);
  const found = Object.entries({ substances, salts, names, potencies, forms }).filter(([, { size }]) => size > 0);
  return Object.fromEntries(
    found.map(([what, meanings]) => [
      what,
      [...meanings].map(
        ([meaning, spans]) => `${meaning}: ${spans.map(({ start, end }) => name.slice(start, end)).join('|')}`,
      ),
    ]),
  );
}

test.each([
  ['Vit. B12', { substances: ['cyanocobalamin: Vit. B12'] }],
  ['Vit B 12', { substances: ['cyanocobalamin: Vit B 12'] }],
  ['Vitamin-B12', { substances: ['cyanocobalamin: Vitamin-B12'] }],
  ['Vitamine B6', { substances: ['pyridoxin: Vitamine B6'] }],
  ['Vitamin. C', { substances: ['vitamin-c: Vitamin. C'] }],
  ['Vitamin-D', { substances: ['colecalciferol: Vitamin-D'] }],
  ['Vitamin D3', { substances: ['colecalciferol: Vitamin D3'] }],
  ['Vitamin B 13', { names: ['vitamin-b: Vitamin B'] }],
  ['Vitamin B13', { names: ['vitamin-b13: Vitamin B13'] }],
  ['Vitamine', {}],
  ['Arnica Q6', { names: ['arnica: Arnica'], potencies: ['q6: Q6'] }],
])('a vitamin and a potency are named by all of it: %s', (name, said) => {
  expect(placed(name)).toEqual(said);
});

test.each([
  ['Ambroxolsaft', { substances: ['ambroxol: Ambroxolsaft'], forms: ['syrup: Ambroxolsaft'] }],
  ['Ibuprofensaft', { substances: ['ibuprofen: Ibuprofensaft'], forms: ['syrup: Ibuprofensaft'] }],
  ['Diclofenacnatrium', { substances: ['diclofenac: Diclofenacnatrium'], salts: ['natrium: Diclofenacnatrium'] }],
  ['Wxyzmesilat', { names: ['wxyz: Wxyzmesilat'], salts: ['mesilat: Wxyzmesilat'] }],
  ['Wxyzoxid', { names: ['wxyzoxid: Wxyzoxid'] }],
])('a compound is taken apart: %s', (name, said) => {
  expect(placed(name)).toEqual(said);
});

test('a compound is looked for in words of 40 letters, and in no longer ones', () => {
  const named = (letters: number) => saidOf('names', `${'x'.repeat(letters - 'succinat'.length)}succinat`);
  expect(named(40)).toEqual(['x'.repeat(32)]);
  expect(named(41)).toEqual([`${'x'.repeat(33)}succinat`]);
});
