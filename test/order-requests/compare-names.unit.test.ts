import { expect, test } from 'vitest';
import {
  dosageFormsDiffer,
  readPair,
  releasesDiffer,
  strengthDifference,
  substancesDiffer,
} from '../../src/order-requests/names/differences';
import { type NameReading, readName } from '../../src/order-requests/names/read';
import type { Form, Route } from '../../src/order-requests/names/scan';
import type { Measure } from '../../src/order-requests/names/tokens';

/** A reading of a name that says only this. */
function reading(parts: Partial<NameReading> = {}): NameReading {
  return { ...readName(''), ...parts };
}

const said = <Meaning extends string>(...meanings: Meaning[]) => new Map(meanings.map((meaning) => [meaning, []]));
const substances = (...names: string[]) => ({ substances: said(...names) });
const names = (...words: string[]) => ({ names: said(...words) });
const combined = { combined: said('comp') };
const forms = (...each: Form[]) => ({ forms: said(...each) });
const routes = (...each: Route[]) => ({ routes: said(...each) });
const bare = (...numbers: number[][]) => ({
  bare: numbers.map((values) => ({ values, count: 1, isMaybeCount: false, start: 0, end: 0 })),
});
const amounts = (...each: [Measure, number][]) => ({
  amounts: each.map(([measure, value]) => ({ measure, value, written: value, start: 0, end: 0 })),
});
const cannabis = { isCannabis: true };

type Case = [why: string, one: Partial<NameReading>, other: Partial<NameReading>, differ: boolean];

/** Whichever of the two comes first. */
function bothWays<T>(
  compare: (pair: { one: NameReading; other: NameReading }) => T,
  [, first, second]: unknown[],
): T[] {
  const [one, other] = [reading(first as Partial<NameReading>), reading(second as Partial<NameReading>)];
  return [compare({ one, other }), compare({ one: other, other: one })];
}

test.each<Case>([
  ['the same one', substances('a'), substances('a'), false],
  ['another one', substances('a'), substances('b'), true],
  ['one more', substances('a'), substances('a', 'b'), true],
  ['one more of several', substances('a', 'b'), substances('a', 'b', 'c'), true],
  ['a combination that names one of them', { ...substances('a'), ...combined }, substances('a', 'b'), false],
  ['a combination of another one', { ...substances('c'), ...combined }, substances('a', 'b'), true],
  ['a combination and its substance alone', { ...substances('a'), ...combined }, substances('a'), true],
  ['the same salt', { ...substances('a'), salts: said('x') }, { ...substances('a'), salts: said('x') }, false],
  ['another salt', { ...substances('a'), salts: said('x') }, { ...substances('a'), salts: said('y') }, true],
  ['a salt that one leaves out', { ...substances('a'), salts: said('x') }, substances('a'), false],
  ['a known one and a word in common', { ...substances('a'), ...names('x') }, names('x'), false],
  ['a known one and more words on both', { ...substances('a'), ...names('x', 'y') }, names('x', 'z'), true],
  ['the same words', names('x'), names('x'), false],
  ['no word in common', names('x'), names('y'), true],
  ['a word more', names('x', 'y'), names('x'), false],
  ['a word more on both', names('x', 'y'), names('x', 'z'), true],
  ['the same word, one of them combined', { ...names('x'), ...combined }, names('x'), true],
  ['no word at all', {}, {}, true],
])('substances: %s', (...each) => {
  expect(bothWays(substancesDiffer, each)).toEqual([each[3], each[3]]);
});

