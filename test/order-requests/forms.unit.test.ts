import { expect, test } from 'vitest';
import { type Form, formOf, formsDiffer, isCounted, isOfAnyRoute, isSpread } from '../../src/order-requests/names/scan';

test.each<[Form, string]>([
  ['tablet', 'filmtabletten fta tka'],
  ['effervescent', 'brausetabletten bta'],
  ['chewable', 'kautabletten kta'],
  ['orodispersible', 'schmelztabletten smt'],
  ['sublingual', 'sublingualtabletten sut'],
  ['lozenge', 'lutschtabletten lut lup'],
  ['capsule', 'hartkapseln kap'],
  ['drops', 'augentropfen tro'],
  ['syrup', 'hustensaft saf'],
  ['solution', 'injektionlosung lse'],
  ['suspension', 'augenemulsion sus emu'],
  ['concentrate', 'infusionskonzentrat'],
  ['ointment', 'augensalbe sal'],
  ['cream', 'vaginalcreme cre vcr'],
  ['gel', 'emulgel gel nag'],
  ['lotion', 'hautlotion'],
  ['paste', 'zinkpaste'],
  ['foam', 'rektalschaum'],
  ['spray', 'nasenspray spr'],
  ['inhalation', 'diskus inh'],
  ['suppository', 'kinderzapfchen sup'],
  ['enema', 'klistier'],
  ['powder', 'trockenpulver pul'],
  ['granules', 'retardgranulat granules gra gse'],
  ['sachet', 'beutel btl'],
  ['patch', 'matrixpflaster tts'],
  ['ampoule', 'trinkampullen amp'],
  ['syringe', 'fertigspritzen fer ife'],
  ['pen', 'fertigpen kwikpen'],
  ['cartridge', 'patronen penfill'],
  ['vial', 'durchstechflasche dfl'],
  ['injection', 'infusion ilo'],
  ['globules', 'globuli'],
  ['flower', 'cannabisbluten'],
  ['extract', 'trockenextrakt'],
  ['tea', 'blasentee'],
  ['gum', 'nikotinkaugummi'],
  ['shampoo', 'antischuppenshampoo'],
])('a word for %s is read as that: %s', (form, words) => {
  expect(words.split(' ').map(formOf)).toEqual(words.split(' ').map(() => form));
});

test('a word that only ends like an abbreviation names no form', () => {
  expect(['kugel', 'nagel', 'ibuprofen', 'ta', ''].map(formOf)).toEqual([null, null, null, null, null]);
});

/** Forms under whose names one and the same medicine is sold. */
const ALIKE: [Form, Form[]][] = [
  ['solution', ['drops', 'syrup', 'ampoule', 'concentrate', 'extract', 'powder', 'sachet']],
  ['suspension', ['drops', 'syrup', 'powder', 'granules', 'sachet']],
  ['injection', ['ampoule', 'syringe', 'pen', 'cartridge', 'vial', 'concentrate', 'powder']],
  ['sachet', ['powder', 'granules', 'gel']],
  ['inhalation', ['capsule', 'powder']],
  ['syrup', ['powder', 'granules']],
  ['drops', ['extract']],
  ['granules', ['powder']],
];

test.each(ALIKE)('%s is what may also be called %j, whichever name comes first', (one, others) => {
  for (const other of others) {
    expect([formsDiffer([one], [other]), formsDiffer([other], [one])], other).toEqual([false, false]);
  }
});

test('all other forms are different medicines', () => {
  const all: Form[] = ['tablet', 'capsule', 'cream', 'ointment', 'suppository', 'pen', 'vial', 'drops', 'spray'];
  for (const one of all) {
    for (const other of all) expect(formsDiffer([one], [other]), `${one}, ${other}`).toBe(one !== other);
  }
});

test('one form that both names may have is enough, and a name without a form differs from none', () => {
  expect(formsDiffer(['tablet', 'powder'], ['solution', 'capsule'])).toBe(false);
  expect(formsDiffer(['tablet', 'cream'], ['solution', 'capsule'])).toBe(true);
  expect([formsDiffer([], ['tablet']), formsDiffer(['tablet'], []), formsDiffer([], [])]).toEqual([
    false,
    false,
    false,
  ]);
});

test('what is counted in pieces, spread from a tube, or used wherever it is used', () => {
  const counted: Form[] = [
    ...(['tablet', 'effervescent', 'chewable', 'orodispersible', 'sublingual', 'lozenge', 'capsule', 'gum'] as const),
    ...(['suppository', 'sachet', 'patch', 'ampoule', 'syringe', 'pen', 'cartridge', 'vial'] as const),
  ];
  expect(counted.filter((form) => !isCounted(form))).toEqual([]);
  expect([isCounted('cream'), isCounted('syrup'), isCounted(null)]).toEqual([false, false, false]);
  const spread: Form[] = ['ointment', 'cream', 'gel', 'lotion', 'paste', 'flower', 'extract'];
  expect(spread.filter((form) => !isSpread([form]))).toEqual([]);
  expect([isSpread(['tablet', 'cream']), isSpread(['tablet']), isSpread([])]).toEqual([true, false, false]);
  expect([isOfAnyRoute(['spray']), isOfAnyRoute(['foam', 'cream']), isOfAnyRoute(['cream'])]).toEqual([
    true,
    true,
    false,
  ]);
});
