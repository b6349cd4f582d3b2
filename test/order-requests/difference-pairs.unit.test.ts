import { expect, test } from 'vitest';
import { differencesOf, isNameMismatch } from '../../src/order-requests/names/differences';
import { DANGEROUS } from './name-pairs/dangerous';
import { HARMLESS } from './name-pairs/harmless';
import { needsAcknowledgement, type Pair } from './name-pairs/pair';

/** Of so many harmless pairs, one may cost a tick. */
const HARMLESS_FOR_EACH_FALSE_ALARM = 20;

function differencesOfPair([, name, product, quantity = 1, supplied = 1]: Pair) {
  const line = {
    quantity: supplied,
    priceCents: 1000,
    productPriceCents: 1000,
    prescriptionRequired: false,
    content: null,
  };
  return differencesOf({ name, quantity, priceCents: 1000 }, { ...line, name: product });
}

test('the table has 200 pairs and more, each of them once', () => {
  const pairs = [...DANGEROUS, ...HARMLESS].map(([, ...pair]) => JSON.stringify(pair));
  expect(pairs.length).toBeGreaterThanOrEqual(200);
  expect(new Set(pairs).size).toBe(pairs.length);
});

test('every dangerous pair must be acknowledged, for the reason that it is dangerous for', () => {
  const unseen = DANGEROUS.filter((pair) => {
    const found = differencesOfPair(pair);
    return !needsAcknowledgement(found) || !found.some(({ code }) => code === pair[0]);
  });
  expect(unseen.map((pair) => [...pair, differencesOfPair(pair).map(({ code }) => code)])).toEqual([]);
});

test('at most one harmless pair in twenty must be acknowledged', () => {
  const alarms = HARMLESS.filter((pair) => needsAcknowledgement(differencesOfPair(pair)));
  const told = alarms.map((pair) => [...pair, differencesOfPair(pair).map(({ code }) => code)]);
  expect([told.length <= HARMLESS.length / HARMLESS_FOR_EACH_FALSE_ALARM, told]).toEqual([true, told]);
});

test('a platform is told of a name whose substance is another one, whichever name it sent', () => {
  const others = DANGEROUS.filter(([code]) => code === 'substance');
  expect(
    others.filter(([, name, product]) => !isNameMismatch(name, product) || !isNameMismatch(product, name)),
  ).toEqual([]);
});

test.each([
  ['another strength', 'Ibuprofen 400 mg', 'Ibuprofen 600 mg', true],
  ['another strength without its unit', 'Ibuprofen 400', 'Ibuprofen 600 mg Filmtabletten, 20 St', true],
  ['half a gram', 'Metamizol 0,5 g', 'Metamizol 1000 mg', true],
  ['no strength sent', 'Ibuprofen', 'Ibuprofen 400 mg Filmtabletten, 20 St', false],
  ['bare numbers on both sides', 'Ibuprofen 400', 'Ibuprofen 600', false],
  ['other packs', 'Ibuprofen 400 mg, 20 St', 'Ibuprofen 400 mg, 2 x 50 Stück', false],
  ['another form', 'Gel Diclofenac 10 mg/g', 'Diclofenac 10 mg/g Salbe, 60 g', false],
  ['a difference in the seventh digit', 'Heparin 1234567 IE', 'Heparin 1234568 IE', false],
  ['names that differ in capitals alone, though they name nothing', '12 St', '12 ST', false],
  ['other names that name nothing', '12 St', '13 ST', true],
])('%s: "%s" for "%s" is a mismatch: %j', (_, submitted, product, isMismatch) => {
  expect(isNameMismatch(submitted, product)).toBe(isMismatch);
  expect(isNameMismatch(product, submitted)).toBe(isMismatch);
});
