import { expect, test } from 'vitest';
import { TOUR_MAX } from '../../src/orders/limits';
import { PAGE_BYTES_MAX, sentBytes, unescaped } from '../support/html';
import { happenedIn, orderRow, setOwed, setPacked, setStatus } from '../support/order-flow';
import { insertRows, quoted } from '../support/rows';
import { openSeller, placeOrder, type Seller } from '../support/seller';
import { rows } from '../support/world';
import { type Browser, enter, type Page } from './browser';
import { formOn } from './page-forms';

const TOUR = '/manage/desk/tour';

async function open() {
  const seller = await openSeller();
  const { browser } = await enter(seller.orgId, 'staff', 'Kim Öztürk');
  return { seller, browser };
}

async function carried(seller: Seller, name: string, street: string, members: Record<string, unknown> = {}) {
  const order = await placeOrder(seller, {
    ...{ customer_name: name, address_street: street, address_postal_code: '12587', address_city: 'Berlin' },
    ...{ shipping_option: 'Lieferdienst', payment_status: 'pending', address_phone: '+49 (0)30 5550 2231' },
    ...members,
  });
  await setStatus(order.id, 'ready_shipping', 'Lieferdienst');
  await setPacked(order.id);
  return order;
}

const namesOn = ({ text }: Page) => [...text.matchAll(/<h3><bdi>([^<]*)</g)].map(([, name]) => name);
const stateOf = async (id: string) =>
  (await rows('select status, payment_status, unpaid_reason, collected_by from orders where id = ?', id))[0];

test('stops come by street and house number, else as they were arranged, with phone and money but no medicine', async () => {
  const { seller, browser } = await open();
  const item = { name: 'Cannabisblüten', qty: 1, price: 20 };
  await carried(seller, 'Zehn', 'Müggelseedamm 10', { items: [item] });
  await carried(seller, 'Zwei', 'Müggelseedamm 2', { payment_status: 'paid' });
  await carried(seller, 'Fern', 'Allee 1', { address_postal_code: '99999' });
  const page = await browser.get(TOUR);
  expect(namesOn(page)).toEqual(['Zwei', 'Zehn', 'Fern']);
  expect(page.text).toContain('href="tel:+493055502231"');
  expect(page.text).toContain('20,00');
  expect(page.text).not.toContain('Cannabis');
  const arranging = await browser.get(`${TOUR}?arrange=1`);
  const ids = [...arranging.text.matchAll(/name="place-([\w-]+)"/g)].map(([, id = '']) => id);
  const places = ids.map((id, at): [string, string] => [`place-${id}`, String(9 - at)]);
  const saved = await browser.post(TOUR, [['form_token', arranging.token], ...places]);
  expect(saved.status).toBe(303);
  expect(namesOn(await browser.get(TOUR))).toEqual(['Fern', 'Zehn', 'Zwei']);
  await browser.post(TOUR, [['form_token', arranging.token], ['by', 'address'], ...places]);
  expect(namesOn(await browser.get(TOUR))).toEqual(['Zwei', 'Zehn', 'Fern']);
});

test('the stops of one shop are arranged, and those of another one stay as they were', async () => {
  const { seller, browser } = await open();
  const [own, other] = [seller.shopId, seller.otherShopId];
  for (const shop_id of [own, other]) {
    for (const street of ['Allee 1', 'Allee 2']) await carried(seller, `${shop_id} ${street}`, street, { shop_id });
  }
  const arrange = async (shop: string, more: Record<string, string> = {}) => {
    const path = `${TOUR}?shop=${shop}&arrange=1`;
    const { token, text } = await browser.get(path);
    const ids = [...text.matchAll(/name="place-([\w-]+)"/g)].map(([, id = '']) => id);
    const places = ids.map((id, at): [string, string] => [`place-${id}`, String(9 - at)]);
    await browser.post(TOUR, [['form_token', token], ['shop', shop], ...Object.entries(more), ...places]);
  };
  const streets = async (shop: string) =>
    namesOn(await browser.get(`${TOUR}?shop=${shop}`))
      .map((name) => name?.at(-1))
      .join('');
  await arrange(own);
  await arrange(other);
  expect([await streets(own), await streets(other)]).toEqual(['21', '21']);
  await arrange(own, { by: 'address' });
  expect([await streets(own), await streets(other)]).toEqual(['12', '21']);
});

