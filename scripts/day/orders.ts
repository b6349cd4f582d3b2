import { COURIER, ERIKA, FLOWERS, item, KERSTIN, LISA, PARCEL, PICKUP, prescriptionPage, WALTER } from './requests.ts';

/** A request that has been approved, and what happened to its order. */
export interface DayOrder {
  payload: Record<string, unknown> & { customer_name: string };
  pdf?: string[][];
  /**
   * True if a pharmacist approved the request and the original prescription is to follow. Otherwise, the API approves.
   */
  isOriginalMissing?: boolean;
  /** Bodies of PATCH calls that change the order before it is packed. */
  before?: object[];
  /** The number of packs that are scanned, in the order of the lines. The other packs are not packed yet. */
  scanned?: number;
  /** Whether the packs that were not scanned are ticked by hand. */
  isRestByHand?: boolean;
  /** The number of packs of the first line that are supplied later, and in how many days. */
  later?: { quantity: number; inDays: number };
  shelf?: { shelf: string; bags: string };
  /** Bodies of PATCH calls that change the order after it is packed. */
  steps?: object[];
}

const FETCHED = [{ status: 'ready_pickup' }, { status: 'picked_up' }];

/** Earlier orders of people who order again today. */
const EARLIER: DayOrder[] = [
  { payload: { ...ERIKA, ...PICKUP, items: [item('cetirizin', 2)] }, steps: FETCHED },
  { payload: { ...ERIKA, ...PICKUP, items: [item('pantoprazol'), item('ibuprofen400')] }, steps: FETCHED },
  { payload: { ...ERIKA, ...PICKUP, items: [item('bepanthen', 2)] }, steps: FETCHED },
  ...['2026-05-12', '2026-02-10'].map((day) => ({
    payload: { ...LISA, ...PICKUP, items: [FLOWERS] },
    pdf: [prescriptionPage('Lisa-Marie Oguz', FLOWERS.name, day)],
    steps: FETCHED,
  })),
  { payload: { ...WALTER, ...PARCEL, items: [item('voltaren')] }, steps: [{ status: 'ready_shipping' }] },
  {
    // Another address of the same person: found by name and phone.
    payload: { ...KERSTIN, customer_email: 'kerstin.weiss@example.com', ...PICKUP, items: [item('macrogol')] },
    steps: FETCHED,
  },
];

const BASKET = [item('amoxicillin'), item('ibuprofen600', 2), item('pantoprazol'), item('bepanthen')];
const basketOf = (person: string) => [
  prescriptionPage(person, 'Amoxicillin 1000 mg, 20 St, 1-0-1', 'Ibuprofen 600 mg, 2 x 50 St'),
];
const BERLIN = { address_postal_code: '10969', address_city: 'Berlin' };

