import fc from 'fast-check';
import { expect, test } from 'vitest';
import { differencesOf, isNameMismatch } from '../../src/order-requests/names/differences';
import { foldName } from '../../src/order-requests/names/tokens';
import { hostileNames } from '../support/hostile-names';
import { DANGEROUS } from './name-pairs/dangerous';
import { HARMLESS } from './name-pairs/harmless';

const LINE = { quantity: 1, priceCents: 495, productPriceCents: 495, prescriptionRequired: false, content: null };
/** What differs whichever of the two names was asked for. */
const SYMMETRIC = ['substance', 'strength', 'form', 'release', 'n_size', 'words'];

function compare(name: string, product: string) {
  return differencesOf({ name, quantity: 1, priceCents: 495 }, { ...LINE, name: product });
}

function codesOf(name: string, product: string, severity?: string): string[] {
  return compare(name, product)
    .filter((difference) => severity === undefined || difference.severity === severity)
    .map(({ code }) => code);
}

/** The parts of a name: each of two that differ is a difference of its own. */
const parts = fc.record({
  substance: fc.constantFrom(
    'Ibuprofen',
    'Metoprolol',
    'Metformin',
    'Aspirin',
    'Foomycin',
    'Kräutermix',
    'Vitamin B12',
  ),
  strength: fc.constantFrom('5 mg', '2,5 mg', '25 mg', '75 µg', '75 mg', '5 mg/ml', '100 I.E.', '5/25 mg'),
  form: fc.constantFrom(
    'Filmtabletten',
    'Brausetabletten',
    'Kapseln',
    'Salbe',
    'Zäpfchen',
    'Augentropfen',
    'Ohrentropfen',
  ),
  release: fc.constantFrom('', 'retard', 'magensaftresistent'),
  pack: fc.constantFrom('20 St', '50 St', '2 x 50 St', '10 ml', '30 g'),
  manufacturer: fc.constantFrom('', 'Hexal', 'AL', '- 1 A Pharma'),
});
type Parts = typeof parts extends fc.Arbitrary<infer Value> ? Value : never;

/** A name, with its parts in any order. */
function named(value: Parts, order: readonly (keyof Parts)[]): string {
  return order
    .map((part) => value[part])
    .filter((text) => text !== '')
    .join(' ');
}
const PARTS = ['substance', 'strength', 'form', 'release', 'pack', 'manufacturer'] as const;
const order = fc.shuffledSubarray([...PARTS], { minLength: PARTS.length });

/** Names in other spellings that mean the same. */
const respelled = fc.constantFrom<(name: string) => string>(
  (name) => name.toUpperCase(),
  (name) => name.toLowerCase(),
  (name) => name.replaceAll(' ', '  '),
  (name) => name.replaceAll(' ', '\u00a0'),
  (name) => `  ${name} `,
  (name) => name.normalize('NFD'),
  (name) => name.replaceAll('ä', 'ae').replaceAll('ü', 'ue').replaceAll('µ', '\u03bc'),
  (name) => name.replaceAll('ä', 'a').replaceAll('ü', 'u').replaceAll('µ', 'u'),
);

test('names of the same parts differ in nothing, whatever their order and spelling', () => {
  fc.assert(
    fc.property(parts, order, order, respelled, (value, one, other, respell) => {
      expect(compare(respell(named(value, one)), named(value, other))).toEqual([]);
    }),
  );
});

test('what must be acknowledged are the parts that differ', () => {
  const isOther = { substance: true, strength: true, form: true, release: true };
  fc.assert(
    fc.property(parts, parts, order, order, (a, b, one, other) => {
      const differing = Object.keys(isOther).filter((part) => a[part as keyof Parts] !== b[part as keyof Parts]);
      // The sentence about the substance names the strength too.
      const expected = differing.filter((part) => part !== 'strength' || !differing.includes('substance'));
      const found = codesOf(named(a, one), named(b, other), 'acknowledge');
      expect(found.filter((code) => code in isOther)).toEqual(expected);
    }),
  );
});

/** Names of every kind: the table's, parts, parts in a heap, any text. */
const names = fc.oneof(
  fc.constantFrom(...[...DANGEROUS, ...HARMLESS].flatMap(([, name, product]) => [name, product])),
  fc.tuple(parts, order).map(([value, sequence]) => named(value, sequence)),
  fc
    .array(
      fc.constantFrom(
        'Ibu',
        'comp',
        '5',
        '/',
        '-',
        'mg',
        '400',
        'x',
        'St',
        'retard',
        'D',
        '%',
        'ml',
        '22/1',
        'Cannabis',
      ),
    )
    .map((words) => words.join(' ')),
  fc.string({ unit: 'binary', maxLength: 250 }),
);

test('differences are the same the other way round', () => {
  fc.assert(
    fc.property(names, names, (one, other) => {
      const both = [codesOf(one, other), codesOf(other, one)].map((codes) =>
        codes.filter((code) => SYMMETRIC.includes(code)),
      );
      expect(both[0]).toEqual(both[1]);
    }),
  );
});

test('a name differs in nothing from itself', () => {
  fc.assert(
    fc.property(names, (name) => {
      expect(compare(name, name)).toEqual([]);
    }),
  );
});

test('a name that does not fit its product differs in substance or strength', () => {
  fc.assert(
    fc.property(names, names, (one, other) => {
      const codes = codesOf(one, other);
      const isDifferent = codes.includes('substance') || codes.includes('strength');
      if (isNameMismatch(one, other)) expect(isDifferent).toBe(true);
      if (codes.includes('substance')) expect(isNameMismatch(one, other)).toBe(true);
      expect(isNameMismatch(other, one)).toBe(isNameMismatch(one, other));
    }),
  );
});

test('underlined are parts of the names, in their order and without overlaps', () => {
  fc.assert(
    fc.property(names, names, (one, other) => {
      for (const { spans } of compare(one, other)) {
        for (const [name, places] of [
          [one, spans.asked],
          [other, spans.supplied],
        ] as const) {
          const offsets = places.flatMap(({ start, end }) => [start, end]);
          expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
          expect(places.every(({ start, end }) => start < end && start >= 0 && end <= name.length)).toBe(true);
        }
      }
    }),
  );
});

test('a name in one spelling knows where each of its letters comes from', () => {
  fc.assert(
    fc.property(names, (name) => {
      const { text, origins } = foldName(name);
      expect(origins).toHaveLength(text.length + 1);
      expect(origins).toEqual(origins.toSorted((a, b) => a - b));
      expect(origins.at(-1)).toBeLessThanOrEqual(name.length);
    }),
  );
});

test('lines with names as long as names may be are compared in a moment, whatever stands in them', () => {
  // What is exponential fails with the shorter names, instead of hanging with the longer ones.
  for (const characters of [60, 90, 200]) {
    for (const name of hostileNames(characters)) {
      const begin = process.cpuUsage();
      for (let line = 0; line < 10; line += 1) compare(name, `${name.slice(1)} 400 mg`);
      // Of the processor, which a busy machine gives to others.
      expect([name, Math.max(2e6, process.cpuUsage(begin).user)]).toEqual([name, 2e6]);
    }
  }
});
