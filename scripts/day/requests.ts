import { catalog } from '../assortment.ts';
import { type Brand, brand } from './brands.ts';

/** Order requests as platforms send them on a usual day: each shows another state of the review. */

export interface DayRequest {
  payload: Record<string, unknown> & { customer_name: string };
  /**
   * The pages of the request's prescriptions, as lines of text. The first prescription comes with the request. Staff
   * filed the others.
   */
  pdfs?: string[][][];
  question?: { code: string; text: string };
}

export const PICKUP = { shipping_option: 'Abholung', payment_status: 'cash_on_pickup' };
export const PARCEL = { shipping_option: 'Versand', payment_status: 'paid' };
export const COURIER = { shipping_option: 'Lieferdienst', payment_status: 'pending' };

/** Returns an item of a request, with the product's name and price or with those that the platform sent. */
export function item(key: Brand, quantity = 1, sent: { name?: string; price?: number } = {}) {
  const { p1_id, name, price } = brand(key);
  return { p1_id, name, price, quantity, ...sent };
}

const total = (items: readonly { quantity: number; price: number }[]) =>
  Math.round(items.reduce((sum, { quantity, price }) => sum + quantity * price, 0) * 100) / 100;

export function prescriptionPage(person: string, ...medicines: string[]): string[] {
  return ['Dr. med. Jörg Weißenfels, Berlin', '', `Für: ${person}`, '', ...medicines, '', 'Berlin, 19.11.2026'];
}

export const ERIKA = {
  customer_name: 'Erika Mustermann-Großkreutz',
  customer_email: 'e.mustermann@example.de',
  address_street: 'Lindenstraße 12',
  address_postal_code: '10969',
  address_city: 'Berlin',
  address_phone: '+49 30 5550 1876',
};
export const KERSTIN = {
  customer_name: 'Kerstin Weiß',
  customer_email: 'k.weiss@example.de',
  address_street: 'Bölschestraße 44',
  address_postal_code: '12587',
  address_city: 'Berlin',
  address_phone: '+49 30 5550 2231',
};
export const LISA = {
  customer_name: 'Lisa-Marie Oğuz',
  customer_email: 'l.oguz@example.org',
  address_street: 'Sonnenallee 180',
  address_postal_code: '12059',
  address_city: 'Berlin',
  address_phone: '+49 30 5550 8034',
};
export const WALTER = {
  customer_name: 'Walter Vierzig',
  customer_email: 'w.vierzig@example.de',
  address_street: 'An der Alten Försterei 263',
  address_postal_code: '12555',
  address_city: 'Berlin',
  address_phone: '+49 30 5550 4410',
};

const [FLOWER] = catalog().filter(({ name }) => name === 'Cannabisblüten Aurora 18/1');
export const FLOWERS = {
  p1_id: FLOWER?.p1_id ?? '',
  name: FLOWER?.name ?? '',
  price: FLOWER?.price ?? 0,
  quantity: 11,
};

/** Returns the order of a home for the elderly: forty items. Nobody sells one of them, and one has another strength. */
function wardItems() {
  const first = [
    item('ibuprofen400', 3),
    item('metformin', 2),
    item('ramipril', 2),
    item('bisoprolol', 1, { name: 'Bisoprolol 5 mg Tabletten, 100 St' }),
    item('torasemid', 2),
    item('macrogol', 2),
    item('pantoprazol', 4),
    item('paracetamol', 5),
    item('voltaren', 2),
    item('bepanthen', 2),
    { name: 'Hautschutzcreme für die Pflege, 500 ml', quantity: 2, price: 12.9 },
  ];
  const more = catalog()
    .filter(({ thc_percent }, place) => place % 2 === 0 && thc_percent === undefined)
    .slice(0, 40 - first.length)
    .map(({ p1_id, name, price }) => ({ p1_id, name, price, quantity: 1 }));
  return [...first, ...more];
}

const PAID_TOO_LITTLE = [
  item('cetirizin', 1, { name: 'Ibuprofen 400 mg Filmtabletten, 20 St' }),
  item('levothyroxin', 1, { price: 5 }),
  item('salbutamol', 2),
];
const PAID = [item('nasenspray'), item('voltaren'), item('ass')];

