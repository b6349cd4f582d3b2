import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../../scripts/chromium';
import { addDays, dayOf } from '../../src/platform/pharmacy-time';
import { de } from '../support/messages';
import { AMOXICILLIN, enter, IBUPROFEN, openPharmacy, type Pharmacy, send, startedService } from './support/fixtures';
import { arrival } from './support/input-methods';
import { forge, labelOf, type Placed, place, placePrescribed } from './support/orders';
import { faultsOfPage } from './support/page-checks';
import { CODES, SPEEDS, scan, strike } from './support/scanner';

const { leaving: t } = de;

let browser: Browser;
let pharmacy: Pharmacy;
/** Of somebody who may check prescriptions. */
let page: Page;

beforeAll(async () => {
  browser = await launchChromium();
  pharmacy = await openPharmacy(startedService(), 'Abhol-Apotheke', 900);
  ({ page } = await enter(browser, pharmacy, 'pharmacist'));
});

afterAll(() => browser?.close());

const waiting = (members: Record<string, unknown> = {}) => place(pharmacy, members, 'ready_pickup');

interface State {
  status: string;
  payment_status: string;
}

const stateOf = ({ id }: Placed) => pharmacy.call<State>('GET', `/orders/${id}`);
const statusOf = async (order: Placed) => (await stateOf(order)).status;
const plain = (text: string) => text.replaceAll('\u00a0', ' ');
const said = async () => plain(await page.getByRole('main').innerText());
const button = (name: string | RegExp) => page.getByRole('main').getByRole('button', { name });
const focused = async () => plain(await page.evaluate(() => document.querySelector('main :focus')?.textContent ?? ''));
const press = (name: string | RegExp) => arrival(page, () => button(name).click());

describe('shipping', () => {
  test('of what has no address and is not paid happens only after both were answered', async () => {
    const order = await place(pharmacy, { shipping_option: 'Versand' }, 'ready_shipping');
    await page.goto(order.path);
    await arrival(page, () => page.locator('[name="hand"]').first().click());
    await forge(page, `${order.path}/status`, { status: 'shipped' });
    expect(await statusOf(order)).toBe('ready_shipping');
    await page.goto(`${order.path}/ship`);
    await press(t.ship);
    for (const fault of [t.addressUnknown, de.shared.fieldErrors.reason_required])
      expect(await said()).toContain(fault);
    await page.getByLabel(t.whyUnpaid).selectOption('on_account');
    await press(t.ship);
    expect(await said()).toContain(t.addressUnknown);
    expect(await statusOf(order)).toBe('ready_shipping');
    await page.getByLabel(t.addressKnown).check();
    await press(t.ship);
    expect(await statusOf(order)).toBe('shipped');
  });
});

