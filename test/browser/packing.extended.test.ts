import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { catalog } from '../../scripts/assortment';
import { launchChromium } from '../../scripts/chromium';
import { gtinCheckDigit } from '../../src/codes/numbers';
import { de } from '../support/messages';
import { AMOXICILLIN, enter, IBUPROFEN, openPharmacy, type Pharmacy, startedService } from './support/fixtures';
import { arrival } from './support/input-methods';
import { forge, labelOf, type Placed, place, placePrescribed } from './support/orders';
import { faultsOfPage } from './support/page-checks';
import { CODES, scan, strike } from './support/scanner';

const { packing: t, otherProduct, shared } = de;
/** The same medicine, in a pack of 50. */
const IBUPROFEN_50 = 'P1-10002';
/** The same substance, stronger; needs a prescription, too. */
const AMOXICILLIN_1000 = 'P1-10059';

let browser: Browser;
let pharmacy: Pharmacy;
/** Of somebody who may not check prescriptions, and of somebody who may. */
let staff: Page;
let pharmacist: Page;
let page: Page;
let order: Placed;

beforeAll(async () => {
  browser = await launchChromium();
  pharmacy = await openPharmacy(startedService(), 'Pack-Apotheke', 900);
  for (const p1_id of [IBUPROFEN_50, AMOXICILLIN_1000]) {
    await pharmacy.call('POST', '/products/add-to-inventory', { p1_id, initial_stock: 90 });
    await pharmacy.call('POST', '/shops/attach-product', { shop_id: pharmacy.shopId, p1_id });
  }
  ({ page: staff } = await enter(browser, pharmacy, 'staff'));
  ({ page: pharmacist } = await enter(browser, pharmacy, 'pharmacist'));
  await staff.addInitScript(countTones);
});

afterAll(() => browser?.close());

beforeEach(async () => {
  page = staff;
  order = await toPack();
  await page.goto(order.path);
});

/** An order of two packs that is to be packed. */
const toPack = (members: Record<string, unknown> = {}) => place(pharmacy, members);

/** Counts the tones that the page plays: runs in it, before its own script. */
function countTones(): void {
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function counted(at) {
    document.documentElement.dataset.tones = String(Number(document.documentElement.dataset.tones ?? 0) + 1);
    start.call(this, at);
  };
}

const tones = () => page.evaluate(() => Number(document.documentElement.dataset.tones ?? 0));

/** The DataMatrix of a pack, as a scanner without separators sends it. */
function matrix(p1Id: string, serial: string, expires = '991231'): string {
  const ntin = `04150${catalog().find(({ p1_id }) => p1_id === p1Id)?.pzn}`;
  return `01${ntin}${gtinCheckDigit(ntin)}17${expires}10A121${serial}`;
}

const scanned = (code: string, every?: number) => arrival(page, () => scan(page, code, { every }));
const alert = () => page.getByRole('alert');
const said = async () => (await page.getByRole('main').innerText()).replaceAll('\u00a0', ' ');
const button = (name: string | RegExp) => page.getByRole('main').getByRole('button', { name });
const press = (name: string | RegExp) => arrival(page, () => button(name).first().click());
const statusOf = async ({ id }: Placed) => (await pharmacy.call<{ status: string }>('GET', `/orders/${id}`)).status;

/** How much of a line is ticked, as the page that is loaded anew says. */
async function ticked({ path }: Placed = order): Promise<string[]> {
  await page.goto(path);
  return (await page.locator('.order-lines td.ticked').allInnerTexts()).map((text) => text.trim());
}

async function packAll({ path }: Placed = order): Promise<void> {
  await page.goto(path);
  while ((await page.locator('[name="hand"]').count()) > 0) {
    await arrival(page, () => page.locator('[name="hand"]').first().click());
  }
}

