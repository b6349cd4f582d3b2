import { expect, test } from 'vitest';
import { AMOUNTS_MAX, scanName } from '../../src/order-requests/names/scan';
import { spanIn } from '../../src/order-requests/names/tokens';

function amountsIn(name: string): string[] {
  return scanName(name).amounts.map(({ value, measure }) => `${value} ${measure}`);
}

function packsIn(name: string): string[] {
  return scanName(name).packs.map(({ count, size, unit }) => `${count} x ${size} ${unit}`);
}

function bareIn(name: string): number[][] {
  return scanName(name).bare.map(({ values }) => values);
}

test('a name gives its strength and its pack, and where they stand', () => {
  const name = 'Diclofenac AL 75 mg  Retardkapseln, 2 x 50 Stück N3';
  const { folded, amounts, packs, bare, isMaybePack, isCannabis } = scanName(name);
  expect(folded.text).toBe('diclofenac al 75 mg retardkapseln, 2 x 50 stuck n3');
  expect(amounts).toEqual([{ measure: 'mg', value: 75, written: 75, start: 14, end: 19 }]);
  expect(packs).toEqual([{ count: 2, size: 50, unit: 'piece', start: 35, end: 47 }]);
  expect({ bare, isMaybePack, isCannabis }).toEqual({ bare: [], isMaybePack: false, isCannabis: false });
  expect(packs.map((pack) => spanIn(folded, pack)).map(({ start, end }) => name.slice(start, end))).toEqual([
    '2 x 50 Stück',
  ]);
});

test('a name without any of them gives nothing', () => {
  expect(scanName('')).toEqual({
    folded: { name: '', text: '', origins: [0] },
    rest: [],
    amounts: [],
    packs: [],
    isMaybePack: false,
    bare: [],
    isCannabis: false,
  });
});

test.each([
  ['400mg', ['400 mg']],
  ['0,5 g/ml', ['500 mg/ml']],
  ['5/25 mg', ['5 mg', '25 mg']],
  ['875 mg/125 mg', ['875 mg', '125 mg']],
  ['5 + 10 mg', ['5 mg', '10 mg']],
  ['15 mg/5 ml', ['3 mg/ml']],
  ['15 mg je 5 ml', ['3 mg/ml']],
  ['5 mg pro ml', ['5 mg/ml']],
  ['5 g/l', ['5 mg/ml']],
  ['5 mg/lang', ['5 mg']],
  ['5 %', ['50 mg/ml']],
  ['5%ig', []],
  ['75 ug', ['0.075 mg']],
  ['1,5 Mio. I.E.', ['1500000 IU']],
  ['1,5 Mio IE', ['1500000 IU']],
  ['2 Mio', []],
  ['Ibuprofen400mg', ['400 mg']],
  ['Ibuprofen-400-mg', ['400 mg']],
  ['400 I. U.', ['400 IU']],
  ['400 IU', ['400 IU']],
  ['400 I.E./ml', ['400 IU/ml']],
  ['400 IE./ml', ['400 IU/ml']],
  ['400 a.e', []],
  ['400 i.x', []],
  ['400 i', []],
  ['400 IEX', []],
  ['400 E/ml', ['400 IU/ml']],
  ['400 E', []],
  ['100 Einheiten', ['100 IU']],
  ['40 mmol', ['40 mmol']],
  ['40 mg5', []],
  ['2 x 100 mg', ['100 mg']],
  ['2x100mg', ['100 mg']],
  ['ax100 mg', []],
  ['B12 mg', []],
  ['1.2.3 mg', []],
  ['1,2,3 mg', []],
  ['5-10 mg', ['10 mg']],
  ['B12/5 mg', ['5 mg']],
  ['1.000 mg', ['1000 mg']],
  ['1 000 mg', ['1000 mg']],
  ['1,000 mg', ['1000 mg']],
  ['100.000 mg', ['100000 mg']],
  ['1/000 mg', ['1 mg', '0 mg']],
  ['1,000.000 mg', []],
  ['0.000 mg', ['0 mg']],
  ["1'000 mg", ['1000 mg']],
  ['1.500 mg', ['1500 mg']],
  ['1.000.500 mg', ['1000500 mg']],
  ['1,500 mg', ['1.5 mg']],
  ['0.125 mg', ['0.125 mg']],
  ['1000.125 mg', ['1000.13 mg']],
  ['20 100 mg', ['100 mg']],
  ['12.1234 mg', ['12.1234 mg']],
  ['2 g', ['2000 mg']],
  ['5 g', []],
  ['2 g, 5 %', ['50 mg/ml']],
  ['Cannabis 22/1', ['22 thc', '1 cbd']],
  ['THC:CBD 22:<1', ['22 thc', '1 cbd']],
  ['CBD 0,5/18', ['0.5 thc', '18 cbd']],
  ['Cannabis 22/1/5', ['22 thc', '1 cbd']],
  ['Cannabis 22/1 18/2', ['18 thc', '2 cbd']],
  ['Cannabis 22/1, 18/2', ['22 thc', '1 cbd', '18 thc', '2 cbd']],
  ['Cannabis 22/1 5 g', ['22 thc', '1 cbd']],
  ['Cannabis 22/1 St', []],
  ['Cannabis 22/1 20 St', ['22 thc', '1 cbd']],
  ['Cannabis 22/1 5 g Aurora', ['22 thc', '1 cbd']],
  ['Cannabis 22/1 Aurora', []],
  ['22/1, Cannabis', ['22 thc', '1 cbd']],
  ['Cannabis 0/1', ['0 thc', '1 cbd']],
  ['Cannabis 22/1 %', ['220 mg/ml', '10 mg/ml']],
  ['Cannabis 22:1 %', ['10 mg/ml']],
  ['Cannabis 100/1', []],
  ['Cannabis 1/100', []],
  ['Cannabis A22/1', []],
  ['Cannabis 22-1', []],
  ['Ramipril 22/1', []],
])('"%s" contains %j', (name, amounts) => {
  expect(amountsIn(name)).toEqual(amounts);
});

