import { expect, test } from 'vitest';
import {
  type AskedItem,
  acknowledgementKey,
  type Difference,
  differencesOf,
  type SuppliedLine,
} from '../../src/order-requests/names/differences';
import { needsAcknowledgement } from './name-pairs/pair';

const NAME = 'Ibuprofen 400 mg Filmtabletten, 20 St';

function asked(fields: Partial<AskedItem> = {}): AskedItem {
  return { name: NAME, quantity: 1, priceCents: 495, ...fields };
}

function supplied(fields: Partial<SuppliedLine> = {}): SuppliedLine {
  const line = { name: NAME, quantity: 1, priceCents: 495, productPriceCents: 495 };
  return { ...line, prescriptionRequired: false, content: null, ...fields };
}

function differencesOfNames(name: string, product: string): Difference[] {
  return differencesOf(asked({ name }), supplied({ name: product }));
}

/** The names with what is underlined in brackets. */
function marked(name: string, product: string, code: string): string[] {
  const found = differencesOfNames(name, product).find((difference) => difference.code === code);
  if (!found) return [];
  const mark = (text: string, spans: Difference['spans']['asked']) =>
    spans.toReversed().reduce((rest, { start, end }) => {
      return `${rest.slice(0, start)}[${rest.slice(start, end)}]${rest.slice(end)}`;
    }, text);
  return [mark(name, found.spans.asked), mark(product, found.spans.supplied)];
}

test('a line that is supplied as it was asked for differs in nothing', () => {
  expect(differencesOf(asked(), supplied())).toEqual([]);
  expect(differencesOf(asked({ quantity: 5 }), supplied({ quantity: 5 }))).toEqual([]);
});

test('a line of which nothing is known that was asked is compared with its product alone', () => {
  const nothing: AskedItem = { name: null, quantity: null, priceCents: null };
  expect(differencesOf(nothing, supplied({ prescriptionRequired: true }))).toEqual([]);
  const much = differencesOf(nothing, supplied({ quantity: 11, priceCents: 29_500 }));
  expect(much.map(({ code, values }) => [code, ...values])).toEqual([
    ['quantity', null, 11],
    ['price', 29_500, 495],
  ]);
});

test('an item without a name has no differences of names', () => {
  expect(differencesOf(asked({ name: null }), supplied())).toEqual([]);
  expect(differencesOf(asked({ name: '' }), supplied()).map(({ code }) => code)).toEqual(['substance']);
});

test('differences are told in one order: the names, the amount, the price, and last what is only marked', () => {
  const name = 'Metoprolol Hexal akut 50 mg Tabletten, 100 St N3';
  const found = differencesOf(
    asked({ name, priceCents: 100 }),
    supplied({
      name: 'Metformin AL 500 mg Retardkapseln, 20 St N1',
      quantity: 6,
      priceCents: 900,
      prescriptionRequired: true,
    }),
  );
  expect(found.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
    'acknowledge substance',
    'acknowledge form',
    'acknowledge release',
    'acknowledge total_amount',
    'acknowledge quantity',
    'acknowledge price',
    'told sent_price',
    'marked manufacturer',
    'marked words',
    'marked n_size',
  ]);
});