describe('the hand-over', () => {
  test('names the person with what tells them from others, the packs, the shelf and what the platform said', async () => {
    const { path } = await placePrescribed(pharmacy, page, {
      payload: {
        ...{ customer_name: 'Zoë Großmann', address_street: 'Lindenstraße 12', address_city: 'Berlin' },
        ...{ birth_date: '1981-03-14', allergies: 'Penicillin' },
      },
    });
    await page.goto(`${path}/hand-over`);
    const text = await said();
    for (const words of ['Zoë Großmann', '14.03.1981', 'Lindenstraße 12', '2 ×', 'Ibuprofen', 'Amoxicillin', 'Rx']) {
      expect(text).toContain(words);
    }
    for (const words of ['allergies', 'Penicillin', t.counsel, t.received('23,35 €')]) expect(text).toContain(words);
    expect(text).not.toContain('1981-03-14');
    expect(await focused()).toContain('Zoë Großmann');
  });

  test('takes one key to its Yes, from the name', async () => {
    const order = await waiting();
    await page.goto(`${order.path}/hand-over`);
    expect(await focused()).toContain('Erika Mustermann-Großkreutz');
    await strike(page, [['a', 400]]);
    await expect.poll(focused).toContain(t.received('9,90 €'));
    expect(await statusOf(order)).toBe('ready_pickup');
    await arrival(page, () => strike(page, [['Enter', 400]]));
    expect(await stateOf(order)).toMatchObject({ status: 'picked_up', payment_status: 'paid' });
  });

  test('without payment takes a second step and a reason, and keeps who collected', async () => {
    const order = await waiting();
    await page.goto(`${order.path}/hand-over`);
    await page.getByLabel(t.collectedBy).fill('Ada, die Tochter');
    await page.getByText(t.withoutPayment).click();
    await press(t.handOverUnpaid);
    expect(await said()).toContain(de.shared.fieldErrors.reason_required);
    expect(await statusOf(order)).toBe('ready_pickup');
    expect(await page.getByLabel(t.collectedBy).inputValue()).toBe('Ada, die Tochter');
    await page.getByLabel(t.whyUnpaid).selectOption('pays_later');
    await press(t.handOverUnpaid);
    expect(await stateOf(order)).toMatchObject({ status: 'picked_up', payment_status: 'cash_on_pickup' });
    expect(await said()).toContain(de.shared.orders.unpaidReasons.pays_later);
  });

  test('of an order that was changed meanwhile shows it as it is by now', async () => {
    const external_id = randomUUID();
    const order = await waiting({ external_id });
    await page.goto(`${order.path}/hand-over`);
    await page.getByLabel(t.collectedBy).fill('Ada');
    await place(pharmacy, { external_id, items: [{ p1_id: IBUPROFEN, qty: 3, price: 4.95 }] });
    await press(t.received('9,90 €'));
    expect(await said()).toContain(de.shared.fieldErrors.changed_meanwhile);
    expect(await page.getByLabel(t.collectedBy).inputValue()).toBe('Ada');
    expect(await stateOf(order)).toMatchObject({ status: 'ready_pickup', payment_status: 'cash_on_pickup' });
    await press(t.received('14,85 €'));
    expect(await statusOf(order)).toBe('picked_up');
  });

  test('asks again about a prescription that has become too old', async () => {
    const issuedOn = addDays(dayOf(Date.now()), -60);
    const order = await placePrescribed(pharmacy, page, { issuedOn });
    const { page: owner, context } = await enter(browser, pharmacy, 'owner');
    const validFor = async (prescriptionValidDays: string) => {
      await owner.goto('/manage/settings/organization');
      await send(owner, { prescriptionValidDays });
    };
    await validFor('30');
    try {
      await page.goto(`${order.path}/hand-over`);
      await strike(page, [['a', 400]]);
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('expiry_accepted');
      await press(t.received('23,35 €'));
      expect(await said()).toContain(t.expiryOpen);
      expect(await statusOf(order)).toBe('ready_pickup');
      await page.getByLabel(t.expiryAccepted).check();
      await press(t.received('23,35 €'));
      expect(await statusOf(order)).toBe('picked_up');
    } finally {
      await validFor('90');
      await context.close();
    }
  });
});

/** Every form by which goods could leave, sent as no page offers it. */
async function forgeAll({ path }: Placed, label: string): Promise<void> {
  await page.goto(path);
  for (const cash_received of ['yes', 'no', '']) {
    const answers = { cash_received, unpaid_reason: 'other', address_known: 'yes', expiry_accepted: 'yes' };
    await forge(page, `${path}/hand-over`, answers);
    await forge(page, `${path}/ship`, answers);
  }
  for (const status of ['picked_up', 'shipped', 'delivered']) await forge(page, `${path}/status`, { status });
  await forge(page, `${path}/scan`, { code: label });
}