describe('a scan', () => {
  test('of the wrong pack packs nothing: it is refused loudly, with what differs and what is still open', async () => {
    await scanned(matrix(IBUPROFEN_50, 'S1'));
    expect(await alert().innerText()).toMatch(/Falsche Packung: Ibuprofen .*50 St.* gehört nicht zu \d+/);
    expect(await alert().locator('mark').allInnerTexts()).toEqual(['50 St']);
    expect(await alert().innerText()).toMatch(/Noch offen: 2 × Ibuprofen .*20 St/);
    expect(await alert().evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await tones()).toBeGreaterThan(0);
    await scanned(matrix(AMOXICILLIN, 'S1'));
    expect(await alert().innerText()).toContain('Amoxicillin');
    expect(await ticked()).toEqual(['0/2']);
    await scanned(matrix(IBUPROFEN, 'S1'));
    expect(await alert().count()).toBe(0);
    expect(await tones()).toBe(0);
    expect(await ticked()).toEqual(['1/2']);
  });

  test('of the same pack twice counts it once, and one pack too many is refused', async () => {
    await scanned(matrix(IBUPROFEN, 'S1'));
    await scanned(matrix(IBUPROFEN, 'S1'));
    expect(await alert().innerText()).toContain(shared.fieldErrors.pack_already_scanned);
    expect(await ticked()).toEqual(['1/2']);
    expect(await button(/^Abholbereit/).isDisabled()).toBe(true);
    await scanned(matrix(IBUPROFEN, 'S2'));
    await scanned(matrix(IBUPROFEN, 'S3'));
    expect(await alert().innerText()).toContain(t.tooMany);
    expect(await ticked()).toEqual(['2/2']);
  });

  test('of an expired pack, or of what is no code, packs nothing', async () => {
    await scanned(matrix(IBUPROFEN, 'S1', '200131'));
    expect(await alert().innerText()).toMatch(/Verfallen: .*31\.01\.2020/);
    await page.getByRole('textbox', { name: t.scan }).fill('Ibuprofen 400');
    await arrival(page, () => page.getByRole('textbox', { name: t.scan }).press('Enter'));
    expect(await alert().innerText()).toContain(shared.fieldErrors.unknown_code);
    expect(await ticked()).toEqual(['0/2']);
  });

  test('of the label of another order asks, and changes neither', async () => {
    const other = await toPack();
    const label = await labelOf(page, other);
    await page.goto(order.path);
    await scanned(matrix(IBUPROFEN, 'S1'));
    await scanned(label);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('Etikett von Bestellung');
    await arrival(page, () => page.getByRole('link', { name: /bleiben/ }).click());
    expect(new URL(page.url()).pathname).toBe(order.path);
    expect([await ticked(), await ticked(other)]).toEqual([['1/2'], ['0/2']]);
    expect([await statusOf(order), await statusOf(other)]).toEqual(['awaiting_packing', 'awaiting_packing']);
  });

  test('of its own label ends packing once all is packed, and not before', async () => {
    const label = await labelOf(page, order);
    await page.goto(order.path);
    await scanned(matrix(IBUPROFEN, 'S1'));
    await scanned(label);
    expect(await alert().innerText()).toMatch(/Noch nicht fertig gepackt: Erst 1 von 2.*Noch offen: 1 × Ibuprofen/s);
    expect(await statusOf(order)).toBe('awaiting_packing');
    await scanned(matrix(IBUPROFEN, 'S2'));
    await scanned(label);
    expect(await statusOf(order)).toBe('ready_pickup');
  });

  describe('at 65 and 120 ms a key, with the focus on a decision', () => {
    const places = ['Abholbereit', shared.common.save, t.takeBack, t.slip, shared.orders.fields.express];
    let decided: string[] = [];

    beforeEach(async () => {
      await packAll();
      decided = [];
      page.on('request', (request) => {
        if (request.method() === 'POST' && !/\/scan$/.test(request.url())) decided.push(request.url());
      });
    });

    async function focusOn(name: string): Promise<void> {
      await page.goto(order.path);
      await page.getByText(de.orders.moreSteps).click();
      const place = page.getByRole('main').locator('button:visible:enabled, a:visible', { hasText: name });
      await place.first().focus();
    }

    test('of any code decides nothing', async () => {
      for (const [index, code] of [...Object.keys(CODES), ...places.map(() => '010415012345678210a4711')].entries()) {
        await focusOn(places[index % places.length] ?? '');
        await scanned(code, index % 2 ? 65 : 120);
      }
      expect(decided).toEqual([]);
      expect(await statusOf(order)).toBe('awaiting_packing');
    });

    test('of what is no code, and of single letters, decides nothing', async () => {
      for (const [index, text] of ['a', 'aa', '4711a', 'a415r0001', '0104150123456792'].entries()) {
        await focusOn('Abholbereit');
        const every = index % 2 ? 65 : 120;
        await strike(page, [...[...text].map((key): [string, number] => [key, every]), ['Enter', every]]);
      }
      await page.goto(order.path);
      expect(decided).toEqual([]);
      expect(await statusOf(order)).toBe('awaiting_packing');
    });
  });
});