test.each<[string, Partial<NameReading>, Partial<NameReading>, 'measured' | 'said' | null]>([
  ['another potency', { potencies: said('d6') }, { potencies: said('d12') }, 'said'],
  ['a potency that one leaves out', { potencies: said('d6') }, {}, 'said'],
  ['no number at all', {}, {}, null],
  ['another grade and no number', { grades: said('forte') }, {}, 'said'],
  ['a strength that one leaves out', amounts(['mg', 400]), {}, 'said'],
  ['the same', amounts(['mg', 400]), amounts(['mg', 400]), null],
  ['another', amounts(['mg', 400]), amounts(['mg', 600]), 'measured'],
  ['nothing that can be compared', amounts(['mg', 400]), amounts(['IU', 400]), 'measured'],
  ['one of two that differ', amounts(['mg', 5], ['IU', 10]), amounts(['mg', 5], ['IU', 20]), 'measured'],
  ['the sum of both', amounts(['mg', 1000]), amounts(['mg', 875], ['mg', 125]), null],
  ['the sum of a value and itself', amounts(['mg', 5]), amounts(['mg', 5], ['mg', 5]), null],
  ['another order', amounts(['mg', 5], ['mg', 10]), amounts(['mg', 10], ['mg', 5]), null],
  ['two, one of which is the sum', amounts(['mg', 30], ['mg', 10]), amounts(['mg', 10], ['mg', 20]), 'measured'],
  ['one more', amounts(['mg', 5], ['mg', 10]), amounts(['mg', 5], ['mg', 10], ['mg', 20]), 'measured'],
  ['one in common', amounts(['mg', 5], ['mg', 10]), amounts(['mg', 5], ['mg', 20]), 'measured'],
  ['numbers, one of which is the strength', bare([5, 7]), amounts(['mg', 5]), 'measured'],
  ['a number without its unit', bare([400]), amounts(['mg', 400]), null],
  ['a number that is no strength', bare([600]), amounts(['mg', 400]), 'measured'],
  ['a number that is the sum', bare([1000]), amounts(['mg', 875], ['mg', 125]), null],
  ['the number that only this name has', bare([5], [400]), { ...bare([5]), ...amounts(['mg', 400]) }, null],
  ['numbers that both have', bare([5]), { ...bare([5]), ...amounts(['mg', 5]) }, null],
  ['several, one of them in both', bare([7], [5, 400]), { ...bare([7, 5]), ...amounts(['mg', 5], ['mg', 400]) }, null],
  ['numbers alone, the same', bare([400]), bare([400]), null],
  ['numbers alone, one more', bare([5]), bare([5, 20]), null],
  ['numbers alone, others on both', bare([5, 10]), bare([5, 20]), 'said'],
  ['numbers alone, on one', bare([400]), {}, 'said'],
  ['THC alone', { ...cannabis, ...bare([22, 1]) }, amounts(['thc', 22]), null],
  ['another THC', { ...cannabis, ...bare([22, 1]) }, { ...cannabis, ...bare([18, 1]) }, 'measured'],
  ['another CBD', amounts(['thc', 22], ['cbd', 1]), { ...cannabis, ...amounts(['thc', 22], ['cbd', 8]) }, 'measured'],
  ['THC beside a number', { ...cannabis, ...amounts(['thc', 22]), ...bare([5, 1]) }, amounts(['thc', 22]), null],
  ['a weight beside THC', { ...cannabis, ...amounts(['mg', 5], ['thc', 22]) }, amounts(['thc', 22]), null],
  ['content of an extract', { ...cannabis, ...amounts(['mg/ml', 25]) }, amounts(['mg/ml', 10]), 'measured'],
  ['content of an extract, without its unit', { ...cannabis, ...amounts(['mg/ml', 25]) }, bare([25, 1]), null],
  ['cannabis without content on one', { ...cannabis }, { ...cannabis, ...bare([22, 1]) }, 'said'],
])('strength: %s', (...each) => {
  expect(bothWays(strengthDifference, each)).toEqual([each[3], each[3]]);
});