describe('an order is handed over by no page', () => {
  test('while it is on hold, not even by one that was opened before', async () => {
    const order = await waiting();
    const label = await labelOf(page, order);
    await page.goto(`${order.path}/hand-over`);
    const other = await page.context().newPage();
    await other.goto(`${order.path}/hold`);
    await other.getByLabel(de.shared.common.reason, { exact: false }).fill('Rückruf abwarten');
    await arrival(other, () => other.getByRole('main').getByRole('button', { name: t.hold }).click());
    await other.close();
    await press(t.received('9,90 €'));
    expect(await said()).toContain('Rückruf abwarten');
    for (const asked of ['hand-over', 'ship']) {
      await page.goto(`${order.path}/${asked}`);
      expect(new URL(page.url()).pathname).toBe(order.path);
      expect(await page.locator('[value="picked_up"]').count()).toBe(0);
    }
    await forgeAll(order, label);
    expect(await stateOf(order)).toMatchObject({ status: 'ready_pickup', payment_status: 'cash_on_pickup' });
  });

  test('while the original of its prescription is missing; confirmed, with its date, it is', async () => {
    const order = await placePrescribed(pharmacy, page, { as: 'original_follows' });
    const label = await labelOf(page, order);
    await page.goto(`${order.path}/hand-over`);
    expect(new URL(page.url()).pathname).toBe(order.path);
    await forgeAll(order, label);
    expect(await stateOf(order)).toMatchObject({ status: 'ready_pickup', payment_status: 'cash_on_pickup' });

    const { page: staff, context } = await enter(browser, pharmacy, 'staff');
    await staff.goto(`${order.path}/original`);
    expect(await staff.getByRole('main').innerText()).toContain(t.originalFor);
    expect(await staff.getByRole('main').getByRole('button').count()).toBe(0);
    await context.close();

    await page.goto(`${order.path}/original`);
    const day = page.getByLabel(t.issuedOn, { exact: false });
    await day.fill(addDays(dayOf(Date.now()), 3));
    await press(t.originalChecked);
    expect(await said()).toContain(t.issuedWrong);
    await day.fill(addDays(dayOf(Date.now()), -3));
    await press(t.originalChecked);
    await page.goto(`${order.path}/hand-over`);
    await press(t.received('23,35 €'));
    expect(await statusOf(order)).toBe('picked_up');
  });
});

describe('a key or a scan hands nothing over', () => {
  const PLACES: [string, () => Promise<unknown>][] = [
    ['the name', async () => undefined],
    ['the field for who collects it', () => page.getByLabel(t.collectedBy).focus()],
    ['the Yes', () => button(t.received('9,90 €')).focus()],
    [
      'the reason',
      async () => {
        await page.getByText(t.withoutPayment).click();
        await page.getByLabel(t.whyUnpaid).focus();
      },
    ],
  ];

  test.each(PLACES)('the label of another order, with the focus on %s, opens that one', async (_, focus) => {
    const [order, other] = [await waiting(), await waiting()];
    const label = await labelOf(page, other);
    for (const every of SPEEDS) {
      await page.goto(`${order.path}/hand-over`);
      await focus();
      await Promise.all([page.waitForURL(`**${other.path}/hand-over`), scan(page, label, { every })]);
    }
    expect(await Promise.all([order, other].map(statusOf))).toEqual(['ready_pickup', 'ready_pickup']);
  });

  test('the code of a pack, and text that ends with Enter', async () => {
    const order = await waiting();
    const posts = postsOf(page);
    const fields = [() => Promise.resolve(), () => page.getByLabel(t.collectedBy).focus()];
    for (const focus of fields) {
      for (const code of Object.keys(CODES)) {
        await page.goto(`${order.path}/hand-over`);
        await focus();
        await arrival(page, () => scan(page, code, { every: 120 }));
      }
      for (const text of ['Ada', 'a', '4711']) {
        await page.goto(`${order.path}/hand-over`);
        await focus();
        await scan(page, text, { every: 120 });
      }
    }
    expect(posts).toEqual([]);
    expect(await stateOf(order)).toMatchObject({ status: 'ready_pickup', payment_status: 'cash_on_pickup' });
  });

  test.each([
    ['hand-over', 'collected_by'],
    ['hold', 'hold_reason'],
    ['return', 'back_0'],
    ['refund', 'amount'],
  ])('Enter in a field of the page /%s', async (step, field) => {
    const order = await waiting({ payment_status: step === 'refund' ? 'paid' : 'cash_on_pickup' });
    await page.goto(`${order.path}/${step}`);
    const posts = postsOf(page);
    await page.locator(`[name="${field}"]`).press('Enter');
    await page.goto(order.path);
    expect(posts).toEqual([]);
    expect(await statusOf(order)).toBe('ready_pickup');
  });
});

