import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PRODUCT_FIELDS } from '../../src/catalog/fields';
import type { Overrides, ProductValues } from '../../src/inventory/fields';
import {
  applyOverrides,
  changedFields,
  changedOverrides,
  resolve,
  resolveProduct,
} from '../../src/inventory/resolution';

const CATALOG: ProductValues = {
  name: 'Katalog',
  slug: 'katalog',
  description: 'Aus dem Katalog',
  category: 'A',
  priceCents: 1,
  thcPercent: 1,
  cbdPercent: 1,
  prescriptionRequired: true,
};

/** What the three layers say, and what holds. */
const CASES: [string, ProductValues, ProductValues, Overrides, string, unknown, string][] = [
  ['the catalogue alone', { priceCents: 1 }, {}, {}, 'priceCents', 1, 'catalog'],
  ['the organization over the catalogue', { priceCents: 1 }, { priceCents: 2 }, {}, 'priceCents', 2, 'organization'],
  ['the shop over both', { priceCents: 1 }, { priceCents: 2 }, { priceCents: 3 }, 'priceCents', 3, 'shop'],
  ['the shop over the catalogue', { priceCents: 1 }, {}, { priceCents: 3 }, 'priceCents', 3, 'shop'],
  ['null inherits: shop', { priceCents: 1 }, { priceCents: 2 }, { priceCents: null }, 'priceCents', 2, 'organization'],
  ['null inherits: organization', { priceCents: 1 }, { priceCents: null }, {}, 'priceCents', 1, 'catalog'],
  ['0 is a value', { priceCents: 1 }, { priceCents: 0 }, {}, 'priceCents', 0, 'organization'],
  ['0 in the shop is a value', { priceCents: 1 }, {}, { priceCents: 0 }, 'priceCents', 0, 'shop'],
  [
    'false is a value',
    { prescriptionRequired: true },
    { prescriptionRequired: false },
    {},
    'prescriptionRequired',
    false,
    'organization',
  ],
  ['an empty text is a value', { description: 'x' }, { description: '' }, {}, 'description', '', 'organization'],
  ['nobody says', {}, {}, {}, 'thcPercent', null, 'default'],
  ['availability by default', {}, {}, {}, 'available', true, 'default'],
  ['pickup by default', {}, {}, {}, 'availableForPickup', true, 'default'],
  ['shipping by default', {}, {}, {}, 'availableForShipping', true, 'default'],
  ['false over a default', {}, { available: false }, {}, 'available', false, 'organization'],
  ['the shop’s true over false', {}, { available: false }, { available: true }, 'available', true, 'shop'],
  ['a shop’s slug is nothing', { slug: 'a' }, {}, { slug: 'b' } as Overrides, 'slug', 'a', 'catalog'],
];

test.each(CASES)('resolution: %s', (_, catalog, organization, shop, field, value, source) => {
  const { values, sources } = resolveProduct({ catalog, organization, shop });
  expect((values as Record<string, unknown>)[field]).toEqual(value);
  expect((sources as Record<string, unknown>)[field]).toBe(source);
});

test.each([
  [1, true, 'shop'],
  [0, false, 'shop'],
  [null, true, 'default'],
])('a flag stored as %j is %j, of the %s', (stored, value, source) => {
  const places = [{ field: 'available', name: 'shop_available', isStoredFlag: true }] as const;
  const { values, sources } = resolve([[{ shop_available: stored }, places, 'shop']]);
  expect(values.available).toBe(value);
  expect(sources.available).toBe(source);
});

test('every field has a value and a source, in one order', () => {
  const { values, sources } = resolveProduct({ catalog: CATALOG, organization: {}, shop: {} });
  expect(Object.keys(values)).toEqual(PRODUCT_FIELDS);
  expect(Object.keys(sources)).toEqual(PRODUCT_FIELDS);
});

test('each field is resolved by itself', () => {
  const { values, sources } = resolveProduct({
    catalog: CATALOG,
    organization: { name: 'Apotheke', available: false },
    shop: { priceCents: 3 },
  });
  expect(values).toMatchObject({ name: 'Apotheke', priceCents: 3, category: 'A', available: false });
  expect(sources).toMatchObject({
    name: 'organization',
    priceCents: 'shop',
    category: 'catalog',
    available: 'organization',
  });
});

test.each<[string, Overrides, Overrides, 'merge' | 'replace', Overrides]>([
  ['merge adds', { priceCents: 1 }, { name: 'a' }, 'merge', { priceCents: 1, name: 'a' }],
  ['merge changes', { priceCents: 1 }, { priceCents: 2 }, 'merge', { priceCents: 2 }],
  ['merge with null removes', { priceCents: 1, name: 'a' }, { priceCents: null }, 'merge', { name: 'a' }],
  ['null removes what is not there', { name: 'a' }, { priceCents: null }, 'merge', { name: 'a' }],
  ['merge of nothing leaves all', { priceCents: 1 }, {}, 'merge', { priceCents: 1 }],
  ['replace forgets', { priceCents: 1 }, { name: 'a' }, 'replace', { name: 'a' }],
  ['replace with nothing empties', { priceCents: 1 }, {}, 'replace', {}],
  ['replace drops nulls', { priceCents: 1 }, { name: 'a', priceCents: null }, 'replace', { name: 'a' }],
  [
    '0, false and empty texts stay',
    {},
    { priceCents: 0, available: false, description: '' },
    'merge',
    { priceCents: 0, available: false, description: '' },
  ],
])('overrides: %s', (_, current, change, mode, after) => {
  const before = structuredClone(current);
  expect(applyOverrides(current, change, mode)).toEqual(after);
  expect(current).toEqual(before);
});

test.each<[string, ProductValues, ProductValues, string[]]>([
  ['nothing sent', { priceCents: 1 }, {}, []],
  ['the same', { priceCents: 1 }, { priceCents: 1 }, []],
  ['another', { priceCents: 1 }, { priceCents: 2 }, ['priceCents']],
  ['cleared', { priceCents: 1 }, { priceCents: null }, ['priceCents']],
  ['cleared what was never set', {}, { priceCents: null }, []],
  ['set to false', {}, { available: false }, ['available']],
  ['several, in the order of answers', {}, { priceCents: 1, name: 'a' }, ['name', 'priceCents']],
])('changed fields: %s', (_, before, after, changed) => {
  expect(changedFields(before, after)).toEqual(changed);
});

const overrides = fc.record(
  {
    name: fc.option(fc.constantFrom('a', 'b')),
    priceCents: fc.option(fc.constantFrom(0, 1, 2)),
    available: fc.option(fc.boolean()),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Overrides>;

test('a write of overrides is idempotent, holds no null, and shows what was sent', () => {
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

test('a merge goes into the metadata and removes by null, a replacement keeps nothing', () => {
  const current: Overrides = { priceCents: 3, metadata: { rows: 2, color: 'green' } };
  const change: Overrides = { metadata: { color: null, size: 'L' } };
  expect(applyOverrides(current, change, 'merge')).toEqual({ priceCents: 3, metadata: { rows: 2, size: 'L' } });
  expect(applyOverrides(current, change, 'replace')).toEqual({ metadata: { size: 'L' } });
});

test('the overrides that changed are named as on the wire, also those that went', () => {
  const metadata = { rows: 2 };
  expect(changedOverrides({ priceCents: 3, metadata }, { metadata: { rows: 2 } })).toEqual(['price']);
  expect(changedOverrides({ metadata }, { name: 'Salbe' })).toEqual(['name', 'metadata']);
  expect(changedOverrides({ name: 'Salbe' }, { name: 'Salbe' })).toEqual([]);
});
