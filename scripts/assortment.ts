import { pznCheckDigit } from '../src/codes/numbers.ts';
import type { Api } from './api.ts';

/** A medicine. `price` (EUR) is the price of its first form in its first pack size. */
type Medicine = [
  name: string,
  category: string,
  forms: string[],
  packs: string[],
  price: number,
  needsPrescription?: boolean,
];

/** Substances with strengths, pack sizes and prices, from which the demo's catalog is generated. */
const MEDICINES: Medicine[] = [
  ['Ibuprofen', 'Schmerzmittel', ['400 mg Filmtabletten', '600 mg Filmtabletten'], ['20 St', '50 St'], 4.95],
  ['Paracetamol', 'Schmerzmittel', ['500 mg Tabletten', '1000 mg Zäpfchen'], ['10 St', '20 St'], 2.95],
  ['Acetylsalicylsäure', 'Schmerzmittel', ['500 mg Tabletten', '100 mg Tabletten'], ['20 St', '100 St'], 3.45],
  ['Diclofenac', 'Schmerzmittel', ['10 mg/g Gel', '25 mg Kapseln'], ['60 g', '100 g'], 8.95],
  ['Xylometazolin', 'Erkältung', ['0,1 % Nasenspray', '0,05 % Nasenspray'], ['10 ml', '15 ml'], 3.25],
  ['Ambroxol', 'Erkältung', ['30 mg Tabletten', '15 mg/5 ml Saft'], ['20 St', '100 ml'], 5.45],
  ['Acetylcystein', 'Erkältung', ['600 mg Brausetabletten', '200 mg Brausetabletten'], ['10 St', '20 St'], 6.95],
  ['Dexpanthenol', 'Haut', ['5 % Salbe', '5 % Augensalbe'], ['20 g', '100 g'], 5.95],
  ['Clotrimazol', 'Haut', ['1 % Creme', '2 % Vaginalcreme'], ['20 g', '50 g'], 4.75],
  ['Cetirizin', 'Allergie', ['10 mg Filmtabletten', '1 mg/ml Saft'], ['20 St', '50 St'], 4.25],
  ['Loratadin', 'Allergie', ['10 mg Tabletten'], ['20 St', '100 St'], 4.65],
  ['Loperamid', 'Magen und Darm', ['2 mg Kapseln'], ['10 St', '12 St'], 3.95],
  ['Pantoprazol', 'Magen und Darm', ['20 mg Tabletten', '40 mg Tabletten'], ['14 St', '28 St'], 6.45],
  ['Magnesium', 'Vitamine', ['300 mg Brausetabletten', '400 mg Kapseln'], ['20 St', '60 St'], 7.95],
  ['Vitamin D3', 'Vitamine', ['1000 I.E. Tabletten', '2000 I.E. Tabletten'], ['60 St', '120 St'], 9.95],
  ['Amoxicillin', 'Antibiotika', ['750 mg Filmtabletten', '1000 mg Filmtabletten'], ['10 St', '20 St'], 13.45, true],
  ['Metformin', 'Diabetes', ['500 mg Filmtabletten', '1000 mg Filmtabletten'], ['30 St', '120 St'], 12.85, true],
  ['Ramipril', 'Herz und Kreislauf', ['2,5 mg Tabletten', '5 mg Tabletten'], ['20 St', '100 St'], 11.95, true],
  ['Bisoprolol', 'Herz und Kreislauf', ['2,5 mg Tabletten', '5 mg Tabletten'], ['30 St', '100 St'], 12.45, true],
  ['Levothyroxin', 'Schilddrüse', ['50 µg Tabletten', '100 µg Tabletten'], ['50 St', '100 St'], 12.95, true],
  ['Salbutamol', 'Atemwege', ['0,1 mg Dosieraerosol'], ['1 St', '2 St'], 18.45, true],
];
/** Flowers of the demo, each by THC and CBD content, loose and in tins. */
const CANNABIS = ['Aurora', 'Bergtal', 'Caspia', 'Dorado', 'Estrella', 'Flora'];
/** The number of products in the demo's inventory: every second product of the catalog. */
const HELD = 60;

export interface CatalogProduct {
  p1_id: string;
  pzn: string;
  name: string;
  slug: string;
  category: string;
  /** EUR for one piece or one gram. */
  price: number;
  unit?: 'g';
  unit_step?: number;
  prescription_required: boolean;
  thc_percent?: number;
  cbd_percent?: number;
}

export function catalog(): CatalogProduct[] {
  const medicines = MEDICINES.flatMap(([name, category, forms, packs, price, needsPrescription = false]) =>
    forms.flatMap((form, strength) =>
      packs.map((pack, size) => ({
        name: `${name} ${form}, ${pack}`,
        category,
        price: Math.round(price * (1 + strength * 0.4) * (1 + size * 0.7) * 20) / 20,
        prescription_required: needsPrescription,
      })),
    ),
  );
  const flowers = CANNABIS.flatMap((name, index) =>
    [1, 5, 10].map((grams) => ({
      name: `Cannabisblüten ${name} ${18 + index}/1${grams === 1 ? '' : `, Dose ${grams} g`}`,
      category: 'Cannabis',
      price: Math.round((7.9 + index * 0.4) * 20) / 20,
      unit: 'g' as const,
      unit_step: grams,
      prescription_required: true,
      thc_percent: 18 + index,
      cbd_percent: 1,
    })),
  );
  return [...medicines, ...flowers].map((product, index) => ({
    p1_id: `P1-${10_001 + index}`,
    pzn: madeUpPzn(index),
    slug: slugOf(product.name),
    ...product,
  }));
}

/** Returns a PZN with the right check digit that belongs to no real product. The assortment uses the first hundred. */
export function madeUpPzn(index: number): string {
  const [digits = ''] = [0, 1].map((more) => String(9_900_000 + 2 * index + more)).filter(pznCheckDigit);
  return `${digits}${pznCheckDigit(digits)}`;
}

export function slugOf(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('µ', 'mikro');
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}

/** Imports the catalog, adds a part of it to the inventory, and offers that part in every shop. */
export async function makeAssortment(operate: Api, organization: Api, shopIds: readonly string[]): Promise<void> {
  const products = catalog();
  await operate('POST', '/catalog', products.map((each) => JSON.stringify(each)).join('\n'));
  const held = products.filter((_, place) => place % 2 === 0).slice(0, HELD);
  for (const [index, { p1_id, unit }] of held.entries()) {
    const initial_stock = (8 + ((index * 7) % 40)) * (unit ? 10 : 1);
    await organization('POST', '/products/add-to-inventory', { p1_id, initial_stock });
    for (const shop_id of shopIds) await organization('POST', '/shops/attach-product', { shop_id, p1_id });
  }
}