/** The addresses that the page has posted to from now on. */
function postsOf(of: Page): string[] {
  const posts: string[] = [];
  of.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
  return posts;
}

describe('a return', () => {
  const stockOf = async (p1Id: string) => {
    const { stock_quantity } = await pharmacy.call<{ stock_quantity: number }>(
      'GET',
      `/products/${p1Id}?shop_id=${pharmacy.shopId}`,
    );
    return stock_quantity;
  };
  const stocks = async () => [await stockOf(AMOXICILLIN), await stockOf(IBUPROFEN)] as [number, number];

  test('puts back what is ticked, and never what needs a prescription, whatever form is sent', async () => {
    const order = await placePrescribed(pharmacy, page);
    await pharmacy.call('PATCH', `/orders/${order.id}`, { status: 'picked_up' });
    const [amoxicillin, ibuprofen] = await stocks();
    const line = (name: string) => page.getByRole('row').filter({ hasText: name });
    await page.goto(`${order.path}/return`);
    expect(await line('Amoxicillin').getByRole('checkbox').count()).toBe(0);
    await line('Ibuprofen').getByRole('textbox').fill('1');
    await press(t.returnNow);
    expect(await stocks()).toEqual([amoxicillin, ibuprofen]);

    await page.goto(`${order.path}/return`);
    await line('Ibuprofen').getByRole('textbox').fill('3');
    await press(t.returnNow);
    expect(await said()).toContain(t.quantityRange(1));
    expect(await stocks()).toEqual([amoxicillin, ibuprofen]);

    await forge(page, `${order.path}/return`, { seen: '1', back_0: '1', restock_0: 'yes', back_1: '0' });
    expect(await stocks()).toEqual([amoxicillin, ibuprofen]);

    await page.goto(`${order.path}/return`);
    await line('Amoxicillin').getByRole('textbox').fill('1');
    await line('Ibuprofen').getByRole('textbox').fill('1');
    await line('Ibuprofen').getByRole('checkbox').check();
    await press(t.returnNow);
    expect(await stocks()).toEqual([amoxicillin, ibuprofen + 1]);
    expect(await statusOf(order)).toBe('returned');
  });
});

test('each of these pages is accessible, light and dark, and nothing is wider than the window', async () => {
  const paid = await waiting({ payment_status: 'paid' });
  const many = Array.from({ length: 40 }, (_, at) => ({
    p1_id: at % 2 ? IBUPROFEN : AMOXICILLIN,
    qty: 1,
    price: 4.95,
  }));
  const long = await place(pharmacy, { customer_name: 'Wilhelmine-Charlotte '.repeat(9).trim(), items: many });
  const ship = await place(pharmacy, { shipping_option: 'Versand' }, 'ready_shipping');
  await page.goto(ship.path);
  await arrival(page, () => page.locator('[name="hand"]').first().click());
  const copy = await placePrescribed(pharmacy, page, { as: 'original_follows' });
  const faults: string[] = [];
  for (const path of [
    ...[`${paid.path}/hand-over`, `${paid.path}/refund`, `${paid.path}/hold`, `${paid.path}/cancel`],
    ...[`${ship.path}/ship`, `${copy.path}/original`, `${long.path}/return`, `${long.path}/label`, `${long.path}/slip`],
  ]) {
    const answer = await page.goto(path);
    const size = (await answer?.body())?.byteLength ?? 0;
    if (new URL(page.url()).pathname !== path || size > 60 * 1024) faults.push(`${path}: ${page.url()}, ${size} bytes`);
    faults.push(...(await faultsOfPage(page)).map((fault) => `${path}: ${fault}`));
    for (const width of [320, 480, 767, 768, 1000, 1200, 1920]) {
      await page.setViewportSize({ width, height: 640 });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (over > 0) faults.push(`${path}: ${over} px wider than ${width}`);
    }
  }
  expect(faults).toEqual([]);
});