/** Today's orders, each in another state. */
export const DAY_ORDERS: DayOrder[] = [
  ...EARLIER,
  {
    payload: {
      customer_name: 'Helga Brandt-Schönefeld',
      customer_email: 'h.brandt@example.de',
      ...{ address_street: 'Alte Jakobstraße 83', ...BERLIN, address_phone: '+49 30 5550 6630' },
      ...PICKUP,
      items: BASKET,
      birth_date: '1962-11-30',
      allergies: 'keine bekannt',
      customer_note: 'Bitte anrufen, wenn etwas fehlt.',
    },
    pdf: basketOf('Helga Brandt-Schönefeld, geb. 30.11.1962'),
    scanned: 1,
  },
  {
    payload: {
      customer_name: 'Nadine Köhler',
      customer_email: 'n.koehler@example.de',
      ...{ address_street: 'Prinzenstraße 4', ...BERLIN },
      ...PARCEL,
      items: [item('nasenspray', 2), item('paracetamol')],
    },
  },
  {
    payload: {
      customer_name: 'Friedrich Ostermann',
      customer_email: 'f.ostermann@example.de',
      ...{ address_street: 'Ritterstraße 27', ...BERLIN, address_phone: '+49 30 5550 9120' },
      ...PICKUP,
      items: BASKET,
      birth_date: '1949-08-03',
    },
    pdf: basketOf('Friedrich Ostermann, geb. 03.08.1949'),
    scanned: 3,
    steps: [{ on_hold: true, hold_reason: 'Wechselwirkung mit Marcumar, Rückruf Dr. Weißenfels abwarten.' }],
  },
  {
    payload: {
      customer_name: 'Gudrun Petersen',
      customer_email: 'g.petersen@example.de',
      ...{ address_street: 'Oranienstraße 61', ...BERLIN, address_phone: '+49 30 5550 2204' },
      ...PICKUP,
      items: BASKET,
      birth_date: '1955-04-18',
    },
    pdf: basketOf('Gudrun Petersen, geb. 18.04.1955'),
    isOriginalMissing: true,
    scanned: 4,
    isRestByHand: true,
    shelf: { shelf: 'A 3', bags: '1' },
    steps: [{ status: 'ready_pickup' }],
  },
  {
    payload: {
      customer_name: 'Thomas Lindqvist',
      customer_email: 't.lindqvist@example.de',
      ...{ address_street: 'Moritzplatz 5', ...BERLIN, address_phone: '+49 30 5550 3319' },
      ...PICKUP,
      items: BASKET,
      birth_date: '1978-01-25',
      customer_note: 'Meine Tochter holt ab.',
    },
    pdf: basketOf('Thomas Lindqvist, geb. 25.01.1978'),
    scanned: 4,
    isRestByHand: true,
    shelf: { shelf: 'B 7', bags: '2' },
    steps: [{ status: 'ready_pickup' }],
  },
  {
    payload: {
      customer_name: 'Bożena Wójcik',
      customer_email: 'b.wojcik@example.de',
      ...PICKUP,
      payment_status: 'paid',
      items: [item('metformin'), item('ramipril')],
    },
    pdf: [prescriptionPage('Bozena Wojcik', 'Metformin 1000 mg, 180 St', 'Ramipril 5 mg, 100 St')],
    scanned: 2,
    shelf: { shelf: 'B 2', bags: '1' },
    steps: [{ status: 'ready_pickup' }],
  },
  {
    payload: {
      customer_name: 'Renate Schäfer',
      customer_email: 'r.schaefer@example.de',
      ...PICKUP,
      items: [item('macrogol', 2), item('bepanthen')],
    },
    scanned: 1,
    later: { quantity: 1, inDays: 1 },
    isRestByHand: true,
    shelf: { shelf: 'A 5', bags: '1' },
    steps: [{ status: 'ready_pickup' }],
  },
  {
    payload: {
      customer_name: 'Ismail Çelik',
      customer_email: 'i.celik@example.de',
      ...PICKUP,
      payment_status: 'paid',
      items: [item('voltaren')],
    },
    later: { quantity: 1, inDays: 0 },
  },
  {
    payload: {
      customer_name: 'Ingeborg Matthiesen',
      customer_email: 'i.matthiesen@example.de',
      ...{ address_street: 'Müggelseedamm 131', address_postal_code: '12587', address_city: 'Berlin' },
      ...{ address_phone: '+49 30 5550 7182', customer_note: 'Zweimal klingeln, ich bin nicht schnell.' },
      ...COURIER,
      items: [item('paracetamol', 2), item('bepanthen')],
    },
    before: [{ status: 'awaiting_packing' }],
    scanned: 3,
    shelf: { shelf: 'T 1', bags: '1' },
    steps: [{ status: 'ready_shipping' }],
  },
  {
    payload: {
      customer_name: 'Günter Albrecht',
      customer_email: 'g.albrecht@example.de',
      ...{ address_street: 'Ritterstraße 9', ...BERLIN, address_phone: '+49 30 5550 3407' },
      ...COURIER,
      payment_status: 'paid',
      items: [item('nasenspray', 2), item('ass')],
    },
    scanned: 1,
    later: { quantity: 1, inDays: 1 },
    isRestByHand: true,
    shelf: { shelf: 'T 2', bags: '2' },
    steps: [{ status: 'ready_shipping' }],
  },
];