describe('packing', () => {
  test('by hand says at the line that it was so, who did it and when', async () => {
    const items = [IBUPROFEN, IBUPROFEN_50].map((p1_id) => ({ p1_id, qty: 2, price: 4.95 }));
    order = await toPack({ items });
    await page.goto(order.path);
    await press(t.byHand);
    expect(await page.locator('.order-lines').innerText()).toMatch(/von Hand abgehakt: Kim Öztürk, \d\d:\d\d/);
    expect(await ticked()).toEqual(['2/2', '0/2']);
    await press(t.takeBack);
    expect(await ticked()).toEqual(['0/2', '0/2']);
  });

  test('that is not whole keeps the order here, whatever page, list or form is used', async () => {
    const shipped = await toPack({ shipping_option: 'Versand', address_street: 'Weg 1', address_city: 'Köln' });
    for (const [each, next, asked] of [
      [order, 'ready_pickup', 'hand-over'],
      [shipped, 'ready_shipping', 'ship'],
    ] as const) {
      await page.goto(each.path);
      await scanned(matrix(IBUPROFEN, `${each.id}`.slice(-8)));
      const step = button(new RegExp(`^${de.orders.steps[next]}`));
      expect(await step.innerText()).toMatch(/1\/2/);
      expect(await step.isDisabled()).toBe(true);
      for (const status of [next, 'picked_up', 'shipped', 'delivered'])
        await forge(page, `${each.path}/status`, { status });
      for (const cash_received of ['yes', 'no', '']) {
        const answers = { cash_received, unpaid_reason: 'other', address_known: 'yes', expiry_accepted: 'yes' };
        await forge(page, `${each.path}/${asked}`, answers);
      }
      expect(await statusOf(each)).toBe('awaiting_packing');
    }
    await page.goto('/manage/orders');
    const form = page.getByRole('main').locator('form[method="post"]');
    expect(await form.count()).toBe(1);
    for (const box of await form.locator('[name="order"]').all()) await box.check();
    await press(/^Fertig melden/);
    expect(await statusOf(order)).toBe('awaiting_packing');
    expect(await statusOf(shipped)).toBe('awaiting_packing');
  });

  test('on hold is not there: nothing can be scanned, ticked, exchanged or made ready', async () => {
    const [line] = await page
      .locator('[name="hand"]')
      .evaluateAll((all) => all.map((each) => each.getAttribute('value')));
    await page.goto(`${order.path}/hold`);
    await page.getByRole('textbox', { name: /Grund/ }).fill('Rückruf abwarten');
    await press(/Anhalten/);
    expect(await said()).toMatch(/Angehalten von Kim Öztürk, .*Rückruf abwarten/);
    expect(await page.locator('[data-scan], [name="hand"], [name="status"]').count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Abholbereit/ }).count()).toBe(0);
    await forge(page, `${order.path}/packs`, { hand: line ?? '' });
    await forge(page, `${order.path}/scan`, { code: matrix(IBUPROFEN, 'S1') });
    await forge(page, `${order.path}/status`, { status: 'ready_pickup' });
    await forge(page, `${order.path}/other-product`, {
      ...{ line: line ?? '', p1_id: IBUPROFEN_50, quantity: '1', reason: 'not_deliverable' },
    });
    expect(await ticked()).toEqual(['0/2']);
    expect(await statusOf(order)).toBe('awaiting_packing');
    await press(de.orders.turnOff.on_hold);
    await scanned(matrix(IBUPROFEN, 'S1'));
    expect(await ticked()).toEqual(['1/2']);
  });

  test('ends with what is to be sent: without an address and unpaid, it is asked first', async () => {
    order = await toPack({ shipping_option: 'Versand' });
    await packAll();
    await press(de.orders.steps.ready_shipping);
    await press(de.orders.steps.shipped);
    await press(de.leaving.ship);
    expect(await said()).toContain(de.leaving.addressUnknown);
    expect(await statusOf(order)).toBe('ready_shipping');
  });
});