test.each<[string, string, string, (string | null)[], string[]]>([
  [
    'substance',
    'Ibuprofen 400 mg Filmtabletten',
    'Cetirizin Hexal 10 mg Filmtabletten',
    ['Ibuprofen 400 mg', 'Cetirizin 10 mg'],
    ['[Ibuprofen 400 mg] Filmtabletten', '[Cetirizin] Hexal [10 mg] Filmtabletten'],
  ],
  [
    'substance',
    'Ibuprofen 400 mg',
    'Aciclovir 400 mg',
    ['Ibuprofen 400 mg', 'Aciclovir 400 mg'],
    ['[Ibuprofen] 400 mg', '[Aciclovir] 400 mg'],
  ],
  [
    'substance',
    'Ramipril 5 mg',
    'Ramipril comp 5 mg/25 mg',
    ['Ramipril 5 mg', 'Ramipril comp 5 mg/25 mg'],
    ['Ramipril [5 mg]', 'Ramipril [comp 5 mg/25 mg]'],
  ],
  [
    'substance',
    'Valsartan/HCT 80/12,5 mg',
    'Valsartan/Amlodipin 80/12,5 mg',
    ['Valsartan/HCT 80/12,5 mg', 'Valsartan/Amlodipin 80/12,5 mg'],
    ['Valsartan/[HCT] 80/12,5 mg', 'Valsartan/[Amlodipin] 80/12,5 mg'],
  ],
  [
    'substance',
    'Metoprolol-succinat 95 mg',
    'Metoprolol-tartrat 95 mg',
    ['Metoprolol-succinat 95 mg', 'Metoprolol-tartrat 95 mg'],
    ['Metoprolol-[succinat] 95 mg', 'Metoprolol-[tartrat] 95 mg'],
  ],
  [
    'substance',
    'Ramipril comp 5',
    'Valsartan comp 5',
    ['Ramipril comp 5', 'Valsartan comp 5'],
    ['[Ramipril] comp 5', '[Valsartan] comp 5'],
  ],
  [
    'substance',
    'Diclofenac-Natrium',
    'Ibuprofen',
    ['Diclofenac-Natrium', 'Ibuprofen'],
    ['[Diclofenac]-Natrium', '[Ibuprofen]'],
  ],
  [
    'substance',
    'Aurora Delahaze 22/1 Cannabis',
    'Aurora Haze 22/1 Cannabis',
    ['Aurora Delahaze 22/1', 'Aurora Haze 22/1'],
    ['Aurora [Delahaze] 22/1 Cannabis', 'Aurora [Haze] 22/1 Cannabis'],
  ],
  ['substance', '400 mg', 'Ibuprofen 400 mg', ['400 mg', 'Ibuprofen 400 mg'], ['400 mg', '[Ibuprofen] 400 mg']],
  ['substance', 'Tabletten', 'Ibuprofen', [null, 'Ibuprofen'], ['Tabletten', '[Ibuprofen]']],
  ['strength', 'Ibu 400 AL', 'Ibuprofen 600 mg', ['400', '600 mg'], ['Ibu [400] AL', 'Ibuprofen [600 mg]']],
  ['strength', 'Ibuprofen', 'Ibuprofen 600 mg', [null, '600 mg'], ['Ibuprofen', 'Ibuprofen [600 mg]']],
  [
    'strength',
    'Candesartan comp 16/12,5',
    'Candesartan comp 16 mg/25 mg',
    ['16/12,5', '16 mg/25 mg'],
    ['Candesartan comp [16/12,5]', 'Candesartan comp [16 mg/25 mg]'],
  ],
  ['strength', 'Arnica D6', 'Arnica D12', ['D6', 'D12'], ['Arnica [D6]', 'Arnica [D12]']],
  ['strength', 'Soledum', 'Soledum forte', [null, 'forte'], ['Soledum', 'Soledum [forte]']],
  [
    'strength',
    'Aurora THC 18 % CBD 1 % Cannabis',
    'Aurora 22/1 Cannabis',
    ['18 % 1 %', '22/1'],
    ['Aurora THC [18 %] CBD [1 %] Cannabis', 'Aurora [22/1] Cannabis'],
  ],
  ['form', 'Ibu Saft', 'Ibu Tabletten', ['Saft', 'Tabletten'], ['Ibu [Saft]', 'Ibu [Tabletten]']],
  [
    'form',
    'Bepanthen Augen- und Nasensalbe',
    'Bepanthen Heilsalbe',
    ['Augen Nasensalbe', 'Heilsalbe'],
    ['Bepanthen [Augen]- und [Nasensalbe]', 'Bepanthen [Heilsalbe]'],
  ],
  ['release', 'Metoprolol', 'Metoprolol RET', [null, 'RET'], ['Metoprolol', 'Metoprolol [RET]']],
  [
    'release',
    'Metoprololsuccinat 95 mg',
    'Metoprolol 95 mg',
    ['Metoprololsuccinat', null],
    ['[Metoprololsuccinat] 95 mg', 'Metoprolol 95 mg'],
  ],
  ['manufacturer', 'Ibu Heumann', 'Ibu AL', ['Heumann', 'AL'], ['Ibu [Heumann]', 'Ibu [AL]']],
  ['manufacturer', 'Ibu Heumann', 'Ibu', ['Heumann', null], ['Ibu [Heumann]', 'Ibu']],
  ['words', 'ACC akut Hustenlöser', 'ACC akut', ['Hustenlöser', null], ['ACC akut [Hustenlöser]', 'ACC akut']],
  ['words', 'Ibu 400 forte', 'Ibu 400 mg', ['forte', null], ['Ibu 400 [forte]', 'Ibu 400 mg']],
  ['words', 'Ibu', 'Ibu neu', [null, 'neu'], ['Ibu', 'Ibu [neu]']],
  ['n_size', 'Ibu N2', 'Ibu N3', ['N2', 'N3'], ['Ibu [N2]', 'Ibu [N3]']],
])('%s: "%s" against "%s" names and underlines the words', (code, name, product, values, underlined) => {
  const found = differencesOfNames(name, product).find((difference) => difference.code === code);
  expect(found?.values).toEqual(values);
  expect(marked(name, product, code)).toEqual(underlined);
});