test.each([
  ['20 St', ['1 x 20 piece']],
  ['20st.', ['1 x 20 piece']],
  ['400/20 Stk', ['1 x 20 piece']],
  ['3x10 Stck', ['3 x 10 piece']],
  ['2 x 3 x 5 ml', ['6 x 5 ml']],
  ['50 cl', ['1 x 500 ml']],
  ['1 l', ['1 x 1000 ml']],
  ['1,5 kg', ['1 x 1500 g']],
  ['10 x 5 g', ['10 x 5 g']],
  ['10 x 5 mg 20 g', ['1 x 20 g']],
  ['2 g', ['1 x 2 g']],
  ['200 Hübe', ['1 x 200 dose']],
  ['2 x 120 Dosen', ['2 x 120 dose']],
  ['120 Sprühstöße', ['1 x 120 dose']],
  ['3 Packungen', ['3 x 1 pack']],
  ['2 x 3 OP', ['6 x 1 pack']],
  ['2 x Ibuprofen', ['2 x 1 pack']],
  ['2 x', ['2 x 1 pack']],
  ['2xa', []],
  ['10 x 20 cm', []],
  ['20 Stunden', []],
  ['20 St5', []],
  ['2 x 3 x', ['6 x 1 pack']],
  ['2 x 3 x 5 mg 10 ml', ['1 x 10 ml']],
  ['N20 St', []],
])('"%s" is a pack of %j', (name, packs) => {
  expect(packsIn(name)).toEqual(packs);
});