describe('another product', () => {
  const lineOf = () =>
    page
      .locator('[name="hand"]')
      .first()
      .getAttribute('value')
      .then((key) => key ?? '');

  /** Opens the page of the first line, and scans the other product there. */
  async function choose(p1Id: string): Promise<void> {
    await page.goto(order.path);
    await arrival(page, () => page.getByRole('link', { name: otherProduct.heading }).first().click());
    await scanned(matrix(p1Id, 'S9'));
  }

  test('takes the line only with a reason and each difference acknowledged, and is packed anew', async () => {
    await press(t.byHand);
    await choose(IBUPROFEN_50);
    expect(await page.locator('#versus').innerText()).toMatch(/angenommen.*20 St.*jetzt.*50 St/s);
    await press(otherProduct.exchange);
    expect(await said()).toContain(shared.fieldErrors.reason_required);
    await page.getByLabel(shared.common.reason).selectOption('not_deliverable');
    await press(otherProduct.exchange);
    expect(await said()).toContain(shared.fieldErrors.differences_open);
    const ticks = await page.getByRole('checkbox').all();
    expect(ticks.length).toBeGreaterThan(1);
    for (const tick of ticks.slice(1)) await tick.check();
    await press(otherProduct.exchange);
    expect(await said()).toContain(shared.fieldErrors.differences_open);
    expect(await ticked()).toEqual(['2/2']);
    await choose(IBUPROFEN_50);
    await page.getByRole('textbox', { name: shared.common.quantity }).fill('1');
    await page.locator('#versus', { hasText: '1 × Ibuprofen 400 mg Filmtabletten, 50 St' }).waitFor();
    await page.getByLabel(shared.common.reason).selectOption('not_deliverable');
    for (const tick of await page.getByRole('checkbox').all()) await tick.check();
    await press(otherProduct.exchange);
    expect(await said()).toContain(shared.flash.order_substituted);
    expect(await ticked()).toEqual(['0/1']);
    await scanned(matrix(IBUPROFEN, 'S1'));
    expect(await alert().innerText()).toContain('Falsche Packung');
    await scanned(matrix(IBUPROFEN_50, 'S1'));
    expect(await ticked()).toEqual(['1/1']);
  });

  test('on a prescription is exchanged by who may check it alone, whatever form is sent, and is approved anew', async () => {
    page = pharmacist;
    order = await placePrescribed(pharmacy, page);
    await pharmacy.call('PATCH', `/orders/${order.id}`, { status: 'awaiting_packing' });

    page = staff;
    await choose(AMOXICILLIN_1000);
    expect(await said()).toContain(otherProduct.whoChecks);
    expect(await button(otherProduct.approveAnew).count()).toBe(0);
    const keys = await page
      .locator('[name="acknowledged"]')
      .evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value));
    await page.goto(order.path);
    const line = await lineOf();
    await page.evaluate(exchangeForged, { path: order.path, line, p1_id: AMOXICILLIN_1000, keys });
    await page.goto(order.path);
    expect(await page.locator('.order-lines').innerText()).not.toContain('Amoxicillin 1000');

    page = pharmacist;
    await choose(AMOXICILLIN_1000);
    await page.getByLabel(shared.common.reason).selectOption('customer_wish');
    const isRx = page.getByRole('checkbox', { name: shared.prescriptions.approve });
    for (const tick of await page.getByRole('checkbox').all()) await tick.check();
    await isRx.uncheck();
    await press(otherProduct.approveAnew);
    expect(await said()).toContain(shared.fieldErrors.differences_open);
    for (const tick of await page.getByRole('checkbox').all()) await tick.check();
    await press(otherProduct.approveAnew);
    expect(await page.locator('.order-lines').innerText()).toContain('Amoxicillin 1000');
    expect(await said()).toMatch(/Das Rezept deckt: .*Amoxicillin 1000/);
    await packAll();
    await press('Abholbereit');
    expect(await statusOf(order)).toBe('ready_pickup');
  });
});