test.each([
  ['words', 'Ibuprofen 400 mg', 'Ibuprofen AL 400 mg Filmtabletten, 20 St N1'],
  ['manufacturer', 'Ibuprofen', 'Ibuprofen AL'],
  ['manufacturer', 'Ibuprofen AL', 'Ibuprofen AL Hexal'],
  ['n_size', 'Ibuprofen N1', 'Ibuprofen'],
  ['n_size', 'Ibuprofen', 'Ibuprofen N1'],
  ['n_size', 'Ibuprofen N1', 'Ibuprofen AL N1'],
  ['words', 'Foomycin', 'Barmycin'],
  ['words', 'Soledum', 'Soledum forte'],
  ['strength', 'Ibuprofen 400 mg', 'Cetirizin 10 mg'],
  ['release', 'Metoprololsuccinat 95 mg', 'Metoprololtartrat 95 mg'],
  ['release', 'Pantoprazol', 'Ibuprofen'],
])('no %s: "%s" against "%s"', (code, name, product) => {
  expect(differencesOfNames(name, product).map((difference) => difference.code)).not.toContain(code);
});

test.each([
  ['substance', 'Metoprololsuccinat 95 mg RET', 'Metoprololtartrat 95 mg', 'release'],
  ['substance', 'Pantoprazol', 'Ibuprofen retard', 'release'],
  ['substance', 'Ibuprofen Foomycin', 'Cetirizin', 'words'],
])('%s beside what else the names say: "%s" against "%s", %s', (code, name, product, beside) => {
  const codes = differencesOfNames(name, product).map((difference) => difference.code);
  expect(codes).toEqual(expect.arrayContaining([code, beside]));
});

test('names that are longer than names may be, or in two code points, are underlined where the words stand', () => {
  expect(marked('A\u0308thanol-Sa\u0308ure  4\u200b00 mg', 'Äthanol-Säure 600 mg', 'strength')).toEqual([
    'A\u0308thanol-Sa\u0308ure  [4\u200b00 mg]',
    'Äthanol-Säure [600 mg]',
  ]);
  const long = `Ibuprofen ${'x'.repeat(300)} 400 mg`;
  expect(marked(long, 'Foomycin', 'substance')).toEqual([`[Ibuprofen] ${'x'.repeat(300)} 400 mg`, '[Foomycin]']);
});

