import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Overrides, ProductValues } from '../../src/inventory/fields';
import { PRODUCT_FIELDS } from '../../src/inventory/fields';
import { applyOverrides, changedFields, resolveProduct } from '../../src/inventory/resolution';

const CATALOG: ProductValues = {
  name: 'Katalog',
  slug: 'katalog',
  description: 'Aus dem Katalog',
  category: 'A',
  price: 1,
  thc_percent: 1,
  cbd_percent: 1,
  prescription_required: true,
};

/** What the three layers say, and what holds. */
const CASES: [string, ProductValues, ProductValues, Overrides, string, unknown, string][] = [
  ['the catalogue alone', { price: 1 }, {}, {}, 'price', 1, 'catalog'],
  ['the organization over the catalogue', { price: 1 }, { price: 2 }, {}, 'price', 2, 'organization'],
  ['the shop over both', { price: 1 }, { price: 2 }, { price: 3 }, 'price', 3, 'shop'],
  ['the shop over the catalogue', { price: 1 }, {}, { price: 3 }, 'price', 3, 'shop'],
  ['null inherits: shop', { price: 1 }, { price: 2 }, { price: null }, 'price', 2, 'organization'],
  ['null inherits: organization', { price: 1 }, { price: null }, {}, 'price', 1, 'catalog'],
  ['0 is a value', { price: 1 }, { price: 0 }, {}, 'price', 0, 'organization'],
  ['0 in the shop is a value', { price: 1 }, {}, { price: 0 }, 'price', 0, 'shop'],
  [
    'false is a value',
    { prescription_required: true },
    { prescription_required: false },
    {},
    'prescription_required',
    false,
    'organization',
  ],
  ['an empty text is a value', { description: 'x' }, { description: '' }, {}, 'description', '', 'organization'],
  ['nobody says', {}, {}, {}, 'thc_percent', null, 'default'],
  ['availability by default', {}, {}, {}, 'available', true, 'default'],
  ['pickup by default', {}, {}, {}, 'available_for_pickup', true, 'default'],
  ['shipping by default', {}, {}, {}, 'available_for_shipping', true, 'default'],
  ['false over a default', {}, { available: false }, {}, 'available', false, 'organization'],
  ['the shop’s true over false', {}, { available: false }, { available: true }, 'available', true, 'shop'],
  ['a shop’s slug is nothing', { slug: 'a' }, {}, { slug: 'b' } as Overrides, 'slug', 'a', 'catalog'],
];

it.each(CASES)('resolution: %s', (_, catalog, organization, shop, field, value, source) => {
  const { values, sources } = resolveProduct({ catalog, organization, shop });
  expect((values as Record<string, unknown>)[field]).toEqual(value);
  expect((sources as Record<string, unknown>)[field]).toBe(source);
});

it('every field has a value and a source, in one order', () => {
  const { values, sources } = resolveProduct({ catalog: CATALOG, organization: {}, shop: {} });
  expect(Object.keys(values)).toEqual(PRODUCT_FIELDS);
  expect(Object.keys(sources)).toEqual(PRODUCT_FIELDS);
});

it('each field is resolved by itself', () => {
  const { values, sources } = resolveProduct({
    catalog: CATALOG,
    organization: { name: 'Apotheke', available: false },
    shop: { price: 3 },
  });
  expect(values).toMatchObject({ name: 'Apotheke', price: 3, category: 'A', available: false });
  expect(sources).toMatchObject({
    name: 'organization',
    price: 'shop',
    category: 'catalog',
    available: 'organization',
  });
});

it.each<[string, Overrides, Overrides, 'merge' | 'replace', Overrides]>([
  ['merge adds', { price: 1 }, { name: 'a' }, 'merge', { price: 1, name: 'a' }],
  ['merge changes', { price: 1 }, { price: 2 }, 'merge', { price: 2 }],
  ['merge with null removes', { price: 1, name: 'a' }, { price: null }, 'merge', { name: 'a' }],
  ['null removes what is not there', { name: 'a' }, { price: null }, 'merge', { name: 'a' }],
  ['merge of nothing leaves all', { price: 1 }, {}, 'merge', { price: 1 }],
  ['replace forgets', { price: 1 }, { name: 'a' }, 'replace', { name: 'a' }],
  ['replace with nothing empties', { price: 1 }, {}, 'replace', {}],
  ['replace drops nulls', { price: 1 }, { name: 'a', price: null }, 'replace', { name: 'a' }],
  [
    '0, false and empty texts stay',
    {},
    { price: 0, available: false, description: '' },
    'merge',
    { price: 0, available: false, description: '' },
  ],
])('overrides: %s', (_, current, change, mode, after) => {
  const before = structuredClone(current);
  expect(applyOverrides(current, change, mode)).toEqual(after);
  expect(current).toEqual(before);
});

it.each<[string, ProductValues, ProductValues, string[]]>([
  ['nothing sent', { price: 1 }, {}, []],
  ['the same', { price: 1 }, { price: 1 }, []],
  ['another', { price: 1 }, { price: 2 }, ['price']],
  ['cleared', { price: 1 }, { price: null }, ['price']],
  ['cleared what was never set', {}, { price: null }, []],
  ['set to false', {}, { available: false }, ['available']],
  ['several, in the order of answers', {}, { price: 1, name: 'a' }, ['name', 'price']],
])('changed fields: %s', (_, before, after, changed) => {
  expect(changedFields(before, after)).toEqual(changed);
});

const overrides = fc.record(
  {
    name: fc.option(fc.constantFrom('a', 'b')),
    price: fc.option(fc.constantFrom(0, 1, 2)),
    available: fc.option(fc.boolean()),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Overrides>;

it('a write of overrides is idempotent, holds no null, and shows what was sent', () => {
  fc.assert(
    fc.property(
      overrides,
      overrides,
      fc.constantFrom('merge' as const, 'replace' as const),
      (current, change, mode) => {
        const start = applyOverrides({}, current, 'replace');
        const after = applyOverrides(start, change, mode);
        expect(applyOverrides(after, change, mode)).toEqual(after);
        expect(Object.values(after)).not.toContain(null);
        for (const [key, value] of Object.entries(change)) {
          expect((after as Record<string, unknown>)[key] ?? null).toEqual(value);
        }
      },
    ),
  );
});