/** Runs in the page: sends the exchange with every tick set. */
async function exchangeForged({
  path,
  line,
  p1_id,
  keys,
}: {
  path: string;
  line: string;
  p1_id: string;
  keys: string[];
}) {
  const form = document.querySelector<HTMLFormElement>('main form[method="post"]');
  const hidden = [...new FormData(form ?? undefined)].filter(([name]) => name.startsWith('form_'));
  const fields = [
    ...hidden.map(([name, value]) => [name, String(value)]),
    ...Object.entries({ line, p1_id, quantity: '1', reason: 'customer_wish' }),
    ...keys.map((key) => ['acknowledged', key]),
  ];
  await fetch(`${path}/other-product`, { method: 'POST', body: new URLSearchParams(fields) });
}

test('the original of a prescription that is to follow is confirmed by who may check it, and nothing leaves before', async () => {
  page = pharmacist;
  order = await placePrescribed(pharmacy, page, { as: 'original_follows' });
  await page.goto(order.path);
  expect(await said()).toContain(de.orders.waitsForOriginal);
  expect(await button(de.orders.steps.picked_up).isDisabled()).toBe(true);
  expect(await page.getByRole('link', { name: de.orders.originalIsHere }).getAttribute('href')).toBe(
    `${order.path}/original`,
  );
  page = staff;
  await page.goto(order.path);
  expect(await said()).toContain(de.orders.whoConfirms);
  expect(await page.getByRole('link', { name: de.orders.originalIsHere }).count()).toBe(0);
});

test('what the platform said and what is open to ask stand beside the lines, and names of medicines are never cut', async () => {
  page = pharmacist;
  order = await placePrescribed(pharmacy, page, {
    payload: { birth_date: '1981-03-14', note: 'Bitte keine Tüte', allergies: 'Penicillin' },
  });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(order.path);
  for (const text of ['geb. 14.03.1981', 'Bitte keine Tüte']) expect(await said()).toContain(text);
  await page.getByText(de.orders.platformDetails(3)).click();
  expect(await said()).toContain('Penicillin');
  const cut = await page
    .locator('.order-lines td')
    .evaluateAll(
      (cells) =>
        cells.filter((cell) => cell.scrollWidth > cell.clientWidth || getComputedStyle(cell).textOverflow !== 'clip')
          .length,
    );
  expect(cut).toBe(0);
  await page.setViewportSize({ width: 1024, height: 640 });
});

test('the page is accessible in each of its states, light and dark, and nothing is wider than the window', async () => {
  const many = Array.from({ length: 40 }, (_, at) => ({
    p1_id: at % 2 ? IBUPROFEN : AMOXICILLIN,
    qty: 1,
    price: 4.95,
  }));
  const states: (() => Promise<unknown>)[] = [
    () => page.goto(order.path),
    () => scanned(matrix(IBUPROFEN_50, 'S1')),
    () => page.goto(`${order.path}/other-product?line=0`),
    () => scanned(matrix(IBUPROFEN_50, 'S1')),
    async () => {
      await page.goto(`${order.path}/hold`);
      await press(/Anhalten/);
    },
    async () =>
      page.goto((await toPack({ items: many, customer_name: 'Wilhelmine-Charlotte '.repeat(9).trim() })).path),
    async () => page.goto((await place(pharmacy, {}, 'ready_pickup')).path),
  ];
  const faults: string[] = [];
  for (const reach of states) {
    await reach();
    const { pathname } = new URL(page.url());
    faults.push(...(await faultsOfPage(page)).map((fault) => `${pathname}: ${fault}`));
  }
  expect(faults).toEqual([]);
});