test.each<[string, Partial<AskedItem>, Partial<SuppliedLine>, (string | number)[][]]>([
  ['the product’s', {}, {}, []],
  ['10 % off', {}, { priceCents: 1100, productPriceCents: 1000 }, []],
  ['more than 10 % off, yet 1 €', {}, { priceCents: 595 }, []],
  ['more than both', {}, { priceCents: 596 }, [['acknowledge', 'price', 596, 495]]],
  ['far less', {}, { priceCents: 0 }, [['acknowledge', 'price', 0, 495]]],
  ['sent, and not taken', { priceCents: 50 }, {}, []],
  ['sent and taken', { priceCents: 50 }, { priceCents: 50 }, [['acknowledge', 'price', 50, 495]]],
  ['of a prescription', {}, { prescriptionRequired: true }, []],
  ['sent for a prescription', { priceCents: 500 }, { prescriptionRequired: true }, [['told', 'sent_price', 500, 495]]],
  [
    'sent for a prescription, and taken',
    { priceCents: 1000 },
    { prescriptionRequired: true, priceCents: 1000 },
    [['told', 'sent_price', 1000, 495]],
  ],
  [
    'typed for a prescription',
    { priceCents: 495 },
    { prescriptionRequired: true, priceCents: 49_500 },
    [['acknowledge', 'price', 49_500, 495]],
  ],
  ['not sent for a prescription', { priceCents: null }, { prescriptionRequired: true }, []],
])('a price %s', (_, item, line, found) => {
  const differences = differencesOf(asked(item), supplied(line));
  expect(differences.map(({ severity, code, values }) => [severity, code, ...values])).toEqual(found);
});

test('an acknowledgement counts for one difference of one line, with its two values', () => {
  const differenceOf = (product: string, quantity = 1) =>
    differencesOf(asked(), supplied({ name: product, quantity }))[0] as Difference;
  const cetirizin = differenceOf('Cetirizin 10 mg Filmtabletten, 20 St');
  const key = acknowledgementKey(3, cetirizin);
  expect(key).toBe('[3,`substance`,`Ibuprofen 400 mg`,`Cetirizin 10 mg`]');
  expect(acknowledgementKey(3, differenceOf('Cetirizin Hexal 10 mg Filmtabletten, 20 St'))).toBe(key);
  const others = [
    acknowledgementKey(2, cetirizin),
    acknowledgementKey('3', cetirizin),
    acknowledgementKey(3, differenceOf('Cetirizin 20 mg Filmtabletten, 20 St')),
    acknowledgementKey(3, differenceOf('Loratadin 10 mg Filmtabletten, 20 St')),
    acknowledgementKey(3, differenceOf('Ibuprofen 600 mg Filmtabletten, 20 St')),
    acknowledgementKey(3, differenceOf('Ibuprofen 400 mg Filmtabletten, 50 St')),
    acknowledgementKey(3, differenceOf('Ibuprofen 400 mg Filmtabletten, 50 St', 2)),
    acknowledgementKey(3, differenceOf('Ibuprofen 400 mg Filmtabletten, 20 ml', 6)),
    acknowledgementKey(3, differenceOf('Ibuprofen 400 mg Filmtabletten, 20 ml', 7)),
  ];
  expect(new Set([key, ...others]).size).toBe(1 + others.length);
});

test('what is only marked or told needs no acknowledgement', () => {
  expect(needsAcknowledgement([])).toBe(false);
  expect(needsAcknowledgement(differencesOfNames('Ibu Heumann neu N1', 'Ibu AL N2'))).toBe(false);
  expect(needsAcknowledgement(differencesOf(asked({ priceCents: 1 }), supplied({ prescriptionRequired: true })))).toBe(
    false,
  );
  expect(needsAcknowledgement(differencesOfNames('Ibu Heumann neu', 'Ibu AL retard'))).toBe(true);
});

test('names that differ in capitals alone differ in nothing, even if they name nothing', () => {
  expect(differencesOfNames('12 St', '12 ST')).toEqual([]);
});

test('of another substance the release differs where both names say one', () => {
  const codes = differencesOfNames(
    'Tramadol 100 mg Retardtabletten',
    'Diclofenac 100 mg magensaftresistente Tabletten',
  );
  expect(codes.map(({ code }) => code)).toEqual(['substance', 'release']);
});
