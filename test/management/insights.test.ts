import { firstIdAt, newId } from '../../src/platform/ids';
import { linksOf, textOf } from '../support/html';
import { approve, openRequest } from '../support/order-flow';
import { callApi, holdProduct, succeeded } from '../support/organization';
import { idAt, insertRow, insertRows, madeAt, quoted, rowOf, type Sql } from '../support/rows';
import { makeLink, moveOrder, openSeller, placeOrder, type Seller } from '../support/seller';
import { test as base, describe, expect, vi } from '../support/test';
import { ONE_DATABASE, rows } from '../support/world';
import { type Browser, enter, type Page } from './browser';

const AUDIT = '/manage/settings/audit';
const REPORTS = '/manage/reports';

const test = base.extend('browser', async ({ seller }) => (await enter(seller.orgId, 'owner')).browser);

interface Act {
  at?: number;
  actor?: string;
  kind?: string;
  action?: string;
  entity?: string;
  reason?: string;
}

let recorded = 0;

/** Ids of one moment are in the order in which they were asked for. */
function auditIdAt(at: number): string {
  recorded += 1;
  return firstIdAt(at).slice(0, 24) + String(recorded).padStart(12, '0');
}

/** So many rows of the log, the row of number `i` at a time. */
function insertAudits({ orgId }: Seller, count: number, at: Sql): Promise<void> {
  const hex = `printf('%012x', ${at})`;
  const id = `substr(${hex}, 1, 8) || '-' || substr(${hex}, 9) || '-7000-8000-' || printf('%012d', i)`;
  const about = { action: `'order.updated'`, entity_id: `'o' || i` };
  return insertRows('audit_log', count, { id, org_id: quoted(orgId), at, ...about });
}

async function record(org_id: string, acts: Act[]): Promise<void> {
  for (const { at = Date.now(), actor, kind = 'staff', action = 'order.updated', entity = newId(), reason } of acts) {
    const about = { actor_kind: kind, actor_id: actor, action, entity_id: entity, reason_code: reason };
    await insertRow('audit_log', { id: auditIdAt(at), org_id, at, ...about });
  }
}

function rowsOf({ text }: Page): string[] {
  const body = /<tbody>(.*?)(?=<tfoot|<\/table>)/s.exec(text)?.[1] ?? '';
  return [...body.matchAll(/<tr>(.*?)(?=<tr>|$)/gs)].map(([, row = '']) => textOf(row));
}

/** Cells of a file that holds no line breaks in its cells. */
function cellsOf(text: string): string[][] {
  return text
    .trim()
    .split('\r\n')
    .map((line) => [...line.matchAll(/"((?:[^"]|"")*)"(?:;|$)/g)].map(([, cell = '']) => cell.replaceAll('""', '"')));
}

