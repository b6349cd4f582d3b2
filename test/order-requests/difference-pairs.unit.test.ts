import { expect, test } from 'vitest';
import { differencesOf } from '../../src/order-requests/names/differences';
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
