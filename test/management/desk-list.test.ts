import { expect, test } from 'vitest';
import { sweepSearch } from '../../src/order-requests/search/search';
import { exportDesk, readDesk } from '../../src/orders/desk/desk';
import { dayOf } from '../../src/platform/pharmacy-time';
import { DAY_MS } from '../../src/platform/time';
import { unescaped } from '../support/html';
import { de } from '../support/messages';
import { setOwed, setPacked, setStatus, staffContext } from '../support/order-flow';
import { outsideAnswers } from '../support/outbound';
import { captureLogs } from '../support/probe';
import { auditOf, insertRows, madeAt, quoted, rowOf } from '../support/rows';
import { openSeller, placeOrder, type Seller } from '../support/seller';
import { newReceiverUrl } from '../support/webhooks';
import { rows, subscribe, systemContext } from '../support/world';
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
  expect([...counts.matchAll(/class="count">(\d+)</g)].map(([, count]) => count)).toEqual([
    '2',
    '1',
    '1',
    '2',
    '0',
    '1',
  ]);
  expect((await browser.get(`${ORDERS}?when=between&from=nonsense`)).status).toBe(400);
});

const TWO = { items: [{ name: 'Blutdruckmessgerät', qty: 2, price: 10 }] };
const today = () => dayOf(Date.now());

test('an order of which nothing is in the house waits and is expected, and is to be packed once a pack is there', async () => {
  const { seller, browser } = await open();
  const waits = await placed(seller, 'awaiting_packing', { ...TWO, customer_name: 'Ada Rest' }, false);
  await setOwed(waits.id, 1, today(), 1);
  const half = await placed(seller, 'awaiting_packing', { ...TWO, customer_name: 'Ida Halb' }, false);
  await setOwed(half.id, 1, '2999-01-01');
  const ready = await placed(seller, 'ready_pickup', { ...TWO, customer_name: 'Eva Teil' });
  await setOwed(ready.id, 1, today());
  const countsOn = async (path: string) => {
    const tabs = /<nav class="tabs".*?<\/nav>/s.exec((await browser.get(path)).text)?.[0] ?? '';
    return [...tabs.matchAll(/class="count">(\d+)</g)].map(([, count]) => count);
  };
  for (const path of [ORDERS, '/manage/expected', '/manage/desk/tour']) {
    expect(await countsOn(path)).toEqual(['1', '1', '0', '1', '2', '0']);
  }
  const toPack = plain(await browser.get(ORDERS));
  expect(toPack).toContain('Ida Halb');
  expect(toPack).not.toContain('Ada Rest');
  expect(plain(await browser.get(`${ORDERS}?tab=waiting`))).toMatch(/Ada Rest.*Nachlieferung (am|heute)/);
  expect(plain(await browser.get(`${ORDERS}?tab=ready_pickup`))).toMatch(/Eva Teil.*Zum Teil bereit/);
  await rows('update orders set supply = ?, expected_on = null where id = ?', arrived, waits.id);
  expect(plain(await browser.get(ORDERS))).toContain('Ada Rest');
  expect(await countsOn(ORDERS)).toEqual(['2', '1', '0', '0', '1', '0']);
});

/** One pack left before, the other is there. */
const arrived = JSON.stringify([{ owed: 0, expectedOn: null, supplied: 1, by: null, at: null }]);

