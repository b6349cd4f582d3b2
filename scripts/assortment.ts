import type { Api } from './api.ts';

interface Medicine {
  name: string;
  category: string;
  forms: string[];
  packs: string[];
  /** Price in euros of the first form in the first pack size. */
  price: number;
  prescription?: true;
}

/** Substances with strengths, pack sizes and prices, from which the demo's catalog is generated. */
const MEDICINES: Medicine[] = [
  {
    name: 'Ibuprofen',
    category: 'Schmerzmittel',
    forms: ['400 mg Filmtabletten', '600 mg Filmtabletten'],
    packs: ['20 St', '50 St'],
    price: 4.95,
  },
  {
    name: 'Paracetamol',
    category: 'Schmerzmittel',
    forms: ['500 mg Tabletten', '1000 mg Zäpfchen'],
    packs: ['10 St', '20 St'],
    price: 2.95,
  },
  {
    name: 'Acetylsalicylsäure',
    category: 'Schmerzmittel',
    forms: ['500 mg Tabletten', '100 mg Tabletten'],
    packs: ['20 St', '100 St'],
    price: 3.45,
  },
  {
    name: 'Diclofenac',
    category: 'Schmerzmittel',
    forms: ['10 mg/g Gel', '25 mg Kapseln'],
    packs: ['60 g', '100 g'],
    price: 8.95,
  },
  {
    name: 'Xylometazolin',
    category: 'Erkältung',
    forms: ['0,1 % Nasenspray', '0,05 % Nasenspray'],
    packs: ['10 ml', '15 ml'],
    price: 3.25,
  },
  {
    name: 'Ambroxol',
    category: 'Erkältung',
    forms: ['30 mg Tabletten', '15 mg/5 ml Saft'],
    packs: ['20 St', '100 ml'],
    price: 5.45,
  },
  {
    name: 'Acetylcystein',
    category: 'Erkältung',
    forms: ['600 mg Brausetabletten', '200 mg Brausetabletten'],
    packs: ['10 St', '20 St'],
    price: 6.95,
  },
  {
    name: 'Dexpanthenol',
    category: 'Haut',
    forms: ['5 % Salbe', '5 % Augensalbe'],
    packs: ['20 g', '100 g'],
    price: 5.95,
  },
  {
    name: 'Clotrimazol',
    category: 'Haut',
    forms: ['1 % Creme', '2 % Vaginalcreme'],
    packs: ['20 g', '50 g'],
    price: 4.75,
  },
  {
    name: 'Cetirizin',
    category: 'Allergie',
    forms: ['10 mg Filmtabletten', '1 mg/ml Saft'],
    packs: ['20 St', '50 St'],
    price: 4.25,
  },
  { name: 'Loratadin', category: 'Allergie', forms: ['10 mg Tabletten'], packs: ['20 St', '100 St'], price: 4.65 },
  { name: 'Loperamid', category: 'Magen und Darm', forms: ['2 mg Kapseln'], packs: ['10 St', '12 St'], price: 3.95 },
  {
    name: 'Pantoprazol',
    category: 'Magen und Darm',
    forms: ['20 mg Tabletten', '40 mg Tabletten'],
    packs: ['14 St', '28 St'],
    price: 6.45,
  },
  {
    name: 'Magnesium',
    category: 'Vitamine',
    forms: ['300 mg Brausetabletten', '400 mg Kapseln'],
    packs: ['20 St', '60 St'],
    price: 7.95,
  },
  {
    name: 'Vitamin D3',
    category: 'Vitamine',
    forms: ['1000 I.E. Tabletten', '2000 I.E. Tabletten'],
    packs: ['60 St', '120 St'],
    price: 9.95,
  },
  {
    name: 'Amoxicillin',
    category: 'Antibiotika',
    forms: ['750 mg Filmtabletten', '1000 mg Filmtabletten'],
    packs: ['10 St', '20 St'],
    price: 13.45,
    prescription: true,
  },
  {
    name: 'Metformin',
    category: 'Diabetes',
    forms: ['500 mg Filmtabletten', '1000 mg Filmtabletten'],
    packs: ['30 St', '120 St'],
    price: 12.85,
    prescription: true,
  },
  {
    name: 'Ramipril',
    category: 'Herz und Kreislauf',
    forms: ['2,5 mg Tabletten', '5 mg Tabletten'],
    packs: ['20 St', '100 St'],
    price: 11.95,
    prescription: true,
  },
  {
    name: 'Bisoprolol',
    category: 'Herz und Kreislauf',
    forms: ['2,5 mg Tabletten', '5 mg Tabletten'],
    packs: ['30 St', '100 St'],
    price: 12.45,
    prescription: true,
  },
  {
    name: 'Levothyroxin',
    category: 'Schilddrüse',
    forms: ['50 µg Tabletten', '100 µg Tabletten'],
    packs: ['50 St', '100 St'],
    price: 12.95,
    prescription: true,
  },
  {
    name: 'Salbutamol',
    category: 'Atemwege',
    forms: ['0,1 mg Dosieraerosol'],
    packs: ['1 St', '2 St'],
    price: 18.45,
    prescription: true,
  },
];
/** Flowers of the demo, each by THC and CBD content. */
const CANNABIS = ['Aurora', 'Bergtal', 'Caspia', 'Dorado', 'Estrella', 'Flora'];
/** So many products are in the demo's inventory: every second one of the catalog. */
const HELD = 60;

export interface CatalogProduct {
  p1_id: string;
  name: string;
  slug: string;
  category: string;
  price: number;
  prescription_required: boolean;
  thc_percent?: number;
  cbd_percent?: number;
}

export function catalog(): CatalogProduct[] {
  const medicines = MEDICINES.flatMap(({ name, category, forms, packs, price, prescription }) =>
    forms.flatMap((form, strength) =>
      packs.map((pack, size) => ({
        name: `${name} ${form}, ${pack}`,
        category,
        price: Math.round(price * (1 + strength * 0.4) * (1 + size * 0.7) * 20) / 20,
        prescription_required: prescription === true,
      })),
    ),
  );
  const flowers = CANNABIS.flatMap((name, index) =>
    [5, 10, 15].map((grams) => ({
      name: `Cannabisblüten ${name} ${18 + index}/1, ${grams} g`,
      category: 'Cannabis',
      price: Math.round(grams * (7.9 + index * 0.4) * 20) / 20,
      prescription_required: true,
      thc_percent: 18 + index,
      cbd_percent: 1,
    })),
  );
  return [...medicines, ...flowers].map((product, index) => ({
    p1_id: `P1-${10_001 + index}`,
    slug: slugOf(product.name),
    ...product,
  }));
}

function slugOf(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('µ', 'mikro');
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}

/** Imports the catalog, adds a part of it to the inventory and offers that in every shop. */
export async function makeAssortment(operate: Api, organization: Api, shopIds: readonly string[]): Promise<void> {
  const products = catalog();
  await operate('POST', '/catalog', products.map((each) => JSON.stringify(each)).join('\n'));
  const held = products.filter((_, place) => place % 2 === 0).slice(0, HELD);
  for (const [index, { p1_id }] of held.entries()) {
    await organization('POST', '/products/add-to-inventory', { p1_id, initial_stock: 8 + ((index * 7) % 40) });
    for (const shop_id of shopIds) await organization('POST', '/shops/attach-product', { shop_id, p1_id });
  }
}
