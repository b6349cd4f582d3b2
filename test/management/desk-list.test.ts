import { expect, test } from 'vitest';
import { unescaped } from '../support/html';
import { de } from '../support/messages';
import { setPacked, setStatus } from '../support/order-flow';
import { openSeller, placeOrder, type Seller } from '../support/seller';
import { rows } from '../support/world';
import { type Browser, enter, type Page } from './browser';

const ORDERS = '/manage/orders';
const BULK = '/manage/desk/bulk';
const ADDRESS = { address_street: 'Lindenstraße 12', address_city: 'Berlin', address_postal_code: '10969' };

async function open() {
  const seller = await openSeller();
  const { browser } = await enter(seller.orgId, 'staff', 'Kim Öztürk');
  return { seller, browser };
}

/** An order in a status, packed unless told otherwise. @returns its number and id */
async function placed(seller: Seller, status: string, members: Record<string, unknown> = {}, isPacked = true) {
  const order = await placeOrder(seller, { payment_status: 'paid', ...members });
  await setStatus(order.id, status, String(members.shipping_option ?? 'Abholung'));
  if (isPacked) await setPacked(order.id);
  const [row] = await rows<{ number: number }>('select number from orders where id = ?', order.id);
  return { id: order.id, number: row?.number ?? 0 };
}

async function bulk(browser: Browser, act: string, numbers: readonly (number | string)[], to = ORDERS) {
  const { token } = await browser.get(`${ORDERS}?tab=all`);
  const picked = numbers.map((number): [string, string] => ['order', String(number)]);
  return browser.post(BULK, [...picked, ['form_token', token], ['to', to], ['do', act]]);
}

const plain = ({ text }: Page) => unescaped(text.replace(/<[^>]+>/g, '')).replace(/\s+/g, ' ');

test('each tab has what there is to do, and says how much', async () => {
  const { seller, browser } = await open();
  const toPack = await placed(seller, 'awaiting_packing', {}, false);
  const held = await placed(seller, 'awaiting_packing');
  const pickup = await placed(seller, 'ready_pickup');
  const parcel = await placed(seller, 'ready_shipping', { shipping_option: 'Versand' });
  const courier = await placed(seller, 'ready_shipping', {
    shipping_option: 'Lieferdienst',
    customer_name: 'Frau Vierzig',
  });
  const unpaid = await placed(seller, 'awaiting_payment');
  await placed(seller, 'picked_up');
  await rows('update orders set on_hold = 1 where id = ?', held.id);
  const numbersOn = async (query: string) =>
    [...(await browser.get(`${ORDERS}${query}`)).text.matchAll(/<td class="no">(\d+)</g)].map(([, number]) =>
      Number(number),
    );
  expect(await numbersOn('')).toEqual([held.number, toPack.number]);
  expect(await numbersOn('?tab=ready_pickup')).toEqual([pickup.number]);
  expect(await numbersOn('?tab=ready_shipping')).toEqual([parcel.number]);
  expect(await numbersOn('?tab=waiting')).toEqual([unpaid.number, held.number]);
  expect(await numbersOn('?tab=all')).toHaveLength(7);
  expect(await numbersOn(`?tab=all&q=Vierzig`)).toEqual([courier.number]);
  expect(await numbersOn('?tab=waiting&when=today')).toEqual([unpaid.number, held.number]);
  expect(await numbersOn('?tab=all&from=2020-01-01&to=2020-01-31')).toEqual([]);
  const counts = [...(await browser.get(ORDERS)).text.matchAll(/<nav class="tabs".*?<\/nav>/gs)][0]?.[0] ?? '';
  expect([...counts.matchAll(/class="count">(\d+)</g)].map(([, count]) => count)).toEqual(['2', '1', '1', '2', '1']);
  expect((await browser.get(`${ORDERS}?when=between&from=nonsense`)).status).toBe(400);
});

test('several are made ready at once, and what has to be looked at alone is refused by name', async () => {
  const { seller, browser } = await open();
  const fine = await placed(seller, 'awaiting_packing', { customer_name: 'Zoë Ångström' });
  const sent = await placed(seller, 'awaiting_packing', { shipping_option: 'Versand' });
  const unpacked = await placed(seller, 'awaiting_packing', { customer_name: 'Horst Jäger' }, false);
  const held = await placed(seller, 'awaiting_packing', { customer_name: 'Ada Held' });
  const withdrawn = await placed(seller, 'awaiting_packing', { customer_name: 'Ida Storno' });
  const waits = await placed(seller, 'awaiting_packing', { customer_name: 'Eva Original' });
  await rows('update orders set on_hold = 1 where id = ?', held.id);
  await rows(`update orders set on_hold = 1, withdrawal = 'requested' where id = ?`, withdrawn.id);
  await rows('update orders set original_missing = 1 where id = ?', waits.id);
  const all = [fine, sent, unpacked, held, withdrawn, waits];
  const answer = await bulk(
    browser,
    'ready',
    all.map(({ number }) => number),
  );
  expect(answer.status).toBe(303);
  const page = await browser.get(answer.location ?? '');
  const text = plain(page);
  expect(text).toContain('2 von 6 fertig gemeldet');
  for (const said of [
    'Horst Jäger (0 von',
    'Ada Held (angehalten)',
    'Ida Storno (Storno angefragt)',
    'Eva Original (Original fehlt)',
  ]) {
    expect(text).toContain(said);
  }
  expect(page.text).toContain(`href="${ORDERS}/${waits.id}/original"`);
  const statusOf = async ({ id }: { id: string }) =>
    (await rows<{ status: string }>('select status from orders where id = ?', id))[0]?.status;
  expect(await statusOf(fine)).toBe('ready_pickup');
  expect(await statusOf(sent)).toBe('ready_shipping');
  for (const left of [unpacked, held, withdrawn, waits]) expect(await statusOf(left)).toBe('awaiting_packing');
});