test.each<Case>([
  ['the same form', forms('tablet'), forms('tablet'), false],
  ['another form', forms('tablet'), forms('capsule'), true],
  ['a form that one leaves out', forms('tablet'), {}, false],
  ['one form of several in common', forms('capsule', 'powder'), forms('powder'), false],
  [
    'the same part of the body',
    { ...forms('drops'), ...routes('eye') },
    { ...forms('drops'), ...routes('eye') },
    false,
  ],
  ['one of two parts', { ...forms('drops'), ...routes('eye', 'ear') }, { ...forms('drops'), ...routes('eye') }, false],
  ['another part', { ...forms('drops'), ...routes('eye') }, { ...forms('drops'), ...routes('nose') }, true],
  ['a part that one leaves out', { ...forms('drops'), ...routes('eye') }, forms('drops'), true],
  ['a part that goes without saying', { ...forms('spray'), ...routes('nose') }, forms('spray'), false],
  ['a part that goes without saying, of a foam', { ...forms('foam'), ...routes('rectum') }, forms('foam'), false],
  ['a part and no form', routes('eye'), forms('drops'), false],
])('form: %s', (...each) => {
  expect(bothWays(dosageFormsDiffer, each)).toEqual([each[3], each[3]]);
});

test.each<Case>([
  ['the same', { releases: said('prolonged') }, { releases: said('prolonged') }, false],
  ['one that one leaves out', { releases: said('prolonged') }, {}, true],
  ['one that goes without saying', { releases: said('prolonged') }, { understood: said('prolonged') }, false],
  [
    'another than goes without saying',
    { releases: said('gastro-resistant'), understood: said('prolonged') },
    { understood: said('prolonged') },
    true,
  ],
])('release: %s', (...each) => {
  expect(bothWays(releasesDiffer, each)).toEqual([each[3], each[3]]);
});

test('a weight is the pack of what is spread, and else the strength', () => {
  const strengths = (one: string, other: string) => readPair(one, other).one.amounts.map(({ value }) => value);
  const packs = (one: string, other: string) =>
    readPair(one, other).one.packs.map(({ size, unit }) => `${size} ${unit}`);
  expect([
    strengths('Clobetasol 2 g', 'Clobetasol Creme 2 g'),
    packs('Clobetasol 2 g', 'Clobetasol Creme 2 g'),
  ]).toEqual([[], ['2 g']]);
  expect([strengths('Fosfomycin 3 g', 'Fosfomycin 3 g'), packs('Fosfomycin 3 g', 'Fosfomycin 3 g')]).toEqual([
    [3000],
    [],
  ]);
  expect(packs('Fosfomycin 3 g, 2 St', 'Fosfomycin 3 g, 2 St')).toEqual(['2 piece']);
  // A strength beside the pack stays one.
  expect(strengths('Hydrocortison Creme 5 mg', 'Hydrocortison Creme 5 mg')).toEqual([5]);
});

test('a number is a count where it cannot be a strength', () => {
  const numbers = (one: string, other: string) => {
    const { bare: left, packs } = readPair(one, other).one;
    return [left.flatMap(({ values }) => values), packs.map(({ count, size, unit }) => `${count} x ${size} ${unit}`)];
  };
  expect(numbers('Ramipril 20', 'Ramipril 20 St')).toEqual([[], ['1 x 20 piece']]);
  expect(numbers('Ramipril 20', 'Ramipril 20 St, 5 ml')).toEqual([[], ['1 x 20 piece']]);
  expect(numbers('Ramipril 20', 'Ramipril 20 ml')).toEqual([[20], []]);
  expect(numbers('Ramipril 20', 'Ramipril 50 St')).toEqual([[20], []]);
  expect(numbers('Ramipril 20', 'Ramipril 2 x 10 St')).toEqual([[], ['1 x 20 piece']]);
  expect(numbers('Ramipril 20 Tabletten', 'Ramipril')).toEqual([[], ['1 x 20 piece']]);
  expect(numbers('Ramipril 20', 'Ramipril 5 mg 20 St')).toEqual([[20], []]);
  expect(numbers('Ramipril 20 Tabletten', 'Ramipril 5 50 Tabletten')).toEqual([[20], []]);
});
