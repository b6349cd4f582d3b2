import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../scripts/chromium';
import { dayOf } from '../../src/platform/pharmacy-time';
import {
  AMOXICILLIN,
  enter,
  IBUPROFEN,
  openPharmacy,
  type Pharmacy,
  send,
  startedService,
  submit,
} from './support/fixtures';
import { arrival } from './support/input-methods';
import { forge, labelOf, type Placed, place } from './support/orders';
import { scan } from './support/scanner';

/** What a counter is asked, and how few actions lead to the answer from any page. */

/** A text with Enter, a scan, a link or a tab is one action. */
const ACTIONS_MAX = 3;
/** Where somebody may be when the telephone rings; beside them the page of an order. */
const PAGES = ['/manage/requests', '/manage/orders', '/manage/products', '/manage/reports', '/manage/account'];
/** From so many of them each question is asked, from others than the one before. */
const STARTS = 3;

let browser: Browser;
let pharmacy: Pharmacy;
let page: Page;
const made = {} as {
  ready: Placed;
  split: Placed;
  sent: Placed;
  number: number;
  label: string;
  reference: string;
  pzn: string;
};

beforeAll(async () => {
  browser = await launchChromium();
  pharmacy = await openPharmacy(startedService(), 'Löwen-Apotheke', 10);
  ({ page } = await enter(browser, pharmacy, 'owner'));
  await fillDay();
});

afterAll(() => browser?.close());

interface Question {
  asked: string;
  /** Typed into the search of the page. */
  find?: () => string;
  /** Scanned, wherever the focus is. */
  scanned?: () => string;
  /** Links and tabs followed after that, by their names. */
  follow?: readonly RegExp[];
  /** What is then in view. */
  answer: readonly (string | RegExp)[];
}

const text = (typed: string) => () => typed;

const QUESTIONS: readonly Question[] = [
  { asked: 'Kaestner, was hatte ich bestellt?', find: text('Kaestner'), answer: ['Olga Kästner', 'Ibuprofen 400'] },
  { asked: 'Brandt, Helga: ist es da?', find: text('brandt helga'), answer: ['Helga Brandt', 'Abholbereit'] },
  { asked: 'die 4711', find: () => `die ${made.number}`, answer: ['Olga Kästner', 'Ibuprofen 400'] },
  { asked: 'eine Telefonnummer', find: text('5 50 / 18 76'), answer: ['Helga Brandt'] },
  { asked: 'Wann kommt der Rest?', find: text('Zander'), answer: ['Rosa Zander', /kommt|Rest/] },
  { asked: 'Was fährt der Bote heute?', follow: [/^Bestellungen/, /^Botendienst/], answer: ['Bölschestraße 44'] },
  {
    asked: 'Was wird heute erwartet?',
    follow: [/^Bestellungen/, /erwartet/i],
    answer: ['Rosa Zander', 'Ibuprofen 400'],
  },
  { asked: 'In welchem Fach?', find: text('Brandt'), answer: [/fach\s+B 7/] },
  { asked: 'Was ist zu zahlen?', find: text('Brandt'), follow: [/Brandt/], answer: ['9,90 €', 'Bei Abholung'] },
  { asked: 'Ist mein Rezept angekommen?', find: text('Yılmaz'), follow: [/Yılmaz/], answer: ['Rezept'] },
  {
    asked: 'Warum wurde es abgelehnt?',
    find: text('Quast'),
    follow: [/Quast/],
    answer: ['Nicht lieferbar', 'erst im März'],
  },
  { asked: 'Warum angehalten?', find: text('Ehlers'), follow: [/Ehlers/], answer: ['Angehalten', 'Rückruf abwarten'] },
  { asked: 'Wo ist mein Paket?', find: text('Adomeit'), follow: [/Adomeit/], answer: ['DHL', '00340434161094015902'] },
  {
    asked: 'Ist Ibuprofen da, was kostet es?',
    find: text('Ibuprofen'),
    answer: [/Ibuprofen 400[\s\S]*Bestand[\s\S]*4,95 €/],
  },
  { asked: 'Und die PZN?', find: () => made.pzn, answer: ['Ibuprofen 400', '4,95 €'] },
  { asked: 'eine Packung gescannt', scanned: () => `-${made.pzn}`, answer: ['Ibuprofen 400', '4,95 €'] },
  { asked: 'ein Etikett gescannt', scanned: () => made.label, answer: ['Helga Brandt', '9,90 €'] },
  { asked: 'Was ist zu packen?', follow: [/^Bestellungen/, /^Zu packen/], answer: ['Olga Kästner'] },
  { asked: 'Was wartet auf Abholung?', follow: [/^Bestellungen/, /^Abholbereit/], answer: ['Helga Brandt'] },
  { asked: 'eine E-Mail-Adresse', find: text('helga.brandt@example.com'), answer: ['Helga Brandt'] },
  { asked: 'ein Ort', find: text('friedrichshagen'), answer: ['Joachim Pohl'] },
  { asked: 'die Nummer der Plattform', find: () => made.reference, answer: ['Deniz Yılmaz'] },
  { asked: 'Was ist ausverkauft oder knapp?', follow: [/^Produkte/, /^Unter Meldebestand/], answer: ['Ibuprofen'] },
];