test('what is not paid, has no address or is not packed is not shipped with others', async () => {
  const { seller, browser } = await open();
  const way = { shipping_option: 'Versand', ...ADDRESS };
  const fine = await placed(seller, 'ready_shipping', way);
  const unpaid = await placed(seller, 'ready_shipping', {
    ...way,
    payment_status: 'pending',
    customer_name: 'Uwe Offen',
  });
  const homeless = await placed(seller, 'ready_shipping', { shipping_option: 'Versand', customer_name: 'Nora Ort' });
  const unpacked = await placed(seller, 'ready_shipping', { ...way, customer_name: 'Paul Leer' }, false);
  const answer = await bulk(
    browser,
    'shipped',
    [fine, unpaid, homeless, unpacked].map(({ number }) => number),
  );
  const page = await browser.get(answer.location ?? '');
  expect(plain(page)).toContain('1 von 4 versendet gemeldet');
  expect(plain(page)).toMatch(/Uwe Offen \(nicht bezahlt\)/);
  expect(plain(page)).toMatch(/Nora Ort \(ohne Anschrift\)/);
  expect(plain(page)).toMatch(/Paul Leer \(0 von/);
  expect(page.text).toContain(`href="${ORDERS}/${unpaid.id}/ship"`);
  const shipped = await rows(`select id from orders where status = 'shipped' and org_id = ?`, seller.orgId);
  expect(shipped).toEqual([{ id: fine.id }]);
});

test('sent twice at once, a selection is carried out once', async () => {
  const { seller, browser } = await open();
  const orders = [await placed(seller, 'awaiting_packing'), await placed(seller, 'awaiting_packing')];
  const numbers = orders.map(({ number }) => number);
  const answers = await Promise.all([bulk(browser, 'ready', numbers), bulk(browser, 'ready', numbers)]);
  answers.push(await bulk(browser, 'ready', numbers));
  for (const { location } of answers) {
    expect(plain(await browser.get(location ?? ''))).toContain('2 von 2 fertig gemeldet');
  }
  for (const { id } of orders) {
    const steps = await rows(`select 1 from audit_log where entity_id = ? and fields like '%status:ready_pickup%'`, id);
    expect(steps).toHaveLength(1);
  }
});

test('a selection of nobody’s orders, of none, of too many or of nonsense changes nothing', async () => {
  const { seller, browser } = await open();
  const order = await placed(seller, 'awaiting_packing');
  const other = await open();
  for (const picked of [[], ['x', '-1', '1e3', ''], Array.from({ length: 51 }, (_, index) => index + 1)]) {
    const answer = await bulk(browser, 'ready', picked);
    expect(answer).toMatchObject({ status: 303, location: ORDERS });
  }
  await bulk(other.browser, 'ready', [order.number]);
  expect((await bulk(browser, 'slips', [order.number], 'https://elsewhere.example/')).location).toMatch(
    /^\/manage\/desk/,
  );
  expect(await rows('select status from orders where id = ?', order.id)).toEqual([{ status: 'awaiting_packing' }]);
});

test('slips and labels of a selection come on one page', async () => {
  const { seller, browser } = await open();
  const orders = [await placed(seller, 'awaiting_packing'), await placed(seller, 'awaiting_packing')];
  for (const [kind, count] of [
    ['slips', 2],
    ['labels', 2],
  ] as const) {
    const { location } = await bulk(
      browser,
      kind,
      orders.map(({ number }) => number),
    );
    const page = await browser.get(location ?? '');
    expect(page.text.match(/class="(?:slip|bag-label)"/g)).toHaveLength(count);
  }
});

test('the list as a file names no medicine and runs no formula', async () => {
  const { seller, browser } = await open();
  await placed(seller, 'awaiting_packing', {
    customer_name: '=HYPERLINK("https://evil.example")',
    items: [{ name: 'Cannabisblüten', qty: 1, price: 1 }],
  });
  const file = await browser.get('/manage/desk/orders.csv?tab=all');
  expect(file.headers.get('Content-Type')).toContain('text/csv');
  expect(file.text).toContain(`"'=HYPERLINK`);
  expect(file.text).not.toContain('Cannabis');
  expect(file.text).toContain(`"${de.shared.orders.statuses.awaiting_packing}"`);
});