/** Stops by one statement; the first is the oldest. @param first its place among those that a test makes */
async function fillTour(seller: Seller, shopId: string, count: number, first = 0): Promise<void> {
  await insertRows('orders', count, {
    id: `printf('01900000-0000-7000-8000-${seller.orgId.slice(-6)}%06d', ${first} + i)`,
    ...{ org_id: quoted(seller.orgId), shop_id: quoted(shopId), shipping_option: `'Lieferdienst'` },
    ...{ status: `'ready_shipping'`, customer_name: `'Stopp ' || (${first} + i)`, address_phone: `'+49 30 5550 1876'` },
    ...{ address_street: `'Brandenburgische Straße 12'`, address_postal_code: `'10115'`, address_city: `'Berlin'` },
  });
}

const OLDER = /href="(\/manage\/orders\?[^"]+)"[^>]*>Ältere versandbereite Bestellungen/;

/** Who is on the list to which a tour leads from what it leaves out. */
async function namesBehind(browser: Browser, page: Page) {
  const [, path = ''] = OLDER.exec(page.text) ?? [];
  return [...(await browser.get(unescaped(path))).text.matchAll(/Stopp \d+/g)].map(([name]) => name);
}

test('a tour that leaves out older stops says so, also on paper and in English, and leads to them', async () => {
  const { seller, browser } = await open();
  await fillTour(seller, seller.shopId, TOUR_MAX, 1);
  const whole = await browser.get(TOUR);
  expect([namesOn(whole).length, whole.text.includes('Gezeigt sind')]).toEqual([TOUR_MAX, false]);
  expect(await sentBytes(whole.text)).toBeLessThan(PAGE_BYTES_MAX);
  await fillTour(seller, seller.shopId, 1);
  for (const path of [TOUR, `${TOUR}?arrange=1`, `${TOUR}?shop=${seller.shopId}`]) {
    const page = await browser.get(path);
    expect([path, page.text.includes('Stopp 0<')]).toEqual([path, false]);
    // Paper leaves out tabs, filters and what is of the class `screen`: the note stands beside them, and the link is of that class.
    const note = '<p>Gezeigt sind die neuesten 70 Stopps. Es warten mehr.</p><p class="screen"><a href=';
    expect(page.text).toMatch(new RegExp(`</form></div><div class="notice wait"><svg.*?</svg><div>${note}`));
    expect(page.text.includes('Oder wählen Sie oben einen Shop.')).toBe(!path.includes('shop='));
    expect(new Set(await namesBehind(browser, page))).toEqual(new Set(['Stopp 0']));
  }
  const english = await browser.get(TOUR, { 'Accept-Language': 'en' });
  expect(english.text).toContain('The newest 70 stops are shown. More are waiting.');
  expect((await browser.get(`${TOUR}?day=2020-01-02`)).text).not.toContain('Gezeigt sind');
});

test('a shop whose stops are older than all that were looked through is not said to have none', async () => {
  const { seller, browser } = await open();
  await fillTour(seller, seller.shopId, 500, 1);
  await fillTour(seller, seller.otherShopId, 1);
  const page = await browser.get(`${TOUR}?shop=${seller.otherShopId}`);
  expect(namesOn(page)).toEqual([]);
  expect(page.text).toContain('Gezeigt sind die neuesten Stopps dieses Shops (0). Es kann ältere geben.');
  expect(page.text).not.toContain('Nichts auszufahren');
  expect(new Set(await namesBehind(browser, page))).toEqual(new Set(['Stopp 0']));
});

test('handing over asks for the money, and takes the step to the door once', async () => {
  const { seller, browser } = await open();
  const { id } = await carried(seller, 'Ada', 'Allee 1');
  const asked = await browser.get(`${TOUR}/${id}`);
  expect(unescaped(asked.text)).toMatch(/Ja, [\d,]+\s€ erhalten/);
  expect((await browser.fill(`${TOUR}/${id}`, { cash_received: 'no' })).status).toBe(400);
  expect(await stateOf(id)).toMatchObject({ status: 'ready_shipping' });
  const typed = { cash_received: 'yes', collected_by: 'Nachbarin' };
  const answers = await Promise.all([
    browser.fill(`${TOUR}/${id}`, typed),
    browser.post(`${TOUR}/${id}`, { form_token: asked.token, ...typed }),
  ]);
  for (const answer of answers) expect(answer).toMatchObject({ status: 303, location: TOUR });
  const left = { status: 'delivered', payment_status: 'paid', unpaid_reason: null, collected_by: 'Nachbarin' };
  expect(await stateOf(id)).toEqual(left);
  const told = (await happenedIn(seller.orgId)).map(({ type }) => type);
  expect(told.filter((type) => type === 'order_status_updated')).toHaveLength(2);
  expect(told.filter((type) => type === 'order_marked_paid')).toHaveLength(1);
  expect((await browser.get(TOUR)).text).toContain('Abgegeben (1)');
});