test('a part is made ready with others, and neither sent with them nor made ready of nothing', async () => {
  const { seller, browser } = await open();
  const part = await placed(seller, 'awaiting_packing', { ...TWO, customer_name: 'Ida Halb' });
  await setOwed(part.id, 1, today());
  const nothing = await placed(seller, 'awaiting_packing', { ...TWO, customer_name: 'Ada Rest' });
  await setOwed(nothing.id, 2, today());
  const made = await bulk(browser, 'ready', [part.number, nothing.number]);
  const ready = plain(await browser.get(made.location ?? ''));
  expect(ready).toContain('1 von 2 als fertig markiert');
  expect(ready).toContain('Ada Rest (wartet auf die Nachlieferung)');
  const way = { shipping_option: 'Versand', ...ADDRESS };
  const parcel = await placed(seller, 'ready_shipping', { ...TWO, ...way, customer_name: 'Uwe Paket' });
  await setOwed(parcel.id, 1, today());
  const sent = await bulk(browser, 'shipped', [parcel.number]);
  const page = await browser.get(sent.location ?? '');
  expect(plain(page)).toContain('Uwe Paket (nur zum Teil da: einzeln abgeben)');
  expect(page.text).toContain(`href="${ORDERS}/${parcel.id}/ship"`);
  expect(await rows('select status from orders where id = ?', parcel.id)).toEqual([{ status: 'ready_shipping' }]);
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
  const gone = await placed(seller, 'picked_up', { customer_name: 'Gerd Weg' });
  const over = await placed(seller, 'cancelled', { customer_name: 'Vera Vorbei' });
  const all = [fine, sent, unpacked, held, withdrawn, waits, gone, over];
  const answer = await bulk(
    browser,
    'ready',
    all.map(({ number }) => number),
  );
  expect(answer.status).toBe(303);
  const page = await browser.get(answer.location ?? '');
  const text = plain(page);
  expect(text).toContain('2 von 8 als fertig markiert');
  for (const said of [
    'Horst Jäger (0 von',
    'Ada Held (angehalten)',
    'Gerd Weg (Abgeholt)',
    'Vera Vorbei (Storniert)',
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
  expect(plain(page)).toContain('1 von 4 als versendet markiert');
  expect(plain(page)).toMatch(/Uwe Offen \(nicht bezahlt\)/);
  expect(plain(page)).toMatch(/Nora Ort \(ohne Anschrift\)/);
  expect(plain(page)).toMatch(/Paul Leer \(0 von/);
  expect((await browser.get(`${ORDERS}/${unpacked.id}`)).text).not.toContain('<span>Gepackt</span>');
  expect((await browser.get(`${ORDERS}/${fine.id}`)).text).toContain('<span>Gepackt</span>');
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
    expect(plain(await browser.get(location ?? ''))).toContain('2 von 2 als fertig markiert');
  }
  for (const { id } of orders) {
    const steps = await rows(`select 1 from audit_log where entity_id = ? and fields like '%status:ready_pickup%'`, id);
    expect(steps).toHaveLength(1);
  }
});

test('a selection takes no more queries than an invocation has, and goes on where it ended', async () => {
  const { seller, browser } = await open();
  const own = { org_id: quoted(seller.orgId), shop_id: quoted(seller.shopId) };
  await insertRows('message_settings', 1, { ...own, is_sending: '1', updated_at: '1' });
  for (const _ of [1, 2]) await subscribe(seller.orgId, newReceiverUrl());
  outsideAnswers();
  await insertRows('orders', 50, {
    ...{ id: `printf('01900000-0000-7000-8000-${seller.orgId.slice(-6)}%06d', i)`, ...own, number: '1 + i' },
    ...{ status: `'awaiting_packing'`, shipping_option: `'Abholung'`, customer_email: `'k' || i || '@example.com'` },
  });
  browser.env = {
    EMAIL: { send: async () => ({ messageId: crypto.randomUUID() }) },
    EMAIL_FROM: 'a@shops.example',
  } as never;
  const ready = () => rows(`select id from orders where org_id = ? and status = 'ready_pickup'`, seller.orgId);
  const { requests } = captureLogs();
  const numbers = Array.from({ length: 50 }, (_, index) => index + 1);
  for (let sending = 0; sending < 3 && (await ready()).length < 50; sending += 1) {
    expect((await bulk(browser, 'ready', numbers)).status).toBe(303);
  }
  expect(await ready()).toHaveLength(50);
  for (const line of requests()) expect(Number(line.d1_statements)).toBeLessThan(1000);
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

test.each(['slips', 'labels'])('%s of a selection come on one page', async (kind) => {
  const { seller, browser } = await open();
  const orders = [await placed(seller, 'awaiting_packing'), await placed(seller, 'awaiting_packing')];
  const numbers = orders.map(({ number }) => number);
  const page = await browser.shown(bulk(browser, kind, numbers));
  expect(page.text.match(/class="(?:slip|bag-label)"/g)).toHaveLength(2);
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

const FILE = '/manage/desk/orders.csv?tab=all';
const readsOf = (orgId: string) => auditOf(orgId, { action: 'organization.rows_read' });

test('a file of orders leaves who took it and how many they are in the log, among the views, and not what was searched for', async () => {
  const seller = await openSeller();
  const { browser, email } = await enter(seller.orgId, 'owner');
  const { id: memberId } = await rowOf('members', { email });
  for (const customer_name of ['Erika Mustermann', 'Max Beispiel'])
    await placed(seller, 'awaiting_packing', { customer_name });
  for (const search of ['', '&q=mustermann', '&q=nirgends'])
    expect((await browser.get(FILE + search)).status).toBe(200);
  const found = await readsOf(seller.orgId);
  expect(found.map(({ actor_id, fields }) => [actor_id, fields])).toEqual(
    [2, 1, 0].map((count) => [memberId, JSON.stringify([`orders:${count}`])]),
  );
  expect(JSON.stringify(found).toLowerCase()).not.toContain('mustermann');
  const shown = async (tab: string) => plain(await browser.get(`/manage/settings/audit?tab=${tab}`));
  expect(await shown('views')).toMatch(/Daten der Apotheke ausgegeben.*1 Bestellung als Datei.*2 Bestellungen/);
  for (const tab of ['decisions', 'settings']) expect(await shown(tab)).not.toContain('ausgegeben');
});

const number = (order: { number: number }) => order.number;

test('a file of orders whose row in the log cannot be written is not handed out', async () => {
  const seller = await openSeller();
  await placed(seller, 'awaiting_packing');
  const { ctx } = staffContext(seller.orgId, 'staff');
  const broken = { ...ctx, db: { ...ctx.db, batch: () => Promise.reject(new Error('no')) } };
  await expect(exportDesk(broken, {}, number)).rejects.toThrow('no');
  expect(await exportDesk(ctx, {}, number)).toHaveLength(1);
});

test('a list and a file that are searched have what was found of their days, however many newer ones are found', async () => {
  const seller = await openSeller();
  const { ctx } = staffContext(seller.orgId, 'staff');
  const [count, first] = [1_200, Date.now() - 30 * DAY_MS];
  const at = `(${first} + i * 1000)`;
  const id = `printf('%08x-%04x-7000-8000-${seller.orgId.slice(-6)}%06d', ${at} >> 16, ${at} & 65535, i)`;
  const columns = { id, org_id: quoted(seller.orgId), shop_id: quoted(seller.shopId), ...madeAt(at) };
  await insertRows('orders', count, { ...columns, customer_name: quoted('Zacharias') });
  await sweepSearch(systemContext().ctx);
  const search = 'zacharias';
  expect(await exportDesk(ctx, { search }, number)).toHaveLength(count);
  const oldest = { search, createdBefore: first + 5_000 };
  expect(await exportDesk(ctx, oldest, number)).toHaveLength(5);
  expect((await readDesk(ctx, { ...oldest, limit: 50, before: null })).orders).toHaveLength(5);
});

test('the packs of an order in a file are those of its lines, also of what came and left in parts', async () => {
  const { seller, browser } = await open();
  const { id, number } = await placed(seller, 'picked_up', { items: [{ name: 'Pflaster', qty: 3, price: 2 }] });
  const left = [{ owed: 0, expectedOn: null, supplied: 3, by: null, at: 1 }];
  await rows('update orders set supply = ? where id = ?', JSON.stringify(left), id);
  const [, line = ''] = (await browser.get(FILE)).text.split('\r\n');
  expect([line.split(';')[0], line.split(';')[6]]).toEqual([`"${number}"`, '"3"']);
});

test('more orders than a file may hold are no file, and nobody is said to have one', async () => {
  const { seller, browser } = await open();
  const id = `printf('01900000-0000-7000-8000-${seller.orgId.slice(-6)}%06d', i)`;
  await insertRows('orders', 2_001, { id, org_id: quoted(seller.orgId), shop_id: quoted(seller.shopId) });
  expect(await browser.get(FILE)).toMatchObject({ status: 303 });
  expect(await readsOf(seller.orgId)).toEqual([]);
});

test('a shop in the address is a value, whatever it says, and never part of a search’s own language', async () => {
  const { seller, browser } = await open();
  await placed(seller, 'awaiting_packing', { customer_name: 'Erika Mustermann' });
  for (const shop of ['x" OR "w', "'; drop", '*']) {
    for (const path of [
      `${ORDERS}?tab=all`,
      `${ORDERS}?tab=waiting`,
      '/manage/desk/orders.csv?tab=all',
      '/manage/requests?tab=all',
    ]) {
      const page = await browser.get(`${path}&q=erika&shop=${encodeURIComponent(shop)}`);
      expect([path, shop, page.status]).toEqual([path, shop, 200]);
      expect(page.text).not.toContain('Mustermann');
    }
  }
});