export const REQUESTS: DayRequest[] = [
  {
    payload: {
      ...LISA,
      ...PICKUP,
      items: [FLOWERS],
      birth_date: '1994-05-27',
      consultation: { doctor: 'Dr. med. Jörg Weißenfels', follow_up: true },
    },
    pdfs: [
      [
        [
          'Dr. med. Jörg Weißenfels, Berlin',
          '',
          'Für: Lisa-Marie Oguz',
          '',
          'Cannabisblüten Aurora 18/1, 11 g',
          '',
          'Berlin, 14.08.2026',
        ],
      ],
    ],
    question: { code: 'dosage', text: 'Einnahmehinweis fehlt, bitte Praxis fragen.' },
  },
  {
    payload: {
      customer_name: 'Dr. Sebastian Freiherr von Lüdenscheidt-Überlingen',
      customer_email: 's.luedenscheidt@example.de',
      address_street: 'Große Bleichen 12, c/o Praxis am Jungfernstieg',
      address_postal_code: '20354',
      address_city: 'Hamburg',
      address_phone: '+49 40 5550 123',
      ...PARCEL,
      items: PAID_TOO_LITTLE,
      total_amount: total(PAID_TOO_LITTLE) - 0.45,
      customer_birth_date: '1969-07-02',
      prescriber_name: 'Dr. med. Jörg Weißenfels',
      note: 'Ich vertrage kein ASS. Beim letzten Mal Atemnot.',
      allergies: ['Acetylsalicylsäure'],
      delivery_instructions: 'Am Empfang der Praxis abgeben',
    },
    pdfs: [
      [
        prescriptionPage(
          'Dr. Sebastian von Lüdenscheidt-Überlingen',
          'Levothyroxin 75 µg, 100 St, 1-0-0',
          'Salbutamol DA, 200 Hübe, 2 St',
        ),
      ],
    ],
  },
  {
    payload: {
      customer_name: 'Seniorenstift St. Hedwig, Station 3',
      customer_email: 'station3@st-hedwig.example',
      address_street: 'Klosterstraße 71',
      address_postal_code: '10179',
      address_city: 'Berlin',
      address_phone: '+49 30 5550 7300',
      ...COURIER,
      items: wardItems(),
      ward: 'Station 3, zweiter Stock',
    },
    pdfs: ['Ramipril 5 mg, Torasemid 10 mg', 'Metformin 1000 mg, 180 St', 'Bisoprolol 2,5 mg, 100 St'].map((line) => [
      prescriptionPage('Seniorenstift St. Hedwig', line),
    ]),
  },
  {
    payload: {
      ...ERIKA,
      ...PICKUP,
      items: [
        item('amoxicillin'),
        item('ibuprofen600', 2, { name: 'Ibuprofen Heumann 600 mg Filmtabletten, 50 St' }),
        item('pantoprazol'),
        item('bepanthen', 1, { price: 3.99 }),
      ],
      birth_date: '1981-03-14',
      customer_note: 'Ich komme erst nach 17 Uhr. Bitte Großpackung, wenn es geht.',
      allergies: 'keine bekannt',
      weight_kg: 71,
    },
    pdfs: [
      [
        prescriptionPage(
          'Erika Mustermann-Großkreutz, geb. 14.03.1981',
          'Amoxicillin 1000 mg, 20 St, 1-0-1',
          'Ibuprofen 600 mg, 100 St, bei Bedarf',
        ),
      ],
    ],
  },
  {
    payload: {
      customer_name: 'Jürgen Übelmeßer-Straßburger',
      customer_email: 'j.uebelmesser@example.de',
      shipping_option: 'Express',
      payment_status: 'paid',
      address_street: 'Torstraße 9',
      address_postal_code: '10119',
      address_city: 'Berlin',
      items: [item('ass')],
      total_amount: 3.49,
    },
  },
  {
    payload: {
      customer_name: 'Sabine Falsch',
      customer_email: 's.falsch@example.de',
      ...PICKUP,
      items: [item('salbutamol'), item('nasenspray')],
      total_amount: 12.5,
    },
  },
  {
    payload: {
      customer_name: 'محمد عبد الرحمن بن علي',
      customer_email: 'm.ali@example.com',
      ...PARCEL,
      address_street: 'Karl-Marx-Straße 81',
      address_postal_code: '12043',
      address_city: 'Berlin',
      items: [item('paracetamol')],
    },
  },
  { payload: { ...WALTER, shipping_option: 'Versand', payment_status: 'pending', items: wantsPrescription() } },
  {
    payload: {
      customer_name: 'Ayşe Yılmaz',
      customer_email: 'a.yilmaz@example.org',
      ...PICKUP,
      items: [item('novaminsulfon')],
      prescription_pdf_url: 'https://rezepte.telemed-beispiel.de/rezept.pdf',
    },
  },
  {
    payload: {
      ...KERSTIN,
      ...COURIER,
      items: [
        item('macrogol'),
        item('torasemid', 1, { name: 'Torasemid 10 mg Tabletten, 100 St' }),
        item('bisoprolol', 1, { name: 'Bisoprolol Stada 2,5 mg TAB, 100 St N2' }),
      ],
      birth_date: '1958-12-09',
      customer_note: 'Bitte klingeln, ich bin schlecht zu Fuß.',
      delivery_instructions: 'Hinterhaus, 3. OG links',
    },
    pdfs: [
      [prescriptionPage('Kerstin Weiß, geb. 09.12.1958', 'Torasemid 10 mg, 100 St', 'Bisoprolol 2,5 mg, 100 St')],
      [prescriptionPage('Heinz Krüger, geb. 01.02.1944', 'Ramipril 5 mg, 100 St'), ['Seite 2 von 2']],
    ],
  },
  {
    payload: {
      customer_name: 'Zoë Ångström',
      customer_email: 'zoe@example.org',
      shipping_option: 'Express',
      payment_status: 'paid',
      address_street: 'Wiener Straße 3',
      address_postal_code: '10999',
      address_city: 'Berlin',
      items: PAID,
      total_amount: total(PAID),
    },
  },
  {
    payload: { customer_name: 'Horst-Dieter Jäger', customer_email: 'hd.jaeger@example.de', ...PICKUP, items: [] },
    pdfs: [[prescriptionPage('Horst-Dieter Jäger, geb. 22.06.1951', 'Ramipril 5 mg, 100 St')]],
  },
];

function wantsPrescription() {
  return [item('metformin'), item('ramipril'), item('voltaren')];
}