test('what was paid too little and is to be collected stands on the tour, is asked for at the door, and is settled', async () => {
  const { seller, browser } = await open();
  const { id } = await carried(seller, 'Ada', 'Allee 1', { payment_status: 'paid' });
  const differs = (cents: number, action: string) =>
    rows('update orders set payment_difference_cents = ?, payment_action = ? where id = ?', cents, action, id);
  await differs(-200, 'refund');
  expect(unescaped((await browser.get(TOUR)).text)).toContain('nichts zu kassieren');
  await differs(295, 'collect');
  expect(unescaped((await browser.get(TOUR)).text)).toMatch(/2,95\s€ zu kassieren.*kassieren<\/small><b>2,95\s€/s);
  expect(unescaped((await browser.get(`${TOUR}/${id}`)).text)).toMatch(/Noch offen: 2,95\s€.*Ja, 2,95\s€ erhalten/s);
  expect(await browser.fill(`${TOUR}/${id}`, { cash_received: 'yes' })).toMatchObject({ status: 303 });
  const settled = { status: 'delivered', payment_status: 'paid', payment_action: null, payment_difference_cents: null };
  expect(await orderRow(id)).toMatchObject(settled);
});

test('without payment needs a reason; nobody there leaves a note and keeps it on the tour', async () => {
  const { seller, browser } = await open();
  const [unpaid, absent] = [await carried(seller, 'Ada', 'Allee 1'), await carried(seller, 'Ida', 'Allee 2')];
  await browser.fill(`${TOUR}/${unpaid.id}`, { cash_received: 'no', unpaid_reason: 'on_account' });
  expect(await stateOf(unpaid.id)).toMatchObject({
    status: 'delivered',
    payment_status: 'pending',
    unpaid_reason: 'on_account',
  });
  const path = `${TOUR}/${absent.id}`;
  const noted = await browser.fill(path, { absent_note: 'morgen' }, `${path}/absent`);
  expect(noted).toMatchObject({ status: 303 });
  expect(await stateOf(absent.id)).toMatchObject({ status: 'ready_shipping' });
  expect(await rows('select text from staff_notes where order_id = ?', absent.id)).toEqual([
    { text: 'Botendienst: nicht angetroffen. morgen' },
  ]);
});

test('a part is handed over at the door, says what follows, and leaves the tour until the rest is there', async () => {
  const { seller, browser } = await open();
  const items = [{ name: 'Verband', qty: 2, price: 5 }];
  const { id } = await carried(seller, 'Ada', 'Allee 1', { items });
  await setOwed(id, 1, '2999-01-02');
  expect((await browser.get(TOUR)).text).toMatch(/1 Packung kommt am [^<]*02\.01\./);
  const asked = await browser.get(`${TOUR}/${id}`);
  expect(asked.text).toMatch(/1 kommt noch am [^<]*02\.01\.: wird nachgeliefert/);
  const typed = { ...formOn(asked, `${TOUR}/${id}`), cash_received: 'yes' };
  expect(await browser.post(`${TOUR}/${id}`, { ...typed, part: '' })).toMatchObject({ status: 409 });
  expect(await browser.post(`${TOUR}/${id}`, typed)).toMatchObject({ status: 303, location: TOUR });
  expect(await browser.post(`${TOUR}/${id}`, typed)).toMatchObject({ status: 409 });
  expect(await stateOf(id)).toMatchObject({ status: 'awaiting_packing', payment_status: 'paid' });
  expect(namesOn(await browser.get(TOUR))).toEqual([]);
});

test('what is held, not packed or another pharmacy’s is not handed over', async () => {
  const { seller, browser } = await open();
  const held = await carried(seller, 'Ada', 'Allee 1', { payment_status: 'paid' });
  await rows('update orders set on_hold = 1 where id = ?', held.id);
  const unpacked = await carried(seller, 'Ida', 'Allee 2', { payment_status: 'paid' });
  await rows('update orders set packing = null where id = ?', unpacked.id);
  const { token } = await browser.get(TOUR);
  for (const { id } of [held, unpacked]) {
    expect(await browser.get(`${TOUR}/${id}`)).toMatchObject({ status: 303 });
    expect(await browser.post(`${TOUR}/${id}`, { form_token: token, cash_received: '' })).toMatchObject({
      status: 409,
    });
    expect(await stateOf(id)).toMatchObject({ status: 'ready_shipping' });
  }
  const other = await open();
  expect(await other.browser.get(`${TOUR}/${held.id}`)).toMatchObject({ status: 404 });
});