describe('the audit log', () => {
  test('says in plain words who did what to which thing, newest first, with a link to it', async ({ seller }) => {
    const { browser } = await enter(seller.orgId, 'owner', 'Kim Öztürk');
    const order = await placeOrder(seller);
    await makeLink(seller, order.id);
    await moveOrder(seller, order.id, 'cancelled');
    const { p1_id } = await holdProduct(seller, { name: '<script>alert(1)</script> Salbe' });
    succeeded(await callApi(seller, 'PATCH', `/inventory/${p1_id}`, { body: { stock_quantity: 3 } }));
    const page = await browser.get(`${AUDIT}?tab=all`);
    expect(page.status).toBe(200);
    const lines = rowsOf(page);
    expect(lines.filter((line) => /Bestellung geändert/.test(line))[0]).toMatch(
      /erp \(API-Schlüssel\).*Status: Storniert.*Grund: Kundenwunsch\/Widerruf/,
    );
    expect(lines.join('\n')).toMatch(/Zahlungslink erstellt/);
    expect(lines.join('\n')).toMatch(/Kim Öztürk (Angemeldet|Einladung angenommen)/);
    expect(lines.at(-1)).toMatch(/test \(Betreiber von Offizin\) Apotheke angelegt/);
    expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt; Salbe');
    // The link's own page is its order's.
    expect(linksOf(page.text, new RegExp(`^/manage/orders/${order.id}$`)).length).toBeGreaterThanOrEqual(2);
    expect(linksOf(page.text, new RegExp(`entity=${order.id}`)).length).toBeGreaterThanOrEqual(1);
  });

  test('each day stands once above its rows, in the pharmacy’s time, and a row says the time alone', async ({
    browser,
    seller,
  }) => {
    await record(seller.orgId, [
      { at: Date.parse('2099-10-24T21:59:59Z') },
      { at: Date.parse('2099-10-24T22:00:00Z') },
      { at: Date.parse('2099-10-25T10:00:01Z') },
    ]);
    const { text } = await browser.get(`${AUDIT}?from=2099-10-24`);
    const headed = [...text.matchAll(/<th scope="rowgroup"[^>]*>([^<]+)|<time[^>]*>([^<]+)/g)];
    expect(headed.map(([, day, time]) => day ?? time)).toEqual([
      ...['Sonntag, 25.10.2099', '11:00:01', '00:00:00'],
      ...['Samstag, 24.10.2099', '23:59:59'],
    ]);
    await record(seller.orgId, [{ at: Date.now() }]);
    expect((await browser.get(AUDIT)).text).toMatch(/rowgroup"[^>]*>Heute</);
    expect((await browser.get(AUDIT, { 'Accept-Language': 'en' })).text).toMatch(/rowgroup"[^>]*>Today</);
  });

  test('names people whose access has ended, and keys that are revoked', async ({ seller, browser }) => {
    const gone = await enter(seller.orgId, 'staff', 'Mina Weg');
    const [{ id = '' } = {}] = await rows<{ id: string }>('select id from members where email = ?', gone.email);
    await browser.submit(`/manage/settings/members/${id}/revoke`, {}, `/manage/settings/members/${id}/revoke`);
    const page = await browser.get(`${AUDIT}?tab=all&actor=${id}`);
    expect(rowsOf(page).join('\n')).toMatch(/Mina Weg/);
    expect(page.text).toMatch(/<option[^>]* selected[^>]*>Mina Weg</);
  });

  test('shows an action and a reason that it has no words for as their codes', async ({ seller, browser }) => {
    await record(seller.orgId, [{ action: 'robot.danced', kind: 'system', reason: 'full_moon' }]);
    expect(rowsOf(await browser.get(AUDIT))[0]).toMatch(/Offizin \(automatisch\) robot\.danced .*full_moon/);
  });

  test('filters by kind, by actor, by thing and by days, each alone and together, and keeps the filter in its links', async () => {
    const seller = await openSeller();
    const { browser } = await enter(seller.orgId, 'owner');
    const [kim, thing] = [newId(), newId()];
    await record(seller.orgId, [
      { at: Date.parse('2099-10-24T21:59:59Z'), actor: kim, action: 'member.invited', entity: 'a' },
      { at: Date.parse('2099-10-24T22:00:00Z'), actor: kim, action: 'shop_host.added', entity: thing },
      { at: Date.parse('2099-10-25T22:59:59Z'), kind: 'system', action: 'retention.erased', entity: thing },
      { at: Date.parse('2099-10-25T23:00:00Z'), actor: kim, action: 'stock.changed', entity: thing },
    ]);
    for (const [query, count] of [
      ['kind=shop', 3],
      [`kind=shop&actor=${kim}`, 1],
      [`actor=${kim}`, 3],
      ['actor=system', 1],
      [`entity=${thing}&kind=product`, 1],
      [`entity=${thing}&actor=${kim}`, 2],
      // 25 hours: the clocks go back on that day.
      [`entity=${thing}&from=2099-10-25&to=2099-10-25`, 2],
      [`actor=${kim}&to=2099-10-24`, 1],
    ] as const) {
      expect([query, rowsOf(await browser.get(`${AUDIT}?tab=all&${query}`)).length]).toEqual([query, count]);
    }
    const { text } = await browser.get(`${AUDIT}?kind=shop&actor=${kim}`);
    expect(linksOf(text, /export\.csv/)).toEqual([`${AUDIT}/export.csv?tab=all&kind=shop&actor=${kim}`]);
  });

  test('shows work at first; settings, sign-ins and views each have a tab, and one has all', async ({
    seller,
    browser,
  }) => {
    const acts = {
      decisions: ['order.packed', 'stock.changed', 'robot.danced'],
      settings: ['api_key.created', 'member.invited', 'shop_host.added', 'subscription.tested'],
      sign_ins: ['member.signed_in', 'member.reset_used'],
      views: ['prescription.viewed'],
    };
    const at = Date.parse('2099-11-02T10:00:00Z');
    const all = Object.values(acts).flat();
    await record(
      seller.orgId,
      all.map((action) => ({ at, action })),
    );
    const shown = async (query: string) =>
      rowsOf(await browser.get(`${AUDIT}?from=2099-11-02&to=2099-11-02${query}`)).length;
    for (const [query, { length }] of [
      ['', acts.decisions] as const,
      ...Object.entries(acts).map(([tab, of]) => [`&tab=${tab}`, of] as const),
      ['&tab=all', all] as const,
      ['&tab=settings&kind=member', ['member.invited']] as const,
      // Whoever names a kind wants all of it.
      ['&kind=member', ['member.invited', ...acts.sign_ins]] as const,
    ])
      expect([query, await shown(query)]).toEqual([query, length]);
  });

  test('finds an order or request by its number or reference, with its prescriptions, and of no other organization', async () => {
    const [seller, other] = [await openSeller(), await openSeller()];
    const { browser } = await enter(seller.orgId, 'owner');
    const external_reference = 'TM-2026-1013';
    const id = await openRequest(seller, {}, { external_reference });
    const { order_id } = succeeded(await approve(seller, id, { override_reason: 'geprüft' }));
    const theirs = await openRequest(other, {}, { external_reference });
    const { number } = await rowOf('orders', { id: order_id });
    await moveOrder(seller, order_id, 'cancelled');
    await moveOrder(seller, (await placeOrder(seller)).id, 'cancelled');
    const file = newId();
    await insertRow('prescriptions', { id: file, org_id: seller.orgId, order_request_id: id, status: 'fetch_failed' });
    await record(seller.orgId, [{ action: 'prescription.viewed', entity: file }]);
    for (const q of [external_reference, String(number)]) {
      const lines = cellsOf((await browser.get(`${AUDIT}/export.csv?q=${q}`)).text).slice(1);
      expect([...new Set(lines.map((line) => line[7]))].toSorted()).toEqual([id, order_id, file].toSorted());
    }
    for (const q of ['nichts', '999999', "'", '%25', theirs]) {
      expect([q, rowsOf(await browser.get(`${AUDIT}?q=${q}`)).length]).toEqual([q, 0]);
    }
  });

  test('looks for a rare actor through a bounded part and offers to go on, to the end', async ({ seller, browser }) => {
    browser.env = ONE_DATABASE;
    const rare = newId();
    await record(seller.orgId, [{ at: Date.now() - 1_000, actor: rare }]);
    await insertAudits(seller, 6_000, String(Date.now()));
    const page = await browser.get(`${AUDIT}?actor=${rare}`);
    expect(page.text).toContain('Unter den zuletzt durchsuchten Einträgen war keiner.');
    expect(rowsOf(page)).toEqual([]);
    const older = await browser.get(linksOf(page.text, /before=/).at(-1) ?? '');
    expect(rowsOf(older)).toHaveLength(1);
  });

  test('keeps what was typed when a date is none, the error beside it; bears any other text', async ({ browser }) => {
    const page = await browser.get(`${AUDIT}?from=gestern&to=2026-11-01`);
    expect(page.status).toBe(400);
    expect(page.text).toMatch(/id="from-fault"[^>]*>Bitte ein Datum/);
    expect(page.text).toContain('value="gestern"');
    const reversed = await browser.get(`${AUDIT}?from=2026-11-02&to=2026-11-01`);
    expect(reversed.text).toContain('Das Ende liegt vor dem Anfang.');
    for (const query of ['kind=__proto__', 'before=-1', 'before=9e99', 'actor=%00%27--', `entity=${'x'.repeat(900)}`]) {
      expect([query, (await browser.get(`${AUDIT}?${query}`)).status]).toEqual([query, 200]);
    }
  });

  test('gives the log as a file, and says in it where it ends before the log does', async ({ seller, browser }) => {
    await insertAudits(seller, 10_001, String(Date.now()));
    const file = await browser.get(`${AUDIT}/export.csv`);
    expect(file.headers.get('Content-Disposition')).toBe('attachment; filename="protokoll.csv"');
    const lines = file.text.trim().split('\r\n');
    expect(lines.length).toBe(10_002);
    expect(lines.at(-1)).toContain('Diese Datei endet nach 10000 Einträgen.');
  });
});

interface Facts {
  at: string;
  status?: string;
  cents?: number;
  shop?: string;
  items?: unknown[];
  payment?: string;
}

async function putOrder(
  { orgId, shopId }: Seller,
  { at, status, cents = 100, shop = shopId, items = [], payment }: Facts,
) {
  const time = Date.parse(at);
  await insertRow('orders', {
    ...{ id: idAt(time), org_id: orgId, shop_id: shop, status, payment_status: payment },
    ...{ total_cents: cents, items: JSON.stringify(items), ...madeAt(time) },
  });
}

async function putRequest({ orgId, shopId }: Seller, { at, status, decided }: Facts & { decided?: number }) {
  const time = Date.parse(at);
  const decided_at = decided === undefined ? null : time + decided * 1000;
  const own = { id: idAt(time), org_id: orgId, shop_id: shopId, ...madeAt(time) };
  await insertRow('order_requests', { ...own, status, decided_at });
}

async function daysOf(browser: Browser, query: string): Promise<Record<string, string[]>> {
  const { text } = await browser.get(`${REPORTS}/days.csv?${query}`);
  return Object.fromEntries(
    cellsOf(text)
      .slice(1)
      .map(([day = '', ...cells]) => [day, cells]),
  );
}

describe('reports', () => {
  test.for([
    [
      'when summer begins',
      '2026-03-28',
      '2026-03-30',
      ['2026-03-28T22:59:59.999Z', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59.999Z', '2026-03-29T22:00:00Z'],
    ],
    [
      'when summer ends',
      '2026-10-24',
      '2026-10-26',
      ['2026-10-24T21:59:59.999Z', '2026-10-24T22:00:00Z', '2026-10-25T22:59:59.999Z', '2026-10-25T23:00:00Z'],
    ],
  ] as const)('a day is one of Berlin %s: none is lost or counted twice', async ([_, from, to, times], { seller }) => {
    const { browser } = await enter(seller.orgId, 'owner');
    for (const at of times) {
      await putOrder(seller, { at });
      await putRequest(seller, { at, status: 'approved', decided: 60 });
    }
    const days = await daysOf(browser, `from=${from}&to=${to}`);
    expect(Object.values(days)).toEqual([
      ['1', '1', '0', '1', '0', '1'],
      ['2', '2', '0', '2', '0', '2'],
      ['1', '1', '0', '1', '0', '1'],
    ]);
    const [, middle = ''] = Object.keys(days);
    expect(await daysOf(browser, `from=${middle}&to=${middle}`)).toEqual({ [middle]: ['2', '2', '0', '2', '0', '2'] });
  });

  test('sums orders by day, status and payment; what came to nothing makes no turnover; every day has its line', async () => {
    const seller = await openSeller();
    const { browser } = await enter(seller.orgId, 'owner');
    const salve = { p1Id: 'P-1', name: 'Salbe', quantity: 3, priceCents: 1000, prescriptionRequired: false };
    const items = [salve, { ...salve, p1Id: null, name: '=1+1', priceCents: 1 }];
    const open = { shop: seller.otherShopId, payment: 'pending', status: 'awaiting_payment' };
    await putOrder(seller, { at: '2026-11-02T10:00:00Z', cents: 123_450, items });
    await putOrder(seller, { at: '2026-11-02T11:00:00Z', cents: 50, ...open });
    await putOrder(seller, { at: '2026-11-04T11:00:00Z', cents: 999_999, status: 'cancelled', items: [salve] });
    for (const [status, decided] of [
      ['approved', 60],
      ['rejected', 7_500],
      ['pending', undefined],
    ] as const) {
      await putRequest(seller, { at: '2026-11-03T10:00:00Z', status, decided });
    }
    const query = 'from=2026-11-02&to=2026-11-05';
    expect(await daysOf(browser, query)).toEqual({
      '2026-11-02': ['0', '0', '0', '2', '0', '1235'],
      '2026-11-03': ['3', '1', '1', '0', '0', '0'],
      '2026-11-04': ['0', '0', '0', '1', '1', '0'],
      '2026-11-05': ['0', '0', '0', '0', '0', '0'],
    });
    const page = await browser.get(`${REPORTS}?${query}`);
    for (const words of [
      ...['1.235,00 €', '617,50 € je Bestellung', 'Zeit bis zur Entscheidung 1 Min.'],
      '50,0 % Vorzeitraum: keine von 3 Anfragen, 1 abgelehnt',
    ])
      expect(textOf(page.text)).toContain(words);
    expect(page.text).toMatch(
      /role="img" aria-label="Umsatz: Zusammen 1\.235,00\s€ an 4 Tagen, Höchstwert 1\.235,00\s€ am 02\.11\.2026\./,
    );
    const products = await browser.get(`${REPORTS}/products.csv?${query}`);
    expect(cellsOf(products.text).slice(1)).toEqual([
      ['P-1', 'Salbe', '3', 'piece', '30'],
      ['', "'=1+1", '3', 'piece', '0,03'],
    ]);
    const ofShop = await daysOf(browser, `${query}&shop=${seller.otherShopId}`);
    expect(ofShop).toMatchObject({ '2026-11-02': ['0', '0', '0', '1', '0', '0,5'] });
  });

  test('takes a period by name, with today in it, and an address that says none as 30 days', async ({ browser }) => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    const count = async (query: string) => Object.keys(await daysOf(browser, query));
    for (const days of [7, 30, 90]) expect((await count(`period=${days}`)).length).toBe(days);
    expect((await count('')).length).toBe(30);
    const [first = ''] = await count('period=this_month');
    expect(first).toMatch(/-01$/);
    const last = await count('period=last_month');
    expect(last[0]).toMatch(/-01$/);
    expect(last.at(-1)?.slice(0, 7)).toBe(last[0]?.slice(0, 7));
    expect(new Date(Date.parse(last.at(-1) ?? '') + 86_400_000).toISOString().slice(0, 10)).toBe(first);
  });

  test('stands each figure against as many days before, of a month against those of the month before', async ({
    seller,
    browser,
  }) => {
    for (const [at, cents] of [
      ['2026-09-30T10:00:00Z', 1_000_000],
      ['2026-10-02T10:00:00Z', 40_000],
      ['2026-10-31T10:00:00Z', 10_000],
      ['2026-11-02T10:00:00Z', 60_000],
    ] as const) {
      await putOrder(seller, { at, cents });
      await putRequest(seller, { at, status: 'approved', decided: at < '2026-11' ? 3_600 : 600 });
    }
    await putRequest(seller, { at: '2026-10-30T10:00:00Z', status: 'rejected' });
    const shown = async (query: string) => textOf((await browser.get(`${REPORTS}?${query}`)).text);
    // 30 days from the first of the month on are that month.
    const month = await shown('from=2026-11-01&to=2026-11-30');
    expect(month).toContain('600,00 € +20,0 % gegen 500,00 €');
    expect(month).toContain('100,0 % +33,3 Punkte gegen 66,7 %');
    expect(month).toContain('10 Min. −50 Min. gegen 1 Std. 0 Min.');
    const days = await shown('from=2026-11-01&to=2026-11-02');
    expect(days).toContain('600,00 € +500,0 % gegen 100,00 €');
    expect(await shown('from=2026-10-01&to=2026-10-31')).toContain('500,00 € −95,0 % gegen 10.000,00 €');
  });

  test('a year is shown by weeks, with each figure in its table, and weighs no more than 60 KB', async ({
    seller,
    browser,
  }) => {
    const at = `${Date.parse('2025-12-01T10:00:00Z')} + i * 43200000`;
    await insertRows('orders', 730, {
      ...{ id: `printf('%032d', i)`, org_id: quoted(seller.orgId), shop_id: quoted(seller.shopId) },
      ...{ source: `'platform ' || (i % 30)`, total_cents: '123456 + i', ...madeAt(at) },
    });
    const { text } = await browser.get(`${REPORTS}?from=2025-12-01&to=2026-12-01`);
    expect(text).toContain('Umsatz je Woche');
    expect(text).toContain('01.12.2025–07.12.2025');
    expect(text.length).toBeLessThan(60_000);
    const days = (await browser.get(`${REPORTS}?from=2026-01-01&to=2026-04-02&show=orders`)).text;
    expect(days).toContain('Bestellungen je Tag');
    expect(days.length).toBeLessThan(60_000);
  });

  test('tells what came from each platform; a request without one is its shop’s', async ({ seller, browser }) => {
    const own = { org_id: seller.orgId, shop_id: seller.shopId, ...madeAt(Date.parse('2026-11-02T10:00:00Z')) };
    for (const [index, source] of ['"telemed"]', '"telemed"]', `shop:${seller.shopId}`].entries()) {
      await insertRow('orders', { ...own, id: `s${index}`, number: 90 + index, source, total_cents: 150 });
    }
    const { text } = await browser.get(`${REPORTS}?from=2026-11-02&to=2026-11-02`);
    const [, panel = ''] = /Nach Plattform(.*?)<\/section>/s.exec(text) ?? [];
    expect(textOf(panel)).toMatch(/"telemed"\].* 2 0 3,00 € Ohne Angabe · .* 1 0 1,50 €/);
  });

  test('teaches when nothing came in, says what is short all the same', async ({ seller, browser }) => {
    await holdProduct(seller, { stock: 1, name: 'Salbe' });
    const page = await browser.get(`${REPORTS}?period=30`);
    expect(page.text).toContain('In dieser Zeit kam nichts herein');
    expect(page.text).not.toContain('role="img"');
    expect(page.text).toMatch(/Bestand unter dem Meldebestand.*Salbe/s);
  });

  test('a period that is none is refused beside its field, and gives no file', async ({ browser }) => {
    for (const [query, field, message] of [
      ['from=gestern&to=2026-11-02', 'from', 'Bitte ein Datum'],
      ['from=2026-11-02&to=2026-11-01', 'to', 'Das Ende liegt'],
      ['from=2020-01-01&to=2026-11-01', 'from', 'Höchstens 366 Tage'],
    ] as const) {
      const page = await browser.get(`${REPORTS}?${query}`);
      expect(page.status).toBe(400);
      expect(page.text).toMatch(new RegExp(`id="${field}-fault"[^>]*>${message}`));
      expect(page.text).toContain(`value="${new URLSearchParams(query).get(field)}"`);
      expect(await browser.get(`${REPORTS}/days.csv?${query}`)).toMatchObject({ status: 303 });
    }
  });
});
