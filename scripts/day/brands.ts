import type { Api } from '../api.ts';
import { madeUpPzn, slugOf } from '../assortment.ts';

/** Products of the demo's day, with names as printed on packs. Their PZNs belong to no real products. */
const BRANDS = {
  amoxicillin: ['Amoxicillin-ratiopharm 1000 mg Filmtabletten, 20 St N2', 'Antibiotika', 17.45, 24, true],
  ibuprofen600: ['Ibuprofen AL 600 mg Filmtabletten, 50 St N2', 'Schmerzmittel', 11.89, 46, true],
  ibuprofen600Import: ['Ibuprofen EurimPharm 600 mg Filmtabletten, 100 St N3', 'Schmerzmittel', 21.05, 9, true],
  ibuprofen400: ['Ibuprofen AL 400 mg Filmtabletten, 20 St', 'Schmerzmittel', 4.95, 38, false],
  pantoprazol: ['Pantoprazol Aristo 20 mg magensaftresistente Tabletten, 14 St', 'Magen und Darm', 6.95, 33, false],
  bepanthen: ['Bepanthen Augen- und Nasensalbe, 10 g', 'Haut', 6.49, 41, false],
  cetirizin: ['Cetirizin Hexal 10 mg Filmtabletten, 20 St', 'Allergie', 4.95, 40, false],
  levothyroxin: ['Levothyroxin-Natrium Henning 75 µg Tabletten, 100 St N3', 'Schilddrüse', 14.11, 9, true],
  salbutamol: ['Salbutamol-ratiopharm N Dosieraerosol, 200 Hübe', 'Atemwege', 7.45, 1, true],
  ass: ['ASS-ratiopharm 100 mg TAH Tabletten, 100 St', 'Schmerzmittel', 3.49, 25, false],
  metformin: ['Metformin Lich 1000 mg Filmtabletten, 180 St N3', 'Diabetes', 15.12, 22, true],
  ramipril: ['Ramipril-ratiopharm 5 mg Tabletten, 100 St N3', 'Herz und Kreislauf', 13.86, 18, true],
  voltaren: ['Voltaren Schmerzgel forte 23,2 mg/g, 150 g', 'Schmerzmittel', 21.99, 15, false],
  paracetamol: ['Paracetamol-ratiopharm 500 mg Tabletten, 20 St', 'Schmerzmittel', 2.89, 33, false],
  novaminsulfon: ['Novaminsulfon-ratiopharm Tropfen, 50 ml', 'Schmerzmittel', 14.12, 7, true],
  macrogol: ['Macrogol-1A Pharma Pulver zum Einnehmen, 50 St', 'Magen und Darm', 24.95, 18, false],
  torasemid: ['Torasemid-1A Pharma 10 mg Tabletten, 50 St N2', 'Herz und Kreislauf', 13.88, 21, true],
  torasemid100: ['Torasemid-1A Pharma 10 mg Tabletten, 100 St N3', 'Herz und Kreislauf', 15.88, 2, true],
  bisoprolol: ['Bisoprolol-ratiopharm 2,5 mg Tabletten, 100 St N3', 'Herz und Kreislauf', 13.74, 19, true],
  nasenspray: ['Nasenspray-ratiopharm Erwachsene, 15 ml', 'Erkältung', 3.99, 44, false],
} as const satisfies Record<
  string,
  readonly [name: string, category: string, price: number, stock: number, needsPrescription: boolean]
>;

export type Brand = keyof typeof BRANDS;
const KEYS = Object.keys(BRANDS) as Brand[];

export interface BrandProduct {
  p1_id: string;
  pzn: string;
  name: string;
  price: number;
}

/** Returns the product as the catalog has it. */
export function brand(key: Brand): BrandProduct {
  const place = KEYS.indexOf(key);
  const [name, , price] = BRANDS[key];
  return { p1_id: `P1-${20_001 + place}`, pzn: madeUpPzn(200 + place), name, price };
}

export function brands(): BrandProduct[] {
  return KEYS.map(brand);
}

/** Imports the brands and offers them in every shop. */
export async function addBrands(operate: Api, organization: Api, shopIds: readonly string[]): Promise<void> {
  const products = KEYS.map((key) => {
    const [name, category, , , prescription_required] = BRANDS[key];
    return { ...brand(key), slug: slugOf(name), category, prescription_required };
  });
  await operate('POST', '/catalog', products.map((each) => JSON.stringify(each)).join('\n'));
  for (const key of KEYS) {
    const { p1_id } = brand(key);
    await organization('POST', '/products/add-to-inventory', { p1_id, initial_stock: BRANDS[key][3] });
    for (const shop_id of shopIds) await organization('POST', '/shops/attach-product', { shop_id, p1_id });
  }
}