test.each(QUESTIONS.map((question, index) => ({ ...question, index })))(
  '$asked',
  async ({ index, find, scanned, follow = [], answer }) => {
    const starts = [...PAGES, made.sent.path];
    for (let start = 0; start < STARTS; start += 1) {
      const from = starts[(index + start * 2) % starts.length] ?? '';
      await page.goto(from);
      let actions = 0;
      if (find) {
        actions += 1;
        const field = page.getByRole('search').first().locator('[name="q"]');
        await field.fill(find());
        await arrival(page, () => field.press('Enter'));
      }
      if (scanned) {
        actions += 1;
        const code = scanned();
        await arrival(page, () => scan(page, code));
      }
      for (const name of follow) {
        actions += 1;
        await arrival(page, () => page.getByRole('link', { name }).first().click());
      }
      const seen = await page.evaluate(visibleText);
      for (const words of answer) expect(seen, from).toMatch(words);
      expect(actions, from).toBeLessThanOrEqual(ACTIONS_MAX);
    }
  },
);

/** Runs in the page. @returns what can be read on it, in its fields too */
function visibleText(): string {
  const main = document.querySelector('main');
  const fields = [...(main?.querySelectorAll('input') ?? [])].filter((field) => field.checkVisibility());
  const values = fields.map(({ type, value }) => (type === 'checkbox' || type === 'radio' ? '' : value));
  return [main?.innerText, ...values].join('\n').replaceAll('\u00a0', ' ');
}

/** The orders of a day: packed, held, split, sent, refused, and one of the courier. */
async function fillDay(): Promise<void> {
  const one = { p1_id: IBUPROFEN, qty: 1, price: 4.95 };
  const two = { ...one, qty: 2 };
  const address = { address_street: 'Bölschestraße 44', address_postal_code: '12587' };
  const named = (customer_name: string, more: object = {}) => ({ customer_name, items: [one], ...more });

  const open = await place(pharmacy, named('Olga Kästner'), 'awaiting_packing');
  ({ number: made.number } = await pharmacy.call<{ number: number }>('GET', `/orders/${open.id}`));
  const brandt = { customer_email: 'helga.brandt@example.com', address_phone: '+49 30 5550 1876', items: [two] };
  made.ready = await place(pharmacy, named('Helga Brandt', brandt), 'awaiting_packing', 'ready_pickup');
  const carried = { ...address, address_city: 'Berlin-Friedrichshagen', shipping_option: 'Lieferdienst' };
  await place(pharmacy, named('Joachim Pohl', carried), 'awaiting_packing', 'ready_shipping');
  const sent = { ...address, address_city: 'Kiel', shipping_option: 'Versand', payment_status: 'paid' };
  made.sent = await place(pharmacy, named('Ilse Adomeit', sent), 'awaiting_packing', 'ready_shipping', 'shipped');
  made.split = await place(pharmacy, named('Rosa Zander', { items: [two] }), 'awaiting_packing');
  const held = await place(pharmacy, named('Timo Ehlers'), 'awaiting_packing');

  const parcel = { carrier: 'DHL', tracking_number: '00340434161094015902' };
  await pharmacy.call('PATCH', `/orders/${made.sent.id}`, parcel);
  await pharmacy.call('PATCH', `/orders/${held.id}`, { on_hold: true, hold_reason: 'Rückruf abwarten' });
  made.label = await labelOf(page, made.ready);
  await page.goto(made.ready.path);
  await forge(page, `${made.ready.path}/shelf`, { shelf: 'B 7', bags: '1' });
  await page.goto(`${made.split.path}/later?line=0`);
  await send(page, { later: '1', expected_on: dayOf(Date.now()) });

  const sentIn = await submit(pharmacy, { customer_name: 'Deniz Yılmaz' });
  const request = await pharmacy.call<{ external_reference: string }>('GET', `/order-requests/${sentIn}`);
  made.reference = request.external_reference;
  const refused = await submit(pharmacy, {
    customer_name: 'Anton Quast',
    items: [{ name: 'Amoxicillin 750 mg', p1_id: AMOXICILLIN, quantity: 1, price: 13.45 }],
  });
  await page.goto(`/manage/requests/${refused}`);
  await forge(page, `/manage/requests/${refused}/reject`, {
    reason_code: 'out_of_stock',
    reject_note: 'erst im März',
  });
  await page.goto(`/manage/products?q=${IBUPROFEN}`);
  made.pzn = (await page.locator('main tbody td.pzn').first().innerText()).trim();
}