test.each([
  ['Ibuprofen 400', [[400]]],
  ['Ibuprofen400', [[400]]],
  ['Ibuprofen-400', [[400]]],
  ['Ibuprofen 400a', []],
  ['Ibuprofen 400/20 St', [[400]]],
  ['Ibuprofen 20 St 400', [[400]]],
  ['Ibuprofen 400.', [[400]]],
  ['Ibuprofen 5.000.', [[5000]]],
  ['Ibuprofen 2 x 400 20', [[400], [20]]],
  ['Ibuprofen 400 mg', []],
  ['Ibuprofen 2 x 400', [[400]]],
  ['Ibuprofen 2x400', []],
  ['Ibuprofen 10 x 20 cm', []],
  ['Ibuprofen -400', []],
  ['Ibuprofen - 400', [[400]]],
  ['Ibuprofen 400-', [[400]]],
  ['Ibuprofen 1.000Tabl', []],
  ['Ibuprofen 1.2.3', [[1.2]]],
  ['Ramipril comp 5/25', [[5, 25]]],
  ['Ramipril comp 5 + 12,5', [[5, 12.5]]],
  ['Ramipril comp 5 / 25', [[5, 25]]],
  ['Ramipril 5 - 25', [[5], [25]]],
  ['Vitamin B12', []],
  ['Vitamin B-12', []],
  ['ab-12', []],
  ['abc-12', [[12]]],
  ['ab12', []],
  ['abc12', [[12]]],
  ['2 Ibuprofen 400', [[400]]],
  ['Ibuprofen 1 A Pharma 400', [[400]]],
  ['PZN 1234567 Ibuprofen', []],
  ['PZN: 1234567 Ibuprofen', []],
  ['Salz Nr. 7', []],
  ['Salz 7', [[7]]],
])('the numbers of "%s" without a unit are %j', (name, bare) => {
  expect(bareIn(name)).toEqual(bare);
});

test.each([
  ['Ibuprofen 400 mg 20 Tabletten', [], ['1 x 20 piece']],
  ['Ibuprofen 20 Tabletten 400 mg', [], ['1 x 20 piece']],
  ['Ibuprofen 400 mg 2 x 10 Tabletten', [], ['2 x 10 piece']],
  ['Ibuprofen 400 20 Tabletten', [[400]], ['1 x 20 piece']],
  ['Ibuprofen 400 Filmtabletten', [[400]], []],
  ['Ibuprofen 400 FTA 20 TAB', [[400]], ['1 x 20 piece']],
  ['Ibuprofen 400 mg 20 Salbe', [[20]], []],
  ['Ibuprofen 400 mg 20er', [], ['1 x 20 piece']],
  ['Quetiapin 50 er', [[50]], []],
])('what "%s" counts are the numbers %j and the packs %j', (name, bare, packs) => {
  expect(bareIn(name)).toEqual(bare);
  expect(packsIn(name)).toEqual(packs);
});

test('a number before a form, where nothing else says the strength, may be a count', () => {
  const [filmtabletten, alone] = ['Ibuprofen 400 Filmtabletten', 'Ibuprofen 400'].map((name) => scanName(name).bare[0]);
  expect([filmtabletten?.isMaybeCount, alone?.isMaybeCount]).toEqual([true, false]);
});

test('a small weight alone may be the strength or the pack', () => {
  expect(scanName('Aciclovir Creme 2 g').isMaybePack).toBe(true);
  expect(scanName('Aciclovir Creme 5 g').isMaybePack).toBe(false);
  expect(scanName('Aciclovir 5 % Creme 2 g').isMaybePack).toBe(false);
});

test('at most twenty amounts are taken from one name', () => {
  expect(AMOUNTS_MAX).toBe(20);
  expect(amountsIn('1 mg '.repeat(40))).toHaveLength(20);
  expect(amountsIn(`${'1/'.repeat(40)}1 mg`)).toHaveLength(20);
  expect(packsIn('9 g '.repeat(40))).toHaveLength(20);
  expect(amountsIn(`cannabis 22/1 mg ${'22/1,'.repeat(30)}`)).toHaveLength(20);
});

test('a name is scanned no further than the longest name, however long it is and whatever its letters stand for', () => {
  expect(bareIn('1/'.repeat(50_000))).toEqual([Array(99).fill(1)]);
  const { folded, rest } = scanName('\ufdfa'.repeat(200));
  expect(folded.text).toHaveLength(200);
  expect(rest.length).toBeLessThanOrEqual(100);
});
